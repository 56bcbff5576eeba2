"""Two groups of iterations compared, wherever the iterations come from: a store, or a log on this machine.

Pure: rows, scores and facts come in, means, differences and verdicts go out. Sessions or tasks are what varies:
iterations of one of them stand together. Provisional iterations are left out of every mean.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from gnomon.errors import InvalidInput, NotFound, Refused
from gnomon.model.iterationgroups import (
    NO_RULES_FILE,
    ClusterBy,
    GroupBy,
    GroupComparison,
    GroupMean,
    GroupScorerComparison,
    IterationGroup,
)
from gnomon.service.analysis.aggregate import shown
from gnomon.service.analysis.compare import words
from gnomon.service.judges.calibration import listed
from gnomon.service.outcome.iterationscores import SCORER
from gnomon.shorten import counted
from gnomon.stats.describe import ScoreSums, round_shown
from gnomon.stats.interval import mean_interval
from gnomon.stats.paired import evidence_of_regression, holm, verdict
from gnomon.stats.unpaired import UnpairedDifference, more_clusters, unpaired_difference
from gnomon.store.iterations import IterationInGroup


@dataclass(frozen=True, slots=True)
class Question:
    """Which two groups of iterations to compare, and how."""

    by: GroupBy
    base: str | None = None
    compare: str | None = None
    cluster_by: ClusterBy | None = None
    scorer_name: str | None = None
    """All that iterations of either group have, unless one is named."""
    min_effect: float | None = None

    @property
    def clusters(self) -> ClusterBy:
        return self.cluster_by or ("task" if self.by == "session" else "session")


@dataclass(frozen=True)
class GroupScores:
    """The numbers of some iterations, by scorer, with the cluster that each iteration is in."""

    clusters: Mapping[str, object]
    """Iteration → its cluster"""
    values: Mapping[str, Mapping[str, float]]
    """Scorer → iteration → the mean of its numbers"""

    def clustered(self, name: str, ids: Collection[str]) -> dict[object, list[float]]:
        """The numbers of these iterations, those of one cluster together."""
        by_cluster: dict[object, list[float]] = {}
        for id, value in self.values.get(name, {}).items():
            if id in ids:
                by_cluster.setdefault(self.clusters[id], []).append(value)
        return by_cluster


class GroupEvidence(Protocol):
    """Where the numbers come from."""

    def scores(
        self, scorer_names: Collection[str] | None, rows: Sequence[IterationInGroup], cluster_by: ClusterBy
    ) -> GroupScores:
        """The numbers of these iterations, of all scorers unless some are named."""
        ...

    def facts(self) -> Mapping[str, frozenset[str]]:
        """Iteration → the signals that facts stand behind."""
        ...


def cluster_of(row: IterationInGroup, cluster_by: ClusterBy) -> object:
    named = row.session_id if cluster_by == "session" else row.task_id
    return (row.source, named) if named else row.id


def compare_groups(
    question: Question, rows: Sequence[IterationInGroup], evidence: GroupEvidence, rubric_version: str | None,
    rubric_versions: Sequence[str],
) -> GroupComparison:  # fmt: skip
    """Compare two groups of these rows, which come in the order in which they were made or stored."""
    cluster_by = question.clusters
    base_name, compare_name = _names(question, rows)
    notes: list[str] = []
    base, other = _divided(question.by, rows, base_name, compare_name, notes)
    firm = {side: {row.id for row in rows if not row.provisional} for side, rows in (("base", base), ("other", other))}
    both = [row for row in (*base, *other) if not row.provisional]
    names = None if question.scorer_name is None else [question.scorer_name]
    scores = evidence.scores(names, both, cluster_by)
    notes += _unclustered(both, cluster_by)
    alike = _alike(evidence.facts(), firm, notes) if SCORER in scores.values else firm
    pairs = {
        name: _pair(scores, name, *((alike if name == SCORER else firm)[side] for side in ("base", "other")))
        for name in _compared(scores, question)
    }
    return GroupComparison(
        by=question.by, cluster_by=cluster_by,
        rubric_version=None if question.by == "rubric" else rubric_version, rubric_versions=list(rubric_versions),
        base=_group(base_name, base, scores), compare=_group(compare_name, other, scores),
        scorer_comparisons=_ranked(pairs, firm, cluster_by, question.min_effect), notes=notes,
    )  # fmt: skip


def _alike(facts: Mapping[str, frozenset[str]], firm: Mapping[str, set[str]], notes: list[str]) -> dict[str, set[str]]:
    """The iterations of each group that stand on facts of a kind which the other group has too.

    A total on other evidence is another number: without the facts that count against it, it looks better.
    """
    kind = {id: facts.get(id, frozenset()) for ids in firm.values() for id in ids}
    shared = {kind[id] for id in firm["base"]} & {kind[id] for id in firm["other"]}
    alike = {side: {id for id in ids if kind[id] in shared} for side, ids in firm.items()}
    left_out = sum(len(ids) for ids in firm.values()) - sum(len(ids) for ids in alike.values())
    if left_out:
        words = f"{_iterations(left_out)} left out of `{SCORER}`: nothing in the other group stands on the same facts"
        notes.append(f"{words}; the signals are compared one by one")
    return alike


def _compared(scores: GroupScores, question: Question) -> list[str]:
    if question.scorer_name is not None and not scores.values:
        raise NotFound(f"these iterations have no numbers of {question.scorer_name!r}")
    return sorted(scores.values)


def _pair(scores: GroupScores, name: str, base: Collection[str], other: Collection[str]) -> UnpairedDifference:
    return unpaired_difference(scores.clustered(name, base), scores.clustered(name, other))


def _ranked(
    differences: Mapping[str, UnpairedDifference], firm: Mapping[str, Collection[str]], cluster_by: ClusterBy,
    min_effect: float | None,
) -> list[GroupScorerComparison]:  # fmt: skip
    """The total first. It is the question; the others say where it comes from, and are adjusted for being many."""
    others = [name for name in differences if name != SCORER]
    adjusted = dict(zip(others, holm([differences[name].p_value for name in others]), strict=True))
    if SCORER in differences:
        adjusted[SCORER] = differences[SCORER].p_value
    order = sorted(differences, key=lambda name: (name != SCORER, evidence_of_regression(differences[name]), name))
    sizes = len(firm["base"]), len(firm["other"])
    return [_noun(name, differences[name], adjusted[name], sizes, cluster_by, min_effect) for name in order]


def _noun(
    name: str, difference: UnpairedDifference, adjusted_p: float | None, sizes: tuple[int, int], cluster_by: ClusterBy,
    min_effect: float | None,
) -> GroupScorerComparison:  # fmt: skip
    interval, decided = difference.interval, verdict(difference, adjusted_p, min_effect)
    more = more_clusters(difference, adjusted_p, min_effect) if decided == "inconclusive" else None
    return GroupScorerComparison(
        scorer_name=name, base=_mean(difference.first, sizes[0]), compare=_mean(difference.second, sizes[1]),
        delta=round_shown(difference.delta), delta_ci_95=None if interval is None else shown(interval),
        ci_method=None if interval is None else interval.method, p_value=round_shown(difference.p_value),
        p_value_adjusted=round_shown(adjusted_p), verdict=decided,
        words=words(decided, difference, more, cluster_by, " in each group"), more_clusters=more,
        flags=list(interval.flags) if interval else [],
    )  # fmt: skip


def _mean(sums: ScoreSums | None, size: int) -> GroupMean:
    if sums is None:
        return GroupMean(n=0, n_absent=size, clusters=0, mean=None, confidence_interval_95=None)
    return GroupMean(
        n=sums.scores, n_absent=size - sums.scores, clusters=sums.clusters, mean=round_shown(sums.mean),
        confidence_interval_95=shown(mean_interval(sums)),
    )  # fmt: skip


def _group(name: str, rows: Sequence[IterationInGroup], scores: GroupScores) -> IterationGroup:
    firm = [row for row in rows if not row.provisional]
    clusters = {scores.clusters[row.id] for row in firm}
    return IterationGroup(
        name=name, n_iterations=len(firm), n_provisional=len(rows) - len(firm), n_clusters=len(clusters)
    )


def _unclustered(rows: Sequence[IterationInGroup], cluster_by: ClusterBy) -> Iterator[str]:
    alone = sum(cluster_of(row, cluster_by) == row.id for row in rows)
    if alone:
        yield f"{_iterations(alone)} without a {cluster_by}, of {len(rows):,}; each counts as one of its own"


# --- who is in which group -----

"""The group of iterations that were made without one. Where nothing was recorded, an iteration is in no group."""

_VALUES: Mapping[GroupBy, Callable[[IterationInGroup], Sequence[str | None]]] = {
    "session": lambda row: [row.session_id],
    "agent": lambda row: [row.agent],
    "model": lambda row: [row.model],
    "label": lambda row: row.labels or [],
    "rubric": lambda row: [row.rubric_version],
    "rules-file": lambda row: [NO_RULES_FILE] if row.rules_files == [] else row.rules_files or [],
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
    base, other = (None if name is None else _known(by, name, known) for name in (base, other))
    if base is not None and base == other:
        raise InvalidInput.of("b", f"a and b both mean {base!r}; name two groups")
    left = [name for name in known if name not in (base, other)]
    wanted = [base, other].count(None)
    if wanted and len(left) != wanted and by == "rules-file":
        left = _telling_apart(left, by, rows)
    if wanted and len(left) != wanted:
        raise Refused(_which_two(by, known), code="GROUPS_UNCLEAR")
    return base or left.pop(0), other or left.pop(0)


def _known(by: GroupBy, name: str, known: list[str]) -> str:
    """The value that is named; of a rules file its beginning is enough where only one begins so."""
    begun = [value for value in known if value.startswith(name)] if by == "rules-file" else []
    if name in known or len(begun) == 1:
        return name if name in known else begun[0]
    if begun:
        raise Refused(
            f"{len(begun)} rules files begin with {name!r} ({listed(begun)}); name one of them", code="GROUPS_UNCLEAR"
        )
    raise NotFound(f"no iteration here has the {_noun_of(by)} {name!r}; there are {listed(known)}")


def _telling_apart(names: Sequence[str], by: GroupBy, rows: Sequence[IterationInGroup]) -> list[str]:
    """One name for each group of iterations, without what all iterations have: files that change together are one."""
    values = [set(known) for row in rows if (known := _VALUES[by](row))]
    members = {name: frozenset(index for index, known in enumerate(values) if name in known) for name in names}
    first = {inside: name for name, inside in reversed(members.items()) if len(inside) < len(values)}
    return [name for name in names if first.get(members[name]) == name]


def _noun_of(by: GroupBy) -> str:
    return by.replace("-", " ")


def _which_two(by: GroupBy, known: Sequence[str]) -> str:
    noun = _noun_of(by)
    if len(known) < 2:
        seen = f"the iterations here have one {noun} ({known[0]})" if known else f"no iteration here names its {noun}"
        return f"{seen}; a comparison takes two"
    return f"the iterations here have {len(known)} {noun}s ({listed(list(known))}); name two of them"


def _divided(
    by: GroupBy, rows: Sequence[IterationInGroup], base: str, other: str, notes: list[str]
) -> tuple[list[IterationInGroup], list[IterationInGroup]]:
    """Split iterations into the two groups. One that would be in both is in neither."""
    in_base, in_other = (_members(by, name, field) for name, field in ((base, "a"), (other, "b")))
    groups: tuple[list[IterationInGroup], list[IterationInGroup]] = ([], [])
    in_both = 0
    for row in rows:
        is_base, is_other = in_base(row), in_other(row)
        in_both += is_base and is_other
        if is_base != is_other:
            groups[is_other].append(row)
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
        raise InvalidInput.of(field, f"{field}: {text!r} is not a period; write it like 2026-01-01..2026-01-31")
    if ends[0] > ends[1]:
        raise InvalidInput.of(field, f"{field}: {text!r} ends before it begins; swap the two dates")
    return ends[0], ends[1]


def _day(text: str | None) -> date | None:
    """The day that a date or a time of the log begins with."""
    try:
        return date.fromisoformat((text or "")[:10])
    except ValueError:
        return None
