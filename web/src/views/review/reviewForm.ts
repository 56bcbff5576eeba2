// What a person fills in for a card, and what of it is sent.
import type { Annotation, AnnotationChange, AnnotationDraft, Card, Readable, Reviewer, Target } from "../../api/review"

export const NOTHING_FILLED = "Please provide at least a label, correction, or notes"
const SCORE_NAME = "human_score"

export interface ReviewForm {
  /** One of the project's labels. */
  label: string | undefined
  /** A label in the person's own words; it goes before the chosen one. */
  ownLabel: string
  /** The answer as it should have been; unchanged, it is none. */
  correction: string
  notes: string
  score: string
  scoreName: string
}

/** A form in which nothing is said yet. */
export function emptyForm(answer: string): ReviewForm {
  return { label: undefined, ownLabel: "", correction: answer, notes: "", score: "", scoreName: SCORE_NAME }
}

/** The form that an annotation came from. The score that its label gave is not one of the person's own. */
export function formOf(annotation: Annotation, card: Card): ReviewForm {
  const { label, notes, correction } = annotation
  const answer = answerOf(card)
  const isListed = label !== null && card.settings.labels.some((one) => one.label === label)
  const score = ownScores(annotation, card)[0]
  return {
    ...emptyForm(answer),
    label: isListed ? label : undefined,
    ownLabel: label === null || isListed ? "" : label,
    correction: correction === null ? answer : textOf(correction),
    notes: notes ?? "",
    ...(score && { score: String(score.value ?? score.label ?? ""), scoreName: score.scorer_name }),
  }
}

/** Scores that were given beside the label. */
export function ownScores({ scores }: Annotation, { settings }: Card): Annotation["scores"] {
  return scores.filter((score) => score.scorer_name !== settings.scorer_name)
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2)
}

export function chosenLabel(form: ReviewForm): string | undefined {
  return form.ownLabel.trim() || form.label
}

function correctionOf(form: ReviewForm, answer: string): string | undefined {
  return form.correction.trim() === answer.trim() || form.correction.trim() === "" ? undefined : form.correction
}

/** Something would be lost. */
export function isFilled(form: ReviewForm, answer: string): boolean {
  return chosenLabel(form) !== undefined || form.correction !== answer || form.notes.trim() !== "" || form.score.trim() !== ""
}

/** Why it cannot be saved yet, or undefined. */
export function missing(form: ReviewForm, answer: string): string | undefined {
  if (form.score.trim() !== "" && form.scoreName.trim() === "") return "Please give the score a name"
  const isSaid = chosenLabel(form) !== undefined || correctionOf(form, answer) !== undefined || form.notes.trim() !== ""
  return isSaid || form.score.trim() !== "" ? undefined : NOTHING_FILLED
}

/** A number is a number, anything else a label. */
export function scoreValue(text: string): number | string {
  const number = Number(text.trim().replace(",", "."))
  return Number.isFinite(number) ? number : text.trim()
}

/** The answer as the form begins with it: one that is too long to be here whole is not begun with. */
export function answerOf(card: Card): string {
  return !card.answer || card.answer.truncated ? "" : card.answer.text
}

export function draftOf(form: ReviewForm, card: Card, reviewer: Reviewer & { annotator: string }, target: Target): AnnotationDraft {
  return {
    project_id: reviewer.project,
    ...(target.type === "trace" ? { trace_id: target.id } : { run_id: target.id }),
    annotator: reviewer.annotator,
    ...changeOf(form, card),
  }
}

/** What the review says, whoever says it of whatever. The form has room for one score: others of `before` stay. */
export function changeOf(form: ReviewForm, card: Card, before?: Annotation): AnnotationChange {
  const own = form.score.trim() === "" ? [] : [scoreOf(form)]
  const others = before === undefined ? [] : ownScores(before, card).slice(1)
  const correction = correctionOf(form, answerOf(card))
  return {
    label: chosenLabel(form) ?? null,
    correction: correction === undefined ? null : correctedValue(correction, card.answer?.format),
    notes: form.notes.trim() === "" ? null : form.notes,
    scores: [...own, ...others.filter((one) => one.scorer_name !== own[0]?.scorer_name).map(({ score_id: _, ...score }) => score)],
  }
}

function scoreOf(form: ReviewForm) {
  const value = scoreValue(form.score)
  return { scorer_name: form.scoreName.trim(), ...(typeof value === "number" ? { value } : { label: value }) }
}

/** Where the answer was data, a correction that is data stays so: it can then be compared with other outputs. */
function correctedValue(text: string, format: Readable["format"] | undefined): unknown {
  if (format !== "json" || !/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
