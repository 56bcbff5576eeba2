"""Iterations together: what there is to choose from, one group's scores and gates, and two groups compared.

Everything is about scores on iterations, whoever made them: derived ones (`outcome`, `outcome.SIGNAL`), people's and
judges'. Numbers of two rubric versions are never mixed, and provisional iterations are in no mean. Sessions or tasks
are what varies: iterations of one of them stand together.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any

from gnomon.errors import InvalidInput, NotFound, Refused
from gnomon.model.experiment import ScorerSummary, ThresholdDraft, ThresholdResult
from gnomon.model.iterationgroups import (
    ClusterBy,
    GroupBy,
    GroupMean,
    GroupScorerComparison,
    IterationComparison,
    IterationFacets,
    IterationGroup,
    IterationOptions,
    IterationSummary,
)
from gnomon.model.outcome import DEFAULT_PROFILE
from gnomon.model.traceviews import FacetValue
from gnomon.service.analysis import gate
from gnomon.service.analysis.aggregate import label_shares, numbers, shown
from gnomon.service.analysis.compare import words
from gnomon.service.analysis.summarize import PLAIN, Reading
from gnomon.service.call import Call, project_in_scope
from gnomon.service.judges.calibration import listed
from gnomon.service.outcome.iterationscores import SCORER
from gnomon.service.scoring.standing import NEVER_ASKED
from gnomon.shorten import counted
from gnomon.stats.describe import NO_SCORES, ItemSums, ScoreSums, round_shown
from gnomon.stats.interval import mean_interval
from gnomon.stats.paired import evidence_of_regression, holm, verdict
from gnomon.stats.unpaired import UnpairedDifference, more_clusters, unpaired_difference
from gnomon.store import iterations as store
from gnomon.store.iterations import Filter, IterationInGroup

MOST_VALUES = 1_000
"""Of one kind, among the facets."""
_COLUMNS = {"sources": "source", "rubric_versions": "rubric_version", "sessions": "session_id", "agents": "agent",
            "models": "model", "bands": "band"}  # fmt: skip


def chosen(options: IterationOptions) -> Filter:
    return Filter(**{name: getattr(options, name) for name in IterationOptions.model_fields})


def facets(call: Call, project_id: str | None, only: Filter) -> IterationFacets:
    project_id = project_in_scope(call.who, project_id)
    found = {
        name: [
            FacetValue(value=row.value, count=row.iterations)
            for row in store.facet(call.db, project_id, only, column, MOST_VALUES)
        ]
        for name, column in _COLUMNS.items()
    }
    labels: Counter[str] = Counter()
    for together, count in store.label_sets(call.db, project_id, only):
        labels.update(dict.fromkeys(together, count))
    return IterationFacets(
        total=store.count(call.db, project_id, only),
        provisional_count=store.count(call.db, project_id, replace(only, provisional=True))
        if only.provisional is not False else 0,
        labels=[FacetValue(value=name, count=count) for name, count in list(labels.items())[:MOST_VALUES]],
        **found,
    )  # fmt: skip


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
    project_id = project_in_scope(call.who, project_id)
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
    project_id = project_in_scope(call.who, project_id)
    only, _ = of_one_rubric(call, project_id, only)
    firm = [row for row in store.for_groups(call.db, project_id, only) if not row.provisional]
    scores = _Scores.of(call, project_id, only, [wanted.scorer_name], firm, cluster_by)
    reading = Reading(missing=wanted.missing, interval=wanted.interval)
    return gate.decided(scores.summary(wanted.scorer_name, reading), wanted)


@dataclass(frozen=True)
class _Scores:
    """The scores of some iterations, by scorer, with the cluster that each iteration is in."""

    clusters: Mapping[str, object]
    """Iteration → its cluster"""
    values: Mapping[str, Mapping[str, float]]
    """Scorer → iteration → the mean of its numbers"""
    labels: Mapping[str, Sequence[tuple[str, str, int]]]
    """Scorer → iteration, label, how often"""
    reasons: Mapping[str, Mapping[str, tuple[str, str]]]
    """Scorer → iteration → the state and the reason, for those without a score"""

    @classmethod
    def of(
        cls, call: Call, project_id: str, only: Filter, scorer_names: Collection[str] | None,
        rows: Sequence[IterationInGroup], cluster_by: ClusterBy,
    ) -> "_Scores":  # fmt: skip
        clusters = {row.id: _cluster(row, cluster_by) for row in rows}
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

    def clustered(self, name: str, ids: Collection[str]) -> dict[object, list[float]]:
        """The numbers of these iterations, those of one cluster together."""
        found: dict[object, list[float]] = {}
        for id, value in self.values.get(name, {}).items():
            if id in ids:
                found.setdefault(self.clusters[id], []).append(value)
        return found

    def summary(self, name: str, reading: Reading) -> ScorerSummary:
        """As an experiment's scorers are summarised, with iterations for runs and clusters for items."""
        values, given = self.values.get(name, {}), self.labels.get(name, [])
        scored = {*values, *(id for id, _, _ in given)}
        missing = self._missing(name, scored)
        distribution: Counter[str] = Counter()
        for _, label, count in given:
            distribution[label] += count
        sums = ScoreSums.of_clusters(list(self.clustered(name, values).values())) if values else None
        lacking = 0 if given and not values else len(self.clusters) - len(values)
        return ScorerSummary(
            scorer_name=name, scored_run_count=len(scored), score_count=len(values) + distribution.total(),
            mixed=bool(values and given),
            **numbers(sums, lambda: self._rows(name), lacking, reading.missing, reading.interval),
            distribution=dict(distribution) or None,
            label_shares=label_shares(
                distribution, [(str(self.clusters[id]), label, count) for id, label, count in given]
            ),
            n_total=len(self.clusters), n_scored=len(scored), **_counted(missing),
        )  # fmt: skip

    def _missing(self, name: str, scored: Collection[str]) -> Counter[tuple[str, str]]:
        """Why iterations have no score: state and reason → how many."""
        known = self.reasons.get(name, {})
        return Counter(known.get(id, ("absent", NEVER_ASKED)) for id in self.clusters if id not in scored)

    def _rows(self, name: str) -> list[tuple[ItemSums, int]]:
        """Each cluster's numbers, and how many of its iterations have none."""
        found = self.clustered(name, self.clusters)
        sizes = Counter(self.clusters.values())
        return [
            (ItemSums.of(found[key]) if key in found else NO_SCORES, size - len(found.get(key, ())))
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


def _cluster(row: IterationInGroup, cluster_by: ClusterBy) -> object:
    named = row.session_id if cluster_by == "session" else row.task_id
    return (row.source, named) if named else row.id


# --- two groups -----


@dataclass(frozen=True, slots=True)
class Question:
    """Which two groups of a project's iterations to compare, and how."""

    by: GroupBy
    base: str | None = None
    compare: str | None = None
    cluster_by: ClusterBy | None = None
    scorer_name: str | None = None
    """All that iterations of either group have, unless one is named."""
    min_effect: float | None = None


def compare(call: Call, project_id: str | None, only: Filter, question: Question) -> IterationComparison:
    project_id = project_in_scope(call.who, project_id)
    cluster_by = question.cluster_by or ("task" if question.by == "session" else "session")
    asked, versions = of_one_rubric(call, project_id, only)
    if question.by == "rubric":
        asked = only
    rows = store.for_groups(call.db, project_id, asked)
    base_name, compare_name = _names(question, rows)
    notes: list[str] = []
    base, other = _divided(question.by, rows, base_name, compare_name, notes)
    firm = {side: {row.id for row in rows if not row.provisional} for side, rows in (("base", base), ("other", other))}
    both = [row for row in (*base, *other) if not row.provisional]
    names = None if question.scorer_name is None else [question.scorer_name]
    scores = _Scores.of(call, project_id, asked, names, both, cluster_by)
    notes += _unclustered(both, cluster_by)
    alike = _alike(call, project_id, asked, firm, notes) if SCORER in scores.values else firm
    found = {
        name: _pair(scores, name, *((alike if name == SCORER else firm)[side] for side in ("base", "other")))
        for name in _compared(scores, question)
    }
    return IterationComparison(
        project_id=project_id, by=question.by, cluster_by=cluster_by,
        rubric_version=None if question.by == "rubric" else asked.rubric_version, rubric_versions=versions,
        base=_group(base_name, base, scores), compare=_group(compare_name, other, scores),
        scorer_comparisons=_ranked(found, firm, cluster_by, question.min_effect), notes=notes,
    )  # fmt: skip


def _alike(
    call: Call, project_id: str, only: Filter, firm: Mapping[str, set[str]], notes: list[str]
) -> dict[str, set[str]]:
    """The iterations of each group that stand on facts of a kind which the other group has too.

    A total on other evidence is another number: without the facts that count against it, it looks better.
    """
    rows = store.breakdowns(call.db, project_id, only)
    kind = {id: _facts(rows.get(id, [])) for ids in firm.values() for id in ids}
    shared = {kind[id] for id in firm["base"]} & {kind[id] for id in firm["other"]}
    alike = {side: {id for id in ids if kind[id] in shared} for side, ids in firm.items()}
    left_out = sum(len(ids) for ids in firm.values()) - sum(len(ids) for ids in alike.values())
    if left_out:
        words = f"{_iterations(left_out)} left out of `{SCORER}`: nothing in the other group stands on the same facts"
        notes.append(f"{words}; the signals are compared one by one")
    return alike


def _facts(breakdown: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(row["signal"] for row in breakdown if row["present"] and not row.get("self_reported"))


def _compared(scores: _Scores, question: Question) -> list[str]:
    if question.scorer_name is not None and not scores.values:
        raise NotFound(f"these iterations have no numbers of {question.scorer_name!r}")
    return sorted(scores.values)


def _pair(scores: _Scores, name: str, base: Collection[str], other: Collection[str]) -> UnpairedDifference:
    return unpaired_difference(scores.clustered(name, base), scores.clustered(name, other))


def _ranked(
    found: Mapping[str, UnpairedDifference], firm: Mapping[str, Collection[str]], cluster_by: ClusterBy,
    min_effect: float | None,
) -> list[GroupScorerComparison]:  # fmt: skip
    """The total first. It is the question; the others say where it comes from, and are adjusted for being many."""
    others = [name for name in found if name != SCORER]
    adjusted = dict(zip(others, holm([found[name].p_value for name in others]), strict=True))
    if SCORER in found:
        adjusted[SCORER] = found[SCORER].p_value
    order = sorted(found, key=lambda name: (name != SCORER, evidence_of_regression(found[name]), name))
    sizes = len(firm["base"]), len(firm["other"])
    return [_noun(name, found[name], adjusted[name], sizes, cluster_by, min_effect) for name in order]


def _noun(
    name: str, found: UnpairedDifference, adjusted_p: float | None, sizes: tuple[int, int], cluster_by: ClusterBy,
    min_effect: float | None,
) -> GroupScorerComparison:  # fmt: skip
    decided = verdict(found, adjusted_p, min_effect)
    more = more_clusters(found, adjusted_p, min_effect) if decided == "inconclusive" else None
    return GroupScorerComparison(
        scorer_name=name, base=_mean(found.first, sizes[0]), compare=_mean(found.second, sizes[1]),
        delta=round_shown(found.delta), delta_ci_95=None if found.interval is None else shown(found.interval),
        ci_method=None if found.interval is None else found.interval.method, p_value=round_shown(found.p_value),
        p_value_adjusted=round_shown(adjusted_p), verdict=decided,
        words=words(decided, found, more, cluster_by, " in each group"), more_clusters=more,
        flags=list(found.interval.flags) if found.interval else [],
    )  # fmt: skip


def _mean(sums: ScoreSums | None, size: int) -> GroupMean:
    if sums is None:
        return GroupMean(n=0, n_absent=size, clusters=0, mean=None, confidence_interval_95=None)
    return GroupMean(
        n=sums.scores, n_absent=size - sums.scores, clusters=sums.clusters, mean=round_shown(sums.mean),
        confidence_interval_95=shown(mean_interval(sums)),
    )  # fmt: skip


def _group(name: str, rows: Sequence[IterationInGroup], scores: _Scores) -> IterationGroup:
    firm = [row for row in rows if not row.provisional]
    clusters = {scores.clusters[row.id] for row in firm}
    return IterationGroup(
        name=name, n_iterations=len(firm), n_provisional=len(rows) - len(firm), n_clusters=len(clusters)
    )


def _unclustered(rows: Sequence[IterationInGroup], cluster_by: ClusterBy) -> Iterator[str]:
    alone = sum(_cluster(row, cluster_by) == row.id for row in rows)
    if alone:
        yield f"{_iterations(alone)} without a {cluster_by}, of {len(rows):,}; each counts as one of its own"


# --- who is in which group -----

_VALUES: Mapping[GroupBy, Callable[[IterationInGroup], Sequence[str | None]]] = {
    "session": lambda row: [row.session_id],
    "agent": lambda row: [row.agent],
    "model": lambda row: [row.model],
    "label": lambda row: row.labels or [],
    "rubric": lambda row: [row.rubric_version],
}


def _names(question: Question, rows: Sequence[IterationInGroup]) -> tuple[str, str]:
    """Both groups' names: those that are given, else the only two that there are, the older one as the base."""
    by, base, other = question.by, question.base, question.compare
    if base is not None and base == other:
        raise InvalidInput.of("b", f"a and b are both {base!r}; name two groups")
    if by == "period":
        if base is None or other is None:
            words = "say two periods with a and b, each like 2026-01-01..2026-01-31"
            raise InvalidInput.of("a" if base is None else "b", words)
        return base, other
    known = list(dict.fromkeys(value for row in rows for value in _VALUES[by](row) if value))
    for name in (base, other):
        if name is not None and name not in known:
            raise NotFound(f"no iteration here has the {by} {name!r}; there are {listed(known)}")
    left = [name for name in known if name not in (base, other)]
    wanted = [base, other].count(None)
    if wanted and len(left) != wanted:
        raise Refused(_which_two(by, known), code="GROUPS_UNCLEAR")
    return base or left.pop(0), other or left.pop(0)


def _which_two(by: GroupBy, known: Sequence[str]) -> str:
    if len(known) < 2:
        seen = f"the iterations here have one {by} ({known[0]})" if known else f"no iteration here names its {by}"
        return f"{seen}; a comparison takes two"
    return f"the iterations here have {len(known)} {by}s ({listed(list(known))}); name two of them"


def _divided(
    by: GroupBy, rows: Sequence[IterationInGroup], base: str, other: str, notes: list[str]
) -> tuple[list[IterationInGroup], list[IterationInGroup]]:
    """Those of each group. An iteration that would be in both is in neither."""
    in_base, in_other = (_members(by, name, field) for name, field in ((base, "a"), (other, "b")))
    groups: tuple[list[IterationInGroup], list[IterationInGroup]] = ([], [])
    in_both = 0
    for row in rows:
        here, there = in_base(row), in_other(row)
        in_both += here and there
        if here != there:
            groups[there].append(row)
    if in_both:
        notes.append(f"{_iterations(in_both)} in both groups, and left out of both")
    undated = sum(_day(row.date) is None for row in rows) if by == "period" else 0
    if undated:
        notes.append(f"{_iterations(undated)} without a date, and in neither group")
    return groups


def _iterations(n: int) -> str:
    return counted(n, "iteration is", "iterations are")


def _members(by: GroupBy, name: str, field: str) -> Callable[[IterationInGroup], bool]:
    if by != "period":
        values = _VALUES[by]
        return lambda row: name in values(row)
    first, last = _period(name, field)
    return lambda row: (day := _day(row.date)) is not None and first <= day <= last


def _period(text: str, field: str) -> tuple[date, date]:
    """FROM..TO, both days included; an end that is left out is open."""
    first, dots, last = text.partition("..")
    ends = _day(first) if first else date.min, _day(last) if last else date.max
    if not dots or ends[0] is None or ends[1] is None or not (first or last):
        raise InvalidInput.of(field, f"{field}: {text!r} is no period; write it like 2026-01-01..2026-01-31")
    if ends[0] > ends[1]:
        raise InvalidInput.of(field, f"{field}: {text!r} ends before it begins; swap the two days")
    return ends[0], ends[1]


def _day(text: str | None) -> date | None:
    """The day that a date or a time of the log begins with."""
    try:
        return date.fromisoformat((text or "")[:10])
    except ValueError:
        return None
