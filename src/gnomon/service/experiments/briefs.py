"""Experiments as rows of a list with their scorers' means: a fixed number of statements per page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from gnomon.model.experimentrow import ExperimentBrief, ExperimentRow, ScorerBrief, TopLabel
from gnomon.service.analysis.aggregate import label_shares, numbers
from gnomon.service.analysis.summarize import cost, last_gate
from gnomon.service.call import Call, Listing
from gnomon.service.experiments import experiments
from gnomon.service.scoring import standing
from gnomon.stats.describe import ItemSums
from gnomon.stats.ends import MeanMethod
from gnomon.store import briefs as store
from gnomon.store.pages import Slice
from gnomon.store.rows import ExperimentTableRow as StoredExperiment
from gnomon.store.spanstore import RunCosts


def rows(call: Call, project_id: str | None, page: Slice, only: experiments.ExperimentFilter) -> Listing[ExperimentRow]:
    listing = experiments.rows(call, project_id, page, only)
    read = _PageScores.of(call, listing.items) if listing.items else None
    experiment_rows = [
        ExperimentRow(**dict(experiments.noun(row)), summary=None if read is None else read.brief(row))
        for row in listing.items
    ]
    return Listing(experiment_rows, listing.next_key)


@dataclass(frozen=True, slots=True)
class _PageScores:
    """What is stored about the scores of the experiments of one page."""

    totals: Mapping[store.ScorerKey, store.Counted]
    labels: Mapping[store.ScorerKey, Mapping[str, int]]
    item_labels: Mapping[store.ScorerKey, Sequence[tuple[str, str, int]]]
    item_sums: Callable[[], Mapping[store.ScorerKey, Sequence[ItemSums]]]
    """Of the experiments that could stop early."""
    failures: Mapping[store.ScorerKey, int]
    gaps: Mapping[str, Mapping[str, standing.Gaps]]
    pending: Mapping[str, set[str]]
    costs: Mapping[str, RunCosts]

    @classmethod
    def of(cls, call: Call, page: Sequence[StoredExperiment]) -> "_PageScores":
        ids = [row.id for row in page]
        repeated = {(row.id, name) for row in page for name in row.repeated_scorers or ()}
        singles = {row.id for row in page if row.trials == 1}
        totals = store.totals(call.db, singles, set(ids) - singles, repeated)
        labelled = {key[0] for key, counts in totals.items() if counts.score_count > _numbers(counts)}
        together = {row.id for row in page if row.trials > 1 or row.repeated_scorers or row.stopping is not None}
        stopped = [row.id for row in page if row.stopping is not None]
        return cls(
            totals,
            store.labels(call.db, labelled),
            store.item_labels(call.db, labelled & together),
            cache(lambda: store.item_sums(call.db, stopped)),
            store.scored_failures(call.db, {row.id for row in page if row.failed_run_count}),
            standing.gaps(call, ids),
            standing.pending_names(call, ids),
            call.spans.costs_of_runs(call.db, page[0].project_id, ids),
        )

    def brief(self, row: StoredExperiment) -> ExperimentBrief:
        scored = {name for id, name in self.totals if id == row.id}
        names = sorted({*scored, *self.gaps[row.id], *self.pending[row.id]})
        return ExperimentBrief(
            run_count=row.run_count,
            expected_run_count=row.expected_run_count,
            failed_run_count=row.failed_run_count,
            scorers=[self._scorer(row, name) for name in names],
            threshold_result=last_gate(row.threshold_result),
            cost=cost(self.costs.get(row.id)),
        )

    def _scorer(self, row: StoredExperiment, name: str) -> ScorerBrief:
        key = (row.id, name)
        totals = self.totals.get(key, store.Counted(0, 0, None))
        labels = self.labels.get(key, {})
        stopped = experiments.stopping(row)
        method: MeanMethod | None = "betting_mixture" if stopped else None
        missing = 0 if labels and not totals.sums else row.run_count - totals.scored_runs
        figures: dict[str, Any] = numbers(
            totals.sums, lambda: [(sums, 0) for sums in self.item_sums()[key]], missing, "drop", method
        )
        several = row.trials > 1 or name in (row.repeated_scorers or ())
        counts = standing.counted(
            row, totals.scored_runs, self.failures.get(key, 0), self.gaps[row.id].get(name, {}),
            is_pending=name in self.pending[row.id],
        )  # fmt: skip
        return ScorerBrief(
            scorer_name=name,
            kind="numeric" if totals.sums else "categorical" if labels else None,
            mean=figures["mean"],
            confidence_interval_95=figures["confidence_interval_95"],
            ci_method=figures["ci_method"],
            flags=[*figures["flags"], *([stopped.flag] if stopped else [])],
            top_label=_top(labels, self.item_labels.get(key) if several or stopped else None, method),
            **standing.shown(row, counts),
        )


def _numbers(counts: store.Counted) -> int:
    return counts.sums.scores if counts.sums else 0


def _top(
    labels: Mapping[str, int], by_item: Sequence[tuple[str, str, int]] | None, method: MeanMethod | None
) -> TopLabel | None:
    if not labels:
        return None
    top = min(labels, key=lambda label: (-labels[label], label))
    shares = label_shares(labels, by_item, method, only=top) or {}
    return TopLabel(label=top, **shares[top].model_dump())
