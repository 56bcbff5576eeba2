// Rules in words.
import type { Rule, SpanFilter, Target } from "../../api/rules"

export const TARGETS: Record<Target, { one: string; many: string; when: string }> = {
  span: { one: "span", many: "spans", when: "Each span that matches, as soon as it comes in." },
  trace: { one: "trace", many: "traces", when: "The whole trace in which some span matches, once nothing has come to it for 60 s." },
  conversation: {
    one: "conversation",
    many: "conversations",
    when: "The whole conversation in which some span matches, once nothing has come to it for 30 min.",
  },
}

/** The conditions of a filter, each in words. */
export function conditions(filter: SpanFilter): string[] {
  const all: string[] = []
  if (filter.name != null) all.push(`name is ${filter.name}`)
  if (filter.model != null) all.push(`model is ${filter.model}`)
  if (filter.has_error != null) all.push(filter.has_error ? "with an error" : "without an error")
  if (filter.root_only) all.push("root spans only")
  for (const [key, value] of Object.entries(filter.metadata ?? {})) {
    all.push(`${key} = ${typeof value === "string" ? value : JSON.stringify(value)}`)
  }
  return all
}

export function filterText(filter: SpanFilter): string {
  return conditions(filter).join(", ") || "every span"
}

/** The built-in that scores. */
export function scorerKind(rule: Pick<Rule, "scorer">): string {
  return rule.scorer.scorer ?? rule.scorer.scorer_name
}
