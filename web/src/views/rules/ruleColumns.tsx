import { Link } from "@tanstack/react-router"
import type { Rule } from "../../api/rules"
import type { Column } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { WriteButton } from "../../parts/WriteButton"
import { rateText } from "./ruleForm"
import styles from "./Rules.module.css"
import { filterText, scorerKind, TARGETS } from "./ruleWords"
import { Switch } from "./Switch"

interface Options {
  project: string
  /** The rule that is being switched. */
  busyId: string | undefined
  onToggle: (row: Rule) => void
  onDelete: (row: Rule) => void
}

export function ruleColumns({ project, busyId, onToggle, onDelete }: Options): Column<Rule>[] {
  return [
    {
      id: "name",
      head: "Name",
      width: 150,
      grow: 2,
      cell: (row) => (
        <Link to="/projects/$project/rules" params={{ project }} search={{ rule: row.id }} className={styles.name}>
          <Characters text={row.name} />
        </Link>
      ),
    },
    {
      id: "on",
      head: "On",
      width: 72,
      cell: (row) => <Switch on={row.enabled} what={`The rule ${row.name}`} busy={row.id === busyId} onChange={() => onToggle(row)} />,
    },
    { id: "target", head: "Scores", width: 96, cell: (row) => TARGETS[row.target].many },
    { id: "filter", head: "That match", width: 180, grow: 3, cell: (row) => <Filter row={row} /> },
    { id: "scorer", head: "Scorer", width: 150, grow: 2, cell: (row) => <Scorer row={row} project={project} /> },
    { id: "rate", head: "Share", width: 64, align: "end", title: "Share of what matches that is scored", cell: (row) => `${rateText(row.sampling_rate)}\u00a0%` },
    { id: "changed", head: "Changed", width: 90, cell: (row) => <Time at={row.updated_at} /> },
    {
      id: "delete",
      head: <span className="hidden-text">Delete</span>,
      width: 70,
      cell: (row) => (
        <span className={styles.act}>
          <WriteButton onClick={() => onDelete(row)}>
            Delete<span className="hidden-text"> the rule {row.name}</span>
          </WriteButton>
        </span>
      ),
    },
  ]
}

function Filter({ row }: { row: Rule }) {
  const words = filterText(row.filter)
  return (
    <span title={words}>
      <Characters text={words} />
    </span>
  )
}

/** The score's name leads to the traces that have it. */
function Scorer({ row, project }: { row: Rule; project: string }) {
  const kind = scorerKind(row)
  return (
    <>
      <Link to="/projects/$project/traces" params={{ project }} search={{ scorer: row.scorer.scorer_name }} title="Traces with this score">
        <Characters text={row.scorer.scorer_name} />
      </Link>
      {kind !== row.scorer.scorer_name && <span className="mute"> {kind}</span>}
    </>
  )
}
