// Calls of the rules that score spans, traces and conversations as they come in.
import { api, call, callFor, once } from "./client"
import type { Schemas } from "./queries"
import { pagesOf } from "./queries"

export type Rule = Schemas["Rule"]
export type RulePreview = Schemas["RulePreview"]
export type SpanFilter = Schemas["SpanFilter"]
export type Target = Rule["target"]

export interface RuleDraft {
  project_id: string
  name: string
  target: Target
  filter: SpanFilter
  scorer: Schemas["ScorerSpec"]
  sampling_rate: number
  enabled: boolean
}

/** What may change about a rule; another filter or scorer is another rule. */
export type RuleChange = Partial<Pick<Rule, "name" | "sampling_rate" | "enabled">>

export function rulesQuery(project_id: string) {
  return pagesOf(["rules", project_id], (cursor, signal) =>
    call(api.GET("/v1/rules", { params: { query: { project_id, limit: 200, cursor } }, signal })),
  )
}

/** What the rule would have scored in the last days. Nothing is stored, and no model is asked. */
export function previewRule(body: RuleDraft): Promise<RulePreview> {
  return callFor(api.POST("/v1/rules", { params: { query: { dry_run: true } }, body }))
}

export function createRule(body: RuleDraft, key: string): Promise<Rule> {
  return callFor(api.POST("/v1/rules", { body, headers: once(key) }))
}

export function changeRule(id: string, body: RuleChange): Promise<Rule> {
  return callFor(api.PATCH("/v1/rules/{id}", { params: { path: { id } }, body }))
}

export function deleteRule(id: string): Promise<unknown> {
  return call(api.DELETE("/v1/rules/{id}", { params: { path: { id } } }))
}
