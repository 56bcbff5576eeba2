"""Rank many agents over the same items: their order, how certain it is, and the possible ranks.

Every item has one vote, whatever its trials. Two agents are compared on the items that both have, by the test that
compares two experiments (paired.py), with Holm over all pairs. An agent's rank is 1 + how many are significantly
better, and its range of ranks ends where those begin that are significantly worse: the errors of all pairs together
stay below 5 %, so the ranges of all agents hold at once, and no range contradicts a pair. The marginal range, 2.5 to
97.5 % of an agent's ranks over resampled items, is narrower and holds for one agent at a time.

What two agents have in common may be nothing, and a trial may have no value: then both readings of it are carried
along, and the marginal range is as wide as they are apart.

What an agent is, and words for people, are the callers' work. Preferences ("a beat b") are in pairwise.py.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import stdev
from typing import Any

from gnomon.errors import InvalidInput
from gnomon.stats.describe import SAME
from gnomon.stats.ends import Interval, MeanMethod
from gnomon.stats.interval import equal_weight_interval
from gnomon.stats.missing import MissingPolicy
from gnomon.stats.paired import (
    DIFFERENCE_METHODS,
    DifferenceMethod,
    PairedDifference,
    Verdict,
    holm,
    paired_binary,
    paired_difference,
    verdict,
)
from gnomon.stats.resample import seeded
from gnomon.stats.tails import numpy

Trials = Mapping[str, Sequence[float | None]]
"""Item → one value per trial, None where the trial has none."""

Ranks = tuple[int, int]
"""The best and the worst rank that is possible."""

RESAMPLES = 10_000
_DRAWN_AT_ONCE = 1_000_000
_FEWEST = 2
"""Items that two agents must share before resampling says anything about their order."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One agent. Without any value there is no score and no rank."""

    agent: str
    items: int
    scored: int
    missing: int
    mean: float | None
    interval: Interval | None
    standard_deviation: float | None
    """Of the items' means (n − 1)."""
    missing_bracket: tuple[float, float] | None
    """The mean if every missing value were 0, and if it were 1."""
    rank: int | None = None
    rank_interval: Ranks | None = None
    """For all agents at once."""
    rank_interval_marginal: Ranks | None = None
    """For this agent alone."""

    @property
    def standard_error(self) -> float | None:
        return None if self.standard_deviation is None else self.standard_deviation / math.sqrt(self.items)


@dataclass(frozen=True, slots=True)
class AgentPair:
    """Two agents, the one listed higher first. The difference is the first one's mean less the other's."""

    a: str
    b: str
    difference: PairedDifference
    adjusted_p: float | None
    verdict: Verdict
    """`improved`: a is better than b."""

    @property
    def uncertain(self) -> bool:
        return self.verdict not in ("improved", "regressed")


@dataclass(frozen=True, slots=True)
class Ranking:
    """Agents by mean, every pair of those that have one, and groups of agents that cannot be told apart."""

    standings: list[Standing]
    pairs: list[AgentPair]
    groups: list[list[str]]


def rank(
    agents: Mapping[str, Trials], missing: MissingPolicy = "drop", min_effect: float | None = None,
    method: MeanMethod | None = None, resamples: int = RESAMPLES, stopped: Collection[str] = (),
) -> Ranking:  # fmt: skip
    """Rank agents by the mean of their items' means. The order of agents, items and trials does not matter.

    Scores of the agents in `stopped` were looked at while they came in: their intervals, and the tests of every pair
    with one of them, hold at every look. Resampled ranks would not, so with such an agent there are none.
    """
    methods: dict[str, MeanMethod | None] = {
        agent: "betting_mixture" if agent in stopped else method for agent in agents
    }
    standings = sorted(
        (_standing(agent, trials, missing, methods[agent]) for agent, trials in agents.items()), key=_order
    )
    ranked = [standing.agent for standing in standings if standing.mean is not None]
    items = sorted({item for agent in ranked for item in agents[agent]})
    fills = {"drop": (None, None, None), "zero": (0.0, 0.0, 0.0), "bracket": (None, 0.0, 1.0)}[missing]
    grids = {fill: _grid([agents[agent] for agent in ranked], items, fill) for fill in set(fills)}
    point, low, high = (grids[fill] for fill in fills)
    differences = {
        (a, b): _difference(
            point, low, high, a, b, "betting_mixture" if {ranked[a], ranked[b]} & {*stopped} else method
        )
        for a in range(len(ranked))
        for b in range(a + 1, len(ranked))
    }
    pairs = judged_pairs(ranked, differences, min_effect)
    possible: Sequence[Ranks | None] = [None] * len(ranked)
    if items and not stopped:
        possible = _possible_ranks(low, high, resamples)
    return Ranking(
        placed(standings, pairs, dict(zip(ranked, possible, strict=True))), pairs, indistinguishable(ranked, pairs)
    )


