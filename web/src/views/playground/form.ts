// What is typed in the playground, and the request that it makes. All of it is pure.
import type { CandidateDraft, PlaygroundDraft, PromptMessage, ScorerSpec } from "../../api/playground"
import type { Experiment } from "../../api/experiments"

export type Speaker = PromptMessage["role"]

export interface Candidate {
  messages: { role: Speaker; content: string }[]
  model: string
  temperature: string
  maxTokens: string
  /** Other settings, as a JSON object. */
  more: string
}

export const LETTERS = ["A", "B", "C", "D"] as const
export const MOST_CANDIDATES = 4
export const MOST_ITEMS = 100
export const FIRST: Candidate = {
  messages: [
    { role: "system", content: "Answer in one short sentence." },
    { role: "user", content: "{{input}}" },
  ],
  model: "",
  temperature: "",
  maxTokens: "",
  more: "",
}

/** Scorers that compare with the item's expected output and need no configuration. */
export const PLAIN_SCORERS: Readonly<Record<string, string>> = {
  exact_match: "is exactly the expected output",
  contains: "has the expected output in it",
  similarity: "how alike the expected output",
  f1: "words in common with the expected output",
  numeric: "is the expected number",
  choice: "chooses the expected letter",
  json_match: "is the expected JSON",
}

export interface Judge {
  on: boolean
  model: string
  prompt: string
}

export const FIRST_JUDGE: Judge = {
  on: false,
  model: "",
  prompt: "Question:\n{{input}}\n\nAnswer:\n{{output}}\n\nHow helpful is the answer, from 0 to 1? Begin with the number.",
}

export interface Chosen {
  dataset: string | undefined
  first: number
  items: readonly string[] | undefined
  scorers: readonly string[]
  trials: number
}

export interface Read {
  draft: PlaygroundDraft | undefined
  /** Field, named as the server names it → what is wrong with it. */
  problems: Record<string, string>
}

export function readForm(project: string, candidates: readonly Candidate[], judge: Judge, chosen: Chosen): Read {
  const problems: Record<string, string> = {}
  const drafts = candidates.map((candidate, at) => readCandidate(candidate, `candidates[${at}]`, problems))
  if (chosen.dataset === undefined) problems["dataset_id"] = "Choose a dataset"
  const scorers: ScorerSpec[] = chosen.scorers.map((scorer_name) => ({ scorer_name }))
  if (judge.on) {
    if (judge.model.trim() === "") problems["judge.model"] = "Name the judge's model"
    if (judge.prompt.trim() === "") problems["judge.prompt"] = "Write what the judge is to be asked"
    const config = { model: judge.model.trim(), prompt_template: judge.prompt }
    scorers.push({ scorer_name: "judge", scorer: "llm_judge", config })
  }
  if (Object.keys(problems).length > 0 || chosen.dataset === undefined) return { draft: undefined, problems }
  const items = chosen.items === undefined ? { first_items: chosen.first } : { item_ids: [...chosen.items] }
  const draft = { project_id: project, candidates: drafts, dataset_id: chosen.dataset, ...items, scorers, trials: chosen.trials }
  return { draft, problems }
}

function readCandidate(candidate: Candidate, path: string, problems: Record<string, string>): CandidateDraft {
  const model = candidate.model.trim()
  if (model === "") problems[`${path}.model`] = "Name a model"
  candidate.messages.forEach((message, at) => {
    if (message.content === "") problems[`${path}.messages[${at}].content`] = "Write the message, or remove it"
  })
  const params: Record<string, unknown> = { ...readMore(candidate.more, path, problems) }
  const temperature = readNumber(candidate.temperature)
  if (temperature === null) problems[`${path}.temperature`] = `“${candidate.temperature}” is not a number`
  else if (temperature !== undefined) params["temperature"] = temperature
  const most = readNumber(candidate.maxTokens)
  if (most === null || (most !== undefined && (!Number.isInteger(most) || most < 1))) {
    problems[`${path}.max_tokens`] = `“${candidate.maxTokens}” is not a whole number above 0`
  } else if (most !== undefined) params["max_tokens"] = most
  return { messages: candidate.messages, model, ...(Object.keys(params).length > 0 && { params }) }
}

/** Undefined where nothing is written, null where it is not a number. */
function readNumber(text: string): number | undefined | null {
  if (text.trim() === "") return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

function readMore(text: string, path: string, problems: Record<string, string>): Record<string, unknown> {
  if (text.trim() === "") return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // said below
  }
  problems[`${path}.params`] = 'Write a JSON object, as {"top_p": 0.9}'
  return {}
}

/** The prompts of an experiment that the playground made, to go on from; undefined for any other. */
export function candidateOf(experiment: Experiment): Candidate | undefined {
  const config = experiment.metadata?.["config"] as Partial<CandidateDraft> | undefined
  if (typeof config?.model !== "string" || !Array.isArray(config.messages)) return undefined
  const { temperature, max_tokens, ...more } = config.params ?? {}
  return {
    messages: config.messages.map(({ role, content }) => ({ role, content })),
    model: config.model,
    temperature: temperature === undefined ? "" : String(temperature),
    maxTokens: max_tokens === undefined ? "" : String(max_tokens),
    more: Object.keys(more).length === 0 ? "" : JSON.stringify(more),
  }
}

/** What a prompt may use of an item like this one. */
export function variablesOf(item: { input: unknown; metadata?: Record<string, unknown> | null } | undefined): string[] {
  if (item === undefined) return ["{{input}}"]
  const { input, metadata } = item
  const keys = typeof input === "object" && input !== null && !Array.isArray(input) ? Object.keys(input) : []
  const plain = (key: string): boolean => /^[\w-][\w -]*$/.test(key)
  return [
    "{{input}}",
    ...keys.filter(plain).map((key) => `{{input.${key}}}`),
    ...Object.keys(metadata ?? {}).filter(plain).map((key) => `{{metadata.${key}}}`),
  ]
}

/** A text with something put where the cursor is. */
export function insertAt(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end)
}
