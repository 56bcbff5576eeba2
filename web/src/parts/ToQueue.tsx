import { useState } from "react"
import { fieldMessage } from "../api/problem"
import type { Target } from "../api/review"
import { enqueue } from "../api/review"
import { useWrite } from "../api/write"
import { announce } from "../live"
import { Dialog } from "./Dialog"
import { Field } from "./Field"
import { ProblemBox } from "./Problem"
import { WriteButton } from "./WriteButton"

const LONGEST_REASON = 200

interface Props {
  project: string
  target: Target
  /** Called when it is in the queue. */
  onQueued?: () => void
  onClose: () => void
}

/** Put a trace or a run into the review queue, and say why a person should look at it. */
export function ToQueue({ project, target, onQueued, onClose }: Props) {
  const [reason, setReason] = useState("")
  const write = useWrite((words: string, key: string) => enqueue(project, [target], words.trim() || undefined, key), {
    changes: [["review"], ["traces"], ["trace", project, target.id], ["queue"], ["conversation"]],
    onDone: ({ already }) => {
      announce(already > 0 ? "It is in the review queue already." : "Put into the review queue.")
      onQueued?.()
      onClose()
    },
  })
  const submit = (): void => write.run(reason)
  return (
    <Dialog
      title="Add to the review queue"
      onClose={onClose}
      actions={
        <WriteButton kind="main" busy={write.busy} onClick={submit}>
          Add to the queue
        </WriteButton>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!write.busy) submit()
        }}
      >
        <Field label="Why should a person look at it?" hint="Reviewers read this. It may be left out." problem={fieldMessage(write.problem, "reason")}>
          {(field) => <input {...field} autoFocus value={reason} maxLength={LONGEST_REASON} autoComplete="off" onChange={(event) => setReason(event.target.value)} />}
        </Field>
      </form>
      {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} shownFields={["reason"]} />}
    </Dialog>
  )
}
