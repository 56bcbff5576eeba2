// What a reason for a missing score is called when it is counted: `40 unreadable answers`. The server's table, which a
// test holds this one against; reasons without a code are words already.
import { countText } from "./format"

export const COUNTED: Readonly<Record<string, readonly [once: string, several: string]>> = {
  unparsable: ["unreadable answer", "unreadable answers"],
  unreadable: ["garbled reply of the provider", "garbled replies of the provider"],
  empty: ["empty answer", "empty answers"],
  no_label: ["answer without a label", "answers without a label"],
  ambiguous_label: ["answer with several labels", "answers with several labels"],
  label_too_long: ["answer with too long a label", "answers with too long a label"],
  out_of_range: ["answer outside the scale", "answers outside the scale"],
  dimensions: ["answer that lacks dimensions", "answers that lack dimensions"],
  tie: ["tied vote", "tied votes"],
  too_few_votes: ["verdict with too few readable votes", "verdicts with too few readable votes"],
  timeout: ["timeout", "timeouts"],
  rate_limited: ["call over the rate limit", "calls over the rate limit"],
  overloaded: ["call to an overloaded provider", "calls to an overloaded provider"],
  connection: ["failed connection", "failed connections"],
  refused: ["refused call", "refused calls"],
  budget: ["call over the budget", "calls over the budget"],
  crashed: ["crashed job", "crashed jobs"],
}

/** `40 unreadable answers`, `1 timeout`, `9 no expected_output`. */
export function countedReason(reason: string, count: number): string {
  const names = COUNTED[codeOf(reason)]
  return `${countText(count)} ${names ? names[count === 1 ? 0 : 1] : reason}`
}

/** Reasons of one code together, whatever details stand behind it. */
export function codeOf(reason: string): string {
  const code = reason.split(":", 1)[0] ?? reason
  return Object.hasOwn(COUNTED, code) ? code : reason
}
