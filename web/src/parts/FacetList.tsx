import type { ReactNode } from "react"
import { countText } from "../words/format"
import styles from "./FacetList.module.css"
import { Characters } from "./Text"

/** Counts to filter by, beside a list. */
export function FacetList({ children }: { children: ReactNode }) {
  return (
    <aside className={styles.facets} aria-label="Counts, to filter by">
      {children}
    </aside>
  )
}

/** One question, and its answers as choices. */
export function Facet({ head, children }: { head: string; children: ReactNode }) {
  return (
    <section className={styles.facet}>
      <h2>
        <Characters text={head} />
      </h2>
      <ul>{children}</ul>
    </section>
  )
}

/** One answer with its count; pressed, it is a filter. */
export function Choice({ label, count, on, onPress }: { label: string; count: number; on: boolean; onPress: (on: boolean) => void }) {
  return (
    <li>
      <button type="button" data-kind="plain" aria-pressed={on} onClick={() => onPress(!on)} title={label}>
        <span className={styles.value}>
          <Characters text={label} />
        </span>
        <span className="mute">{countText(count)}</span>
      </button>
    </li>
  )
}
