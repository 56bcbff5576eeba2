import { expect, test } from "vitest"
import type { Annotation, Card } from "../../../src/api/review"
import { changeOf, chosenLabel, draftOf, emptyForm, formOf, isFilled, missing, NOTHING_FILLED, scoreValue } from "../../../src/views/review/reviewForm"

const ANSWER = "It arrives tomorrow."
const SETTINGS = { labels: [{ label: "correct", value: 1, hint: null }], scorer_name: "human_label" }
const CARD = { answer: { text: ANSWER, size: 20, truncated: false, format: "text" }, settings: SETTINGS } as Card
const REVIEWER = { project: "support", annotator: "ana", holds: true }
const TRACE = { type: "trace", id: "order-7" } as const

test("an empty form says what it needs, and is not asked about on leaving", () => {
  const form = emptyForm(ANSWER)
  expect(missing(form, ANSWER)).toBe("Please provide at least a label, correction, or notes")
  expect(isFilled(form, ANSWER)).toBe(false)
})

test("the answer left as it is, is not a correction", () => {
  const form = { ...emptyForm(ANSWER), label: "correct" }
  expect(missing(form, ANSWER)).toBeUndefined()
  expect(draftOf(form, CARD, REVIEWER, TRACE)).toEqual({
    project_id: "support", trace_id: "order-7", annotator: "ana", label: "correct", correction: null, notes: null, scores: [],
  })
  expect(missing({ ...emptyForm(ANSWER), correction: "" }, ANSWER)).toBe(NOTHING_FILLED)
})

test("a changed answer is one, and notes are kept as they were written", () => {
  const form = { ...emptyForm(ANSWER), correction: "It arrives on Monday.", notes: " see the order " }
  expect(draftOf(form, CARD, REVIEWER, { type: "run", id: "r1" })).toMatchObject({
    run_id: "r1", correction: "It arrives on Monday.", notes: " see the order ", label: null,
  })
})

test("where the answer was data, a correction that is data stays so", () => {
  const card = { answer: { text: "city: Bonn", size: 10, truncated: false, format: "json" } } as Card
  expect(draftOf({ ...emptyForm("city: Bonn"), correction: '{"city": "Berlin"}' }, card, REVIEWER, TRACE).correction).toEqual({ city: "Berlin" })
  expect(draftOf({ ...emptyForm("city: Bonn"), correction: "city: Berlin" }, card, REVIEWER, TRACE).correction).toBe("city: Berlin")
  expect(draftOf({ ...emptyForm("city: Bonn"), correction: "{city" }, card, REVIEWER, TRACE).correction).toBe("{city")
})

test("a label of one's own goes before a chosen one", () => {
  expect(chosenLabel({ ...emptyForm(""), label: "correct", ownLabel: " rude " })).toBe("rude")
})

test("a score is a number or a word, and has a name", () => {
  expect(scoreValue("0,8")).toBe(0.8)
  expect(scoreValue(" good ")).toBe("good")
  const form = { ...emptyForm(ANSWER), label: "correct", score: "0.8", scoreName: "tone" }
  expect(draftOf(form, CARD, REVIEWER, TRACE).scores).toEqual([{ scorer_name: "tone", value: 0.8 }])
  expect(draftOf({ ...form, score: "kind" }, CARD, REVIEWER, TRACE).scores).toEqual([{ scorer_name: "tone", label: "kind" }])
  expect(missing({ ...form, scoreName: " " }, ANSWER)).toBe("Please give the score a name")
})

test("scores that the form has no room for stay when a review is changed", () => {
  const scores = [
    { score_id: "s1", scorer_name: "human_label", value: 1, label: null, rationale: null },
    { score_id: "s2", scorer_name: "tone", value: 0.5, label: null, rationale: null },
    { score_id: "s3", scorer_name: "length", value: null, label: "long", rationale: "two pages" },
  ]
  const before = { label: "correct", correction: null, notes: null, scores } as unknown as Annotation
  const form = { ...formOf(before, CARD), score: "0.6" }
  expect(changeOf(form, CARD, before).scores).toEqual([
    { scorer_name: "tone", value: 0.6 },
    { scorer_name: "length", value: null, label: "long", rationale: "two pages" },
  ])
  expect(changeOf({ ...form, scoreName: "length" }, CARD, before).scores).toEqual([{ scorer_name: "length", value: 0.6 }])
})

test("a review opens again as it was filled in", () => {
  const scores = [{ scorer_name: "human_label", value: 1, label: null }, { scorer_name: "tone", value: 0.5, label: null }]
  const annotation = { label: "rude", correction: null, notes: "why", scores } as Annotation
  expect(formOf(annotation, CARD)).toEqual({
    label: undefined, ownLabel: "rude", correction: ANSWER, notes: "why", score: "0.5", scoreName: "tone",
  })
  // What the label gave is not a score of the person's own.
  expect(formOf({ ...annotation, label: "correct", scores: scores.slice(0, 1) as never }, CARD)).toMatchObject({ label: "correct", score: "" })
})
