// Iterations of coding agents in words: bands, evidence, claims. All of it is pure.
import { countWords, intervalWords, scoreText, shareText, type Ends } from "./format"
import { MONTHS } from "./time"
import type { Tone } from "./verdicts"

/** A number that is the moment at which a session began, as `261118210455`: two digits each for year, month, day and clock. */
const MOMENT = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/

/** What an iteration is called: its number, or where that is a moment "18 Nov 21:04" (UTC). */
export function iterationName(number: number): string {
  const [, year, month, day, hour, minute, second] = MOMENT.exec(String(number)) ?? []
  const written = `20${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`
  const moment = new Date(written)
  if (Number.isNaN(moment.getTime()) || moment.toISOString() !== written) return String(number)
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${hour}:${minute}`
}

export type BandShape = "diamond" | "disc" | "square" | "triangle" | "ring"

interface BandWords {
  kind: BandShape
  /** The same shape as a character, for a table. */
  shape: string
  tone: Tone
}

const BANDS: Readonly<Record<string, BandWords>> = {
  excellent: { kind: "diamond", shape: "◆", tone: "good" },
  good: { kind: "disc", shape: "●", tone: "good" },
  fair: { kind: "square", shape: "■", tone: "unsure" },
  poor: { kind: "triangle", shape: "▼", tone: "bad" },
  unscored: { kind: "ring", shape: "○", tone: "mute" },
}

/** How a band is drawn; those of other rubrics are discs. */
export function bandWords(band: string): BandWords {
  return (Object.hasOwn(BANDS, band) ? BANDS[band] : undefined) ?? { kind: "disc", shape: "●", tone: "mute" }
}

/** Bands from the best to the worst; those of other rubrics stand before what has no score. */
export function inBandOrder<T extends { value: string }>(bands: readonly T[]): T[] {
  const known = Object.keys(BANDS)
  const place = (band: string): number => (known.includes(band) ? known.indexOf(band) : known.indexOf("unscored") - 0.5)
  return [...bands].sort((a, b) => place(a.value) - place(b.value))
}

export interface PointWords {
  iteration: number
  value: number | null
  band: string
  coverage: number
  provisional: boolean
  why_provisional?: string | null
}

/** "0.702, good, on 81 % of the evidence", and why it is not a verdict where it is none. */
export function valueSentence(point: PointWords): string {
  const evidence = evidenceSentence(point)
  return point.value === null ? evidence : `${scoreText(point.value)}, ${point.band}, ${evidence}`
}

/** "on 81 % of the evidence; provisional: git does not say what became of the work". */
export function evidenceSentence(point: PointWords): string {
  if (point.value === null) return "not scored: no signal had evidence"
  const share = `on ${shareText(point.coverage)} of the evidence`
  return point.provisional ? `${share}; provisional: ${point.why_provisional ?? "no verdict yet"}` : share
}

export interface SessionWords {
  session_id: string
  value: number | null
  confidence_interval_95: Ends | null
  ci_reason: string | null
}

/** "78 iterations in 26 sessions; last 0.963 excellent, provisional; session-26 0.756 (0.362 to 1.000)". */
export function valuesSentence(points: readonly PointWords[], sessions: readonly SessionWords[]): string {
  const last = points.at(-1)
  if (!last) return "no iterations"
  const within = sessions.length > 0 ? ` in ${countWords(sessions.length, "session")}` : ""
  const parts = [`${countWords(points.length, "iteration")}${within}`]
  parts.push(`last ${last.value === null ? "not scored" : `${scoreText(last.value)} ${last.band}${last.provisional ? ", provisional" : ""}`}`)
  const known = sessions.filter((session) => session.value !== null).at(-1)
  if (known) {
    const range = known.confidence_interval_95 ? intervalWords(known.confidence_interval_95) : `no interval: ${known.ci_reason ?? "not known"}`
    parts.push(`${known.session_id} ${scoreText(known.value)} (${range})`)
  }
  const apart = points.filter((point) => point.provisional && point.value !== null).length
  if (apart > 0) parts.push(`${apart} provisional, in no mean`)
  return parts.join("; ")
}

/** What changed between two lists of signals that facts stand behind: "now also tests; no longer scope". */
export function evidenceWords(before: readonly string[], now: readonly string[]): string {
  const more = now.filter((signal) => !before.includes(signal))
  const less = before.filter((signal) => !now.includes(signal))
  const parts: [string, string[]][] = [["now also", more], ["no longer", less]]
  return parts.filter(([, names]) => names.length > 0).map(([words, names]) => `${words} ${names.join(", ")}`).join("; ")
}

/** "claimed 1.000, observed 0.500". */
export function claimWords(claimed: number | null, observed: number | null): string {
  const of = (value: number | null, none: string) => (value === null ? none : scoreText(value))
  return `claimed ${of(claimed, "nothing")}, observed ${of(observed, "not known")}`
}
