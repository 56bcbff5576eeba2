// Traces that arrive while the list is open: they are announced, or in live mode inserted; what is listed already is brought up to date.
import type { InfiniteData, QueryKey } from "@tanstack/react-query"
import { useIsFetching, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import type { Page } from "../../api/queries"
import type { TraceFilter, TraceRow } from "../../api/traces"
import { newestQuery, PAGE } from "../../api/traces"
import { arrivedAmong, withArrived } from "./arrivals"

type Listed = InfiniteData<Page<TraceRow>, string | null>

interface Arrivals {
  /** New rows that the list does not show yet; `all` when there may be more of them. */
  count: number
  all: boolean
  /** Changes when the list has been shown anew from its top. */
  shown: number
  show: () => void
}

/** `listKey` is the key of the list's own query, `filter` what it asks for; new rows of a list sorted by age come on top. */
export function useArrivals(listKey: QueryKey, filter: TraceFilter, live: boolean): Arrivals {
  const client = useQueryClient()
  const list = client.getQueryData<Listed>(listKey)
  const newest = useQuery({ ...newestQuery(filter), enabled: list !== undefined })
  const isListLoading = useIsFetching({ queryKey: listKey, exact: true }) > 0
  const [wanted, setWanted] = useState(false)
  const [shown, setShown] = useState(0)
  const insertedOf = useRef<readonly TraceRow[]>(undefined)
  const news = newest.data?.items
  const arrived = list === undefined || news === undefined ? [] : arrivedAmong(list.pages, news)
  const all = arrived.length >= PAGE || (filter["sort"] !== undefined && arrived.length > 0)
  function insert(rows: readonly TraceRow[]): void {
    if (rows.length === 0) return
    const again = insertedOf.current === rows && !wanted
    insertedOf.current = rows
    // Further than a page apart, or in another order: only the list itself knows what belongs in between.
    if (!all) client.setQueryData<Listed>(listKey, (before) => before && withArrived(before, rows, true))
    else if (!again) void client.invalidateQueries({ queryKey: listKey })
    if (!again) void client.invalidateQueries({ queryKey: ["traces", "facets"] })
  }
  useEffect(() => {
    // The list is left alone while an answer to it is on its way: that may be older than these rows, and would take them out again.
    if (news === undefined || client.isFetching({ queryKey: listKey, exact: true }) > 0) return
    client.setQueryData<Listed>(listKey, (before) => before && withArrived(before, news, false))
    if (live || wanted) insert(news)
    if (!wanted) return
    setWanted(false)
    setShown((before) => before + 1)
    // Once per answer, when an answer to the list has come, and when somebody wants to see them.
  }, [news, live, wanted, isListLoading])
  return { count: live || wanted ? 0 : arrived.length, all, shown, show: () => setWanted(true) }
}
