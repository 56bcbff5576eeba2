// Calls of the views of judges: the list, the report card, what to label next, and probes.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { api, call, callFor, once } from "./client"
import type { Page, Schemas } from "./queries"
import { pagesOf } from "./queries"

export type Judge = Schemas["Judge"]
export type Figure = Schemas["Figure"]
export type Estimate = Schemas["Estimate"]
export type Probe = Schemas["Probe"]
export type Calibration = Schemas["Calibration"]
export type JudgeCard = Schemas["JudgeCard"]
export type ToLabel = Schemas["ToLabel"]
export type ToLabelTarget = Schemas["ToLabelTarget"]
export type ProbePlan = Schemas["ProbePlan"]
export type LabelMode = ToLabel["mode"]

export const PAGE = 50

/** A judge in one configuration: the last used unless one is named. */
export interface OneJudge {
  project: string
  judge: string
  config?: string | undefined
  human?: string | undefined
}

function query({ project, config, human }: OneJudge) {
  return { project_id: project, config_hash: config, human }
}

/** The last used first. */
export function judgesQuery(project: string) {
  return pagesOf(["judges", project], (cursor, signal) =>
    callFor<Page<Judge>>(api.GET("/v1/judges", { params: { query: { project_id: project, limit: PAGE, cursor } }, signal })),
  )
}

/** Up to 200 configurations, for a card's picker. */
export function configurationsQuery(project: string) {
  return queryOptions({
    queryKey: ["judges", project, "configurations"],
    queryFn: ({ signal }) =>
      callFor<Page<Judge>>(api.GET("/v1/judges", { params: { query: { project_id: project, limit: 200 } }, signal })),
    staleTime: 60_000,
  })
}

export function cardQuery(one: OneJudge) {
  return queryOptions({
    queryKey: ["judges", one.project, "card", one],
    queryFn: ({ signal }) =>
      callFor<JudgeCard>(
        api.GET("/v1/judges/{scorer_name}/card", { params: { path: { scorer_name: one.judge }, query: query(one) }, signal }),
      ),
    placeholderData: keepPreviousData,
  })
}

export interface LabelChoice {
  mode?: LabelMode | undefined
  width?: number | undefined
  limit?: number | undefined
}

export function toLabelQuery(one: OneJudge, { mode, width, limit }: LabelChoice = {}) {
  return queryOptions({
    queryKey: ["judges", one.project, "to-label", one, { mode, width, limit }],
    queryFn: ({ signal }) =>
      callFor<ToLabel>(
        api.GET("/v1/judges/{scorer_name}/to-label", {
          params: { path: { scorer_name: one.judge }, query: { ...query(one), mode, target_width: width, limit } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })
}

/** What a probe would take. Nothing is asked. */
export function probePlanQuery(one: OneJudge, samples: number) {
  return queryOptions({
    queryKey: ["judges", one.project, "probe-plan", one, samples],
    queryFn: ({ signal }) =>
      call(
        api.GET("/v1/judges/{scorer_name}/probe-plan", {
          params: { path: { scorer_name: one.judge }, query: { project_id: one.project, config_hash: one.config, samples } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })
}

export function startProbe({ one, samples }: { one: OneJudge; samples: number }, key: string) {
  const body = { project_id: one.project, config_hash: one.config ?? null, samples, seed: 0 }
  return call(api.POST("/v1/judges/{scorer_name}/probe", { params: { path: { scorer_name: one.judge } }, body, headers: once(key) }))
}

export interface Queueing {
  project: string
  targets: readonly ToLabelTarget[]
  reason: string
}

export function queueTargets({ project, targets, reason }: Queueing, key: string) {
  const queued = targets.map(({ target_type, target_id, trace_id }) => ({
    target_type: target_type as "run" | "span" | "trace",
    target_id,
    trace_id,
  }))
  return call(api.POST("/v1/queue", { body: { project_id: project, targets: queued, reason }, headers: once(key) }))
}
