import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { OneJudge, ProbePlan } from "../../api/judges"
import { probePlanQuery, startProbe } from "../../api/judges"
import { asProblem } from "../../api/problem"
import { useWrite } from "../../api/write"
import { Dialog } from "../../parts/Dialog"
import { Field } from "../../parts/Field"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { WriteButton } from "../../parts/WriteButton"
import { countText, countWords, moneyText, serverWords } from "../../words/format"
import styles from "./Judges.module.css"
import { Notes } from "./People"

const MOST = 1_000
const FIRST = 50

/** Shows what a probe takes, and starts it. */
export function StartProbe({ one, onClose, onStarted }: { one: OneJudge; onClose: () => void; onStarted: (job: string) => void }) {
  const [typed, setTyped] = useState(String(FIRST))
  const samples = Number(typed)
  const wrong = Number.isInteger(samples) && samples >= 1 && samples <= MOST ? undefined : `Give a whole number from 1 to ${countText(MOST)}.`
  const plan = useQuery({ ...probePlanQuery(one, samples), enabled: wrong === undefined })
  const write = useWrite(startProbe, {
    changes: [["jobs"]],
    onDone: (accepted) => {
      onStarted(accepted.job_id)
      onClose()
    },
  })
  const current = plan.data !== undefined && !plan.isPlaceholderData && wrong === undefined
  const refused = wrong ?? plan.data?.refusal ?? (current ? undefined : "Wait until it is known what it takes.")
  return (
    <Dialog
      title="Start a probe"
      onClose={onClose}
      actions={
        <WriteButton kind="main" busy={write.busy} refused={refused} onClick={() => write.run({ one, samples })}>
          Start the probe
        </WriteButton>
      }
    >
      <p>
        A probe asks the judge's model about targets that it has scored: the same twice, with its labels in reverse order where it has some, and
        with a plea for another score in the output. It leaves no scores.
      </p>
      <Field label="Targets" hint="Drawn at random from those that it has scored; at most one per item" problem={wrong}>
        {(field) => <input {...field} type="number" min={1} max={MOST} step={1} value={typed} onChange={(event) => setTyped(event.target.value)} />}
      </Field>
      {plan.error ? (
        <ProblemBox problem={asProblem(plan.error)} onRetry={() => void plan.refetch()} />
      ) : plan.data ? (
        <Plan plan={plan.data} busy={plan.isPlaceholderData} />
      ) : (
        <Loading what="what the probe takes" rows={4} />
      )}
      {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} />}
    </Dialog>
  )
}

function Plan({ plan, busy }: { plan: ProbePlan; busy: boolean }) {
  const tokens = plan.tokens_input_estimate + plan.tokens_output_estimate
  return (
    <div aria-busy={busy} role="status">
      <dl className={styles.amounts}>
        <div>
          <dt>Cost, estimated</dt>
          <dd>
            <b>{plan.cost_usd_estimate === null ? "unknown" : `about ${moneyText(plan.cost_usd_estimate)}`}</b>{" "}
            {plan.estimate_from && <span className="mute">from {plan.estimate_from === "past calls" ? "its past calls" : "the price list"}</span>}
          </dd>
        </div>
        <div>
          <dt>Calls</dt>
          <dd>
            up to {countText(plan.calls)} <span className="mute">about {countWords(plan.samples, "target")}</span>
          </dd>
        </div>
        <div>
          <dt>Tokens, estimated</dt>
          <dd>
            {countText(tokens)} <span className="mute">{countText(plan.tokens_input_estimate)} in, {countText(plan.tokens_output_estimate)} out</span>
          </dd>
        </div>
        <div>
          <dt>Model</dt>
          <dd><Characters text={plan.model} /></dd>
        </div>
        <div>
          <dt>Budget left today</dt>
          <dd>{budgetWords(plan)}</dd>
        </div>
      </dl>
      {plan.refusal && <p className={styles.refusal}>It cannot start now: <Characters text={serverWords(plan.refusal)} /></p>}
      {plan.notes.length > 0 && <Notes notes={plan.notes} />}
    </div>
  )
}

function budgetWords(plan: ProbePlan): string {
  const parts = []
  if (plan.budget_left_usd !== null) parts.push(moneyText(plan.budget_left_usd))
  if (plan.budget_left_tokens !== null) parts.push(countText(plan.budget_left_tokens, "tok"))
  return parts.join(", ") || "no limit is set"
}
