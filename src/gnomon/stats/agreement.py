"""Do a judge and people agree? Accuracy, Cohen's κ, Gwet's AC1, Krippendorff's α, Spearman's ρ.

Ratings come in pairs (judge, human) over the same targets, or, for α, as units with any number of ratings. All
are the same for either order of the two raters and for any order of the targets.

κ, AC1 and α are 1 − observed / expected disagreement. Their usual intervals are symmetric, so near perfect
agreement they reach past 1, and at it they claim certainty. There the observed disagreement is taken as a share
with Wilson's interval, at the expected disagreement found: 20 of 20 alike is κ = 1, and 0.68 is not excluded.

What the ratings are about, and which of these numbers suits which scale, is the caller's work.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from gnomon.errors import InvalidInput
from gnomon.stats.describe import SAME
from gnomon.stats.interval import Z95, wilson
from gnomon.stats.tails import numpy, t_critical

Rating = float | str
RatingPair = tuple[Rating, Rating]
Weights = Literal["linear", "quadratic"]
Level = Literal["nominal", "ordinal", "interval", "ratio"]

MOST_CATEGORIES = 50
"""Above this many different ratings a table of them says nothing."""
MOST_IN_ALPHA = 200
"""The same for α, but for the level `interval`, which needs no table."""
RESAMPLES = 9_999
_FEWEST_RESAMPLES = 999
_DRAWS = 20_000_000
"""About a second's worth: many different units get fewer resamples."""

NO_PAIRS = "no target is rated by both"
ALL_ALIKE = "every rating is the same, so there is no chance agreement to compare with"
ONE_SIDED = "one side gave every target the same rating, which agrees no better than chance whatever the other says"


@dataclass(frozen=True, slots=True)
class AgreementEstimate:
    """A number with its 95 % interval. What is missing is None, and `reason` says why."""

    value: float | None
    interval: tuple[float, float] | None = None
    method: str | None = None
    reason: str | None = None
    standard_error: float | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often which rating met which: rows are the second rater's (people), columns the first's (the judge)."""

    ratings: tuple[Rating, ...]
    counts: tuple[tuple[int, ...], ...]


def confusion(pairs: Iterable[RatingPair]) -> Confusion:
    counted = Counter(pairs)
    ratings = tuple(sorted({rating for pair in counted for rating in pair}))
    return Confusion(ratings, tuple(tuple(counted[judge, human] for judge in ratings) for human in ratings))


def accuracy(pairs: Sequence[RatingPair]) -> AgreementEstimate:
    """The share of targets on which both say the same, with Wilson's interval."""
    if not pairs:
        return AgreementEstimate(None, reason=NO_PAIRS)
    same = sum(judge == human for judge, human in pairs)
    interval = wilson(same, len(pairs))
    return AgreementEstimate(same / len(pairs), (interval.low, interval.high), "wilson")


def cohen_kappa(pairs: Sequence[RatingPair], weights: Weights | None = None) -> AgreementEstimate:
    """Cohen's κ (1960), or weighted κ (1968) by the distance between two numbers or its square.

    The standard error is that of Fleiss, Cohen and Everitt (1969).
    """
    table = _table(pairs)
    if isinstance(table, str):
        return AgreementEstimate(None, reason=table)
    n, shares, ratings = len(pairs), table, sorted({rating for pair in table for rating in pair})
    near = _nearness(ratings, weights)
    firsts, seconds = _margin(shares, 0), _margin(shares, 1)
    if len(firsts) == 1 or len(seconds) == 1:
        return AgreementEstimate(None, reason=ALL_ALIKE if len(ratings) == 1 else ONE_SIDED)
    row = {a: math.fsum(near(a, b) * share for b, share in seconds.items()) for a in ratings}
    column = {b: math.fsum(near(a, b) * share for a, share in firsts.items()) for b in ratings}
    observed = math.fsum(near(*pair) * share for pair, share in shares.items())
    expected = math.fsum(row[a] * share for a, share in firsts.items())
    kappa = (observed - expected) / (1 - expected)
    pulls = {(a, b): near(a, b) * (1 - expected) - (row[a] + column[b]) * (1 - observed) for a, b in shares}
    # The published form subtracts two nearly equal numbers; this is the same variance around its mean.
    middle = math.fsum(share * pulls[pair] for pair, share in shares.items())
    spread = math.fsum(share * (pulls[pair] - middle) ** 2 for pair, share in shares.items())
    error = math.sqrt(spread / n) / (1 - expected) ** 2
    return _within(kappa, Z95 * error, 1 - observed, 1 - expected, n, "fleiss_cohen_everitt", error)


