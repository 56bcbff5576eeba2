import { describe, expect, test } from "vitest"
import { ALL_TIME, chipsOf, cleared, filterOf, orderOf } from "../../../src/views/traces/filters"

const NOW = Date.parse("2026-11-18T12:00:00Z")

describe("filterOf", () => {
  test("a list without a range shows 30 days, and all time when asked", () => {
    expect(filterOf("p", {}, NOW)).toEqual({ project_id: "p", after: "2026-10-19T12:00:00.000Z" })
    expect(filterOf("p", { after: ALL_TIME }, NOW)).toEqual({ project_id: "p" })
    expect(filterOf("p", { before: "2026-01-01" }, NOW)).toEqual({ project_id: "p", before: "2026-01-01T00:00:00.000Z" })
  })
  test("names everything as the API does", () => {
    const state = { after: ALL_TIME, error: true, queue: false, scorer: "s", min: 0.5, min_duration: 9, "meta.tier": "gold" }
    expect(filterOf("p", state, NOW)).toEqual({
      project_id: "p", has_error: "true", in_queue: "false", scorer_name: "s", min: 0.5, min_duration_ms: 9, "metadata.tier": "gold",
    })
  })
  test("bounds without a scorer are not sent", () => {
    expect(filterOf("p", { after: ALL_TIME, min: 0.5 }, NOW)).toEqual({ project_id: "p" })
  })
})

describe("chipsOf", () => {
  test("says every filter, and takes away only its own", () => {
    const taken: object[] = []
    const state = { error: true, min_duration: 100, max_duration: 2000, q: "lamp", "meta.tier": "gold" }
    const chips = chipsOf(state, (patch) => taken.push(patch))
    expect(chips.map((chip) => chip.label)).toEqual(["with an error", "duration 100ms to 2.0s", "text “lamp”", "tier: gold"])
    chips.at(-1)?.remove()
    expect(taken).toEqual([{ "meta.tier": undefined }])
  })
  test("clearing keeps the order and what is open", () => {
    expect(cleared({ error: true, sort: "-cost", peek: "t" })).toEqual({ error: undefined })
  })
})

test("only orders that the server has are asked for", () => {
  expect(orderOf("-cost")).toBe("-cost")
  expect(orderOf("cost")).toBeUndefined()
  expect(orderOf("-age")).toBe("-created_at")
})
