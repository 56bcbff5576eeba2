import { describe, expect, test } from "vitest"
import { NO_PRICE, readCount, readDays, readPrice, readUsd, samePrice, tokenSpending, usdSpending } from "../../../src/views/settings/amounts"

const BUDGET = {
  project_id: "p",
  usd_per_day: 0.1,
  tokens_per_day: null,
  day: "2026-11-18",
  spent_usd: 0.0021,
  spent_tokens: 11_260,
  left_usd: 0.0979,
  left_tokens: null,
  by_model: [],
}

describe("limits", () => {
  test("nothing typed is no limit, and 0 is one", () => {
    expect(readUsd(" ", 10).value).toBeNull()
    expect(readUsd("0", 10).value).toBe(0)
    expect(readCount("").value).toBeNull()
  })
  test("are read as people write them", () => {
    expect(readUsd("$2.50", 10).value).toBe(2.5)
    expect(readCount("200,000").value).toBe(200_000)
  })
  test.each(["two", "-1", "11", "1e999"])("%s dollars are refused", (text) => expect(readUsd(text, 10).problem).toBeDefined())
  test.each(["1.5", "-1", "x", "1e30"])("%s tokens are refused", (text) => expect(readCount(text).problem).toBeDefined())
})

describe("days to keep traces", () => {
  test("nothing typed is for ever", () => expect(readDays(" ").value).toBeNull())
  test("a whole number of days is read", () => expect(readDays(" 90 ").value).toBe(90))
  test.each(["0", "-1", "1.5", "a week", "36501"])("%s is refused", (text) => expect(readDays(text).problem).toBeDefined())
})

describe("what was spent", () => {
  test("stands against the limit", () => {
    expect(usdSpending(BUDGET)).toEqual({ spent: "$0.0021", against: "of $0.10 a day (2\u00a0%); almost all left", share: 0.0021 / 0.1 })
    expect(usdSpending({ ...BUDGET, spent_usd: 0.06, left_usd: 0.04 }).against).toBe("of $0.10 a day (60\u00a0%); $0.04 left")
  })
  test("has no share without a limit, and is never beyond the whole", () => {
    expect(tokenSpending(BUDGET)).toEqual({ spent: "11,260 tokens", against: "no limit", share: null })
    expect(usdSpending({ ...BUDGET, spent_usd: 0.2, left_usd: 0 })).toMatchObject({ share: 1 })
    expect(usdSpending({ ...BUDGET, usd_per_day: 0, left_usd: 0 }).against).toContain("no judge may be asked")
  })
})

describe("a price", () => {
  test("needs a model and two amounts", () => {
    expect(Object.keys(readPrice(NO_PRICE).problems).sort()).toEqual(["input", "model", "output"])
    expect(readPrice({ ...NO_PRICE, model: "a b", input: "1", output: "x", since: "soon" }).problems).toEqual({
      model: expect.stringContaining("blanks"),
      output: expect.stringContaining("number"),
      since: expect.stringContaining("day"),
    })
  })
  test("is sent with null for what is left out", () => {
    const { draft } = readPrice({ ...NO_PRICE, model: "openai/gpt-4o", input: "2.5", output: "10" })
    expect(draft).toEqual({ model: "openai/gpt-4o", input_usd_per_million: 2.5, output_usd_per_million: 10, cached_input_usd_per_million: null, since: null })
    expect(samePrice(draft!, { ...draft!, since: undefined })).toBe(true)
    expect(samePrice(draft!, { ...draft!, since: "2026-11-01" })).toBe(false)
  })
})
