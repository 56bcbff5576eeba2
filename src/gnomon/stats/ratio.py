"""A ratio of two sums over clusters, such as dollars per landed change, with an interval.

What varies is a cluster (a session): its amount and its count come together. The variance is that of the ratio
estimator (Cochran 1977, 6.4), and the interval is laid around the logarithm, so that both ends are above 0. A few
sessions cost most, and the dearest is often not seen yet: upwards the interval reaches as far as if that one had come
twice. In simulations with 3 to 50 sessions it held the truth in 95 % of cases where costs vary moderately (log-normal,
σ 0.5) and in 90 to 92 % where they vary much (σ 1.2); without that in 94 % and in 86 to 90 %.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gnomon.stats.describe import all_equal
from gnomon.stats.tails import t_critical

NOTHING_COUNTED = "nothing was counted to divide by"
ONE_CLUSTER = "a single session shows no spread"
NO_SPREAD = "no spread was seen"
NOTHING_SPENT = "nothing was spent"


@dataclass(frozen=True, slots=True)
class Ratio:
    """Σ amounts / Σ counts. `interval` is None where `reason` says why."""

    value: float | None
    interval: tuple[float, float] | None
    reason: str | None


def ratio_of_sums(amounts: Sequence[float], counts: Sequence[int]) -> Ratio:
    """One amount and one count per cluster.

    >>> found = ratio_of_sums([3.0, 5.0, 4.0], [2, 2, 1])
    >>> found.value, found.interval[0] < 2.4 < found.interval[1]
    (2.4, True)
    """
    pairs = sorted(zip(amounts, counts, strict=True))
    total, count = math.fsum(amount for amount, _ in pairs), sum(number for _, number in pairs)
    if not count:
        return Ratio(None, None, NOTHING_COUNTED)
    value = total / count
    if total <= 0:
        return Ratio(value, None, NOTHING_SPENT)
    if len(pairs) < 2:
        return Ratio(value, None, ONE_CLUSTER)
    off = [amount - value * number for amount, number in pairs]
    if all_equal(0.0, max(map(abs, off)) / total):
        return Ratio(value, None, NO_SPREAD)
    squares = math.fsum(distance * distance for distance in off)
    down, up = _reach(squares, len(pairs), total), _reach(squares + max(off) ** 2, len(pairs), total)
    return Ratio(value, (value / down, value * up), None)


def _reach(squares: float, size: int, total: float) -> float:
    """The factor by which the interval reaches to one side."""
    error = math.sqrt(size / (size - 1) * squares) / total
    return math.exp(min(t_critical(size - 1) * error, _FARTHEST))


_FARTHEST = 50.0
"""Of the logarithm; e to this power is more than any bill."""
