import type { Problem } from "../../api/problem"
import { ProblemBox } from "../../parts/Problem"
import styles from "./Annotate.module.css"

/** Why a review could not be saved, for readers who know nothing of requests. */
export function SaveProblem({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  const words = wordsOf(problem)
  if (words === undefined) return <ProblemBox problem={problem} onRetry={onRetry} />
  return (
    <p role="alert" className={styles.wrong}>
      ✕ {words}
    </p>
  )
}

function wordsOf({ status, message }: Problem): string | undefined {
  if (status === 404) return "This card was taken out of the queue meanwhile, so your review cannot be saved. What you wrote stays here until you leave."
  return status === 422 ? `${message.charAt(0).toUpperCase()}${message.slice(1)}.` : undefined
}
