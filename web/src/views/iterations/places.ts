// From a view's parameters to what the API is asked, and to chips that take a filter away.
import { BASE, SERVER } from "../../address"
import type { IterationFilter } from "../../api/iterations"
import type { Removable } from "../../parts/Empty"

export interface GroupState {
  source?: string
  rubric?: string
  agent?: string
  model?: string
  label?: string
  rules?: string
  session?: string
}

export type GroupPatch = { [K in keyof GroupState]?: string | undefined }

/** What filters an iteration by its group. */
export function groupFilter(project: string, state: GroupState): IterationFilter {
  const { source, rubric: rubric_version, session: session_id, agent, model, label, rules: rules_file } = state
  return { project_id: project, source, rubric_version, session_id, agent, model, label, rules_file }
}

const NAMES = ["source", "rubric", "session", "agent", "model", "label", "rules"] as const

/** Without any of these filters. */
export const NO_GROUP: GroupPatch = Object.fromEntries(NAMES.map((name) => [name, undefined]))

export function groupChips(state: GroupState, change: (patch: GroupPatch) => void): Removable[] {
  return NAMES.flatMap((name) => {
    const value = state[name]
    return value === undefined ? [] : [{ id: name, label: `${name} ${value}`, remove: () => change({ [name]: undefined }) }]
  })
}

/** The address of one iteration, for marks of a plot. */
export function iterationHref(project: string, id: string): string {
  return `${BASE}/projects/${encodeURIComponent(project)}/iterations/${encodeURIComponent(id)}`
}

/** The address of the iterations of a session. */
export function sessionHref(project: string, session: string): string {
  return `${BASE}/projects/${encodeURIComponent(project)}/iterations?session=${encodeURIComponent(session)}`
}

/** The commands that score the log of a repository and send the scores here. */
export function pushCommand(project: string): string {
  return ["gnomon outcome score", `export GNOMON_URL=${SERVER} GNOMON_API_KEY=YOUR_KEY`, `gnomon outcome push --project ${project}`].join("\n")
}
