"""A bar to clear: one metric of one scorer against a threshold."""

import operator
from collections.abc import Callable

from gnomon.errors import Refused
from gnomon.model.experiment import Comparison, ScorerSummary, ThresholdDraft, ThresholdResult
from gnomon.service import experiments
from gnomon.service.call import Call
from gnomon.service.summarize import scorer_summary
from gnomon.stats.describe import round_shown
from gnomon.store import experiments as store

_HOLDS: dict[Comparison, Callable[[float, float], bool]] = {
    "gte": operator.ge,
    "gt": operator.gt,
    "lte": operator.le,
    "lt": operator.lt,
}


def check(call: Call, id: str, wanted: ThresholdDraft) -> ThresholdResult:
    """Evaluate and remember. It changes no status."""
    row = experiments.row(call, id, lock=True)
    found = scorer_summary(call, row, wanted.scorer_name)
    if found.mean is None and found.distribution:
        raise Refused(
            f"{wanted.scorer_name!r} gives labels; a threshold needs numbers", code="UNSUPPORTED_THRESHOLD_TYPE"
        )
    actual = _actual(found, wanted)
    result = ThresholdResult(
        # Decided on the value that is shown, so that nobody sees 0.8 fail against 0.8.
        passed=actual is not None and _HOLDS[wanted.comparison](actual, wanted.threshold),
        actual_value=actual,
        threshold=wanted.threshold,
        scorer_name=wanted.scorer_name,
        metric=wanted.metric,
        comparison=wanted.comparison,
        k=wanted.k,
        gap=None if actual is None else round_shown(actual - wanted.threshold),
        confidence_interval_95=found.confidence_interval_95,
    )
    store.change(call.db, id, threshold_result=result.model_dump(mode="json"))
    return result


def _actual(found: ScorerSummary, wanted: ThresholdDraft) -> float | None:
    if wanted.metric == "ci_low":
        return None if found.confidence_interval_95 is None else found.confidence_interval_95[0]
    if wanted.metric in ("pass_at_k", "pass_pow_k"):
        curve: dict[str, float] | None = getattr(found, wanted.metric)
        return (curve or {}).get(str(wanted.k))
    value: float | None = getattr(found, wanted.metric)
    return value
