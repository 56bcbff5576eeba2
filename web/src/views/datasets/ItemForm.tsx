import type { ReactNode } from "react"
import { useId, useRef, useState } from "react"
import type { DatasetItem } from "../../api/datasets"
import { saveItem } from "../../api/datasets"
import { fieldMessage } from "../../api/problem"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Dialog } from "../../parts/Dialog"
import { ProblemBox } from "../../parts/Problem"
import { useLeaving } from "../../parts/useLeaving"
import { WriteButton } from "../../parts/WriteButton"
import styles from "./Datasets.module.css"
import type { As, Field, Form, Typed } from "./itemDraft"
import { formOf, isSame, readAs, readForm } from "./itemDraft"

interface Props {
  dataset: string
  /** The one that is edited; none for a new one. */
  item: DatasetItem | undefined
  onClose: () => void
  onSaved: (item: DatasetItem) => void
}

const FIELDS = ["input", "expected_output", "metadata", "key"] as const

/** Add an item, or put another content in its place. What is typed stays until it is stored or left on purpose. */
export function ItemForm({ dataset, item, onClose, onSaved }: Props) {
  const [first] = useState(() => formOf(item))
  const [form, setForm] = useState<Form>(first)
  const [looked, setLooked] = useState<ReadonlySet<Field>>(new Set())
  const box = useRef<HTMLDivElement>(null)
  const leaving = useLeaving(!isSame(first, form), onClose)
  const save = useWrite((draft: Parameters<typeof saveItem>[2], key) => saveItem(dataset, item?.id, draft, key), {
    changes: [["dataset", dataset], ["datasets"]],
    onDone: (stored) => {
      leaving.release()
      announce(item === undefined ? "The item was added." : "The item was changed.")
      onSaved(stored)
    },
  })
  const { draft, problems } = readForm(form)
  function press(): void {
    if (draft) return save.run(draft)
    setLooked(new Set(FIELDS))
    const wrong = FIELDS.find((field) => problems[field] !== undefined)
    box.current?.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus()
  }
  function field(name: Field) {
    const problem = (looked.has(name) ? problems[name] : undefined) ?? fieldMessage(save.problem, name)
    return { name, problem, onLook: () => setLooked(new Set([...looked, name])) }
  }
  return (
    <Dialog
      title={item === undefined ? "Add an item" : "Edit the item"}
      onClose={onClose}
      mayClose={leaving.mayClose}
      wide
      actions={
        <WriteButton kind="main" busy={save.busy} onClick={press} refused={item !== undefined && isSame(first, form) ? "Nothing is changed yet." : undefined}>
          {save.busy ? "Saving…" : item === undefined ? "Add the item" : "Save as a new version"}
        </WriteButton>
      }
    >
      {leaving.question}
      <div ref={box} className={styles.form}>
        <TypedField label="Input" value={form.input} onChange={(input) => setForm({ ...form, input })} {...field("input")} />
        <TypedField label="Expected output" hint="Left empty, the item has none." value={form.expected_output} onChange={(expected_output) => setForm({ ...form, expected_output })} {...field("expected_output")} />
        <TextField label="Metadata" hint='A JSON object, as {"topic": "refunds"}, or nothing.' rows={3} mono value={form.metadata} onChange={(metadata) => setForm({ ...form, metadata })} {...field("metadata")} />
        <TextField
          label="Key"
          hint={item?.key ? "Your own id of the item. Left empty, it keeps the one it has." : "Your own id of the item, unique in the dataset, or nothing."}
          value={form.key}
          onChange={(key) => setForm({ ...form, key })}
          {...field("key")}
        />
      </div>
      {item !== undefined && <p className="mute">Experiments on older versions keep the item as it was.</p>}
      {save.problem && <ProblemBox problem={save.problem} onRetry={save.retry} shownFields={FIELDS} />}
    </Dialog>
  )
}

interface FieldProps {
  name: Field
  label: string
  hint?: string
  problem: string | undefined
  onLook: () => void
}

interface TypedProps extends FieldProps {
  value: Typed
  onChange: (value: Typed) => void
}

/** A value that is text or JSON. */
function TypedField({ value, onChange, ...props }: TypedProps) {
  const kinds: [As, string][] = [["text", "text"], ["json", "JSON"]]
  return (
    <TextField
      {...props}
      rows={5}
      mono={value.as === "json"}
      value={value.text}
      onChange={(text) => onChange({ ...value, text })}
      beside={
        <div role="group" aria-label={`${props.label} as`} className={styles.kinds}>
          {kinds.map(([as, words]) => (
            <button key={as} type="button" data-kind="plain" aria-pressed={value.as === as} onClick={() => onChange(readAs(value, as))}>
              {words}
            </button>
          ))}
        </div>
      }
    />
  )
}

interface TextProps extends FieldProps {
  value: string
  onChange: (value: string) => void
  rows?: number
  mono?: boolean
  /** Stands in the line of the label. */
  beside?: ReactNode
}

function TextField({ name, label, hint, problem, onLook, value, onChange, rows, mono, beside }: TextProps) {
  const id = useId()
  const shared = {
    id,
    name,
    value,
    onBlur: onLook,
    "aria-invalid": problem !== undefined,
    "aria-describedby": [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ") || undefined,
    className: mono ? styles.mono : undefined,
  }
  return (
    <div className={styles.field}>
      <div className={styles.labelLine}>
        <label htmlFor={id}>{label}</label>
        {beside}
      </div>
      {rows === undefined ? (
        <input {...shared} type="text" maxLength={256} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <textarea {...shared} rows={rows} onChange={(event) => onChange(event.target.value)} />
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} role="alert" className={styles.problem}>
          <span aria-hidden="true">✕ </span>
          {problem}
        </p>
      )}
    </div>
  )
}
