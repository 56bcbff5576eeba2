// A value as the sum of its parts: where each bar begins and ends. All of it is pure.
import { deltaText, scoreText } from "../words/format"

export interface Signal {
  name: string
  /** Without evidence a signal is absent: it adds nothing, and its weight goes to the others. */
  present: boolean
  contribution: number
  /** What it could have added at most. */
  effectiveWeight: number
  nominalWeight?: number
  /** Its own score, from 0 to 1. */
  subScore?: number | null
  /** What the score was computed from, or why it is absent. */
  detail?: string | null
  href?: string
  onOpen?: () => void
}

export interface WaterfallBar {
  from: number
  to: number
  /** End of the outline: what could have been had. */
  possible: number
}

/** Each bar starts where the last one ended; an absent signal takes no room. */
export function waterfallBars(signals: readonly Signal[]): WaterfallBar[] {
  let from = 0
  return signals.map(({ present, contribution, effectiveWeight }) => {
    const to = present ? from + contribution : from
    const bar = { from, to, possible: present ? from + Math.max(contribution, effectiveWeight) : from }
    from = to
    return bar
  })
}

/** What is wrong when the parts do not add up to the value; null when they do. */
export function sumProblem(signals: readonly Signal[], value: number | null): string | null {
  if (value === null) return null
  const sum = waterfallBars(signals).at(-1)?.to ?? 0
  if (Math.abs(sum - value) <= 1e-9) return null
  return `the parts sum to ${scoreText(sum, 6)}, not to ${scoreText(value, 6)} (${deltaText(sum - value, 9)})`
}

/** Words at the right of a signal's row. */
export function signalWords({ present, contribution, effectiveWeight, detail }: Signal, scored = true): string {
  if (!present) return `absent: ${detail ?? "no evidence"}${scored ? "; its weight goes to the others" : ""}`
  return `${scoreText(contribution)} of ${scoreText(effectiveWeight)}`
}

const NAMED = 3

/** "landed gives 0.278 of 0.278; absent: verifier, tests and 2 more; total 0.963"; the rows say why what is absent. */
export function waterfallSentence(signals: readonly Signal[], value: number | null): string {
  const total = value === null ? "not scored" : `total ${scoreText(value)}`
  const absent = signals.filter((signal) => !signal.present).map((signal) => signal.name)
  if (absent.length === signals.length) return `no signal has evidence; ${total}`
  const parts = signals
    .filter((signal) => signal.present)
    .map((signal) => `${signal.name} gives ${scoreText(signal.contribution)} of ${scoreText(signal.effectiveWeight)}`)
  const more = absent.length > NAMED ? ` and ${absent.length - NAMED} more` : ""
  if (absent.length > 0) parts.push(`absent: ${absent.slice(0, NAMED).join(", ")}${more}`)
  return [...parts, total].join("; ")
}
