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
from gnomon.service import experiments
from gnomon.service.aggregate import shown
from gnomon.service.call import Call, Listing, listing
from gnomon.service.summarize import Reading, scorer_summary
from gnomon.stats.describe import round_shown
from gnomon.stats.forecast import items_to_decide
from gnomon.stats.sequence import sequence_over
from gnomon.store import aggregates
from gnomon.store import experiments as store
from gnomon.store.pages import Slice
from gnomon.store.rows import ExperimentRow, ThresholdResultRow

_HOLDS: dict[Comparison, Callable[[float, float], bool]] = {
    "gte": operator.ge,
    "gt": operator.gt,
    "lte": operator.le,
    "lt": operator.lt,
}
_MIN_N: dict[Bound, int] = {"point": 1, "ci": 5}
Ends = tuple[float, float]


def check(call: Call, id: str, wanted: ThresholdDraft) -> ThresholdResult:
    """Evaluate and remember. It changes no status."""
    result = _evaluated(call, experiments.row(call, id, lock=True), wanted)
    kept = result.model_dump(mode="json")
    store.change(call.db, id, threshold_result=kept)
    row = ThresholdResultRow(id=call.clock.new_id(), experiment_id=id, result=kept, created_at=call.clock.now())
    store.add_threshold_result(call.db, row)
    return result


def evaluate(call: Call, id: str, wanted: ThresholdDraft) -> ThresholdResult:
    """Evaluate, and remember nothing."""
    return _evaluated(call, experiments.row(call, id), wanted)


def history(call: Call, id: str, wanted: Slice) -> Listing[ThresholdRecord]:
    """What `check` remembered, newest first."""
    experiments.row(call, id)
    return listing(store.threshold_results_page(call.db, id, wanted), wanted, _record, lambda row: (row.id,))


def _record(row: ThresholdResultRow) -> ThresholdRecord:
    return ThresholdRecord(
        id=row.id, experiment_id=row.experiment_id, evaluated_at=row.created_at, result=ThresholdResult(**row.result)
    )


def _evaluated(call: Call, row: ExperimentRow, wanted: ThresholdDraft) -> ThresholdResult:
    found = scorer_summary(call, row, wanted.scorer_name, _reading(wanted))
    if found.mean is None and found.distribution:
        raise Refused(
            f"{wanted.scorer_name!r} gives labels; a threshold needs numbers", code="UNSUPPORTED_THRESHOLD_TYPE"
        )
    actual, ends, method = _looked_at(found, wanted)
    n = found.clusters or found.n_scored
    if wanted.sequential:
        actual, ends, method, n = _sequence(call, row, wanted.scorer_name)
    min_n = wanted.min_n or _MIN_N[wanted.bound]
    decision, reason = decide(wanted, actual, ends, n, min_n)
    more, why_not = _more_items(found, wanted, decision, ends, n, min_n)
    return ThresholdResult(
        passed=decision == "pass",
        decision=decision,
        reason=reason or _why_not_known(found, wanted, actual),
        actual_value=actual,
        threshold=wanted.threshold,
        scorer_name=wanted.scorer_name,
        metric=wanted.metric,
        comparison=wanted.comparison,
        k=wanted.k,
        bound=wanted.bound,
        sequential=wanted.sequential,
        n=n,
        min_n=min_n,
        gap=None if actual is None else round_shown(actual - wanted.threshold),
        confidence_interval_95=ends,
        ci_method=method,
        missing_policy=wanted.missing,
        flags=found.flags,
        more_items=more,
        more_items_reason=why_not,
    )


def _more_items(
    found: ScorerSummary, wanted: ThresholdDraft, decision: Decision, ends: Ends | None, n: int, min_n: int
) -> tuple[int | None, str | None]:
    """About how many more items would decide it, or why that cannot be said. Nothing of what is decided."""
    if decision != "undecided":
        return None, None
    fewest = max(min_n - n, 0)
    if wanted.bound == "point" or (ends is not None and not ends[0] <= wanted.threshold <= ends[1]):
        return (fewest, None) if fewest else (None, "there is no value yet")
    if ends is None or found.mean is None:
        return None, "there is no interval yet"
    if wanted.metric != "mean":
        return None, f"there is no forecast for {wanted.metric}"
    if wanted.sequential or found.ci_method == "betting_mixture":
        return None, "an interval that holds at every look has no forecast; look again after more items"
    if wanted.missing == "bracket" and found.n_scored < found.n_total:
        return None, "the missing scores keep it open, however many items there are; score them"
    more = items_to_decide(found.mean, found.standard_error, n, wanted.threshold)
    if more is None:
        return None, "the mean is on the bar, or too near to it for two million items to tell"
    return max(more, fewest), None


def _reading(wanted: ThresholdDraft) -> Reading:
    return Reading(missing=wanted.missing, cluster_by=wanted.cluster_by, interval=wanted.interval)


def decide(
    wanted: ThresholdDraft, actual: float | None, ends: Ends | None, n: int, min_n: int
) -> tuple[Decision, str | None]:
    """The decision, and why where there is none. On values as shown, so that nobody sees 0.8 fail against 0.8."""
    if actual is None:
        return "undecided", None
    if n < min_n:
        return "undecided", f"there are {n} items, and {min_n} are the fewest to decide on"
    if wanted.bound == "point":
        return ("pass" if _HOLDS[wanted.comparison](actual, wanted.threshold) else "fail"), None
    if ends is None:
        return "undecided", f"{wanted.metric} has no interval here"
    sides = {_HOLDS[wanted.comparison](end, wanted.threshold) for end in ends}
    if len(sides) == 1:
        return ("pass" if sides.pop() else "fail"), None
    return "undecided", f"the interval, {ends[0]:.3f} to {ends[1]:.3f}, has the bar inside; more items would narrow it"


def _looked_at(found: ScorerSummary, wanted: ThresholdDraft) -> tuple[float | None, Ends | None, str | None]:
    """The metric, and its interval: that of the mean where it has none of its own."""
    around, method = found.confidence_interval_95, found.ci_method
    if wanted.metric == "ci_low":
        return (None if around is None else around[0]), around, method
    if wanted.metric == "pass_at_k" or wanted.metric == "pass_pow_k":
        at = str(wanted.k)
        curve: dict[str, float] = getattr(found, wanted.metric) or {}
        intervals: dict[str, Ends] = getattr(found, f"{wanted.metric}_ci_95") or {}
        return curve.get(at), intervals.get(at), None
    value: float | None = getattr(found, wanted.metric)
    return value, around, method


def _sequence(call: Call, row: ExperimentRow, scorer_name: str) -> tuple[float | None, Ends | None, str | None, int]:
    """Items in the order in which they were complete, with an interval that holds at every look."""
    values = aggregates.arrivals(call.db, row.id, scorer_name, trials=row.trials)
    if not values:
        return None, None, None, 0
    interval = sequence_over(values)
    return round_shown(sum(values) / len(values)), shown(interval), interval.method, len(values)


def _why_not_known(found: ScorerSummary, wanted: ThresholdDraft, actual: float | None) -> str | None:
    if actual is not None:
        return None
    if wanted.k is not None and found.pass_at_k:
        most = max(map(int, found.pass_at_k))
        return f"{wanted.metric} is known up to k = {most}, the fewest scored trials that an item has"
    if wanted.k is not None and found.mean is not None:
        return f"{wanted.metric} needs more than one trial"
    if wanted.sequential and found.mean is not None:
        return "no item has all of its trials yet"
    return f"there are no scores of {wanted.scorer_name!r}" if not found.score_count else "there are no numbers"
