import { describe, expect, test } from "vitest"
import type { Rule } from "../../../src/api/rules"
import { BUILT_INS } from "../../../src/views/rules/builtIns"
import { configTexts, metadataText, NEW_RULE, rateText, readConfig, readMetadata, readRate, readRule, textsOf } from "../../../src/views/rules/ruleForm"
import { filterText } from "../../../src/views/rules/ruleWords"

const RULE: Rule = {
  id: "r",
  project_id: "p",
  name: "tone",
  target: "trace",
  filter: { name: "answer", model: null, has_error: false, root_only: true, metadata: { tier: "team", seats: 12, code: "12", on: true } },
  scorer: { scorer_name: "tone", scorer: "llm_judge", config: { model: "a/b", prompt_template: "{{input}} {{output}}", labels: ["kind", "rude"], samples: 3 } },
  sampling_rate: 0.07,
  enabled: false,
  created_at: "2026-11-16T00:00:00Z",
  updated_at: "2026-11-16T00:00:00Z",
}

describe("a rule", () => {
  test("that is copied says the same", () => {
    const { draft, problems } = readRule("p", textsOf(RULE))
    expect(problems).toEqual({})
    expect(draft).toEqual({ project_id: "p", name: "tone", target: "trace", filter: RULE.filter, scorer: RULE.scorer, sampling_rate: 0.07, enabled: false })
  })

  test("names what is missing by the server's names of fields", () => {
    const { draft, problems } = readRule("p", { ...NEW_RULE, sampling: "101", metadata: "tier" })
    expect(draft).toBeUndefined()
    expect(Object.keys(problems).sort()).toEqual(["config.pattern", "filter.metadata", "name", "sampling_rate"])
  })

  test("is named after its scorer's kind unless said, and asks for nothing that is empty", () => {
    const { draft } = readRule("p", { ...NEW_RULE, name: "links", config: { pattern: "x", values: "of another kind" } })
    expect(draft?.scorer).toEqual({ scorer_name: "regex", scorer: "regex", config: { pattern: "x" } })
    expect(draft?.filter).toEqual({ name: null, model: null, has_error: null, root_only: false, metadata: null })
  })

  test("is said in words", () => {
    expect(filterText(RULE.filter)).toBe("name is answer, without an error, root spans only, tier = team, seats = 12, code = 12, on = true")
    expect(filterText({ root_only: false })).toBe("every span")
  })
})

describe("shares", () => {
  test.each([["10", 0.1], ["7 %", 0.07], ["0", 0], ["100", 1], ["0.5", 0.005]])("%s", (text, rate) => {
    expect(readRate(text).value).toBe(rate)
  })
  test.each(["", "ten", "-1", "100.1", "Infinity"])("%s is refused", (text) => {
    expect(readRate(text).problem).toBeDefined()
  })
  test("come back as they were typed", () => {
    for (const rate of [0.07, 0.29, 0.57, 1, 0, 0.001]) expect(readRate(rateText(rate)).value).toBe(rate)
  })
})

describe("metadata", () => {
  test("keeps types, and quotes make text", () => {
    const pairs = { a: "x = y", n: -1.5, t: true, nothing: null, digits: "12", quoted: '"q"', version: "1.2.3" }
    expect(readMetadata(metadataText(pairs)).value).toEqual(pairs)
    expect(metadataText({ digits: "12", plain: "v" })).toBe('digits = "12"\nplain = v')
  })
  test.each(["= x", "tier", "a = 1\na = 2"])("%j is refused", (text) => {
    expect(readMetadata(text).problem).toBeDefined()
  })
  test("nothing is no condition", () => {
    expect(readMetadata(" \n").value).toBeNull()
  })
})

describe("configurations", () => {
  test("that no field shows stay JSON", () => {
    expect(configTexts("regex", { pattern: "x", colour: "red" })).toBeNull()
    expect(configTexts("one_of", { values: ["a\nb"] })).toBeNull()
    expect(textsOf({ ...RULE, scorer: { scorer_name: "mine", config: { a: 1 } } }).json).toBe('{\n  "a": 1\n}')
  })
  test("of fields and of JSON say the same", () => {
    const config = { expected_output: '["x"]', case_sensitive: false }
    const texts = configTexts("contains", config)
    expect(readConfig({ kind: "contains", config: texts ?? {}, json: null })).toEqual(config)
    expect(readConfig({ kind: "contains", config: {}, json: JSON.stringify(config) })).toEqual(config)
  })
  test.each(["[1]", "null", "{"])("%s is not a configuration", (json) => {
    const problems = {}
    readConfig({ kind: "regex", config: {}, json }, problems)
    expect(problems).toHaveProperty("config")
  })
  test("have each key once", () => {
    for (const scorer of BUILT_INS) expect(new Set(scorer.fields.map((field) => field.key)).size, scorer.name).toBe(scorer.fields.length)
  })
})
