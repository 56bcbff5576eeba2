// The keyboard map. A key is handled, shown in a tooltip and printed by `?` from this one table.
import type { RefObject } from "react"
import { useEffect, useRef } from "react"

export const KEYS = {
  "row.next": { keys: ["j", "ArrowDown"], where: "Lists and trees", does: "Next row" },
  "row.previous": { keys: ["k", "ArrowUp"], where: "Lists and trees", does: "Previous row" },
  "row.first": { keys: ["Home"], where: "Lists and trees", does: "First row" },
  "row.last": { keys: ["End"], where: "Lists and trees", does: "Last row" },
  "row.open": { keys: ["Enter"], where: "Lists and trees", does: "Open the row" },
  "row.tick": { keys: ["x"], where: "Lists and trees", does: "Tick the row" },
  "step.out": { keys: ["Escape"], where: "Lists and trees", does: "Step out by one" },
  "find.open": { keys: ["/"], where: "Lists and trees", does: "Find" },
  "tree.close": { keys: ["ArrowLeft"], where: "Lists and trees", does: "Close the branch, or go to its parent" },
  "tree.open": { keys: ["ArrowRight"], where: "Lists and trees", does: "Open the branch, or go to its first child" },
  "tree.siblings": { keys: ["*"], where: "Lists and trees", does: "Open all branches beside this one" },
  "trace.nextError": { keys: ["e"], where: "Trace", does: "Next error" },
  "trace.previousError": { keys: ["E"], where: "Trace", does: "Previous error" },
  "trace.queue": { keys: ["q"], where: "Trace", does: "Put into the review queue, or take out" },
  "trace.narrower": { keys: ["["], where: "Trace", does: "Make the tree narrower" },
  "trace.wider": { keys: ["]"], where: "Trace", does: "Make the tree wider" },
  "trace.log": { keys: ["l"], where: "Trace", does: "Linear or logarithmic times" },
  "compare.ticked": { keys: ["c"], where: "Experiments", does: "Compare the two ticked" },
  "item.next": { keys: ["n"], where: "Compare, iteration, conversation", does: "Next item, iteration or turn" },
  "item.previous": { keys: ["p"], where: "Compare, iteration, conversation", does: "Previous item, iteration or turn" },
  "compare.swap": { keys: ["s"], where: "Compare", does: "Swap base and candidate" },
  "review.label": { keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], where: "Review", does: "Choose the label with that number" },
  "review.save": { keys: ["Ctrl+Enter"], where: "Review", does: "Save, and go to the next card; in text fields as well" },
  "review.next": { keys: ["n"], where: "Review", does: "Skip: go to the next card" },
  "review.previous": { keys: ["p"], where: "Review", does: "Go to the card before" },
  "review.undo": { keys: ["u"], where: "Review", does: "Undo the chosen label, or what was saved last" },
  "plot.zoom": { keys: ["z"], where: "Plots", does: "Zoom the axis to the data" },
  "go.dashboard": { keys: ["g d"], where: "Anywhere", does: "Go to the dashboard" },
  "go.traces": { keys: ["g t"], where: "Anywhere", does: "Go to traces" },
  "go.conversations": { keys: ["g c"], where: "Anywhere", does: "Go to conversations" },
  "go.experiments": { keys: ["g e"], where: "Anywhere", does: "Go to experiments" },
  "go.iterations": { keys: ["g i"], where: "Anywhere", does: "Go to iterations" },
  "go.leaderboard": { keys: ["g l"], where: "Anywhere", does: "Go to the leaderboard" },
  "go.judges": { keys: ["g j"], where: "Anywhere", does: "Go to judges" },
  "go.datasets": { keys: ["g s"], where: "Anywhere", does: "Go to datasets" },
  "go.review": { keys: ["g r"], where: "Anywhere", does: "Go to the review queue" },
  "copy.link": { keys: ["y"], where: "Anywhere", does: "Copy the link, with the open row or span" },
  "copy.view": { keys: ["Y"], where: "Anywhere", does: "Copy the link to the view only" },
  theme: { keys: ["t"], where: "Anywhere", does: "Theme: system, dark, light" },
  help: { keys: ["?"], where: "Anywhere", does: "Show this list" },
} as const satisfies Record<string, Binding>

export interface Binding {
  keys: readonly string[]
  where: string
  does: string
}
export type KeyId = keyof typeof KEYS
type Handlers = { [id in KeyId]?: (event: KeyboardEvent) => void }

/** The key as a reader sees it: "j", "g then t", "↓". */
export function keyLabel(key: string): string {
  const names: Record<string, string> = {
    ArrowDown: "↓",
    ArrowUp: "↑",
    ArrowLeft: "←",
    ArrowRight: "→",
    Escape: "Esc",
  }
  return key
    .split(" ")
    .map((part) => names[part] ?? part)
    .join(" then ")
}

