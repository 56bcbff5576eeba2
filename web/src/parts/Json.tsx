import { useMemo, useState } from "react"
import { Copy } from "./Copy"
import { childrenOf, closedWords, jsonText, kindOf, PAGE, sizeOf, startsOpen } from "./jsonParts"
import styles from "./Json.module.css"
import { Characters, Text } from "./Text"

interface Props {
  value: unknown
  /** "formatted" is the tree. Given with `onAs`, the choice is the view's (`?as=`); given alone, there is none. */
  as?: "formatted" | "text" | undefined
  onAs?: (as: "formatted" | "text") => void
  label: string
}

/** JSON as a tree that is built as it is opened, or as plain text. */
export function Json({ value, as, onAs, label }: Props) {
  const [own, setOwn] = useState<"formatted" | "text">("formatted")
  const shown = as ?? own
  const choose = onAs ?? setOwn
  const text = useMemo(() => (shown === "text" ? jsonText(value) : ""), [shown, value])
  return (
    <div className={styles.frame}>
      {(as === undefined || onAs !== undefined) && <div className={styles.bar} role="group" aria-label={`${label} as`}>
        <button type="button" aria-pressed={shown === "formatted"} onClick={() => choose("formatted")}>
          Formatted
        </button>
        <button type="button" aria-pressed={shown === "text"} onClick={() => choose("text")}>
          Text
        </button>
        {shown === "text" && <Copy text={text} what={label} />}
      </div>}
      {shown === "text" ? <Text text={text} mono label={label} /> : <Tree value={value} />}
    </div>
  )
}

function Tree({ value }: { value: unknown }) {
  return (
    <div className={styles.tree}>
      <Value value={value} depth={0} name={undefined} />
    </div>
  )
}

interface ValueProps {
  name: string | undefined
  value: unknown
  depth: number
}

function Value({ name, value, depth }: ValueProps) {
  const kind = kindOf(value)
  if ((kind === "object" || kind === "array") && sizeOf(value) > 0) return <Branch name={name} value={value} depth={depth} />
  return (
    <div className={styles.leaf}>
      <Name name={name} />
      <Leaf value={value} />
    </div>
  )
}

function Branch({ name, value, depth }: ValueProps) {
  const [open, setOpen] = useState(() => startsOpen(value, depth))
  const [shown, setShown] = useState(PAGE)
  const size = sizeOf(value)
  return (
    <div>
      <button type="button" data-kind="plain" className={styles.branch} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span aria-hidden="true">{open ? "▾ " : "▸ "}</span>
        <Name name={name} />
        <span className="mute">{open ? (Array.isArray(value) ? `[${size}]` : "{}") : closedWords(value)}</span>
      </button>
      {open && (
        <ul className={styles.children}>
          {childrenOf(value, 0, shown).map(([child, one]) => (
            <li key={child}>
              <Value name={child} value={one} depth={depth + 1} />
            </li>
          ))}
          {size > shown && (
            <li>
              <button type="button" onClick={() => setShown(shown + PAGE)}>
                {Math.min(PAGE, size - shown)} more of {size.toLocaleString("en-US")}
              </button>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}

function Name({ name }: { name: string | undefined }) {
  if (name === undefined) return null
  return (
    <span className={styles.name}>
      <Characters text={name} />
      {": "}
    </span>
  )
}

const LONG = 1000

function Leaf({ value }: { value: unknown }) {
  const [whole, setWhole] = useState(false)
  if (typeof value !== "string") {
    return <span className={styles.plain}>{Array.isArray(value) ? "[]" : kindOf(value) === "object" ? "{}" : String(value ?? null)}</span>
  }
  const cut = value.length > LONG && !whole
  return (
    <span className={styles.string}>
      <Characters text={`"${cut ? value.slice(0, LONG) : value}"`} />
      {cut && (
        <button type="button" onClick={() => setWhole(true)}>
          … all {value.length.toLocaleString("en-US")} characters
        </button>
      )}
    </span>
  )
}
