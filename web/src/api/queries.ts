// One function per call, its query key beside it. A feature's own calls are in api/<feature>.ts, in the same form.
import { infiniteQueryOptions, queryOptions, useQuery } from "@tanstack/react-query"
import { api, call, hasDevKey } from "./client"
import type { components } from "./schema"

export type Schemas = components["schemas"]

// To be replaced by the type from schema.d.ts once the session routes are in the OpenAPI document.
export interface Session {
  role: "read" | "write" | "admin"
  project_id: string | null
  name?: string | null
  expires_at?: string | null
}

export function sessionQuery() {
  return queryOptions({ queryKey: ["session"], queryFn: ({ signal }) => getSession(signal), staleTime: 60_000 })
}

async function getSession(signal: AbortSignal): Promise<Session> {
  if (hasDevKey) return { role: "admin", project_id: null, name: "development" }
  return sendSession("GET", undefined, signal)
}

/** Log in with a key, or with the one-use code of a printed link. */
export function openSession(body: { key: string } | { code: string }): Promise<Session> {
  return sendSession("POST", body)
}

export function closeSession(): Promise<unknown> {
  return sendSession("DELETE")
}

async function sendSession(method: string, body?: object, signal?: AbortSignal): Promise<Session> {
  const request = fetch("/v1/session", {
    method,
    credentials: "same-origin",
    headers: { "X-Gnomon": "1", Accept: "application/json", ...(body ? { "Content-Type": "application/json" } : {}) },
    body: body ? JSON.stringify(body) : null,
    signal: signal ?? null,
  })
  return call(
    request.then(async (response) => {
      const parsed: unknown = await response.json().catch(() => null)
      return response.ok ? { data: parsed as Session, response } : { error: parsed, response }
    }),
  )
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
  return useQuery(projectsQuery()).data?.items.find((project) => project.id === id)?.name
}

export interface ExperimentFilter {
  project_id: string
  dataset_id?: string | undefined
}

export function experimentsQuery(filter: ExperimentFilter) {
  return pagesOf(["experiments", filter], (cursor, signal) =>
    call(api.GET("/v1/experiments", { params: { query: { ...filter, limit: 50, cursor } }, signal })),
  )
}

interface Page<R> {
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

