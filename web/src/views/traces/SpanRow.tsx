import { Characters } from "../../parts/Text"
import { SpanBar } from "../../plots/SpanBar"
import { countWords, durationText } from "../../words/format"
import type { SpanNode } from "./spanTree"
import styles from "./Trace.module.css"

const LONGEST_NAME = 120
const BAR = 180

export function SpanRow({ node, total, log }: { node: SpanNode; total: number; log: boolean }) {
  const name = node.name.length > LONGEST_NAME ? `${node.name.slice(0, LONGEST_NAME)}…` : node.name
  return (
    <span className={styles.row}>
      <span className={node.hasError ? styles.failed : styles.spanName} title={node.name}>
        {node.hasError && <span aria-hidden="true">✕ </span>}
        <Characters text={name} />
      </span>
      <span className={styles.bar}>
        <SpanBar
          start={node.start}
          duration={node.duration}
          total={total}
          children={node.children}
          error={node.hasError}
          scores={node.scores}
          width={BAR}
          log={log}
        />
      </span>
      <span className={styles.duration}>
        {durationText(node.duration)}
        {/* A screen reader hears what the bar shows. */}
        {node.hasError && <span className="hidden-text">, error</span>}
        {node.scores > 0 && <span className="hidden-text">, {countWords(node.scores, "score")}</span>}
      </span>
    </span>
  )
}
