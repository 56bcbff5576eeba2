import { Link } from "@tanstack/react-router"
import { BASE } from "../../address"
import type { ExperimentRow, ScorerBrief } from "../../api/experiments"
import type { Column } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { Interval } from "../../plots/Interval"
import { countText, scoreText, shareIntervalText, shareText } from "../../words/format"
import { isSmall, methodWords, notesOf } from "../../words/methods"
import { decisionWords } from "../../words/verdicts"
import styles from "./Experiments.module.css"

const SHOWN_SCORERS = 3

/** The scorers of these rows, those with the most runs first. */
export function scorersOf(rows: readonly ExperimentRow[]): string[] {
  const counts = new Map<string, number>()
  for (const row of rows) {
    for (const scorer of row.summary?.scorers ?? []) counts.set(scorer.scorer_name, (counts.get(scorer.scorer_name) ?? 0) + scorer.n_total)
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name)
}

export function experimentColumns(project: string, scorers: readonly string[]): Column<ExperimentRow>[] {
  const shown = scorers.slice(0, SHOWN_SCORERS)
  return [
    {
      id: "name",
      head: "Name",
      width: 130,
      grow: 2,
      cell: (row) => (
        <Link to="/projects/$project/experiments/$experiment" params={{ project, experiment: row.id }} className={styles.name}>
          <Characters text={row.name} />
        </Link>
      ),
    },
    { id: "status", head: "Status", width: 76, cell: (row) => row.status },
    { id: "runs", head: "Runs", width: 92, align: "end", title: "Runs of those expected; failed ones are counted", cell: (row) => <Runs row={row} /> },
    ...shown.map((scorer): Column<ExperimentRow> => ({
      id: `scorer-${scorer}`,
      head: <Characters text={scorer} />,
      width: 148,
      cell: (row) => <ScorerCell row={row} scorer={row.summary?.scorers.find((one) => one.scorer_name === scorer)} project={project} />,
    })),
    { id: "gate", head: "Gate", width: 104, cell: (row) => <Gate row={row} /> },
    { id: "age", head: "Age", width: 84, align: "end", cell: (row) => <Time at={row.created_at} /> },
  ]
}

function Runs({ row }: { row: ExperimentRow }) {
  const failed = row.summary?.failed_run_count ?? 0
  const expected = row.summary?.expected_run_count
  return (
    <span title={failed > 0 ? `${countText(failed)} failed` : undefined}>
      {countText(row.run_count)}
      {expected !== undefined && `/${countText(expected)}`}
      {failed > 0 && <span className={styles.failed}> ✕{countText(failed)}</span>}
    </span>
  )
}

function ScorerCell({ row, scorer, project }: { row: ExperimentRow; scorer: ScorerBrief | undefined; project: string }) {
  if (scorer === undefined) return <span className="mute" title="No run of this experiment was scored by it">not scored</span>
  if (scorer.kind === "categorical" && scorer.top_label) {
    const { label, share, confidence_interval_95: ends } = scorer.top_label
    return (
      <span title={`most frequent label; ${shareIntervalText(ends, scorer.n_scored)} of ${countText(scorer.n_scored)}`}>
        {shareText(share, scorer.n_scored)} <Characters text={label} />{" "}
        <span className="mute">({shareIntervalText(ends, scorer.n_scored)})</span>
      </span>
    )
  }
  const gate = row.summary?.threshold_result
  return (
    <Interval
      name={scorer.scorer_name}
      mean={scorer.mean}
      interval={scorer.confidence_interval_95}
      small={isSmall(scorer.flags)}
      threshold={gate?.scorer_name === scorer.scorer_name && gate.metric === "mean" ? gate.threshold : null}
      scored={scorer.n_scored}
      total={scorer.n_total}
      reasons={scorer.reasons}
      pending={scorer.n_pending}
      method={methodWords(scorer.ci_method)}
      notes={notesOf(scorer.flags)}
      href={`${BASE}/projects/${encodeURIComponent(project)}/experiments/${row.id}?scorer=${encodeURIComponent(scorer.scorer_name)}`}
      showNumber
      short
      width={96}
    />
  )
}

function Gate({ row }: { row: ExperimentRow }) {
  const gate = row.summary?.threshold_result
  if (!gate) return <span className="mute" title="No gate was evaluated">–</span>
  const spoken = decisionWords(gate.actual_value === null ? null : gate.decision)
  return (
    <span data-tone={spoken.tone} className={styles.gate} title={`${gate.scorer_name} ${gate.metric}: ${scoreText(gate.actual_value)} against ${scoreText(gate.threshold)}`}>
      {spoken.shape} {spoken.word}
    </span>
  )
}
