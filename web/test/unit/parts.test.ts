import { describe, expect, test } from "vitest"
import { differenceOf, sideOf } from "../../src/parts/diffParts"
import { childrenOf, closedWords, jsonText, kindOf, startsOpen } from "../../src/parts/jsonParts"
import { fromInput, instantOf, rangeWords, toInput } from "../../src/parts/timeRange"
import { refusal } from "../../src/parts/WriteButton"
import { nextTheme, storedTheme, themeCookie } from "../../src/theme"
import { cpuMs } from "./cpu"

describe("differences", () => {
  test("are by words, and both sides come back", () => {
    const { by, parts } = differenceOf("the red lamp", "the blue lamp")
    expect(by).toBe("words")
    expect(parts).toContainEqual({ text: "red", kind: "removed" })
    expect(parts).toContainEqual({ text: "blue", kind: "added" })
    expect(sideOf(parts, "before").map((part) => part.text).join("")).toBe("the red lamp")
    expect(sideOf(parts, "after").map((part) => part.text).join("")).toBe("the blue lamp")
  })
  test("of equal texts are none", () => {
    expect(differenceOf("a", "a").parts).toEqual([{ text: "a", kind: "same" }])
    expect(differenceOf("", "").parts).toEqual([])
  })
  test("of long texts are by lines", () => {
    const text = "a line of text\n".repeat(2000)
    expect(differenceOf(text, `${text}one more\n`).by).toBe("lines")
  })
  test("of huge texts are not looked for", () => {
    expect(differenceOf("a".repeat(300_000), "b".repeat(300_000))).toEqual({ by: "nothing", parts: [] })
  })
  test("end within their time", () => {
    const words = (seed: number) => Array.from({ length: 4000 }, (_, index) => `${(index * seed) % 997}`).join(" ").slice(0, 9999)
    expect(cpuMs(() => differenceOf(words(7), words(13), 100))).toBeLessThan(1500)
  })
})

describe("JSON", () => {
  test("children come by pages", () => {
    const long = Array.from({ length: 1000 }, (_, index) => index)
    expect(childrenOf(long, 0)).toHaveLength(200)
    expect(childrenOf(long, 900)).toHaveLength(100)
    expect(childrenOf({ a: 1, b: 2 }, 1)).toEqual([["b", 2]])
    expect(childrenOf("text", 0)).toEqual([])
  })
  test("words and kinds", () => {
    expect(closedWords([1])).toBe("[…] 1 item")
    expect(closedWords({ a: 1, b: 2 })).toBe("{…} 2 keys")
    expect([null, undefined, [], {}, "", 0, false].map(kindOf)).toEqual(["null", "null", "array", "object", "string", "number", "boolean"])
    expect(startsOpen({ a: 1 }, 1)).toBe(true)
    expect(startsOpen({ a: 1 }, 2)).toBe(false)
    expect(jsonText("plain")).toBe("plain")
    expect(jsonText(undefined)).toBe("null")
    expect(jsonText({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}')
  })
})

describe("time", () => {
  const now = Date.parse("2026-11-18T12:00:30Z")
  test("ranges", () => {
    expect(instantOf("24h", now)).toBe("2026-11-17T12:00:00.000Z")
    expect(instantOf("7d", now)).toBe("2026-11-11T12:00:00.000Z")
    expect(instantOf("2026-11-01", now)).toBe("2026-11-01T00:00:00.000Z")
    expect(rangeWords("24h", undefined)).toBe("last 24 h")
    expect(rangeWords("36h", undefined)).toBe("after 36h ago")
    expect(rangeWords(undefined, undefined)).toBeUndefined()
    expect(rangeWords("2026-11-01", "2026-11-02")).toBe("1 Nov 2026 00:00 UTC to 2 Nov 2026 00:00 UTC")
    expect(toInput("2026-11-01", now)).toBe("2026-11-01T00:00")
    expect(fromInput("2026-11-01T00:00")).toBe("2026-11-01T00:00Z")
    expect(fromInput("")).toBeUndefined()
  })
})

test("a read-only key is told so", () => {
  const session = (role: "read" | "write" | "admin") => ({ role, project_id: null, key_id: "k", key_name: null, expires_at: null })
  expect(refusal(session("read"), "write")).toBe("This key may read only.")
  expect(refusal(session("write"), "write")).toBeUndefined()
  expect(refusal(session("write"), "admin")).toBe("This needs an admin key.")
  expect(refusal(session("admin"), "admin")).toBeUndefined()
  expect(refusal(undefined, "write")).toBeDefined()
})

test("themes", () => {
  expect(storedTheme("a=b; theme=dark; c=d")).toBe("dark")
  expect(storedTheme("xtheme=dark")).toBe("system")
  expect(storedTheme("theme=pink")).toBe("system")
  expect(nextTheme(nextTheme(nextTheme("system")))).toBe("system")
  expect(themeCookie("dark")).toContain("theme=dark; Path=/")
  expect(themeCookie("system")).toContain("Max-Age=0")
})
