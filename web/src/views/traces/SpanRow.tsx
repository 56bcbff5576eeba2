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
      <span className={styles.duration}>{durationText(node.duration)}</span>
    </span>
  )
}

/** What a screen reader says of a row: "llm.chat, 1.2s, error, 2 scores". */
export function describeSpan(node: SpanNode): string {
  const parts = [node.name, node.duration === null ? "end not known" : durationText(node.duration)]
  if (node.hasError) parts.push("error")
  if (node.scores > 0) parts.push(countWords(node.scores, "score"))
  return parts.join(", ")
}
