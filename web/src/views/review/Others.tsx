import type { Annotation } from "../../api/review"
import { countWords } from "../../words/format"
import styles from "./Annotate.module.css"
import { OneReview } from "./OneReview"

const SHOWN = 2

/** What others said: two in sight, the rest folded; nothing before this person has spoken, where reviews are blind. */
export function Others({ annotations, isHidden, count }: { annotations: Annotation[]; isHidden: boolean; count: number }) {
  if (isHidden) {
    if (count === 0) return null
    return <p className="mute">{countWords(count, "earlier review")}: shown once you have saved yours, so that it is your own.</p>
  }
  if (annotations.length === 0) return null
  const rest = annotations.slice(SHOWN)
  return (
    <section className={styles.others} aria-label="Earlier reviews">
      <h2>Earlier reviews</h2>
      {annotations.slice(0, SHOWN).map((one) => (
        <OneReview key={one.id} annotation={one} named />
      ))}
      {rest.length > 0 && (
        <details className={styles.folded}>
          <summary>{countWords(rest.length, "more review")}</summary>
          {rest.map((one) => (
            <OneReview key={one.id} annotation={one} named />
          ))}
        </details>
      )}
    </section>
  )
}
