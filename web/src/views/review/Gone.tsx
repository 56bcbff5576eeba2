import { keyLabel, KEYS } from "../../keys"
import styles from "./Annotate.module.css"
import type { Moves } from "./useMoves"
import type { KnownReviewer } from "./useReviewer"

/** The address is of no card, or of one that was taken out of the queue. */
export function Gone({ reviewer, moves }: { reviewer: KnownReviewer; moves: Moves }) {
  return (
    <section className={styles.held} aria-label="No card here">
      <h1>This card is not in the queue</h1>
      <p>
        It was taken out, or the address is mistyped.
        {!reviewer.isReviewer && " A trace or a run is put in from its own page."}
      </p>
      <div className={styles.buttons}>
        <button type="button" data-kind="main" onClick={moves.next}>
          Next card <kbd>{keyLabel(KEYS["review.next"].keys[0])}</kbd>
        </button>
        <button type="button" onClick={moves.back}>
          Back to the queue
        </button>
      </div>
    </section>
  )
}
