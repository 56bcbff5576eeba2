import { describe, expect, test } from "vitest"
import { csvRows } from "../../../src/views/datasets/csv"
import { allSkipped, prepare, tableLines } from "../../../src/views/datasets/importing"

const cells = (text: string, separator?: string) => [...csvRows(text, separator)].map((row) => row.cells)

describe("csv", () => {
  test("cells are split, quoted ones hold separators, quotes and line ends", () => {
    expect(cells('a,b\n"x, y","say ""hi"""\r\n"two\nlines",3')).toEqual([["a", "b"], ["x, y", 'say "hi"'], ["two\nlines", "3"]])
    expect(cells("a\tb\n1\t2,3", "\t")).toEqual([["a", "b"], ["1", "2,3"]])
  })

  test("empty cells stay, empty lines go, and a last line needs no end", () => {
    expect(cells("a,b\n\n,\r\n\r\nx,")).toEqual([["a", "b"], ["", ""], ["x", ""]])
    expect(cells("")).toEqual([])
    expect(cells('""')).toEqual([])
    expect(cells("a\rb")).toEqual([["a\rb"]])
  })

  test("a row says on which line it begins, also after cells of several lines", () => {
    expect([...csvRows('h\n"1\n2"\n\nx')].map((row) => row.line)).toEqual([1, 2, 5])
  })

  test("what cannot be read is said and does not stop the rest", () => {
    const [bad, good] = [...csvRows('"a"b,c\nd,e')]
    expect(bad?.problem).toMatch(/closing quote/)
    expect(good).toEqual({ line: 2, cells: ["d", "e"] })
    expect([...csvRows('a\n"never\nclosed')].at(-1)?.problem).toMatch(/never closed/)
  })

  test("any text comes to an end", () => {
    const alphabet = ['"', ",", "\n", "\r", "a"]
    let seed = 7
    for (let round = 0; round < 2000; round += 1) {
      let text = ""
      for (let at = 0; at < 12; at += 1) {
        seed = (seed * 1103515245 + 12345) % 2147483648
        text += alphabet[(seed >> 8) % alphabet.length]
      }
      expect([...csvRows(text)].length).toBeLessThanOrEqual(13)
    }
  })
})

describe("a table of items", () => {
  test("columns become fields, others metadata, and empty cells are left out", () => {
    const text = 'id,input,expected_output,topic,metadata\n7,q,,shoes,"{""n"": 1}"\n,only,,,'
    const table = tableLines(text, ",")
    expect(table.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { key: "7", input: "q", metadata: { n: 1, topic: "shoes" } },
      { input: "only" },
    ])
    expect(table.others).toEqual(["topic"])
    expect(table.lineOf).toEqual([2, 3])
  })

  test("rows that are no item are skipped with a reason", () => {
    const table = tableLines('input,metadata,topic\na\n,,x\nb,nonsense,\nc,[1],\nd,"{""topic"":1}",x\ne,,', ",")
    expect(table.skipped).toEqual([
      { line: 2, reason: "1 cells where the first line has 3; quote cells that hold a separator" },
      { line: 3, reason: "the input is empty" },
      { line: 4, reason: "metadata is not a JSON object" },
      { line: 5, reason: "metadata is not a JSON object" },
      { line: 6, reason: "“topic” is a column and also a key of metadata" },
    ])
    expect(table.lineOf).toEqual([7])
  })

  test("a column that is called as something of every object stays data", () => {
    const [line] = tableLines("input,__proto__,constructor\nq,a,b", ",").lines
    expect(line).toBe('{"input":"q","metadata":{"constructor":"b","__proto__":"a"}}')
  })

  test.each([
    ["", /empty/],
    ["question,answer\na,b", /none is “input”, only question, answer/],
    ["input,input\na,b", /Two columns/],
    ["input,id,key\na,b,c", /mean the same/],
  ])("the head %j is refused", (text, words) => {
    expect(() => tableLines(text, ",")).toThrow(words)
  })

  test("files: lines of JSON go as they are, CSV must be UTF-8", async () => {
    const lines = new File(['{"input": 1}'], "a.jsonl")
    expect((await prepare(lines)).lines).toBe(lines)
    const table = await prepare(new File(["\ufeffinput\nq"], "A.CSV"))
    expect(await table.lines.text()).toBe('{"input":"q"}')
    await expect(prepare(new File([new Uint8Array([0x69, 0xff])], "a.csv"))).rejects.toThrow(/UTF-8/)
  })

  test("what the server skipped is found in the file", () => {
    const prepared = { format: "CSV" as const, lines: new Blob(), lineOf: [2, 5, 9], skipped: [{ line: 7, reason: "here" }], others: [] }
    const imported = { imported_count: 2, skipped_count: 1, skipped: [{ line: 2, reason: "there" }] }
    expect(allSkipped(prepared, imported)).toEqual({ count: 2, listed: [{ line: 5, reason: "there" }, { line: 7, reason: "here" }] })
  })
})