def judged_pairs(
    agents: Sequence[str], differences: Mapping[tuple[int, int], PairedDifference], min_effect: float | None
) -> list[AgentPair]:
    """Every pair with its verdict after Holm over all of them."""
    adjusted = holm([difference.p_value for difference in differences.values()])
    return [
        AgentPair(agents[a], agents[b], difference, p, verdict(difference, p, min_effect))
        for ((a, b), difference), p in zip(differences.items(), adjusted, strict=True)
    ]


def placed(
    standings: Sequence[Standing], pairs: Sequence[AgentPair], marginal: Mapping[str, Ranks | None]
) -> list[Standing]:
    """The standings with their ranks. A marginal range always holds the rank itself."""
    better, worse = (dict.fromkeys(marginal, 0) for _ in range(2))
    for pair in pairs:
        if not pair.uncertain:
            ahead, behind = (pair.a, pair.b) if pair.verdict == "improved" else (pair.b, pair.a)
            better[behind] += 1
            worse[ahead] += 1
    return [
        _ranked(standing, 1 + better[standing.agent], len(marginal) - worse[standing.agent], marginal[standing.agent])
        if standing.agent in marginal else standing
        for standing in standings
    ]  # fmt: skip


def _ranked(standing: Standing, rank: int, last: int, marginal: Ranks | None) -> Standing:
    around = None if marginal is None else (min(marginal[0], rank), max(marginal[1], rank))
    return replace(standing, rank=rank, rank_interval=(rank, last), rank_interval_marginal=around)


def indistinguishable(agents: Sequence[str], pairs: Sequence[AgentPair]) -> list[list[str]]:
    """Groups of agents of which no two can be told apart; two agents share one unless they are told apart.

    Two agents that a chain of significant differences orders count as different, whatever their own test says: so no
    group holds two whose ranges of ranks do not meet. Each group is as large as it can be, in the order of the list,
    and may skip agents of it.
    """
    position = {agent: at for at, agent in enumerate(agents)}
    np = numpy()
    better = np.zeros((len(agents), len(agents)), dtype=bool)
    for pair in pairs:
        if not pair.uncertain:
            ahead, behind = (pair.a, pair.b) if pair.verdict == "improved" else (pair.b, pair.a)
            better[position[ahead], position[behind]] = True
    told_apart = reachable(better)
    alike = ~(told_apart | told_apart.T)
    np.fill_diagonal(alike, True)
    shares = np.zeros_like(alike)
    groups: list[list[int]] = []
    for first in range(len(agents)):
        while len(open_to := np.flatnonzero(alike[first, first:] & ~shares[first, first:])) > 0:
            group = _extended([first, first + int(open_to[0])], alike)
            shares[np.ix_(group, group)] = True
            groups.append(group)
    return [[agents[at] for at in group] for group in sorted(groups)]


def _extended(members: Sequence[int], alike: Any) -> list[int]:
    """These members and, in the order of the list, all whom nothing tells apart from any that are in it by then."""
    np = numpy()
    group = set(members)
    fits = alike[list(group)].all(axis=0)
    for candidate in np.flatnonzero(fits):
        if fits[candidate]:
            group.add(int(candidate))
            fits &= alike[candidate]
    return sorted(group)


