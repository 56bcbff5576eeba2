"""The mean of bounded scores, when nothing else is known about them: a Beta interval from two moments.

Scores in [0, 1] that all read 0.9 are not proof of a mean of 0.9: one failure in fifty may not have shown up yet.
So each end is computed as if one more unit had been seen at the far end of the scale: at 0 for the low end, at 1
for the high end. The mean m and the variance v of a Dirichlet-weighted mean of all these units (the Bayesian
bootstrap; Rubin 1981) are matched by a Beta distribution, and its 2.5 % and 97.5 % quantiles are the ends. For scores
of 0 and 1 that is Clopper and Pearson's interval. Less than a whole unit is a little narrower, and did not cover 93 %
in every case that was tried (docs/concepts/intervals.md).

Sums are all it needs, so one pass of any database gives it: nothing is drawn, there is no seed, and no threshold at
which the method changes. A unit is an item: its score, or all the scores of its trials together.

Differences of two scores lie in [−1, 1]. They are moved to [0, 1], with `UNSEEN_DIFFERENCE` at both ends at once,
so that one distribution gives the interval and the p-value: p < 0.05 exactly where the interval leaves 0 out.
"""

import math
from collections.abc import Sequence

from gnomon.stats.describe import ClusterTotals
from gnomon.stats.tails import beta_quantile, beta_share_below

UNSEEN = 1.0
UNSEEN_DIFFERENCE = 0.25
Ends = tuple[float, float]


def mean_ends(totals: ClusterTotals, unseen: float = UNSEEN, alpha: float = 0.05) -> Ends:
    """The ends of the interval (95 % unless stated otherwise) of the mean over all scores; items are what varies."""
    mean = totals.mean
    low = quantile(alpha / 2, *_moments(totals, at_zero=unseen, at_one=0.0))
    high = quantile(1 - alpha / 2, *_moments(totals, at_zero=0.0, at_one=unseen))
    return max(0.0, min(low, mean)), min(1.0, max(high, mean))


def difference_ends(differences: Sequence[float]) -> tuple[Ends, float]:
    """Both ends of the 95 % interval of a mean difference in [−1, 1], and the two-sided p-value of none."""
    mean, variance = _moments(_as_scores(differences), at_zero=UNSEEN_DIFFERENCE, at_one=UNSEEN_DIFFERENCE)
    low, high = (2 * quantile(share, mean, variance) - 1 for share in (0.025, 0.975))
    below = beta_share_below(0.5, *_shape(mean, variance))
    delta = math.fsum(differences) / len(differences)
    return (max(-1.0, min(low, delta)), min(1.0, max(high, delta))), min(1.0, 2 * min(below, 1 - below))


def _as_scores(differences: Sequence[float]) -> ClusterTotals:
    moved = [(difference + 1) / 2 for difference in differences]
    return ClusterTotals.of(moved, [1] * len(moved))


def _moments(totals: ClusterTotals, at_zero: float, at_one: float) -> tuple[float, float]:
    """Mean and variance of the weighted mean, with so many units more at 0 and at 1.

    An added unit has as many scores as items have on average.
    """
    size = totals.scores / totals.clusters
    units = totals.clusters + at_zero + at_one
    mean = (totals.total / size + at_one) / units
    squares = totals.squared_residuals(mean) / size**2 + at_zero * mean**2 + at_one * (1 - mean) ** 2
    return mean, squares / (units * (units + 1))


def quantile(share: float, mean: float, variance: float) -> float:
    """Below which value that share of the Beta distribution with these moments lies."""
    # At 0 and at 1 every unit sits at the same end: there is no distribution left, and the end is that value.
    if not 0 < mean < 1 or variance <= 0:
        return min(max(mean, 0.0), 1.0)
    # A variance that no Beta distribution has says nothing, so the end of the scale is the answer.
    return beta_quantile(share, *_shape(mean, variance)) if variance < mean * (1 - mean) else float(share > 0.5)


def _shape(mean: float, variance: float) -> tuple[float, float]:
    """The Beta distribution with these moments."""
    weight = mean * (1 - mean) / variance - 1
    return mean * weight, (1 - mean) * weight
