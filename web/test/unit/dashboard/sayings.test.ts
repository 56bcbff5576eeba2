import { describe, expect, test } from "vitest"
import type { Dashboard, DriftSeries, ThresholdResult } from "../../../src/api/dashboard"
import {
  costNote, costText, dayText, driftSearch, driftSentence, durationNote, gateName, gateRunsWords, gateSearch,
} from "../../../src/views/dashboard/sayings"

const drift = {
  scorer_name: "grounded",
  direction: "down",
  effect: -0.4064,
  effect_interval: [-0.621, -0.083],
  began_day: "2026-11-12",
  alarm_day: "2026-11-16",
  reference: { first_day: "2026-11-04", last_day: "2026-11-10", days: 7, n: 176, mean: 0.828 },
  reference_interval: [0.798, 0.856],
  since: { first_day: "2026-11-12", last_day: "2026-11-17", days: 6, n: 150, mean: 0.42 },
  recovered: false,
} as unknown as DriftSeries

describe("drift", () => {
  test("is said with its interval and what it is held against", () => {
    expect(driftSentence(drift)).toBe(
      "fell: −0.406 (−0.621 to −0.083) since 12 Nov; it was 0.828 (0.798 to 0.856) from 4 Nov to 10 Nov",
    )
    expect(driftSentence({ ...drift, direction: "up", recovered: true, reference: null })).toMatch(/^rose: .*; it may have recovered$/)
  })
  test("leads to the traces since then", () => {
    expect(driftSearch(drift)).toEqual({ scorer: "grounded", after: "2026-11-12" })
    expect(driftSearch({ ...drift, since: null, began_day: null })).toEqual({ scorer: "grounded" })
  })
  test("days", () => expect(dayText("2026-01-09")).toBe("9 Jan"))
})

describe("a gate", () => {
  const gate = { scorer_name: "contains", metric: "mean", comparison: "gte", threshold: 0.7, k: null } as ThresholdResult
  test("leads to the runs on the wrong side of its bar", () => {
    expect(gateSearch(gate)).toEqual({ scorer: "contains", sort: "score", max: 0.7 })
    expect(gateSearch({ ...gate, comparison: "lt" })).toEqual({ scorer: "contains", sort: "-score", min: 0.7 })
    expect(gateSearch({ ...gate, metric: "pass_at_k", k: 3 })).toEqual({ scorer: "contains", sort: "score" })
  })
  test("is named with its metric", () => {
    expect([gateName(gate), gateName({ ...gate, metric: "pass_at_k", k: 3 })]).toEqual(["contains", "contains, pass_at_k(3)"])
    expect(gateRunsWords(gate)).toBe("runs with a score up to 0.700, the worst first")
    expect(gateRunsWords({ ...gate, comparison: "lte" })).toContain("from 0.700 on")
    expect(gateRunsWords({ ...gate, metric: "pass_at_k" })).toBe("its runs, the worst first")
  })
})

test("a cost is whole, at least so much, or unknown; never 0 for unknown", () => {
  const cost = { usd: null, known_usd: 0, unpriced_span_count: 0, reason: null }
  expect(costText({ cost: { ...cost, usd: 0.5 } })).toBe("$0.50")
  expect(costText({ cost: { ...cost, known_usd: 0.5, unpriced_span_count: 3 } })).toBe("≥ $0.50")
  expect(costText({ cost: { ...cost, unpriced_span_count: 3 } })).toBe("unknown")
  expect(costText({ cost })).toBe("–")
  expect(costNote({ count: 0, cost })).toBe("no traces")
  expect(costNote({ count: 1, cost: { ...cost, unpriced_span_count: 1 } })).toBe("1 call without a price")
  expect(costNote({ count: 1, cost: { ...cost, reason: "no trace has a model call with tokens" } })).toBe("no model call with tokens")
  expect(costNote({ count: 1, cost: { ...cost, usd: 0.5 } })).toBe("all model calls")
})

test("a mean duration has its interval, or says why not", () => {
  const traces = { count: 3, timed_count: 3, mean_duration_ci_95_ms: [900, 1100] } as unknown as Dashboard["traces"]
  expect(durationNote(traces)).toBe("900ms to 1.1s, 3 timed")
  expect(durationNote({ ...traces, timed_count: 1, mean_duration_ci_95_ms: null })).toContain("one root span")
  expect(durationNote({ ...traces, timed_count: 0 })).toContain("no root span")
  expect(durationNote({ ...traces, timed_count: 0, count: 0 })).toBe("no traces")
})
