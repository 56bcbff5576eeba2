import type { KeyboardEvent, ReactNode } from "react"
import { useState } from "react"
import { Field } from "../../parts/Field"
import styles from "./Annotate.module.css"
import type { ReviewForm } from "./reviewForm"

interface Props {
  form: ReviewForm
  onChange: (patch: Partial<ReviewForm>) => void
  answer: string
  /** The answer is too long to be here whole. */
  isCut: boolean
}

/** What may be said beside the label: a better answer, notes, a score. Folded until wanted. */
export function Extras({ form, onChange, answer, isCut }: Props) {
  return (
    <div className={styles.extras}>
      <Folded name="Correction" isFilled={form.correction !== answer}>
        <Field label="The answer as it should have been" hint={isCut ? "The answer is too long to be begun with." : "Change the answer; left as it is, it is not a correction."}>
          {(field) => <textarea {...field} dir="auto" rows={8} value={form.correction} onKeyDown={leave} onChange={(event) => onChange({ correction: event.target.value })} />}
        </Field>
      </Folded>
      <Folded name="Notes" isFilled={form.notes !== ""}>
        <Field label="Anything else to say">
          {(field) => <textarea {...field} dir="auto" rows={4} value={form.notes} onKeyDown={leave} onChange={(event) => onChange({ notes: event.target.value })} />}
        </Field>
      </Folded>
      <Folded name="Score" isFilled={form.score !== ""}>
        <div className={styles.line}>
          <Field label="Score" hint="A number from 0 to 1, or a word.">
            {(field) => <input {...field} value={form.score} maxLength={256} autoComplete="off" onKeyDown={leave} onChange={(event) => onChange({ score: event.target.value })} />}
          </Field>
          <Field label="Name of the score" hint="What it measures.">
            {(field) => <input {...field} value={form.scoreName} maxLength={256} autoComplete="off" onKeyDown={leave} onChange={(event) => onChange({ scoreName: event.target.value })} />}
          </Field>
        </div>
      </Folded>
    </div>
  )
}

/** Esc leaves the text field; single keys work again then. */
function leave(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "Escape") return
  event.preventDefault()
  event.currentTarget.blur()
}

function Folded({ name, isFilled, children }: { name: string; isFilled: boolean; children: ReactNode }) {
  const [wasFilled] = useState(isFilled)
  return (
    <details className={styles.folded} open={wasFilled || undefined}>
      <summary>
        {name}
        {isFilled && <span className={styles.filled}> ✎ filled in</span>}
      </summary>
      {children}
    </details>
  )
}
