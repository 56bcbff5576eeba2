// The sentences that stand under plots and that a screen reader says: the whole before its parts.
import { codeOf, countedReason } from "./counted"
import {
  countText, countWords, deltaIntervalText, deltaText, type Ends, intervalWords, pText, scoreText, serverWords,
  shareText, type Value,
} from "./format"
import { changeWords, VERDICT_ORDER, verdictWords } from "./verdicts"

export type Reasons = Readonly<Record<string, number>>

/** `40 unreadable answers, 9 no expected_output`, the most frequent first. */
export function reasonsWords(reasons: Reasons | null | undefined, most = 3): string {
  const sorted = sortedReasons(reasons)
  const said = sorted.slice(0, most).map(([reason, count]) => countedReason(reason, count))
  if (sorted.length > most) said.push(`and ${countWords(sorted.length - most, "more reason")}`)
  return said.join(", ")
}

/** Reasons by count, the most frequent first; equal counts by name. Those of one code are one. */
export function sortedReasons(reasons: Reasons | null | undefined): [string, number][] {
  const together = new Map<string, number>()
  for (const [reason, count] of Object.entries(reasons ?? {})) {
    together.set(codeOf(reason), (together.get(codeOf(reason)) ?? 0) + count)
  }
  return [...together].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}

/** `no score · 9 no expected_output · 3 the run failed`. */
export function noScoreText(reasons: Reasons | null | undefined, pending = 0): string {
  const parts = sortedReasons(reasons).map(([reason, count]) => countedReason(reason, count))
  if (pending > 0) parts.push(`${countText(pending)} pending`)
  return ["no score", ...parts].join(" · ")
}

export interface IntervalSaid {
  name: string
  mean: number | null
  interval?: Ends | null
  scored?: number
  total?: number
  reasons?: Reasons
  pending?: number
}

/** "contains: mean 0.745, 95 % interval 0.633 to 0.831, 188 of 200 runs scored". */
export function intervalSentence({ name, mean, interval, scored, total, reasons, pending }: IntervalSaid): string {
  if (mean === null) return `${name}: ${noScoreText(reasons, pending).replaceAll(" · ", ", ")}`
  const parts = [`${name}: mean ${scoreText(mean)}`]
  parts.push(interval ? `95 % interval ${intervalWords(interval)}` : "no interval")
  if (scored !== undefined && total !== undefined) {
    parts.push(`${countText(scored)} of ${countWords(total, "run")} scored`)
  }
  return parts.join(", ")
}

/** "contains over 9 experiments: last 0.745 (0.633 to 0.831), before that 0.541 (0.436 to 0.642)". */
export function trendSentence(
  name: string, points: readonly { mean: number | null; interval?: Ends | null }[],
): string {
  const known = points.filter((point) => point.mean !== null)
  if (known.length === 0) return `${name}: no experiment has a score`
  const said = (point: { mean: number | null; interval?: Ends | null }) =>
    `${scoreText(point.mean)} (${intervalWords(point.interval)})`
  const [last, before] = [known.at(-1), known.at(-2)]
  const tail = before ? `, before that ${said(before)}` : ""
  return `${name} over ${countWords(points.length, "experiment")}: last ${last ? said(last) : ""}${tail}`
}

/** "188 scores: a quarter below 0.600, half below 0.800, three quarters below 0.900; 12 without score: 9 …". */
export function distributionSentence(values: readonly number[], reasons?: Reasons): string {
  const missing = Object.values(reasons ?? {}).reduce((sum, count) => sum + count, 0)
  const without = missing ? `; ${countText(missing)} without score: ${reasonsWords(reasons)}` : ""
  if (values.length === 0) return `no scores${without}`
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => scoreText(quantile(sorted, share))
  const distinct = [...new Set(sorted.map((value) => scoreText(value)))]
  const spread =
    distinct.length <= 3
      ? distinct.map(
        (text) => `${countText(sorted.filter((value) => scoreText(value) === text).length)} at ${text}`
      ).join(", ")
      : `a quarter up to ${at(0.25)}, half up to ${at(0.5)}, three quarters up to ${at(0.75)}`
  return `${countWords(values.length, "score")}: ${spread}${without}`
}

