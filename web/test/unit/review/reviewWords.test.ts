import { expect, test } from "vitest"
import { agreementSentence, pairWords } from "../../../src/views/review/agreementWords"
import { clockText, heldText, holderOf, labelText, nameOf, progressText, reviewsText, roleText, shortText, waitingText } from "../../../src/views/review/reviewWords"

const NOW = Date.parse("2026-11-18T20:30:00Z")

test("a label is written as a reader writes it", () => {
  expect(labelText("off-topic")).toBe("Off-topic")
  expect(labelText("")).toBe("")
})

test("who says a message of a chat", () => {
  expect(["user", "Assistant", "system", "tool", "narrator"].map(roleText)).toEqual(["Person", "Assistant", "Instructions", "Tool", "Narrator"])
})

test("how long a card waits", () => {
  expect(waitingText("2026-11-18T20:29:40Z", NOW)).toBe("waiting since a moment ago")
  expect(waitingText("2026-11-18T20:29:00Z", NOW)).toBe("waiting 1 minute")
  expect(waitingText("2026-11-18T15:00:00Z", NOW)).toBe("waiting 5 hours")
  expect(waitingText("2026-11-15T20:30:00Z", NOW)).toBe("waiting 3 days")
  expect(waitingText("2026-11-19T20:30:00Z", NOW)).toBe("waiting since a moment ago")
})

test("how many reviews a card has", () => {
  expect(reviewsText(0, 1)).toBe("no review yet")
  expect(reviewsText(1, 1)).toBe("1 review")
  expect(reviewsText(1, 3)).toBe("1 of 3 reviews")
})

test("progress", () => {
  expect(progressText(12, 3)).toBe("12 of 15 waiting")
  expect(progressText(0, 15)).toBe("All 15 done")
  expect(progressText(0, 0)).toBe("Nothing is waiting")
})

test("who holds a card, and until when", () => {
  expect(heldText("Ben", "2026-11-18T20:45:10Z", NOW)).toBe("Ben is reviewing this one until 20:45 UTC")
  expect(clockText("2026-11-19T00:05:00Z", NOW)).toBe("19 Nov 2026 00:05 UTC")
  expect(heldText("Ben", null, NOW)).toBe("Ben is reviewing this one")
  const held = { claimed_by: "Ben" }
  expect(holderOf(held, "Ana")).toBe("Ben")
  expect(holderOf(held, "Ben")).toBeNull()
  expect(holderOf({ claimed_by: null }, "Ana")).toBeNull()
})

test("a card is called by the beginning of its question", () => {
  expect(shortText("  Where\n is   it? ")).toBe("Where is it?")
  expect(shortText("x".repeat(100), 10)).toBe(`${"x".repeat(10)}…`)
  expect(nameOf({ question: null })).toBe("a card without a question")
})

test("agreement in words, with what the interval leaves open", () => {
  expect(agreementSentence("labels", { alpha: 0.86, ci_95: [0.812, 0.905], n: 34, reason: null })).toBe(
    "Reviewers agree well on labels: α 0.860 (0.812 to 0.905), from 34 cards that two people or more reviewed.",
  )
  expect(agreementSentence("labels", { alpha: 0.7, ci_95: [0.2, 0.9], n: 5, reason: null })).toContain("agree fairly")
  expect(agreementSentence("labels", { alpha: 0.7, ci_95: [0.2, 0.9], n: 5, reason: null })).toContain("reaches below 0.667")
  expect(agreementSentence("labels", { alpha: 0.5, ci_95: [0.1, 0.8], n: 5, reason: null })).toContain("agree too little")
  expect(agreementSentence("labels", { alpha: -0.1, ci_95: null, n: 2, reason: "one card only" })).toContain("no more than by chance")
  expect(agreementSentence("labels", { alpha: null, ci_95: null, n: 0, reason: "no card has two reviewers" })).toBe(
    "How well reviewers agree on labels is not known: no card has two reviewers.",
  )
})

test("a pair in words", () => {
  const pair = { reviewers: ["ana", "ben"] as [string, string], n: 10, agreement: 0.8, alpha: 0.615, ci_95: [0.203, 0.9] as [number, number], reason: null }
  expect(pairWords(pair)).toBe("α 0.615 (0.203 to 0.900) · same label on 80\u00a0% (49–94\u00a0%) of 10 cards")
  expect(pairWords({ ...pair, alpha: null, reason: "they always say the same" })).toContain("no α: they always say the same")
})
