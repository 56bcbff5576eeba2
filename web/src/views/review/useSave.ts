import { useQueryClient } from "@tanstack/react-query"
import type { Annotation, Card, Target } from "../../api/review"
import { annotate, cardQuery, changeAnnotation } from "../../api/review"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import type { ReviewForm } from "./reviewForm"
import { changeOf, chosenLabel, draftOf } from "./reviewForm"
import { nameOf } from "./reviewWords"
import { changeSitting } from "./sitting"
import { endClaim } from "./useClaim"
import type { Moves, NextCard } from "./useMoves"
import { nextFree } from "./useMoves"
import type { KnownReviewer } from "./useReviewer"
import { callerOf } from "./useReviewer"

interface Saving {
  card: Card
  target: Target
  reviewer: KnownReviewer
  moves: Moves
  changed?: Annotation | undefined
  onDone?: (() => void) | undefined
}

/** Store the review, and ask for the next card where that is wanted. */
export function useSave({ card, target, reviewer, moves, changed, onDone }: Saving) {
  const client = useQueryClient()
  const caller = callerOf(reviewer)
  const store = async ({ form, thenNext }: { form: ReviewForm; thenNext: boolean }, key: string) => {
    const annotation = await (changed
      ? changeAnnotation(changed.id, changeOf(form, card, changed))
      : annotate(draftOf(form, card, { ...caller, annotator: reviewer.name }, target), key))
    const next: NextCard | undefined = thenNext ? await nextFree(caller, target) : undefined
    return { annotation, next }
  }
  return useWrite(store, {
    onDone: ({ annotation, next }, { form }) => {
      const saved = { annotation: annotation.id, target, name: nameOf(card, 50), label: chosenLabel(form), form }
      changeSitting({ saved, restored: undefined, notice: undefined })
      endClaim(target)
      announce("Saved")
      void client.invalidateQueries({ queryKey: ["review", "queue"] })
      void client.invalidateQueries({ queryKey: ["judges"] })
      if (next) {
        client.removeQueries({ queryKey: cardQuery(caller, target).queryKey })
        moves.follow(next)
      } else {
        void client.invalidateQueries({ queryKey: ["review", "counts"] })
        void client.invalidateQueries({ queryKey: cardQuery(caller, target).queryKey })
      }
      onDone?.()
    },
  })
}
