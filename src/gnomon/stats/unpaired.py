"""Two groups that cannot be paired item by item: the difference of their means, and how sure one may be of it.

Scores come in clusters (the iterations of one session or task), and clusters are what varies. Each group's mean has a
Beta interval from two moments (bounded.py), with half a cluster that was not seen yet at the far end of the scale. The
two are put together by the method of variance estimates recovery (MOVER: Zou and Donner 2008, for shares Newcombe
1998): the low end of the difference b − a lies as far below it as the low end of b and the high end of a lie from their
means, added as squares. So the interval lies within [−1, 1], turns round when the groups are swapped, and reaches
farther to the side where scores could be worse than what was seen. The unseen half is the correction for few clusters:
without it two groups of five clusters cover as little as 47 %, with it 95 % (docs/concepts/groups.md).

A cluster may have scores in both groups (one session, two models). Where its scores move against each other the
difference varies more than that of two independent means, and the interval is widened for it; where they move together
it varies less, and the interval stays as it is: for that much certainty, compare item by item (paired.py).
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from gnomon.stats.bounded import mean_ends
from gnomon.stats.describe import SAME, ClusterTotals, ScoreSums
from gnomon.stats.ends import Interval
from gnomon.stats.interval import SMALL_N, Z95
from gnomon.stats.paired import SIGNIFICANT, fewest_items

Clusters = Mapping[Hashable, Sequence[float]]
"""Cluster → its scores in one group."""

NO_SCORES = "one of the groups has no score"
ONE_CLUSTER = "one of the groups has a single cluster, which shows no spread"
UNSEEN_CLUSTERS = 0.5
_NORMAL = NormalDist()
_POWER_80 = _NORMAL.inv_cdf(0.8)


@dataclass(frozen=True, slots=True)
class UnpairedDifference:
    """Mean of the second group less that of the first. Where there is no interval and no p-value, `reason` says why."""

    first: ScoreSums | None
    second: ScoreSums | None
    delta: float | None
    interval: Interval | None
    p_value: float | None
    reason: str | None = None


def unpaired_difference(first: Clusters, second: Clusters) -> UnpairedDifference:
    """The difference of two means with its interval and p-value, which agree: p < 0.05 where 0 is outside.

    >>> found = unpaired_difference({"a": [0.5, 0.6], "b": [0.4]}, {"c": [0.9], "d": [1.0, 0.8]})
    >>> round(found.delta, 3), found.interval.low < 0 < found.interval.high
    (0.4, True)
    """
    a, b = _totals(first), _totals(second)
    if a is None or b is None:
        return UnpairedDifference(a, b, None, None, None, NO_SCORES)
    delta = b.mean - a.mean
    if min(a.clusters, b.clusters) < 2:
        return UnpairedDifference(a, b, delta, None, None, ONE_CLUSTER)
    down, up = _reaches(a, b, _opposition(first, second))
    flags = ["few_clusters"] if min(a.clusters, b.clusters) < SMALL_N else []
    flags += ["shared_clusters"] if _shared(first, second) else []
    interval = Interval(max(-1.0, delta - down), min(1.0, delta + up), "mover", tuple(flags))
    return UnpairedDifference(a, b, delta, interval, _p_value(delta, down, up))


def more_clusters(
    difference: UnpairedDifference, adjusted_p: float | None, min_effect: float | None = None
) -> int | None:
    """How many more clusters in each group would probably (four times in five) settle it, if what was seen holds.

    Settled means significant after the adjustment for several questions, or, with `min_effect`, shown to be too small
    to matter: whichever takes fewer. None when nothing can be said from these clusters.
    """
    a, b, delta, p = difference.first, difference.second, difference.delta, difference.p_value
    if a is None or b is None or delta is None or p is None or adjusted_p is None:
        return None
    alpha = SIGNIFICANT * (p / adjusted_p if 0 < p < adjusted_p else 1.0)
    needed = [math.inf]
    if abs(delta) > SAME:
        needed.append(fewest_items(lambda more: _expected(a, b, more, alpha)[delta < 0] <= abs(delta)))
    if min_effect is not None and abs(delta) < min_effect:
        left = min_effect - abs(delta)
        needed.append(fewest_items(lambda more: max(_expected(a, b, more, SIGNIFICANT)) <= left))
    least = min(needed)
    return int(least) if math.isfinite(least) else None


def _expected(a: ClusterTotals, b: ClusterTotals, more: int, alpha: float) -> tuple[float, float]:
    """How far the ends would reach with so many more clusters like these in each group, and as far again as the
    difference is off one time in five."""
    a, b = _grown(a, more), _grown(b, more)
    error = math.sqrt(sum(float(group.variance_of_mean or 0) for group in (a, b)))
    down, up = _reaches(a, b, 0.0, alpha)
    return down + _POWER_80 * error, up + _POWER_80 * error


def _grown(totals: ClusterTotals, more: int) -> ClusterTotals:
    """The sums as if there were so many more clusters with the same mean and spread."""
    # Every cluster as large as all of them together, so that sums stay whole numbers; only proportions matter.
    size, clusters = totals.clusters, totals.clusters + more
    return ClusterTotals(
        clusters=clusters, scores=totals.scores * clusters, total=totals.total * clusters,
        total_squares=totals.total_squares * size * clusters, total_by_count=totals.total_by_count * size * clusters,
        count_squares=totals.count_squares * size * clusters,
    )  # fmt: skip


def _totals(clusters: Clusters) -> ScoreSums | None:
    """Sorted, so that the order of clusters and scores does not even decide the last digit."""
    scored = sorted(sorted(scores) for scores in clusters.values() if len(scores))
    return ScoreSums.of_clusters(scored) if scored else None


def _reaches(a: ClusterTotals, b: ClusterTotals, opposition: float, alpha: float = SIGNIFICANT) -> tuple[float, float]:
    """How far the interval reaches below the difference, and above it."""
    (a_low, a_high), (b_low, b_high) = (mean_ends(group, UNSEEN_CLUSTERS, alpha) for group in (a, b))
    down = _added(b.mean - b_low, a_high - a.mean, opposition)
    return down, _added(b_high - b.mean, a.mean - a_low, opposition)


def _added(first: float, other: float, opposition: float) -> float:
    """Two distances as squares, and more where the groups move against each other."""
    return math.sqrt(first * first + other * other + 2 * opposition * first * other)


def _opposition(first: Clusters, second: Clusters) -> float:
    """How strongly the two means move against each other, from 0 to 1, through the clusters that both groups have."""
    shared = _shared(first, second)
    if not shared:
        return 0.0
    of_first, of_second = _residuals(first), _residuals(second)
    product = math.fsum(of_first[key] * of_second[key] for key in shared)
    spread = math.sqrt(
        math.fsum(off * off for off in of_first.values()) * math.fsum(off * off for off in of_second.values())
    )
    return min(1.0, max(0.0, -product / spread)) if spread > SAME * SAME else 0.0


def _shared(first: Clusters, second: Clusters) -> list[Hashable]:
    return [key for key in first if len(first[key]) and len(second.get(key, ()))]


def _residuals(clusters: Clusters) -> dict[Hashable, float]:
    """How far each cluster's sum is from what the group's mean would give it."""
    sums = {key: (math.fsum(scores), len(scores)) for key, scores in clusters.items() if len(scores)}
    mean = math.fsum(total for total, _ in sums.values()) / sum(n for _, n in sums.values())
    return {key: total - n * mean for key, (total, n) in sums.items()}


def _p_value(delta: float, down: float, up: float) -> float:
    """Two-sided: how unusual the difference would be, were the reach towards 0 that of a normal distribution."""
    reach = down if delta > 0 else up
    if abs(delta) <= SAME or reach <= 0:
        return 1.0
    return min(1.0, 2 * _NORMAL.cdf(-abs(delta) * Z95 / reach))