def gwet_ac1(pairs: Sequence[RatingPair], categories: Iterable[Rating] = ()) -> AgreementEstimate:
    """Gwet's AC1 (2008), which unlike κ stays near the accuracy when nearly all targets are of one class.

    `categories` names ratings that were possible, in case some were never given.
    """
    table = _table(pairs)
    if isinstance(table, str):
        return AgreementEstimate(None, reason=table)
    firsts, seconds = _margin(table, 0), _margin(table, 1)
    ratings = {*firsts, *seconds, *categories}
    if len(ratings) == 1:
        return AgreementEstimate(None, reason="only one rating was ever given, and no other is known")
    n, others = len(pairs), len(ratings) - 1
    rest = {rating: 1 - (firsts.get(rating, 0.0) + seconds.get(rating, 0.0)) / 2 for rating in ratings}
    observed = math.fsum(share for (a, b), share in table.items() if a == b)
    expected = math.fsum((1 - left) * left for left in rest.values()) / others
    ac1 = (observed - expected) / (1 - expected)

    def pseudo_value(a: Rating, b: Rating) -> float:
        chance = (rest[a] + rest[b]) / 2 / others
        return ((a == b) - expected - 2 * (1 - ac1) * (chance - expected)) / (1 - expected)

    spread = math.fsum(share * (pseudo_value(*pair) - ac1) ** 2 for pair, share in table.items())
    error = math.sqrt(spread / (n - 1))
    return _within(ac1, t_critical(n - 1) * error, 1 - observed, 1 - expected, n, "gwet", error)


def spearman_rho(pairs: Sequence[tuple[float, float]]) -> AgreementEstimate:
    """Spearman's ρ: the correlation of the ranks, ties sharing theirs.

    The interval is made on Fisher's scale with the larger of two standard errors: that of Bonett and Wright (2000),
    which is for ratings without ties, and the delta method's, which knows them. Ranks that agree fully would leave
    no interval: then it is that of the nearest ρ below 1, as if one target had changed places with its neighbour.
    """
    n = len(pairs)
    if n < 2:
        return AgreementEstimate(None, reason=NO_PAIRS if not n else "only one target is rated by both")
    firsts, seconds = ([rank / n - (n + 1) / 2 / n for rank in _ranks(side)] for side in zip(*pairs, strict=True))
    spread_a, spread_b = _mean_product(firsts, firsts), _mean_product(seconds, seconds)
    if not spread_a or not spread_b:
        return AgreementEstimate(None, reason="one side gave every target the same rating, so there is nothing to rank")
    rho = min(max(_mean_product(firsts, seconds) / math.sqrt(spread_a * spread_b), -1.0), 1.0)
    if n < 4:
        return AgreementEstimate(rho, reason=f"{n} targets are too few for an interval; it needs 4")
    size, error = abs(rho), _rank_error(firsts, seconds, rho)
    if size > 1 - SAME:
        step = min(high - low for low, high in pairwise(sorted(set(firsts))))
        size, error = max(0.0, 1 - step**2 / n / spread_a), 0.0
    start = math.copysign(math.atanh(size), rho)
    reach = Z95 * max(math.sqrt((1 + size * size / 2) / (n - 3)), error / (1 - size * size))
    low, high = math.tanh(start - reach), math.tanh(start + reach)
    return AgreementEstimate(rho, (min(low, rho), max(high, rho)), "fisher_z", standard_error=error)


def krippendorff_alpha(units: Iterable[Sequence[Rating | None]], level: Level) -> AgreementEstimate:
    """Krippendorff's α (2011) over units with any number of ratings; None is a missing one.

    A unit with fewer than two ratings says nothing of agreement and is left out. The interval is a percentile
    bootstrap over units, seeded.
    """
    patterns = Counter(
        tuple(sorted(ratings))
        for unit in units
        if len(ratings := [rating for rating in unit if rating is not None]) > 1
    )
    if not patterns:
        return AgreementEstimate(None, reason="no unit has two ratings")
    different = len({rating for kind in patterns for rating in kind})
    if different > MOST_IN_ALPHA and level != "interval":
        return AgreementEstimate(
            None, reason=f"{different} different ratings are too many for α at the level {level!r}"
        )
    disagreements = _Disagreements(patterns, level)
    if len(disagreements.ratings) == 1:
        return AgreementEstimate(None, reason=ALL_ALIKE)
    observed, expected = disagreements.of(disagreements.counts)
    alpha = float(1 - observed / expected)
    ends = disagreements.resampled()
    # On a scale with distances Wilson's reading is very cautious, so there it is kept for want of any other.
    touches = ends is not None and level == "nominal" and ends[1] >= 1 - SAME
    if ends is None or touches or ends[1] - ends[0] <= SAME:
        low, high = _by_wilson(float(observed), float(expected), int(disagreements.counts.sum()))
        return AgreementEstimate(alpha, (min(low, alpha), max(high, alpha)), "wilson")
    return AgreementEstimate(alpha, (min(ends[0], alpha), max(ends[1], alpha)), "bootstrap")


