import type { Ends } from "../words/format"
import css from "./marks.module.css"
import type { Scale } from "./scale"
import { type EndKind, type Estimate, hatch, intervalShape, px } from "./shapes"

export interface IntervalMarkProps {
  scale: Scale
  /** Where it lies across the scale: y of a horizontal one, x of a vertical one. */
  across: number
  estimate: Estimate
  /** Few items: the dot is hollow. */
  small?: boolean
  /** Beyond which values nothing is possible; null for differences. */
  bounds?: Ends | null
  series?: 1 | 2
  vertical?: boolean
  /** Half of the caps' length. */
  cap?: number
  radius?: number
}

/** Dot and whiskers, to stand inside an SVG: the one way in which an estimate is drawn. */
export function IntervalMark({
  scale, across, estimate, small = false, bounds = [0, 1], series = 1, vertical = false, cap = 4, radius = 3.5,
}: IntervalMarkProps) {
  const shape = intervalShape(scale, estimate, bounds)
  const point = (along: number, side: number) =>
    vertical ? `${px(across + side)} ${px(along)}` : `${px(along)} ${px(across + side)}`
  const line = (from: number, to: number) => `M${point(from, 0)}L${point(to, 0)}`
  const flip = vertical ? -1 : 1 // values grow upwards, pixels downwards
  const end = (at: number, kind: EndKind, outward: 1 | -1) => {
    const step = outward * flip
    if (kind === "cut") return `M${point(at - 3 * step, -cap)}L${point(at, 0)}L${point(at - 3 * step, cap)}`
    if (kind === "cap") return `M${point(at, -cap)}L${point(at, cap)}`
    const back = at - 2.5 * step
    return `M${point(at, -cap)}L${point(at, cap)}L${point(back, cap)}L${point(back, -cap)}Z`
  }
  const band = shape.bracket
  const reach = cap + 2
  return (
    <g className={series === 2 ? css.second : css.first}>
      {band && (
        <path
          className={css.hatch}
          d={
            vertical
              ? hatch(across - reach, band[0], across + reach, band[1])
              : hatch(band[0], across - reach, band[1], across + reach)
          }
        />
      )}
      {shape.line && <path className={css.whisker} d={line(...shape.line)} />}
      {shape.line && (
        <path className={css.cap} d={end(shape.line[0], shape.ends[0], -1) + end(shape.line[1], shape.ends[1], 1)} />
      )}
      {shape.inner && <path className={css.inner} d={line(...shape.inner)} />}
      {shape.dot !== null && (
        <circle
          className={small ? css.hollow : css.dot}
          cx={px(vertical ? across : shape.dot)}
          cy={px(vertical ? shape.dot : across)}
          r={radius}
        />
      )}
    </g>
  )
}
