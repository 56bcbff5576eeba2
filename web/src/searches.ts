// The parameters of each view: first what it shows, then (second argument) where the reader is in it.
import { flag, list, number, oneOf, search, sortBy, text, when, whole } from "./params"

const missing = oneOf("drop", "zero", "bracket")

export const loginSearch = search({ next: text })
export const projectsSearch = search({})
export const dashboardSearch = search({ window: oneOf("24h", "7d", "30d") })
export const tracesSearch = search(
  {
    after: when,
    before: when,
    error: flag,
    queue: flag,
    model: text,
    min_duration: number(0),
    max_duration: number(0),
    scorer: text,
    min: number(),
    max: number(),
    q: text,
    sort: oneOf("age", "-age", "duration", "-duration", "-tokens", "-cost"),
    live: flag,
  },
  { peek: text },
  "meta.",
)
export const traceSearch = search({ find: text, only: oneOf("errors") }, { span: text })
export const conversationsSearch = search({ after: when, before: when, error: flag, user: text, q: text })
export const conversationSearch = search({ as: oneOf("text") }, { turn: text })
export const experimentsSearch = search(
  { dataset: text, status: oneOf("created", "running", "completed"), q: text },
  { pick: list },
)
export const experimentSearch = search(
  {
    scorer: text,
    min: number(),
    max: number(),
    state: oneOf("scored", "absent", "failed", "pending"),
    reason: text,
    label: text,
    error: flag,
    q: text,
    sort: text,
    missing,
    cluster: text,
    zoom: flag,
  },
  { run: text },
)
export const compareSearch = search(
  {
    scorer: text,
    show: oneOf("regressed", "improved", "unchanged", "changed", "only_base", "only_other"),
    sort: sortBy("delta", "item"),
    effect: number(0, 1),
    missing,
    zoom: flag,
    as: oneOf("side", "diff"),
  },
  { item: text },
)
export const datasetsSearch = search({ q: text })
export const datasetSearch = search(
  {
    show: oneOf("items", "quality", "versions"),
    version: whole(1),
    q: text,
    scorer: text,
    bar: number(0, 1),
    solved: oneOf("never", "always"),
    sort: oneOf("hardest", "easiest", "telling", "misleading"),
  },
  { item: text },
)
const iterationGroup = { source: text, rubric: text, agent: text, model: text, label: text, rules: text, session: text }
export const iterationsSearch = search({
  ...iterationGroup,
  band: text,
  provisional: flag,
  before: whole(0),
  sort: sortBy("iteration", "value"),
})
export const iterationSearch = search({})
export const integritySearch = search({ ...iterationGroup, claim: text, all: flag })
export const iterationCompareSearch = search({
  by: text,
  a: text,
  b: text,
  source: text,
  rubric: text,
  cluster: oneOf("session", "task"),
  effect: number(0, 1),
})
export const leaderboardSearch = search(
  {
    dataset: text,
    scorer: text,
    k: whole(1),
    bar: number(0, 1),
    effect: number(0, 1),
    missing,
    show: oneOf("passes", "pairs", "actions", "cost", "metrics"),
    zoom: flag,
  },
  { agent: text },
)
export const transcriptSearch = search({}, { claim: whole(0) })
export const judgesSearch = search({})
export const judgeSearch = search({ config: text, human: text }, { job: text })
export const labelSearch = search({
  config: text,
  human: text,
  mode: oneOf("random", "informative"),
  width: number(0.001, 0.5),
  limit: whole(1),
})
export const jobsSearch = search({ status: oneOf("queued", "running", "done", "failed", "cancelled") }, { job: text })
export const rulesSearch = search({}, { rule: text, from: text })
export const reviewSearch = search({ show: oneOf("mine", "done"), type: oneOf("trace", "run"), q: text })
export const annotateSearch = search({ as: oneOf("text", "data") })
export const agreementSearch = search({ scorer: text })
export const playgroundSearch = search(
  { dataset: text, first: whole(1), items: list, scorers: list, trials: whole(1), job: text },
  { item: text },
)
export const settingsSearch = search({ tab: oneOf("keys", "links", "budget", "prices", "metadata", "text", "retention", "review") })
