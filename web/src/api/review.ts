// Calls of the review: the queue, one card, claims, annotations, settings, agreement.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { api, call, callFor, once } from "./client"
import type { Schemas } from "./queries"
import { pagesOf } from "./queries"
import type { paths } from "./schema"

type BodyOf<Call extends { requestBody: { content: { "application/json": unknown } } }> = Call["requestBody"]["content"]["application/json"]

export type Card = Schemas["ReviewCard"]
export type QueueRow = Schemas["QueueItem"]
export type QueueCounts = Schemas["ReviewCounts"]
export type Annotation = Schemas["Annotation"]
export type AnnotationDraft = BodyOf<paths["/v1/annotations"]["post"]>
export type AnnotationChange = BodyOf<paths["/v1/annotations/{id}"]["put"]>
export type ReviewSettingsDraft = BodyOf<paths["/v1/projects/{id}/review-settings"]["put"]>
export type ReviewSettings = Schemas["ReviewSettings"]
export type ReviewLabel = Schemas["LabelOfSet"]
export type Readable = Schemas["ReadableText"]
export type Agreement = Schemas["ReviewAgreement"]
export type TargetType = QueueRow["target_type"]

/** What a card is about. */
export interface Target {
  type: TargetType
  id: string
}

/** Who reviews: a reviewer's key says it, every other key leaves it to the person. */
export interface Reviewer {
  project: string
  /** Undefined where the key says it, empty while it is not known. */
  annotator: string | undefined
  /** Whether cards can be held for them: their name is known, and the key may write. */
  holds: boolean
}

export interface QueueFilter {
  status?: "pending" | "annotated" | undefined
  mine?: boolean | undefined
  target_type?: TargetType | undefined
  q?: string | undefined
}

const PAGE = 20

export function queueQuery(reviewer: Reviewer, filter: QueueFilter) {
  // Without `mine`, a name would leave only what that person annotated.
  const annotator = filter.mine === undefined ? undefined : reviewer.annotator
  const query = { project_id: reviewer.project, annotator, ...filter, limit: PAGE }
  return {
    ...pagesOf(["review", "queue", query], (cursor, signal) =>
      call(api.GET("/v1/queue", { params: { query: { ...query, cursor } }, signal })),
    ),
    placeholderData: keepPreviousData,
  }
}

export function countsQuery(reviewer: Reviewer) {
  return queryOptions({
    queryKey: ["review", "counts", reviewer],
    queryFn: ({ signal }) => {
      const query = { project_id: reviewer.project, annotator: reviewer.annotator }
      return call(api.GET("/v1/queue/counts", { params: { query }, signal }))
    },
  })
}

/**
 * The card after (or before) another that this person has not reviewed and nobody else holds; none is null. It is held
 * for them as it is chosen: a card that is only looked up could be reviewed by somebody else before it is opened here.
 */
export function nextCard(reviewer: Reviewer, after: Target | undefined, direction: "next" | "previous" = "next") {
  const wanted = {
    project_id: reviewer.project,
    annotator: reviewer.annotator,
    after: after && `${after.type}/${after.id}`,
    direction,
  }
  return reviewer.holds
    ? call(api.POST("/v1/queue/next", { body: wanted }))
    : call(api.GET("/v1/queue/next", { params: { query: wanted } }))
}

function pathOf(target: Target) {
  return { target_type: target.type, target_id: target.id }
}

export function cardQuery(reviewer: Reviewer, target: Target) {
  return queryOptions({
    queryKey: ["review", "card", reviewer, target],
    queryFn: ({ signal }) => {
      // What judges and others said is not even sent before this person has spoken.
      const query = { project_id: reviewer.project, annotator: reviewer.annotator }
      return call(api.GET("/v1/queue/{target_type}/{target_id}", { params: { path: pathOf(target), query }, signal }))
    },
  })
}

/** Hold the card for this person, or go on holding it. Somebody else's is the Problem CLAIMED. */
export function claimCard(reviewer: Reviewer, target: Target) {
  const params = { path: pathOf(target), query: { project_id: reviewer.project } }
  const body = { annotator: reviewer.annotator }
  return call(api.POST("/v1/queue/{target_type}/{target_id}/claim", { params, body }))
}

/** Give it back; `keepalive` lets the request outlive the page. */
export function giveBack(reviewer: Reviewer, target: Target, keepalive = false) {
  const params = { path: pathOf(target), query: { project_id: reviewer.project, annotator: reviewer.annotator } }
  return call(api.DELETE("/v1/queue/{target_type}/{target_id}/claim", { params, keepalive }))
}

export function annotate(body: AnnotationDraft, key: string): Promise<Annotation> {
  return callFor<Annotation>(api.POST("/v1/annotations", { body, headers: once(key) }))
}

export function changeAnnotation(id: string, body: AnnotationChange): Promise<Annotation> {
  return callFor<Annotation>(api.PUT("/v1/annotations/{id}", { params: { path: { id } }, body }))
}

export function undoAnnotation(id: string): Promise<unknown> {
  return call(api.DELETE("/v1/annotations/{id}", { params: { path: { id } } }))
}

export function annotationToItem(id: string, dataset: string, key: string) {
  const params = { path: { id } }
  return call(api.POST("/v1/annotations/{id}/to-dataset-item", { params, body: { dataset_id: dataset }, headers: once(key) }))
}

export function reviewSettingsQuery(project: string) {
  return queryOptions({
    queryKey: ["review", "settings", project],
    queryFn: ({ signal }) => call(api.GET("/v1/projects/{id}/review-settings", { params: { path: { id: project } }, signal })),
    staleTime: 60_000,
  })
}

export function setReviewSettings(project: string, body: ReviewSettingsDraft) {
  return call(api.PUT("/v1/projects/{id}/review-settings", { params: { path: { id: project } }, body }))
}

export function agreementQuery(project: string, scorer: string | undefined) {
  return queryOptions({
    queryKey: ["review", "agreement", project, scorer],
    queryFn: ({ signal }) => {
      const query = { project_id: project, scorer_name: scorer }
      return callFor<Agreement>(api.GET("/v1/review/agreement", { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })
}

/** Put traces and runs into the queue with a reason, up to 1,000 at once. */
export function enqueue(project: string, targets: Target[], reason: string | undefined, key: string) {
  const body = {
    project_id: project,
    targets: targets.map(({ type, id }) => ({ target_type: type, target_id: id })),
    reason,
  }
  return call(api.POST("/v1/queue", { body, headers: once(key) }))
}

export function dequeue(project: string, { type, id }: Target): Promise<unknown> {
  const path = { id }
  return type === "trace"
    ? call(api.DELETE("/v1/traces/{id}/queue", { params: { path, query: { project_id: project } } }))
    : call(api.DELETE("/v1/runs/{id}/queue", { params: { path } }))
}

export interface ReviewLinkDraft {
  project_id: string
  name: string
  days: number
}

/** A key for one reviewer, and the link that logs in with it once. */
export function createReviewLink(body: ReviewLinkDraft, key: string) {
  return call(api.POST("/v1/review-links", { body, headers: once(key) }))
}
