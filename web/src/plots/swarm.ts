// Where single scores lie: stacked dots that never cover each other, or bins. All of it is pure and the same each time.
import { bin } from "d3-array"
import type { Ends } from "../words/format"
import type { Scale } from "./scale"
import { px } from "./shapes"

export interface RawScore {
  id: string
  value: number
}

export interface Placed {
  id: string
  x: number
  y: number
}

export const MOST_DOTS = 400
export const DOT = 4 // pixels from one dot to the next

/** A number made of an id, so that the order of equal values does not depend on how they came. */
export function hash(id: string): number {
  let value = 2_166_136_261
  for (let place = 0; place < id.length; place += 1) {
    value = Math.imul(value ^ id.charCodeAt(place), 16_777_619)
  }
  return value >>> 0
}

/**
 * Dots at their exact value, each on the lowest level that is free there. Null where they do not fit between
 * `foot` and `top`, or are too many: then bins are drawn.
 */
export function swarm(scores: readonly RawScore[], scale: Scale, foot: number, top: number): Placed[] | null {
  if (scores.length > MOST_DOTS) return null
  const levels: number[] = [] // the last x on each level
  const most = Math.floor((foot - top) / DOT)
  const placed: Placed[] = []
  const points = scores
    .map(({ id, value }) => ({ id, x: px(scale.inside(value)), order: hash(id) }))
    .sort((a, b) => a.x - b.x || a.order - b.order || (a.id < b.id ? -1 : 1))
  for (const { id, x } of points) {
    const free = levels.findIndex((last) => x - last >= DOT)
    const level = free < 0 ? levels.length : free
    if (level >= most) return null
    levels[level] = x
    placed.push({ id, x, y: px(foot - DOT / 2 - level * DOT) })
  }
  return placed
}

/** How high the stacks are, in pixels. */
export function swarmHeight(dots: readonly Placed[], foot: number): number {
  return dots.reduce((highest, dot) => Math.max(highest, foot - dot.y + DOT / 2), 0)
}

export interface Bin {
  /** Ends of the bin on the axis; the last one holds its upper end. */
  low: number
  high: number
  count: number
  /** Smallest and largest score in it: what a filter must ask for, both included. */
  range: Ends
}

/** Bins of one width over the whole axis. */
export function binned(values: readonly number[], domain: Ends, count = 20): Bin[] {
  const edges = Array.from({ length: count + 1 }, (_, index) => edge(domain, index / count))
  const inside = values.filter((value) => value >= domain[0] && value <= domain[1])
  return bin().domain([domain[0], domain[1]]).thresholds(edges.slice(1, -1))(inside).map((part, index) => {
    const [low, high] = [edges[index] ?? domain[0], edges[index + 1] ?? domain[1]]
    const sorted = [...part].sort((a, b) => a - b)
    return { low, high, count: part.length, range: [sorted[0] ?? low, sorted.at(-1) ?? high] }
  })
}

/** Rounded, so that 0.7 lies in the bin that begins with 0.7. */
function edge([low, high]: Ends, share: number): number {
  return Math.round((low + (high - low) * share) * 1e9) / 1e9
}

/** One short line per pixel in which a score lies. */
export function rug(values: readonly number[], scale: Scale, at: number, height: number): string {
  const columns = new Set(values.map((value) => Math.round(scale.inside(value))))
  return [...columns].sort((a, b) => a - b).map((x) => `M${x} ${at}v${height}`).join("")
}

export interface Segment {
  reason: string
  count: number
  top: number
  bottom: number
}

/** Runs without a score, one segment per reason, the first on top; `perRun` pixels each, at most up to `top`. */
export function missingBlock(
  reasons: readonly (readonly [string, number])[], perRun: number, foot: number, top: number,
): Segment[] {
  const total = reasons.reduce((sum, [, count]) => sum + count, 0)
  const unit = total > 0 ? Math.min(perRun, (foot - top) / total) : 0
  let bottom = foot
  const segments = [...reasons].reverse().map(([reason, count]) => {
    const segment = { reason, count, bottom, top: bottom - Math.max(2, count * unit) }
    bottom = segment.top
    return segment
  })
  return segments.reverse()
}
