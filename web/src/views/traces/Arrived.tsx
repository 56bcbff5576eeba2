import { countText } from "../../words/format"
import styles from "./Traces.module.css"

/** Says that traces have arrived, and shows them when the reader wants to. The line is always there, so that nothing moves. */
export function Arrived({ count, all, onShow }: { count: number; all: boolean; onShow: () => void }) {
  return (
    <div className={styles.arrived} role="status" aria-live="polite">
      {count > 0 && (
        <button type="button" data-kind="link" onClick={onShow}>
          {countText(count)}
          {all ? " or more" : ""} new {count === 1 && !all ? "trace" : "traces"} · show
        </button>
      )}
    </div>
  )
}
