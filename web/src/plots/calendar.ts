// Ticks of a time axis, at full seconds, minutes, hours, days, weeks, months or years of UTC.
import type { Ends } from "../words/format"
import { MONTHS } from "../words/time"

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const FIXED = [
  1, 5, 15, 30, 60, 300, 900, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86_400, 2 * 86_400,
].map((seconds) => seconds * SECOND)
const MONDAY = 4 * DAY // 5 January 1970 was a Monday
const MONTH_STEPS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200]

/** At most `count` moments inside the domain, with their texts. */
export function timeTicks([low, high]: Ends, count: number): { value: number; text: string }[] {
  const most = Math.max(1, count)
  for (const step of FIXED) {
    if ((high - low) / step <= most) return named(multiples(low, high, step, 0), step)
  }
  const weeks = multiples(low, high, 7 * DAY, MONDAY)
  if ((high - low) / (7 * DAY) <= most) return named(weeks, 7 * DAY)
  for (const step of MONTH_STEPS) {
    if ((high - low) / (step * 30.4 * DAY) <= most) return months(low, high, step)
  }
  return months(low, high, Math.ceil((high - low) / (365 * DAY) / most) * 12)
}

function multiples(low: number, high: number, step: number, from: number): number[] {
  const values = []
  for (let value = Math.ceil((low - from) / step) * step + from; value <= high; value += step) values.push(value)
  return values
}

function months(low: number, high: number, step: number): { value: number; text: string }[] {
  const first = new Date(low)
  const found = []
  const start = Math.floor((first.getUTCFullYear() * 12 + first.getUTCMonth()) / step) * step
  for (let month = start; ; month += step) {
    const value = Date.UTC(Math.floor(month / 12), month % 12)
    if (!(value <= high)) return found
    const year = String(Math.floor(month / 12))
    if (value >= low) found.push({ value, text: step >= 12 ? year : `${MONTHS[month % 12]} ${year}` })
  }
}

function named(values: number[], step: number): { value: number; text: string }[] {
  return values.map((value) => ({ value, text: textOf(new Date(value), step) }))
}

function textOf(date: Date, step: number): string {
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`
  const midnight = date.getTime() % DAY === 0
  if (step >= DAY || midnight) return day
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`
  return step < MINUTE ? `${clock}:${two(date.getUTCSeconds())}` : clock
}

function two(value: number): string {
  return String(value).padStart(2, "0")
}
