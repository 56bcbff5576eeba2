// What this person did since the page was opened: for "previous" and "undo". A reload forgets it.
import { useSyncExternalStore } from "react"
import type { Target } from "../../api/review"
import type { ReviewForm } from "./reviewForm"

/** What was saved last. */
export interface Saved {
  annotation: string
  target: Target
  /** The card's question, begun. */
  name: string
  label: string | undefined
  form: ReviewForm
}

interface Sitting {
  saved: Saved | undefined
  /** A form to go on with, after its annotation was undone. */
  restored: { target: Target; form: ReviewForm } | undefined
  /** Why the reader is at another card than expected. */
  notice: string | undefined
  /** The card that was opened by "next", not by a link to it. */
  arrived: Target | undefined
}

let sitting: Sitting = { saved: undefined, restored: undefined, notice: undefined, arrived: undefined }
let visited: Target[] = []
const listeners = new Set<() => void>()

export function changeSitting(patch: Partial<Sitting>): void {
  sitting = { ...sitting, ...patch }
  for (const listener of listeners) listener()
}

export function useSitting(): Sitting {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => sitting,
  )
}

export function sameTarget(one: Target, other: Target | undefined): boolean {
  return one.type === other?.type && one.id === other.id
}

/** Note that a card was opened. */
export function visit(target: Target): void {
  if (!visited.some((one) => sameTarget(one, target))) visited = [...visited, target]
}

/** The card that was opened before this one. */
export function visitedBefore(target: Target): Target | undefined {
  const at = visited.findIndex((one) => sameTarget(one, target))
  return at > 0 ? visited[at - 1] : undefined
}

/** The form to go on with on a card. */
export function restoredForm(target: Target): ReviewForm | undefined {
  const { restored } = sitting
  return restored && sameTarget(restored.target, target) ? restored.form : undefined
}

/** Whether "next" led to this card: then it is held already. */
export function hasArrived(target: Target): boolean {
  return sameTarget(target, sitting.arrived)
}
