"""Stored iterations together: what there is to choose from, one group's scores and gates, and two groups compared.

Everything is about scores on iterations, whoever made them: derived ones (`outcome`, `outcome.SIGNAL`), people's and
judges'. Numbers of two rubric versions are never mixed, and provisional iterations are in no mean. Sessions or tasks
are what varies: iterations of one of them stand together.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gnomon.model.experiment import ScorerSummary, ThresholdDraft, ThresholdResult
from gnomon.model.iterationgroups import (
    NO_RULES_FILE,
    ClusterBy,
    GroupComparison,
    IterationComparison,
    IterationFacets,
    IterationOptions,
    IterationSummary,
)
from gnomon.model.outcome import DEFAULT_PROFILE
from gnomon.model.traceviews import FacetValue
from gnomon.service.analysis import gate
from gnomon.service.analysis.aggregate import label_shares, numbers
from gnomon.service.analysis.summarize import PLAIN, Reading
from gnomon.service.call import Call, project_in_scope
from gnomon.service.outcome.grouping import GroupScores, Question, cluster_of, compare_groups
from gnomon.service.scoring.standing import NEVER_ASKED
from gnomon.shorten import counted
from gnomon.stats.describe import NO_SCORES, ItemSums, ScoreSums
from gnomon.store import iterations as store
from gnomon.store.iterations import Filter, IterationInGroup

MOST_VALUES = 1_000
"""Of one kind, among the facets."""
_COLUMNS = {"sources": "source", "rubric_versions": "rubric_version", "sessions": "session_id", "agents": "agent",
            "models": "model", "bands": "band"}  # fmt: skip


def chosen(options: IterationOptions) -> Filter:
    return Filter(**{name: getattr(options, name) for name in IterationOptions.model_fields})


def facets(call: Call, project_id: str | None, only: Filter) -> IterationFacets:
    project_id = project_in_scope(call.principal, project_id)
    counts = {
        name: [
            FacetValue(value=row.value, count=row.iterations)
            for row in store.facet(call.db, project_id, only, column, MOST_VALUES)
        ]
        for name, column in _COLUMNS.items()
    }
    return IterationFacets(
        total=store.count(call.db, project_id, only),
        provisional_count=store.count(call.db, project_id, replace(only, provisional=True))
        if only.provisional is not False else 0,
        labels=_listed_facet(call, project_id, only, "labels"),
        rules_files=_listed_facet(call, project_id, only, "rules_files"),
        **counts,
    )  # fmt: skip


def _listed_facet(call: Call, project_id: str, only: Filter, column: str) -> list[FacetValue]:
    """How many iterations have each name of a column that holds lists."""
    counts: Counter[str] = Counter()
    for together, count in store.name_sets(call.db, project_id, only, column):
        counts.update(dict.fromkeys(together or ([NO_RULES_FILE] if column == "rules_files" else []), count))
    return [FacetValue(value=name, count=count) for name, count in list(counts.items())[:MOST_VALUES]]


def of_one_rubric(call: Call, project_id: str, only: Filter) -> tuple[Filter, list[str]]:
    """The filter with a rubric version, and all versions that there are, the last pushed first.

    Unless one is named it is the last pushed one of the default profile, else the last pushed one.
    """
    stored = store.rubrics(call.db, project_id, replace(only, rubric_version=None))
    versions = list(dict.fromkeys(row.rubric_version for row in stored))
    if only.rubric_version is not None:
        return only, versions
    of_default = [row.rubric_version for row in stored if row.profile == DEFAULT_PROFILE]
    chosen = next(iter([*of_default, *versions]), None)
    return replace(only, rubric_version=chosen), versions


# --- one group -----


def summary(
    call: Call, project_id: str | None, only: Filter, cluster_by: ClusterBy = "session", reading: Reading = PLAIN
) -> IterationSummary:
    project_id = project_in_scope(call.principal, project_id)
    only, versions = of_one_rubric(call, project_id, only)
    rows = store.for_groups(call.db, project_id, only)
    firm = [row for row in rows if not row.provisional]
    scores = _Scores.of(call, project_id, only, None, firm, cluster_by)
    return IterationSummary(
        project_id=project_id, rubric_version=only.rubric_version if rows else None, rubric_versions=versions,
        cluster_by=cluster_by, n_iterations=len(firm), n_provisional=len(rows) - len(firm),
        scores_by_scorer={name: scores.summary(name, reading) for name in scores.names},
    )  # fmt: skip


def threshold(
    call: Call, project_id: str | None, only: Filter, wanted: ThresholdDraft, cluster_by: ClusterBy = "session"
) -> ThresholdResult:
    """One bar for one scorer of a group of iterations. Nothing is remembered."""
    project_id = project_in_scope(call.principal, project_id)
    only, _ = of_one_rubric(call, project_id, only)
    rows = store.for_groups(call.db, project_id, only)
    firm = [row for row in rows if not row.provisional]
    scores = _Scores.of(call, project_id, only, [wanted.scorer_name], firm, cluster_by)
    reading = Reading(missing=wanted.missing, interval=wanted.interval)
    result = gate.decided(scores.summary(wanted.scorer_name, reading), wanted)
    if result.actual_value is not None or len(firm) == len(rows):
        return result
    left_out = counted(len(rows) - len(firm), "provisional iteration")
    return result.model_copy(update={"reason": f"{result.reason}; {left_out} left out, as in every mean"})


@dataclass(frozen=True)
class _Scores(GroupScores):
    """All that scorers say of some iterations: numbers, labels, and why there is neither."""

    labels: Mapping[str, Sequence[tuple[str, str, int]]]
    """Scorer → iteration, label, how often"""
    reasons: Mapping[str, Mapping[str, tuple[str, str]]]
    """Scorer → iteration → the state and the reason, for those without a score"""

    @classmethod
    def of(
        cls, call: Call, project_id: str, only: Filter, scorer_names: Collection[str] | None,
        rows: Sequence[IterationInGroup], cluster_by: ClusterBy,
    ) -> "_Scores":  # fmt: skip
        clusters = {row.id: cluster_of(row, cluster_by) for row in rows}
        values: dict[str, dict[str, float]] = {}
        for mean in store.means(call.db, project_id, only, scorer_names):
            if mean.id in clusters:
                values.setdefault(mean.scorer_name, {})[mean.id] = mean.value
        labels: dict[str, list[tuple[str, str, int]]] = {}
        for id, name, label, count in store.labels_given(call.db, project_id, only, scorer_names):
            if id in clusters:
                labels.setdefault(name, []).append((id, label, count))
        reasons: dict[str, dict[str, tuple[str, str]]] = {}
        for id, name, state, reason in store.unscored(call.db, project_id, only, scorer_names):
            if id in clusters:
                reasons.setdefault(name, {})[id] = (state, reason or state)
        return cls(clusters, values, labels, reasons)

    @cached_property
    def names(self) -> list[str]:
        return sorted({*self.values, *self.labels, *self.reasons})

    def summary(self, name: str, reading: Reading) -> ScorerSummary:
        """Summarise a group like an experiment's scorers, with iterations for runs and clusters for items."""
        values, labels = self.values.get(name, {}), self.labels.get(name, [])
        scored = {*values, *(id for id, _, _ in labels)}
        missing = self._missing(name, scored)
        distribution: Counter[str] = Counter()
        for _, label, count in labels:
            distribution[label] += count
        sums = ScoreSums.of_clusters(list(self.clustered(name, values).values())) if values else None
        lacking = 0 if labels and not values else len(self.clusters) - len(values)
        return ScorerSummary(
            scorer_name=name, scored_run_count=len(scored), score_count=len(values) + distribution.total(),
            mixed=bool(values and labels),
            **numbers(sums, lambda: self._rows(name), lacking, reading.missing, reading.interval),
            distribution=dict(distribution) or None,
            label_shares=label_shares(
                distribution, [(str(self.clusters[id]), label, count) for id, label, count in labels]
            ),
            n_total=len(self.clusters), n_scored=len(scored), **_counted(missing),
        )  # fmt: skip

    def _missing(self, name: str, scored: Collection[str]) -> Counter[tuple[str, str]]:
        """Why iterations have no score: state and reason → how many."""
        known = self.reasons.get(name, {})
        return Counter(known.get(id, ("absent", NEVER_ASKED)) for id in self.clusters if id not in scored)

    def _rows(self, name: str) -> list[tuple[ItemSums, int]]:
        """Each cluster's numbers, and how many of its iterations have none."""
        by_cluster = self.clustered(name, self.clusters)
        sizes = Counter(self.clusters.values())
        return [
            (ItemSums.of(by_cluster[key]) if key in by_cluster else NO_SCORES, size - len(by_cluster.get(key, ())))
            for key, size in sizes.items()
        ]


