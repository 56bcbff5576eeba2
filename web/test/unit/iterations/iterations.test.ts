import { describe, expect, test } from "vitest"
import { alikeStretches, bandPath, brackets, evidenceChanges, type ValuePoint } from "../../../src/plots/values"
import { endsOf, groupsOf, kindsOf, periodOf, signalName } from "../../../src/views/iterations/groupQuestion"
import { groupChips, groupFilter } from "../../../src/views/iterations/places"
import { claimRow, differs } from "../../../src/views/iterations/claims"
import { iterationColumns, sorted } from "../../../src/views/iterations/iterationColumns"
import { commitAddress, detailParts, sourceAddress, withShortCommits } from "../../../src/words/forge"
import { evidenceWords, inBandOrder, iterationName, valueSentence, valuesSentence } from "../../../src/words/iterations"

const HASH = "29d3a296f12c"

function point(iteration: number, value: number | null, more: Partial<ValuePoint> = {}): ValuePoint {
  return { id: `i${iteration}`, iteration, value, band: value === null ? "unscored" : "good", coverage: 0.8, provisional: false, session_id: "s", date: null, commit: null, observed: ["landed"], ...more }
}

describe("the address of a commit", () => {
  test.each([
    ["github.com/owner/name", `https://github.com/owner/name/commit/${HASH}`],
    ["https://github.com/owner/name.git", `https://github.com/owner/name/commit/${HASH}`],
    ["gitlab.com/group/below/name", `https://gitlab.com/group/below/name/-/commit/${HASH}`],
    ["bitbucket.org/owner/name", `https://bitbucket.org/owner/name/commits/${HASH}`],
    ["codeberg.org/owner/name", `https://codeberg.org/owner/name/commit/${HASH}`],
  ])("%s is known", (source, address) => {
    expect(commitAddress(source, HASH)).toBe(address)
  })

  test("the address that was pushed counts before the source's name", () => {
    const pushed = { source: "owner/name", repository_url: "https://gitlab.com/group/name" }
    expect(commitAddress(sourceAddress(pushed), HASH)).toBe(`https://gitlab.com/group/name/-/commit/${HASH}`)
    expect(commitAddress(sourceAddress({ source: "github.com/owner/name", repository_url: null }), HASH)).not.toBeNull()
    expect(commitAddress(sourceAddress({ source: "owner/name" }), HASH)).toBeNull()
  })

  test.each([
    "support-desk", "owner/name", "github.com/name", "github.com/owner/name/more", "github.com.evil.example/owner/name",
    "evil.example/github.com/owner/name", "github.com@evil.example/owner/name", "github.com/../name", "github.com/owner/..",
    "github.com/owner/na me", "github.com/owner/name?x=", "github.com/owner/name#x", "javascript:alert(1)//github.com/owner/name",
    "http://github.com/owner/name", "__proto__/owner/name", "constructor/owner/name", "",
  ])("%s gives none", (source) => {
    expect(commitAddress(source, HASH)).toBeNull()
  })

  test.each(["HEAD", "main", "29d3a29/../..", "29D3A29", "123", null, undefined, ""])("%s is not a commit", (commit) => {
    expect(commitAddress("github.com/owner/name", commit)).toBeNull()
  })
})

test("a detail is cut where it names commits, and numbers alone are none", () => {
  expect(detailParts("29d3a296f12c was reverted by bba5c606f593; 20261117 later")).toEqual([
    { text: "29d3a296f12c", commit: true }, { text: " was reverted by ", commit: false },
    { text: "bba5c606f593", commit: true }, { text: "; 20261117 later", commit: false },
  ])
  expect(detailParts("")).toEqual([])
})

describe("values over time", () => {
  test("evidence changes between scored iterations only", () => {
    const points = [point(1, 1), point(2, null, { observed: [] }), point(3, 1), point(4, 1, { observed: ["landed", "tests"] }), point(5, 0, { observed: ["tests"] })]
    expect(evidenceChanges(points)).toEqual([{ place: 3, words: "now also tests" }, { place: 4, words: "no longer landed" }])
    expect(evidenceWords(["a"], ["b"])).toBe("now also b; no longer a")
  })

  test("a line joins verdicts on the same facts, and skips what is provisional", () => {
    const points = [point(1, 1), point(2, 0.9, { provisional: true }), point(3, 0.5), point(4, null), point(5, 1), point(6, 1), point(7, 1, { observed: [] })]
    expect(alikeStretches(points)).toEqual([[0, 2], [4, 5]])
  })

  test("a session that is interrupted has two brackets", () => {
    const points = [point(1, 1), point(2, 1, { session_id: "t" }), point(3, 1), point(4, 1), point(5, 1, { session_id: null })]
    expect(brackets(points)).toEqual([{ session: "s", from: 0, to: 0 }, { session: "t", from: 1, to: 1 }, { session: "s", from: 2, to: 3 }])
  })

  test.each(["diamond", "disc", "square", "triangle", "ring"] as const)("a %s is filled up to its coverage", (kind) => {
    const lowest = (path: string): number => Math.min(...[...path.matchAll(/[ML][\d.-]+ ([\d.-]+)/g)].map((match) => Number(match[1])))
    const whole = bandPath(kind, 10, 10, 5)
    const half = bandPath(kind, 10, 10, 5, 0.5)
    expect(bandPath(kind, 10, 10, 5, 1)).toBe(whole)
    expect(lowest(half)).toBeGreaterThan(lowest(whole))
    expect(bandPath(kind, 10, 10, 5, 0)).not.toContain("NaN")
    expect(half).not.toContain("NaN")
  })

  test("are said as a whole", () => {
    const session = { session_id: "s", value: 0.756, confidence_interval_95: [0.362, 1] as const, ci_reason: null }
    expect(valuesSentence([point(1, 1), point(2, 0.963, { provisional: true })], [session])).toBe(
      "2 iterations in 1 session; last 0.963 good, provisional; s 0.756 (0.362 to 1.000); 1 provisional, in no mean",
    )
    expect(valuesSentence([point(1, 1)], [{ ...session, confidence_interval_95: null, ci_reason: "one iteration only" }])).toBe(
      "1 iteration in 1 session; last 1.000 good; s 0.756 (no interval: one iteration only)",
    )
    expect(valuesSentence([], [])).toBe("no iterations")
    expect(valueSentence(point(1, null))).toBe("not scored: no signal had evidence")
    expect(valueSentence(point(1, 0.5, { provisional: true, why_provisional: "self-reported only" }))).toContain("provisional: self-reported only")
  })
})

