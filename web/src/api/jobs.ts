// Calls of the view of jobs. Open jobs change by themselves; `shell/Changes.tsx` asks for them again.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { api, call, once } from "./client"
import type { Schemas } from "./queries"
import { pagesOf } from "./queries"

export type Job = Schemas["Job"]
export type JobStatus = Job["status"]
export type JobsSummary = Schemas["JobsSummary"]

export const PAGE = 50

export function isOpen(job: { status: JobStatus }): boolean {
  return job.status === "queued" || job.status === "running"
}

/** Newest first. */
export function jobsQuery(project: string, status: JobStatus | undefined) {
  return {
    ...pagesOf(["jobs", project, { status }], (cursor, signal) => {
      const query = { project_id: project, status, limit: PAGE, cursor }
      return call(api.GET("/v1/jobs", { params: { query }, signal }))
    }),
    placeholderData: keepPreviousData,
  }
}

export function jobsSummaryQuery(project: string) {
  return queryOptions({
    queryKey: ["jobs", project, "summary"],
    queryFn: ({ signal }) => call(api.GET("/v1/jobs/summary", { params: { query: { project_id: project } }, signal })),
  })
}

/** One job, also where the list does not hold it: an address may name any. */
export function jobQuery(id: string) {
  return queryOptions({
    queryKey: ["jobs", "one", id],
    queryFn: ({ signal }) => call(api.GET("/v1/jobs/{id}", { params: { path: { id } }, signal })),
  })
}

export interface JobChange {
  id: string
  what: "retry" | "cancel"
}

export function changeJob({ id, what }: JobChange, key: string): Promise<Job> {
  const options = { params: { path: { id } }, headers: once(key) }
  return what === "retry" ? call(api.POST("/v1/jobs/{id}/retry", options)) : call(api.POST("/v1/jobs/{id}/cancel", options))
}
