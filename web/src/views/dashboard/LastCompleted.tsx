import { Link, useNavigate } from "@tanstack/react-router"
import { BASE } from "../../address"
import type { Dashboard, ScorerSummary, Summary } from "../../api/dashboard"
import { scorerRow } from "../../parts/summaryFigures"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { Forest } from "../../plots/Forest"
import { useWidth } from "../../plots/useWidth"
import { sortedReasons } from "../../words/announce"
import { countText, countWords, shareIntervalText, shareText } from "../../words/format"
import css from "./Dashboard.module.css"
import { Gate } from "./Gate"

type Last = NonNullable<Dashboard["last_completed"]>

/** The experiment that was completed last: one interval per scorer, what is not scored and why, and its gate. */
export function LastCompleted({ project, last }: { project: string; last: Last }) {
  const { experiment, summary } = last
  const link = { to: "/projects/$project/experiments/$experiment", params: { project, experiment: experiment.id } } as const
  return (
    <section className={css.section} aria-labelledby="last-completed">
      <h2 id="last-completed">
        Last completed: <Link {...link}><Characters text={experiment.name} /></Link>
      </h2>
      <p className={css.facts}>
        <Time at={experiment.completed_at} />
        <span>
          {countText(summary.run_count)} of {countWords(summary.expected_run_count, "run")}
        </span>
        {summary.failed_run_count > 0 && (
          <Link {...link} search={{ error: true } as never} className={css.bad}>
            ✕ {countText(summary.failed_run_count)} failed
          </Link>
        )}
      </p>
      <div className={css.measured}>
        <Scorers project={project} experiment={experiment.id} summary={summary} />
        <Gate project={project} experiment={experiment.id} name={experiment.name} summary={summary} />
      </div>
    </section>
  )
}

function Scorers({ project, experiment, summary }: { project: string; experiment: string; summary: Summary }) {
  const [ref, width] = useWidth<HTMLDivElement>(600, 720)
  const navigate = useNavigate()
  const scorers = Object.entries(summary.scores_by_scorer)
  const open = (scorer: string) => ({
    href: `${BASE}/projects/${encodeURIComponent(project)}/experiments/${encodeURIComponent(experiment)}?scorer=${encodeURIComponent(scorer)}`,
    onOpen: () =>
      void navigate({ to: "/projects/$project/experiments/$experiment", params: { project, experiment }, search: { scorer } as never }),
  })
  const rows = scorers.filter(([, scorer]) => scorer.mean !== null || !scorer.label_shares).map(([name, scorer]) => scorerRow(name, scorer, summary, open(name)))
  const labelled = scorers.filter(([, scorer]) => scorer.label_shares)
  const missing = scorers.filter(([, scorer]) => scorer.n_scored < scorer.n_total)
  return (
    <div ref={ref} className={css.scorers}>
      {scorers.length === 0 && <p className="mute">No run has a score yet.</p>}
      {rows.length > 0 && <Forest rows={rows} noun="scorer" width={width} />}
      {labelled.map(([name, one]) => (
        <Labels key={name} project={project} experiment={experiment} name={name} scorer={one} />
      ))}
      {missing.length > 0 && (
        <ul className={css.missing} aria-label="Runs without a score">
          {missing.map(([name, one]) => (
            <Missing key={name} project={project} experiment={experiment} name={name} scorer={one} />
          ))}
        </ul>
      )}
    </div>
  )
}

interface ScorerProps {
  project: string
  experiment: string
  name: string
  scorer: ScorerSummary
}

const SHOWN_LABELS = 4

/** A scorer of labels: their shares in words, the most frequent first. */
function Labels({ project, experiment, name, scorer }: ScorerProps) {
  const shares = Object.entries(scorer.label_shares ?? {}).sort((a, b) => b[1].share - a[1].share)
  const link = { to: "/projects/$project/experiments/$experiment", params: { project, experiment } } as const
  return (
    <p className={css.labels}>
      <b>
        <Characters text={name} />
      </b>
      {shares.slice(0, SHOWN_LABELS).map(([label, { share, confidence_interval_95: ends }]) => (
        <span key={label}>
          <Link {...link} search={{ scorer: name, label } as never}>
            <Characters text={label} />
          </Link>{" "}
          {shareText(share, scorer.n_scored)} <span className="mute">({shareIntervalText(ends, scorer.n_scored)})</span>
        </span>
      ))}
      {shares.length > SHOWN_LABELS && <span className="mute">and {countWords(shares.length - SHOWN_LABELS, "more label")}</span>}
    </p>
  )
}

const SHOWN_REASONS = 3

/** How many runs a scorer left out, and each reason as a link to those runs. */
function Missing({ project, experiment, name, scorer }: ScorerProps) {
  const reasons = sortedReasons(scorer.reasons)
  const link = { to: "/projects/$project/experiments/$experiment", params: { project, experiment } } as const
  return (
    <li>
      <Characters text={name} />: {countText(scorer.n_scored)} of {countText(scorer.n_total)} scored; without score{" "}
      {reasons.slice(0, SHOWN_REASONS).map(([reason, count], at) => (
        <span key={reason}>
          {at > 0 && ", "}
          <Link {...link} search={{ scorer: name, reason } as never}>
            {countText(count)} <Characters text={reason} />
          </Link>
        </span>
      ))}
      {reasons.length > SHOWN_REASONS && ` and ${countWords(reasons.length - SHOWN_REASONS, "more reason")}`}
      {scorer.n_pending > 0 && `${reasons.length > 0 ? ", " : ""}${countText(scorer.n_pending)} pending`}
    </li>
  )
}
