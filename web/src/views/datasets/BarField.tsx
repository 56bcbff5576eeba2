import { useEffect, useState } from "react"
import styles from "./Datasets.module.css"

/** From which score on an item is solved: 1 unless said. Applied on Enter or when the field is left. */
export function BarField({ value, onChange }: { value: number | undefined; onChange: (value: number | undefined) => void }) {
  const [draft, setDraft] = useState(String(value ?? 1))
  useEffect(() => setDraft(String(value ?? 1)), [value])
  function apply(): void {
    const typed = Number(draft)
    if (draft.trim() === "" || !(typed >= 0 && typed <= 1)) return setDraft(String(value ?? 1))
    if (typed !== (value ?? 1)) onChange(typed === 1 ? undefined : typed)
  }
  return (
    <label className={styles.bar}>
      Solved from
      <input
        type="number"
        min={0}
        max={1}
        step={0.05}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === "Enter" && apply()}
      />
    </label>
  )
}
