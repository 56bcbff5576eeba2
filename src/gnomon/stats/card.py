"""The numbers of a judge's report card: does it repeat itself, and what moves its scores besides the work itself?

Scores lie in [0, 1]. What varies is an item: scores of one item stand together in every interval. Which scores
and answers these functions are given, and what a reader should make of them, is the caller's work.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from gnomon.shorten import counted
from gnomon.stats.agreement import AgreementEstimate, Rating
from gnomon.stats.correct import judge_bias
from gnomon.stats.describe import SAME, ScoreSums, all_equal
from gnomon.stats.ends import Interval
from gnomon.stats.interval import interval_over, wilson
from gnomon.stats.tails import special, t_critical

FEWEST_ITEMS = 10
"""Below this many items a slope is a guess."""
FEWEST_OF_A_GROUP = 5
NO_SPREAD = "all values are equal, so there is no spread to make an interval from"
_FEWEST_FOR_A_MEDIAN = 6
"""Of five values not even the least and the greatest have the median between them with 95 % confidence."""


class MeasuredScore(NamedTuple):
    """One score: whose item it is of, how long the output was, and the score or another number in [−1, 1]."""

    item: object
    length: float
    value: float


class Repeats(NamedTuple):
    """Several answers to the same question about one target."""

    item: object
    answers: Sequence[Rating]


# --- shares, means and medians -----


def share(count: int, n: int, nothing: str) -> AgreementEstimate:
    """A share with Wilson's interval; `nothing` is the reason when there is none."""
    if not n:
        return AgreementEstimate(None, reason=nothing)
    return _estimate(count / n, wilson(count, n))


def share_over(ones: Mapping[object, int], counts: Mapping[object, int], nothing: str) -> AgreementEstimate:
    """The same for counts by item."""
    if not sum(counts.values()):
        return AgreementEstimate(None, reason=nothing)
    clusters = [[1.0] * ones.get(item, 0) + [0.0] * (n - ones.get(item, 0)) for item, n in counts.items()]
    return mean_over(clusters, nothing)


def mean_over(clusters: Sequence[Sequence[float]], nothing: str) -> AgreementEstimate:
    """The mean of scores in [0, 1], those of one item in one cluster."""
    if not any(clusters):
        return AgreementEstimate(None, reason=nothing)
    clusters = sorted(sorted(cluster) for cluster in clusters if cluster)
    return _estimate(ScoreSums.of_clusters(clusters).mean, interval_over(clusters))


def mean_amount(values: Sequence[float], nothing: str) -> AgreementEstimate:
    """The mean of amounts without an upper end (dollars, tokens), with Student's interval, which stays above zero.

    Equal amounts have no interval, and the reason says so: how far the next one may be off cannot be known from them.
    """
    if not values:
        return AgreementEstimate(None, reason=nothing)
    n, mean = len(values), math.fsum(values) / len(values)
    if n == 1:
        return AgreementEstimate(mean, reason="one value has no spread")
    if all_equal(min(values), max(values)):
        return AgreementEstimate(mean, reason=NO_SPREAD)
    reach = t_critical(n - 1) * math.dist(values, [mean] * n) / math.sqrt(n * (n - 1))
    return AgreementEstimate(mean, (max(0.0, mean - reach), mean + reach), "t")