def reachable(edges: Any) -> Any:
    """Which nodes are reached from which by a chain of edges, by squaring the table until nothing changes."""
    np = numpy()
    reach = np.array(edges, dtype=bool)
    while True:
        steps = reach.astype(float)
        further = reach | ((steps @ steps) > 0)
        if (further == reach).all():
            return reach
        reach = further


def filled(trials: Trials, fill: float | None) -> dict[str, list[float]]:
    """Each item's values with the missing ones filled in, or left out."""
    filled = {
        item: [fill if value is None else value for value in values if value is not None or fill is not None]
        for item, values in trials.items()
    }
    return {item: values for item, values in filled.items() if values}  # type: ignore[misc]


def resampled_items(items: int, resamples: int) -> Iterator[Any]:
    """How often each item was drawn, one row per resample, some rows at a time."""
    np = numpy()
    random, step = seeded(), max(1, _DRAWN_AT_ONCE // items)
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        drawn = random.integers(0, items, (rows, items)) + np.arange(rows)[:, None] * items
        yield np.bincount(drawn.ravel(), minlength=rows * items).reshape(rows, items).astype(float)


def ends_of_ranks(best: Any, worst: Any) -> list[tuple[int, int]]:
    """2.5 to 97.5 % of the ranks, outward: low ends from the kindest reading, high ends from the harshest.

    Both are counts, agents × ranks."""
    np = numpy()
    resamples = int(best[0].sum()) - 1
    low, high = math.floor(0.025 * resamples), math.ceil(0.975 * resamples)
    return [
        (int(np.searchsorted(kind.cumsum(), low, side="right")), int(np.searchsorted(harsh.cumsum(), high, "right")))
        for kind, harsh in zip(best, worst, strict=True)
    ]


def count_ranks(counts: Any, ranks: Any) -> None:
    """Add resampled ranks (resamples × agents) to the counts (agents × ranks)."""
    np = numpy()
    for agent, column in enumerate(ranks.T):
        counts[agent] += np.bincount(column, minlength=counts.shape[1])


@dataclass(frozen=True, slots=True)
class _Grid:
    """Item means, items × agents, with 0 where there is none; and whose values are one trial of 0 or 1 each."""

    means: Any
    present: Any
    yes_or_no: Sequence[bool]


def _order(standing: Standing) -> tuple[float, str]:
    return (math.inf if standing.mean is None else -standing.mean, standing.agent)


def _mean_of_means(clusters: Mapping[str, Sequence[float]]) -> float:
    means = [math.fsum(values) / len(values) for values in clusters.values()]
    return min(max(math.fsum(means) / len(means), min(means)), max(means))


def _standing(agent: str, trials: Trials, missing: MissingPolicy, method: MeanMethod | None) -> Standing:
    values = [value for of_item in trials.values() for value in of_item]
    if not values:
        raise InvalidInput.of("agents", f"agent {agent!r} has no item; leave it out or give it one")
    gaps = values.count(None)
    used = filled(trials, 0.0 if missing == "zero" else None)
    means = [math.fsum(of_item) / len(of_item) for of_item in used.values()]
    zeros, ones = filled(trials, 0.0), filled(trials, 1.0)
    interval = equal_weight_interval(list(used.values()), method) if used else None
    if interval is not None and missing == "bracket" and gaps:
        low, high = (equal_weight_interval(list(filled.values()), method) for filled in (zeros, ones))
        interval = _bracketed(low, high)
    return Standing(
        agent,
        items=len(used),
        scored=len(values) - gaps,
        missing=gaps,
        mean=_mean_of_means(used) if used else None,
        interval=interval,
        standard_deviation=stdev(means) if len(means) > 1 else None,
        missing_bracket=(_mean_of_means(zeros), _mean_of_means(ones)),
    )


def _grid(agents: Sequence[Trials], items: Sequence[str], fill: float | None) -> _Grid:
    np = numpy()
    means, present = np.zeros((len(items), len(agents))), np.zeros((len(items), len(agents)), dtype=bool)
    row = {item: index for index, item in enumerate(items)}
    yes_or_no = []
    for column, trials in enumerate(agents):
        known = filled(trials, fill)
        yes_or_no.append(all(len(values) == 1 and values[0] in (0, 1) for values in known.values()))
        for item, values in known.items():
            means[row[item], column] = math.fsum(values) / len(values)
            present[row[item], column] = True
    return _Grid(means, present, yes_or_no)


def _difference(point: _Grid, low: _Grid, high: _Grid, a: int, b: int, method: MeanMethod | None) -> PairedDifference:
    difference = _paired(point, point, a, b, method)
    if low is high or (low.means[:, [a, b]] == high.means[:, [a, b]]).all():
        return difference
    least, most = _paired(low, high, a, b, method), _paired(high, low, a, b, method)
    if least.interval is None or most.interval is None or least.delta is None or most.delta is None:
        return difference
    agree = least.delta * most.delta > 0
    interval = _bracketed(least.interval, most.interval)
    p_value = max(least.p_value or 0.0, most.p_value or 0.0) if agree else 1.0
    return replace(difference, interval=interval, p_value=p_value)


def _bracketed(low: Interval, high: Interval) -> Interval:
    flags = tuple(dict.fromkeys((*low.flags, *high.flags, "bracketed")))
    return Interval(low.low, high.high, low.method, flags)


def _paired(first: _Grid, second: _Grid, a: int, b: int, method: MeanMethod | None) -> PairedDifference:
    common = first.present[:, a] & second.present[:, b]
    differences = first.means[common, a] - second.means[common, b]
    named: DifferenceMethod | None = method if method in DIFFERENCE_METHODS else None
    if first.yes_or_no[a] and second.yes_or_no[b]:
        return paired_binary(int((differences > 0).sum()), int((differences < 0).sum()), len(differences), named)
    return paired_difference(differences.tolist(), named)


def _possible_ranks(low: _Grid, high: _Grid, resamples: int) -> list[tuple[int, int]]:
    """Each agent's range of ranks over resampled items."""
    np = numpy()
    items, agents = low.means.shape
    best, worst = np.zeros((2, agents, agents + 1), dtype=int)
    same = SAME * items
    complete = bool(low.present.all())
    for weights in resampled_items(items, resamples):
        # Where everyone has every item, differences of sums are sums of differences, and much cheaper.
        sums = (weights @ low.means, weights @ high.means) if complete else None
        kind, harsh = np.ones((2, len(weights), agents), dtype=int)
        for agent in range(agents - 1):
            least, most, known = (
                _differences(low, high, agent, weights) if sums is None else _sum_differences(*sums, agent, items)
            )
            ahead, behind = known & (least > same), known & (most < -same)
            unknown = ~(ahead | behind | (known & (least >= -same) & (most <= same)))
            kind[:, agent + 1 :] += ahead
            harsh[:, agent + 1 :] += ahead | unknown
            kind[:, agent] += behind.sum(axis=1)
            harsh[:, agent] += (behind | unknown).sum(axis=1)
        count_ranks(best, kind)
        count_ranks(worst, harsh)
    return ends_of_ranks(best, worst)


def _differences(low: _Grid, high: _Grid, agent: int, weights: Any) -> tuple[Any, Any, Any]:
    """Resample by resample, an agent against each of those listed below it, over the items that both have:
    the least and the most that it is ahead by, and whether that is known at all."""
    np = numpy()
    column, rest = slice(agent, agent + 1), slice(agent + 1, None)
    common = low.present[:, column] & low.present[:, rest]
    least = weights @ np.where(common, low.means[:, column] - high.means[:, rest], 0.0)
    most = least if low is high else weights @ np.where(common, high.means[:, column] - low.means[:, rest], 0.0)
    return least, most, (common.sum(axis=0) >= _FEWEST) & (weights @ common > 0)


def _sum_differences(low: Any, high: Any, agent: int, items: int) -> tuple[Any, Any, bool]:
    """The same where everyone has every item."""
    column, rest = slice(agent, agent + 1), slice(agent + 1, None)
    return low[:, column] - high[:, rest], high[:, column] - low[:, rest], items >= _FEWEST
