// Calls of the playground.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { api, call, callFor, once } from "./client"
import type { ExperimentRow, LeanRun } from "./experiments"
import type { Page, Schemas } from "./queries"

export type AskableModels = Schemas["AskableModels"]
export type PlaygroundPreview = Schemas["PlaygroundPreview"]
export type PlaygroundAccepted = Schemas["PlaygroundAccepted"]
export type PromptMessage = Schemas["PromptMessage"]
export type ScorerSpec = Schemas["ScorerSpec"]

export interface CandidateDraft {
  messages: { role: PromptMessage["role"]; content: string }[]
  model: string
  params?: Record<string, unknown>
}

export interface PlaygroundDraft {
  project_id: string
  candidates: CandidateDraft[]
  dataset_id: string
  item_ids?: string[]
  first_items?: number
  scorers: ScorerSpec[]
  trials: number
}

/** Most that one page of runs holds. */
export const SHOWN_RUNS = 200

export function modelsQuery(project_id: string) {
  return queryOptions({
    queryKey: ["playground", "models", project_id],
    queryFn: ({ signal }) => call(api.GET("/v1/playground/models", { params: { query: { project_id } }, signal })),
    staleTime: 60_000,
  })
}

/** What it would take. Nothing is stored, and no model is asked. */
export function previewPlayground(body: PlaygroundDraft): Promise<PlaygroundPreview> {
  return callFor(api.POST("/v1/playground/preview", { body: body as never }))
}

export function runPlayground(body: PlaygroundDraft, key: string): Promise<PlaygroundAccepted> {
  return callFor(api.POST("/v1/playground", { body: body as never, headers: once(key) }))
}

/** The experiments of one press of "Run" with their means, in the order of their candidates. */
export function playedQuery(project_id: string, job: string | undefined) {
  return queryOptions({
    queryKey: ["playground", "played", project_id, job],
    queryFn: async ({ signal }) => {
      const query = { project_id, limit: 20, include: "summary", "metadata.playground.job_id": job } as never
      const page = await callFor<Page<ExperimentRow>>(api.GET("/v1/experiments", { params: { query }, signal }))
      return page.items.sort((a, b) => letterOf(a).localeCompare(letterOf(b)))
    },
    enabled: job !== undefined,
    staleTime: 60_000,
  })
}

export function letterOf(experiment: ExperimentRow): string {
  const about = experiment.metadata?.["playground"] as { candidate?: unknown } | undefined
  return typeof about?.candidate === "string" ? about.candidate : "?"
}

/** The answers of a candidate so far; when the job has ended they are asked for once more. */
export function playedRunsQuery(experiment: string, open: boolean) {
  return queryOptions({
    queryKey: ["playground", "runs", experiment, open],
    queryFn: ({ signal }) => {
      const query = { fields: "lean", sort: "item", limit: SHOWN_RUNS } as never
      const params = { path: { id: experiment }, query }
      return callFor<Page<LeanRun>>(api.GET("/v1/experiments/{id}/runs", { params, signal }))
    },
    placeholderData: keepPreviousData,
  })
}
