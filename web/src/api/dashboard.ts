// Calls of the dashboard: three requests, whatever is stored.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { api, callFor } from "./client"
import type { Page, Schemas } from "./queries"

export type Dashboard = Schemas["Dashboard"]
export type Summary = Schemas["Summary"]
export type ScorerSummary = Summary["scores_by_scorer"][string]
export type ThresholdResult = Schemas["ThresholdResult"]
export type ExperimentPoint = Schemas["ExperimentPoint"]
export type DriftSeries = Schemas["DriftSeries"]
export type TraceTrends = Schemas["TraceTrends"]
export type Window = Dashboard["window"]

/** How many completed experiments the trends go back. */
const TREND_LENGTH = 50

export function dashboardQuery(project: string, window: Window) {
  return queryOptions({
    queryKey: ["dashboard", project, window],
    queryFn: ({ signal }) =>
      callFor<Dashboard>(api.GET("/v1/projects/{id}/dashboard", { params: { path: { id: project }, query: { window } }, signal })),
    placeholderData: keepPreviousData,
  })
}

/** The last completed experiments with the mean of each scorer, newest first. */
export function trendsQuery(project: string) {
  return queryOptions({
    queryKey: ["dashboard", project, "trends"],
    queryFn: ({ signal }) => {
      const query = { sort: "-completed_at" as const, limit: TREND_LENGTH }
      return callFor<Page<ExperimentPoint>>(api.GET("/v1/projects/{id}/trends", { params: { path: { id: project }, query }, signal }))
    },
  })
}

/** Traces per hour or day since an instant. */
export function traceTrendsQuery(project: string, bucket: "hour" | "day", after: string) {
  return queryOptions({
    queryKey: ["dashboard", project, "traces", bucket, after],
    queryFn: ({ signal }) => {
      const params = { path: { id: project }, query: { bucket, after } }
      return callFor<TraceTrends>(api.GET("/v1/projects/{id}/trends/traces", { params, signal }))
    },
    placeholderData: keepPreviousData,
  })
}
