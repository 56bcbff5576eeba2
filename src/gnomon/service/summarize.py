"""An experiment's scores, scorer by scorer: mean with interval, what is missing, and why."""

from collections import Counter
from typing import Any

from gnomon.model.experiment import ScorerSummary, Summary, ThresholdResult
from gnomon.service import experiments
from gnomon.service.call import Call
from gnomon.stats.describe import ScoreSums, round_shown
from gnomon.stats.interval import mean_interval
from gnomon.stats.passk import pass_curves
from gnomon.store import aggregates, datasets, jobs

RUN_FAILED = "the run failed"
NEVER_ASKED = "no score was submitted"


def summary(call: Call, id: str) -> Summary:
    row = experiments.row(call, id)
    gaps = _gaps(call, id)
    pending = jobs.pending_scorers(call.db, id)
    names = sorted({*aggregates.scorer_names(call.db, id), *gaps, *pending})
    dataset = datasets.get(call.db, row.dataset_id)
    return Summary(
        experiment_id=id,
        name=row.name,
        status=row.status,
        run_count=row.run_count,
        failed_run_count=row.failed_run_count,
        dataset_item_count=0 if dataset is None else dataset.item_count,
        trials=row.trials,
        threshold_result=None if row.threshold_result is None else ThresholdResult(**row.threshold_result),
        scores_by_scorer={name: _scorer(call, row, name, gaps.get(name, {}), name in pending) for name in names},
    )


def scorer_summary(call: Call, row: Any, name: str) -> ScorerSummary:
    """One scorer alone."""
    return _scorer(call, row, name, _gaps(call, row.id).get(name, {}), name in jobs.pending_scorers(call.db, row.id))


def _gaps(call: Call, id: str) -> dict[str, Counter[tuple[str, str]]]:
    """Scorer → (state, reason) → runs."""
    found: dict[str, Counter[tuple[str, str]]] = {}
    for scorer, state, reason, runs in aggregates.gaps(call.db, id):
        found.setdefault(scorer, Counter())[state, reason or state] += runs
    return found


def _scorer(call: Call, row: Any, name: str, gaps: dict[tuple[str, str], int], pending: bool) -> ScorerSummary:
    repeated = name in (row.repeated_scorers or ())
    found = aggregates.totals(call.db, row.id, name, trials=row.trials, repeated=repeated)
    numbers = found.sums["scores"] if found.sums else 0
    labels = aggregates.labels(call.db, row.id, name) if found.score_count > numbers else {}
    curves = pass_curves(found.passes) if found.passes else None
    return ScorerSummary(
        scorer_name=name,
        scored_run_count=found.scored_runs,
        score_count=found.score_count,
        **_numbers(found.sums),
        distribution=labels or None,
        mixed=bool(found.sums and labels),
        **_missing(call, row, name, found.scored_runs, gaps, pending),
        pass_at_k=None if curves is None else {str(k): round_shown(value) for k, value in curves.pass_at_k.items()},
        pass_pow_k=None if curves is None else {str(k): round_shown(value) for k, value in curves.pass_pow_k.items()},
    )


def _numbers(found: dict[str, Any] | None) -> dict[str, Any]:
    if found is None:
        nothing = ("mean", "min", "max", "standard_deviation", "standard_error", "confidence_interval_95", "ci_method")
        return {**dict.fromkeys(nothing), "clusters": None, "flags": []}
    sums = ScoreSums(**found)
    interval = mean_interval(sums)
    return {
        "mean": round_shown(sums.mean),
        "min": round_shown(sums.minimum),
        "max": round_shown(sums.maximum),
        "standard_deviation": round_shown(sums.standard_deviation),
        "standard_error": round_shown(sums.standard_error),
        "confidence_interval_95": (round_shown(interval.low), round_shown(interval.high)),
        "ci_method": interval.method,
        "clusters": sums.clusters if sums.clusters < sums.scores else None,
        "flags": list(interval.flags),
    }


def _missing(
    call: Call, row: Any, name: str, scored: int, gaps: dict[tuple[str, str], int], pending: bool
) -> dict[str, Any]:
    """Every run is scored, absent, failed or pending; the reasons are counted."""
    failed = row.failed_run_count - (aggregates.scored_failures(call.db, row.id, name) if row.failed_run_count else 0)
    reasons: Counter[str] = Counter({RUN_FAILED: failed} if failed else {})
    states: Counter[str] = Counter(failed=failed)
    for (state, reason), runs in gaps.items():
        states["failed" if state == "failed" else "absent"] += runs
        reasons[reason] += runs
    rest = row.run_count - scored - states["failed"] - states["absent"]
    if rest > 0 and not pending:
        states["absent"] += rest
        reasons[NEVER_ASKED] += rest
    return {
        "n_total": row.run_count,
        "n_scored": scored,
        "n_absent": states["absent"],
        "n_failed": states["failed"],
        "n_pending": rest if pending else 0,
        "reasons": dict(reasons),
    }
