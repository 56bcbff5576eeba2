import { SideAxis } from "./Axis"
import css from "./marks.module.css"
import type { Scale } from "./scale"
import { px } from "./shapes"
import { type Bin, rug } from "./swarm"

export interface HistogramProps {
  bins: readonly Bin[]
  /** All scores, for the rug. */
  values: readonly number[]
  scale: Scale
  /** Counts, from 0. */
  counts: Scale
}

/** Bars of counts with a rug below, to stand inside an SVG. */
export function Histogram({ bins, values, scale, counts }: HistogramProps) {
  const foot = counts.range[0]
  return (
    <g>
      {bins.map((bin) => {
        const [left, right, top] = [scale.at(bin.low), scale.at(bin.high), counts.at(bin.count)]
        return bin.count > 0 && (
          <rect
            key={bin.low} className={css.bar} x={px(left + 0.5)} width={px(Math.max(0.5, right - left - 1))} y={px(top)}
            height={px(foot - top)}
          />
        )
      })}
      <SideAxis scale={counts} at={scale.range[0]} />
      <path className={css.trace} d={rug(values, scale, foot + 1, 4)} />
    </g>
  )
}
