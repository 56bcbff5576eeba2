// A list of traces and the newest rows of the same filter: which are new, and the list with them.
import type { InfiniteData } from "@tanstack/react-query"
import type { Page } from "../../api/queries"
import type { TraceRow } from "../../api/traces"

/** The rows that the pages do not hold, in their order. */
export function arrivedAmong(pages: readonly Page<TraceRow>[], newest: readonly TraceRow[]): TraceRow[] {
  const known = new Set(pages.flatMap((page) => page.items.map((row) => row.id)))
  return newest.filter((row) => !known.has(row.id))
}

/** The list with its rows as they are now, and with the new ones on top if they are wanted; the same list when nothing differs. */
export function withArrived<P>(
  list: InfiniteData<Page<TraceRow>, P>, newest: readonly TraceRow[], insert: boolean,
): InfiniteData<Page<TraceRow>, P> {
  const fresh = new Map(newest.map((row) => [row.id, row]))
  const arrived = insert ? arrivedAmong(list.pages, newest) : []
  let changed = arrived.length > 0
  const pages = list.pages.map((page, index) => {
    const items = page.items.map((row) => {
      const now = fresh.get(row.id)
      if (now === undefined || JSON.stringify(now) === JSON.stringify(row)) return row
      changed = true
      return now
    })
    return { ...page, items: index === 0 ? [...arrived, ...items] : items }
  })
  return changed ? { ...list, pages } : list
}
