import { Link } from "@tanstack/react-router"
import type { ToLabelTarget } from "../../api/judges"
import type { Column } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { scoreText, serverWords, shortId } from "../../words/format"

/** Runs, spans and traces can wait in the review queue; iterations and conversations cannot. */
export function mayBeQueued(target: ToLabelTarget): boolean {
  return target.target_type === "run" || target.target_type === "span"
}

export function targetColumns(project: string): Column<ToLabelTarget>[] {
  return [
    { id: "target", head: "Target", width: 120, cell: (row) => <Target project={project} row={row} /> },
    {
      id: "output", head: "What was answered", width: 180, grow: 3,
      cell: (row) => (row.excerpt ? <Characters text={row.excerpt} /> : <span className="mute">not shown</span>),
    },
    {
      id: "judge", head: "Judge said", width: 96, align: "end",
      cell: (row) => (typeof row.judge === "number" ? scoreText(row.judge) : <Characters text={row.judge} />),
    },
    { id: "group", head: "Group", width: 150, grow: 1, title: "Targets of which the judge said much the same", cell: (row) => <span title={row.stratum}><Characters text={row.stratum} /></span> },
    { id: "reason", head: "Why this one", width: 170, grow: 2, cell: (row) => <span title={row.reason}>{serverWords(row.reason ?? "")}</span> },
  ]
}

function Target({ project, row }: { project: string; row: ToLabelTarget }) {
  const words = `${row.target_type} ${shortId(row.target_id)}`
  if (row.target_type === "run" && row.experiment_id) {
    return (
      <Link to="/projects/$project/experiments/$experiment" params={{ project, experiment: row.experiment_id }} search={{ run: row.target_id } as never}>
        {words}
      </Link>
    )
  }
  if (row.target_type === "span" && row.trace_id) {
    return (
      <Link to="/projects/$project/traces/$trace" params={{ project, trace: row.trace_id }} search={{ span: row.target_id } as never}>
        {words}
      </Link>
    )
  }
  return <Characters text={words} />
}
