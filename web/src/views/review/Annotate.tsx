import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useEffect, useMemo, useState } from "react"
import { asProblem } from "../../api/problem"
import type { Annotation, Card, Target } from "../../api/review"
import { cardQuery, countsQuery } from "../../api/review"
import { useKeys, withKey } from "../../keys"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { useTitle } from "../../title"
import styles from "./Annotate.module.css"
import { Fill } from "./Fill"
import { Gone } from "./Gone"
import { HeldBox } from "./HeldBox"
import { Mine } from "./Mine"
import { Origin } from "./Origin"
import { Others } from "./Others"
import { Progress } from "./Progress"
import { Reading } from "./Reading"
import { ReviewerName } from "./ReviewerName"
import { holderOf, nameOf, reviewsText, waitingText } from "./reviewWords"
import { SavedBar } from "./SavedBar"
import { hasArrived, visit } from "./sitting"
import type { Claim } from "./useClaim"
import { useClaim } from "./useClaim"
import type { Moves } from "./useMoves"
import { useMoves } from "./useMoves"
import type { KnownReviewer } from "./useReviewer"
import { callerOf, useReviewer } from "./useReviewer"

/** One card: was this good? */
export function Annotate() {
  const { project = "", type = "", target: id = "" } = useParams({ strict: false })
  const reviewer = useReviewer(project)
  if (type !== "trace" && type !== "run") {
    return (
      <div role="alert">
        <h1>There is no such card</h1>
        <p>
          The address may be mistyped. <Link to="/projects/$project/review" params={{ project }}>To the queue</Link>
        </p>
      </div>
    )
  }
  return <OneCard key={`${type}/${id}`} type={type} id={id} reviewer={reviewer} />
}

function OneCard({ type, id, reviewer }: Target & { reviewer: KnownReviewer }) {
  const target = useMemo(() => ({ type, id }), [type, id])
  const caller = callerOf(reviewer)
  const { data: card, error, refetch } = useQuery(cardQuery(caller, target))
  const counts = useQuery(countsQuery(caller))
  const moves = useMoves(caller, target)
  useTitle(card === undefined ? "Review" : `Review: ${nameOf(card)}`)
  useEffect(() => visit(target), [target])
  useKeys({ "step.out": moves.back, "review.next": moves.next, "review.previous": moves.previous })
  const own = card?.annotations.find((annotation) => annotation.annotator === reviewer.name)
  const claim = useOpenClaim(reviewer, target, card, own)
  return (
    <div className={styles.page}>
      <Top counts={counts.data} moves={moves} />
      <SavedBar reviewer={reviewer} here={target} />
      <ReviewerName reviewer={reviewer} />
      {error && asProblem(error).status === 404 ? (
        <Gone reviewer={reviewer} moves={moves} />
      ) : error ? (
        <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} />
      ) : card === undefined ? (
        <Loading what="the card" rows={6} rowHeight={60} />
      ) : (
        <Body card={card} own={own} claim={claim} target={target} reviewer={reviewer} moves={moves} />
      )}
    </div>
  )
}

/** Holds the card while it is open to be reviewed. */
function useOpenClaim(reviewer: KnownReviewer, target: Target, card: Card | undefined, own: Annotation | undefined): Claim {
  const client = useQueryClient()
  const [hasHeld, setHasHeld] = useState(false)
  // What "next" led to is held already, so that holding it longer need not wait until it is loaded. Who has begun to
  // write stays at it, also when somebody else has taken the card meanwhile.
  const isFree = hasHeld || hasArrived(target) || (card !== undefined && holderOf(card, reviewer.name) === null)
  const claim = useClaim(callerOf(reviewer), target, isFree && own === undefined)
  useEffect(() => {
    if (claim.state === "mine") setHasHeld(true)
    if (claim.state !== "taken" && claim.state !== "lost" && !claim.lapses) return
    void client.invalidateQueries({ queryKey: cardQuery(callerOf(reviewer), target).queryKey })
    // Once per change: what else it uses is of the same card.
  }, [claim.state, claim.lapses])
  return claim
}

function Top({ counts, moves }: { counts: Parameters<typeof Progress>[0]["counts"] | undefined; moves: Moves }) {
  return (
    <div className={styles.top}>
      {counts ? <Progress counts={counts} /> : <p>&nbsp;</p>}
      <div className={styles.moves}>
        <button type="button" data-kind="plain" title={withKey("The card before", "review.previous")} onClick={moves.previous}>
          ← Previous
        </button>
        <button type="button" data-kind="plain" title={withKey("Skip this card", "review.next")} onClick={moves.next}>
          Skip →
        </button>
        <button type="button" data-kind="plain" title={withKey("Back to the queue", "step.out")} onClick={moves.back}>
          Back to the queue
        </button>
      </div>
      {moves.problem && <ProblemBox problem={moves.problem} />}
    </div>
  )
}

interface BodyProps {
  card: Card
  own: Annotation | undefined
  claim: Claim
  target: Target
  reviewer: KnownReviewer
  moves: Moves
}

function Body({ card, own, claim, target, reviewer, moves }: BodyProps) {
  const others = card.annotations.filter((annotation) => annotation.annotator !== reviewer.name)
  const isHidden = card.settings.blind && own === undefined
  const holder = holderOf(card, reviewer.name)
  return (
    <>
      <h1 className="hidden-text">Review: {nameOf(card)}</h1>
      {card.reason && (
        <p className={styles.reason}>
          Why it is here: <Characters text={card.reason} />
        </p>
      )}
      <Reading card={card} />
      <p className={styles.about}>
        {card.status === "pending" && `${waitingText(card.queued_at, Date.now())} · `}
        {reviewsText(card.reviewer_count, card.reviews_wanted)}
        {!reviewer.isReviewer && (
          <>
            {" "}
            · <Origin card={card} project={reviewer.project} />
          </>
        )}
      </p>
      {own ? (
        <Mine key={own.id} own={own} card={card} target={target} reviewer={reviewer} moves={moves} />
      ) : holder !== null && (claim.state === "none" || claim.state === "taken") ? (
        <HeldBox holder={holder} until={card.claimed_until} caller={callerOf(reviewer)} target={target} moves={moves} />
      ) : claim.state === "asking" || claim.state === "taken" ? (
        <Loading what="the form" rows={4} rowHeight={60} />
      ) : (
        <Fill card={card} target={target} reviewer={reviewer} moves={moves} claim={claim} />
      )}
      <Others annotations={others} isHidden={isHidden} count={card.reviewer_count} />
    </>
  )
}
