// What plots and tables take of a leaderboard.
import type { LeaderboardAgent } from "../../api/leaderboard"
import type { Curve } from "../../plots/Curves"
import type { Ends } from "../../words/format"
import { fixed, MISSING, shareText } from "../../words/format"

/** pass@k and pass^k of an agent; null with one trial per item. */
export function curvesOf(agent: LeaderboardAgent): Curve[] | null {
  const ks = Object.keys(agent.pass_at_k ?? {})
  if (ks.length < 2) return null
  const points = (values: Record<string, number> | null, ends: Record<string, unknown> | null) =>
    ks.map((k) => ({ k: Number(k), value: values?.[k] ?? 0, interval: (ends?.[k] as Ends | undefined) ?? null }))
  return [
    { name: "pass@k", points: points(agent.pass_at_k, agent.pass_at_k_ci) },
    { name: "pass^k", points: points(agent.pass_pow_k, agent.pass_pow_k_ci) },
  ]
}

/** All actions of these agents, the most frequent first. */
export function actionNames(agents: readonly LeaderboardAgent[]): string[] {
  const totals = new Map<string, number>()
  for (const agent of agents) {
    for (const [action, share] of Object.entries(agent.actions ?? {})) totals.set(action, (totals.get(action) ?? 0) + share.mean)
  }
  return [...totals].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name)
}

/** Whether an agent ran a scenario of a family in which this action counts; without one it could not have taken it. */
export function couldAct(agents: readonly LeaderboardAgent[], agent: LeaderboardAgent, action: string): boolean {
  const counting = agents.flatMap((each) =>
    Object.entries(each.metrics ?? {}).flatMap(([name, metric]) => (metric.kind === "labels" && action in metric.means ? [name] : [])),
  )
  return counting.some((name) => name in (agent.metrics ?? {}))
}

type Metric = NonNullable<LeaderboardAgent["metrics"]>[string]

/** A metric over an agent's runs, in a few characters. */
export function metricText(metric: Metric | undefined): string {
  if (metric === undefined) return MISSING
  switch (metric.kind) {
    case "rate":
      return `${shareText(metric.mean, metric.run_count)} (${ends(metric.confidence_interval_95, 100, 0)})`
    case "figure":
      return `${fixed(metric.mean, 2)} (${ends(metric.confidence_interval_95, 1, 2)})`
    case "count":
      return `${fixed(metric.mean, 1)} (${ends(metric.confidence_interval_95, 1, 1)})`
    case "time":
      return metric.median === null ? `>${metric.limit}` : fixed(metric.median, metric.median % 1 === 0 ? 0 : 1)
    case "label":
      return Object.entries(metric.counts).filter(([, count]) => count > 0).map(([label, count]) => `${label} ${count}`).join(", ") || MISSING
    case "labels":
      return Object.entries(metric.means).slice(0, 3).map(([label, mean]) => `${label} ${shareText(mean.mean, mean.run_count)}`).join(", ") || MISSING
  }
}

/** With more digits than these where the interval would seem to have no width. */
function ends(interval: readonly number[], factor: number, digits: number): string {
  const texts = interval.map((end) => fixed(end * factor, digits))
  return texts[0] === texts[1] && digits < 4 ? ends(interval, factor, digits + 1) : texts.join(" to ")
}
