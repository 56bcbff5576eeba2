// How well reviewers agree, in words first. The bars are Krippendorff's own: 0.8 to rely on, 0.667 for tentative conclusions.
import type { Agreement } from "../../api/review"
import { wilson } from "../../plots/buckets"
import { countWords, intervalWords, scoreText, shareIntervalText, shareText } from "../../words/format"

export const RELIABLE = 0.8
export const TENTATIVE = 0.667

type Alpha = Agreement["labels"]

/** `Reviewers agree well on labels: α 0.860 (0.812 to 0.905), from 34 cards that two people or more reviewed.` */
export function agreementSentence(what: string, { alpha, ci_95: interval, n, reason }: Alpha): string {
  if (alpha === null) return `How well reviewers agree on ${what} is not known: ${reason ?? "too few cards were reviewed by two people"}.`
  const ends = interval ?? null
  const range = ends === null ? (reason ? ` (no interval: ${reason})` : "") : ` (${intervalWords(ends)})`
  return `Reviewers ${degree(alpha)} on ${what}: α ${scoreText(alpha)}${range}, from ${countWords(n, "card")} that two people or more reviewed.${doubt(alpha, ends)}`
}

function degree(alpha: number): string {
  if (alpha >= RELIABLE) return "agree well"
  if (alpha >= TENTATIVE) return "agree fairly"
  return alpha > 0 ? "agree too little" : "agree no more than by chance"
}

/** What the interval leaves open. */
function doubt(alpha: number, interval: readonly [number, number] | null): string {
  if (interval === null) return ""
  const [low, high] = interval
  if (alpha >= TENTATIVE && low < TENTATIVE) return " The interval reaches below 0.667: have more cards reviewed twice before you rely on it."
  if (alpha < TENTATIVE && high >= TENTATIVE) return " The interval reaches above 0.667: more cards that are reviewed twice will tell."
  return ""
}

/** `α 0.615 (0.203 to 0.900) · same label on 80 % (49–94 %) of 10 cards`. */
export function pairWords({ alpha, ci_95: interval, agreement, n, reason }: Agreement["pairs"][number]): string {
  const same = agreement === null ? countWords(n, "card") : `same label on ${shareWords(agreement, n)} of ${countWords(n, "card")}`
  return alpha === null ? `${same}; no α: ${reason ?? "not known"}` : `α ${scoreText(alpha)}${interval ? ` (${intervalWords(interval)})` : ""} · ${same}`
}

/** A share of cards with its 95 % interval: `80 % (49–94 %)`. */
export function shareWords(share: number, n: number): string {
  return `${shareText(share, n)} (${shareIntervalText(wilson(share * n, n), n)})`
}
