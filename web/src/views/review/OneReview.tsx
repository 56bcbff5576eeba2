import type { Annotation } from "../../api/review"
import { Markdown } from "../../parts/Markdown"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { scoreText } from "../../words/format"
import styles from "./Annotate.module.css"
import { textOf } from "./reviewForm"
import { labelText } from "./reviewWords"

interface Props {
  annotation: Annotation
  /** With the name of who said it. */
  named?: boolean
  /** Scores that were given beside the label. */
  scores?: Annotation["scores"]
}

/** One person's review: label, notes, correction. */
export function OneReview({ annotation, named = false, scores = [] }: Props) {
  const { label, notes, correction } = annotation
  return (
    <div className={styles.review}>
      <p>
        {label !== null && (
          <b>
            <Characters text={labelText(label)} />
          </b>
        )}{" "}
        <span className="mute">
          {named && (
            <>
              <Characters text={annotation.annotator} /> ·{" "}
            </>
          )}
          <Time at={annotation.created_at} />
        </span>
      </p>
      {notes && <Markdown text={notes} below={3} />}
      {scores.map((score) => (
        <p key={score.score_id}>
          <Characters text={score.scorer_name} />: {score.value === null ? <Characters text={score.label ?? ""} /> : scoreText(score.value)}
        </p>
      ))}
      {correction !== null && correction !== undefined && (
        <details className={styles.folded}>
          <summary>Correction</summary>
          <Markdown text={textOf(correction)} below={3} />
        </details>
      )}
    </div>
  )
}
