import { useEffect, useState } from "react"
import styles from "./Filters.module.css"

interface Props {
  /** What is bounded, with its unit: "Duration (ms)". */
  label: string
  low: number | undefined
  high: number | undefined
  step?: number
  onChange: (low: number | undefined, high: number | undefined) => void
}

/** Two ends of a range; an empty field is no bound. Applied on Enter or when the field is left. */
export function RangeFilter({ label, low, high, step = 1, onChange }: Props) {
  return (
    <div className={styles.time} role="group" aria-label={label}>
      <End label={`${label} from`} value={low} step={step} onChange={(value) => onChange(value, high)} />
      <End label="to" name={`${label} to`} value={high} step={step} onChange={(value) => onChange(low, value)} />
    </div>
  )
}

interface EndProps {
  label: string
  name?: string
  value: number | undefined
  step: number
  onChange: (value: number | undefined) => void
}

function End({ label, name, value, step, onChange }: EndProps) {
  const [draft, setDraft] = useState(value === undefined ? "" : String(value))
  useEffect(() => setDraft(value === undefined ? "" : String(value)), [value])
  function apply(): void {
    const parsed = draft.trim() === "" ? undefined : Number(draft)
    if (parsed !== value && !Number.isNaN(parsed)) onChange(parsed)
  }
  return (
    <label className={styles.field}>
      <span>{label}</span>
      <input
        type="number"
        min={0}
        step={step}
        className={styles.short}
        aria-label={name}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === "Enter" && apply()}
      />
    </label>
  )
}
