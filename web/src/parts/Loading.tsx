import { useEffect, useState } from "react"
import styles from "./Loading.module.css"

const QUIET_MS = 150
const LONG_MS = 10_000

/** How long something has been waited for: nothing is shown at first, and after 10 s a way out. */
function useWaiting(): "quiet" | "waiting" | "long" {
  const [state, setState] = useState<"quiet" | "waiting" | "long">("quiet")
  useEffect(() => {
    const soon = setTimeout(() => setState("waiting"), QUIET_MS)
    const late = setTimeout(() => setState("long"), LONG_MS)
    return () => {
      clearTimeout(soon)
      clearTimeout(late)
    }
  }, [])
  return state
}

interface Props {
  /** What is loaded: "the traces". */
  what: string
  /** Rows of the final height, so that nothing jumps. */
  rows?: number
  rowHeight?: number
  onCancel?: (() => void) | undefined
}

export function Loading({ what, rows = 3, rowHeight = 32, onCancel }: Props) {
  const state = useWaiting()
  return (
    <div aria-busy="true" style={{ minHeight: rows * rowHeight }}>
      {state !== "quiet" && (
        <>
          <p className={state === "long" ? styles.words : "hidden-text"} role="status">
            {state === "long" ? "Still working…" : `Loading ${what}…`}
            {state === "long" && onCancel && (
              <button type="button" onClick={onCancel}>
                Cancel
              </button>
            )}
          </p>
          {Array.from({ length: rows }, (_, index) => (
            <div key={index} className={styles.row} style={{ height: rowHeight }} aria-hidden="true">
              <span style={{ width: `${60 + ((index * 37) % 35)}%` }} />
            </div>
          ))}
        </>
      )}
    </div>
  )
}
