import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { SERVER } from "../../address"
import { countsQuery } from "../../api/review"
import { NothingYet } from "../../parts/Empty"
import { Characters } from "../../parts/Text"
import { countWords } from "../../words/format"
import styles from "./Queue.module.css"
import type { KnownReviewer } from "./useReviewer"
import { callerOf } from "./useReviewer"

interface Props {
  reviewer: KnownReviewer
  show: "mine" | "done" | undefined
  find: string | undefined
  onClear: () => void
}

/** Why the list is empty, and what to do next. */
export function Empty({ reviewer, show, find, onClear }: Props) {
  const { data: counts } = useQuery(countsQuery(callerOf(reviewer)))
  if (find !== undefined) {
    return (
      <div className={styles.empty} role="status">
        <p>
          No card here has “<Characters text={find} />” in its question or its answer.
        </p>
        <button type="button" onClick={onClear}>
          Show all cards
        </button>
      </div>
    )
  }
  if (show === "mine") return <p className={styles.empty}>You have not reviewed a card yet.</p>
  if (show === "done") return <p className={styles.empty}>No card has all its reviews yet.</p>
  const reviewed = counts?.mine ?? 0
  if (reviewed > 0) {
    return (
      <div className={styles.empty} role="status">
        <h2>All done. Thank you!</h2>
        <p>You have reviewed {countWords(reviewed, "card")}. New ones appear here by themselves when you come back.</p>
      </div>
    )
  }
  if (reviewer.isReviewer) {
    return (
      <div className={styles.empty} role="status">
        <h2>Nothing waits for you</h2>
        <p>There is no question to review at the moment. Come back later: your link keeps you logged in.</p>
      </div>
    )
  }
  const { project } = reviewer
  return (
    <NothingYet
      title="Nothing waits for review"
      command={`curl -X POST "${SERVER}/v1/traces/TRACE/queue?project_id=${project}" -H "Authorization: Bearer $GNOMON_API_KEY"`}
    >
      The queue holds traces and runs that a person should judge. Put one in from{" "}
      <Link to="/projects/$project/traces" params={{ project }}>
        the traces
      </Link>
      , from a run of{" "}
      <Link to="/projects/$project/experiments" params={{ project }}>
        an experiment
      </Link>
      , or by this command, and invite reviewers in the{" "}
      <Link to="/projects/$project/settings" params={{ project }} search={{ tab: "keys" }}>
        settings
      </Link>
      .
    </NothingYet>
  )
}
