import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { absence } from "../../../src/words/absence"
import {
  barWords, curvesSentence, deltaSentence, deltasOverview, deltasSentence, distributionSentence, estimatesOverview,
  gateGrounds,
  intervalSentence, itemsSentence, missingSentence, noScoreText, quantile, reasonsWords, sharesSentence,
  trendSentence,
} from "../../../src/words/announce"
import { COUNTED } from "../../../src/words/counted"
import { serverWords } from "../../../src/words/format"
import { flagWords, isSmall, methodWords, notesOf } from "../../../src/words/methods"
import { byVerdict, changeWords, decisionWords, verdictWords } from "../../../src/words/verdicts"

const REASONS = { "the run failed": 3, "no expected_output": 9 }
const source = (path: string) => readFileSync(new URL(`../../../../src/gnomon/${path}`, import.meta.url), "utf8")

describe("announced", () => {
  test("an interval, the whole before its parts", () => {
    expect(intervalSentence({ name: "contains", mean: 0.745, interval: [0.633, 0.831], scored: 188, total: 200 })).toBe(
      "contains: mean 0.745, 95 % interval 0.633 to 0.831, 188 of 200 runs scored",
    )
    expect(intervalSentence({ name: "contains", mean: null, reasons: REASONS })).toBe(
      "contains: no score, 9 no expected_output, 3 the run failed",
    )
    expect(intervalSentence({ name: "contains", mean: 0.5 })).toBe("contains: mean 0.500, no interval")
    expect(noScoreText({}, 4)).toBe("no score · 4 pending")
  })
  test("reasons, the most frequent first, never an endless list", () => {
    expect(reasonsWords(REASONS)).toBe("9 no expected_output, 3 the run failed")
    expect(reasonsWords({ a: 1, b: 2, c: 3, d: 4, e: 5 })).toBe("5 e, 4 d, 3 c, and 2 more reasons")
    expect(reasonsWords(null)).toBe("")
    expect(reasonsWords({ unparsable: 40, "timeout: 30 s": 1, "timeout: 60 s": 1, "refused: no key": 1 })).toBe(
      "40 unreadable answers, 2 timeouts, 1 refused call",
    )
    expect(noScoreText({ unparsable: 40 })).toBe("no score · 40 unreadable answers")
  })
  test("counted reasons are called as the server calls them", () => {
    const table = source("model/reasons.py")
    for (const [code, [once, several]] of Object.entries(COUNTED)) {
      expect(table).toContain(`"${code}": ("${once}", "${several}")`)
    }
    expect(Object.keys(COUNTED)).toHaveLength(table.match(/^ {4}"\w+": \(/gm)?.length ?? 0)
  })
  test("a trend", () => {
    const points = [
      { mean: 0.541, interval: [0.436, 0.642] as const }, { mean: null },
      { mean: 0.745, interval: [0.633, 0.831] as const },
    ]
    expect(trendSentence("contains", points)).toBe(
      "contains over 3 experiments: last 0.745 (0.633 to 0.831), before that 0.541 (0.436 to 0.642)",
    )
    expect(trendSentence("contains", [])).toBe("contains: no experiment has a score")
    expect(trendSentence("contains", [{ mean: 1 }])).toBe("contains over 1 experiment: last 1.000 (no interval)")
  })
  test("a distribution", () => {
    expect(distributionSentence([0, 0.2, 0.4, 0.6, 0.8], REASONS)).toBe(
      "5 scores: a quarter up to 0.200, half up to 0.400, three quarters up to 0.600; 12 without score: 9 no expected_output, 3 the run failed",
    )
    expect(distributionSentence([1, 0, 1])).toBe("3 scores: 1 at 0.000, 2 at 1.000")
    expect(distributionSentence([])).toBe("no scores")
    expect(quantile([1], 0.5)).toBe(1)
    expect(quantile([0, 1], 0.25)).toBe(0.25)
  })
  test("shares and curves", () => {
    expect(sharesSentence([{ label: "correct", share: 0.62, interval: [0.55, 0.68] }], 200).replaceAll("\u00a0", " ")).toBe(
      "1 label among 200: correct 62 % (55 % to 68 %)",
    )
    expect(curvesSentence([{ name: "pass@k", points: [{ k: 1, value: 0.745 }, { k: 5, value: 0.95 }] }, { name: "pass^k", points: [{ k: 5, value: 0.41 }] }])).toBe(
      "pass@1 0.745 … pass@5 0.950; pass^5 0.410",
    )
    expect(curvesSentence([])).toBe("no trials")
  })
  test("the grounds of a gate's decision", () => {
    const gate = {
      name: "contains", decision: "undecided", value: 0.745, threshold: 0.7, gap: 0.045,
      interval: [0.633, 0.831] as const, moreItems: 120,
    }
    expect(gateGrounds(gate)).toBe(
      "contains is 0.745, and must be at least 0.700; gap +0.045; the interval 0.633 to 0.831 crosses 0.700; about 120 more items would settle it",
    )
    expect(gateGrounds({ name: "contains", decision: "fail", value: null, threshold: 0.7, reason: "all runs failed" })).toBe(
      "contains must be at least 0.700; all runs failed",
    )
    expect(gateGrounds({ ...gate, decision: "pass", reason: "decided by the value", moreItems: null })).toBe(
      "contains is 0.745, and must be at least 0.700; gap +0.045; decided by the value",
    )
    expect(gateGrounds({ ...gate, decision: "pass", bound: "point", moreItems: null })).toBe(
      "contains is 0.745, and must be at least 0.700; gap +0.045; decided by the value alone: its interval 0.633 to 0.831 crosses 0.700",
    )
    expect(gateGrounds({ ...gate, decision: "pass", bound: "point", interval: [0.71, 0.8], moreItems: null })).toBe(
      "contains is 0.745, and must be at least 0.700; gap +0.045",
    )
    expect(barWords("lt", 0.1)).toBe("below 0.100")
  })
  test("differences", () => {
    expect(deltaSentence({ name: "contains", verdict: "improved", delta: 0.2, words: "better, by 0.115 to 0.314", pairs: 38 })).toBe(
      "contains: better, by 0.115 to 0.314, 38 pairs",
    )
    expect(deltaSentence({ name: "contains", verdict: "regressed", delta: -0.2, interval: [-0.3, -0.1], p: 0.0001 })).toBe(
      "contains: worse, −0.200 (−0.300 to −0.100), adjusted p < 0.001",
    )
    const rows = ["improved", "regressed", "improved"].map(
      (verdict, place) => ({ name: `s${place}`, verdict, delta: 0 })
    )
    expect(deltasOverview(rows)).toBe("3 scorers: 1 worse (s1), 2 better (s0, s2)")
    expect(deltasOverview([])).toBe("no scorer is in both experiments")
    expect(deltasSentence([-0.4, 0, 0.4])).toBe(
      "3 items: a quarter changed by −0.200 or less, half by ±0.000 or less, three quarters by +0.200 or less"
    )
    expect(serverWords("cannot tell: -0.090 to +0.130 (-1), gpt-4")).toBe("cannot tell: −0.090 to +0.130 (−1), gpt-4")
  })
  test("items, estimates and states", () => {
    expect(itemsSentence([{ label: "a", delta: 0.5 }, { label: "b", delta: -0.6 }, { label: "c", delta: 0 }])).toBe(
      "3 items: 1 improved, 1 regressed, 1 unchanged; largest regression b −0.600",
    )
    expect(itemsSentence([])).toBe("0 items: 0 improved, 0 regressed, 0 unchanged")
    expect(estimatesOverview([{ name: "a", mean: 0.2, interval: [0.1, 0.3] }, { name: "b", mean: 0.9 }, { name: "c", mean: null }])).toBe(
      "3 scorers: highest b 0.900 (no interval), lowest a 0.200 (0.100 to 0.300), 1 without score",
    )
    expect(
      missingSentence({ scored: 188, absent: 9, failed: 3, pending: 0 })
    ).toBe("scored 188 · absent 9 · failed 3 · pending 0 of 200")
  })
})

describe("verdicts", () => {
  test("have shape and word", () => {
    expect(verdictWords("improved")).toMatchObject({ shape: "▲", word: "better" })
    expect(verdictWords("something new")).toMatchObject({ word: "something new" })
    expect(decisionWords(null).word).toBe("NO SCORE")
    expect(decisionWords("pass")).toMatchObject({ shape: "✓", word: "PASS", tone: "good" })
    expect(decisionWords("skipped").word).toBe("SKIPPED")
    const shapes = ["improved", "regressed", "equivalent", "inconclusive"].map((one) => verdictWords(one).shape)
    expect(new Set(shapes).size).toBe(4)
  })
  test("of one item", () => {
    expect([0.04, -0.04, 0, 0.0001, null].map((delta) => changeWords(delta).text)).toEqual([
      "▲ +0.040 better", "▼ −0.040 worse", "◆ ±0.000 unchanged", "◆ ±0.000 unchanged", "? not in both",
    ])
  })
  test("are sorted: what needs a look first, and then by evidence", () => {
    const rows = [
      { name: "d", verdict: "equivalent" }, { name: "c", verdict: "improved", p: 0.01 },
      { name: "b", verdict: "inconclusive" },
      { name: "a", verdict: "regressed", p: 0.04 }, { name: "z", verdict: "regressed", p: 0.001 },
      { name: "?", verdict: "new" },
    ]
    expect(byVerdict(rows).map((row) => row.name)).toEqual(["z", "a", "b", "c", "d", "?"])
  })
})

describe("why there is no score", () => {
  test("known reasons have a sentence and a remedy", () => {
    expect(absence("no expected_output")).toMatchObject(
      { remedy: expect.stringContaining("expected output"), action: "items" }
    )
    expect(absence("the run failed: ValueError: x")).toMatchObject({ action: "runs" })
    expect(
      absence("budget: 5 of 5 USD a day are spent; raise it, or retry tomorrow")
    ).toMatchObject({ action: "budget" })
    expect(absence("rate_limited: slow down (5 attempts)").action).toBe("retry")
  })
  test("the longest beginning wins, and only whole words count", () => {
    expect(absence("the scorer returned NaN; return None").sentence).toBe("The scorer returned NaN.")
    expect(absence("the scorer returned 'x' of type dict").sentence).toContain("not a score")
    expect(absence("emptyish").remedy).toBeNull()
  })
  test("unknown reasons are shown as they are, and the server may know more", () => {
    expect(absence("the moon was full")).toEqual(
      { reason: "the moon was full", sentence: "the moon was full", remedy: null, action: null }
    )
    const server = [{ prefix: "the moon", meaning: "the moon was there", remedy: "wait" }]
    expect(absence("the moon was full", server)).toMatchObject({ sentence: "The moon was there.", remedy: "Wait." })
    expect(absence("tie", [{ prefix: "tie", meaning: "a tie", remedy: "vote" }])).toMatchObject({
      remedy: "Vote.", action: "job",
    })
  })
  test("every reason that the server explains is known here too", () => {
    const prefixes = [...source("model/wording.py").matchAll(/_reason\("([^"]+)"/g)].map((found) => found[1] ?? "")
    expect(prefixes.length).toBeGreaterThan(20)
    for (const prefix of prefixes) expect(absence(`${prefix} x`).sentence, prefix).not.toBe(`${prefix} x`)
  })
  test("every kind of trouble with a model is known", () => {
    const kinds = /^TroubleKind = Literal\[(.*)\]$/m.exec(source("llm/answer.py"))?.[1]?.match(/\w+/g) ?? []
    expect(kinds.length).toBeGreaterThan(3)
    for (const kind of kinds) expect(absence(`${kind}: x`).remedy, kind).not.toBeNull()
  })
})

describe("methods and flags", () => {
  test("in plain words", () => {
    expect(
      methodWords("cluster_wilson", { items: 38, trials: 5 })
    ).toBe("Wilson interval over 38 items with 5 trials each")
    expect(methodWords("wilson", { items: 1, trials: 1 })).toBe("Wilson interval over 1 item")
    expect(methodWords(null)).toBe("no interval")
    expect(methodWords("brand_new")).toBe("brand new")
    expect(methodWords("brand_new", {}, { brand_new: "as the server says" })).toBe("as the server says")
    expect(flagWords("small_n", { small_n: "as the server says" })).toBe("as the server says")
    expect(notesOf(["small_n", "odd_flag"])).toEqual([flagWords("small_n"), "odd flag"])
    expect(notesOf(null)).toEqual([])
    expect([isSmall(["small_n"]), isSmall(["bracketed"]), isSmall(undefined)]).toEqual([true, false, false])
  })
  test("every method that the server names has words", () => {
    const methods = source("stats/ends.py").match(/"[a-z_]+"/g) ?? []
    expect(methods.length).toBeGreaterThan(8)
    for (
      const method of methods.map((one) => one.slice(1, -1))
    ) expect(methodWords(method), method).toContain("interval")
  })
  test("every flag that the server explains has words", () => {
    const flags = /^FLAGS = \{(.*?)^\}/ms.exec(source("model/wording.py"))?.[1]?.match(/^ {4}"(\w+)"/gm) ?? []
    expect(flags.length).toBeGreaterThan(5)
    for (
      const flag of flags.map((one) => one.replace(/\W/g, ""))
    ) expect(flagWords(flag), flag).not.toBe(flag.replaceAll("_", " "))
  })
})
