import { describe, expect, expectTypeOf, test } from "vitest"
import { flag, list, number, oneOf, parseSearch, read, search, sortBy, stringifySearch, text, when, withoutPlace } from "../../src/params"
import type { StateOf } from "../../src/params"
import * as searches from "../../src/searches"

const spec = search(
  { sort: sortBy("age", "cost"), error: flag, status: oneOf("running", "done"), min: number(0, 1), q: text, after: when },
  { pick: list },
  "meta.",
)

describe("reading", () => {
  test("keeps what makes sense", () => {
    const { values, ignored } = read(spec, parseSearch("?sort=-age&error=true&min=0.5&q=a%26b&pick=a,b,a&meta.tier=gold&after=24h"))
    expect(values).toEqual({ sort: "-age", error: true, min: 0.5, q: "a&b", pick: ["a", "b"], "meta.tier": "gold", after: "24h" })
    expect(ignored).toEqual([])
  })

  test.each([
    ["sort=banana"],
    ["error=maybe"],
    ["min=2"],
    ["min=NaN"],
    ["min=Infinity"],
    ["status=__proto__"],
    ["after=yesterday"],
    ["after=0h"],
    ["unknown=1"],
    ["meta.=1"],
    ["constructor=1"],
    ["pick=,,"],
  ])("drops and names %s", (parameter) => {
    const { values, ignored } = read(spec, parseSearch(parameter))
    expect(Object.values(values).filter((value) => value !== undefined)).toEqual([])
    expect(ignored).toEqual([parameter])
  })

  test("overrides what the router would otherwise carry on", () => {
    expect(spec.validate({ sort: "banana" })).toHaveProperty("sort", undefined)
  })

  test("an empty value is as none", () => {
    expect(read(spec, parseSearch("q=")).ignored).toEqual([])
  })

  test("reads its own typed values again", () => {
    const values = { error: false, min: 0, pick: ["a", "b"] }
    expect(read(spec, values).values).toEqual(values)
  })

  test("a long value is cut in the notice", () => {
    expect(read(spec, { q: "x".repeat(3000) }).ignored[0]?.length).toBe(82)
  })
})

describe("writing", () => {
  test("is plain and readable", () => {
    expect(stringifySearch({ pick: ["a", "b"], after: "2026-11-01T00:00Z", q: "a&b c", gone: undefined, none: "" })).toBe(
      "?pick=a,b&after=2026-11-01T00:00Z&q=a%26b%20c",
    )
  })

  test("comes back", () => {
    const values = { q: "a+b=c&d %41 ü", "meta.a b": "x/y", min: 0.25, error: false }
    expect(read(spec, parseSearch(stringifySearch(values))).values).toEqual(values)
  })

  test("without the place", () => {
    expect(withoutPlace(spec, { q: "a", pick: ["b"], "meta.k": "v" })).toEqual({ q: "a", "meta.k": "v" })
  })
})

test("states are typed", () => {
  expectTypeOf<StateOf<typeof spec>>().toHaveProperty("min").toEqualTypeOf<number | undefined>()
  expectTypeOf<StateOf<typeof searches.tracesSearch>["meta.tier"]>().toEqualTypeOf<string | undefined>()
  expectTypeOf<StateOf<typeof searches.compareSearch>["show"]>().toEqualTypeOf<
    "regressed" | "improved" | "unchanged" | "changed" | "only_base" | "only_other" | undefined
  >()
})

test("no parameter is both view and place", () => {
  for (const one of Object.values(searches)) {
    expect(Object.keys(one.view).filter((name) => Object.hasOwn(one.place, name))).toEqual([])
  }
})
