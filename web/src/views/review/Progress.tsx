import type { QueueCounts } from "../../api/review"
import { countText } from "../../words/format"
import styles from "./Queue.module.css"
import { progressText } from "./reviewWords"

/** How far this person is: "12 of 15 waiting". */
export function Progress({ counts }: { counts: QueueCounts }) {
  const { left_for_me: left, mine } = counts
  const total = left + mine
  return (
    <p className={styles.progress}>
      <span data-progress>{progressText(left, mine)}</span>
      {total > 0 && <progress value={mine} max={total} aria-label={`${countText(mine)} of ${countText(total)} reviewed by you`} />}
    </p>
  )
}
