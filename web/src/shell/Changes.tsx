import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import type { ChangeKind } from "../api/events"
import { hearChanges } from "../api/events"

type Key = readonly unknown[]

/** What shows things of a kind. Lists of traces look for new rows by themselves (`views/traces/useArrivals.ts`). */
const SHOWN_BY: Record<ChangeKind, readonly Key[]> = {
  dataset: [["datasets"], ["dataset"], ["dashboard"]],
  experiment: [["experiments"], ["experiment"], ["dashboard"], ["playground", "played"]],
  iteration: [["iterations"]],
  job: [["jobs"], ["experiment"]],
  review: [["review", "queue"], ["review", "counts"], ["dashboard"]],
  run: [["experiments"], ["experiment"], ["playground", "runs"]],
  trace: [["arrivals"], ["conversations"], ["conversation"], ["dashboard"]],
}
const LEAST_MS = 2_000
const BUSY_MS = 250

/** Asks again for what the server says has changed, while the page is in sight: at most every two seconds. */
export function Changes({ project }: { project: string }) {
  const client = useQueryClient()
  useEffect(() => {
    const waiting = new Set<ChangeKind>()
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = 0
    function refresh(): void {
      timer = undefined
      const keys = new Set([...waiting].flatMap((kind) => SHOWN_BY[kind]))
      // What is on its way may have left before the change: it is waited for, and asked again.
      if ([...keys].some((queryKey) => client.isFetching({ queryKey }) > 0)) {
        timer = setTimeout(refresh, BUSY_MS)
        return
      }
      waiting.clear()
      last = Date.now()
      for (const queryKey of keys) void client.invalidateQueries({ queryKey })
    }
    const end = hearChanges(project, (kinds) => {
      for (const kind of kinds) waiting.add(kind)
      timer ??= setTimeout(refresh, Math.max(0, last + LEAST_MS - Date.now()))
    })
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [client, project])
  return null
}
