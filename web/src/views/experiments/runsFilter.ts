// From the URL of an experiment to the filter of its runs, and to the chips above the table.
import type { RunsFilter } from "../../api/experiments"
import type { StateOf } from "../../params"
import type { Removable } from "../../parts/Empty"
import type { experimentSearch } from "../../searches"
import { scoreText } from "../../words/format"

export type RunsState = StateOf<typeof experimentSearch>
export type RunsPatch = { [K in keyof RunsState]?: RunsState[K] | undefined }

const ORDERS = new Set(["created_at", "-created_at", "score", "-score", "item"])

export function runsFilter(state: RunsState, scorer: string | undefined): RunsFilter {
  const aboutScorer = state.min ?? state.max ?? state.state ?? state.reason ?? state.label
  const byScore = state.sort === "score" || state.sort === "-score"
  const filter: RunsFilter = {
    scorer_name: aboutScorer !== undefined || byScore ? scorer : undefined,
    min: state.min,
    max: state.max,
    state: state.state,
    reason: state.reason,
    label: state.label,
    has_error: state.error === undefined ? undefined : String(state.error),
    q: state.q,
    sort: state.sort !== undefined && ORDERS.has(state.sort) ? state.sort : "item",
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}

export function runsChips(state: RunsState, scorer: string | undefined, change: (patch: RunsPatch) => void): Removable[] {
  const chips: Removable[] = []
  const add = (id: string, label: string | undefined | false, patch: RunsPatch): void => {
    if (label) chips.push({ id, label, remove: () => change(patch) })
  }
  const { min, max } = state
  if (min !== undefined || max !== undefined) {
    const words = `${scorer ?? "score"} ${scoreText(min ?? 0)} to ${scoreText(max ?? 1)}`
    add("range", words, { min: undefined, max: undefined })
  }
  add("state", state.state && `${scorer}: ${state.state}`, { state: undefined })
  add("reason", state.reason && `no ${scorer}: ${state.reason}`, { reason: undefined })
  add("label", state.label && `${scorer}: ${state.label}`, { label: undefined })
  add("error", state.error !== undefined && (state.error ? "failed runs" : "runs that did not fail"), { error: undefined })
  add("q", state.q && `text “${state.q}”`, { q: undefined })
  return chips
}

export const NO_FILTER: RunsPatch = {
  min: undefined, max: undefined, state: undefined, reason: undefined, label: undefined, error: undefined, q: undefined,
}
