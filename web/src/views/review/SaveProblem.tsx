import type { Problem } from "../../api/problem"
import { ProblemBox } from "../../parts/Problem"
import styles from "./Annotate.module.css"

/** Why a review could not be saved, for readers who know nothing of requests. */
export function SaveProblem({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  const words = wordsOf(problem)
  if (words !== undefined) return <Wrong words={words} />
  return (
    <div ref={intoSight}>
      <ProblemBox problem={problem} onRetry={onRetry} />
    </div>
  )
}

/** What is wrong with a review. It stands at its end, which may be out of sight when a key has saved it. */
export function Wrong({ words }: { words: string }) {
  return (
    <p role="alert" className={styles.wrong} ref={intoSight}>
      ✕ {words}
    </p>
  )
}

function intoSight(node: HTMLElement | null): void {
  node?.scrollIntoView({ block: "nearest" })
}

function wordsOf({ status, message }: Problem): string | undefined {
  if (status === 404) return "This card was taken out of the queue meanwhile, so your review cannot be saved. What you wrote stays here until you leave."
  return status === 422 ? `${message.charAt(0).toUpperCase()}${message.slice(1)}.` : undefined
}
