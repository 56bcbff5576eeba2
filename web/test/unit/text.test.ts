import { describe, expect, test } from "vitest"
import { beginning, chunksOf, piecesOf } from "../../src/parts/textPieces"

describe("hidden characters", () => {
  test.each([
    ["\u202e", "right-to-left override"],
    ["\u2066", "left-to-right isolate"],
    ["\u200b", "zero width space"],
    ["\u0000", "NUL"],
    ["\u001b", "ESC"],
    ["\u00ad", "soft hyphen"],
    ["\ufeff", "byte order mark"],
    ["\u{e0041}", "U+E0041"],
    ["\u0085", "U+0085"],
  ])("%j is a box that says %s", (character, name) => {
    expect(piecesOf(`a${character}b`)).toEqual([{ text: "a" }, { text: character, hidden: name }, { text: "b" }])
  })

  test("ordinary text is one piece", () => {
    for (const text of ["a\tb\nc", "a\r\nb", "ünï 日本 עברית", "👩‍🚀 and 👨🏽‍🚒", "‐–—’"]) expect(piecesOf(text)).toEqual([{ text }])
  })

  test("a joiner outside an emoji is shown", () => {
    expect(piecesOf("pay\u200dpal")[1]?.hidden).toBe("zero width joiner")
  })

  test("a lone carriage return is shown", () => expect(piecesOf("a\rb")[1]?.hidden).toBe("CR"))

  test("nothing gives nothing", () => expect(piecesOf("")).toEqual([]))
})

describe("long lines", () => {
  test("are cut, and the pieces give the text", () => {
    const text = `${"x".repeat(12_000)}\nshort\n${"y".repeat(5001)}`
    const chunks = chunksOf(text)
    expect(chunks.join("")).toBe(text)
    expect(chunks.length).toBe(4)
    expect(Math.max(...chunks.flatMap((chunk) => chunk.split("\n")).map((line) => line.length))).toBe(5000)
  })

  test("never inside a surrogate pair", () => {
    const chunks = chunksOf("x" + "😀".repeat(10), 6)
    expect(chunks.join("")).toBe("x" + "😀".repeat(10))
    for (const chunk of chunks) expect(chunk).not.toMatch(/^[\udc00-\udfff]/)
  })

  test("short ones stay whole", () => expect(chunksOf("a\nb")).toEqual(["a\nb"]))
})

test("beginnings are whole characters", () => {
  expect(beginning("abc", 2)).toBe("ab")
  expect(beginning("a😀", 2)).toBe("a")
  expect(beginning("ab", 2)).toBe("ab")
})
