import { useState } from "react"
import type { Annotation, Card, Target } from "../../api/review"
import { keyLabel, KEYS, useKeys } from "../../keys"
import { ProblemBox } from "../../parts/Problem"
import { WriteButton } from "../../parts/WriteButton"
import styles from "./Annotate.module.css"
import { Fill } from "./Fill"
import { JudgeScores } from "./JudgeScores"
import { OneReview } from "./OneReview"
import { formOf, ownScores } from "./reviewForm"
import { nameOf } from "./reviewWords"
import { SaveToDataset } from "./SaveToDataset"
import type { Moves } from "./useMoves"
import type { KnownReviewer } from "./useReviewer"
import { callerOf } from "./useReviewer"
import { useUndo } from "./useUndo"

interface Props {
  own: Annotation
  card: Card
  target: Target
  reviewer: KnownReviewer
  moves: Moves
}

/** What this person said of the card, and what can be done next. Only now the automatic scores are shown. */
export function Mine({ own, card, target, reviewer, moves }: Props) {
  const [state, setState] = useState<"saved" | "changing" | "dataset">("saved")
  const undo = useUndo(callerOf(reviewer))
  const form = formOf(own, card)
  const takeBack = (): void => undo.run({ annotation: own.id, target, name: nameOf(card, 50), label: own.label ?? undefined, form })
  useKeys({ "review.undo": takeBack, "review.save": moves.next }, { on: state === "saved" && reviewer.refused === undefined })
  if (state === "changing") {
    return (
      <Fill
        card={card} target={target} reviewer={reviewer} moves={moves} claim={{ state: "none" }} changed={own}
        onDone={() => setState("saved")}
      />
    )
  }
  return (
    <section className={styles.saved} aria-label="Your review">
      <h2>✓ Your review is saved</h2>
      <OneReview annotation={own} scores={ownScores(own, card)} />
      <div className={styles.buttons}>
        <button type="button" data-kind="main" onClick={moves.next}>
          Next card <kbd>{keyLabel(KEYS["review.next"].keys[0])}</kbd>
        </button>
        {!reviewer.isReviewer && <WriteButton onClick={() => setState("dataset")}>Save to a dataset…</WriteButton>}
        {reviewer.refused === undefined && (
          <>
            <button type="button" onClick={() => setState("changing")}>
              Change it
            </button>
            <button type="button" disabled={undo.busy} onClick={takeBack}>
              Undo <kbd>{keyLabel(KEYS["review.undo"].keys[0])}</kbd>
            </button>
          </>
        )}
      </div>
      {undo.problem && <ProblemBox problem={undo.problem} onRetry={undo.retry} />}
      <JudgeScores scores={card.scores} />
      {state === "dataset" && <SaveToDataset project={reviewer.project} annotation={own} onClose={() => setState("saved")} />}
    </section>
  )
}
