// What the dashboard says in sentences. All of it is pure.
import type { Dashboard, DriftSeries, ThresholdResult } from "../../api/dashboard"
import { countText, countWords, deltaIntervalText, deltaText, durationText, intervalWords, MISSING, moneyText, scoreText } from "../../words/format"
import { MONTHS } from "../../words/time"

/** `12 Nov` of `2026-11-12`. */
export function dayText(day: string): string {
  const [, month, date] = day.split("-")
  return `${Number(date)} ${MONTHS[Number(month) - 1] ?? month}`
}

/** "grounded fell: −0.406 (−0.621 to −0.083) since 12 Nov; it was 0.828 (0.798 to 0.856) from 4 Nov to 10 Nov". */
export function driftSentence(series: DriftSeries): string {
  const verb = series.direction === "up" ? "rose" : series.direction === "down" ? "fell" : "moved"
  const by = series.effect === null ? "" : `: ${deltaText(series.effect)} (${deltaIntervalText(series.effect_interval)})`
  const from = series.began_day ?? series.alarm_day
  const since = from === null ? "" : ` since ${dayText(from)}`
  const reference = series.reference
  const was =
    reference === null
      ? ""
      : `; it was ${scoreText(reference.mean)} (${intervalWords(series.reference_interval)}) from ${dayText(reference.first_day)} to ${dayText(reference.last_day)}`
  const back = series.recovered ? "; it may have recovered" : ""
  return `${verb}${by}${since}${was}${back}`
}

/** The traces whose scores are behind an alarm. */
export function driftSearch(series: DriftSeries): { scorer: string; after?: string } {
  const from = series.since?.first_day ?? series.began_day
  return { scorer: series.scorer_name, ...(from ? { after: from } : {}) }
}

/** What is measured: `contains`, `contains, pass_at_k(3)`. */
export function gateName(gate: ThresholdResult): string {
  if (gate.metric === "mean") return gate.scorer_name
  return `${gate.scorer_name}, ${gate.metric}${gate.k === null ? "" : `(${gate.k})`}`
}

const UPWARDS = new Set(["gte", "gt"])

/** The runs on the wrong side of a gate's bar, the worst first. */
export function gateSearch(gate: ThresholdResult): Record<string, string | number> {
  const up = UPWARDS.has(gate.comparison)
  const runs = { scorer: gate.scorer_name, sort: up ? "score" : "-score" }
  if (gate.metric !== "mean" && gate.metric !== "min" && gate.metric !== "max") return runs
  return { ...runs, [up ? "max" : "min"]: gate.threshold }
}

export function gateRunsWords(gate: ThresholdResult): string {
  if (!("max" in gateSearch(gate)) && !("min" in gateSearch(gate))) return `its runs, the worst first`
  return UPWARDS.has(gate.comparison)
    ? `runs with a score up to ${scoreText(gate.threshold)}, the worst first`
    : `runs with a score from ${scoreText(gate.threshold)} on, the worst first`
}

type Figures = Dashboard["traces"]

/** A sum where every model call has a price, the least that it was where some have, else unknown. */
export function costText({ cost }: Pick<Figures, "cost">): string {
  if (cost.usd !== null) return moneyText(cost.usd)
  if (cost.unpriced_span_count === 0) return MISSING
  return cost.known_usd > 0 ? `≥ ${moneyText(cost.known_usd)}` : "unknown"
}

export function costNote({ cost, count }: Pick<Figures, "cost" | "count">): string {
  if (count === 0) return "no traces"
  if (cost.unpriced_span_count > 0) {
    return `${countWords(cost.unpriced_span_count, "call")} without a price`
  }
  return cost.reason === null ? "all model calls" : "no model call with tokens"
}

export function durationNote(traces: Figures): string {
  if (traces.timed_count === 0) return traces.count === 0 ? "no traces" : "no root span has a duration"
  const ends = traces.mean_duration_ci_95_ms
  if (ends === null) return "no interval: one root span only"
  return `${durationText(ends[0])} to ${durationText(ends[1])}, ${countText(traces.timed_count)} timed`
}