def median(values: Sequence[float], nothing: str) -> AgreementEstimate:
    """The median, between two of the values: with 95 % confidence whatever their distribution (order statistics)."""
    if not values:
        return AgreementEstimate(None, reason=nothing)
    ordered, n = sorted(values), len(values)
    middle = (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
    if n < _FEWEST_FOR_A_MEDIAN:
        return AgreementEstimate(
            middle, reason=f"an interval of the median takes {_FEWEST_FOR_A_MEDIAN} values, there are {n}"
        )
    # As many values may be left out at each end as lie below the true median with a chance of at most 2.5 %.
    left_out = int(special().bdtrik(0.025, n, 0.5))
    return AgreementEstimate(middle, (ordered[left_out], ordered[n - 1 - left_out]), "order_statistics")


# --- asked again -----


def agreement_of_repeats(targets: Iterable[Repeats], nothing: str) -> AgreementEstimate:
    """How often two answers about the same target are the same: over all pairs of a target, then over targets."""
    return _over_targets(targets, _share_of_equal_pairs, nothing)


def difference_of_repeats(targets: Iterable[Repeats], nothing: str) -> AgreementEstimate:
    """How far two answers about the same target are apart, on average. For numbers."""
    return _over_targets(targets, _mean_distance, nothing)


def _over_targets(
    targets: Iterable[Repeats], measure: Callable[[Sequence[Any]], float], nothing: str
) -> AgreementEstimate:
    clusters: dict[object, list[float]] = {}
    for item, answers in targets:
        if len(answers) > 1:
            clusters.setdefault(item, []).append(measure(answers))
    return mean_over(list(clusters.values()), nothing)


def _share_of_equal_pairs(answers: Sequence[Rating]) -> float:
    counts = Counter(answer if isinstance(answer, str) else round(answer / SAME) for answer in answers).values()
    return sum(count * (count - 1) for count in counts) / (len(answers) * (len(answers) - 1))


def _mean_distance(answers: Sequence[float]) -> float:
    """The mean distance of all pairs of answers. Sorted, each is above those before it and below the rest."""
    n = len(answers)
    apart = math.fsum((2 * index - n + 1) * answer for index, answer in enumerate(sorted(answers)))
    return min(1.0, max(0.0, 2 * apart / (n * (n - 1))))


# --- what else moves a score -----


def length_slope(scores: Iterable[MeasuredScore], nothing: str) -> AgreementEstimate:
    """How much a score changes when the output is twice as long: least squares on log2 of the length.

    The interval is the jackknife over items (CV3: every item left out once; MacKinnon, Nielsen and Webb 2023) with
    t(items − 1), which holds also when a few items are much longer than the rest. It says what goes together, not
    what causes what: longer outputs may be better ones.
    """
    sums: dict[object, _LineSums] = {}
    start: float | None = None
    shortest, longest = math.inf, -math.inf
    for item, length, value in scores:
        doublings = math.log2(max(length, 1.0))
        start = doublings if start is None else start
        shortest, longest = min(shortest, doublings), max(longest, doublings)
        sums_of_item = _LineSums.of(doublings - start, value)  # near zero, so that squares keep their digits
        sums[item] = sums[item].plus(sums_of_item) if item in sums else sums_of_item
    if len(sums) < FEWEST_ITEMS:
        message = (
            f"{counted(len(sums), 'item')} {_are(len(sums))} too few for a slope; it needs at least {FEWEST_ITEMS}"
        )
        return AgreementEstimate(None, reason=message if sums else nothing)
    ordered = sorted(sums.values())
    total = _LineSums.total(ordered)
    slope = total.slope()
    if slope is None:
        return AgreementEstimate(None, reason="all outputs have the same length")
    if longest - shortest < 1:  # a line would have to be drawn beyond what was seen
        times = 2 ** (longest - shortest)
        return AgreementEstimate(
            None, reason=f"no output is twice as long as another; the longest is {times:.2f} times as long"
        )
    if total.flat():
        return AgreementEstimate(None, reason="every score is the same, so nothing can be seen to move it")
    left_out = [
        slope_without for sums_of_item in ordered if (slope_without := total.minus(sums_of_item).slope()) is not None
    ]
    if len(left_out) < len(ordered):
        return AgreementEstimate(slope, reason="all outputs but one have the same length")
    n, center = len(ordered), math.fsum(left_out) / len(ordered)
    error = math.sqrt((n - 1) / n * math.fsum((slope_without - center) ** 2 for slope_without in left_out))
    if error <= SAME:
        return AgreementEstimate(slope, reason="the scores lie on a line, which leaves no spread to judge by")
    reach = t_critical(n - 1) * error
    return AgreementEstimate(slope, (slope - reach, slope + reach), "jackknife", standard_error=error)


class _LineSums(NamedTuple):
    """What a line through points needs to know of them."""

    n: float
    x: float
    y: float
    xx: float
    xy: float
    yy: float

    @classmethod
    def of(cls, x: float, y: float) -> "_LineSums":
        return cls(1.0, x, y, x * x, x * y, y * y)

    @classmethod
    def total(cls, parts: Sequence["_LineSums"]) -> "_LineSums":
        return cls(*(math.fsum(column) for column in zip(*parts, strict=True)))

    def plus(self, other: "_LineSums") -> "_LineSums":
        return _LineSums(*(own + others for own, others in zip(self, other, strict=True)))

    def minus(self, other: "_LineSums") -> "_LineSums":
        return _LineSums(*(own - others for own, others in zip(self, other, strict=True)))

    def slope(self) -> float | None:
        spread = self.xx - self.x * self.x / self.n
        return None if spread <= SAME else (self.xy - self.x * self.y / self.n) / spread

    def flat(self) -> bool:
        return self.yy - self.y * self.y / self.n <= SAME


def difference_of_groups(
    group_values: Mapping[object, Sequence[float]], others: Mapping[object, Sequence[float]], *, signed: bool = False
) -> AgreementEstimate:
    """Mean of one group less that of another, each given as item → numbers in [0, 1], or in [−1, 1] when `signed`.

    The two means' own intervals are joined as Zou and Donner (2008) do, which for shares is Newcombe's method 10:
    never without a width, and cautious where both groups have items in common.
    """
    for group, name in ((group_values, "of the judge's own family"), (others, "of other families")):
        if len(group) < FEWEST_OF_A_GROUP:
            return AgreementEstimate(
                None,
                reason=f"{counted(len(group), 'item')} {name} {_are(len(group))} too few, it takes {FEWEST_OF_A_GROUP}",
            )
    estimate, other = (_unit_mean(group, signed) for group in (group_values, others))
    assert estimate.value is not None
    assert other.value is not None
    assert estimate.interval is not None
    assert other.interval is not None
    scale, delta = (2.0 if signed else 1.0), estimate.value - other.value
    down = math.hypot(estimate.value - estimate.interval[0], other.interval[1] - other.value)
    up = math.hypot(estimate.interval[1] - estimate.value, other.value - other.interval[0])
    ends = max(-1.0, delta - down) * scale, min(1.0, delta + up) * scale
    return AgreementEstimate(delta * scale, ends, "zou_donner")


def _unit_mean(group: Mapping[object, Sequence[float]], signed: bool) -> AgreementEstimate:
    """The group's mean with numbers of [−1, 1] moved into [0, 1]."""
    moved = [[(value + 1) / 2 if signed else value for value in values] for values in group.values()]
    return mean_over(moved, "")


def paired_shift(pairs: Sequence[tuple[float, float]], nothing: str) -> AgreementEstimate:
    """Mean of after − before over targets, given as (before, after), with the paired interval: Tango's or t."""
    if not pairs:
        return AgreementEstimate(None, reason=nothing)
    return judge_bias([(after, before) for before, after in pairs])


def _estimate(value: float, interval: Interval) -> AgreementEstimate:
    return AgreementEstimate(value, (interval.low, interval.high), interval.method, flags=interval.flags)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
