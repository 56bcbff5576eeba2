// Calls of the leaderboard: who is ahead, an agent's runs, and one run as a transcript.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { BASE } from "../address"
import { api, call, callFor } from "./client"
import type { Schemas } from "./queries"

export type Leaderboard = Schemas["Leaderboard"]
export type LeaderboardAgent = Schemas["LeaderboardAgent"]
export type LeaderboardPair = Schemas["LeaderboardComparison"]
export type RunTranscript = Schemas["RunTranscript"]
export type TranscriptStep = Schemas["TranscriptStep"]
export type TranscriptTurn = Schemas["TranscriptTurn"]
export type TranscriptCall = Schemas["TranscriptCall"]
export type TranscriptClaim = Schemas["TranscriptClaim"]
export type RankedDataset = Schemas["DatasetRow"]

export interface Reading {
  missing?: "drop" | "zero" | "bracket" | undefined
  k?: number | undefined
  pass_threshold?: number | undefined
  min_effect?: number | undefined
}

/** Datasets that have experiments, those with the most first. */
export function rankedDatasetsQuery(project: string) {
  return queryOptions({
    queryKey: ["leaderboard", project, "datasets"],
    queryFn: async ({ signal }) => {
      const query = { project_id: project, include: "experiments" as const, limit: 200 }
      const page = await callFor<{ items: RankedDataset[] }>(api.GET("/v1/datasets", { params: { query }, signal }))
      return page.items.filter((row) => row.experiment_count > 0).sort((a, b) => b.experiment_count - a.experiment_count)
    },
  })
}

/** Scorers with numbers on a dataset. A benchmark's `success` comes first. */
export function rankingScorersQuery(project: string, dataset: string | undefined) {
  return queryOptions({
    queryKey: ["leaderboard", project, "scorers", dataset],
    queryFn: async ({ signal }) => {
      const query = { project_id: project, dataset_id: dataset, limit: 200 }
      const page = await call(api.GET("/v1/scorers", { params: { query }, signal }))
      const numeric = page.items.filter((scorer) => scorer.gives !== "labels").sort((a, b) => b.n - a.n)
      const names = numeric.map((scorer) => scorer.name)
      return names.includes("success") ? ["success", ...names.filter((name) => name !== "success")] : names
    },
    enabled: dataset !== undefined,
  })
}

export function boardQuery(dataset: string | undefined, scorer: string | undefined, reading: Reading) {
  return queryOptions({
    queryKey: ["leaderboard", dataset, scorer, reading],
    queryFn: ({ signal }) => {
      const query = { dataset_id: dataset ?? "", scorer_name: scorer ?? "", ...reading }
      return callFor<Leaderboard>(api.GET("/v1/leaderboard", { params: { query }, signal }))
    },
    enabled: dataset !== undefined && scorer !== undefined,
    placeholderData: keepPreviousData,
  })
}

/** Where the leaderboard is one file of HTML. */
export function pagePath(dataset: string, scorer: string, reading: Reading): string {
  const query = new URLSearchParams({ dataset_id: dataset, scorer_name: scorer })
  for (const [name, value] of Object.entries(reading)) if (value !== undefined) query.set(name, String(value))
  return `${BASE}/v1/leaderboard/page?${query}`
}

export function transcriptQuery(run: string) {
  return queryOptions({
    queryKey: ["run", run, "transcript"],
    queryFn: ({ signal }) => callFor<RunTranscript>(api.GET("/v1/runs/{id}/transcript", { params: { path: { id: run } }, signal })),
    staleTime: 60_000,
  })
}