def _counted(missing: Counter[tuple[str, str]]) -> dict[str, Any]:
    """Counts and reasons as an aggregate has them."""
    states = {"n_failed": {"failed"}, "n_pending": {"queued", "running"}}
    counts = {name: sum(n for (state, _), n in missing.items() if state in own) for name, own in states.items()}
    reasons: Counter[str] = Counter()
    for (state, reason), n in missing.items():
        if state not in states["n_pending"]:
            reasons[reason] += n
    return {**counts, "n_absent": missing.total() - sum(counts.values()), "reasons": dict(reasons)}


# --- two groups -----


@dataclass(frozen=True, slots=True)
class _Stored:
    """The numbers and facts of stored iterations."""

    call: Call
    project_id: str
    only: Filter

    def scores(
        self, scorer_names: Collection[str] | None, rows: Sequence[IterationInGroup], cluster_by: ClusterBy
    ) -> GroupScores:
        return _Scores.of(self.call, self.project_id, self.only, scorer_names, rows, cluster_by)

    def facts(self) -> Mapping[str, frozenset[str]]:
        rows = store.breakdowns(self.call.db, self.project_id, self.only)
        return {id: _facts(breakdown) for id, breakdown in rows.items()}


def _facts(breakdown: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(row["signal"] for row in breakdown if row["present"] and not row.get("self_reported"))


def compare(call: Call, project_id: str | None, only: Filter, question: Question) -> IterationComparison:
    project_id = project_in_scope(call.principal, project_id)
    filters, versions = of_one_rubric(call, project_id, only)
    if question.by == "rubric":
        filters = only
    rows = store.for_groups(call.db, project_id, filters)
    comparison = compare_groups(question, rows, _Stored(call, project_id, filters), filters.rubric_version, versions)
    return IterationComparison(
        project_id=project_id, **{name: getattr(comparison, name) for name in GroupComparison.model_fields}
    )
