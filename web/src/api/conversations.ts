// Calls of the views of conversations.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { api, call } from "./client"
import type { Schemas } from "./queries"
import { pagesOf } from "./queries"

export type ConversationRow = Schemas["Conversation"]
export type WorstScore = Schemas["WorstScore"]
export type Turn = Schemas["ConversationTurn"]

/** The filters of a list of conversations, as the API names them. */
export interface ConversationFilter {
  project_id: string
  user_id?: string | undefined
  after?: string | undefined
  before?: string | undefined
  has_error?: "true" | "false" | undefined
  q?: string | undefined
}

export const PAGE = 50
const TURNS = 25

export function conversationsQuery(filter: ConversationFilter) {
  return {
    ...pagesOf(["conversations", filter], (cursor, signal) =>
      call(api.GET("/v1/conversations", { params: { query: { ...filter, limit: PAGE, cursor } }, signal })),
    ),
    placeholderData: keepPreviousData,
  }
}

export function conversationQuery(project: string, id: string) {
  return queryOptions({
    queryKey: ["conversation", project, id],
    queryFn: ({ signal }) =>
      call(api.GET("/v1/conversations/{id}", { params: { path: { id }, query: { project_id: project } }, signal })),
  })
}

/** The turns as question and answer, in the order in which they began. */
export function turnsQuery(project: string, id: string) {
  return pagesOf(["conversation", project, id, "turns"], (cursor, signal) => {
    const query = { project_id: project, content: "readable" as const, limit: TURNS, cursor }
    return call(api.GET("/v1/conversations/{id}/turns", { params: { path: { id }, query }, signal }))
  })
}

/** The scores of the conversation as a whole. */
export function conversationScoresQuery(project: string, id: string) {
  return queryOptions({
    queryKey: ["conversation", project, id, "scores"],
    queryFn: ({ signal }) => {
      const query = { target_id: id, target_type: "conversation" as const, project_id: project, limit: 50 }
      return call(api.GET("/v1/scores", { params: { query }, signal }))
    },
  })
}
