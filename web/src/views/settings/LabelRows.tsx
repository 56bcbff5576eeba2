import type { LabelRow } from "./reviewDraft"
import { labelProblem, MOST_LABELS, movedUp, withNewLabel } from "./reviewDraft"
import styles from "./Labels.module.css"

interface Props {
  labels: LabelRow[]
  onChange: (labels: LabelRow[]) => void
}

/** The labels in their order, which is also that of the keys 1 to 9. */
export function LabelRows({ labels, onChange }: Props) {
  const change = (at: number, patch: Partial<LabelRow>): void => onChange(labels.map((row, index) => (index === at ? { ...row, ...patch } : row)))
  return (
    <div className={styles.labels}>
      <table>
        <caption className="hidden-text">Labels</caption>
        <thead>
          <tr>
            <th scope="col">Label</th>
            <th scope="col" title="The score that it gives, from 0 to 1; empty: none">
              Number
            </th>
            <th scope="col">When to give it</th>
            <th scope="col">
              <span className="hidden-text">Order and removal</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {labels.map((row, at) => (
            <Row key={row.id} row={row} at={at} problem={labelProblem(row, labels)} onChange={(patch) => change(at, patch)}
              onUp={() => onChange(movedUp(labels, at))} onRemove={() => onChange(labels.filter((label) => label.id !== row.id))} />
          ))}
        </tbody>
      </table>
      <button type="button" disabled={labels.length >= MOST_LABELS} onClick={() => onChange(withNewLabel(labels))}>
        Add a label
      </button>
    </div>
  )
}

interface RowProps {
  row: LabelRow
  at: number
  problem: string | undefined
  onChange: (patch: Partial<LabelRow>) => void
  onUp: () => void
  onRemove: () => void
}

function Row({ row, at, problem, onChange, onUp, onRemove }: RowProps) {
  const name = row.label.trim() || `label ${at + 1}`
  return (
    <tr>
      <td>
        <input aria-label={`Label ${at + 1}`} aria-invalid={problem !== undefined || undefined} value={row.label} maxLength={256} onChange={(event) => onChange({ label: event.target.value })} />
        {problem !== undefined && <p className={styles.problem}>✕ {problem}</p>}
      </td>
      <td>
        <input aria-label={`Number of ${name}`} inputMode="decimal" placeholder="none" value={row.value} onChange={(event) => onChange({ value: event.target.value })} />
      </td>
      <td>
        <input aria-label={`When to give ${name}`} value={row.hint} maxLength={500} onChange={(event) => onChange({ hint: event.target.value })} />
      </td>
      <td className={styles.acts}>
        <button type="button" data-kind="plain" disabled={at === 0} aria-label={`Move ${name} up`} onClick={onUp}>
          ↑
        </button>
        <button type="button" data-kind="plain" aria-label={`Remove ${name}`} onClick={onRemove}>
          ✕
        </button>
      </td>
    </tr>
  )
}
