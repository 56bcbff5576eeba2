"""An experiment's scores, scorer by scorer: mean with interval, what is missing, and why."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from gnomon.errors import InvalidInput
from gnomon.model.aggregate import IntervalMethod, MissingPolicy
from gnomon.model.experiment import ExperimentCost, RunStanding, ScorerSummary, Summary, ThresholdResult
from gnomon.model.jsonvalue import canonical
from gnomon.model.nearest import did_you_mean
from gnomon.model.score import JsonObject
from gnomon.model.stopping import Stopping
from gnomon.service.analysis.aggregate import curves, label_shares, numbers
from gnomon.service.call import Call
from gnomon.service.experiments import experiments
from gnomon.service.judges import cards
from gnomon.service.scoring import standing
from gnomon.stats.describe import NO_SCORES, ItemSums, ScoreSums
from gnomon.stats.ends import MeanMethod
from gnomon.store import aggregates, datasets
from gnomon.store.rows import ExperimentTableRow
from gnomon.store.spanstore import RunCosts


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read what is there: what to do about missing scores, from which score on a run passed, which items
    belong together (a key of their metadata: conversation, repository, document), and by which method intervals
    are made, if not by the default."""

    missing: MissingPolicy = "drop"
    pass_threshold: float = 1.0
    cluster_by: str | None = None
    interval: IntervalMethod | None = None


PLAIN = Reading()


def summary(call: Call, id: str, reading: Reading = PLAIN) -> Summary:
    row = experiments.row(call, id)
    gaps = standing.gaps(call, [id])[id]
    pending = standing.pending_names(call, [id])[id]
    names = sorted({*aggregates.scorer_names(call.db, id), *gaps, *pending})
    dataset = datasets.get(call.db, row.dataset_id)
    clusters = _clusters(call, row, reading.cluster_by)
    return Summary(
        experiment_id=id,
        name=row.name,
        status=row.status,
        dataset_id=row.dataset_id,
        dataset_version=row.dataset_version,
        created_at=row.created_at,
        completed_at=row.completed_at,
        metadata=row.metadata,
        run_count=row.run_count,
        failed_run_count=row.failed_run_count,
        dataset_item_count=0 if dataset is None else dataset.item_count,
        expected_item_count=row.expected_run_count // row.trials,
        expected_run_count=row.expected_run_count,
        trials=row.trials,
        missing_policy=reading.missing,
        pass_threshold=reading.pass_threshold,
        cluster_by=reading.cluster_by,
        threshold_result=last_gate(row.threshold_result),
        stopping=experiments.stopping(row),
        metrics=experiments.metrics(row),
        cost=cost(call.spans.costs_of_runs(call.db, row.project_id, [id]).get(id)),
        scores_by_scorer={
            name: _scorer(call, row, name, gaps.get(name, {}), name in pending, reading, clusters) for name in names
        },
    )


def cost(costs: RunCosts | None) -> ExperimentCost | None:
    if costs is None or (costs.known_usd is None and not costs.unpriced):
        return None
    return ExperimentCost(
        usd=None if costs.unpriced else costs.known_usd, known_usd=costs.known_usd or 0.0,
        unpriced_span_count=costs.unpriced, traced_run_count=costs.traced,
    )  # fmt: skip


def scorer_summary(call: Call, row: ExperimentTableRow, name: str, reading: Reading = PLAIN) -> ScorerSummary:
    """One scorer alone."""
    pending = name in standing.pending_names(call, [row.id])[row.id]
    clusters = _clusters(call, row, reading.cluster_by)
    return _scorer(call, row, name, standing.gaps(call, [row.id])[row.id].get(name, {}), pending, reading, clusters)


Clusters = Mapping[str, str]
"""Item → what it belongs to."""


def _clusters(call: Call, row: ExperimentTableRow, key: str | None) -> Clusters | None:
    """Clusters by a key of the items' metadata. An item without the key is its own cluster."""
    if key is None:
        return None
    if row.stopping is not None:
        words = "this experiment could stop early, so its items count one by one as they came; leave `cluster_by` out"
        raise InvalidInput.of("cluster_by", words)
    of_items = datasets.metadata(call.db, row.dataset_id)
    named = {
        item: f"{key}={canonical(metadata[key])}"
        for item, metadata in of_items.items()
        if metadata.get(key) is not None
    }
    if not named:
        known = {known_key for metadata in of_items.values() for known_key in metadata}
        near = did_you_mean(key, known, "name a key that says what belongs together")
        raise InvalidInput.of("cluster_by", f"no item of this dataset has {key!r} in its metadata; {near}")
    return named


