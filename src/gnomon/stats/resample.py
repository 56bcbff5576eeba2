"""Bias-corrected and accelerated bootstrap intervals (Efron 1987) of a mean.

What varies is an item: a value, or the sum and the number of its scores when items differ in size. Items are
sorted first and the generator is seeded, so the same data in any order give the same interval. From
`RESAMPLED_UP_TO` items on the interval is computed instead of drawn: the skewness of the data gives the bias,
the acceleration and, by Cornish and Fisher's expansion, the quantiles. There the formula is nearer to what
infinitely many resamples would say than 9,999 of them are.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

from gnomon.errors import InvalidInput
from gnomon.stats.tails import numpy

RESAMPLES = 9_999
RESAMPLED_UP_TO = 300
SEED = 0

_NORMAL = NormalDist()
_Z95 = _NORMAL.inv_cdf(0.975)
_SAME = 1e-12
"""Resampled means closer than this to the mean are equal to it: they were added in another order."""
_DRAWN_AT_ONCE = 1_000_000


def seeded(seed: int = SEED) -> Any:
    """The random numbers behind every resampled figure: PCG64, the same on every machine."""
    np = numpy()
    return np.random.Generator(np.random.PCG64(seed))


def bca_ends(sums: Sequence[float], counts: Sequence[int]) -> tuple[float, float]:
    """Both ends of the 95 % interval of Σ sums / Σ counts, with items drawn with replacement."""
    if len(sums) != len(counts) or not len(sums):
        message = f"there are {len(sums)} sums and {len(counts)} counts; give one of each an item"
        raise InvalidInput.of("counts", message)
    np = numpy()
    items = np.array(sorted(zip(sums, counts, strict=True)), dtype=float)
    if len(items) > RESAMPLED_UP_TO:
        return _computed_from(items[:, 0], items[:, 1])
    return bca_of(_resampled(items[:, 0], items[:, 1]), items[:, 0], items[:, 1])


def bca_of(resampled: Any, sums: Any, counts: Any) -> tuple[float, float]:
    """Both ends, from the means of resamples that were already drawn."""
    np = numpy()
    mean = float(sums.sum() / counts.sum())
    below = (np.count_nonzero(resampled < mean - _SAME) + np.count_nonzero(resampled <= mean + _SAME)) / 2
    bias = _NORMAL.inv_cdf(min(max(below, 0.5), len(resampled) - 0.5) / len(resampled))
    left_out = (sums.sum() - sums) / (counts.sum() - counts)
    acceleration = _skewness(left_out.mean() - left_out) / (6 * math.sqrt(len(sums)))
    low, high = np.quantile(resampled, [_share(bias, acceleration, z) for z in (-_Z95, _Z95)])
    return float(low), float(high)


def bca_ends_from(mean: float, standard_error: float, skewness: float, items: int) -> tuple[float, float]:
    """The same from three numbers about many items; the standard error is that of the n formula, not n − 1."""
    tilt = skewness / (6 * math.sqrt(items))

    def end(z: float) -> float:
        w = tilt + (tilt + z) / (1 - tilt * (tilt + z))
        return mean + standard_error * (w + tilt * (w * w - 1) - tilt * tilt * (2 * w**3 - 5 * w))

    return end(-_Z95), end(_Z95)


def _computed_from(sums: Any, counts: Any) -> tuple[float, float]:
    mean = float(sums.sum() / counts.sum())
    off = sums - mean * counts
    error = math.sqrt(float((off**2).sum())) / float(counts.sum())
    return bca_ends_from(mean, error, _skewness(off), len(sums))


def _skewness(off: Any) -> float:
    """The skewness of distances from a centre, scaled first: the powers of tiny ones would vanish."""
    np = numpy()
    farthest = float(np.abs(off).max())
    if farthest == 0:
        return 0.0
    scaled = off / farthest
    return float((scaled**3).mean() / (scaled**2).mean() ** 1.5)


def _resampled(sums: Any, counts: Any) -> Any:
    np = numpy()
    random, items = seeded(), len(sums)
    means = np.empty(RESAMPLES)
    alike = counts.min() == counts.max()
    step = max(1, _DRAWN_AT_ONCE // items)
    for start in range(0, RESAMPLES, step):
        drawn = random.integers(0, items, (min(step, RESAMPLES - start), items))
        scores = items * counts[0] if alike else counts[drawn].sum(axis=1)
        means[start : start + len(drawn)] = sums[drawn].sum(axis=1) / scores
    return means


def _share(bias: float, acceleration: float, z: float) -> float:
    """Which quantile of the resamples is the end that z stands for."""
    shifted = bias + z
    stretch = 1 - acceleration * shifted
    if stretch <= 0:  # as skewed as a handful of items can be: the farthest resample is the end
        return 0.0 if z < 0 else 1.0
    return _NORMAL.cdf(bias + shifted / stretch)
