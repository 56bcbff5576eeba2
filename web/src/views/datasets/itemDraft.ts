// An item as it is typed, and as it is sent.
import type { DatasetItem, ItemDraft } from "../../api/datasets"
import { jsonText } from "../../parts/jsonParts"

export type As = "text" | "json"

/** Nothing typed is no value; an empty text is written as JSON: "". */
export interface Typed {
  as: As
  text: string
}

export interface Form {
  key: string
  input: Typed
  expected_output: Typed
  metadata: string
}

export type Field = keyof Form
export type Problems = { [K in Field]?: string }

export function formOf(item: DatasetItem | undefined): Form {
  return {
    key: item?.key ?? "",
    input: typedOf(item?.input),
    expected_output: typedOf(item?.expected_output),
    metadata: item?.metadata ? jsonText(item.metadata) : "",
  }
}

function typedOf(value: unknown): Typed {
  if (value === null || value === undefined) return { as: "text", text: "" }
  if (value === "") return { as: "json", text: '""' }
  return typeof value === "string" ? { as: "text", text: value } : { as: "json", text: jsonText(value) }
}

/** The same text read otherwise: a text becomes a JSON string, and back where it is one. */
export function readAs(typed: Typed, as: As): Typed {
  if (as === typed.as || typed.text === "") return { as, text: typed.text }
  if (as === "json") return { as, text: isJson(typed.text) ? typed.text : JSON.stringify(typed.text) }
  const value = isJson(typed.text) ? (JSON.parse(typed.text) as unknown) : undefined
  return { as, text: typeof value === "string" ? value : typed.text }
}

function isJson(text: string): boolean {
  return jsonProblem(text) === undefined
}

/** Why a text is not JSON, or undefined. */
export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

export function isSame(a: Form, b: Form): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** What is sent, or what is wrong with which field. */
export function readForm(form: Form): { draft?: ItemDraft; problems: Problems } {
  const problems: Problems = {}
  if (isNothing(form.input)) problems.input = 'An item needs an input. If an empty text is meant, choose JSON and write "".'
  for (const field of ["input", "expected_output"] as const) {
    const typed = form[field]
    if (typed.as !== "json" || isNothing(typed)) continue
    const problem = jsonProblem(typed.text)
    if (problem !== undefined) problems[field] = problem
    else if (field === "input" && JSON.parse(typed.text) === null) problems.input = 'An input cannot be null; an empty text "" is fine.'
  }
  const metadata = readMetadata(form.metadata)
  if (metadata.problem !== undefined) problems.metadata = metadata.problem
  if (Object.keys(problems).length > 0) return { problems }
  const draft: ItemDraft = {
    input: valueOf(form.input),
    expected_output: valueOf(form.expected_output),
    metadata: metadata.value ?? null,
    key: form.key.trim() === "" ? null : form.key,
  }
  return { draft, problems }
}

function isNothing(typed: Typed): boolean {
  return typed.as === "text" ? typed.text === "" : typed.text.trim() === ""
}

function valueOf(typed: Typed): unknown {
  if (isNothing(typed)) return null
  return typed.as === "json" ? (JSON.parse(typed.text) as unknown) : typed.text
}

function readMetadata(text: string): { value?: Record<string, unknown>; problem?: string } {
  if (text.trim() === "") return {}
  const problem = jsonProblem(text)
  if (problem !== undefined) return { problem }
  const value: unknown = JSON.parse(text)
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return { problem: 'Metadata is a JSON object, as {"topic": "refunds"}.' }
  }
  return { value: value as Record<string, unknown> }
}
