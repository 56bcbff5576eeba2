// Calls of the views of experiments.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { api, call, callFor, once } from "./client"
import type { Schemas } from "./queries"
import type { Page } from "./queries"
import { pagesOf } from "./queries"

export type ExperimentRow = Schemas["ExperimentRow"]
export type Experiment = Schemas["Experiment"]
export type ScorerBrief = Schemas["ScorerBrief"]
export type Summary = Schemas["Summary"]
export type ThresholdResult = Schemas["ThresholdResult"]
export type LeanRun = Schemas["LeanRun"]
export type RunDetail = Schemas["RunDetail"]
export type Comparison = Schemas["ExperimentComparison"]
export type ScorerComparison = Schemas["ScorerComparison"]
export type ComparedItem = Schemas["ComparedItem"]
export type ComparedItems = Schemas["ComparedItems"]
export type ComparisonPoints = Schemas["ComparisonPoints"]
export type Histogram = Schemas["Histogram"]
type Missing = "drop" | "zero" | "bracket"

export interface RowsFilter {
  project_id: string
  dataset_id?: string | undefined
  status?: "created" | "running" | "completed" | undefined
  q?: string | undefined
}

const PAGE = 20

/** Experiments with their scorers in a few numbers. */
export function experimentRowsQuery(filter: RowsFilter) {
  return {
    ...pagesOf(["experiments", "rows", filter], (cursor, signal) =>
      callFor<Page<ExperimentRow>>(api.GET("/v1/experiments", { params: { query: { ...filter, include: "summary", limit: PAGE, cursor } }, signal })),
    ),
    placeholderData: keepPreviousData,
  }
}

/** The newest experiments over a dataset. */
export function siblingsQuery(project: string, dataset: string) {
  return queryOptions({
    queryKey: ["experiments", "of", dataset],
    queryFn: ({ signal }) => {
      const query = { project_id: project, dataset_id: dataset, limit: 50 }
      return callFor<Page<ExperimentRow>>(api.GET("/v1/experiments", { params: { query }, signal }))
    },
  })
}

export interface Reading {
  missing?: Missing | undefined
  cluster_by?: string | undefined
}

export function summaryQuery(id: string, reading: Reading = {}) {
  return queryOptions({
    queryKey: ["experiment", id, "summary", reading],
    queryFn: ({ signal }) => callFor<Summary>(api.GET("/v1/experiments/{id}/summary", { params: { path: { id }, query: reading }, signal })),
    placeholderData: keepPreviousData,
  })
}

export function histogramQuery(id: string, scorer: string | undefined) {
  return queryOptions({
    queryKey: ["experiment", id, "histogram", scorer],
    queryFn: ({ signal }) => {
      const query = { scorer_name: scorer ?? "" }
      return callFor<Histogram>(api.GET("/v1/experiments/{id}/histogram", { params: { path: { id }, query }, signal }))
    },
    enabled: scorer !== undefined,
    placeholderData: keepPreviousData,
  })
}

export type RunsFilter = Record<string, string | number | undefined>

/** Runs as rows of a table: texts cut, scores reduced. */
export function leanRunsQuery(id: string, filter: RunsFilter) {
  return {
    ...pagesOf(["experiment", id, "runs", filter], (cursor, signal) => {
      const query = { ...filter, fields: "lean", limit: 50, cursor } as never
      return callFor<Page<LeanRun>>(api.GET("/v1/experiments/{id}/runs", { params: { path: { id }, query }, signal }))
    }),
    placeholderData: keepPreviousData,
  }
}

export function runQuery(id: string, whole: boolean) {
  return queryOptions({
    queryKey: ["run", id, whole],
    queryFn: ({ signal }) =>
      call(api.GET("/v1/runs/{id}", { params: { path: { id }, query: whole ? {} : { max_bytes: 10_240 } }, signal })),
    staleTime: 60_000,
  })
}

/** The other trials of an item, to be seen side by side. */
export function trialsQuery(experiment: string, item: string) {
  return queryOptions({
    queryKey: ["experiment", experiment, "trials", item],
    queryFn: async ({ signal }) => {
      const query = { dataset_item_id: item, fields: "lean", limit: 20, sort: "created_at" } as never
      const params = { path: { id: experiment }, query }
      return (await callFor<Page<LeanRun>>(api.GET("/v1/experiments/{id}/runs", { params, signal }))).items
    },
  })
}

export interface GateWish {
  scorer_name: string
  metric: "mean" | "min" | "max" | "ci_low"
  threshold: number
  comparison: "gte" | "gt" | "lte" | "lt"
  bound: "point" | "ci"
}

/** How a gate would stand; nothing is remembered. */
export function tryGateQuery(id: string, wish: GateWish | undefined) {
  return queryOptions({
    queryKey: ["experiment", id, "gate", wish],
    queryFn: ({ signal }) =>
      callFor<ThresholdResult>(api.GET("/v1/experiments/{id}/threshold", { params: { path: { id }, query: wish as never }, signal })),
    enabled: wish !== undefined,
    placeholderData: keepPreviousData,
  })
}

export function saveGate(id: string, wish: GateWish, key: string) {
  return call(api.POST("/v1/experiments/{id}/threshold", { params: { path: { id } }, body: wish as never, headers: once(key) }))
}

export interface CompareReading {
  missing?: Missing | undefined
  min_effect?: number | undefined
}

export function comparisonQuery(base: string, other: string, reading: CompareReading) {
  return queryOptions({
    queryKey: ["compare", base, other, reading],
    queryFn: ({ signal }) => {
      const params = { path: { id: base, other }, query: { ...reading, items: "none" as const } }
      return callFor<Comparison>(api.GET("/v1/experiments/{id}/compare/{other}", { params, signal }))
    },
    placeholderData: keepPreviousData,
  })
}

export function pointsQuery(base: string, other: string, scorer: string | undefined, missing: Missing | undefined) {
  return queryOptions({
    queryKey: ["compare", base, other, "points", scorer, missing],
    queryFn: ({ signal }) => {
      const params = { path: { id: base, other }, query: { scorer_name: scorer ?? "", missing } }
      return call(api.GET("/v1/experiments/{id}/compare/{other}/points", { params, signal }))
    },
    enabled: scorer !== undefined,
    placeholderData: keepPreviousData,
  })
}

export type ItemsFilter = Record<string, string | undefined>

export function comparedItemsQuery(base: string, other: string, filter: ItemsFilter, enabled: boolean) {
  return {
    ...pagesOf(["compare", base, other, "items", filter], (cursor, signal) => {
      const query = { ...filter, limit: 50, cursor } as never
      return callFor<ComparedItems>(api.GET("/v1/experiments/{id}/compare/{other}/items", { params: { path: { id: base, other }, query }, signal }))
    }),
    placeholderData: keepPreviousData,
    enabled,
  }
}
