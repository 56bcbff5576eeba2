import { expect, test } from "vitest"
import type { TraceRow } from "../../../src/api/traces"
import { arrivedAmong, withArrived } from "../../../src/views/traces/arrivals"

const row = (id: string, span_count = 1) => ({ id, span_count }) as TraceRow
const list = (...pages: TraceRow[][]) => ({
  pages: pages.map((items, index) => ({ items, next_cursor: index === pages.length - 1 ? null : "next" })),
  pageParams: pages.map(() => null as string | null),
})
const ids = (made: ReturnType<typeof list>) => made.pages.map((page) => page.items.map((one) => one.id))

test("new rows are those that no page holds", () => {
  const pages = list([row("c"), row("b")], [row("a")]).pages
  expect(arrivedAmong(pages, [row("e"), row("d"), row("c"), row("a")]).map((one) => one.id)).toEqual(["e", "d"])
})

test("they are inserted on top, once", () => {
  const newest = [row("d"), row("c"), row("b")]
  const once = withArrived(list([row("c"), row("b")], [row("a")]), newest, true)
  expect(ids(once)).toEqual([["d", "c", "b"], ["a"]])
  expect(withArrived(once, newest, true)).toBe(once)
})

test("until they are wanted, rows in sight are only brought up to date", () => {
  const before = list([row("c"), row("b")], [row("a")])
  const after = withArrived(before, [row("d"), row("c", 7), row("b")], false)
  expect(ids(after)).toEqual(ids(before))
  expect(after.pages[0]?.items[0]?.span_count).toBe(7)
  expect(after.pages[0]?.items[1]).toBe(before.pages[0]?.items[1])
})

test("a list of which nothing changed is the same list", () => {
  const before = list([row("c"), row("b")])
  expect(withArrived(before, [row("d"), row("c"), row("b")], false)).toBe(before)
})
