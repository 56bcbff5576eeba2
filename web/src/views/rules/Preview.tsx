import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { RulePreview, Target } from "../../api/rules"
import { Loading } from "../../parts/Loading"
import { countText, countWords, moneyText, shareText, shortId } from "../../words/format"
import { momentText } from "../../words/time"
import styles from "./Rules.module.css"
import { TARGETS } from "./ruleWords"

interface Props {
  project: string
  target: Target
  preview: RulePreview | undefined
  busy: boolean
  /** The form says something else by now. */
  stale: boolean
  /** Buttons, and what became of them. */
  children: ReactNode
}

/** What the rule would have scored in the last days, and what that would have cost. */
export function Preview({ project, target, preview, busy, stale, children }: Props) {
  return (
    <section className={styles.preview} aria-label="Preview" aria-busy={busy}>
      <h2>Preview</h2>
      {preview === undefined ? (
        busy ? <Loading what="the preview" rows={5} /> : (
          <p className="mute">Press Preview to see what the rule would have matched in the last 7 days, and what a judge would cost. Nothing is stored, and no model is asked.</p>
        )
      ) : (
        <div className={stale || busy ? styles.stale : styles.fresh}>
          {stale && !busy && <p className={styles.note}>The form was changed since. Preview again.</p>}
          <p className="mute" role="status">
            In the last {preview.days} days, since {momentText(preview.since)}:
          </p>
          <Matched preview={preview} target={target} />
          <Cost project={project} preview={preview} />
          {preview.notes.length > 0 && (
            <ul className={styles.notes} aria-label="Notes">
              {preview.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
          <Traces project={project} ids={preview.sample_trace_ids} />
        </div>
      )}
      {children}
    </section>
  )
}

function Matched({ preview, target }: { preview: RulePreview; target: Target }) {
  const { many } = TARGETS[target]
  if (preview.matched_spans === 0) {
    return (
      <p>
        <b>Nothing matched.</b> {preview.looked_at_spans === 0 ? "No spans came in these days." : `Of ${countWords(preview.looked_at_spans, "span")} none fits the filter; names and models must be the same to the letter.`}
      </p>
    )
  }
  return (
    <dl className={styles.figures}>
      <Figure name={preview.complete ? "Spans that came in" : "Newest spans, looked at"} value={countText(preview.looked_at_spans)} />
      <Figure name="match the filter" value={countText(preview.matched_spans)} more={shareText(preview.matched_spans / preview.looked_at_spans, preview.looked_at_spans)} />
      {target !== "span" && <Figure name={`${many} they belong to`} value={countText(preview.targets)} />}
      <Figure name={`${many} it would have scored`} value={countText(preview.sampled)} strong />
    </dl>
  )
}

function Cost({ project, preview }: { project: string; preview: RulePreview }) {
  const { scoring } = preview
  if (scoring.model === null) return <p>This scorer asks no model: it costs nothing.</p>
  const prices = (
    <Link to="/projects/$project/settings" params={{ project }} search={{ tab: "prices" }}>
      Give it a price
    </Link>
  )
  return (
    <>
      <dl className={styles.figures}>
        <Figure name={`Calls to ${scoring.model}`} value={countText(scoring.calls)} />
        <Figure name="Tokens, input + output" value={`${countText(scoring.tokens_input_estimate)} + ${countText(scoring.tokens_output_estimate)}`} more="estimated" />
        <Figure name={`Cost of ${preview.days} days`} value={moneyText(scoring.cost_usd_estimate)} more={scoring.estimate_from === null ? undefined : `estimated by ${scoring.estimate_from}`} />
        <Figure name="Cost per day" value={moneyText(preview.cost_usd_per_day_estimate)} strong />
        <Figure
          name="Left of today's budget"
          value={
            <Link to="/projects/$project/settings" params={{ project }} search={{ tab: "budget" }}>
              {preview.budget_left_usd === null ? "no limit" : moneyText(preview.budget_left_usd)}
            </Link>
          }
        />
      </dl>
      {scoring.cost_usd_estimate === null && <p>Nothing says what {scoring.model} costs. {prices}.</p>}
    </>
  )
}

function Figure({ name, value, more, strong }: { name: string; value: ReactNode; more?: string | undefined; strong?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {strong ? <b>{value}</b> : value}
        {more !== undefined && <span className="mute"> {more}</span>}
      </dd>
    </div>
  )
}

function Traces({ project, ids }: { project: string; ids: string[] }) {
  if (ids.length === 0) return null
  return (
    <div>
      <h3>{ids.length === 1 ? "The trace with a match" : ids.length < 10 ? "Traces with a match" : "Newest traces with a match"}</h3>
      <ul className={styles.traces}>
        {ids.map((id) => (
          <li key={id}>
            <Link to="/projects/$project/traces/$trace" params={{ project, trace: id }}>
              <code>…{shortId(id)}</code>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
