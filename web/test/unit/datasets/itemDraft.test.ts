import { describe, expect, test } from "vitest"
import { changesText } from "../../../src/views/datasets/changes"
import { fileName } from "../../../src/views/datasets/files"
import { formOf, isSame, readAs, readForm } from "../../../src/views/datasets/itemDraft"

const ITEM = { id: "i", dataset_id: "d", key: "k", input: "q", expected_output: { a: [1] } as unknown, metadata: { t: 1 } as Record<string, unknown> | null, created_at: "" }

describe("an item that is typed", () => {
  test("comes back as it was when nothing is changed", () => {
    for (const value of ["text", "", "  ", 0, false, [], {}, { a: null }, '"quoted"', "{broken"]) {
      const item = { ...ITEM, input: value as unknown, expected_output: value as unknown }
      expect(readForm(formOf(item)).draft).toEqual({ input: value, expected_output: value, metadata: { t: 1 }, key: "k" })
    }
    const bare = { ...ITEM, expected_output: null, metadata: null, key: null }
    expect(readForm(formOf(bare)).draft).toEqual({ input: "q", expected_output: null, metadata: null, key: null })
    expect(isSame(formOf(bare), formOf(bare))).toBe(true)
  })

  test("says beside which field what is wrong", () => {
    const empty = formOf(undefined)
    expect(Object.keys(readForm(empty).problems)).toEqual(["input"])
    const wrong = { key: "", input: { as: "json" as const, text: "null" }, expected_output: { as: "json" as const, text: "{" }, metadata: "[1]" }
    const { draft, problems } = readForm(wrong)
    expect(draft).toBeUndefined()
    expect(problems.input).toMatch(/null/)
    expect(problems.expected_output).toMatch(/not JSON/)
    expect(problems.metadata).toMatch(/JSON object/)
  })

  test("is read as JSON or as text without losing what was typed", () => {
    expect(readAs({ as: "text", text: "say hi" }, "json")).toEqual({ as: "json", text: '"say hi"' })
    expect(readAs({ as: "text", text: "[1]" }, "json")).toEqual({ as: "json", text: "[1]" })
    expect(readAs({ as: "json", text: '"say hi"' }, "text")).toEqual({ as: "text", text: "say hi" })
    expect(readAs({ as: "json", text: "{half" }, "text")).toEqual({ as: "text", text: "{half" })
    expect(readAs({ as: "json", text: "" }, "text")).toEqual({ as: "text", text: "" })
  })
})

test("what changed in a version", () => {
  expect(changesText({ added: 1200, removed: 1, changed: 2 })).toBe("+1,200 −1, 2 changed")
  expect(changesText({ added: 0, removed: 0, changed: 2 })).toBe("2 changed")
  expect(changesText({ added: 0, removed: 0, changed: 0 })).toBe("nothing changed")
})

test("an exported file has a plain name", () => {
  expect(fileName("support questions/2026", 4)).toBe("support-questions-2026-v4.ndjson")
  expect(fileName("../../etc", 1)).toBe("etc-v1.ndjson")
  expect(fileName("‮", 1)).toBe("dataset-v1.ndjson")
})
