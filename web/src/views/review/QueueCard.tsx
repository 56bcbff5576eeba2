import { Link } from "@tanstack/react-router"
import type { QueueRow } from "../../api/review"
import { dequeue } from "../../api/review"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Characters } from "../../parts/Text"
import { WriteButton } from "../../parts/WriteButton"
import { Origin } from "./Origin"
import styles from "./Queue.module.css"
import { heldText, holderOf, nameOf, reviewsText, waitingText } from "./reviewWords"
import type { KnownReviewer } from "./useReviewer"

/** One card of the queue, as readable text: enough to know what it is. */
export function QueueCard({ row, reviewer }: { row: QueueRow; reviewer: KnownReviewer }) {
  const holder = holderOf(row, reviewer.name)
  const params = { project: reviewer.project, type: row.target_type, target: row.target_id }
  return (
    <article className={styles.card}>
      <Begun name="Question" text={row.question?.text} badge={row.question?.format === "chat" ? "last message of a chat" : undefined} />
      <Begun name="Answer" text={row.answer?.text} />
      {row.reason && (
        <p className={styles.reason}>
          Why it is here: <Characters text={row.reason} />
        </p>
      )}
      <div className={styles.foot}>
        <p className="mute">
          {row.status === "pending" ? `${waitingText(row.queued_at, Date.now())} · ` : ""}
          {reviewsText(row.reviewer_count, row.reviews_wanted)}
        </p>
        <div className={styles.actions}>
          {holder !== null && <span className={styles.held}>{heldText(holder, row.claimed_until, Date.now())}</span>}
          {!reviewer.isReviewer && <Manage row={row} project={reviewer.project} />}
          <Link to="/projects/$project/review/$type/$target" params={params} className={styles.open} data-card>
            {holder !== null || row.status === "annotated" ? "Look" : "Review"}
            <span className="hidden-text">: {nameOf(row)}</span>
          </Link>
        </div>
      </div>
    </article>
  )
}

function Begun({ name, text, badge }: { name: string; text: string | undefined; badge?: string | undefined }) {
  return (
    <div className={styles.part}>
      <h2>
        {name}
        {badge !== undefined && ` · ${badge}`}
      </h2>
      {text === undefined || text.trim() === "" ? (
        <p className="mute">There is none.</p>
      ) : (
        <div className={styles.begun}>
          <Characters text={text.slice(0, 600)} />
        </div>
      )}
    </div>
  )
}

/** For those who run the project: where the card comes from, and taking it out. */
function Manage({ row, project }: { row: QueueRow; project: string }) {
  const take = useWrite(() => dequeue(project, { type: row.target_type, id: row.target_id }), {
    changes: [["review"], ["traces"]],
    onDone: () => announce("Taken out of the review queue."),
  })
  return (
    <>
      <Origin card={row} project={project} />
      <WriteButton kind="plain" busy={take.busy} refused={take.problem?.message} onClick={() => take.run(undefined)}>
        Take out<span className="hidden-text"> of the queue: {nameOf(row)}</span>
      </WriteButton>
    </>
  )
}
