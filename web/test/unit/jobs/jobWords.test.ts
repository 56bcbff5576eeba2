import { describe, expect, test } from "vitest"
import { actionOf, countsWords, jobCost, kindWords, progressOf, STATUSES, statusLook } from "../../../src/views/jobs/jobWords"

const job = { kind: "score_experiment", status: "running", total: 200, counts: {} } as const

describe("progress", () => {
  test("counts what came to an end, not what waits", () => {
    const counts = { scored: 90, absent: 5, failed: 5, queued: 80, running: 20 }
    expect(progressOf({ ...job, counts })).toEqual({ ended: 100, failed: 5, total: 200, text: "100 of 200" })
  })
  test("never goes beyond its end", () => {
    const { ended, total, text } = progressOf({ ...job, total: 2, counts: { scored: 3 } })
    expect([ended, total, text]).toEqual([3, 3, "3 of 3"])
  })
  test("says so when nothing is counted", () => {
    expect(progressOf({ ...job, total: 0 }).text).toBe("not counted yet")
    expect(progressOf({ ...job, status: "done", total: 0 }).text).toBe("nothing to do")
  })
  test("of a judge that is asked again begins anew", () => {
    const again = { kind: "judge", total: 1, counts: { failed: 1 } }
    expect(progressOf({ ...again, status: "queued" }).text).toBe("0 of 1")
    expect(progressOf({ ...again, status: "failed" }).text).toBe("1 of 1")
  })
})

test("counts are said by size, and what is 0 is left out", () => {
  expect(countsWords({ absent: 9, scored: 1850, skipped: 0, failed: 9 })).toBe("1,850 scored · 9 absent · 9 failed")
  expect(countsWords({})).toBe("")
})

test("a cost is a number or says why it is none", () => {
  const judge = { kind: "judge", model: "m", cost_usd: null } as const
  expect(jobCost({ ...judge, status: "done", cost_usd: 0 })).toEqual({ text: "$0.00", why: undefined })
  expect(jobCost({ ...judge, status: "done" })).toEqual({ text: "unknown", why: "m has no known price" })
  expect(jobCost({ ...judge, status: "failed" }).text).toBe("–")
  expect(jobCost({ ...judge, model: null, kind: "score_spans", status: "done" }).why).toContain("asks no model")
})

test("what is open can be cancelled, what did not succeed can be retried", () => {
  expect(STATUSES.map(actionOf)).toEqual(["cancel", "cancel", undefined, "retry", "retry"])
})

test("each status has a shape of its own", () => {
  expect(new Set(STATUSES.map((status) => statusLook(status).shape)).size).toBe(STATUSES.length)
})

test("a kind that is not known is shown as it is", () => {
  expect([kindWords("judge"), kindWords("mend_roof")]).toEqual(["Judge", "mend roof"])
})
