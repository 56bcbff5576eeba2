// What a judge's report card says, in sentences. All of it is pure, and made of the card only.
import {
  countWords, deltaText, type Ends, intervalText, intervalWords, scoreText, serverWords, shareIntervalText, shareText,
} from "./format"

export interface EstimateSaid {
  value: number | null
  confidence_interval_95: Ends | null
  reason?: string | null
  /** How the interval was made: a code. */
  method?: string | null
}

export interface PeopleSaid {
  human: string
  n_labelled: number
  scale: string
  accuracy: EstimateSaid
  cohen_kappa: EstimateSaid
  weighted_kappa_quadratic: EstimateSaid
  krippendorff_alpha: EstimateSaid
}

export interface CardSaid {
  people: PeopleSaid | null
  people_reason: string | null
  parse_failures: EstimateSaid
  length_slope: EstimateSaid
  length_slope_beyond_people: EstimateSaid
  probe: { injection_flipped: EstimateSaid } | null
}

const MEASURES: Readonly<Record<string, string>> = {
  cohen_kappa: "kappa",
  weighted_kappa_quadratic: "weighted kappa",
  krippendorff_alpha: "alpha",
}

export function measureWords(measure: string): string {
  return MEASURES[measure] ?? measure.replaceAll("_", " ")
}

/** The measure that takes chance out, by the scale of the scores; the list of judges has the same one. */
export function chanceCorrected(people: PeopleSaid): { name: string; estimate: EstimateSaid } {
  if (people.scale === "numbers") return { name: "alpha", estimate: people.krippendorff_alpha }
  if (people.scale === "grades") return { name: "weighted kappa", estimate: people.weighted_kappa_quadratic }
  return { name: "kappa", estimate: people.cohen_kappa }
}

/** "Agrees with people in 84 % (78–89 %), kappa 0.610 (0.470 to 0.730), over 120 labels; …". */
export function verdictSentence(card: CardSaid): string {
  const parts = [agreementWords(card.people, card.people_reason)]
  const beyond = card.length_slope_beyond_people
  const slope = beyond.value === null ? card.length_slope : beyond
  if (slope.value !== null && excludesZero(slope)) {
    const than = slope === beyond ? " beyond what people give" : ""
    parts.push(`answers twice as long get ${deltaText(slope.value)} (${intervalWords(slope.confidence_interval_95)})${than}`)
  }
  const unread = card.parse_failures
  if (unread.value !== null && unread.value > 0) parts.push(`${shareText(unread.value)} of its answers cannot be read`)
  const flipped = card.probe?.injection_flipped
  if (flipped && flipped.value !== null && flipped.value > 0) {
    parts.push(`${shareText(flipped.value)} of outputs that plead for a score get it (${shareIntervalText(flipped.confidence_interval_95)})`)
  }
  return `${parts.join("; ")}.`
}

function agreementWords(people: PeopleSaid | null, reason: string | null): string {
  if (!people) return `No agreement with people is known: ${reason ?? "nobody rated its targets"}`
  const said: string[] = []
  if (people.accuracy.value !== null) {
    const ends = shareIntervalText(people.accuracy.confidence_interval_95, people.n_labelled)
    const words = people.scale === "grades" ? "Gives the same grade as people in" : "Agrees with people in"
    said.push(`${words} ${shareText(people.accuracy.value, people.n_labelled)} (${ends})`)
  }
  const { name, estimate } = chanceCorrected(people)
  if (estimate.value !== null) {
    const words = `${name} ${scoreText(estimate.value)} (${intervalWords(estimate.confidence_interval_95)})`
    said.push(said.length > 0 ? words : `Agreement with people: ${words}`)
  }
  if (said.length === 0) {
    const why = people.accuracy.reason ?? people.krippendorff_alpha.reason ?? "too few labels"
    return `How far it agrees with people is not known: ${serverWords(why)}`
  }
  return `${said.join(", ")}, over ${countWords(people.n_labelled, "label")}`
}

/** Whether an interval is wholly on one side of 0. */
function excludesZero({ confidence_interval_95: ends }: EstimateSaid): boolean {
  return ends !== null && (ends[0] > 0 || ends[1] < 0)
}

/** A value with its interval, or why there is none. */
export function estimateWords(estimate: EstimateSaid): string {
  if (estimate.value === null) return serverWords(estimate.reason ?? "not known")
  return `${scoreText(estimate.value)}  ${intervalText(estimate.confidence_interval_95)}`
}

/** The same of a change: with its sign. */
export function shiftWords(estimate: EstimateSaid): string {
  if (estimate.value === null) return serverWords(estimate.reason ?? "not known")
  return `${deltaText(estimate.value)}  ${intervalText(estimate.confidence_interval_95)}`
}

/** A rating in a table: a number with at most three decimals, a label as it is. */
export function ratingText(rating: string): string {
  return /^-?\d+\.\d{4,}$/.test(rating) ? scoreText(Number(rating)) : rating
}
