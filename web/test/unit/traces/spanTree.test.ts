import { describe, expect, test } from "vitest"
import type { SpanColumns } from "../../../src/api/traces"
import { nextError, spanTree, withAncestors } from "../../../src/views/traces/spanTree"

function columns(parents: (number | null)[], errors: number[] = []): SpanColumns {
  const count = parents.length
  const nulls = Array.from({ length: count }, () => null)
  return {
    id: parents.map((_, at) => `s${at}`),
    parent: parents,
    orphans: {},
    names: ["step"],
    name: parents.map(() => 0),
    start_ms: parents.map((_, at) => at),
    duration_ms: parents.map(() => 1),
    models: [],
    model: nulls,
    operations: [],
    operation: nulls,
    tokens_input: nulls,
    tokens_output: nulls,
    cost_usd: nulls,
    has_error: parents.map((_, at) => errors.includes(at)),
    score_count: parents.map(() => 0),
    input_size: parents.map(() => 0),
    output_size: parents.map(() => 0),
  }
}

const shape = (parents: (number | null)[]) => spanTree(columns(parents)).nodes.map((node) => [node.at, node.depth])

describe("spanTree", () => {
  test("every span comes right after its parent's earlier children", () => {
    expect(shape([null, 0, 0, 1, 2])).toEqual([[0, 0], [1, 1], [3, 2], [2, 1], [4, 2]])
  })
  test("several tops stand beside each other", () => {
    expect(shape([null, null, 1])).toEqual([[0, 0], [1, 0], [2, 1]])
  })
  test("a ring of parents loses no span", () => {
    expect(shape([1, 0, null])).toEqual([[2, 0], [0, 0], [1, 1]])
  })
  test("a hundred thousand levels do not overflow", () => {
    const deep = Array.from({ length: 100_000 }, (_, at) => (at === 0 ? null : at - 1))
    expect(spanTree(columns(deep)).nodes.at(-1)?.depth).toBe(99_999)
  })
  test("the whole is as long as its last end", () => {
    expect(spanTree(columns([null, 0, 0])).total).toBe(3)
  })
})

describe("withAncestors", () => {
  test("keeps the way to each wanted span, and nothing else", () => {
    const { nodes } = spanTree(columns([null, 0, 0, 1, 2]))
    expect(withAncestors(nodes, (node) => node.at === 3).map((node) => node.at)).toEqual([0, 1, 3])
    expect(withAncestors(nodes, () => false)).toEqual([])
  })
})

describe("nextError", () => {
  const { nodes } = spanTree(columns([null, 0, 0, 1, 2], [3, 2]))
  test("goes forward, back and round", () => {
    expect(nextError(nodes, undefined, 1)).toBe("s3")
    expect(nextError(nodes, "s3", 1)).toBe("s2")
    expect(nextError(nodes, "s2", 1)).toBe("s3")
    expect(nextError(nodes, "s3", -1)).toBe("s2")
  })
  test("is nothing where there is no error", () => {
    expect(nextError(spanTree(columns([null])).nodes, "s0", 1)).toBeUndefined()
  })
})
