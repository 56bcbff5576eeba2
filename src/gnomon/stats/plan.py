"""How many items and trials a difference takes, and where the variance of scores comes from.

A score is its item's level, plus what one run adds (the agent is not the same twice), plus what one vote adds (nor
is its judge). `components` takes the three variances apart, as a nested analysis of variance for unequal numbers
does (Henderson's method I; Searle, Casella and McCulloch 1992, chapter 5). Two agents over the same n items, K
runs each, differ by more than noise when n is at least

    (z_{α/2} + z_β)² · (ω² + σ²_A / K_A + σ²_B / K_B) / δ²

with ω² the variance of item-level differences and σ² that within items (Miller 2024, "Adding error bars to
evals"). Normal quantiles throughout: below some 30 items this is a little too hopeful.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist, variance
from typing import NamedTuple

from gnomon.errors import InvalidInput
from gnomon.shorten import counted
from gnomon.stats.describe import SAME

ROUNDING = 1e-12
"""A variance this little below zero is how floats add up, not a finding."""


class ItemScores(NamedTuple):
    """The scores of one item, which come in runs of one vote or more each, as sums."""

    runs: int
    votes: int
    """Σ over runs of n_r, the votes on it"""
    total: float
    run_squares: float
    """Σ over runs of (sum of its scores)² / n_r"""
    vote_squares: int
    """Σ over runs of n_r²"""
    value_squares: float
    """Σ over scores of value²"""

    @classmethod
    def of(cls, runs: Sequence[Sequence[float]]) -> "ItemScores":
        """The variances from the scores themselves, one inner sequence per run; runs without a score are left out."""
        scored = [votes for votes in runs if votes]
        return cls(
            runs=len(scored),
            votes=sum(map(len, scored)),
            total=math.fsum(value for votes in scored for value in votes),
            run_squares=math.fsum(math.fsum(votes) ** 2 / len(votes) for votes in scored),
            vote_squares=sum(len(votes) ** 2 for votes in scored),
            value_squares=math.fsum(value * value for votes in scored for value in votes),
        )

    @property
    def mean(self) -> float:
        return self.total / self.votes


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """Where the variance of one agent's scores comes from."""

    items: int
    trials: float
    """Runs an item has, on average"""
    votes: float
    """Scores a run has, on average"""
    between: float
    """Of item levels. With one run per item, what runs add is in it."""
    within: float | None
    """Of runs of one item. None: never more than one run. With one vote per run, what votes add is in it."""
    judge: float | None
    """Of votes on one run. None: never more than one vote."""
    flags: tuple[str, ...] = ()
    """`between_negative`, `within_negative`, `judge_negative`: estimated below zero, taken as zero."""


def components(scores: Iterable[ItemScores]) -> Components:
    """The three variances, each unbiased, from items that need not have equally many runs or votes."""
    items = sorted(item for item in scores if item.votes)
    if len(items) < 2:
        raise InvalidInput.of(
            "items", f"only {counted(len(items), 'item')} with scores; variance between items takes two"
        )
    runs, votes = sum(item.runs for item in items), sum(item.votes for item in items)
    by_item = math.fsum(item.total**2 / item.votes for item in items)
    by_run = math.fsum(item.run_squares for item in items)
    flags: list[str] = []

    judge = _share("judge", math.fsum(item.value_squares for item in items) - by_run, votes - runs, flags)
    noise = judge or 0.0
    run_weight = math.fsum(item.vote_squares / item.votes for item in items)
    spread = by_run - by_item - (runs - len(items)) * noise
    within = _share("within", spread, votes - run_weight if runs > len(items) else 0, flags)
    between_runs = run_weight - math.fsum(item.vote_squares for item in items) / votes
    spread = by_item - math.fsum(item.total for item in items) ** 2 / votes
    spread -= (len(items) - 1) * noise + between_runs * (within or 0.0)
    between = _share("between", spread, votes - sum(item.votes**2 for item in items) / votes, flags)
    return Components(
        items=len(items), trials=runs / len(items), votes=votes / runs,
        between=between or 0.0, within=within, judge=judge, flags=tuple(flags),
    )  # fmt: skip


