import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { QueueCounts, Reviewer, Target } from "../../api/review"
import { countsQuery, nextCard } from "../../api/review"
import { useWrite } from "../../api/write"
import { changeSitting, sameTarget, visitedBefore } from "./sitting"

export interface NextCard {
  card: Target | null
  counts: QueueCounts
  /** The end was reached, and this one was passed over before. */
  fromStart: boolean
}

/** The next free card; after the last one, the first of those that were passed over. */
export async function nextFree(reviewer: Reviewer, after: Target): Promise<NextCard> {
  const { card, counts } = await nextCard(reviewer, after)
  if (card !== null || counts.left_for_me === 0) return { card: card && targetOf(card), counts, fromStart: false }
  const first = await nextCard(reviewer, undefined)
  const other = first.card && targetOf(first.card)
  return { card: other && sameTarget(other, after) ? null : other, counts: first.counts, fromStart: true }
}

function targetOf(card: { target_type: Target["type"]; target_id: string }): Target {
  return { type: card.target_type, id: card.target_id }
}

/** Going from card to card. */
export function useMoves(reviewer: Reviewer, here: Target) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { project } = reviewer
  function back(notice?: string): void {
    changeSitting({ notice })
    void navigate({ to: "/projects/$project/review", params: { project } })
  }
  /** `isHeld`: the server holds it for this person already. */
  function open(target: Target, isHeld: boolean, notice?: string): void {
    changeSitting({ notice, arrived: isHeld ? target : undefined })
    void navigate({ to: "/projects/$project/review/$type/$target", params: { project, type: target.type, target: target.id } })
  }
  function follow({ card, counts, fromStart }: NextCard): void {
    client.setQueryData(countsQuery(reviewer).queryKey, counts)
    if (card !== null) open(card, true, fromStart ? "That was the last one; here is the first that you passed over." : undefined)
    else back(counts.left_for_me > 0 ? "There is no other card for you now: it is the only one left, or others have the rest open." : undefined)
  }
  const forth = useWrite(() => nextFree(reviewer, here), { onDone: (next) => follow(next) })
  const previous = useWrite(() => nextCard(reviewer, here, "previous"), {
    onDone: ({ card }) => {
      if (card === null) changeSitting({ notice: "There is no card before this one." })
      else open(targetOf(card), true)
    },
  })
  return {
    back: () => back(),
    follow,
    next: () => forth.run(undefined),
    previous: () => {
      const before = visitedBefore(here)
      if (before) open(before, false)
      else previous.run(undefined)
    },
    busy: forth.busy || previous.busy,
    problem: forth.problem ?? previous.problem,
  }
}

export type Moves = ReturnType<typeof useMoves>
