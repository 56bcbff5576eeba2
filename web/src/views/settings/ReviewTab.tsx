import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { asProblem, fieldMessage } from "../../api/problem"
import { useSession } from "../../api/queries"
import type { ReviewSettings } from "../../api/review"
import { reviewSettingsQuery, setReviewSettings } from "../../api/review"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Field, Fields } from "../../parts/Field"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Unsaved } from "../../parts/Unsaved"
import { refusal, WriteButton } from "../../parts/WriteButton"
import { LabelRows } from "./LabelRows"
import type { TypedSettings } from "./reviewDraft"
import { settingsDraft, settingsProblem, typedOf, wantedProblem } from "./reviewDraft"
import styles from "./Settings.module.css"

export function ReviewTab({ project }: { project: string }) {
  const { data, error, refetch } = useQuery(reviewSettingsQuery(project))
  if (!data) return error ? <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} /> : <Loading what="the review settings" rows={6} />
  return <Reviewing project={project} settings={data} />
}

/** Only what was typed is kept here: what nobody touched follows the server. */
function Reviewing({ project, settings }: { project: string; settings: ReviewSettings }) {
  const refused = refusal(useSession(), "write")
  const [changes, setChanges] = useState<Partial<TypedSettings>>({})
  const stored = typedOf(settings)
  const typed = { ...stored, ...changes }
  const change = (patch: Partial<TypedSettings>): void => setChanges({ ...changes, ...patch })
  const write = useWrite((draft: TypedSettings) => setReviewSettings(project, settingsDraft(draft)), {
    changes: [["review"]],
    onDone: () => {
      setChanges({})
      announce("The review settings are saved.")
    },
  })
  const isChanged = JSON.stringify(settingsDraft(typed)) !== JSON.stringify(settingsDraft(stored))
  const wrong = settingsProblem(typed) ?? (isChanged ? undefined : "Nothing is changed.")
  return (
    <div className={styles.panel}>
      <section className={styles.section} aria-label="Review">
        <h2>How people review</h2>
        <p>
          Reviewers choose one of these labels for each card of the <b>review queue</b>. A label with a number is also stored as a score, with
          the reviewer's name, so that judges are measured against it at once.
        </p>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (refused === undefined && wrong === undefined && !write.busy) write.run(typed)
          }}
        >
          <Fields refused={refused} legend="How people review">
            <LabelRows labels={typed.labels} onChange={(labels) => change({ labels })} />
            <label>
              <input type="checkbox" checked={typed.freeLabels} onChange={(event) => change({ freeLabels: event.target.checked })} /> Reviewers may
              write a label of their own
            </label>
            <Numbers typed={typed} onChange={change} problem={write.problem} />
            <label>
              <input type="checkbox" checked={typed.blind} onChange={(event) => change({ blind: event.target.checked })} /> Blind: reviewers see what
              others and automatic scorers said only after they have saved their own
            </label>
          </Fields>
          {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} shownFields={["scorer_name", "reviews_wanted"]} />}
          <div className={styles.buttons}>
            <WriteButton kind="main" busy={write.busy} refused={wrong} submits>
              Save the review settings
            </WriteButton>
            {isChanged && (
              <button type="button" onClick={() => setChanges({})}>
                Undo
              </button>
            )}
          </div>
        </form>
        <Unsaved when={isChanged && !write.busy} what="The review settings were changed and are not saved." />
      </section>
    </div>
  )
}

interface NumbersProps {
  typed: TypedSettings
  onChange: (patch: Partial<TypedSettings>) => void
  problem: Parameters<typeof fieldMessage>[0]
}

function Numbers({ typed, onChange, problem }: NumbersProps) {
  return (
    <div className={styles.line}>
      <Field label="Name of the score" hint="What numbers of labels are stored under." problem={fieldMessage(problem, "scorer_name")}>
        {(field) => <input {...field} value={typed.scorerName} maxLength={256} autoComplete="off" onChange={(event) => onChange({ scorerName: event.target.value })} />}
      </Field>
      <Field
        label="Reviewers per card" hint="So many different people are asked before a card is done."
        problem={wantedProblem(typed.wanted) ?? fieldMessage(problem, "reviews_wanted")}
      >
        {(field) => <input {...field} inputMode="numeric" value={typed.wanted} onChange={(event) => onChange({ wanted: event.target.value })} />}
      </Field>
    </div>
  )
}