class _Disagreements:
    """Observed and expected disagreement as functions of how often each kind of unit occurs.

    Both are made of sums over units, so a resample is one matrix product with the counts drawn.
    """

    def __init__(self, patterns: Counter[tuple[Rating, ...]], level: Level) -> None:
        np = numpy()
        kinds = sorted(patterns)
        self.counts = np.array([patterns[kind] for kind in kinds], dtype=float)
        self.ratings = sorted({rating for kind in kinds for rating in kind})
        if level != "nominal" and any(isinstance(rating, str) for rating in self.ratings):
            raise InvalidInput.of("level", f"labels have no {level} scale; use the level 'nominal'")
        self._level = level
        position = {rating: at for at, rating in enumerate(self.ratings)}
        self._sizes = np.array([len(kind) for kind in kinds], dtype=float)
        self._values = [np.array([position[rating] for rating in kind]) for kind in kinds]
        # With many different numbers a table is too large; squared distances need sums of powers only.
        self._by_sums = level == "interval" and len(self.ratings) > MOST_CATEGORIES
        if self._by_sums:
            self._prepare_sums(np, kinds)
        else:
            self._prepare_table(np)

    def _prepare_sums(self, np: Any, kinds: Sequence[tuple[Any, ...]]) -> None:
        middle, self._range = self.ratings[0], self.ratings[-1] - self.ratings[0]  # type: ignore[operator]
        scaled = [(np.array(kind) - middle) / self._range for kind in kinds]
        self._sums = np.array([value.sum() for value in scaled])
        self._squares = np.array([(value * value).sum() for value in scaled])
        self._within = 2 * (self._sizes * self._squares - self._sums**2) / (self._sizes - 1)

    def _prepare_table(self, np: Any) -> None:
        k = len(self.ratings)
        self._tally = np.zeros((len(self.counts), k))
        for at, values in enumerate(self._values):
            np.add.at(self._tally[at], values, 1)

    def of(self, counts: Any) -> tuple[Any, Any]:
        """(observed, expected), both as shares of the largest distance; `counts` may be one row or many."""
        np = numpy()
        total = counts @ self._sizes
        if self._by_sums:
            observed = counts @ self._within / total
            sums, squares = counts @ self._sums, counts @ self._squares
            return observed, 2 * (total * squares - sums**2) / (total * (total - 1))
        margins = counts @ self._tally
        distance = self._distances(margins)
        largest = distance.max(axis=(-2, -1))
        inside = np.einsum("uc,...cd,ud->...u", self._tally, distance, self._tally) / (self._sizes - 1)
        observed = (counts * inside).sum(axis=-1) / total
        expected = np.einsum("...c,...cd,...d->...", margins, distance, margins) / (total * (total - 1))
        with np.errstate(invalid="ignore", divide="ignore"):
            return observed / largest, expected / largest

    def _distances(self, margins: Any) -> Any:
        """Squared distance between any two ratings (Krippendorff 2011); only the ordinal one needs the margins."""
        np = numpy()
        k = len(self.ratings)
        if self._level == "nominal":
            return 1.0 - np.eye(k)
        if self._level == "ordinal":
            below = np.cumsum(margins, axis=-1) - margins / 2
            return (below[..., :, None] - below[..., None, :]) ** 2
        values = np.array(self.ratings, dtype=float)
        apart = values[:, None] - values[None, :]
        if self._level == "ratio":
            both = values[:, None] + values[None, :]
            apart = np.divide(apart, both, out=np.zeros_like(apart), where=both != 0)
        return apart**2

    def resampled(self) -> tuple[float, float] | None:
        """2.5 and 97.5 % of α over resamples of the units; None where most of those have no α."""
        np = numpy()
        random = np.random.Generator(np.random.PCG64(0))
        units, kinds = int(self.counts.sum()), len(self.counts)
        resamples = max(_FEWEST_RESAMPLES, min(RESAMPLES, _DRAWS // kinds))
        width = kinds if self._by_sums else kinds + len(self.ratings) ** 2
        at_once = max(1, 2_000_000 // width)
        values = []
        for start in range(0, resamples, at_once):
            drawn = random.multinomial(units, self.counts / units, size=min(at_once, resamples - start))
            observed, expected = self.of(drawn.astype(float))
            defined = expected > 0
            values.append(1 - observed[defined] / expected[defined])
        alphas = np.concatenate(values)
        if 2 * len(alphas) < resamples:
            return None
        low, high = np.quantile(alphas, (0.025, 0.975))
        return float(low), float(high)


def _within(
    value: float, reach: float, observed: float, expected: float, n: int, method: str, error: float
) -> AgreementEstimate:
    """The symmetric interval where it lies inside (−1, 1), else the one by Wilson's of the disagreement."""
    low, high = value - reach, value + reach
    if reach <= SAME or low < SAME - 1 or high > 1 - SAME:
        (low, high), method = _by_wilson(observed, expected, n), "wilson"
    return AgreementEstimate(
        value, (max(-1.0, min(low, value)), min(1.0, max(high, value))), method, standard_error=error
    )


def _by_wilson(observed: float, expected: float, n: int) -> tuple[float, float]:
    share = wilson(min(max(observed, 0.0), 1.0) * n, n)
    return 1 - share.high / expected, 1 - share.low / expected


def _table(pairs: Sequence[RatingPair]) -> dict[RatingPair, float] | str:
    """The share of each pair of ratings, or why there is no such table."""
    if len(pairs) < 2:
        return NO_PAIRS if not pairs else "only one target is rated by both"
    counted = Counter(pairs)
    different = len({rating for pair in counted for rating in pair})
    if different > MOST_CATEGORIES:
        return f"{different} different ratings are too many for a table; {MOST_CATEGORIES} is the most"
    return {pair: counted[pair] / len(pairs) for pair in sorted(counted)}


def _margin(table: dict[RatingPair, float], side: int) -> dict[Rating, float]:
    margins: dict[Rating, list[float]] = {}
    for pair, share in table.items():
        margins.setdefault(pair[side], []).append(share)
    return {rating: math.fsum(shares) for rating, shares in sorted(margins.items())}


def _nearness(ratings: Sequence[Any], weights: Weights | None) -> Callable[[Any, Any], float]:
    """1 for the same rating, 0 for the two farthest apart."""
    if weights is None:
        return lambda a, b: float(a == b)
    if any(isinstance(rating, str) for rating in ratings):
        raise InvalidInput.of("weights", "labels have no distance; weighted κ needs numbers")
    width, power = (ratings[-1] - ratings[0]) or 1.0, 1 if weights == "linear" else 2
    return lambda a, b: 1 - (abs(a - b) / width) ** power


def _rank_error(firsts: Sequence[float], seconds: Sequence[float], rho: float) -> float:
    """Standard error of ρ by the delta method: how far each target, with all ranks that it moves, pulls ρ.

    Ranks come as shares, less their mean. That the ranks themselves are estimates is the second part of a pull.
    """
    together = _mean_product(firsts, seconds)
    spreads = _mean_product(firsts, firsts), _mean_product(seconds, seconds)
    moved = [up + over for up, over in zip(_above(firsts, seconds), _above(seconds, firsts), strict=True)]
    moved_a, moved_b = _above(firsts, firsts), _above(seconds, seconds)
    pulls = [
        (a * b + both - 3 * together) / math.sqrt(spreads[0] * spreads[1])
        - rho
        / 2
        * ((a * a + 2 * own - 3 * spreads[0]) / spreads[0] + (b * b + 2 * other - 3 * spreads[1]) / spreads[1])
        for a, b, both, own, other in zip(firsts, seconds, moved, moved_a, moved_b, strict=True)
    ]
    return math.sqrt(_mean_product(pulls, pulls) / len(pulls))


def _above(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """For each target, the mean over all of the weight of those ranked above it; those beside it count half."""
    groups: dict[float, list[float]] = {}
    for value, weight in zip(values, weights, strict=True):
        groups.setdefault(value, []).append(weight)
    above, total = {}, 0.0
    for value in sorted(groups, reverse=True):
        group_weight = math.fsum(groups[value])
        above[value] = (total + group_weight / 2) / len(values)
        total += group_weight
    return [above[value] for value in values]


def _mean_product(first: Sequence[float], other: Sequence[float]) -> float:
    return math.fsum(a * b for a, b in zip(first, other, strict=True)) / len(first)


def _ranks(values: Sequence[float]) -> list[float]:
    """1, 2, … in order of size; equal values share the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks, start = [0.0] * len(values), 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for index in order[start:end]:
            ranks[index] = (start + 1 + end) / 2
        start = end
    return ranks
