// The review settings as they are typed, and what of them is sent.
import type { ReviewSettings, ReviewSettingsDraft } from "../../api/review"

export interface LabelRow {
  /** Tells rows apart while they are typed. */
  id: number
  label: string
  value: string
  hint: string
}

export interface TypedSettings {
  labels: LabelRow[]
  scorerName: string
  freeLabels: boolean
  wanted: string
  blind: boolean
}

export const MOST_LABELS = 20
const MOST_REVIEWS = 20

export function typedOf(settings: ReviewSettings): TypedSettings {
  return {
    labels: settings.labels.map(({ label, value, hint }, id) => ({ id, label, value: value === null ? "" : String(value), hint: hint ?? "" })),
    scorerName: settings.scorer_name,
    freeLabels: settings.free_labels,
    wanted: String(settings.reviews_wanted),
    blind: settings.blind,
  }
}

export function withNewLabel(labels: LabelRow[]): LabelRow[] {
  const id = Math.max(-1, ...labels.map((row) => row.id)) + 1
  return [...labels, { id, label: "", value: "", hint: "" }]
}

/** The label one place further up; the first one stays. */
export function movedUp(labels: LabelRow[], at: number): LabelRow[] {
  const [row, above] = [labels[at], labels[at - 1]]
  return row && above ? labels.with(at - 1, row).with(at, above) : labels
}

/** What is wrong with one label, or undefined. */
export function labelProblem(row: LabelRow, all: readonly LabelRow[]): string | undefined {
  const name = row.label.trim()
  if (name === "") return "Give the label a name, or remove it."
  if (all.some((other) => other.id !== row.id && other.label.trim() === name)) return `“${name}” is there twice.`
  return valueProblem(row.value)
}

function valueProblem(text: string): string | undefined {
  if (text.trim() === "") return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) return `“${text}” is not a number.`
  return value < 0 || value > 1 ? `${text} is outside 0 to 1; divide by your scale first.` : undefined
}

export function wantedProblem(text: string): string | undefined {
  const count = Number(text)
  return Number.isInteger(count) && count >= 1 && count <= MOST_REVIEWS ? undefined : `“${text}” is not a whole number from 1 to ${MOST_REVIEWS}.`
}

/** Why it cannot be saved, or undefined. */
export function settingsProblem(typed: TypedSettings): string | undefined {
  if (typed.labels.length === 0) return "Keep one label at least."
  if (typed.scorerName.trim() === "") return "Give the score a name."
  return wantedProblem(typed.wanted) ?? typed.labels.map((row) => labelProblem(row, typed.labels)).find((problem) => problem !== undefined)
}

export function settingsDraft(typed: TypedSettings): ReviewSettingsDraft {
  return {
    labels: typed.labels.map(({ label, value, hint }) => ({
      label: label.trim(),
      value: value.trim() === "" ? null : Number(value),
      hint: hint.trim() || null,
    })),
    scorer_name: typed.scorerName.trim(),
    free_labels: typed.freeLabels,
    reviews_wanted: Number(typed.wanted),
    blind: typed.blind,
  }
}
