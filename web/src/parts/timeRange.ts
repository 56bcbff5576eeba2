// A range of time in a URL: `after=24h` is counted back from now, `after=2026-11-01T00:00Z` is fixed.
import { momentText } from "../words/time"

export const RANGES = [
  { value: "1h", label: "last hour" },
  { value: "24h", label: "last 24 h" },
  { value: "7d", label: "last 7 days" },
  { value: "30d", label: "last 30 days" },
] as const

const SECONDS = { m: 60, h: 3600, d: 86_400 }

/** The instant that a parameter means, in the form that the API reads. */
export function instantOf(value: string, now: number): string {
  const back = /^(\d+)([mhd])$/.exec(value)
  if (!back) return new Date(value).toISOString()
  // Whole minutes: the same question within a minute is the same query.
  const from = now - Number(back[1]) * SECONDS[back[2] as keyof typeof SECONDS] * 1000
  return new Date(Math.floor(from / 60_000) * 60_000).toISOString()
}

/** "last 24 h", "after 1 Nov 2026 00:00 UTC", "1 Nov 2026 00:00 UTC to 2 Nov 2026 00:00 UTC" */
export function rangeWords(after: string | undefined, before: string | undefined): string | undefined {
  if (after === undefined && before === undefined) return undefined
  const known = before === undefined ? RANGES.find((range) => range.value === after) : undefined
  if (known) return known.label
  if (before === undefined) return `after ${instantWords(after as string)}`
  if (after === undefined) return `before ${instantWords(before)}`
  return `${instantWords(after)} to ${instantWords(before)}`
}

function instantWords(value: string): string {
  if (/^\d+[mhd]$/.test(value)) return `${value} ago`
  return momentText(value)
}

/** The value of an `<input type="datetime-local">`, which has no zone; ours means UTC. */
export function toInput(value: string | undefined, now: number): string {
  return value === undefined ? "" : instantOf(value, now).slice(0, 16)
}

export function fromInput(value: string): string | undefined {
  return value === "" ? undefined : `${value}Z`
}
