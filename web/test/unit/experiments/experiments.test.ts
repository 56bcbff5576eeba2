import { describe, expect, test } from "vitest"
import type { ComparedItem, ExperimentRow, Histogram } from "../../../src/api/experiments"
import { worstTrial } from "../../../src/views/experiments/ItemPanel"
import { pickedPair } from "../../../src/views/experiments/picking"
import { runsChips, runsFilter } from "../../../src/views/experiments/runsFilter"
import { scoresOf } from "../../../src/views/experiments/ScorerPanel"

const row = (id: string, dataset: string) => ({ id, name: id, dataset_id: dataset }) as ExperimentRow

describe("pickedPair", () => {
  const rows = [row("a", "d"), row("b", "d"), row("c", "other")]
  test("the first tick is the base", () => {
    expect(pickedPair(rows, ["b", "a"])).toEqual({ base: rows[1], candidate: rows[0] })
  })
  test("different datasets are said, not compared", () => {
    expect(pickedPair(rows, ["a", "c"]).problem).toContain("different datasets")
  })
  test("a tick that is not on the page is no tick", () => {
    expect(pickedPair(rows, ["gone", "a"])).toEqual({ base: rows[0] })
    expect(pickedPair(rows, [])).toEqual({})
  })
})

describe("runsFilter", () => {
  test("asks about a scorer only where something is said of one", () => {
    expect(runsFilter({}, "contains")).toEqual({ sort: "item" })
    expect(runsFilter({ min: 0.5 }, "contains")).toEqual({ scorer_name: "contains", min: 0.5, sort: "item" })
    expect(runsFilter({ sort: "-score" }, "contains")).toEqual({ scorer_name: "contains", sort: "-score" })
    expect(runsFilter({ error: false }, "contains")).toEqual({ has_error: "false", sort: "item" })
  })
  test("an order that the server does not know is not sent", () => {
    expect(runsFilter({ sort: "banana" }, undefined)).toEqual({ sort: "item" })
  })
  test("every filter in force has a chip", () => {
    const state = { min: 0.2, max: 0.4, reason: "no output", q: "lamp", error: true }
    expect(runsChips(state, "contains", () => undefined).map((chip) => chip.label)).toEqual([
      "contains 0.200 to 0.400", "no contains: no output", "failed runs", "text “lamp”",
    ])
  })
})

describe("scoresOf", () => {
  const histogram = { edges: [0, 0.5, 1], counts: [1, 2] } as Histogram
  test("takes the runs' own scores where they are listed", () => {
    expect(scoresOf({ ...histogram, values: [0.1], run_ids: ["r"] })).toEqual([{ id: "r", value: 0.1 }])
  })
  test("else the middle of each bin, once per run", () => {
    const scores = scoresOf({ ...histogram, values: null, run_ids: null })
    expect(scores.map((one) => one.value)).toEqual([0.25, 0.75, 0.75])
    expect(new Set(scores.map((one) => one.id)).size).toBe(3)
  })
})

describe("worstTrial", () => {
  const trials = (scores: (number | null)[]) => scores.map((score, trial) => ({ score, trial }))
  const item = (base: (number | null)[], other: (number | null)[]) =>
    ({ base: trials(base), other: trials(other) }) as unknown as ComparedItem
  test("is the one that fell most", () => {
    expect(worstTrial(item([1, 0.5, 1], [0.9, 0.5, 0]))).toBe(2)
  })
  test("is the first where none fell", () => {
    expect(worstTrial(item([0, null], [1, 1]))).toBe(0)
    expect(worstTrial(item([1, 1], []))).toBe(0)
  })
})
