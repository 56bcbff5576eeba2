// The figures of an experiment's summary as the plots take them: a scorer's row, and the strip of a gate.
import type { Schemas } from "../api/queries"
import type { ForestRow } from "../plots/Forest"
import type { GateStripProps } from "../plots/GateStrip"
import { isSmall, methodWords, notesOf } from "../words/methods"

type Summary = Schemas["Summary"]

/** A scorer's mean with its interval; `links` say what opens its runs. */
export function scorerRow(
  name: string,
  scorer: Summary["scores_by_scorer"][string],
  summary: Summary,
  links: Pick<ForestRow, "href" | "onOpen">,
): ForestRow {
  const gate = summary.threshold_result
  return {
    id: name,
    name,
    mean: scorer.mean,
    interval: scorer.confidence_interval_95,
    inner: scorer.items_fixed_ci_95 ?? null,
    bracket: scorer.n_scored < scorer.n_total ? scorer.missing_bracket : null,
    small: isSmall(scorer.flags),
    threshold: gate?.scorer_name === name && gate.metric === "mean" ? gate.threshold : null,
    scored: scorer.n_scored,
    total: scorer.n_total,
    reasons: scorer.reasons,
    pending: scorer.n_pending,
    method: methodWords(scorer.ci_method, { items: scorer.clusters, trials: summary.trials }),
    notes: notesOf(scorer.flags),
    ...links,
  }
}

/** A gate's result; what to call it differs by view. */
export function gateFigures(result: Schemas["ThresholdResult"]): Omit<GateStripProps, "name" | "width" | "zoom"> {
  return {
    decision: result.actual_value === null ? "cannot" : result.decision,
    value: result.actual_value,
    interval: result.confidence_interval_95,
    threshold: result.threshold,
    comparison: result.comparison,
    gap: result.gap,
    bound: result.bound,
    n: result.n ?? null,
    minN: result.min_n,
    reason: result.reason ?? null,
    moreItems: result.more_items ?? null,
    small: isSmall(result.flags),
  }
}
