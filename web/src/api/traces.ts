// Calls of the views of traces.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { api, call, once } from "./client"
import type { Page, Schemas } from "./queries"
import { pagesOf } from "./queries"

export type TraceRow = Schemas["TraceRow"]
export type TraceFacets = Schemas["TraceFacets"]
export type TraceSkeleton = Schemas["TraceSkeleton"]
export type SpanColumns = Schemas["SpanColumns"]
export type SpanDetail = Schemas["SpanDetail"]
export type Score = Schemas["Score"]
export type ScoringState = Schemas["ScoringState"]
export type Annotation = Schemas["Annotation"]

/** The filters of a list of traces, as the API names them; `metadata.KEY` as well. */
export interface TraceFilter {
  project_id: string
  [name: string]: string | number | undefined
}

export const PAGE = 50
/** Longer inputs and outputs are begun, and loaded whole on demand. */
const WHOLE_BYTES = 10_240

export function tracesQuery(filter: TraceFilter) {
  return {
    ...pagesOf(["traces", filter], (cursor, signal) =>
      call(api.GET("/v1/traces", { params: { query: { ...filter, limit: PAGE, cursor } as never }, signal })),
    ),
    placeholderData: keepPreviousData,
  }
}

/** The first page alone: what the list would begin with now. Asked for when traces have arrived, not before. */
export function newestQuery(filter: TraceFilter) {
  return queryOptions({
    queryKey: ["arrivals", filter],
    queryFn: ({ signal }) =>
      call(api.GET("/v1/traces", { params: { query: { ...filter, limit: PAGE } as never }, signal })) as Promise<Page<TraceRow>>,
    initialData: { items: [], next_cursor: null },
    staleTime: Infinity,
    gcTime: 0,
  })
}

export function facetsQuery(filter: TraceFilter) {
  return queryOptions({
    queryKey: ["traces", "facets", filter],
    queryFn: ({ signal }) => call(api.GET("/v1/traces/facets", { params: { query: filter as never }, signal })),
    placeholderData: keepPreviousData,
  })
}

export function skeletonQuery(project: string, id: string) {
  return queryOptions({
    queryKey: ["trace", project, id],
    queryFn: async ({ signal }) => {
      const query = { project_id: project, spans: "skeleton" as const }
      return (await call(api.GET("/v1/traces/{id}", { params: { path: { id }, query }, signal }))) as TraceSkeleton
    },
  })
}

/** One span; `whole` asks for all of its input and output. */
export function spanQuery(project: string, id: string, span: string, whole: boolean) {
  return queryOptions({
    queryKey: ["trace", project, id, "span", span, whole],
    queryFn: ({ signal }) => {
      const query = { project_id: project, ...(whole ? {} : { max_bytes: WHOLE_BYTES }) }
      const path = { id, span_id: span }
      return call(api.GET("/v1/traces/{id}/spans/{span_id}", { params: { path, query }, signal }))
    },
    staleTime: 60_000,
  })
}

export function traceScoresQuery(project: string, id: string) {
  return queryOptions({
    queryKey: ["trace", project, id, "scores"],
    queryFn: ({ signal }) =>
      call(api.GET("/v1/traces/{id}/scores", { params: { path: { id }, query: { project_id: project } }, signal })),
  })
}

export function annotationsQuery(project: string, id: string, enabled: boolean) {
  return queryOptions({
    queryKey: ["trace", project, id, "annotations"],
    queryFn: ({ signal }) =>
      call(api.GET("/v1/annotations", { params: { query: { project_id: project, trace_id: id, limit: 50 } }, signal })),
    enabled,
  })
}

/** Ids of the spans that hold a text. */
export function findQuery(project: string, id: string, text: string | undefined) {
  return queryOptions({
    queryKey: ["trace", project, id, "find", text],
    queryFn: ({ signal }) => {
      const query = { project_id: project, q: text ?? "" }
      return call(api.GET("/v1/traces/{id}/find", { params: { path: { id }, query }, signal }))
    },
    enabled: text !== undefined,
    placeholderData: keepPreviousData,
  })
}

export function deleteTrace(project: string, id: string) {
  return call(api.DELETE("/v1/traces/{id}", { params: { path: { id }, query: { project_id: project } } }))
}

export function datasetNamesQuery(project: string) {
  return queryOptions({
    queryKey: ["datasets", project, "names"],
    queryFn: ({ signal }) => call(api.GET("/v1/datasets", { params: { query: { project_id: project, limit: 200 } }, signal })),
    staleTime: 60_000,
  })
}

export interface NewItem {
  dataset: string
  input: unknown
  expected_output: unknown
  metadata: Record<string, string>
}

export function addItem(item: NewItem, key: string) {
  const { dataset, ...body } = item
  return call(
    api.POST("/v1/datasets/{id}/items", { params: { path: { id: dataset } }, body: body as never, headers: once(key) }),
  )
}
