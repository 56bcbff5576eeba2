import type { GroupMean, IterationComparison } from "../../api/iterations"
import { Forest, type ForestRow } from "../../plots/Forest"
import { PairedDelta } from "../../plots/PairedDelta"
import { useWidth } from "../../plots/useWidth"
import { countWords, deltaIntervalText, deltaText, scoreText, serverWords } from "../../words/format"
import { methodWords, notesOf } from "../../words/methods"
import { signalName } from "./groupQuestion"
import styles from "./IterationGroups.module.css"

/** The differences with their intervals, and below them both groups' means. */
export function GroupPlots({ shown, effect }: { shown: IterationComparison; effect: number | null }) {
  const [box, width] = useWidth<HTMLDivElement>(860)
  const [total] = shown.scorer_comparisons
  const axis = { name: `${shown.compare.name} − ${shown.base.name}`, worse: "worse", better: "better", noun: "scorer", counted: `${shown.cluster_by}s` }
  const known = shown.scorer_comparisons.filter((row) => row.delta !== null)
  if (!total || known.length === 0) return null
  return (
    <div ref={box} className={styles.part}>
      <PairedDelta
        axis={axis} keepOrder minEffect={effect} width={width} caption={`${signalName(total.scorer_name)}: ${serverWords(total.words)}`}
        rows={known.map((row) => ({
          id: row.scorer_name, name: signalName(row.scorer_name), verdict: row.verdict, delta: row.delta, interval: row.delta_ci_95,
          words: `${deltaText(row.delta)} (${row.delta_ci_95 ? deltaIntervalText(row.delta_ci_95) : "no interval"})`,
          p: row.p_value_adjusted, rawP: row.p_value, pairs: row.base.clusters + row.compare.clusters, method: methodWords(row.ci_method),
          notes: notesOf(row.flags), small: row.flags.includes("few_clusters"),
        }))}
      />
      <h2>Means of both groups</h2>
      <Forest
        width={width} noun="mean"
        caption={`total: ${shown.base.name} ${scoreText(total.base.mean)}, ${shown.compare.name} ${scoreText(total.compare.mean)}`}
        rows={shown.scorer_comparisons.flatMap((row) => [
          meanRow(row.scorer_name, shown.base.name, row.base, shown.cluster_by, 1),
          meanRow(row.scorer_name, shown.compare.name, row.compare, shown.cluster_by, 2),
        ])}
      />
    </div>
  )
}

function meanRow(scorer: string, group: string, mean: GroupMean, cluster: string, series: 1 | 2): ForestRow {
  return {
    id: `${scorer} ${series}`, name: `${signalName(scorer)} · ${group}`, mean: mean.mean, interval: mean.confidence_interval_95, series,
    scored: mean.n, total: mean.n + mean.n_absent, reasons: mean.mean === null ? { [mean.n_absent === 1 ? "iteration without one" : "iterations without one"]: mean.n_absent } : {},
    small: mean.clusters < 15, method: `over ${countWords(mean.clusters, cluster)}`,
  }
}
