// What is typed into the fields for money and counts, and what is sent of it.
import type { Budget, ModelPrice, PriceDraft } from "../../api/settings"
import { countText, countWords, moneyText, shareText } from "../../words/format"

export type Reading<T> = { value: T; problem?: undefined } | { value?: undefined; problem: string }

/** An amount of US dollars, or null where nothing is typed. */
export function readUsd(text: string, most: number): Reading<number | null> {
  const typed = text.trim().replace(/^\$/, "").replaceAll(",", "")
  if (typed === "") return { value: null }
  const value = Number(typed)
  if (!Number.isFinite(value)) return { problem: `“${text.trim()}” is not a number; write it as 2.50` }
  if (value < 0) return { problem: "An amount below 0 makes no sense; 0 allows nothing" }
  return value > most ? { problem: `That is more than ${countText(most)}` } : { value }
}

/** A whole number, or null where nothing is typed. */
export function readCount(text: string): Reading<number | null> {
  const typed = text.trim().replaceAll(",", "")
  if (typed === "") return { value: null }
  const value = Number(typed)
  if (!Number.isInteger(value) || value < 0) return { problem: `“${text.trim()}” is not a whole number of 0 or more; write it as 200,000` }
  return value > Number.MAX_SAFE_INTEGER ? { problem: "That is too large a number" } : { value }
}

const MOST_DAYS = 36_500

/** A number of days, or null where nothing is typed: for ever. */
export function readDays(text: string): Reading<number | null> {
  const typed = text.trim()
  if (typed === "") return { value: null }
  const value = Number(typed)
  if (!Number.isInteger(value) || value < 1) return { problem: `“${typed}” is not a whole number of days; write it as 90` }
  return value > MOST_DAYS ? { problem: `More than ${countText(MOST_DAYS)} days; leave it empty to keep traces for ever` } : { value }
}

export interface Spending {
  spent: string
  /** What the limit is, and what is left of it. */
  against: string
  /** 0 to 1 of the limit; null without one. */
  share: number | null
}

export function usdSpending(budget: Budget): Spending {
  return spending(budget.spent_usd, budget.usd_per_day, budget.left_usd, moneyText)
}

export function tokenSpending(budget: Budget): Spending {
  return spending(budget.spent_tokens, budget.tokens_per_day, budget.left_tokens, (value) => countWords(value, "token"))
}

function spending(spent: number, limit: number | null, left: number | null, say: (value: number) => string): Spending {
  if (limit === null) return { spent: say(spent), against: "no limit", share: null }
  if (limit === 0) return { spent: say(spent), against: "the limit is 0: no judge may be asked", share: 1 }
  const share = spent / limit
  const used = share > 1 ? "more than all of it" : shareText(share)
  // Rounded, little spent would leave as much as there was.
  const rest = spent > 0 && say(left ?? 0) === say(limit) ? "almost all" : say(left ?? 0)
  return { spent: say(spent), against: `of ${say(limit)} a day (${used}); ${rest} left`, share: Math.min(1, share) }
}

export interface PriceTexts {
  model: string
  input: string
  output: string
  cached: string
  since: string
}

export const NO_PRICE: PriceTexts = { model: "", input: "", output: "", cached: "", since: "" }
const MOST_PER_MILLION = 1e6
const MODEL = /^[A-Za-z0-9][A-Za-z0-9._:@+-]*(\/[A-Za-z0-9][A-Za-z0-9._:@+-]*)*$/

export type PriceProblems = { [K in keyof PriceTexts]?: string }

/** The price that was typed, or what is wrong with which field. */
export function readPrice(texts: PriceTexts): { draft?: PriceDraft; problems: PriceProblems } {
  const model = texts.model.trim()
  const problems: PriceProblems = {}
  if (model === "") problems.model = "Name the model, as openai/gpt-4o"
  else if (!MODEL.test(model)) problems.model = `“${model}” is not a model name; write it as openai/gpt-4o, without blanks`
  const [input, output, cached] = [texts.input, texts.output, texts.cached].map((text) => readUsd(text, MOST_PER_MILLION))
  for (const [field, read, needed] of [["input", input, true], ["output", output, true], ["cached", cached, false]] as const) {
    if (read?.problem !== undefined) problems[field] = read.problem
    else if (needed && read?.value === null) problems[field] = "Give a price in US dollars; 0 if it costs nothing"
  }
  if (texts.since !== "" && Number.isNaN(Date.parse(texts.since))) problems.since = `“${texts.since}” is not a day; write it as 2026-11-01`
  if (Object.keys(problems).length > 0) return { problems }
  const draft: PriceDraft = {
    model,
    input_usd_per_million: input?.value ?? 0,
    output_usd_per_million: output?.value ?? 0,
    cached_input_usd_per_million: cached?.value ?? null,
    since: texts.since === "" ? null : texts.since,
  }
  return { draft, problems }
}

/** The same model from the same day on: there is one price for it. */
export function samePrice(a: PriceDraft, b: PriceDraft | ModelPrice): boolean {
  return a.model === b.model && (a.since ?? null) === (b.since ?? null)
}