/** Value below which a share of the sorted values lies, between two of them where needed. */
export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)] ?? 0
  const high = sorted[Math.ceil(place)] ?? low
  return low + (high - low) * (place - Math.floor(place))
}

/** "3 labels among 200: correct 62 % (55 to 68 %), …". */
export function sharesSentence(
  labels: readonly { label: string; share: number; interval?: Ends | null }[], total: number,
): string {
  if (labels.length === 0) return "no labels"
  const said = labels.map(({ label, share, interval }) => {
    const ends = interval ? ` (${shareText(interval[0], total)} to ${shareText(interval[1], total)})` : ""
    return `${label} ${shareText(share, total)}${ends}`
  })
  return `${countWords(labels.length, "label")} among ${countText(total)}: ${said.join(", ")}`
}

/** "pass@1 0.745 … pass@5 0.950; pass^5 0.410". */
export function curvesSentence(
  curves: readonly { name: string; points: readonly { k: number; value: number }[] }[]
): string {
  const said = curves.flatMap(({ name, points }) => {
    const [first, last] = [points[0], points.at(-1)]
    if (!first || !last) return []
    const at = (k: number, value: number) => `${name.replace(/k$/, "")}${k} ${scoreText(value)}`
    return first === last ? [at(first.k, first.value)] : [`${at(first.k, first.value)} … ${at(last.k, last.value)}`]
  })
  return said.join("; ") || "no trials"
}

export interface GateSaid {
  name: string
  decision?: string | null
  value: number | null
  threshold: number
  comparison?: string
  gap?: Value
  interval?: Ends | null
  reason?: string | null
  moreItems?: Value
  bound?: "point" | "ci"
}

const SIDES: Record<string, string> = { gte: "at least", gt: "above", lte: "at most", lt: "below" }

/** "at least 0.700". */
export function barWords(comparison: string | undefined, threshold: number): string {
  return `${SIDES[comparison ?? "gte"] ?? comparison} ${scoreText(threshold)}`
}

/** Value, bar, gap and reason, for beside the badge of the decision. */
export function gateGrounds(gate: GateSaid): string {
  const bar = `must be ${barWords(gate.comparison, gate.threshold)}`
  if (gate.value === null) return `${gate.name} ${bar}${gate.reason ? `; ${gate.reason}` : ""}`
  const parts = [`${gate.name} is ${scoreText(gate.value)}, and ${bar}`]
  if (gate.gap !== null && gate.gap !== undefined) parts.push(`gap ${deltaText(gate.gap)}`)
  if (gate.reason) parts.push(gate.reason)
  const { interval, threshold } = gate
  const crosses = interval && `interval ${intervalWords(interval)} crosses ${scoreText(threshold)}`
  if (gate.decision === "undecided" && !gate.reason && crosses) parts.push(`the ${crosses}`)
  if (gate.bound === "point" && interval && interval[0] < threshold && threshold < interval[1]) {
    parts.push(`decided by the value alone: its ${crosses}`)
  }
  if (gate.moreItems) parts.push(`about ${countWords(gate.moreItems, "more item")} would settle it`)
  return parts.join("; ")
}

export interface DeltaSaid {
  name: string
  verdict: string
  delta: number | null
  interval?: Ends | null
  pairs?: number
  words?: string
  p?: Value
}

