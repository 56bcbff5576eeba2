import { Link } from "@tanstack/react-router"
import type { Dashboard } from "../../api/dashboard"
import { Characters } from "../../parts/Text"
import { barWords } from "../../words/announce"
import { countText, countWords, intervalWords, scoreText } from "../../words/format"
import css from "./Dashboard.module.css"
import { dayText, driftSearch, driftSentence, gateName, gateRunsWords, gateSearch } from "./sayings"

/** What needs a look now: a gate that fails, and scores on spans that moved. */
export function Attention({ project, data }: { project: string; data: Dashboard }) {
  const { last_completed: last, drift } = data
  const gate = last?.summary.threshold_result
  const failing = last && gate?.decision === "fail" ? { last, gate } : null
  if (!failing && drift.alarms.length === 0) return <Quiet watched={drift.watched_count} status={drift.status} />
  return (
    <section className={css.attention} aria-labelledby="attention">
      <h2 id="attention">Needs a look</h2>
      <ul>
        {failing && (
          <li>
            <b className={css.bad}>✕ Gate fails</b>{" "}
            <Link to="/projects/$project/experiments/$experiment" params={{ project, experiment: failing.last.experiment.id }}>
              <Characters text={failing.last.experiment.name} />
            </Link>
            : <Characters text={gateName(failing.gate)} /> is {scoreText(failing.gate.actual_value)} ({intervalWords(failing.gate.confidence_interval_95)}) and must be{" "}
            {barWords(failing.gate.comparison, failing.gate.threshold)}.{" "}
            <Link
              to="/projects/$project/experiments/$experiment"
              params={{ project, experiment: failing.last.experiment.id }}
              search={gateSearch(failing.gate) as never}
            >
              See {gateRunsWords(failing.gate)}
            </Link>
          </li>
        )}
        {drift.alarms.map((series) => (
          <li key={`${series.scorer_name} ${series.config_hash ?? ""}`}>
            <b className={css.bad}>{series.direction === "up" ? "▲" : "▼"} Drift</b>{" "}
            <b>
              <Characters text={series.scorer_name} />
            </b>{" "}
            {driftSentence(series)}.{" "}
            <Link to="/projects/$project/traces" params={{ project }} search={driftSearch(series) as never}>
              See the traces{series.since ? ` since ${dayText(series.since.first_day)} (${countWords(series.since.n, "score")})` : ""}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Quiet({ watched, status }: { watched: number; status: Dashboard["drift"]["status"] }) {
  if (watched === 0) return null
  return (
    <p className="mute">
      {status === "too_few"
        ? `Drift: too few scores on spans yet (${countWords(watched, "scorer")}).`
        : `No drift: the scores of ${countText(watched)} ${watched === 1 ? "scorer" : "scorers"} on spans are where they were.`}
    </p>
  )
}
