import type { Schemas } from "../api/queries"
import { scoreText } from "../words/format"
import styles from "./ScoreItem.module.css"
import { Characters, Text } from "./Text"
import { Time } from "./Time"

/** One score in a list of scores: its name, its value, who gave it, and why. */
export function ScoreItem({ score }: { score: Schemas["Score"] }) {
  return (
    <li>
      <div className={styles.head}>
        <b>
          <Characters text={score.scorer_name} />
        </b>
        <span className={styles.value}>{typeof score.value === "number" ? scoreText(score.value) : `“${score.value}”`}</span>
        <span className="mute">
          {score.source} · <Time at={score.created_at} />
          {score.stale && <span title="Something came after it was scored"> · out of date</span>}
        </span>
      </div>
      {score.rationale && <Text text={score.rationale} />}
    </li>
  )
}
