// Who reviews. A reviewer's key says it; with any other key the person says it, and the browser remembers the name.
import { useSyncExternalStore } from "react"
import type { Reviewer } from "../../api/review"
import { useSession } from "../../api/queries"

const STORED = "gnomon.annotator"
const listeners = new Set<() => void>()

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function renameReviewer(name: string): void {
  if (name.trim() === "") localStorage.removeItem(STORED)
  else localStorage.setItem(STORED, name.trim())
  for (const listener of listeners) listener()
}

export interface KnownReviewer extends Reviewer {
  /** Under which name reviews are stored; empty until it is known. */
  name: string
  /** Only somebody whose key leaves the name open can change it. */
  mayRename: boolean
  /** Why this key may not review, or undefined. */
  refused: string | undefined
  isReviewer: boolean
}

export function useReviewer(project: string): KnownReviewer {
  const session = useSession()
  const stored = useSyncExternalStore(listen, () => localStorage.getItem(STORED))
  const isReviewer = session?.role === "reviewer"
  const name = (isReviewer ? session.key_name : (stored ?? session?.key_name)) ?? ""
  const refused = session?.role === "read" ? "This key may read only." : undefined
  return {
    project,
    annotator: isReviewer ? undefined : name,
    holds: refused === undefined && name !== "",
    name,
    mayRename: !isReviewer,
    refused,
    isReviewer,
  }
}

/** What calls and their keys need of it. */
export function callerOf({ project, annotator, holds }: KnownReviewer): Reviewer {
  return { project, annotator, holds }
}
