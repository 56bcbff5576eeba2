// Where the parts of an interval lie, and lines as SVG paths. All of it is pure.
import type { Ends } from "../words/format"
import type { Scale } from "./scale"

/** A mean with what is known of how sure it is. */
export interface Estimate {
  mean: number | null
  /** 95 % interval. */
  interval?: Ends | null
  /** The narrower interval over the same items (`items_fixed_ci_95`), drawn as a thick segment. */
  inner?: Ends | null
  /** Where the mean could be if all missing scores were worst or best (`missing_bracket`), drawn as a hatch. */
  bracket?: Ends | null
}

/** `cap`: the interval ends here; `open`: it reaches the end of what is possible; `cut`: it goes on beyond the axis. */
export type EndKind = "cap" | "open" | "cut"

export interface IntervalShape {
  dot: number | null
  line: Ends | null
  ends: readonly [EndKind, EndKind]
  inner: Ends | null
  bracket: Ends | null
}

const SAME = 1e-9

/** Pixels of an estimate on a scale. `bounds` are the values beyond which nothing is possible. */
export function intervalShape(scale: Scale, estimate: Estimate, bounds: Ends | null = [0, 1]): IntervalShape {
  const { interval } = estimate
  const known = pair(interval)
  return {
    dot: finite(estimate.mean) && within(scale, estimate.mean) ? scale.at(estimate.mean) : null,
    line: known && [scale.inside(known[0]), scale.inside(known[1])],
    ends: known ? [endKind(scale, known[0], 0, bounds), endKind(scale, known[1], 1, bounds)] : ["cap", "cap"],
    inner: clipped(scale, estimate.inner),
    bracket: clipped(scale, estimate.bracket),
  }
}

function endKind(scale: Scale, value: number, side: 0 | 1, bounds: Ends | null): EndKind {
  const edge = scale.domain[side]
  if (side === 0 ? value < edge - SAME : value > edge + SAME) return "cut"
  return bounds && Math.abs(value - bounds[side]) < SAME ? "open" : "cap"
}

function clipped(scale: Scale, ends: Ends | null | undefined): Ends | null {
  const known = pair(ends)
  return known && [scale.inside(known[0]), scale.inside(known[1])]
}

function pair(ends: Ends | null | undefined): Ends | null {
  return ends && finite(ends[0]) && finite(ends[1]) ? ends : null
}

function finite(value: number | null | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value)
}

function within(scale: Scale, value: number): boolean {
  return value >= scale.domain[0] - SAME && value <= scale.domain[1] + SAME
}

/** Diagonal lines that fill a box, as one path: a hatch without a pattern, which would need an id. */
export function hatch(x0: number, y0: number, x1: number, y1: number, step = 5): string {
  const [left, right, top, bottom] = [Math.min(x0, x1), Math.max(x0, x1), Math.min(y0, y1), Math.max(y0, y1)]
  const height = bottom - top
  if (!(right > left) || !(height > 0)) return ""
  const parts: string[] = []
  // Each line rises to the right at 45°; it starts at the foot and is cut at the sides.
  for (let foot = Math.ceil((left - height) / step) * step; foot < right; foot += step) {
    const from = Math.max(foot, left)
    const to = Math.min(foot + height, right)
    if (to > from) parts.push(`M${px(from)} ${px(bottom - (from - foot))}L${px(to)} ${px(bottom - (to - foot))}`)
  }
  return parts.join("")
}

/** A line through points; null makes a gap. */
export function linePath(points: readonly (readonly [number, number] | null)[]): string {
  let path = ""
  let pen = false
  for (const point of points) {
    if (point) path += `${pen ? "L" : "M"}${px(point[0])} ${px(point[1])}`
    pen = point !== null
  }
  return path
}

/** The area between two lines that share their x. */
export function bandPath(points: readonly { x: number; low: number; high: number }[]): string {
  if (points.length === 0) return ""
  const there = points.map(({ x, high }) => `${px(x)} ${px(high)}`)
  const back = points.map(({ x, low }) => `${px(x)} ${px(low)}`).reverse()
  return `M${[...there, ...back].join("L")}Z`
}

/** A triangle up or down, or a diamond, around a point; `r` is half of its width. */
export function glyph(kind: "up" | "down" | "diamond", x: number, y: number, r: number): string {
  const tip = kind === "up" ? -r : r
  if (kind === "diamond") {
    return `M${px(x - r)} ${px(y)}L${px(x)} ${px(y - r)}L${px(x + r)} ${px(y)}L${px(x)} ${px(y + r)}Z`
  }
  return `M${px(x - r)} ${px(y - tip * 0.8)}L${px(x + r)} ${px(y - tip * 0.8)}L${px(x)} ${px(y + tip)}Z`
}

/** A pixel with at most two decimals; never NaN in a picture. */
export function px(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 + 0 : 0
}
