import { describe, expect, test } from "vitest"
import { blocksOf } from "../../src/parts/markdownBlocks"
import { inlineOf } from "../../src/parts/markdownInline"
import { cpuMs } from "./cpu"

describe("blocks", () => {
  test("of every kind", () => {
    const text = "# Title #\n\nOne\ntwo\n\n- a\n- b\n  1. c\n\n```py\n*x*\n```\n> quoted\n\n---\n\n|a|b|\n|-|-|\n|1|2|3|\n|4|\n"
    expect(blocksOf(text)).toEqual([
      { kind: "heading", level: 1, text: "Title" },
      { kind: "paragraph", text: "One\ntwo" },
      {
        kind: "list",
        ordered: false,
        start: 1,
        items: [
          [{ kind: "paragraph", text: "a" }],
          [
            { kind: "paragraph", text: "b" },
            { kind: "list", ordered: true, start: 1, items: [[{ kind: "paragraph", text: "c" }]] },
          ],
        ],
      },
      { kind: "code", language: "py", text: "*x*" },
      { kind: "quote", blocks: [{ kind: "paragraph", text: "quoted" }] },
      { kind: "rule" },
      { kind: "table", head: ["a", "b"], rows: [["1", "2"], ["4", ""]] },
    ])
  })

  test("HTML is text", () => {
    expect(blocksOf("<img src=x onerror=alert(1)>")).toEqual([{ kind: "paragraph", text: "<img src=x onerror=alert(1)>" }])
    expect(inlineOf("<b>x</b>")).toEqual([{ kind: "text", text: "<b>x</b>" }])
  })

  test("an open fence goes to the end", () => {
    expect(blocksOf("```\na\nb")).toEqual([{ kind: "code", language: "", text: "a\nb" }])
  })

  test("a list ends where a paragraph follows a blank line", () => {
    expect(blocksOf("- a\n\nb").map((block) => block.kind)).toEqual(["list", "paragraph"])
    expect(blocksOf("- a\n\n- b")).toHaveLength(1)
  })

  test("all text comes out", () => {
    for (const text of ["1) one\n2) two", "a\n***\nb", "* * *", "-", "#", ">", "|", "||\n||", "   - x\n text"]) {
      expect(() => blocksOf(text)).not.toThrow()
    }
  })
})

describe("inline", () => {
  test("emphasis, code, strike", () => {
    expect(inlineOf("a **b *c*** `d*` ~~e~~")).toMatchObject([
      { kind: "text", text: "a " },
      { kind: "strong" },
      { kind: "text", text: " " },
      { kind: "code", text: "d*" },
      { kind: "text", text: " " },
      { kind: "struck", children: [{ kind: "text", text: "e" }] },
    ])
  })

  test.each(["snake_case_name", "2 * 3 * 4", "a_b_", "**", "* a*", "[a](b", "\\"])("%j stays as it is", (text) => {
    expect(inlineOf(text)).toEqual([{ kind: "text", text }])
  })

  test("escapes", () => expect(inlineOf("\\*a\\*")).toEqual([{ kind: "text", text: "*a*" }]))

  test("links hold a checked address", () => {
    expect(inlineOf("[a](https://example.org/x_(y))")).toEqual([
      { kind: "link", label: [{ kind: "text", text: "a" }], address: "https://example.org/x_(y)", href: "https://example.org/x_(y)" },
    ])
    expect(inlineOf("[a](javascript:alert)")).toMatchObject([{ kind: "link", address: "javascript:alert", href: null }])
    expect(inlineOf("<https://example.org>")).toMatchObject([{ kind: "link", href: "https://example.org/" }])
    expect(inlineOf("![a](https://example.org/a.png)")).toEqual([{ kind: "image", label: "a", address: "https://example.org/a.png" }])
  })
})

test.each([
  ["stars", "*".repeat(50_000)],
  ["open stars", "*a ".repeat(30_000)],
  ["brackets", "[".repeat(100_000)],
  ["links", "[a](".repeat(25_000)],
  ["backticks", "`a``b```".repeat(12_000)],
  ["quotes", ">".repeat(100_000)],
  ["bars", "|".repeat(50_000) + "\n" + "|-".repeat(25_000)],
  ["items", "- ".repeat(50_000)],
  ["spaces", "#" + " ".repeat(100_000) + "x"],
  ["angles", "<https://".repeat(11_000)],
])("hostile %s are quick", (_, text) => {
  const spent = cpuMs(() => {
    for (const block of blocksOf(text)) if (block.kind === "paragraph" || block.kind === "heading") inlineOf(block.text)
  })
  expect(spent).toBeLessThan(1500)
})
