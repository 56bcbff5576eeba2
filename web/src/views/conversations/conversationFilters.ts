// From the parameters of the list to the API's, and to the chips that say what is filtered.
import type { ConversationFilter } from "../../api/conversations"
import type { Removable } from "../../parts/Empty"
import { instantOf, rangeWords } from "../../parts/timeRange"
import type { StateOf } from "../../params"
import type { conversationsSearch } from "../../searches"

export type State = StateOf<typeof conversationsSearch>
type Patch = { [K in keyof State]?: State[K] | undefined }

export const NO_FILTER: Patch = { after: undefined, before: undefined, error: undefined, user: undefined, q: undefined }

export function filterOf(project: string, state: State, now: number): ConversationFilter {
  const filter: ConversationFilter = {
    project_id: project,
    after: state.after === undefined ? undefined : instantOf(state.after, now),
    before: state.before === undefined ? undefined : instantOf(state.before, now),
    has_error: state.error === undefined ? undefined : state.error ? "true" : "false",
    user_id: state.user,
    q: state.q,
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as unknown as ConversationFilter
}

/** What is filtered, in words, each with how to be rid of it. */
export function chipsOf(state: State, change: (patch: Patch) => void): Removable[] {
  const range = rangeWords(state.after, state.before)
  const words: [string, string | undefined, Patch][] = [
    ["time", range, { after: undefined, before: undefined }],
    ["error", state.error === undefined ? undefined : state.error ? "with an error" : "without errors", { error: undefined }],
    ["user", state.user && `user ${state.user}`, { user: undefined }],
    ["q", state.q && `text “${state.q}”`, { q: undefined }],
  ]
  return words.flatMap(([id, label, patch]) => (label === undefined ? [] : [{ id, label, remove: () => change(patch) }]))
}
