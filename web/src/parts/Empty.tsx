import type { ReactNode } from "react"
import { Copy } from "./Copy"
import styles from "./Empty.module.css"

interface NothingProps {
  title: string
  /** What these things are, in a sentence. */
  children: ReactNode
  /** The command that makes the first one, with this server and project in it. */
  command?: string | undefined
  more?: ReactNode
}

/** Nothing there yet: what it is, and what to do next. */
export function NothingYet({ title, children, command, more }: NothingProps) {
  return (
    <div className={styles.box}>
      <h2>{title}</h2>
      <p>{children}</p>
      {command !== undefined && (
        <div className={styles.command}>
          {/* Long commands scroll, and what scrolls can be reached by keyboard. */}
          <pre tabIndex={0} aria-label="Command">
            {command}
          </pre>
          <Copy text={command} what="the command" />
        </div>
      )}
      {more}
    </div>
  )
}

export interface Removable {
  id: string
  label: string
  remove: () => void
}

/** Nothing matches the filters: which they are, and how to be rid of each. */
export function NothingMatches({ what, filters, onClear }: { what: string; filters: Removable[]; onClear: () => void }) {
  return (
    <div className={styles.box} role="status">
      <p>
        No {what} match: {filters.map((filter) => filter.label).join(", ")}.
      </p>
      <div className={styles.buttons}>
        {filters.map((filter) => (
          <button key={filter.id} type="button" onClick={filter.remove}>
            Remove {filter.label}
          </button>
        ))}
        <button type="button" onClick={onClear}>
          Clear all
        </button>
      </div>
    </div>
  )
}
