"""95 % confidence intervals of a mean score.

Every interval here lies inside [0, 1], contains the mean and has a width: data that agree with themselves are
not certain. `mean_interval` chooses the method; the others are for callers who know what they have.

| scores | method |
|---|---|
| 0 or 1, one per item | Wilson |
| 0 or 1, several per item | Wilson with the effective number of scores and t(items − 1) |
| real | t over items, clipped to [0, 1]; flagged `small_n` below 15 items |
| real, all equal | Wilson on the mean |
| one item | Wilson as if it were one score; flagged `one_item`, or `single_run` if it is one |

Differences between two experiments are in paired.py. Resampling needs the scores themselves, not their sums,
and is not done here.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

from gnomon.errors import InvalidInput
from gnomon.stats.describe import ClusterTotals, ScoreSums
from gnomon.stats.tails import t_critical

Method = Literal["wilson", "cluster_wilson", "t_clipped", "clopper_pearson", "tango"]

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


def mean_interval(sums: ScoreSums) -> Interval:
    """The interval of the mean over all scores, from one row of sums, by the table above."""
    if sums.all_binary:
        return cluster_wilson_from(sums)
    error = sums.standard_error
    if error is None:
        return _wilson_at(sums.mean, 1, flags=("single_run" if sums.scores == 1 else "one_item",))
    return t_clipped(sums.mean, error * math.sqrt(sums.clusters), sums.clusters)


def wilson(successes: float, n: float, critical: float = Z95) -> Interval:
    """Wilson's score interval (1927) of successes / n. Neither needs to be whole.

    >>> wilson(8, 10).low
    0.49016247153664183
    """
    if not (math.isfinite(n) and n > 0):
        raise InvalidInput.of("n", f"n is {n}; an interval needs at least one score")
    if not 0 <= successes <= n:
        raise InvalidInput.of("successes", f"successes is {successes} of {n}; it must lie between 0 and n")
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


def _wilson_at(
    mean: float, n: float, critical: float = Z95, method: Method = "wilson", flags: tuple[str, ...] = ()
) -> Interval:
    pull = critical * critical / n
    center = (mean + pull / 2) / (1 + pull)
    reach = math.sqrt(pull * mean * (1 - mean) + pull * pull / 4) / (1 + pull)
    # At 0 and 1 one end is the mean itself, which rounding can miss by an ulp.
    low, high = max(0.0, min(center - reach, mean)), min(1.0, max(center + reach, mean))
    return Interval(low, high, method, flags)
