import type { ComparisonPoints } from "../../api/experiments"
import { DeltaStrip } from "../../plots/DeltaStrip"
import { Scatter } from "../../plots/Scatter"
import { useWidth } from "../../plots/useWidth"
import { countText, countWords } from "../../words/format"
import styles from "./Compare.module.css"
import type { Names } from "./names"

interface Props {
  points: ComparisonPoints
  names: Names
  zoom: boolean
  onOpen: (item: string) => void
}

/** Every item as a point, and sorted by its change: few large changes, or many small ones? */
export function ItemPlots({ points, names, zoom, onOpen }: Props) {
  const [box, width] = useWidth<HTMLDivElement>(480)
  const pairs = points.dataset_item_ids.flatMap((id, at) => {
    const [base, candidate] = [points.base_scores[at], points.other_scores[at]]
    return typeof base === "number" && typeof candidate === "number" ? [{ id, base, candidate, label: `item ${at + 1}` }] : []
  })
  if (pairs.length === 0) return null
  const open = (ids: readonly string[]): void => {
    if (ids[0] !== undefined) onOpen(ids[0])
  }
  return (
    <div className={styles.plots} ref={box}>
      <Scatter size={Math.min(360, width)} items={pairs} baseName={names.base ?? "base"} candidateName={names.candidate ?? "candidate"} zoom={zoom} onOpen={open} />
      <DeltaStrip items={pairs.map(({ id, base, candidate, label }) => ({ id, label, base, candidate, delta: candidate - base }))} width={Math.min(480, width)} onOpen={open} />
      {points.truncated && <p className="mute">First {countText(points.dataset_item_ids.length)} of {countWords(points.total, "item")}.</p>}
    </div>
  )
}
