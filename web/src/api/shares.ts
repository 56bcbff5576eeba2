// Calls of read-only links to one view.
import { queryOptions } from "@tanstack/react-query"
import { api, call } from "./client"
import type { Schemas } from "./queries"

export type Share = Schemas["ViewShare"]
export type NewShare = Schemas["NewShare"]

/** All links of a project that work still, the newest first. */
export function sharesQuery(project: string) {
  return queryOptions({
    queryKey: ["shares", project],
    queryFn: async ({ signal }) => {
      const shares: Share[] = []
      let cursor: string | undefined
      do {
        const page = await call(api.GET("/v1/shares", { params: { query: { project_id: project, limit: 200, cursor } }, signal }))
        shares.push(...page.items)
        cursor = page.next_cursor ?? undefined
      } while (cursor !== undefined)
      return shares
    },
  })
}

export function createShare(body: { path: string; expires_in_days: number }): Promise<NewShare> {
  return call(api.POST("/v1/shares", { body }))
}

export function revokeShare(id: string) {
  return call(api.DELETE("/v1/shares/{id}", { params: { path: { id } } }))
}