test("the table is sorted by number or value, and what has no value comes last", () => {
  const rows = [point(1, 0.5), point(2, null), point(3, 0.1), point(4, 0.9)] as never[]
  const order = (by: string | undefined): number[] => sorted(rows, by).map((row) => row.iteration)
  expect(order(undefined)).toEqual([4, 3, 2, 1])
  expect(order("iteration")).toEqual([1, 2, 3, 4])
  expect(order("value")).toEqual([3, 1, 4, 2])
  expect(order("-value")).toEqual([4, 1, 3, 2])
})

test("what can be compared are kinds with two groups, and periods", () => {
  const two = [{ value: "b", count: 1 }, { value: "a", count: 2 }]
  const facets = { models: two, agents: [two[0]], labels: [], sessions: [], rules_files: [], rubric_versions: [] } as never
  expect(kindsOf(facets).map((kind) => kind.value)).toEqual(["model", "period"])
  expect(kindsOf(undefined).map((kind) => kind.value)).toEqual(["period"])
  expect(groupsOf(facets, "model")).toEqual(two)
  expect(groupsOf(facets, "weather")).toEqual([])
})

test("a period is written as the API reads it", () => {
  expect(periodOf("2026-01-01", "")).toBe("2026-01-01..")
  expect(periodOf("", "")).toBeUndefined()
  expect(endsOf("..2026-01-31")).toEqual(["", "2026-01-31"])
  expect(endsOf(undefined)).toEqual(["", ""])
})

test("filters are asked for by the API's names, and each is a chip", () => {
  const state = { rubric: "2.1.0", session: "s", rules: "AGENTS.md@1" }
  expect(groupFilter("p", state)).toMatchObject({ project_id: "p", rubric_version: "2.1.0", session_id: "s", rules_file: "AGENTS.md@1" })
  const taken: object[] = []
  const chips = groupChips(state, (patch) => taken.push(patch))
  expect(chips.map((chip) => chip.label)).toEqual(["rubric 2.1.0", "session s", "rules AGENTS.md@1"])
  chips[1]?.remove()
  expect(taken).toEqual([{ session: undefined }])
})

test("a claim is a row, and differs only from a fact that is known", () => {
  const side = (present: boolean, sub_score = 0) => ({ present, sub_score, detail: present ? "seen" : "" })
  const claim = { role: "impl" as const, signal: "tests", claimed: side(true, 1), observed: side(true, 0.5) }
  expect(claimRow(claim, "impl: tests", "x")).toEqual({ id: "x", name: "impl: tests", claimed: 1, observed: 0.5, detail: "seen" })
  expect(differs(claim)).toBe(true)
  expect(differs({ ...claim, observed: side(false) })).toBe(false)
  expect(signalName("outcome.landed")).toBe("landed")
  expect(signalName("outcome.token_efficiency")).toBe("token efficiency")
  expect(signalName("outcome")).toBe("total")
})

test("a number that is the moment at which a session began is shown as that moment", () => {
  expect(iterationName(261118210455)).toBe("18 Nov 21:04")
  expect(iterationName(260102030405)).toBe("2 Jan 03:04")
  expect(iterationName(42)).toBe("42")
  expect(iterationName(261399000000)).toBe("261399000000")
  expect(iterationName(260231120000)).toBe("260231120000")
})

test("columns in which no iteration has anything are left out", () => {
  const rows = [point(1, 0.5), point(2, null, { session_id: null })] as unknown as Parameters<typeof iterationColumns>[1]
  const ids = iterationColumns("p", rows.map((row) => ({ ...row, task_id: null, agent: null, model: "m" }))).map((column) => column.id)
  expect(ids).toEqual(["iteration", "value", "band", "lost", "coverage", "session", "model"])
})

test("bands stand from the best to the worst, whatever their counts", () => {
  const bands = ["poor", "unscored", "team's own", "excellent"].map((value, count) => ({ value, count }))
  expect(inBandOrder(bands).map(({ value }) => value)).toEqual(["excellent", "poor", "team's own", "unscored"])
})

test("commits in a detail are shortened, and nothing else", () => {
  expect(withShortCommits("b0c4312d2020 was reverted on main; 2/12345678 verifiers")).toBe("b0c4312 was reverted on main; 2/12345678 verifiers")
  expect(withShortCommits("")).toBe("")
})
