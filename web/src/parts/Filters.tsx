import type { ReactNode } from "react"
import { useEffect, useId, useRef, useState } from "react"
import { KEYS, keyLabel, useKeys } from "../keys"
import type { Removable } from "./Empty"
import styles from "./Filters.module.css"
import { fromInput, RANGES, toInput } from "./timeRange"

interface Props {
  label: string
  /** Filters in force, as chips. */
  active: Removable[]
  onClear: () => void
  children: ReactNode
}

/** A row of filter fields, and below it what is filtered now. */
export function Filters({ label, active, onClear, children }: Props) {
  return (
    <div className={styles.filters} role="search" aria-label={label}>
      <div className={styles.fields}>{children}</div>
      {active.length > 0 && (
        <div className={styles.chips}>
          <ul aria-label="Filters in force" className={styles.list}>
            {active.map((filter) => (
              <li key={filter.id}>
                <button type="button" className={styles.chip} onClick={filter.remove}>
                  {filter.label} <span aria-hidden="true">×</span>
                  <span className="hidden-text">, remove</span>
                </button>
              </li>
            ))}
          </ul>
          <button type="button" data-kind="link" onClick={onClear}>
            Clear all
          </button>
        </div>
      )}
    </div>
  )
}

interface TextProps {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  /** Focused by `/`. One per view. */
  find?: boolean
  wide?: boolean
}

/** A text that filters once typing pauses. Esc leaves it. */
export function TextFilter({ label, value, onChange, find = false, wide }: TextProps) {
  const input = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState(value ?? "")
  const sent = useRef(value ?? "")
  useEffect(() => {
    // Changed elsewhere: by Back, or by a chip.
    if ((value ?? "") !== sent.current) {
      sent.current = value ?? ""
      setDraft(value ?? "")
    }
  }, [value])
  useEffect(() => {
    if (draft === sent.current) return
    const timer = setTimeout(() => {
      sent.current = draft
      onChange(draft.trim() === "" ? undefined : draft)
    }, 300)
    return () => clearTimeout(timer)
  }, [draft, onChange])
  useKeys({ "find.open": () => input.current?.focus() }, { on: find })
  return (
    <label className={styles.field}>
      <span>
        {label}
        {find && <kbd aria-hidden="true">{keyLabel(KEYS["find.open"].keys[0])}</kbd>}
      </span>
      <input
        ref={input}
        type="search"
        className={wide ? styles.wide : undefined}
        value={draft}
        maxLength={500}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && input.current?.blur()}
      />
    </label>
  )
}

interface SelectProps<T extends string> {
  label: string
  value: T | undefined
  options: readonly { value: T; label: string }[]
  onChange: (value: T | undefined) => void
  /** The words for no choice; without them there must always be one. */
  any?: string
}

export function SelectFilter<T extends string>({ label, value, options, onChange, any = "any" }: SelectProps<T>) {
  return (
    <label className={styles.field}>
      <span>{label}</span>
      <select value={value ?? ""} onChange={(event) => onChange((event.target.value || undefined) as T | undefined)}>
        <option value="">{any}</option>
        {value !== undefined && !options.some((option) => option.value === value) && (
          <option value={value}>{value}</option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  )
}

interface ToggleProps {
  label: string
  on: boolean
  onChange: (on: boolean) => void
}

export function ToggleFilter({ label, on, onChange }: ToggleProps) {
  return (
    <button type="button" aria-pressed={on} className={styles.toggle} onClick={() => onChange(!on)}>
      {label}
    </button>
  )
}

interface TimeProps {
  after: string | undefined
  before: string | undefined
  onChange: (range: { after: string | undefined; before: string | undefined }) => void
}

/** A span back from now, or two points in time (UTC). */
export function TimeFilter({ after, before, onChange }: TimeProps) {
  const [now] = useState(() => Date.now())
  const [custom, setCustom] = useState(false)
  const name = useId()
  const known = before === undefined && RANGES.some((range) => range.value === after)
  const fixed = custom || (!known && (after !== undefined || before !== undefined))
  function choose(value: string): void {
    setCustom(value === "fixed")
    if (value !== "fixed") onChange({ after: value === "" ? undefined : value, before: undefined })
  }
  return (
    <div className={styles.time} role="group" aria-labelledby={name}>
      <label className={styles.field}>
        <span id={name}>Time</span>
        <select value={fixed ? "fixed" : (after ?? "")} onChange={(event) => choose(event.target.value)}>
          <option value="">any</option>
          {RANGES.map((range) => (
            <option key={range.value} value={range.value}>
              {range.label}
            </option>
          ))}
          <option value="fixed">from … to …</option>
        </select>
      </label>
      {fixed && (
        <>
          <label className={styles.field}>
            <span>From (UTC)</span>
            <input
              type="datetime-local"
              value={toInput(after, now)}
              onChange={(event) => onChange({ after: fromInput(event.target.value), before })}
            />
          </label>
          <label className={styles.field}>
            <span>To (UTC)</span>
            <input
              type="datetime-local"
              value={toInput(before, now)}
              onChange={(event) => onChange({ after, before: fromInput(event.target.value) })}
            />
          </label>
        </>
      )}
    </div>
  )
}
