import { describe, expect, test } from "vitest"
import type { ExperimentPoint } from "../../../src/api/dashboard"
import { axisOf, bucketOf, seriesOf, timesOf, windowWords, withoutNumbers } from "../../../src/views/dashboard/trends"

const HOUR = 3_600_000

function point(name: string, dataset: string, hours: number, means: Record<string, number | null>): ExperimentPoint {
  return {
    experiment_id: name,
    name,
    dataset_id: dataset,
    dataset_version: 1,
    completed_at: new Date(Date.UTC(2026, 10, 10) + hours * HOUR).toISOString(),
    run_count: 1,
    failed_run_count: 0,
    expected_run_count: 1,
    scorers: Object.entries(means).map(([scorer_name, mean]) => ({
      scorer_name,
      mean,
      confidence_interval_95: mean === null ? null : [mean - 0.1, mean + 0.1],
      ci_method: null,
      flags: [],
      n: 1,
      n_items: 1,
      reason: null,
    })),
  }
}

const names = new Map([["a", "first"]])

describe("series", () => {
  const experiments = [
    point("new", "a", 48, { contains: 0.7 }),
    point("other", "b", 47, { contains: 0.2, tone: null }),
    point("old", "a", 0, { contains: 0.5, exact: 0.5 }),
  ]
  const series = seriesOf(experiments, names)
  test("are by scorer, oldest first, those of the last experiment before others", () => {
    expect(series.map((one) => [one.scorer, one.points.map((each) => each.label)])).toEqual([
      ["contains", ["old", "other", "new"]],
      ["exact", ["old"]],
    ])
  })
  test("compare the last with the one before it on the same dataset", () => {
    expect(series[0]?.caption).toBe(
      "contains, last of 3 experiments: 0.700 (0.600 to 0.800); before that, on the same dataset, 0.500 (0.400 to 0.600)",
    )
    expect(series[1]?.caption).toContain("the first on its dataset")
  })
  test("name datasets that are known, and others by the end of their id", () => {
    expect(series[0]?.points.map((each) => each.dataset)).toEqual(["first", "dataset b", "first"])
  })
  test("leave out scorers of labels, which are named", () => {
    expect(withoutNumbers(experiments)).toEqual(["tone"])
  })
  test("share a time axis", () => {
    expect(timesOf(series)).toEqual([Date.UTC(2026, 10, 10), Date.UTC(2026, 10, 12)])
    expect(timesOf([])).toBeUndefined()
  })
  test("of one afternoon have an axis of their own", () => {
    const common = timesOf(series)
    const near = seriesOf([point("x", "a", 0, { s: 1 }), point("y", "a", 1, { s: 1 })], names)[0]?.points ?? []
    expect(axisOf(near, common)).toEqual([Date.UTC(2026, 10, 10), Date.UTC(2026, 10, 10, 1)])
    expect(axisOf(near.slice(0, 1), common)).toBe(common)
    expect(axisOf(series[0]?.points ?? [], common)).toBe(common)
  })
})

test("a window has its words and its buckets", () => {
  expect([windowWords("24h"), bucketOf("24h"), bucketOf("30d")]).toEqual(["last 24 h", "hour", "day"])
})
