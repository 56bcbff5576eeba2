import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { asProblem, fieldMessage } from "../../api/problem"
import { useSession } from "../../api/queries"
import type { Retention, RetentionDraft } from "../../api/settings"
import { contentsQuery, retentionQuery, setRetention } from "../../api/settings"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Dialog } from "../../parts/Dialog"
import { Field, Fields } from "../../parts/Field"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Unsaved } from "../../parts/Unsaved"
import { refusal, WriteButton } from "../../parts/WriteButton"
import { countText } from "../../words/format"
import { readDays } from "./amounts"
import styles from "./Settings.module.css"

export function RetentionTab({ project }: { project: string }) {
  const { data, error, refetch } = useQuery(retentionQuery(project))
  if (!data) return error ? <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} /> : <Loading what="the retention" rows={6} />
  return <Keep project={project} retention={data} />
}

/** Only what was typed is kept here: what nobody touched follows the server. */
function Keep({ project, retention }: { project: string; retention: Retention }) {
  const refused = refusal(useSession(), "write")
  const [typed, setTyped] = useState<{ days?: string; keepScored?: boolean }>({})
  const [asking, setAsking] = useState(false)
  const stored = retention.retention_days === null ? "" : String(retention.retention_days)
  const days = typed.days ?? stored
  const keepScored = typed.keepScored ?? retention.keep_scored
  const read = readDays(days)
  const changed = days !== stored || keepScored !== retention.keep_scored
  const write = useWrite((draft: RetentionDraft) => setRetention(project, draft), {
    changes: [["settings", project, "retention"], ["traces"]],
    onDone: () => {
      setTyped({})
      setAsking(false)
      announce("The retention is saved.")
    },
  })
  function save(): void {
    if (read.value !== undefined) write.run({ retention_days: read.value, keep_scored: keepScored })
  }
  const submit = (): void => (read.value === null ? save() : setAsking(true))
  const wrong = read.problem ?? (changed ? undefined : "Nothing is changed.")
  return (
    <div className={styles.panel}>
      <section className={styles.section} aria-label="Keep traces">
        <h2>Keep traces</h2>
        <p>
          Traces to which no span has come for so many days are deleted, with their spans and scores. Those that a run, a dataset
          item, an annotation, a person's score or the review queue refers to stay, and so do the daily means of scorers.
        </p>
        <Held project={project} />
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (refused === undefined && wrong === undefined && !write.busy) submit()
          }}
        >
          <Fields refused={refused} legend="Keep traces">
            <div className={styles.single}>
              <Field label="Days" hint="Empty: for ever." problem={read.problem ?? fieldMessage(write.problem, "retention_days")}>
                {(field) => <input {...field} inputMode="numeric" placeholder="for ever" value={days} onChange={(event) => setTyped({ ...typed, days: event.target.value })} />}
              </Field>
            </div>
            <label>
              <input type="checkbox" checked={keepScored} onChange={(event) => setTyped({ ...typed, keepScored: event.target.checked })} /> Keep every trace
              that has a score
            </label>
          </Fields>
          {write.problem && !asking && <ProblemBox problem={write.problem} onRetry={write.retry} shownFields={["retention_days"]} />}
          <div className={styles.buttons}>
            <WriteButton kind="main" busy={write.busy} refused={wrong} onClick={submit}>
              Save the retention
            </WriteButton>
            {changed && (
              <button type="button" onClick={() => setTyped({})}>
                Undo
              </button>
            )}
          </div>
        </form>
        <Unsaved when={changed && !write.busy} what="The retention was changed and is not saved." />
      </section>
      {asking && (
        <Dialog
          title={`Delete traces after ${days.trim()} days?`}
          onClose={() => setAsking(false)}
          actions={
            <WriteButton kind="danger" busy={write.busy} onClick={save}>
              Delete older traces
            </WriteButton>
          }
        >
          <p>Older traces are deleted within minutes, and from then on every hour. This cannot be undone.</p>
          {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} />}
        </Dialog>
      )}
    </div>
  )
}

function Held({ project }: { project: string }) {
  const { data } = useQuery(contentsQuery(project))
  if (!data) return null
  return (
    <p className="mute">
      The project holds {countText(data.traces)} traces with {countText(data.spans)} spans.
    </p>
  )
}
