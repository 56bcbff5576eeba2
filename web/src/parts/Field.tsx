import type { ReactNode } from "react"
import { useId } from "react"
import styles from "./Field.module.css"

/** What the field itself takes: `<input {...given} />`. */
export interface FieldProps {
  id: string
  "aria-describedby": string | undefined
  "aria-invalid": boolean | undefined
}

interface Props {
  label: ReactNode
  hint?: ReactNode
  /** What is wrong with it, said beside it. */
  problem?: string | undefined
  children: (field: FieldProps) => ReactNode
}

/** One field of a form: its name, what it means, and what is wrong with it. */
export function Field({ label, hint, problem, children }: Props) {
  const id = useId()
  const described = [hint === undefined ? "" : `${id}-hint`, problem === undefined ? "" : `${id}-problem`].join(" ").trim()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": problem !== undefined || undefined })}
      {problem !== undefined && (
        <p id={`${id}-problem`} className={styles.problem}>
          <span aria-hidden="true">✕ </span>
          {problem}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** Fields that a key may not change stay readable, and it is said why. */
export function Fields({ refused, legend, children }: { refused: string | undefined; legend: string; children: ReactNode }) {
  return (
    <>
      {refused !== undefined && <p className={styles.note}>{refused} You can look, but not change anything here.</p>}
      <fieldset className={styles.fields} disabled={refused !== undefined}>
        <legend className="hidden-text">{legend}</legend>
        {children}
      </fieldset>
    </>
  )
}
