import type { ReactNode } from "react"
import styles from "./Head.module.css"

interface Props {
  title: ReactNode
  /** What is said of it in a line: time, counts, status. */
  about?: ReactNode
  /** Buttons at the end of the line. */
  actions?: ReactNode
}

/** The head of a view: its name, a line about it, and what can be done. */
export function Head({ title, about, actions }: Props) {
  return (
    <div className={styles.head}>
      <div className={styles.words}>
        <h1>{title}</h1>
        {about !== undefined && <div className="mute">{about}</div>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
