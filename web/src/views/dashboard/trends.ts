// From the last completed experiments to one picture per scorer. All of it is pure.
import type { ExperimentPoint, Window } from "../../api/dashboard"
import type { TrendPoint } from "../../plots/Trend"
import { type Ends, countWords, intervalWords, scoreText, shortId } from "../../words/format"
import { isSmall } from "../../words/methods"
import { dateText } from "../../words/time"

/** A point of a trend, before it is a link. */
export type SeriesPoint = Omit<TrendPoint, "href" | "onOpen"> & { experiment: string }

export interface Series {
  scorer: string
  /** Oldest first. */
  points: SeriesPoint[]
  caption: string
}

/** One series per scorer with numbers: those of the last experiment first, then those in the most experiments. */
export function seriesOf(experiments: readonly ExperimentPoint[], datasets: ReadonlyMap<string, string>): Series[] {
  const byScorer = new Map<string, SeriesPoint[]>()
  const oldestFirst = [...experiments].sort((a, b) => Date.parse(a.completed_at) - Date.parse(b.completed_at))
  for (const experiment of oldestFirst) {
    for (const scorer of experiment.scorers) {
      const points = byScorer.get(scorer.scorer_name) ?? []
      byScorer.set(scorer.scorer_name, points)
      points.push({
        id: experiment.experiment_id,
        experiment: experiment.experiment_id,
        label: experiment.name,
        time: Date.parse(experiment.completed_at),
        mean: scorer.mean,
        interval: scorer.confidence_interval_95,
        dataset: datasets.get(experiment.dataset_id) ?? `dataset ${shortId(experiment.dataset_id)}`,
        small: isSmall(scorer.flags),
      })
    }
  }
  const last = new Set(oldestFirst.at(-1)?.scorers.map((scorer) => scorer.scorer_name))
  return [...byScorer]
    .filter(([, points]) => points.some((point) => point.mean !== null))
    .map(([scorer, points]) => ({ scorer, points, caption: seriesWords(scorer, points) }))
    .sort(
      (a, b) =>
        Number(last.has(b.scorer)) - Number(last.has(a.scorer)) ||
        b.points.length - a.points.length ||
        (a.scorer < b.scorer ? -1 : 1),
    )
}

/** Scorers that gave no number in any of the experiments: they have no trend. */
export function withoutNumbers(experiments: readonly ExperimentPoint[]): string[] {
  const all = experiments.flatMap((experiment) => experiment.scorers)
  const numeric = new Set(all.filter((scorer) => scorer.mean !== null).map((scorer) => scorer.scorer_name))
  return [...new Set(all.map((scorer) => scorer.scorer_name).filter((name) => !numeric.has(name)))].sort()
}

/** The last mean, and the one before it on the same dataset: means on different datasets say nothing of each other. */
export function seriesWords(scorer: string, points: readonly SeriesPoint[]): string {
  const known = points.filter((point) => point.mean !== null)
  const last = known.at(-1)
  if (!last) return `${scorer}: no experiment has a score`
  const before = known.slice(0, -1).findLast((point) => point.dataset === last.dataset)
  const said = (point: SeriesPoint): string => `${scoreText(point.mean)} (${intervalWords(point.interval)})`
  const tail = before ? `; before that, on the same dataset, ${said(before)}` : "; the first on its dataset"
  return `${scorer}, last of ${countWords(points.length, "experiment")}: ${said(last)}${tail}`
}

/** The time axis that all pictures share. */
export function timesOf(series: readonly Series[]): Ends | undefined {
  const times = series.flatMap(({ points }) => points.map((point) => point.time))
  return times.length === 0 ? undefined : [Math.min(...times), Math.max(...times)]
}

const LEAST_SHARE = 0.1

/** The axis of one picture: the common one, unless all of its points are of one day and would lie on top of each other. */
export function axisOf(points: readonly SeriesPoint[], common: Ends | undefined): Ends | undefined {
  const times = points.map((point) => point.time)
  const [first, last] = [Math.min(...times), Math.max(...times)]
  if (common === undefined || points.length < 2 || last === first) return common
  const oneDay = dateText(first) === dateText(last)
  return oneDay && last - first < LEAST_SHARE * (common[1] - common[0]) ? [first, last] : common
}

const WINDOWS: Record<Window, { words: string; bucket: "hour" | "day" }> = {
  "24h": { words: "last 24 h", bucket: "hour" },
  "7d": { words: "last 7 days", bucket: "day" },
  "30d": { words: "last 30 days", bucket: "day" },
}

export function windowWords(window: Window): string {
  return WINDOWS[window].words
}

export function bucketOf(window: Window): "hour" | "day" {
  return WINDOWS[window].bucket
}