def _items(
    call: Call, row: ExperimentTableRow, name: str, with_gaps: bool, clusters: Clusters | None
) -> list[tuple[ItemSums, int]]:
    """Each item's (or cluster's) numbers, and how many of its runs have no score of this scorer."""
    sums_by_item = aggregates.item_sums(call.db, row.id, name)
    gaps = aggregates.item_gaps(call.db, row.id, name) if with_gaps else {}
    rows = [
        (item, sums_by_item.get(item, NO_SCORES), gaps.get(item, 0))
        for item in sorted(sums_by_item.keys() | gaps.keys())
    ]
    if clusters is None:
        return [(sums, gap) for _, sums, gap in rows]
    together: dict[str, tuple[ItemSums, int]] = {}
    for item, sums, gap in rows:
        before, missing = together.get(clusters.get(item, item), (NO_SCORES, 0))
        together[clusters.get(item, item)] = (before.and_also(sums), missing + gap)
    return list(together.values())


def last_gate(stored: JsonObject | None) -> ThresholdResult | None:
    if stored is None:
        return None
    # Results that were stored before a gate could be undecided have no decision of their own.
    return ThresholdResult(**{"decision": "pass" if stored["passed"] else "fail", **stored})


def _scorer(
    call: Call, row: ExperimentTableRow, name: str, gaps: standing.Gaps, pending: bool, reading: Reading,
    clusters: Clusters | None,
) -> ScorerSummary:  # fmt: skip
    repeated, policy, bar = name in (row.repeated_scorers or ()), reading.missing, reading.pass_threshold
    totals = aggregates.totals(call.db, row.id, name, trials=row.trials, repeated=repeated, bar=bar)
    several = row.trials > 1 or repeated
    numeric = totals.sums.scores if totals.sums else 0
    labels = aggregates.labels(call.db, row.id, name) if totals.score_count > numeric else {}
    stopped = experiments.stopping(row)
    by_item = aggregates.item_labels(call.db, row.id, name) if labels and (several or clusters or stopped) else None
    if clusters and by_item:
        by_item = [(clusters.get(item, item), label, count) for item, label, count in by_item]
    sums = totals.sums
    if clusters and sums:
        sums = ScoreSums.of_items(sums for sums, _ in _items(call, row, name, False, clusters))
    missing = row.run_count - totals.scored_runs
    filled = policy == "zero" and missing > 0 and not labels and row.trials > 1
    passes = aggregates.passes_of_all(call.db, row.id, name, bar) if filled else totals.passes
    method: MeanMethod | None = "betting_mixture" if stopped else reading.interval
    summary = ScorerSummary(
        scorer_name=name,
        scored_run_count=totals.scored_runs,
        score_count=totals.score_count,
        mixed=bool(totals.sums and labels),
        **numbers(
            sums,
            lambda: _items(call, row, name, policy != "drop", clusters),
            # A scorer that only gives labels is not missing numbers.
            0 if labels and not totals.sums else missing,
            policy,
            method,
        ),
        distribution=labels or None,
        label_shares=label_shares(labels, by_item, method if stopped else None),
        judge=cards.brief(call, row.id, name, totals.score_count),
        **standing.shown(row, _standings(call, row, name, totals.scored_runs, gaps, pending)),
        **curves(passes, method),
    )
    return summary if stopped is None else _under_stopping(summary, stopped, reading)


def _under_stopping(summary: ScorerSummary, stopping: Stopping, reading: Reading) -> ScorerSummary:
    """Say that the intervals are those that hold at every look, whatever was asked for."""
    flags = [*summary.flags, stopping.flag, *(["other_method"] if reading.interval is not None else [])]
    return summary.model_copy(update={"flags": flags})


def _standings(
    call: Call, row: ExperimentTableRow, name: str, scored: int, gaps: standing.Gaps, pending: bool
) -> Counter[tuple[RunStanding, str | None]]:
    failures = aggregates.scored_failures(call.db, row.id, name) if row.failed_run_count else 0
    return standing.counted(row, scored, failures, gaps, is_pending=pending)


def standings(call: Call, row: ExperimentTableRow, name: str) -> Counter[tuple[RunStanding, str | None]]:
    """How many runs are scored, absent, failed and pending, each with the reason."""
    repeated = name in (row.repeated_scorers or ())
    scored = aggregates.totals(call.db, row.id, name, trials=row.trials, repeated=repeated, bar=1.0).scored_runs
    gaps, pending = standing.gaps(call, [row.id])[row.id], standing.pending_names(call, [row.id])[row.id]
    return _standings(call, row, name, scored, gaps.get(name, {}), name in pending)
