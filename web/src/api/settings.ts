// Calls of the settings: keys, budget, prices, metadata keys, text search.
import { queryOptions } from "@tanstack/react-query"
import { api, call, once } from "./client"
import type { Schemas } from "./queries"
import { pagesOf } from "./queries"

export type Key = Schemas["Key"]
export type NewKey = Schemas["NewKey"]
export type Role = Key["role"]
export type Budget = Schemas["Budget"]
export type ModelPrice = Schemas["ModelPrice"]
export type PriceDraft = Schemas["ModelPriceDraft"]
export type MetadataKey = Schemas["MetadataKey"]
export type TextSearch = Schemas["TextSearch"]
export type Retention = Schemas["Retention"]

export function keysQuery() {
  return pagesOf(["keys"], (cursor, signal) =>
    call(api.GET("/v1/keys", { params: { query: { limit: 50, cursor } }, signal })),
  )
}

export interface KeyDraft {
  name: string | null
  role: Role
  project_id: string | null
}

/** The answer holds the secret, which is shown once and kept nowhere. */
export function createKey(body: KeyDraft, key: string): Promise<NewKey> {
  return call(api.POST("/v1/keys", { body, headers: once(key) }))
}

export function revokeKey(id: string): Promise<unknown> {
  return call(api.DELETE("/v1/keys/{id}", { params: { path: { id } } }))
}

export function budgetQuery(id: string) {
  return queryOptions({
    queryKey: ["settings", id, "budget"],
    queryFn: ({ signal }) => call(api.GET("/v1/projects/{id}/budget", { params: { path: { id } }, signal })),
  })
}

export interface BudgetDraft {
  usd_per_day: number | null
  tokens_per_day: number | null
}

export function setBudget(id: string, body: BudgetDraft): Promise<Budget> {
  return call(api.PUT("/v1/projects/{id}/budget", { params: { path: { id } }, body }))
}

export function pricesQuery(id: string) {
  return queryOptions({
    queryKey: ["settings", id, "prices"],
    queryFn: ({ signal }) => call(api.GET("/v1/projects/{id}/prices", { params: { path: { id } }, signal })),
  })
}

/** The API replaces the whole list, so it is read anew before: what others added meanwhile stays. */
export async function changePrices(id: string, change: (now: ModelPrice[]) => PriceDraft[]): Promise<unknown> {
  const { prices } = await call(api.GET("/v1/projects/{id}/prices", { params: { path: { id } } }))
  return call(api.PUT("/v1/projects/{id}/prices", { params: { path: { id } }, body: { prices: change(prices) } }))
}

export function metadataKeysQuery(id: string) {
  return queryOptions({
    queryKey: ["settings", id, "metadata-keys"],
    queryFn: ({ signal }) => call(api.GET("/v1/projects/{id}/metadata-keys", { params: { path: { id } }, signal })),
  })
}

/** As with prices. Keys that every project has are not declared. */
export async function changeMetadataKeys(id: string, change: (now: string[]) => string[]): Promise<Schemas["MetadataKeys"]> {
  const { keys } = await call(api.GET("/v1/projects/{id}/metadata-keys", { params: { path: { id } } }))
  const declared = keys.filter((key) => !key.always).map(({ key }) => key)
  return call(api.PUT("/v1/projects/{id}/metadata-keys", { params: { path: { id } }, body: { keys: change(declared) } }))
}

export function textSearchQuery(id: string) {
  return queryOptions({
    queryKey: ["settings", id, "text-search"],
    queryFn: ({ signal }) => call(api.GET("/v1/projects/{id}/text-search", { params: { path: { id } }, signal })),
  })
}

export function setTextSearch(id: string, enabled: boolean): Promise<TextSearch> {
  return call(api.PUT("/v1/projects/{id}/text-search", { params: { path: { id } }, body: { enabled } }))
}

export function retentionQuery(id: string) {
  return queryOptions({
    queryKey: ["settings", id, "retention"],
    queryFn: ({ signal }) => call(api.GET("/v1/projects/{id}/retention", { params: { path: { id } }, signal })),
  })
}

export interface RetentionDraft {
  retention_days: number | null
  keep_scored: boolean
}

export function setRetention(id: string, body: RetentionDraft): Promise<Retention> {
  return call(api.PUT("/v1/projects/{id}/retention", { params: { path: { id } }, body }))
}

export function contentsQuery(id: string) {
  return queryOptions({
    queryKey: ["settings", id, "contents"],
    queryFn: ({ signal }) => call(api.GET("/v1/projects/{id}/contents", { params: { path: { id } }, signal })),
  })
}