def _share(name: str, squares: float, weight: float, flags: list[str]) -> float | None:
    """Squares over their weight. None without weight; zero, flagged, when below zero."""
    if weight <= 0:
        return None
    share = squares / weight
    if share < -ROUNDING:
        flags.append(f"{name}_negative")
    return max(share, 0.0)


def difference_variance(pairs: Sequence[tuple[ItemScores, ItemScores]], a: Components, b: Components) -> float | None:
    """ω²: how item-level differences vary, without what runs and votes add. Below zero when there is none.

    What cannot be told from item levels (one run per item) stays in. None for fewer than two pairs.
    """
    if len(pairs) < 2:
        return None
    differences = sorted(item_scores.mean - other.mean for item_scores, other in pairs)
    noise = math.fsum(_noise(item_scores, a) + _noise(other, b) for item_scores, other in pairs)
    return variance(differences) - noise / len(pairs)


def _noise(item: ItemScores, components: Components) -> float:
    """The variance that runs and votes give to an item's mean."""
    runs = (components.within or 0.0) * item.vote_squares / item.votes**2
    return runs + (components.judge or 0.0) / item.votes


@dataclass(frozen=True, slots=True)
class DifferenceSpread:
    """The variance of an item's difference between two agents: ω² and the shares of runs and votes."""

    items: float
    runs: float
    votes: float

    def at(self, trials: float, votes: float = 1) -> float:
        return self.items + self.runs / trials + self.votes / (trials * votes)


def items_needed(effect: float, variance: float, power: float = 0.8, alpha: float = 0.05) -> float:
    """n of the formula above, not yet rounded, for ω² + σ²_A/K_A + σ²_B/K_B = `variance`.

    >>> whole_items(items_needed(0.03, 1 / 9))
    969
    """
    _check(effect=effect, power=power, alpha=alpha)
    return _z(power, alpha) ** 2 * variance / effect**2


def whole_items(needed: float) -> int:
    """Rounded up; never fewer than two, since one item shows no spread."""
    return max(2, math.ceil(needed * (1 - SAME)))


def smallest_effect(items: int, variance: float, power: float = 0.8, alpha: float = 0.05) -> float:
    """The difference that this many items detect with that power: the formula solved for the effect."""
    _check(power=power, alpha=alpha)
    if items < 1:
        raise InvalidInput.of("items", f"items is {items}; there must be at least one")
    return _z(power, alpha) * math.sqrt(variance / items)


@dataclass(frozen=True, slots=True)
class UnitCosts:
    """What one more item, run and vote cost, in any one currency."""

    item: float = 1.0
    trial: float = 1.0
    vote: float = 0.1

    def __post_init__(self) -> None:
        for name, least in (("item", 0.0), ("trial", ROUNDING), ("vote", ROUNDING)):
            cost = getattr(self, name)
            if not (math.isfinite(cost) and cost >= least):
                raise InvalidInput.of(f"{name}_cost", f"{name}_cost is {cost}; it must be above 0")


def gains(spread: DifferenceSpread, trials: float, votes: float, costs: UnitCosts) -> dict[str, float]:
    """How fast the variance of the mean difference falls per unit of cost, by what the money buys.

    Only the proportions mean something: all three are divided by the squared number of items.
    """
    a_run = costs.trial + votes * costs.vote
    return {
        "items": spread.at(trials, votes) / (costs.item + trials * a_run),
        "trials": (spread.runs + spread.votes / votes) / trials**2 / a_run,
        "votes": spread.votes / (trials * votes) ** 2 / costs.vote,
    }


def _z(power: float, alpha: float) -> float:
    return NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)


def _check(**options: float) -> None:
    for name, value in options.items():
        least = 0.5 if name == "power" else 0.0
        inside = least <= value < 1 if name == "power" else 0 < value <= 1 if name == "effect" else 0 < value < 1
        if not inside:
            example = {"power": 0.8, "alpha": 0.05, "effect": 0.05}[name]
            raise InvalidInput.of(name, f"{name} is {value}; it must be between {least:g} and 1, like {example}")
