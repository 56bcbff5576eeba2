// From values to pixels, and which values an axis names. All of it is pure.
import { ticks as niceTicks } from "d3-array"
import { type Ends, fixed } from "../words/format"
import { timeTicks } from "./calendar"

export interface Tick {
  value: number
  at: number
  text: string
}

export interface Scale {
  kind: "linear" | "log" | "time"
  domain: Ends
  range: Ends
  /** Pixel of a value; values outside the domain lie outside the range. */
  at: (value: number) => number
  /** Pixel of a value, kept inside the range. */
  inside: (value: number) => number
  /** Value at a pixel, kept inside the domain. */
  invert: (pixel: number) => number
  ticks: Tick[]
}


/** Equal steps. A domain of one point is widened, so that nothing is divided by zero. */
export function linear(domain: Ends, range: Ends, count = 5, text: (value: number) => string = decimal): Scale {
  const ends = widened(domain)
  const scale = between("linear", ends, range, (value) => value, (value) => value)
  scale.ticks = niceTicks(ends[0], ends[1], count).map((value) => ({ value, at: scale.at(value), text: text(value) }))
  return scale
}

/** The axis of scores: 0 to 1 always, or with `zoom` what the values take, in steps of 0.05. */
export function scoreScale(values: Iterable<number | null | undefined>, range: Ends, zoom = false, count = 5): Scale {
  return linear(scoreDomain(values, zoom), range, count)
}

/** The ends of a score axis: never cut below 0 or above 1 unless a value lies there. */
export function scoreDomain(values: Iterable<number | null | undefined>, zoom = false): Ends {
  const [low, high] = extent(values) ?? [0, 1]
  if (!zoom) return [Math.min(0, low), Math.max(1, high)]
  const step = 0.05
  const floor = Math.floor((low + 1e-9) / step) * step
  const ceiling = Math.ceil((high - 1e-9) / step) * step
  const ends: Ends = ceiling - floor < step / 2 ? [floor - step, ceiling + step] : [floor, ceiling]
  return [round(Math.max(ends[0], Math.min(0, low))), round(Math.min(ends[1], Math.max(1, high)))]
}

/** An axis of differences: as far to the left as to the right of 0, at least ± `least`. */
export function symmetric(values: Iterable<number | null | undefined>, range: Ends, least = 0.1, count = 5): Scale {
  const reach = reachOf(values, least)
  return linear([-reach, reach], range, count, (value) => signed(value))
}

/** How far a symmetric axis reaches, rounded up to a step that reads well. */
export function reachOf(values: Iterable<number | null | undefined>, least = 0.1): number {
  const [low, high] = extent(values) ?? [0, 0]
  const wanted = Math.max(least, Math.abs(low), Math.abs(high))
  const step = wanted <= 0.5 ? 0.05 : wanted <= 2 ? 0.1 : 10 ** Math.floor(Math.log10(wanted))
  return round(Math.ceil(wanted / step - 1e-9) * step)
}

/** Decades as ticks; when there are fewer than two of them, 2 and 5 times them as well. */
export function log10(domain: Ends, range: Ends, text: (value: number) => string = decimal): Scale {
  const low = Math.max(domain[0], Number.MIN_VALUE)
  const ends: Ends = domain[1] > low ? [low, domain[1]] : [low / 2, low * 2]
  const scale = between("log", ends, range, Math.log10, (value) => 10 ** value)
  const decades = []
  for (let power = Math.floor(Math.log10(ends[0])); power <= Math.ceil(Math.log10(ends[1])); power += 1) {
    decades.push(10 ** power)
  }
  const inside = (value: number) => value >= ends[0] * (1 - 1e-9) && value <= ends[1] * (1 + 1e-9)
  const whole = decades.filter(inside)
  const values = whole.length >= 2 ? whole : decades.flatMap((decade) => [decade, 2 * decade, 5 * decade]).filter(inside)
  scale.ticks = values.map((value) => ({ value, at: scale.at(value), text: text(value) }))
  return scale
}

/** Time in UTC; ticks stand at calendar units. */
export function timeScale(domain: Ends, range: Ends, count = 4): Scale {
  const ends: Ends = domain[1] > domain[0] ? domain : [domain[0] - 43_200_000, domain[0] + 43_200_000]
  const scale = between("time", ends, range, (value) => value, (value) => value)
  scale.ticks = timeTicks(ends, count).map(({ value, text }) => ({ value, at: scale.at(value), text }))
  return scale
}

/** The words that say that an axis does not run from 0 to 1, or null when it does. */
export function axisWords(domain: Ends): string | null {
  return domain[0] === 0 && domain[1] === 1 ? null : `axis ${fixed(domain[0], 2)}–${fixed(domain[1], 2)}`
}

/** Smallest and largest of the numbers, without what is none; null when there are none. */
export function extent(values: Iterable<number | null | undefined>): Ends | null {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value === null || value === undefined || !Number.isFinite(value)) continue
    if (value < low) low = value
    if (value > high) high = value
  }
  return low <= high ? [low, high] : null
}

/** At most as many ticks as have room for their texts; the first is kept. */
export function sparse(ticks: readonly Tick[], gap: number): Tick[] {
  const kept: Tick[] = []
  for (const tick of ticks) {
    const last = kept.at(-1)
    if (!last || Math.abs(tick.at - last.at) >= gap) kept.push(tick)
  }
  return kept
}

function between(
  kind: Scale["kind"], domain: Ends, range: Ends, into: (value: number) => number, back: (value: number) => number,
): Scale {
  const [low, high] = [into(domain[0]), into(domain[1])]
  const [left, right] = [Math.min(...range), Math.max(...range)]
  const at = (value: number) => range[0] + ((into(value) - low) / (high - low)) * (range[1] - range[0])
  const inside = (value: number) => {
    const pixel = at(value)
    return Number.isNaN(pixel) ? range[0] : Math.min(right, Math.max(left, pixel))
  }
  const invert = (pixel: number) => {
    const share = Math.min(1, Math.max(0, (pixel - range[0]) / (range[1] - range[0] || 1)))
    return back(low + share * (high - low))
  }
  return { kind, domain, range, at, inside, invert, ticks: [] }
}

function widened([low, high]: Ends): Ends {
  if (high > low) return [low, high]
  const reach = Math.max(Math.abs(low) * 0.1, 0.05)
  return [low - reach, low + reach]
}

function decimal(value: number): string {
  return fixed(value, Math.abs(value) >= 10 ? 0 : countDecimals(value))
}

function signed(value: number): string {
  return value > 0 ? `+${decimal(value)}` : decimal(value)
}

function countDecimals(value: number): number {
  const text = String(round(Math.abs(value)))
  return text.includes(".") ? Math.min(4, text.length - text.indexOf(".") - 1) : 0
}

function round(value: number): number {
  return Math.round(value * 1e9) / 1e9
}
