// Traces that arrive while the list is open: they are announced, or in live mode inserted; what is listed already is brought up to date.
import type { InfiniteData, QueryKey } from "@tanstack/react-query"
import { useQuery, useQueryClient } from "@tanstack/react-query"
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
  const [shown, setShown] = useState(0)
  const news = newest.data?.items
  const arrived = list === undefined || news === undefined ? [] : arrivedAmong(list.pages, news)
  const all = arrived.length >= PAGE || (filter["sort"] !== undefined && arrived.length > 0)
  function insert(): void {
    // Further than a page apart, or in another order: only the list itself knows what belongs in between.
    if (all) void client.invalidateQueries({ queryKey: listKey })
    else client.setQueryData<Listed>(listKey, (before) => before && withArrived(before, news ?? [], true))
    void client.invalidateQueries({ queryKey: ["traces", "facets"] })
  }
  const latest = useRef({ live, insert })
  latest.current = { live, insert }
  useEffect(() => {
    if (news === undefined) return
    client.setQueryData<Listed>(listKey, (before) => before && withArrived(before, news, false))
    if (latest.current.live) latest.current.insert()
    // Once per answer, and when the switch is turned on.
  }, [news, live])
  return {
    count: live ? 0 : arrived.length,
    all,
    shown,
    show: () => {
      insert()
      setShown(shown + 1)
    },
  }
}
