// Calls of the views of datasets.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { BASE } from "../address"
import { api, call, callFor, once } from "./client"
import type { Page, Schemas } from "./queries"
import { pagesOf } from "./queries"

export type Dataset = Schemas["Dataset"]
export type DatasetRow = Schemas["DatasetRow"]
export type LeanItem = Schemas["LeanItem"]
export type DatasetItem = Schemas["DatasetItem"]
export type DatasetVersion = Schemas["DatasetVersion"]
export type ItemRun = Schemas["ItemRun"]
export type DatasetQuality = Schemas["DatasetQuality"]
export type ItemQuality = Schemas["ItemQuality"]
export type Imported = Schemas["Imported"]
export type ItemDraft = Schemas["ItemDraft"]

export const PAGE = 50
/** Runs come whole, so few at a time. */
export const RUNS_PAGE = 10

export function datasetRowsQuery(project: string, q: string | undefined) {
  return {
    ...pagesOf(["datasets", project, "rows", q], (cursor, signal) => {
      const query = { project_id: project, include: "experiments" as const, q, limit: PAGE, cursor }
      return callFor<Page<DatasetRow>>(api.GET("/v1/datasets", { params: { query }, signal }))
    }),
    placeholderData: keepPreviousData,
  }
}

export function createDataset(input: { project_id: string; name: string; description: string | null }, key: string) {
  return call(api.POST("/v1/datasets", { body: input, headers: once(key) }))
}

export function deleteDataset(id: string) {
  return call(api.DELETE("/v1/datasets/{id}", { params: { path: { id } } }))
}

export function datasetQuery(id: string) {
  return queryOptions({
    queryKey: ["dataset", id],
    queryFn: ({ signal }) => call(api.GET("/v1/datasets/{id}", { params: { path: { id } }, signal })),
  })
}

export function versionsQuery(id: string) {
  return pagesOf(["dataset", id, "versions"], (cursor, signal) =>
    call(api.GET("/v1/datasets/{id}/versions", { params: { path: { id }, query: { limit: PAGE, cursor } }, signal })),
  )
}

export interface ItemsFilter {
  version: number | undefined
  q: string | undefined
}

/** Items as rows of a table: texts cut. */
export function itemsQuery(id: string, filter: ItemsFilter) {
  return {
    ...pagesOf(["dataset", id, "items", filter], (cursor, signal) => {
      const query = { ...filter, fields: "lean" as const, limit: PAGE, cursor }
      return callFor<Page<LeanItem>>(api.GET("/v1/datasets/{id}/items", { params: { path: { id }, query }, signal }))
    }),
    placeholderData: keepPreviousData,
  }
}

/** One item, whole. An item never changes: an edit makes another one. */
export function itemQuery(dataset: string, item: string) {
  return queryOptions({
    queryKey: ["item", dataset, item],
    queryFn: ({ signal }) =>
      call(api.GET("/v1/datasets/{id}/items/{item_id}", { params: { path: { id: dataset, item_id: item } }, signal })),
    staleTime: Infinity,
  })
}

export function itemRunsQuery(dataset: string, item: string) {
  return pagesOf(["item", dataset, item, "runs"], (cursor, signal) => {
    const params = { path: { id: dataset, item_id: item }, query: { limit: RUNS_PAGE, cursor } }
    return call(api.GET("/v1/datasets/{id}/items/{item_id}/runs", { params, signal }))
  })
}

/** A new item, or another content of one. */
export function saveItem(dataset: string, item: string | undefined, draft: ItemDraft, key: string): Promise<DatasetItem> {
  if (item === undefined) {
    return call(api.POST("/v1/datasets/{id}/items", { params: { path: { id: dataset } }, body: draft, headers: once(key) }))
  }
  return call(api.PUT("/v1/datasets/{id}/items/{item_id}", { params: { path: { id: dataset, item_id: item } }, body: draft }))
}

export function deleteItem(dataset: string, item: string) {
  return call(api.DELETE("/v1/datasets/{id}/items/{item_id}", { params: { path: { id: dataset, item_id: item } } }))
}

/** A file that is sent as it is, without being read here: CSV by its name, else lines of JSON. */
export function importItems(dataset: string, file: File, key: string): Promise<Imported> {
  const media = isCsv(file.name) ? "text/csv" : "application/x-ndjson"
  return call(
    api.POST("/v1/datasets/{id}/items/import", {
      params: { path: { id: dataset } },
      body: file as never,
      bodySerializer: (body) => body as never,
      headers: { ...once(key), "Content-Type": media },
    }),
  )
}

export function isCsv(fileName: string): boolean {
  return /\.csv$/i.test(fileName)
}

/** Where the items of a version are downloaded from. */
export function exportPath(dataset: string, version: number): string {
  return `${BASE}/v1/datasets/${encodeURIComponent(dataset)}/items/export?version=${version}`
}

/** Scorers that gave numbers in experiments on the dataset. */
export function datasetScorersQuery(project: string, dataset: string) {
  return queryOptions({
    queryKey: ["dataset", dataset, "scorers"],
    queryFn: async ({ signal }) => {
      const query = { project_id: project, dataset_id: dataset, limit: 200 }
      const page = await call(api.GET("/v1/scorers", { params: { query }, signal }))
      return page.items.filter((scorer) => scorer.gives !== "labels").map((scorer) => scorer.name)
    },
  })
}

export interface QualityFilter {
  pass_threshold: number | undefined
  sort: DatasetQuality["sort"] | undefined
  solved: "never" | "always" | undefined
  most: number
}

export function qualityQuery(dataset: string, scorer: string | undefined, filter: QualityFilter) {
  return queryOptions({
    queryKey: ["dataset", dataset, "quality", scorer, filter],
    queryFn: ({ signal }) => {
      const params = { path: { id: dataset }, query: { scorer_name: scorer ?? "", ...filter } }
      return callFor<DatasetQuality>(api.GET("/v1/datasets/{id}/quality", { params, signal }))
    },
    enabled: scorer !== undefined,
    placeholderData: keepPreviousData,
  })
}