/** For a tooltip: "Copy link (y)". */
export function withKey(words: string, id: KeyId): string {
  return `${words} (${keyLabel(KEYS[id].keys[0])})`
}

/** Ids by pressed key; two views may give one key two meanings. */
const BY_KEY = new Map<string, KeyId[]>()
for (const [id, binding] of Object.entries(KEYS) as [KeyId, Binding][]) {
  for (const key of binding.keys) BY_KEY.set(key, [...(BY_KEY.get(key) ?? []), id])
}
const PREFIXES = new Set([...BY_KEY.keys()].filter((key) => key.includes(" ")).map((key) => key.split(" ")[0]))
const SEQUENCE_MS = 1500

/** What was pressed, given an unfinished sequence: ids to try, or the beginning of a sequence. */
export function idsFor(key: string, pending: string | null): { ids: KeyId[]; pending: string | null } {
  const sequence = pending !== null ? BY_KEY.get(`${pending} ${key}`) : undefined
  if (sequence) return { ids: sequence, pending: null }
  if (PREFIXES.has(key)) return { ids: [], pending: key }
  return { ids: BY_KEY.get(key) ?? [], pending: null }
}

/** Keys that move within something act only where the focus is. */
export function needsFocus(key: string): boolean {
  return key.length > 1 && key !== "Escape" && key !== CHORD
}

/** The one key with Ctrl (or ⌘), which no browser has: it types nothing, so it acts in text fields as well. */
const CHORD = "Ctrl+Enter"

/** What was pressed, or undefined where it is a key of the browser. */
export function pressedKey(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">): string | undefined {
  if (event.altKey || event.key === "Shift") return undefined
  if (!event.ctrlKey && !event.metaKey) return event.key
  return event.key === "Enter" ? CHORD : undefined
}

/** Single keys can be turned off, as WCAG 2.1.4 asks; the others are not characters. */
const SWITCH = "gnomon.keys"
export function singleKeysOn(): boolean {
  return localStorage.getItem(SWITCH) !== "off"
}
export function switchSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(SWITCH)
  else localStorage.setItem(SWITCH, "off")
}

interface Registration {
  handlers: Handlers
  scope: RefObject<HTMLElement | null> | undefined
}
const registrations: Registration[] = []

/** The ids that something on the page handles now. */
export function liveKeys(): Set<KeyId> {
  return new Set(registrations.flatMap((registration) => Object.keys(registration.handlers) as KeyId[]))
}

/** Handle keys while mounted. With `scope`, the one that has the focus goes first, and moving keys need it. */
export function useKeys(handlers: Handlers, options: { scope?: RefObject<HTMLElement | null>; on?: boolean } = {}): void {
  const { scope, on = true } = options
  const registration = useRef<Registration>({ handlers, scope })
  useEffect(() => {
    registration.current.handlers = handlers
  })
  useEffect(() => {
    if (!on) return
    const own = registration.current
    own.scope = scope
    if (registrations.length === 0) document.addEventListener("keydown", dispatch)
    registrations.push(own)
    return () => {
      registrations.splice(registrations.indexOf(own), 1)
      if (registrations.length === 0) document.removeEventListener("keydown", dispatch)
    }
  }, [on, scope])
}

let pending: { key: string; at: number } | null = null

function dispatch(event: KeyboardEvent): void {
  const key = event.defaultPrevented || event.isComposing ? undefined : pressedKey(event)
  if (key === undefined || occupied(event.target, key)) return
  if (key.length === 1 && !singleKeysOn()) return
  const begun = pending !== null && event.timeStamp - pending.at < SEQUENCE_MS ? pending.key : null
  const match = idsFor(key, begun)
  pending = match.pending === null ? null : { key: match.pending, at: event.timeStamp }
  if (key === "Enter" && isControl(event.target)) return
  const handler = choose(match.ids, key)
  if (!handler) return
  event.preventDefault()
  handler(event)
}

function choose(ids: KeyId[], key: string): ((event: KeyboardEvent) => void) | undefined {
  const able = registrations.flatMap((registration) => {
    const id = ids.find((id) => registration.handlers[id] !== undefined)
    return id === undefined ? [] : [{ handler: registration.handlers[id], focused: hasFocus(registration) }]
  })
  const focused = able.findLast((one) => one.focused)
  return (focused ?? (needsFocus(key) ? undefined : able.at(-1)))?.handler
}

function hasFocus(one: Registration): boolean {
  return one.scope?.current?.contains(document.activeElement) ?? false
}

/** Dialogs keep all keys, text fields and selects all that type or choose. */
function occupied(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest("dialog[open], [popover]:popover-open") !== null) return true
  if (key === CHORD) return false
  if (target.isContentEditable || target.closest("select, textarea") !== null) return true
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "submit"].includes(target.type)
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("a, button, input, summary") !== null
}
