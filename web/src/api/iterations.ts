// Calls of the views of coding agents' iterations.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { api, call, callFor } from "./client"
import type { Page, Schemas } from "./queries"
import { pagesOf } from "./queries"
import type { Ends } from "../words/format"

type WithInterval<T> = Omit<T, "confidence_interval_95"> & { confidence_interval_95: Ends | null }
export type IterationPoint = Schemas["IterationPoint"]
export type OutcomeSession = WithInterval<Schemas["OutcomeSession"]>
export type IterationTrend = Omit<Schemas["IterationTrend"], "sessions"> & { sessions: OutcomeSession[] }
export type IterationContext = Omit<Schemas["IterationContext"], "session"> & { session: OutcomeSession | null }
export type IterationFacets = Schemas["IterationFacets"]
export type Iteration = Schemas["Iteration"]
export type Contribution = Schemas["SignalContribution"]
export type Claim = Schemas["IntegrityObservation"]
export type Score = Schemas["Score"]
export type RoleHonesty = Omit<WithInterval<Schemas["RoleHonesty"]>, "overclaim_share_ci_95"> & { overclaim_share_ci_95: Ends | null }
export type Honesty = Omit<Schemas["Honesty"], "roles"> & { roles: RoleHonesty[] }
export type GroupMean = WithInterval<Schemas["GroupMean"]>
export type GroupScorer = Omit<Schemas["GroupScorerComparison"], "base" | "compare" | "delta_ci_95"> & {
  base: GroupMean
  compare: GroupMean
  delta_ci_95: Ends | null
}
export type IterationComparison = Omit<Schemas["IterationComparison"], "scorer_comparisons"> & { scorer_comparisons: GroupScorer[] }

/** Which iterations are meant, as the API names it. */
export interface IterationFilter {
  project_id: string
  source?: string | undefined
  rubric_version?: string | undefined
  session_id?: string | undefined
  agent?: string | undefined
  model?: string | undefined
  label?: string | undefined
  rules_file?: string | undefined
}

export const SHOWN = 200
const CLAIMS_PAGE = 50

export function trendQuery(filter: IterationFilter & { band?: string | undefined; provisional?: "true" | "false" | undefined; before?: number | undefined }) {
  return queryOptions({
    queryKey: ["iterations", "trend", filter],
    queryFn: ({ signal }) => callFor<IterationTrend>(api.GET("/v1/iterations/trend", { params: { query: { ...filter, limit: SHOWN } }, signal })),
    placeholderData: keepPreviousData,
  })
}

export function iterationFacetsQuery(filter: IterationFilter & { band?: string | undefined }) {
  return queryOptions({
    queryKey: ["iterations", "facets", filter],
    queryFn: ({ signal }) => call(api.GET("/v1/iterations/facets", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  })
}

export function iterationQuery(id: string) {
  return queryOptions({
    queryKey: ["iterations", "one", id],
    queryFn: ({ signal }) => call(api.GET("/v1/iterations/{id}", { params: { path: { id } }, signal })),
  })
}

export function iterationContextQuery(id: string) {
  return queryOptions({
    queryKey: ["iterations", "context", id],
    queryFn: ({ signal }) => callFor<IterationContext>(api.GET("/v1/iterations/{id}/context", { params: { path: { id } }, signal })),
  })
}

/** All scores of an iteration: its own, and those of people and judges. */
export function iterationScoresQuery(id: string) {
  return queryOptions({
    queryKey: ["iterations", "scores", id],
    queryFn: ({ signal }) => {
      const query = { target_id: id, target_type: "iteration" as const, limit: 200 }
      return callFor<Page<Score>>(api.GET("/v1/scores", { params: { query }, signal }))
    },
  })
}

export function honestyQuery(filter: IterationFilter) {
  return queryOptions({
    queryKey: ["iterations", "honesty", filter],
    queryFn: ({ signal }) => callFor<Honesty>(api.GET("/v1/integrity", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  })
}

/** Iterations with all that they claimed, the newest first. */
export function claimsQuery(filter: IterationFilter, enabled: boolean) {
  return {
    ...pagesOf(["iterations", "claims", filter], (cursor, signal) =>
      callFor<Page<Iteration>>(api.GET("/v1/iterations", { params: { query: { ...filter, limit: CLAIMS_PAGE, cursor } }, signal })),
    ),
    placeholderData: keepPreviousData,
    enabled,
  }
}

export type GroupBy = Schemas["IterationComparison"]["by"]

export interface GroupQuestion {
  project_id: string
  by: GroupBy
  a?: string | undefined
  b?: string | undefined
  source?: string | undefined
  rubric_version?: string | undefined
  cluster_by?: "session" | "task" | undefined
  min_effect?: number | undefined
}

export function iterationComparisonQuery(question: GroupQuestion, enabled: boolean) {
  return queryOptions({
    queryKey: ["iterations", "compare", question],
    queryFn: ({ signal }) => callFor<IterationComparison>(api.GET("/v1/iterations/compare", { params: { query: question }, signal })),
    placeholderData: keepPreviousData,
    enabled,
  })
}
