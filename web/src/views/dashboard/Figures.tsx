import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { Dashboard } from "../../api/dashboard"
import { Evidence } from "../../parts/Evidence"
import { countText, countWords, durationText, MISSING, shareIntervalText, shareText } from "../../words/format"
import css from "./Dashboard.module.css"
import { costNote, costText, durationNote } from "./sayings"
import { windowWords } from "./trends"

/** The traces of the window and the queue in a few numbers, each a link to the traces behind it. */
export function Figures({ project, data }: { project: string; data: Dashboard }) {
  const { traces, queue, window } = data
  const to = "/projects/$project/traces"
  const params = { project }
  const search = (more: object): never => ({ after: window, ...more }) as never
  const behind = countWords(traces.count, "trace")
  const none = traces.count === 0
  return (
    <dl className={css.figures} aria-label={`Traces of the ${windowWords(window)}, and the review queue`}>
      <Figure name="Traces" note={none ? windowWords(window) : `${countText(traces.tokens, "tok")}, ${windowWords(window)}`}>
        <Evidence to={to} params={params} search={search({})} behind={behind}>
          {countText(traces.count)}
        </Evidence>
      </Figure>
      <Figure
        name="Error rate"
        note={none ? "no traces" : `${shareIntervalText(traces.error_rate_ci_95, traces.count)}, ${countText(traces.error_count)} of ${countText(traces.count)}`}
      >
        {none ? (
          MISSING
        ) : (
          <Evidence to={to} params={params} search={search({ error: true })} behind={countWords(traces.error_count, "trace with an error", "traces with an error")}>
            {shareText(traces.error_rate, traces.count)}
          </Evidence>
        )}
      </Figure>
      <Figure name="Mean duration" note={durationNote(traces)}>
        {traces.mean_duration_ms === null ? (
          MISSING
        ) : (
          <Evidence to={to} params={params} search={search({ sort: "-duration" })} behind={`${countWords(traces.timed_count, "trace")}, the longest first,`}>
            {durationText(traces.mean_duration_ms)}
          </Evidence>
        )}
      </Figure>
      <Figure
        name="Cost"
        note={
          traces.cost.unpriced_span_count > 0 ? (
            <Link to="/projects/$project/settings" params={params} search={{ tab: "prices" } as never}>
              {costNote(traces)}
            </Link>
          ) : (
            costNote(traces)
          )
        }
      >
        {traces.cost.usd === null && traces.cost.unpriced_span_count === 0 ? (
          MISSING
        ) : (
          <Evidence to={to} params={params} search={search({ sort: "-cost" })} behind={`${behind}, the costliest first,`}>
            {costText(traces)}
          </Evidence>
        )}
      </Figure>
      <Figure name="Wait for review" note={`${countText(queue.annotated_count)} reviewed`}>
        <Evidence to="/projects/$project/review" params={params} behind={countWords(queue.pending_count, "waiting card")}>
          {countText(queue.pending_count)}
        </Evidence>
      </Figure>
    </dl>
  )
}

function Figure({ name, note, children }: { name: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className={css.figure}>
      <dt>{name}</dt>
      <dd className={css.value}>{children}</dd>
      <dd className={css.note}>{note}</dd>
    </div>
  )
}
