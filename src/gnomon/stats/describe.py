"""How many, how large, how spread.

`RunningMoments` takes numbers as they stream by. `ClusterTotals` and `ScoreSums` are what one SQL aggregate can say
about scores that come in clusters (the trials of one item, the turns of one conversation). `round_shown` is
for the last step before a person reads the number. How sure one may be of a mean is in interval.py.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, overload

from gnomon.errors import InvalidInput
from gnomon.stats.tails import numpy

SAME = 1e-9
"""Scores closer than this are the same score: what is left between them is how floats add up."""


@overload
def round_shown(value: float) -> float: ...
@overload
def round_shown(value: None) -> None: ...
def round_shown(value: float | None) -> float | None:
    """The value to 12 significant digits, so that 0.75 − 0.80 reads −0.05. For answers, never for storage."""
    if value is None:
        return None
    _check_finite("value", value)
    return float(f"{value:.12g}") + 0.0  # + 0.0 turns −0.0 into 0.0


def all_equal(low: float, high: float) -> bool:
    """Whether `low` and `high` differ by no more than rounding errors.

    Relative to their size, so that amounts of a millionth of a dollar can differ too.

    >>> all_equal(0.3, 0.1 + 0.2), all_equal(1e-7, 2e-7)
    (True, False)
    """
    return high - low <= SAME * max(abs(low), abs(high))


class RunningMoments:
    """Count, mean, spread and range of numbers that stream by, in constant memory.

    Adding is Welford's update, merging is that of Chan, Golub and LeVeque (1983): neither subtracts two large
    sums, so a small spread around a large mean keeps its digits.
    """

    __slots__ = ("_center", "_squares", "count", "maximum", "minimum")

    def __init__(self) -> None:
        self.count = 0
        self.minimum: float | None = None
        self.maximum: float | None = None
        self._center = 0.0
        self._squares = 0.0

    @classmethod
    def of(cls, values: Iterable[float]) -> "RunningMoments":
        moments = cls()
        for value in values:
            moments.add(value)
        return moments

    def add(self, value: float) -> None:
        _check_finite("value", value)
        self.count += 1
        off = value - self._center
        self._center += off / self.count
        self._squares += off * (value - self._center)
        self._widen(value, value)

    def merge(self, other: "RunningMoments") -> None:
        """Take in everything that `other` has seen."""
        if other.minimum is None or other.maximum is None:
            return
        both = self.count + other.count
        off = other._center - self._center
        self._squares += other._squares + off * off * self.count * other.count / both
        self._center += off * other.count / both
        self.count = both
        self._widen(other.minimum, other.maximum)

    @property
    def mean(self) -> float | None:
        """None when nothing was added."""
        if self.minimum is None or self.maximum is None:
            return None
        return min(max(self._center, self.minimum), self.maximum)

    @property
    def standard_deviation(self) -> float | None:
        """The standard deviation of the sample (n − 1). None below two values: one value has no spread."""
        if self.count < 2:
            return None
        return 0.0 if self.minimum == self.maximum else math.sqrt(self._squares / (self.count - 1))

    @property
    def standard_error(self) -> float | None:
        deviation = self.standard_deviation
        return None if deviation is None else deviation / math.sqrt(self.count)

    def _widen(self, low: float, high: float) -> None:
        self.minimum = low if self.minimum is None else min(self.minimum, low)
        self.maximum = high if self.maximum is None else max(self.maximum, high)


@dataclass(frozen=True, kw_only=True)
class ClusterTotals:
    """Scores in [0, 1] that come in clusters, reduced to six sums.

    With n_c scores that add up to s_c in cluster c, the variance of the overall mean needs no more than
    these. Integers and floats are taken as exact, so whole sums (binary scores) give an exact answer.
    """

    clusters: int
    scores: int
    """Σ n_c"""
    total: float
    """Σ s_c"""
    total_squares: float
    """Σ s_c²"""
    total_by_count: float
    """Σ s_c · n_c"""
    count_squares: int
    """Σ n_c²"""

    def __post_init__(self) -> None:
        for field in ("total", "total_squares", "total_by_count"):
            _check_finite(field, getattr(self, field))
        if self.clusters < 1:
            raise InvalidInput.of("clusters", f"clusters is {self.clusters}; no score, no mean")
        if self.scores < self.clusters:
            message = f"scores is {self.scores} in {self.clusters} clusters; leave empty ones out"
            raise InvalidInput.of("scores", message)
        if not 0 <= self.total <= self.scores:
            message = f"total is {self.total} over {self.scores} scores in [0, 1]; divide by your scale first"
            raise InvalidInput.of("total", message)

    @classmethod
    def of(cls, sums: Sequence[float], counts: Sequence[int]) -> "ClusterTotals":
        """The sums of scores in clusters, from each cluster's sum and number of scores."""
        if len(sums) != len(counts):
            message = f"there are {len(sums)} sums and {len(counts)} counts; give one of each per cluster"
            raise InvalidInput.of("counts", message)
        pairs = list(zip(sums, counts, strict=True))
        return cls(
            clusters=len(counts),
            scores=sum(counts),
            total=math.fsum(sums),
            total_squares=math.fsum(s * s for s in sums),
            total_by_count=math.fsum(s * n for s, n in pairs),
            count_squares=sum(n * n for n in counts),
        )

    @property
    def mean(self) -> float:
        return self.total / self.scores

    @property
    def exact_mean(self) -> Fraction:
        return Fraction(self.total) / self.scores

    @property
    def variance_of_mean(self) -> Fraction | None:
        """Σ(s_c − n_c·mean)² / n² · C/(C−1): whole clusters vary, not single scores. None for one cluster.

        This is the ratio estimator's variance, right also when clusters differ in size; with equal sizes it
        is the squared standard error of the cluster means, and with one score each that of the scores.
        """
        if self.clusters == 1:
            return None
        residuals = self._residuals(self.exact_mean)
        return residuals * self.clusters / (self.scores**2 * (self.clusters - 1))

    @property
    def inner_spread(self) -> float:
        """Σ m_c · (1 − m_c) over the clusters' means m_c, exact where clusters are of one size.

        0 only where every cluster is all zeros or all ones, so it tells how far scores are from yes and no.
        """
        apart = Fraction(self.total_by_count) - Fraction(self.total_squares)
        return float(max(apart, Fraction(0)) * self.clusters**2 / self.scores**2)

    @property
    def effective_clusters(self) -> float:
        """How many clusters of one size would weigh as much (Kish 1965); their number where they are of one size."""
        return self.scores**2 / self.count_squares

    def squared_residuals(self, mean: float) -> float:
        """Σ(s_c − n_c·mean)²"""
        return float(self._residuals(Fraction(mean)))

    def _residuals(self, mean: Fraction) -> Fraction:
        by_count = Fraction(self.total_by_count)
        fraction = Fraction(self.total_squares) - 2 * mean * by_count + mean * mean * self.count_squares
        return max(fraction, Fraction(0))


