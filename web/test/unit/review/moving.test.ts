import { expect, test } from "vitest"
import { startOf } from "../../../src/login"
import { restoredForm, changeSitting, hasArrived, visit, visitedBefore } from "../../../src/views/review/sitting"
import { emptyForm } from "../../../src/views/review/reviewForm"
import { renewAfter } from "../../../src/views/review/useClaim"

const [ONE, TWO] = [{ type: "trace", id: "1" }, { type: "run", id: "1" }] as const

test("a reviewer's session begins at the queue of its project, others where they wanted to go", () => {
  const reviewer = { role: "reviewer", project_id: "support" }
  expect(startOf(reviewer, undefined)).toBe("/projects/support/review")
  expect(startOf(reviewer, "/projects/support/traces")).toBe("/projects/support/review")
  expect(startOf(reviewer, "/projects/support/review/trace/7")).toBe("/projects/support/review/trace/7")
  expect(startOf(reviewer, "/projects/other/review")).toBe("/projects/support/review")
  expect(startOf({ role: "write", project_id: null }, "/projects/support/traces")).toBe("/projects/support/traces")
  expect(startOf({ role: "write", project_id: null }, "//evil")).toBe("/")
})

test("the card before is the one that was opened before, whatever its kind", () => {
  visit(ONE)
  visit(TWO)
  visit(ONE)
  expect(visitedBefore(TWO)).toEqual(ONE)
  expect(visitedBefore(ONE)).toBeUndefined()
})

test("an undone form waits for its own card alone", () => {
  const form = { ...emptyForm("a"), label: "correct" }
  changeSitting({ restored: { target: TWO, form }, arrived: ONE })
  expect(restoredForm(TWO)).toBe(form)
  expect(restoredForm(ONE)).toBeUndefined()
  expect(hasArrived(ONE)).toBe(true)
  expect(hasArrived(TWO)).toBe(false)
})

test("a claim is renewed well before it runs out", () => {
  const now = Date.parse("2026-11-18T20:00:00Z")
  expect(renewAfter("2026-11-18T20:10:00Z", now)).toBe(300_000)
  expect(renewAfter("2026-11-18T20:02:00Z", now)).toBe(60_000)
  expect(renewAfter("2026-11-18T19:00:00Z", now)).toBe(15_000)
})
