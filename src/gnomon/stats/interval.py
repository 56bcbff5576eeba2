"""95 % confidence intervals of a mean score.

Every interval here lies inside [0, 1], contains the mean and has a width: data that agree with themselves are
not certain. `mean_interval` chooses the method; the others are for callers who know what they have.

| scores | method |
|---|---|
| 0 or 1, one per item | Wilson |
| 0 or 1, several per item | Wilson with the effective number of scores and t(items − 1) |
| real, 15 items or more | BCa bootstrap over items |
| real, fewer | t over items, clipped to [0, 1]; flagged `small_n` |
| real, all equal | Wilson on the mean |
| one item | Wilson as if it were one score; flagged `one_item`, or `single_run` if it is one |

`interval_over` does the same for scores at hand, `equal_weight_interval` where every item counts the same
however many scores it has, `items_fixed_interval` for what the same items would give if tried again.
Differences between two experiments are in paired.py.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

from gnomon.errors import InvalidInput
from gnomon.stats.describe import ClusterTotals, ScoreSums
from gnomon.stats.resample import RESAMPLED_UP_TO, bca_ends, bca_ends_from
from gnomon.stats.tails import beta_quantile, t_critical

Method = Literal[
    "wilson", "cluster_wilson", "t_clipped", "bca", "clopper_pearson", "jeffreys", "tango",
    "beta_mixture", "empirical_bernstein",
]  # fmt: skip
Items = Iterable[tuple[float, int]]
"""Each item's sum of scores and how many they are."""

Z95 = NormalDist().inv_cdf(0.975)
SMALL_N = 15
"""Below this many real-valued scores a t interval covers noticeably less than it says."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % confidence interval, how it was made, and what a reader should know before trusting it."""

    low: float
    high: float
    method: Method
    flags: tuple[str, ...] = ()


def mean_interval(sums: ScoreSums, items: Callable[[], Items] | None = None) -> Interval:
    """The interval of the mean over all scores, from one row of sums, by the table above.

    `items` is asked where resampling needs the items themselves: real scores, at least 15 items and not too
    many. Without it, and for many, the interval is computed from the sums.
    """
    if sums.all_binary:
        return cluster_wilson_from(sums)
    error = sums.standard_error
    if error is None:
        return _wilson_at(sums.mean, 1, flags=("single_run" if sums.scores == 1 else "one_item",))
    if error == 0 or sums.clusters < SMALL_N:
        return t_clipped(sums.mean, error * math.sqrt(sums.clusters), sums.clusters)
    if items is not None and sums.clusters <= RESAMPLED_UP_TO:
        ends = bca_ends(*zip(*items(), strict=True))
    else:
        plain_error = error * math.sqrt((sums.clusters - 1) / sums.clusters)
        ends = bca_ends_from(sums.mean, plain_error, sums.skewness, sums.clusters)
    return kept_inside(ends, sums.mean, sums.clusters)


def interval_over(clusters: Sequence[Sequence[float]]) -> Interval:
    """The interval of the mean over all these scores; those of one item (or conversation, …) stand together."""
    return mean_interval(ScoreSums.of_clusters(clusters), lambda: ((math.fsum(c), len(c)) for c in clusters if len(c)))


def equal_weight_interval(clusters: Sequence[Sequence[float]]) -> Interval:
    """The interval of the mean of the items' means, so that every item has one vote whatever its trials."""
    scored = [scores for scores in clusters if len(scores)]
    sums = ScoreSums.of_clusters(scored)
    if len({len(scores) for scores in scored}) == 1:
        return interval_over(scored)
    means = ScoreSums.of_clusters([[math.fsum(scores) / len(scores)] for scores in scored])
    if not sums.all_binary:
        return interval_over([[math.fsum(scores) / len(scores)] for scores in scored])
    variance, mean = means.variance_of_mean, means.exact_mean
    n = float(means.clusters) if not variance else min(float(mean * (1 - mean) / variance), float(sums.scores))
    return _wilson_at(means.mean, n, t_critical(means.clusters - 1), method="cluster_wilson")


def items_fixed_interval(mean: float, error: float, degrees: int) -> Interval:
    """Where the mean would fall if these very items were tried again, flagged `items_fixed`.

    Only the spread within items counts (`describe.within_item_error`), so it says nothing about other items
    and is narrower for that. `degrees` is the number of scores less the number of items.
    """
    reach = t_critical(degrees) * error
    low, high = max(0.0, mean - reach), min(1.0, mean + reach)
    if low < high:
        return Interval(low, high, "t_clipped", ("items_fixed",))
    return _wilson_at(mean, degrees + 1, flags=("items_fixed",))


def bca(values: Sequence[float]) -> Interval:
    """The bootstrap interval of the mean of these values, one an item, whatever their number."""
    sums = ScoreSums.of_clusters([[value] for value in values])
    if sums.minimum == sums.maximum:
        return _wilson_at(sums.mean, sums.scores)
    return kept_inside(bca_ends(values, [1] * len(values)), sums.mean, len(values))


