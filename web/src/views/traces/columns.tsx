import { Link } from "@tanstack/react-router"
import type { TraceRow } from "../../api/traces"
import { Cost } from "../../parts/Cost"
import type { Column } from "../../parts/Table"
import { Time } from "../../parts/Time"
import { Characters } from "../../parts/Text"
import { WriteButton } from "../../parts/WriteButton"
import { countText, durationText, MISSING, scoreText } from "../../words/format"
import styles from "./Traces.module.css"

const LONGEST_NAME = 60

interface Options {
  project: string
  /** Puts a trace into the queue, or takes it out. */
  onQueue: (row: TraceRow) => void
  /** The trace whose queue button was pressed just now. */
  busyId: string | undefined
}

export function columnsOf({ project, onQueue, busyId }: Options): Column<TraceRow>[] {
  return [
    { id: "name", head: "Name", width: 150, grow: 3, cell: (row) => <Name row={row} project={project} /> },
    { id: "spans", head: "Spans", width: 48, align: "end", cell: (row) => countText(row.span_count) },
    { id: "duration", head: "Duration", width: 72, align: "end", sort: "duration", first: "descending", cell: durationOf },
    { id: "tokens", head: "Tokens", width: 80, align: "end", sort: "tokens", first: "descending", cell: tokensOf },
    { id: "cost", head: "Cost", width: 72, align: "end", sort: "cost", first: "descending", cell: (row) => <Cost of={row} what="trace" /> },
    { id: "model", head: "Model", width: 96, grow: 1, cell: (row) => (row.model === null ? <NoModel /> : <Characters text={row.model} />) },
    { id: "scores", head: "Scores", width: 110, grow: 2, cell: (row) => <Scores row={row} /> },
    {
      id: "queue",
      head: "Queue",
      width: 80,
      cell: (row) => (
        <WriteButton kind="plain" onClick={() => onQueue(row)} busy={busyId === row.id}>
          {row.in_queue ? "● queued" : "+ add"}
          <span className="hidden-text">, {row.in_queue ? "take out of" : "put into"} the review queue</span>
        </WriteButton>
      ),
    },
    { id: "age", head: "Age", width: 80, align: "end", sort: "age", first: "descending", cell: (row) => <Time at={row.created_at} /> },
  ]
}

function Name({ row, project }: { row: TraceRow; project: string }) {
  const name = row.name ?? "no root span"
  const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name
  return (
    <span className={styles.name}>
      {row.has_error ? (
        <span className={styles.error} title="This trace has an error">
          ✕<span className="hidden-text"> error, </span>
        </span>
      ) : (
        <span className={styles.fine} aria-hidden="true" />
      )}
      <Link to="/projects/$project/traces/$trace" params={{ project, trace: row.id }} title={name}>
        <Characters text={shown} />
      </Link>
    </span>
  )
}

function durationOf(row: TraceRow) {
  return row.duration_ms === null ? (
    <span title="The root span has no end, or there is no root span">{MISSING}</span>
  ) : (
    durationText(row.duration_ms)
  )
}

function tokensOf(row: TraceRow) {
  return row.tokens === 0 ? <span title="No span says how many tokens it took">{MISSING}</span> : countText(row.tokens, "tok")
}

function NoModel() {
  return <span title="No span names a model">{MISSING}</span>
}

const SHOWN_SCORES = 2

function Scores({ row }: { row: TraceRow }) {
  const scores = row.scores ?? []
  if (scores.length === 0) return <span title="No span of this trace has a score">{MISSING}</span>
  const rest = scores.length - SHOWN_SCORES
  const all = scores.map((score) => `${score.scorer_name} ${valueOf(score)} (${score.count})`).join(", ")
  return (
    <span className={styles.scores} title={all}>
      {scores.slice(0, SHOWN_SCORES).map((score) => (
        <span key={score.scorer_name} className={styles.score}>
          <b>{valueOf(score)}</b> <Characters text={score.scorer_name} />
        </span>
      ))}
      {rest > 0 && <span className="mute">+{rest}</span>}
    </span>
  )
}

function valueOf(score: NonNullable<TraceRow["scores"]>[number]): string {
  if (score.mean !== null) return scoreText(score.mean)
  const labels = Object.entries(score.labels)
  const [first] = labels
  if (first === undefined) return MISSING
  return labels.length === 1 ? first[0] : `${first[0]} +${labels.length - 1}`
}
