import { Link } from "@tanstack/react-router"
import type { ConversationRow, WorstScore } from "../../api/conversations"
import { Cost } from "../../parts/Cost"
import type { Column } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { countText, countWords, MISSING, scoreText } from "../../words/format"
import styles from "./Conversations.module.css"

export function conversationColumns(project: string): Column<ConversationRow>[] {
  return [
    { id: "words", head: "First words", width: 200, grow: 4, cell: (row) => <FirstWords project={project} row={row} /> },
    { id: "worst", head: "Worst score", width: 170, grow: 2, title: "The lowest number that a scorer gave, and in which turn", cell: (row) => <Worst project={project} row={row} /> },
    { id: "user", head: "User", width: 110, grow: 1, cell: (row) => <User row={row} /> },
    { id: "turns", head: "Turns", width: 52, align: "end", cell: (row) => countText(row.trace_count) },
    { id: "errors", head: "Errors", width: 56, align: "end", title: "Turns with an error", cell: (row) => <Errors row={row} /> },
    { id: "cost", head: "Cost", width: 72, align: "end", cell: (row) => <Cost of={row} what="conversation" /> },
    { id: "age", head: "Age", width: 88, align: "end", title: "When its first span was received", cell: (row) => <Time at={row.created_at} short /> },
  ]
}

function FirstWords({ project, row }: { project: string; row: ConversationRow }) {
  return (
    <Link to="/projects/$project/conversations/$conversation" params={{ project, conversation: row.id }} title={`Conversation ${row.id}`} className={styles.words}>
      <Characters text={row.first_words?.trim() || row.id} />
    </Link>
  )
}

function Errors({ row }: { row: ConversationRow }) {
  if (row.error_count === 0) return <span className="mute">none</span>
  return (
    <span className={styles.bad}>
      <span aria-hidden="true">✕ </span>
      {countText(row.error_count)}
      <span className="hidden-text"> {row.error_count === 1 ? "turn" : "turns"} with an error</span>
    </span>
  )
}

/** The lowest of all scorers; the others are in the tooltip. */
function Worst({ project, row }: { project: string; row: ConversationRow }) {
  const [worst, ...others] = row.worst_scores ?? []
  if (worst === undefined) return <span title="No number was given in this conversation">{MISSING}</span>
  return (
    <span className={styles.worst} title={[worst, ...others].map(worstWords).join("\n")}>
      <Link
        to="/projects/$project/conversations/$conversation"
        params={{ project, conversation: row.id }}
        search={worst.trace_id === null ? {} : { turn: worst.trace_id }}
      >
        <b>{scoreText(worst.value)}</b> <Characters text={worst.scorer_name} />, {placeWords(worst)}
      </Link>
      {others.length > 0 && (
        <span className="mute">
          {" "}
          +{others.length}
          <span className="hidden-text"> more {others.length === 1 ? "scorer" : "scorers"}</span>
        </span>
      )}
    </span>
  )
}

function User({ row }: { row: ConversationRow }) {
  return row.user_id == null ? <span title="The first turn's root span names no user.id">{MISSING}</span> : <Characters text={row.user_id} />
}

/** `turn 3`, or `the whole`. */
export function placeWords(worst: WorstScore): string {
  return worst.turn === null ? "the whole" : `turn ${countText(worst.turn)}`
}

function worstWords(worst: WorstScore): string {
  return `${worst.scorer_name}: ${scoreText(worst.value)}, ${placeWords(worst)}`
}

/** `4 turns, 1 with an error`. */
export function turnsWords(row: ConversationRow): string {
  const failed = row.error_count === 0 ? "none with an error" : `${countText(row.error_count)} with an error`
  return `${countWords(row.trace_count, "turn")}, ${failed}`
}
