// What the review says in words, for readers who know nothing of traces.
import { countText, countWords } from "../../words/format"
import { millis, momentText } from "../../words/time"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `off-topic` as a reader writes it: `Off-topic`. */
export function labelText(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1)
}

const ROLES: Record<string, string> = { user: "Person", human: "Person", assistant: "Assistant", ai: "Assistant", model: "Assistant", system: "Instructions", developer: "Instructions", tool: "Tool" }

/** Who says a message of a chat: `user` is the `Person`. */
export function roleText(role: string): string {
  return ROLES[role.toLowerCase()] ?? labelText(role)
}

/** `waiting 3 days`. */
export function waitingText(since: string, now: number): string {
  const age = now - (millis(since) ?? now)
  if (age < MINUTE) return "waiting since a moment ago"
  const [size, noun] = age < HOUR ? [MINUTE, "minute"] : age < DAY ? [HOUR, "hour"] : [DAY, "day"]
  return `waiting ${countWords(Math.floor(age / size), noun as string)}`
}

/** `no review yet`, `1 of 3 reviews`, `2 reviews`. */
export function reviewsText(count: number, wanted: number): string {
  if (wanted > 1) return `${countText(count)} of ${countWords(wanted, "review")}`
  return count === 0 ? "no review yet" : countWords(count, "review")
}

/** `12 of 15 waiting`: of all cards that this person reviewed or may review. */
export function progressText(left: number, reviewed: number): string {
  if (left === 0) return reviewed === 0 ? "Nothing is waiting" : `All ${countText(reviewed)} done`
  return `${countText(left)} of ${countText(left + reviewed)} waiting`
}

/** `20:45 UTC` on the same day, else with the day. */
export function clockText(moment: string, now: number): string {
  const text = momentText(moment)
  return text.slice(0, -10) === momentText(now).slice(0, -10) ? text.slice(-9) : text
}

interface Held {
  claimed_by?: string | null
}

/** Who else held a card when the server was asked, or null. The clock here may be wrong, so it has no say. */
export function holderOf({ claimed_by: by }: Held, own: string): string | null {
  return by == null || by === own ? null : by
}

export function heldText(by: string, until: string | null | undefined, now: number): string {
  return until ? `${by} is reviewing this one until ${clockText(until, now)}` : `${by} is reviewing this one`
}

/** What a card is called: the beginning of its question. */
export function nameOf(card: { question?: { text: string } | null }, longest = 70): string {
  return shortText(card.question?.text ?? "", longest) || "a card without a question"
}

export function shortText(text: string, longest = 70): string {
  const line = text.trim().replace(/\s+/g, " ")
  return line.length <= longest ? line : `${line.slice(0, longest).trimEnd()}…`
}
