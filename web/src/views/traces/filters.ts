// From the URL's parameters to the API's, and to the chips that say what is filtered.
import type { TraceFilter } from "../../api/traces"
import type { Removable } from "../../parts/Empty"
import { instantOf, rangeWords } from "../../parts/timeRange"
import type { StateOf } from "../../params"
import type { tracesSearch } from "../../searches"
import { durationText } from "../../words/format"

export type State = StateOf<typeof tracesSearch>
type Patch = { [K in keyof State]?: State[K] | undefined }

const META = "meta."
const ORDERS: Record<string, string> = {
  age: "created_at", // ascending: the oldest first
  "-age": "-created_at",
  duration: "duration",
  "-duration": "-duration",
  "-tokens": "-tokens",
  "-cost": "-cost",
}
/** Without a range of its own a list shows this much, so that a first page never looks through all there is. */
export const DEFAULT_RANGE = "30d"
export const ALL_TIME = "1970-01-01"

/** The order that the server knows, or undefined for its own: newest first. */
export function orderOf(sort: string | undefined): string | undefined {
  return sort === undefined ? undefined : ORDERS[sort]
}

export function filterOf(project: string, state: State, now: number): TraceFilter {
  const after = state.after ?? (state.before === undefined ? DEFAULT_RANGE : undefined)
  const bounded = state.scorer !== undefined
  const filter: TraceFilter = {
    project_id: project,
    after: after === undefined || after === ALL_TIME ? undefined : instantOf(after, now),
    before: state.before === undefined ? undefined : instantOf(state.before, now),
    has_error: state.error === undefined ? undefined : String(state.error),
    in_queue: state.queue === undefined ? undefined : String(state.queue),
    model: state.model,
    min_duration_ms: state.min_duration,
    max_duration_ms: state.max_duration,
    scorer_name: state.scorer,
    min: bounded ? state.min : undefined,
    max: bounded ? state.max : undefined,
    q: state.q,
  }
  for (const [name, value] of Object.entries(state)) {
    if (name.startsWith(META)) filter[`metadata.${name.slice(META.length)}`] = value as string
  }
  return withoutUndefined(filter)
}

function withoutUndefined(filter: TraceFilter): TraceFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as TraceFilter
}

/** What is filtered, in words, each with how to be rid of it. */
export function chipsOf(state: State, change: (patch: Patch) => void): Removable[] {
  const chips: Removable[] = []
  const add = (id: string, label: string | undefined, patch: Patch): void => {
    if (label !== undefined) chips.push({ id, label, remove: () => change(patch) })
  }
  if (state.after !== ALL_TIME) add("time", rangeWords(state.after, state.before), { after: undefined, before: undefined })
  add("error", state.error === undefined ? undefined : state.error ? "with an error" : "without errors", { error: undefined })
  add("queue", state.queue === undefined ? undefined : state.queue ? "in the queue" : "not in the queue", { queue: undefined })
  add("model", state.model && `model ${state.model}`, { model: undefined })
  add("duration", rangeOf("duration", state.min_duration, state.max_duration, durationText), {
    min_duration: undefined,
    max_duration: undefined,
  })
  if (state.scorer !== undefined) {
    const words = rangeOf(state.scorer, state.min, state.max, String) ?? `with a score of ${state.scorer}`
    add("scorer", words, { scorer: undefined, min: undefined, max: undefined })
  }
  add("q", state.q && `text “${state.q}”`, { q: undefined })
  for (const [name, value] of Object.entries(state)) {
    if (name.startsWith(META)) add(name, `${name.slice(META.length)}: ${String(value)}`, { [name]: undefined } as Patch)
  }
  return chips
}

function rangeOf(
  what: string,
  low: number | undefined,
  high: number | undefined,
  words: (value: number) => string,
): string | undefined {
  if (low !== undefined && high !== undefined) return `${what} ${words(low)} to ${words(high)}`
  if (low !== undefined) return `${what} at least ${words(low)}`
  return high === undefined ? undefined : `${what} at most ${words(high)}`
}

/** Everything that filters, taken away; the order stays. */
export function cleared(state: State): Patch {
  const kept = new Set(["sort", "live", "peek"])
  return Object.fromEntries(Object.keys(state).filter((name) => !kept.has(name)).map((name) => [name, undefined])) as Patch
}
