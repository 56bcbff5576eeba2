// One function per call, its query key beside it. A feature's own calls are in api/<feature>.ts, in the same form.
import { infiniteQueryOptions, queryOptions, useQuery } from "@tanstack/react-query"
import { SHARE } from "../address"
import { api, call } from "./client"
import type { components } from "./schema"

export type Schemas = components["schemas"]

export type Session = Schemas["Session"]

/** Who is logged in, and what they may do. */
export function sessionQuery() {
  return queryOptions({
    queryKey: ["session"],
    queryFn: ({ signal }) => call(api.GET("/v1/session", { signal })),
    staleTime: 60_000,
  })
}

/** Log in with a key, or with the one-use code of a printed link. */
export function openSession(body: { key: string } | { code: string } | { share: string }): Promise<Session> {
  return call(api.POST("/v1/session", { body }))
}

export function closeSession(): Promise<unknown> {
  return call(api.DELETE("/v1/session"))
}

export function useSession(): Session | undefined {
  return useQuery(sessionQuery()).data
}

export function projectsQuery() {
  return queryOptions({
    queryKey: ["projects"],
    queryFn: ({ signal }) => call(api.GET("/v1/projects", { params: { query: { limit: 200 } }, signal })),
    staleTime: 60_000,
  })
}

/** The project's name while the list of projects is known, else undefined. */
export function useProjectName(id: string | undefined): string | undefined {
  return useQuery({ ...projectsQuery(), enabled: SHARE === undefined }).data?.items.find((project) => project.id === id)?.name
}

export interface Page<R> {
  items: R[]
  next_cursor: string | null
}

/** Options for useInfiniteQuery over one of the API's cursor pages. */
export function pagesOf<R>(
  queryKey: readonly unknown[],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<R>>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam ?? undefined, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: Page<R>) => page.next_cursor,
  })
}

/** All rows loaded so far, or undefined while there is no page yet. */
export function rowsOf<R>(data: { pages: Page<R>[] } | undefined): R[] | undefined {
  return data?.pages.flatMap((page) => page.items)
}

