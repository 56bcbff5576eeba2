import { Link } from "@tanstack/react-router"
import type { Target } from "../../api/review"
import { keyLabel, KEYS, useKeys } from "../../keys"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import styles from "./Queue.module.css"
import { labelText } from "./reviewWords"
import { changeSitting, sameTarget, useSitting } from "./sitting"
import type { KnownReviewer } from "./useReviewer"
import { callerOf } from "./useReviewer"
import { useUndo } from "./useUndo"

/** What was saved last, with a way back; and why the reader is where they are. */
export function SavedBar({ reviewer, here }: { reviewer: KnownReviewer; here?: Target }) {
  const { saved, notice } = useSitting()
  const undo = useUndo(callerOf(reviewer))
  // On a card its form has the key, which first takes back a label that is chosen.
  useKeys({ "review.undo": () => saved && undo.run(saved) }, { on: saved !== undefined && here === undefined })
  return (
    <>
      {saved && !sameTarget(saved.target, here) && (
        <div className={styles.bar} role="status">
          <p>
            ✓ Saved{saved.label !== undefined && <b> {<Characters text={labelText(saved.label)} />}</b>} for “<Characters text={saved.name} />”.
          </p>
          <Link
            to="/projects/$project/review/$type/$target"
            params={{ project: reviewer.project, type: saved.target.type, target: saved.target.id }}
          >
            See it
          </Link>
          <button type="button" disabled={undo.busy} onClick={() => undo.run(saved)}>
            Undo <kbd>{keyLabel(KEYS["review.undo"].keys[0])}</kbd>
          </button>
        </div>
      )}
      {undo.problem && <ProblemBox problem={undo.problem} onRetry={undo.retry} />}
      {notice !== undefined && (
        <div className={`${styles.bar} ${styles.notice}`} role="status">
          <p>{notice}</p>
          <button type="button" data-kind="plain" onClick={() => changeSitting({ notice: undefined })}>
            Close
          </button>
        </div>
      )}
    </>
  )
}
