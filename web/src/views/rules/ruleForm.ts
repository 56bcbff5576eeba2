// A rule as it is typed, and the draft that is sent of it.
import type { Rule, RuleDraft, SpanFilter, Target } from "../../api/rules"
import type { Reading } from "./reading"
import { builtIn, readField, readJson, writeField } from "./builtIns"

export interface RuleTexts {
  name: string
  target: Target
  spanName: string
  model: string
  error: "any" | "with" | "without"
  rootOnly: boolean
  /** `key = value`, one per line. */
  metadata: string
  kind: string
  scorerName: string
  /** Configuration by key; keys of other kinds stay while one tries another kind. */
  config: Record<string, string>
  /** The whole configuration as JSON; null while it stands in fields. */
  json: string | null
  /** In percent. */
  sampling: string
  enabled: boolean
}

export const NEW_RULE: RuleTexts = {
  name: "",
  target: "span",
  spanName: "",
  model: "",
  error: "any",
  rootOnly: false,
  metadata: "",
  kind: "regex",
  scorerName: "",
  config: {},
  json: null,
  sampling: "100",
  enabled: true,
}

/** Messages by the names that the server has for the fields. */
export type RuleProblems = Record<string, string>

export function readRule(project: string, texts: RuleTexts): { draft?: RuleDraft; problems: RuleProblems } {
  const problems: RuleProblems = {}
  if (texts.name.trim() === "") problems["name"] = "Give the rule a name"
  const metadata = readMetadata(texts.metadata)
  if (metadata.problem !== undefined) problems["filter.metadata"] = metadata.problem
  const rate = readRate(texts.sampling)
  if (rate.problem !== undefined) problems["sampling_rate"] = rate.problem
  const config = readConfig(texts, problems)
  if (Object.keys(problems).length > 0 || rate.value === undefined) return { problems }
  const filter: SpanFilter = {
    name: texts.spanName.trim() === "" ? null : texts.spanName,
    model: texts.model.trim() === "" ? null : texts.model.trim(),
    has_error: texts.error === "any" ? null : texts.error === "with",
    root_only: texts.rootOnly,
    metadata: metadata.value ?? null,
  }
  const scorer = { scorer_name: texts.scorerName.trim() === "" ? texts.kind : texts.scorerName, scorer: texts.kind, config }
  return {
    draft: { project_id: project, name: texts.name, target: texts.target, filter, scorer, sampling_rate: rate.value, enabled: texts.enabled },
    problems,
  }
}

/** Percent as typed to a share of 1. */
export function readRate(text: string): Reading<number> {
  const value = text.trim() === "" ? NaN : Number(text.trim().replace(/\s*%$/, ""))
  if (!Number.isFinite(value)) return { problem: `“${text.trim()}” is not a number; write 10 for 10 %` }
  if (value < 0 || value > 100) return { problem: "A share lies between 0 and 100 %" }
  return { value: Number((value / 100).toPrecision(12)) }
}

export function rateText(rate: number): string {
  return String(Number((rate * 100).toPrecision(12)))
}

type Flat = Record<string, string | number | boolean | null>

/** Lines `key = value`. Numbers, true, false and null are read as such; quotes make them text. */
export function readMetadata(text: string): Reading<Flat | null> {
  const pairs: Flat = {}
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue
    const at = line.indexOf("=")
    const key = line.slice(0, at).trim()
    if (at < 0 || key === "") return { problem: `“${line.trim()}” has no key and value; write tier = team` }
    if (Object.hasOwn(pairs, key)) return { problem: `${key} is there twice; a span has one value for it` }
    pairs[key] = scalar(line.slice(at + 1).trim())
  }
  return { value: Object.keys(pairs).length > 0 ? pairs : null }
}

function scalar(text: string): string | number | boolean | null {
  if (!/^(?:true|false|null|-?\d.*|".*")$/s.test(text)) return text
  const read = readJson(text)
  return read.problem === undefined ? (read.value as string | number | boolean | null) : text
}

export function metadataText(metadata: SpanFilter["metadata"]): string {
  return Object.entries(metadata ?? {})
    .map(([key, value]) => `${key} = ${typeof value === "string" && scalar(value) === value ? value : JSON.stringify(value)}`)
    .join("\n")
}

/** The configuration that is typed; what is wrong goes into `problems`. */
export function readConfig(texts: Pick<RuleTexts, "kind" | "config" | "json">, problems: RuleProblems = {}): Record<string, unknown> {
  if (texts.json !== null) {
    const read = texts.json.trim() === "" ? { value: {} } : readJson(texts.json)
    if (read.problem !== undefined) problems["config"] = read.problem
    else if (read.value === null || typeof read.value !== "object" || Array.isArray(read.value)) problems["config"] = "The configuration is an object, as {\"pattern\": \"…\"}"
    else return read.value as Record<string, unknown>
    return {}
  }
  const config: Record<string, unknown> = {}
  for (const field of builtIn(texts.kind)?.fields ?? []) {
    const read = readField(field, texts.config[field.key] ?? "")
    if (read.problem !== undefined) problems[`config.${field.key}`] = read.problem
    else if (read.value !== undefined) config[field.key] = read.value
  }
  return config
}

/** A configuration as texts of its fields; null where some key has no field that can show it. */
export function configTexts(kind: string, config: Record<string, unknown>): Record<string, string> | null {
  const texts: Record<string, string> = {}
  const fields = builtIn(kind)?.fields ?? []
  for (const [key, value] of Object.entries(config)) {
    if (value === null) continue
    const field = fields.find((field) => field.key === key)
    const text = field && writeField(field, value)
    if (text === undefined) return null
    texts[key] = text
  }
  return texts
}

/** A rule as it would be typed, for a copy of it. */
export function textsOf(rule: Rule): RuleTexts {
  const kind = rule.scorer.scorer ?? rule.scorer.scorer_name
  const config = rule.scorer.config ?? {}
  const fields = configTexts(kind, config)
  return {
    name: rule.name,
    target: rule.target,
    spanName: rule.filter.name ?? "",
    model: rule.filter.model ?? "",
    error: rule.filter.has_error == null ? "any" : rule.filter.has_error ? "with" : "without",
    rootOnly: rule.filter.root_only ?? false,
    metadata: metadataText(rule.filter.metadata),
    kind,
    scorerName: rule.scorer.scorer_name,
    config: fields ?? {},
    json: fields === null ? JSON.stringify(config, null, 2) : null,
    sampling: rateText(rule.sampling_rate),
    enabled: rule.enabled,
  }
}
