// The built-in scorers and their configuration, as fields of a form. The server decides what is right; this only asks.
import type { Reading } from "./reading"

export type FieldKind = "text" | "long" | "lines" | "bool" | "number" | "choice" | "value" | "json"

export interface ConfigField {
  key: string
  label: string
  kind: FieldKind
  needed?: boolean
  hint?: string
  placeholder?: string
  /** What holds when it is left alone; the first of `options` for a choice. */
  usual?: string
  options?: readonly string[]
}

export interface BuiltIn {
  name: string
  does: string
  /** It asks a model, which costs money. */
  judge?: boolean
  fields: readonly ConfigField[]
}

const CASE: ConfigField = { key: "case_sensitive", label: "Upper and lower case differ", kind: "bool", usual: "true" }
const EXPECTED: ConfigField = {
  key: "expected_output",
  label: "Compared with",
  kind: "value",
  needed: true,
  hint: "What comes in has no expected output of its own. Text, or JSON that begins with { [ or \".",
}
const VALUES: ConfigField = { key: "values", label: "Values", kind: "lines", needed: true, hint: "One per line." }
const PARTIAL: ConfigField = { key: "partial", label: "Count what is right in part", kind: "bool", usual: "false" }
const MODEL: ConfigField = { key: "model", label: "Model", kind: "text", needed: true, placeholder: "openai/gpt-4o-mini", hint: "As PROVIDER/MODEL." }
const ASKING: readonly ConfigField[] = [
  { key: "temperature", label: "Temperature", kind: "number", hint: "0 to 2. Empty: the provider's." },
  { key: "samples", label: "Votes", kind: "number", usual: "1", hint: "1 to 25; each is a call." },
]
const PROMPT = "Question:\n{{input}}\n\nAnswer:\n{{output}}\n\nHow helpful is the answer, from 0 to 1? Begin with the number."

