// How an interval was made and what to know before trusting it, in plain words. `more` is a dictionary from the
// server (`ci_methods` or `flags` of `/v1/words`); codes that nobody knows are shown with spaces for underscores.
import { countWords } from "./format"

export type Words = Readonly<Record<string, string>>

const METHODS: Words = {
  wilson: "Wilson interval",
  cluster_wilson: "Wilson interval",
  beta_moments: "Beta interval from mean and spread",
  clopper_pearson: "exact interval (Clopper–Pearson)",
  jeffreys: "Jeffreys interval",
  t_clipped: "t interval, cut at 0 and 1",
  t: "t interval",
  bca: "bootstrap interval (BCa)",
  poisson: "exact interval of a mean count (Poisson)",
  bootstrap: "bootstrap interval",
  percentile_bootstrap: "bootstrap interval (percentiles)",
  betting_mixture: "interval that holds at every look",
  beta_mixture: "interval that holds at every look",
  empirical_bernstein: "interval that holds at every look",
  tango: "interval of paired yes and no (Tango)",
  mover: "interval of the difference of two groups (MOVER)",
  fisher_z: "interval of a correlation (Fisher)",
  fleiss_cohen_everitt: "large-sample interval of kappa",
  gwet: "interval of AC1 (Gwet)",
  jackknife: "interval by leaving out one at a time",
  zou_donner: "interval of a difference of two shares",
  order_statistics: "interval of the median by ranks",
  stratified: "interval over strata",
  ppi_beta: "people's labels with the judge's help (Beta interval)",
  ppi_normal: "people's labels with the judge's help",
  lang_reiczigel: "judge corrected by its known errors",
  double_sampling: "people's labels and the judge together",
}

const FLAGS: Words = {
  small_n: "fewer than 15 items, so the interval stands on little",
  single_run: "one run only",
  equal_counts: "every run has the same count, so the interval comes from the number of events",
  one_item: "one item only, so this says little about others",
  few_clusters: "a group has fewer than 15 sessions or tasks, so the interval stands on little",
  shared_clusters: "some sessions or tasks are in both groups, so the interval is wider than it would have to be",
  other_method: "the interval that was asked for does not fit these scores; the default was used",
  items_fixed: "says how the same items would come out again, nothing about others",
  bracketed: "the interval holds whatever the missing scores would have been",
  equal_differences: "every item moved by the same amount, so the interval comes from counting them",
  drifting: "scores changed while they came in, so earlier looks no longer fit; start anew",
  stopped_early: "stopped early, so the interval is one that holds at every look",
  could_stop_early: "could stop early, so the interval is one that holds at every look",
  tests_disagree: "the t test and flipping signs disagree about this few items; do not lean on either",
  runs_pooled: "runs of several scenarios are taken together, as if they were of one",
  clipped: "reached beyond 0 or 1 and was cut there",
  few_labels: "fewer than 100 labels, or 10 of the rarer class, so little is known of the judge's errors",
  labels_not_random: "the labelled are hardly a random part, so the corrected mean may be off",
  no_better_than_chance: "the judge is no better than chance; it adds little to the labels",
  repeated_items: "several targets belong to one item; agreement takes them as independent",
  mixed_configs: "scores of several configurations of the judge",
  repeated_scores: "several scores of one target: their mean, or most frequent label, is taken",
  between_negative: "the spread between items was estimated below zero and taken as zero",
  within_negative: "the spread between runs was estimated below zero and taken as zero",
  judge_negative: "the judge's own spread was estimated below zero and taken as zero",
}

export interface Sample {
  /** Items that the interval is over. */
  items?: number | null
  /** Trials of each item. */
  trials?: number | null
}

/** "Wilson interval over 38 items with 5 trials each". The short names here come before the server's sentences. */
export function methodWords(method: string | null | undefined, sample: Sample = {}, more: Words = {}): string {
  if (!method) return "no interval"
  const over = sample.items ? ` over ${countWords(sample.items, "item")}` : ""
  const each = over && sample.trials && sample.trials > 1 ? ` with ${sample.trials} trials each` : ""
  return `${METHODS[method] ?? more[method] ?? spaced(method)}${over}${each}`
}

/** A flag as a sentence. */
export function flagWords(flag: string, more: Words = {}): string {
  return more[flag] ?? FLAGS[flag] ?? spaced(flag)
}

/** All flags of an interval, in their order. */
export function notesOf(flags: readonly string[] | null | undefined, more: Words = {}): string[] {
  return (flags ?? []).map((flag) => flagWords(flag, more))
}

/** Whether the dot is hollow: the estimate stands on few items. */
export function isSmall(flags: readonly string[] | null | undefined): boolean {
  return (flags ?? []).some((flag) => flag === "small_n" || flag === "single_run" || flag === "one_item")
}

/** The same of a figure that comes with a count instead of flags. */
export function isFew(count: number): boolean {
  return count < 15
}

function spaced(code: string): string {
  return code.replaceAll("_", " ")
}
