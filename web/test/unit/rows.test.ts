import { describe, expect, test } from "vitest"
import { rowAt, rowWindow, scrollFor, topOf, totalHeight } from "../../src/parts/rowWindow"
import type { Column } from "../../src/parts/TableHead"
import { nextSort, sortState } from "../../src/parts/TableHead"
import { hasChildren, indentOf, parentOf, positions, revealed, siblingsOpened, toggled, visible } from "../../src/parts/treeRows"
import { cpuMs } from "./cpu"

describe("windows", () => {
  test("hold what is in sight and little more", () => {
    for (const top of [0, 1, 31, 32, 1_000_000, 3_199_000, 3_200_000]) {
      const [first, end] = rowWindow(top, 900, 100_000, 32)
      expect(first * 32).toBeLessThanOrEqual(Math.min(top, 3_200_000))
      expect(Math.min(100_000, end) * 32).toBeGreaterThanOrEqual(Math.min(top + 900, 3_200_000))
      expect(end - first).toBeLessThanOrEqual(60)
    }
  })
  test("of few rows are all rows", () => expect(rowWindow(0, 900, 3, 32)).toEqual([0, 3]))
  test("of none are none", () => expect(rowWindow(0, 900, 0, 32)).toEqual([0, 0]))
  test("above the top begin at the first", () => expect(rowWindow(-32, 300, 100, 32)[0]).toBe(0))

  test("make room for what is open", () => {
    const open = { at: 3, height: 500 }
    expect(topOf(3, 32, open)).toBe(96)
    expect(topOf(4, 32, open)).toBe(4 * 32 + 500)
    expect(totalHeight(10, 32, open)).toBe(820)
    expect(totalHeight(2, 32, open)).toBe(64)
    for (const index of [0, 3, 4, 9]) expect(rowAt(topOf(index, 32, open), 32, open)).toBe(index)
    expect(rowAt(96 + 32 + 250, 32, open)).toBe(3)
  })

  test("scroll no more than needed", () => {
    expect(scrollFor(5, 0, 320, 32)).toBeUndefined()
    expect(scrollFor(10, 0, 320, 32)).toBe(32)
    expect(scrollFor(0, 100, 320, 32)).toBe(0)
  })
})

test("sorting turns round", () => {
  const age: Column<unknown> = { id: "age", head: "Age", width: 1, cell: () => null, sort: "age", first: "descending" }
  expect(nextSort(undefined, age)).toBe("-age")
  expect(nextSort("-age", age)).toBe("age")
  expect(nextSort("age", age)).toBe("-age")
  expect(nextSort("cost", age)).toBe("-age")
  expect(sortState("-age", age)).toBe("descending")
  expect(sortState("cost", age)).toBeUndefined()
})

describe("trees", () => {
  //  a ─ b ─ c        d ─ e
  //    └ f
  const nodes = [["a", 0], ["b", 1], ["c", 2], ["f", 1], ["d", 0], ["e", 1]].map(([id, depth]) => ({ id: id as string, depth: depth as number }))
  const ids = (closed: string[]) => visible(nodes, new Set(closed)).map((index) => nodes[index]?.id).join("")

  test("closed branches hide all below", () => {
    expect(ids([])).toBe("abcfde")
    expect(ids(["b"])).toBe("abfde")
    expect(ids(["a"])).toBe("ade")
    expect(ids(["a", "b", "d"])).toBe("ad")
  })
  test("know their children and parents", () => {
    expect(nodes.map((_, index) => hasChildren(nodes, index))).toEqual([true, true, false, false, true, false])
    expect(nodes.map((_, index) => parentOf(nodes, index))).toEqual([-1, 0, 1, 0, -1, 4])
  })
  test("count siblings", () => {
    expect(positions(nodes).map(({ position, size }) => `${position}/${size}`)).toEqual(["1/2", "1/2", "1/1", "2/2", "2/2", "1/1"])
  })
  test("bear a level that is skipped", () => {
    expect(positions([{ id: "a", depth: 0 }, { id: "b", depth: 3 }, { id: "c", depth: 0 }]).map(({ size }) => size)).toEqual([2, 1, 2])
  })
  test("open and close", () => {
    expect([...toggled(new Set(["a"]), "b", true)]).toEqual(["a", "b"])
    expect([...toggled(new Set(["a"]), "a", false)]).toEqual([])
    expect([...siblingsOpened(nodes, new Set(["a", "b", "d"]), 0)]).toEqual(["b"])
    expect([...siblingsOpened(nodes, new Set(["a", "b", "d"]), 1)]).toEqual(["a", "d"])
    expect([...revealed(nodes, new Set(["a", "b", "d"]), 2)]).toEqual(["d"])
  })
  test("stop growing to the right", () => {
    expect(indentOf(24)).toBe(indentOf(1000))
    expect(indentOf(23)).toBeLessThan(indentOf(24))
  })
  test("of 10,000 nodes, 5,000 deep, are quick", () => {
    const deep = Array.from({ length: 10_000 }, (_, index) => ({ id: `${index}`, depth: Math.min(index, 5000) }))
    const spent = cpuMs(() => {
      expect(visible(deep, new Set()).length).toBe(10_000)
      expect(positions(deep).length).toBe(10_000)
    })
    expect(spent).toBeLessThan(200)
  })
})