class ItemSums(NamedTuple):
    """The scores of one item: how many, their sum and that of their squares, the least and the greatest."""

    n: int
    total: float
    squares: float
    minimum: float
    maximum: float

    @classmethod
    def of(cls, scores: Sequence[float]) -> "ItemSums":
        squares = math.fsum(score * score for score in scores)
        return cls(len(scores), math.fsum(scores), squares, min(scores), max(scores))

    @property
    def variance(self) -> float:
        """The variance of the scores (n − 1), for two or more."""
        return max(0.0, self.squares - self.total * self.total / self.n) / (self.n - 1)

    def and_also(self, other: "ItemSums") -> "ItemSums":
        """Both items' scores together, as those of one cluster."""
        if not (self.n and other.n):
            return self if self.n else other
        return ItemSums(
            self.n + other.n, self.total + other.total, self.squares + other.squares,
            min(self.minimum, other.minimum), max(self.maximum, other.maximum),
        )  # fmt: skip

    def with_more(self, scores: int, value: float) -> "ItemSums":
        """The sums as if there were so many more scores of this value."""
        if not scores:
            return self
        low, high = (min(self.minimum, value), max(self.maximum, value)) if self.n else (value, value)
        return ItemSums(self.n + scores, self.total + scores * value, self.squares + scores * value * value, low, high)


