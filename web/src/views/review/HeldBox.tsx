import { useQueryClient } from "@tanstack/react-query"
import type { Reviewer, Target } from "../../api/review"
import { cardQuery } from "../../api/review"
import { withKey } from "../../keys"
import { Characters } from "../../parts/Text"
import styles from "./Annotate.module.css"
import { heldText } from "./reviewWords"
import type { Moves } from "./useMoves"

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
  return (
    <section className={styles.held} aria-label="Held by somebody else" role="status">
      <p>
        <Characters text={heldText(holder, until, Date.now())} />. You can read it, and review another one meanwhile.
      </p>
      <div className={styles.buttons}>
        <button type="button" data-kind="main" title={withKey("Next card", "review.next")} onClick={moves.next}>
          Next card
        </button>
        <button type="button" onClick={() => void client.invalidateQueries({ queryKey: cardQuery(caller, target).queryKey })}>
          Look whether it is free
        </button>
      </div>
    </section>
  )
}