export const BUILT_INS: readonly BuiltIn[] = [
  {
    name: "regex",
    does: "1 when the pattern matches anywhere in the output",
    fields: [
      { key: "pattern", label: "Pattern", kind: "text", needed: true, placeholder: "https?://\\S+", hint: "A regular expression in RE2's dialect." },
      { key: "flags", label: "Flags", kind: "text", hint: "Any of i, m and s." },
    ],
  },
  { name: "contains", does: "1 when the text occurs in the output", fields: [EXPECTED, CASE] },
  { name: "contains_any", does: "1 when at least one of the values occurs in the output", fields: [VALUES, CASE] },
  { name: "contains_all", does: "1 when every value occurs in the output", fields: [VALUES, CASE] },
  { name: "one_of", does: "1 when the output is one of the values", fields: [VALUES, CASE] },
  {
    name: "exact_match",
    does: "1 when the output is exactly this",
    fields: [EXPECTED, CASE, { key: "strip_whitespace", label: "Ignore blanks at both ends", kind: "bool", usual: "true" }],
  },
  { name: "similarity", does: "How alike the output and a text are, from 0 to 1", fields: [EXPECTED, CASE] },
  {
    name: "f1",
    does: "Words in common with a text, from 0 to 1",
    fields: [
      EXPECTED,
      { key: "lowercase", label: "Ignore upper and lower case", kind: "bool", usual: "true" },
      { key: "strip_punctuation", label: "Ignore punctuation", kind: "bool", usual: "true" },
    ],
  },
  {
    name: "choice",
    does: "1 when the output chooses this letter",
    fields: [EXPECTED, { key: "choices", label: "Choices", kind: "lines", hint: "One per line. Empty: A, B, C, D." }],
  },
  {
    name: "numeric",
    does: "1 when the output is this number, within a tolerance",
    fields: [
      { ...EXPECTED, kind: "number", hint: "A number." },
      { key: "abs_tol", label: "Absolute tolerance", kind: "number", usual: "0" },
      { key: "rel_tol", label: "Relative tolerance", kind: "number", usual: "0" },
      { key: "extract", label: "Look for the number in a text", kind: "bool", usual: "false" },
    ],
  },
  { name: "json_schema", does: "1 when the output fits a JSON schema", fields: [{ key: "schema", label: "Schema", kind: "json", needed: true, placeholder: '{"type": "object"}' }] },
  {
    name: "json_match",
    does: "1 when the output is this JSON",
    fields: [
      { ...EXPECTED, kind: "json", hint: "JSON." },
      { key: "ignore", label: "Paths to ignore", kind: "lines", hint: "One per line." },
      { key: "tolerance", label: "Tolerance of numbers", kind: "number", usual: "0" },
      PARTIAL,
    ],
  },
  {
    name: "tool_calls",
    does: "1 when the agent called the tools it should",
    fields: [
      { key: "expected", label: "Expected calls", kind: "json", needed: true, placeholder: '[{"name": "search", "args": {"q": "x"}}]' },
      { key: "mode", label: "Mode", kind: "choice", options: ["superset", "exact", "in_order", "any_order", "forbidden"] },
      { key: "args", label: "Arguments", kind: "choice", options: ["exact", "subset", "ignore"] },
      PARTIAL,
    ],
  },
  {
    name: "llm_judge",
    does: "A model's opinion, as a number or a label",
    judge: true,
    fields: [
      MODEL,
      { key: "prompt_template", label: "Prompt", kind: "long", needed: true, placeholder: PROMPT, hint: "With {{input}} and {{output}}; {{trace}} where whole traces are scored." },
      { key: "system_prompt", label: "System prompt", kind: "long" },
      { key: "score_extraction", label: "Gives", kind: "choice", options: ["numeric", "label"] },
      { key: "score_range", label: "Scale", kind: "json", placeholder: '{"min": 0, "max": 1}', hint: "Empty: 0 to 1." },
      { key: "labels", label: "Labels", kind: "lines", hint: "One per line, where it gives labels." },
      { key: "reading", label: "Reading of the answer", kind: "choice", options: ["first_number", "last_number", "structured"] },
      ...ASKING,
    ],
  },
  {
    name: "rubric",
    does: "A model's opinion by a rubric, with a score per dimension",
    judge: true,
    fields: [MODEL, { key: "rubric", label: "Rubric", kind: "json", needed: true, hint: "As in a rubric file." }, ...ASKING],
  },
]

export function builtIn(name: string): BuiltIn | undefined {
  return BUILT_INS.find((builtIn) => builtIn.name === name)
}

/** What one field says; undefined where it is left alone. */
export function readField(field: ConfigField, text: string): Reading<unknown> {
  if (text.trim() === "") return field.needed ? { problem: `${field.label} is needed` } : { value: undefined }
  switch (field.kind) {
    case "bool":
      return { value: text === "true" }
    case "number": {
      const value = Number(text)
      return Number.isFinite(value) ? { value } : { problem: `“${text}” is not a number` }
    }
    case "lines":
      return { value: text.split("\n").filter((line) => line.trim() !== "") }
    case "json":
      return readJson(text)
    case "value":
      return /^\s*[[{"]/.test(text) ? readJson(text) : { value: text }
    default:
      return { value: text }
  }
}

export function readJson(text: string): Reading<unknown> {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** The other way: how a configured value stands in its field; undefined where the field cannot show it. */
export function writeField(field: ConfigField, value: unknown): string | undefined {
  switch (field.kind) {
    case "bool":
      return typeof value === "boolean" ? String(value) : undefined
    case "number":
      return typeof value === "number" ? String(value) : undefined
    case "lines":
      return Array.isArray(value) && value.every((one) => typeof one === "string" && !one.includes("\n") && one.trim() !== "") ? value.join("\n") : undefined
    case "json":
      return JSON.stringify(value, null, 2)
    case "value":
      return typeof value === "string" && !/^\s*(?:[[{"]|$)/.test(value) ? value : JSON.stringify(value)
    case "choice":
      return typeof value === "string" && field.options?.includes(value) ? value : undefined
    default:
      return typeof value === "string" && value.trim() !== "" ? value : undefined
  }
}