/** "contains: better, by 0.115 to 0.314, 38 pairs"; the server's own words come first where there are any. */
export function deltaSentence({ name, verdict, delta, interval, pairs, words, p }: DeltaSaid): string {
  const said =
    words !== undefined
      ? serverWords(words)
      : `${verdictWords(verdict).word}, ${deltaText(delta)} (${interval ? deltaIntervalText(interval) : "no interval"})`
  const tail = [
    pairs === undefined ? null : countWords(pairs, "pair"),
    p === null || p === undefined ? null : `adjusted p ${pText(p)}`,
  ]
  return [`${name}: ${said}`, ...tail.filter((part) => part !== null)].join(", ")
}

/** One row as a whole, several as counts by verdict: "4 scorers: 1 worse (exact_match), 2 better (…)". */
export function deltasOverview(rows: readonly DeltaSaid[]): string {
  const [only] = rows
  if (!only) return "no scorer is in both experiments"
  if (rows.length === 1) return deltaSentence(only)
  const said = VERDICT_ORDER.flatMap((verdict) => {
    const names = rows.filter((row) => row.verdict === verdict).map((row) => row.name)
    return names.length ? [`${names.length} ${verdictWords(verdict).word} (${listed(names)})`] : []
  })
  return `${countWords(rows.length, "scorer")}: ${said.join(", ")}`
}

/** One estimate as a whole, several by the highest and the lowest, and how many have no score. */
export function estimatesOverview(rows: readonly IntervalSaid[], noun = "scorer"): string {
  const [only] = rows
  if (!only) return "nothing is scored yet"
  if (rows.length === 1) return intervalSentence(only)
  const known = rows.filter((row) => row.mean !== null).sort((a, b) => (b.mean ?? 0) - (a.mean ?? 0))
  const said = (row: IntervalSaid) => `${row.name} ${scoreText(row.mean)} (${intervalWords(row.interval)})`
  const [high, low] = [known[0], known.at(-1)]
  const parts = high ? [`highest ${said(high)}`] : []
  if (low && low !== high) parts.push(`lowest ${said(low)}`)
  if (known.length < rows.length) parts.push(`${countText(rows.length - known.length)} without score`)
  return `${countWords(rows.length, noun)}: ${parts.join(", ")}`
}

function listed(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ")
}

/** "38 items: 26 improved, 6 regressed, 6 unchanged; largest regression item … −0.600". */
export function itemsSentence(items: readonly { label: string; delta: number }[]): string {
  const counts = { better: 0, worse: 0, unchanged: 0 } as Record<string, number>
  let worst: { label: string; delta: number } | null = null
  for (const item of items) {
    const { word } = changeWords(item.delta)
    counts[word] = (counts[word] ?? 0) + 1
    if (item.delta < (worst?.delta ?? 0)) worst = item
  }
  const tail = worst ? `; largest regression ${worst.label} ${deltaText(worst.delta)}` : ""
  const { better, worse, unchanged } = counts
  const said = `${countText(better)} improved, ${countText(worse)} regressed, ${countText(unchanged)} unchanged`
  return `${countWords(items.length, "item")}: ${said}${tail}`
}

/** Quartiles of the differences, for the sorted strip. */
export function deltasSentence(deltas: readonly number[]): string {
  if (deltas.length === 0) return "no item is in both"
  const sorted = [...deltas].sort((a, b) => a - b)
  const at = (share: number) => deltaText(quantile(sorted, share))
  const [quarter, half, most] = [at(0.25), at(0.5), at(0.75)]
  const said = `a quarter changed by ${quarter} or less, half by ${half} or less, three quarters by ${most} or less`
  return `${countWords(deltas.length, "item")}: ${said}`
}

/** "scored 188 · absent 9 · failed 3 · pending 0 of 200". */
export function missingSentence(counts: { scored: number; absent: number; failed: number; pending: number }): string {
  const total = counts.scored + counts.absent + counts.failed + counts.pending
  const said = (
    ["scored", "absent", "failed", "pending"] as const
  ).map((state) => `${state} ${countText(counts[state])}`)
  return `${said.join(" · ")} of ${countText(total)}`
}
