import { expect, test } from "vitest"
import { labelProblem, movedUp, settingsDraft, settingsProblem, typedOf, wantedProblem, withNewLabel } from "../../../src/views/settings/reviewDraft"

const SETTINGS = {
  labels: [{ label: "correct", value: 1, hint: null }, { label: "other", value: null, hint: "say in the notes what it is" }],
  scorer_name: "human_label", free_labels: true, reviews_wanted: 2, blind: true, updated_at: null,
}
const TYPED = typedOf(SETTINGS)

test("what is stored goes through the form unchanged", () => {
  const { updated_at: _, ...sent } = SETTINGS
  expect(settingsDraft(TYPED)).toEqual(sent)
  expect(settingsProblem(TYPED)).toBeUndefined()
})

test("a label needs a name of its own and a number from 0 to 1", () => {
  const [first] = TYPED.labels
  const wrong = (patch: object): string | undefined => labelProblem({ ...first!, ...patch }, TYPED.labels)
  expect(wrong({ label: " " })).toContain("Give the label a name")
  expect(wrong({ label: "other" })).toBe("“other” is there twice.")
  expect(wrong({ value: "5" })).toBe("5 is outside 0 to 1; divide by your scale first.")
  expect(wrong({ value: "five" })).toBe("“five” is not a number.")
})

test("labels are added at the end and moved up", () => {
  const more = withNewLabel(TYPED.labels)
  expect(more.map((row) => row.id)).toEqual([0, 1, 2])
  expect(movedUp(TYPED.labels, 1).map((row) => row.label)).toEqual(["other", "correct"])
  expect(movedUp(TYPED.labels, 0)).toBe(TYPED.labels)
  expect(settingsProblem({ ...TYPED, labels: [] })).toBe("Keep one label at least.")
})

test("so many reviewers are whole people", () => {
  expect(wantedProblem("3")).toBeUndefined()
  for (const text of ["0", "21", "1.5", ""]) expect(wantedProblem(text)).toContain("not a whole number from 1 to 20")
})
