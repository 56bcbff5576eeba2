// Where a span lies in the row of a waterfall. All of it is pure.
import type { Ends } from "../words/format"
import { px } from "./shapes"

export interface SpanPlace {
  start: number
  duration: number | null
  total: number
  children: readonly Ends[]
  width: number
  log: boolean
  scores: number
}

export interface SpanShape {
  bar: Ends
  /** Parts of the bar in which no child ran. */
  own: Ends[]
  /** Its end is not known. */
  open: boolean
  /** Middle of the error's cross. */
  cross: number
  /** Middles of the scores' dots. */
  dots: number[]
}

const LEAST = 2 // pixels, so that the shortest span is seen
const CROSS = 12
const DOT = 7
const MOST_DOTS = 4

/** Pixels of one span; everything lies within the row. */
export function spanGeometry({ start, duration, total, children, width, log, scores }: SpanPlace): SpanShape {
  const dots = Math.min(MOST_DOTS, Math.max(0, scores))
  const room = Math.max(LEAST, width - CROSS - dots * DOT)
  const at = (ms: number) => px(Math.min(room, Math.max(0, share(ms, total, log) * room)))
  const from = Math.max(0, finite(start))
  const to = duration === null ? Math.max(from, finite(total)) : from + Math.max(0, finite(duration))
  const left = Math.min(at(from), room - LEAST)
  const bar: Ends = [left, Math.max(at(to), left + LEAST)]
  const own = ownParts(from, to, children).map(
    ([low, high]): Ends => [Math.max(left, at(low)), Math.max(at(high), at(low))]
  )
  return {
    bar,
    own: children.length === 0 ? [bar] : own.filter(([low, high]) => high - low > 0.3),
    open: duration === null,
    cross: px(bar[1] + CROSS / 2 + 1),
    dots: Array.from({ length: dots }, (_, index) => px(width - DOT * (dots - index) + DOT / 2)),
  }
}

/** Parts of [from, to] that no child covers; children may overlap, and may reach beyond their parent. */
export function ownParts(from: number, to: number, children: readonly Ends[]): Ends[] {
  const parts: Ends[] = []
  let done = from
  for (const [low, high] of [...children].sort((a, b) => a[0] - b[0])) {
    if (low > done) parts.push([done, Math.min(low, to)])
    done = Math.max(done, high)
    if (done >= to) break
  }
  if (done < to) parts.push([done, to])
  return parts.filter(([low, high]) => high > low)
}

/** How far along a trace a moment is, from 0 to 1; by logarithm each factor of ten takes the same room. */
export function share(ms: number, total: number, log: boolean): number {
  if (!(total > 0) || !Number.isFinite(ms)) return 0
  return log ? Math.log10(1 + Math.max(0, ms)) / Math.log10(1 + total) : ms / total
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0
}
