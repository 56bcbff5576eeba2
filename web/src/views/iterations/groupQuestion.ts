// By what iterations can be compared, which groups there are, and how a period is written. All of it is pure.
import type { GroupBy, IterationFacets } from "../../api/iterations"

interface Kind {
  by: GroupBy
  label: string
  /** Under which name the facets list its groups. */
  facet: keyof IterationFacets
  /** Under which name a list is filtered by it. */
  filter?: string
}

const KINDS: readonly Kind[] = [
  { by: "rules-file", label: "rules file", facet: "rules_files", filter: "rules" },
  { by: "label", label: "label", facet: "labels", filter: "label" },
  { by: "agent", label: "agent", facet: "agents", filter: "agent" },
  { by: "model", label: "model", facet: "models", filter: "model" },
  { by: "session", label: "session", facet: "sessions", filter: "session" },
  { by: "rubric", label: "rubric", facet: "rubric_versions", filter: "rubric" },
]

export interface GroupName {
  value: string
  count: number
}

/** The groups of a kind, the last stored first. */
export function groupsOf(facets: IterationFacets | undefined, by: string): GroupName[] {
  const kind = KINDS.find((kind) => kind.by === by)
  const values = kind && facets ? facets[kind.facet] : undefined
  return Array.isArray(values) ? values : []
}

/** What can be compared here: kinds with two groups or more, and periods always. */
export function kindsOf(facets: IterationFacets | undefined): { value: string; label: string }[] {
  const able = KINDS.filter((kind) => groupsOf(facets, kind.by).length >= 2)
  return [...able.map((kind) => ({ value: kind.by as string, label: kind.label })), { value: "period", label: "period" }]
}

/** The name of the parameter that filters iterations by such a group; none for periods. */
export function filterOf(by: string): string | undefined {
  return KINDS.find((kind) => kind.by === by)?.filter
}

/** A period as the API writes it; undefined while both of its ends are open. */
export function periodOf(from: string, to: string): string | undefined {
  return from === "" && to === "" ? undefined : `${from}..${to}`
}

/** The two days of a period. */
export function endsOf(period: string | undefined): [from: string, to: string] {
  const [from = "", to = ""] = (period ?? "").split("..")
  return [from, to]
}

/** A scorer of iterations as the page calls it: the total, or a signal by its own name, as words. */
export function signalName(scorer: string): string {
  return scorer === "outcome" ? "total" : scorer.replace(/^outcome\./, "").replaceAll("_", " ")
}
