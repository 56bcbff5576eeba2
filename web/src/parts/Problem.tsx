import type { Problem } from "../api/problem"
import { fieldMessage, headline, retryable } from "../api/problem"
import { Copy } from "./Copy"
import styles from "./Problem.module.css"

interface Props {
  problem: Problem
  onRetry?: (() => void) | undefined
  /** Field errors shown beside their fields already. */
  shownFields?: readonly string[]
}

/** What went wrong, in the server's words, with what is needed to ask about it. */
export function ProblemBox({ problem, onRetry, shownFields = [] }: Props) {
  const fields = problem.fields.filter((field) => !shownFields.includes(field.field))
  return (
    <div className={styles.box} role="alert">
      <strong>
        <span aria-hidden="true">✕ </span>
        {headline(problem)}
      </strong>
      <p className={styles.message}>{problem.message}</p>
      {fields.length > 0 && (
        <ul className={styles.fields}>
          {fields.slice(0, 20).map((one, index) => (
            <li key={index}>
              <code>{one.field}</code>: {one.message}
            </li>
          ))}
          {fields.length > 20 && <li>and {fields.length - 20} more</li>}
        </ul>
      )}
      <div className={styles.foot}>
        {onRetry && retryable(problem) && (
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        )}
        <span className="mute">
          {problem.code}
          {problem.requestId !== null && ` · request ${problem.requestId}`}
        </span>
        {problem.requestId !== null && <Copy text={problem.requestId} what="the request id" />}
      </div>
    </div>
  )
}

/** The message of one field of a form; give the field `aria-describedby={id}`. */
export function FieldProblem({ problem, field, id }: { problem: Problem | null; field: string; id: string }) {
  const message = fieldMessage(problem, field)
  if (message === undefined) return null
  return (
    <p id={id} role="alert" className={styles.field}>
      <span aria-hidden="true">✕ </span>
      {message}
    </p>
  )
}
