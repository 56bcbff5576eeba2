"""A bar to clear: one metric of one scorer against a threshold.

By the value alone (`point`), or by its interval (`ci`): cleared when all of the interval is on the right side,
failed when none of it is, undecided in between and while there are too few items.
"""

import operator
from collections.abc import Callable

from gnomon.errors import Refused
from gnomon.model.experiment import (
    Bound,
    Comparison,
    Decision,
    ScorerSummary,
    ThresholdDraft,
    ThresholdRecord,
    ThresholdResult,
)
from gnomon.model.reasons import counted_reasons
from gnomon.service.analysis.aggregate import shown
from gnomon.service.analysis.summarize import Reading, scorer_summary
from gnomon.service.call import Call, Listing, listing
from gnomon.service.experiments import experiments
from gnomon.shorten import there_are
from gnomon.stats.describe import round_shown
from gnomon.stats.forecast import items_to_decide
from gnomon.stats.sequence import sequence_over
from gnomon.store import aggregates
from gnomon.store import experiments as store
from gnomon.store.pages import Slice
from gnomon.store.rows import ExperimentTableRow, ThresholdResultRow

_HOLDS: dict[Comparison, Callable[[float, float], bool]] = {
    "gte": operator.ge,
    "gt": operator.gt,
    "lte": operator.le,
    "lt": operator.lt,
}
_MIN_N: dict[Bound, int] = {"point": 1, "ci": 5}
Ends = tuple[float, float]


def check(call: Call, id: str, draft: ThresholdDraft) -> ThresholdResult:
    """Evaluate and remember. It changes no status."""
    result = _evaluated(call, experiments.row(call, id, lock=True), draft)
    kept = result.model_dump(mode="json")
    store.change(call.db, id, threshold_result=kept)
    row = ThresholdResultRow(id=call.clock.new_id(), experiment_id=id, result=kept, created_at=call.clock.now())
    store.add_threshold_result(call.db, row)
    return result


def evaluate(call: Call, id: str, draft: ThresholdDraft) -> ThresholdResult:
    """Evaluate, and remember nothing."""
    return _evaluated(call, experiments.row(call, id), draft)


def history(call: Call, id: str, page: Slice) -> Listing[ThresholdRecord]:
    """What `check` remembered, newest first."""
    experiments.row(call, id)
    return listing(store.threshold_results_page(call.db, id, page), page, _record, lambda row: (row.id,))


def _record(row: ThresholdResultRow) -> ThresholdRecord:
    return ThresholdRecord(
        id=row.id, experiment_id=row.experiment_id, evaluated_at=row.created_at, result=ThresholdResult(**row.result)
    )


Sequence = tuple[float | None, Ends | None, str | None, int]
"""The mean of items in the order in which they came, with an interval that holds at every look, and their number."""


def _evaluated(call: Call, row: ExperimentTableRow, draft: ThresholdDraft) -> ThresholdResult:
    summary = scorer_summary(call, row, draft.scorer_name, _reading(draft))
    return decided(summary, draft, _sequence(call, row, draft.scorer_name) if draft.sequential else None)


def decided(summary: ScorerSummary, draft: ThresholdDraft, sequence: Sequence | None = None) -> ThresholdResult:
    """What a summary says of a bar."""
    if summary.mean is None and summary.distribution:
        raise Refused(
            f"{draft.scorer_name!r} gives labels; a threshold needs numbers", code="UNSUPPORTED_THRESHOLD_TYPE"
        )
    actual, ends, method = _looked_at(summary, draft)
    n = summary.clusters or summary.n_scored
    if sequence is not None:
        actual, ends, method, n = sequence
    min_n = draft.min_n or _MIN_N[draft.bound]
    decision, reason = decide(draft, actual, ends, n, min_n)
    more, why_not = _more_items(summary, draft, decision, ends, n, min_n)
    return ThresholdResult(
        passed=decision == "pass",
        decision=decision,
        reason=reason or _why_not_known(summary, draft, actual),
        actual_value=actual,
        threshold=draft.threshold,
        scorer_name=draft.scorer_name,
        metric=draft.metric,
        comparison=draft.comparison,
        k=draft.k,
        bound=draft.bound,
        sequential=draft.sequential,
        n=n,
        min_n=min_n,
        gap=None if actual is None else round_shown(actual - draft.threshold),
        confidence_interval_95=ends,
        ci_method=method,
        missing_policy=draft.missing,
        flags=summary.flags,
        more_items=more,
        more_items_reason=why_not,
    )


