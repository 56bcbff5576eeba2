import { useState } from "react"
import type { Job, JobChange } from "../../api/jobs"
import { changeJob } from "../../api/jobs"
import type { Problem } from "../../api/problem"
import { useWrite } from "../../api/write"
import { announce } from "../../live"

export interface Changing {
  run: (input: JobChange) => void
  /** The job whose button was pressed just now. */
  busyId: string | undefined
  problem: Problem | null
  retry: () => void
}

/** Retry and cancel, for the buttons of the rows and of the detail. */
export function useChanging(): Changing {
  const [busyId, setBusyId] = useState<string>()
  const write = useWrite((input: JobChange, key: string) => changeJob(input, key), {
    changes: [["jobs"], ["dashboard"], ["experiment"]],
    onDone: (job: Job) => announce(`The job is ${job.status}.`),
  })
  const run = (input: JobChange): void => {
    setBusyId(input.id)
    write.run(input)
  }
  return { run, busyId: write.busy ? busyId : undefined, problem: write.problem, retry: write.retry }
}