NO_SCORES = ItemSums(0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class ScoreSums(ClusterTotals):
    """All that a summary needs to know of one scorer's numbers: one row of one SQL query.

    Group the scores by item (or whatever the clusters are) with count n, sum s, sum of squared values, least
    and greatest value; then over the groups: how many, and the sums of n, s, s·s, s·n, n·n, s·s·s, s·s·n,
    s·n·n, n·n·n; the least and the greatest s / n; the sum of the squared values, the least and the greatest
    value. Numbers must be int or float: cast what a driver gives as Decimal.
    """

    total_cubes: float
    """Σ s_c³"""
    squares_by_count: float
    """Σ s_c² · n_c"""
    total_by_square: float
    """Σ s_c · n_c²"""
    count_cubes: int
    """Σ n_c³"""

    within: float
    """Σ n_c · (variance of the scores of cluster c), over clusters of two and more"""
    singles: int
    """Clusters of one score, which show no spread"""
    lowest_cluster_mean: float
    highest_cluster_mean: float
    value_squares: float
    """Σ of each score's square"""
    minimum: float
    maximum: float

    @classmethod
    def of_clusters(cls, clusters: Sequence[Sequence[float]]) -> "ScoreSums":
        """The same row, made in Python: one sequence of scores per cluster, empty ones left out."""
        _check_scores([value for scores in clusters for value in scores])
        return cls.of_items(map(ItemSums.of, filter(len, clusters)))

    @classmethod
    def of_items(cls, items: "Iterable[ItemSums] | Mapping[ItemSums, int]") -> "ScoreSums":
        """The sums from what is known of each item, or of each kind of item and how many there are."""
        kinds = items if isinstance(items, Mapping) else Counter(items)
        rows = [(row.n, row.total, many, row) for row, many in kinds.items() if row.n and many]
        if not rows:
            raise InvalidInput.of("items", "no item has a score, so there is no mean")
        means = [total / count for count, total, _, _ in rows]
        return cls(
            clusters=sum(many for _, _, many, _ in rows),
            scores=sum(many * n for n, _, many, _ in rows),
            count_squares=sum(many * n * n for n, _, many, _ in rows),
            count_cubes=sum(many * n**3 for n, _, many, _ in rows),
            total=math.fsum(many * s for _, s, many, _ in rows),
            total_squares=math.fsum(many * s * s for _, s, many, _ in rows),
            total_cubes=math.fsum(many * s**3 for _, s, many, _ in rows),
            total_by_count=math.fsum(many * s * n for n, s, many, _ in rows),
            squares_by_count=math.fsum(many * s * s * n for n, s, many, _ in rows),
            total_by_square=math.fsum(many * s * n * n for n, s, many, _ in rows),
            within=math.fsum(many * n * row.variance for n, _, many, row in rows if n > 1),
            singles=sum(many for n, _, many, _ in rows if n == 1),
            lowest_cluster_mean=min(means),
            highest_cluster_mean=max(means),
            value_squares=math.fsum(many * row.squares for _, _, many, row in rows),
            minimum=min(row.minimum for *_, row in rows),
            maximum=max(row.maximum for *_, row in rows),
        )

    @classmethod
    def of_columns(cls, counts: Sequence[int], totals: Sequence[float], squares: Sequence[float]) -> "ScoreSums":
        """The same for many items at once: how many scores each has, their sum and that of their squares.

        The least and the greatest score are not known here; the least and the greatest item stand for them.
        """
        np = numpy()
        n, s, q = (np.asarray(column, dtype=float) for column in (counts, totals, squares))
        means, several = s / n, n > 1
        spread = (q - s * s / n)[several] * n[several] / (n[several] - 1)
        low, high = float(means.min()), float(means.max())
        return cls(
            clusters=len(n), scores=int(n.sum()), count_squares=int(n @ n), count_cubes=int((n * n) @ n),
            total=float(s.sum()), total_squares=float(s @ s), total_cubes=float((s * s) @ s),
            total_by_count=float(s @ n), squares_by_count=float((s * s) @ n), total_by_square=float((n * n) @ s),
            within=float(spread.sum()), singles=int((n == 1).sum()), value_squares=float(q.sum()),
            lowest_cluster_mean=low, highest_cluster_mean=high, minimum=low, maximum=high,
        )  # fmt: skip

    @classmethod
    def of_single_scores(cls, n: int, total: float, squares: float, minimum: float, maximum: float) -> "ScoreSums":
        """The same where every cluster is one score, from their number, their sum and that of their squares.

        How skewed they are is not known: only `bca` asks for that.
        """
        return cls(
            clusters=n, scores=n, count_squares=n, count_cubes=n, singles=n, within=0.0, total=total,
            total_squares=squares, total_cubes=squares, total_by_count=total, squares_by_count=squares,
            total_by_square=total, value_squares=squares, lowest_cluster_mean=minimum, highest_cluster_mean=maximum,
            minimum=minimum, maximum=maximum,
        )  # fmt: skip

    @property
    def skewness(self) -> float:
        """The skewness of the clusters around the mean, each as far off as its scores together. 0 without a spread."""
        m, n = Fraction(self.total) / self.scores, self.clusters
        squares = Fraction(self.total_squares) - 2 * m * Fraction(self.total_by_count) + m * m * self.count_squares
        spread = math.sqrt(max(squares, Fraction(0)) / n)
        if spread < SAME:
            return 0.0
        cubes = Fraction(self.total_cubes) - 3 * m * Fraction(self.squares_by_count)
        cubes += 3 * m * m * Fraction(self.total_by_square) - m**3 * self.count_cubes
        return float(cubes / n) / spread**3

    @property
    def within_item_error(self) -> float | None:
        """Standard error of the mean with the items held fixed. None when no item has two scores.

        An item with one score shows no spread of its own: it is taken to spread as the others do.
        """
        if self.singles == self.clusters:
            return None
        repeated = self.scores - self.singles
        return math.sqrt(max(0.0, self.within) * (self.scores / repeated)) / self.scores

    @property
    def all_binary(self) -> bool:
        """Every score is 0 or 1: only there is x² as large as x, so no database needs to look at each."""
        return self.value_squares == self.total

    @property
    def mean(self) -> float:
        """Over all scores. Between the least and the greatest: three times 0.1 has the mean 0.1."""
        return min(max(self.total / self.scores, self.minimum), self.maximum)

    @property
    def standard_deviation(self) -> float | None:
        """The standard deviation of the scores (sample, n − 1). None for a single score."""
        if self.scores == 1:
            return None
        if self.minimum == self.maximum:
            return 0.0
        squares = Fraction(self.value_squares) - Fraction(self.total) ** 2 / self.scores
        return math.sqrt(max(squares, Fraction(0)) / (self.scores - 1))

    @property
    def standard_error(self) -> float | None:
        """The standard error of the mean, with items as what varies. None when there is only one item."""
        variance = self.variance_of_mean
        if variance is None:
            return None
        # Equal means leave only rounding in the sums of a database, which must not pass for a spread.
        return 0.0 if self.highest_cluster_mean - self.lowest_cluster_mean <= SAME else math.sqrt(variance)


def _check_scores(values: Sequence[float]) -> None:
    if not values:
        raise InvalidInput.of("clusters", "there is no score; without one there is no mean")
    for value in values:
        if not 0 <= value <= 1:
            raise InvalidInput.of("clusters", f"score {value} is outside [0, 1]; divide by your scale first")


def _check_finite(field: str, value: float) -> None:
    if not math.isfinite(value):
        raise InvalidInput.of(field, f"{field} is {value}; leave out what is not a finite number")