def _more_items(
    summary: ScorerSummary, draft: ThresholdDraft, decision: Decision, ends: Ends | None, n: int, min_n: int
) -> tuple[int | None, str | None]:
    """About how many more items would decide it, or why that cannot be said. Nothing of what is decided."""
    if decision != "undecided":
        return None, None
    fewest = max(min_n - n, 0)
    if draft.bound == "point" or (ends is not None and not ends[0] <= draft.threshold <= ends[1]):
        return (fewest, None) if fewest else (None, "there is no value yet")
    if ends is None or summary.mean is None:
        return None, "there is no interval yet"
    if draft.metric != "mean":
        return None, f"there is no forecast for {draft.metric}"
    if draft.sequential or summary.ci_method == "betting_mixture":
        return None, "an interval that holds at every look has no forecast; look again after more items"
    if draft.missing == "bracket" and summary.n_scored < summary.n_total:
        return None, "the missing scores keep it open, however many items there are; score them"
    more = items_to_decide(summary.mean, summary.standard_error, n, draft.threshold)
    if more is None:
        return None, "the mean is on the bar, or too near to it for two million items to tell"
    return max(more, fewest), None


def _reading(draft: ThresholdDraft) -> Reading:
    return Reading(missing=draft.missing, cluster_by=draft.cluster_by, interval=draft.interval)


def decide(
    draft: ThresholdDraft, actual: float | None, ends: Ends | None, n: int, min_n: int
) -> tuple[Decision, str | None]:
    """The decision, and why where there is none. On values as shown, so that nobody sees 0.8 fail against 0.8."""
    if actual is None:
        return "undecided", None
    if n < min_n:
        return "undecided", f"{there_are(n, 'item')}, and {min_n} are the fewest to decide on"
    if draft.bound == "point":
        return ("pass" if _HOLDS[draft.comparison](actual, draft.threshold) else "fail"), None
    if ends is None:
        return "undecided", f"{draft.metric} has no interval here"
    sides = {_HOLDS[draft.comparison](end, draft.threshold) for end in ends}
    if len(sides) == 1:
        return ("pass" if sides.pop() else "fail"), None
    return "undecided", f"the interval, {ends[0]:.3f} to {ends[1]:.3f}, has the bar inside; more items would narrow it"


def _looked_at(summary: ScorerSummary, draft: ThresholdDraft) -> tuple[float | None, Ends | None, str | None]:
    """The metric, and its interval: that of the mean where it has none of its own."""
    around, method = summary.confidence_interval_95, summary.ci_method
    if draft.metric == "ci_low":
        return (None if around is None else around[0]), around, method
    if draft.metric == "pass_at_k" or draft.metric == "pass_pow_k":
        at = str(draft.k)
        curve: dict[str, float] = getattr(summary, draft.metric) or {}
        intervals: dict[str, Ends] = getattr(summary, f"{draft.metric}_ci_95") or {}
        return curve.get(at), intervals.get(at), None
    value: float | None = getattr(summary, draft.metric)
    return value, around, method


def _sequence(call: Call, row: ExperimentTableRow, scorer_name: str) -> Sequence:
    """Items in the order in which they were complete, with an interval that holds at every look."""
    values = aggregates.arrivals(call.db, row.id, scorer_name, trials=row.trials)
    if not values:
        return None, None, None, 0
    interval = sequence_over(values)
    return round_shown(sum(values) / len(values)), shown(interval), interval.method, len(values)


def _why_not_known(summary: ScorerSummary, draft: ThresholdDraft, actual: float | None) -> str | None:
    if actual is not None:
        return None
    if draft.k is not None and summary.pass_at_k:
        most = max(map(int, summary.pass_at_k))
        return f"{draft.metric} is known up to k = {most}, the fewest scored trials that an item has"
    if draft.k is not None and summary.mean is not None:
        return f"{draft.metric} needs more than one trial"
    if draft.sequential and summary.mean is not None:
        return "no item has all of its trials yet"
    if summary.score_count:
        return "there are no numbers"
    words = f"there are no scores of {draft.scorer_name!r}"
    return f"{words}: {counted_reasons(summary.reasons)}" if summary.n_failed else words
