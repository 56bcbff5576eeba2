// Why there is no score, in a sentence, and what to do about it. Keyed by how the server's reason begins;
// a reason that is not known is shown as it is.

/** Where the remedy leads: the view turns it into a link or a button. */
export type Action = "runs" | "items" | "budget" | "job" | "retry" | "scorer"

export interface Absence {
  /** The reason as the server said it. */
  reason: string
  /** The same in a sentence. */
  sentence: string
  /** What to do; null when nothing is known. */
  remedy: string | null
  action: Action | null
}

/** One row of `absence_reasons` of `/v1/words`; the first whose prefix fits holds. */
export interface KnownReason {
  prefix: string
  meaning: string
  remedy: string
}

type Row = readonly [sentence: string, remedy: string | null, action?: Action | null]

/** Used until the server's words are here, and for where a remedy leads, which the server does not say. */
const WORDS: Readonly<Record<string, Row>> = {
  "no expected_output": [
    "The item has no expected output.", "Give the items an expected output, or take a scorer that needs none.", "items",
  ],
  "expected_output is": [
    "The item's expected output is of the wrong kind.", "Correct the item's expected output.", "items",
  ],
  "expected_output has": [
    "The item's expected output is not complete.", "Correct the item's expected output.", "items",
  ],
  "no output": ["The run gave no output.", "See the runs, and let the application answer something.", "runs"],
  "the run failed": [
    "The run ended in an error before there was anything to score.",
    "See the failed runs; run them again with gn.evaluate(…, retry_failed=True).", "runs",
  ],
  "no score was submitted": [
    "No scorer with this name was asked about these runs.", "Score the experiment with this scorer.", "scorer",
  ],
  "no trace": [
    "The judge's prompt needs the whole trace, and this has none.",
    "Score the trace itself (target trace), or take {{trace}} out of the prompt.", "scorer",
  ],
  "no tool calls are expected": [
    "The item expects no tool calls.", "Take the mode exact or any_order, which can ask for none.", "scorer",
  ],
  "the output holds no transcript": [
    "The output holds no transcript, messages or tool calls.",
    "Let the application return its messages, or score the trace.", "runs",
  ],
  "the output holds a lone surrogate": ["The output holds a character that is not text.", "See the runs.", "runs"],
  "the schema refers to itself": [
    "The schema refers to itself, or the output is nested too deeply.", "Simplify the schema.", "scorer",
  ],
  budget: [
    "The day's budget for judges does not allow this call.", "Raise the budget, or wait until 00:00 UTC and retry.",
    "budget",
  ],
  "budget: the price of": [
    "The budget is in USD, and the price of the model is not known.",
    "Set the model's price, or limit tokens instead of USD.", "budget",
  ],
  "the trace has no root span": [
    "A trace's score sits on its root span, and none has arrived.", "Send the root span, or score single spans.", null,
  ],
  "the rule scores": ["The rule scores only a share of what it matches.", "Raise the rule's sampling rate.", "scorer"],
  "the value is missing": ["The value that was given is empty.", "Give a number from 0 to 1, or a label.", "scorer"],
  "too costly": [
    "Computing it would take longer than is allowed here.", "Shorten the texts, or score as a job.",
    "scorer",
  ],
  "gave up after": ["Every attempt at the job broke off.", "See the worker's log, then retry.", "retry"],
  rate_limited: ["The model's provider allowed no more calls.", "Retry later, or ask fewer at a time.", "retry"],
  overloaded: ["The model's provider was overloaded.", "Retry later.", "retry"],
  timeout: ["The model did not answer in time.", "Retry, or allow more time.", "retry"],
  connection: ["The model's provider could not be reached.", "Check the address and the network, then retry.", "retry"],
  refused: ["The model's provider refused the call.", "Check key, model name and account, then retry.", "job"],
  unreadable: ["What the model's provider answered could not be read.", "See the job's evidence.", "job"],
  unparsable: [
    "The judge's answer could not be read as a score.",
    "See what it answered; ask for the answer format in the prompt, or take another model.", "job",
  ],
  empty: ["The judge answered nothing.", "See the job; retry, or take another model.", "job"],
  out_of_range: [
    "The judge's score lies outside its scale.", "See what it answered; state the scale in the prompt.", "job",
  ],
  ambiguous_label: ["The judge named several labels.", "See what it answered; ask for exactly one label.", "job"],
  no_label: ["The judge named none of the labels.", "See what it answered; name the labels in the prompt.", "job"],
  label_too_long: ["The judge's label is too long.", "See what it answered; ask for one of a few labels.", "job"],
  tie: ["The judge's votes are tied.", "Ask for an odd number of votes.", "job"],
  too_few_votes: ["Too few of the judge's votes could be read.", "See the job's evidence; retry.", "job"],
  dimensions: ["The judge did not score all dimensions of the rubric.", "See what it answered; retry.", "job"],
  "the scorer broke": ["The scorer raised an exception.", "Correct the scorer, then score again.", "scorer"],
  "the scorer returned None": ["The scorer found nothing to score here.", null],
  "the scorer returned no scores": ["The scorer found nothing to score here.", null],
  "the scorer returned NaN": ["The scorer returned NaN.", "Return None where there is nothing to score.", "scorer"],
  "the scorer returned an empty label": [
    "The scorer returned an empty label.", "Name the label, or return None.", "scorer",
  ],
  "the scorer returned": [
    "The scorer returned something that is not a score.", "Return a number from 0 to 1, a bool or a label.", "scorer",
  ],
  "the target cannot be read": ["What was to be scored cannot be read.", "See the job.", "job"],
  "the target is gone": ["What was to be scored has been deleted.", null],
  "the job's": [
    "The job was made by another version of Gnomon and cannot be read.", "Score again.", "retry",
  ],
  "its result could not be stored": ["The result could not be stored.", "Retry; the server's log says why.", "retry"],
  crashed: ["The worker met an error of its own.", "Retry; the server's log says why.", "retry"],
}

/** What stands in the place of a score. The server's words hold; the action comes from the table above. */
export function absence(reason: string, known: readonly KnownReason[] = []): Absence {
  const said = known.find(({ prefix }) => reason.startsWith(prefix))
  const own = WORDS[longestPrefix(reason, Object.keys(WORDS)) ?? ""]
  return {
    reason,
    sentence: said ? sentenceOf(said.meaning) : (own?.[0] ?? reason),
    remedy: said ? sentenceOf(said.remedy) : (own?.[1] ?? null),
    action: own?.[2] ?? null,
  }
}

function sentenceOf(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

/** A prefix counts only where a word ends: `timeout` is in `timeout: 30 s`, not in `timeouts`. */
function longestPrefix(reason: string, prefixes: readonly string[]): string | null {
  const fitting = prefixes.filter((prefix) => reason.startsWith(prefix) && !/^\w/.test(reason.slice(prefix.length)))
  return fitting.sort((a, b) => b.length - a.length)[0] ?? null
}
