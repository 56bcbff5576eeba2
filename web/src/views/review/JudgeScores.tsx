import type { Card } from "../../api/review"
import { Characters, Text } from "../../parts/Text"
import { scoreText } from "../../words/format"
import styles from "./Annotate.module.css"

/** What judges and other scorers said, shown after the person has: else it would sway them. */
export function JudgeScores({ scores }: { scores: Card["scores"] }) {
  const automatic = scores.filter((score) => score.source !== "human")
  if (automatic.length === 0) return null
  return (
    <section aria-label="What automatic scorers said" className={styles.judges}>
      <h3>What automatic scorers said</h3>
      <ul>
        {automatic.map((score) => (
          <li key={score.id}>
            <b>
              <Characters text={score.scorer_name} />
            </b>{" "}
            {typeof score.value === "number" ? scoreText(score.value) : <Characters text={score.value} />}
            {score.rationale && <Text text={score.rationale} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
