// Moments in UTC. "Now" is always given, so that the same page is the same in a test and in a screenshot.
import { MISSING } from "./format"

export type Moment = string | number | Date | null | undefined
export const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Milliseconds since 1970, or null where it is not a moment. */
export function millis(moment: Moment): number | null {
  if (moment === null || moment === undefined || moment === "") return null
  const ms = moment instanceof Date ? moment.getTime() : typeof moment === "number" ? moment : Date.parse(moment)
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? ms : null
}

/** `15 Nov 2026 06:42 UTC`; with seconds for a title. */
export function momentText(moment: Moment, seconds = false): string {
  const ms = millis(moment)
  if (ms === null) return MISSING
  const date = new Date(ms)
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`
  const exact = seconds ? `${clock}:${two(date.getUTCSeconds())}` : clock
  return `${dateText(ms)} ${exact} UTC`
}

/** `15 Nov 2026`, the day in UTC. */
export function dateText(moment: Moment): string {
  const ms = millis(moment)
  if (ms === null) return MISSING
  const date = new Date(ms)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** `3 h ago` or `in 5 min` within 7 days, else the moment itself; `short` has only its day, for a narrow column. */
export function timeText(moment: Moment, now: number, short = false): string {
  const ms = millis(moment)
  if (ms === null) return MISSING
  const age = now - ms
  const size = Math.abs(age)
  if (size >= 7 * DAY || !Number.isFinite(age)) return short ? dateText(ms) : momentText(ms)
  if (size < 5_000) return "just now"
  const amount =
    size < MINUTE
      ? `${Math.floor(size / 1000)} s`
      : size < HOUR
        ? `${Math.floor(size / MINUTE)} min`
        : size < DAY
          ? `${Math.floor(size / HOUR)} h`
          : `${Math.floor(size / DAY)} d`
  return age > 0 ? `${amount} ago` : `in ${amount}`
}

/** What `<time dateTime title>` needs besides its text. */
export function timeAttributes(moment: Moment): { dateTime: string; title: string } | null {
  const ms = millis(moment)
  return ms === null ? null : { dateTime: new Date(ms).toISOString(), title: momentText(ms, true) }
}

function two(value: number): string {
  return String(value).padStart(2, "0")
}
