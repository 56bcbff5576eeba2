import { useRef, useState } from "react"
import type { Annotation, Card, Target } from "../../api/review"
import { keyLabel, KEYS, useKeys } from "../../keys"
import { ProblemBox } from "../../parts/Problem"
import { Unsaved } from "../../parts/Unsaved"
import { countWords } from "../../words/format"
import styles from "./Annotate.module.css"
import { Extras } from "./Extras"
import { Labels } from "./Labels"
import type { ReviewForm } from "./reviewForm"
import { answerOf, emptyForm, formOf, isFilled, missing, NOTHING_FILLED } from "./reviewForm"
import { heldText } from "./reviewWords"
import { SaveProblem, Wrong } from "./SaveProblem"
import { restoredForm, useSitting } from "./sitting"
import type { Claim } from "./useClaim"
import type { Moves } from "./useMoves"
import type { KnownReviewer } from "./useReviewer"
import { callerOf } from "./useReviewer"
import { useSave } from "./useSave"
import { useUndo } from "./useUndo"

interface Props {
  card: Card
  target: Target
  reviewer: KnownReviewer
  moves: Moves
  claim: Claim
  /** The review that is changed, if it is no new one. */
  changed?: Annotation
  onDone?: () => void
}

/** What the person says of the card. */
export function Fill({ card, target, reviewer, moves, claim, changed, onDone }: Props) {
  const answer = answerOf(card)
  const { settings } = card
  const labels = settings.labels.map((label) => label.label)
  const [form, setForm] = useState<ReviewForm>(() => (changed ? formOf(changed, card) : (restoredForm(target) ?? emptyForm(answer))))
  const [attempted, setAttempted] = useState(false)
  const [wasWaiting] = useState(card.status === "pending")
  const first = useRef<HTMLInputElement>(null)
  const save = useSave({ card, target, reviewer, moves, changed, onDone })
  const undo = useUndo(callerOf(reviewer))
  const { saved } = useSitting()
  const change = (patch: Partial<ReviewForm>): void => setForm((now) => ({ ...now, ...patch }))
  const wrong = missing(form, answer)
  const refused = reviewer.refused ?? (reviewer.name === "" ? "Please say first who you are, above." : undefined)
  function submit(thenNext: boolean): void {
    setAttempted(true)
    if (refused !== undefined || save.busy) return
    if (wrong === NOTHING_FILLED) first.current?.focus()
    if (wrong === undefined) save.run({ form, thenNext })
  }
  useKeys({
    "review.label": (event) => {
      const label = labels[Number(event.key) - 1]
      if (label !== undefined) change({ label: form.label === label ? undefined : label, ownLabel: "" })
    },
    "review.save": () => submit(true),
    "review.undo": () => {
      if (form.label !== undefined) change({ label: undefined })
      else if (saved) undo.run(saved)
    },
  })
  const isDirty = isFilled(form, answer) && JSON.stringify(form) !== JSON.stringify(changed && formOf(changed, card))
  return (
    <form
      className={styles.form}
      aria-label="Your review"
      onSubmit={(event) => {
        event.preventDefault()
        submit(true)
      }}
    >
      {claim.state === "lost" && (
        <p className={styles.warning} role="status">
          {card.claimed_by ? heldText(card.claimed_by, card.claimed_until, Date.now()) : "Somebody else is reviewing this one"} by now. What you wrote
          stays; if you save it, the card has two reviews.
        </p>
      )}
      {claim.state !== "lost" && !changed && wasWaiting && card.status === "annotated" && (
        <p className={styles.warning} role="status">
          Somebody else has reviewed this one meanwhile. What you wrote stays; if you save it, the card has {countWords(card.reviewer_count + 1, "review")}.
        </p>
      )}
      <Labels labels={settings.labels} mayWriteOwn={settings.free_labels} form={form} onChange={change} first={first} />
      <Extras form={form} onChange={change} answer={answer} isCut={card.answer?.truncated ?? false} />
      {attempted && wrong !== undefined && <Wrong words={wrong} />}
      {refused !== undefined && <p className={styles.warning}>{refused}</p>}
      {claim.problem && claim.problem.status !== 404 && <ProblemBox problem={claim.problem} />}
      {save.problem && <SaveProblem problem={save.problem} onRetry={save.retry} />}
      {undo.problem && <ProblemBox problem={undo.problem} onRetry={undo.retry} />}
      <div className={styles.buttons}>
        <button type="submit" data-kind="main" aria-disabled={refused !== undefined || save.busy}>
          {save.busy ? "Saving…" : "Save and next"} <kbd>{keyLabel(KEYS["review.save"].keys[0])}</kbd>
        </button>
        <button type="button" aria-disabled={refused !== undefined || save.busy} onClick={() => submit(false)}>
          Save
        </button>
        {changed ? (
          <button type="button" data-kind="plain" onClick={onDone}>
            Leave it as it was
          </button>
        ) : (
          <button type="button" data-kind="plain" onClick={moves.next}>
            Skip <kbd>{keyLabel(KEYS["review.next"].keys[0])}</kbd>
          </button>
        )}
      </div>
      <Unsaved when={isDirty && !save.busy} what="Your review of this card is not saved." />
    </form>
  )
}