def clopper_pearson(passed: int, n: int) -> Interval:
    """The exact interval (Clopper and Pearson 1934): never covers less than 95 %, mostly more."""
    _check_share(passed, n)
    low = beta_quantile(0.025, passed, n - passed + 1) if passed else 0.0
    high = beta_quantile(0.975, passed + 1, n - passed) if passed < n else 1.0
    return Interval(low, high, "clopper_pearson")


def jeffreys(passed: int, n: int) -> Interval:
    """The middle 95 % of the posterior under Jeffreys' prior, Beta(½, ½). At 0 and n it leaves the mean out."""
    _check_share(passed, n)
    a, b = passed + 0.5, n - passed + 0.5
    return Interval(beta_quantile(0.025, a, b), beta_quantile(0.975, a, b), "jeffreys")


def wilson(successes: float, n: float, critical: float = Z95) -> Interval:
    """Wilson's score interval (1927) of successes / n. Neither needs to be whole.

    >>> wilson(8, 10).low
    0.49016247153664183
    """
    _check_share(successes, n)
    return _wilson_at(successes / n, n, critical)


def cluster_wilson(sums: Sequence[float], counts: Sequence[int]) -> Interval:
    """For scores of 0 and 1 in clusters: each cluster's number of ones and number of scores."""
    for ones, scores in zip(sums, counts, strict=False):
        if not (0 <= ones <= scores and ones == int(ones)):
            message = f"{ones} ones among {scores} scores: impossible; use t_clipped unless all are 0 or 1"
            raise InvalidInput.of("sums", message)
    return cluster_wilson_from(ClusterTotals.of(sums, counts))


def cluster_wilson_from(totals: ClusterTotals) -> Interval:
    """The same from sums that a database made. Plain Wilson when every cluster is a single score."""
    if totals.scores == totals.clusters:
        return _wilson_at(totals.mean, totals.scores, flags=("single_run",) if totals.scores == 1 else ())
    if totals.clusters == 1:
        return _wilson_at(totals.mean, 1, flags=("one_item",))
    critical = t_critical(totals.clusters - 1)
    return _wilson_at(totals.mean, effective_n(totals), critical, method="cluster_wilson")


def effective_n(totals: ClusterTotals) -> float:
    """How many independent scores of 0 or 1 would pin the mean down as well (Korn and Graubard 1998).

    Never more than there are. Clusters that all have the same mean show no variance to judge by: then each
    counts as one score, the most cautious reading.
    """
    variance = totals.variance_of_mean
    if not variance:
        return float(totals.clusters)
    mean = totals.exact_mean
    return min(float(mean * (1 - mean) / variance), float(totals.scores))


def t_clipped(mean: float, standard_deviation: float | None, n: int) -> Interval:
    """Student's t interval of n real values in [0, 1] (or of n item means), clipped to [0, 1]."""
    if n < 1:
        raise InvalidInput.of("n", f"n is {n}; an interval needs at least one score")
    if not 0 <= mean <= 1:
        raise InvalidInput.of("mean", f"mean is {mean}, outside [0, 1]; divide by your scale first")
    if n == 1:
        return _wilson_at(mean, 1, flags=("single_run",))
    if standard_deviation is None or not (math.isfinite(standard_deviation) and standard_deviation >= 0):
        message = f"standard_deviation is {standard_deviation} with n = {n}; give a number of 0 or more"
        raise InvalidInput.of("standard_deviation", message)
    flags = ("small_n",) if n < SMALL_N else ()
    reach = t_critical(n - 1) * standard_deviation / math.sqrt(n)
    low, high = max(0.0, mean - reach), min(1.0, mean + reach)
    return Interval(low, high, "t_clipped", flags) if low < high else _wilson_at(mean, n, flags=flags)


def kept_inside(ends: tuple[float, float], mean: float, n: int) -> Interval:
    """Resampled ends as an interval: inside [0, 1], around the mean, never without a width."""
    low, high = max(0.0, min(ends[0], mean)), min(1.0, max(ends[1], mean))
    return Interval(low, high, "bca") if low < high else _wilson_at(mean, n)


def _check_share(successes: float, n: float) -> None:
    if not (math.isfinite(n) and n > 0):
        raise InvalidInput.of("n", f"n is {n}; an interval needs at least one score")
    if not 0 <= successes <= n:
        raise InvalidInput.of("successes", f"successes is {successes} of {n}; it must lie between 0 and n")


def _wilson_at(
    mean: float, n: float, critical: float = Z95, method: Method = "wilson", flags: tuple[str, ...] = ()
) -> Interval:
    pull = critical * critical / n
    center = (mean + pull / 2) / (1 + pull)
    reach = math.sqrt(pull * mean * (1 - mean) + pull * pull / 4) / (1 + pull)
    # At 0 and 1 one end is the mean itself, which rounding can miss by an ulp.
    low, high = max(0.0, min(center - reach, mean)), min(1.0, max(center + reach, mean))
    return Interval(low, high, method, flags)
