import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import type { Reviewer, Target } from "../../api/review"
import { cardQuery } from "../../api/review"
import { withKey } from "../../keys"
import { Characters } from "../../parts/Text"
import styles from "./Annotate.module.css"
import { heldText } from "./reviewWords"
import type { Moves } from "./useMoves"

const LOOK_MS = 20_000

interface Props {
  holder: string
  until: string | null | undefined
  caller: Reviewer
  target: Target
  moves: Moves
}

/** Somebody else has the card open: nobody does the same work twice unaware. */
export function HeldBox({ holder, until, caller, target, moves }: Props) {
  const client = useQueryClient()
  const look = (): void => void client.invalidateQueries({ queryKey: cardQuery(caller, target).queryKey })
  useEffect(() => {
    // When the claim runs out is the server's to say: the clock here may be wrong.
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
    // What it uses is of one card, and stays.
  }, [])
  return (
    <section className={styles.held} aria-label="Held by somebody else" role="status">
      <p>
        <Characters text={heldText(holder, until, Date.now())} />. You can read it, and review another one meanwhile.
      </p>
      <div className={styles.buttons}>
        <button type="button" data-kind="main" title={withKey("Next card", "review.next")} onClick={moves.next}>
          Next card
        </button>
        <button type="button" onClick={look}>
          Look whether it is free
        </button>
      </div>
    </section>
  )
}
