"""How many more items would decide whether a mean is above or below a bar.

A forecast from the items at hand: their mean and their spread are taken to stay. The interval that so many items
would then give is made by the same method as any other (interval.py), around a mean that has moved towards the bar
as far as it does one time in five. The fewest items whose interval leaves the bar out even so are the answer.
"""

import math
from statistics import NormalDist

from gnomon.stats.describe import SAME, ScoreSums
from gnomon.stats.interval import bounded
from gnomon.stats.paired import fewest_items

_POWER_80 = NormalDist().inv_cdf(0.8)


def items_to_decide(mean: float, standard_error: float | None, items: int, bar: float) -> int | None:
    """How many items more than these would probably (four times in five) decide it. None when no number would.

    `standard_error` is that of the mean with items as what varies; None or 0 when they show no spread.

    >>> items_to_decide(0.9, 0.03, 100, 0.85)
    263
    """
    if abs(mean - bar) <= SAME:
        return None
    spread = (standard_error or 0.0) * math.sqrt(items)
    needed = fewest_items(lambda n: _decides(mean, spread, n, bar))
    return max(1, int(needed) - items) if math.isfinite(needed) else None


def _decides(mean: float, spread: float, items: int, bar: float) -> bool:
    """Whether the interval of so many items leaves the bar out, were the mean a little nearer to it."""
    step = _POWER_80 * spread / math.sqrt(items)
    nearer = mean - step if mean > bar else mean + step
    if not 0 <= nearer <= 1 or (nearer > bar) != (mean > bar):
        return False
    interval = bounded(_as_seen(nearer, _variance(mean, spread, nearer), items))
    return interval.low > bar if mean > bar else interval.high < bar


def _variance(mean: float, spread: float, nearer: float) -> float:
    """The variance of items around the moved mean: p(1 − p) where items are 0 or 1, never more than is possible."""
    most = nearer * (1 - nearer)
    is_yes_or_no = spread > 0 and spread * spread >= mean * (1 - mean) * (1 - SAME)
    return most if is_yes_or_no else min(spread * spread, most)


def _as_seen(mean: float, variance: float, items: int) -> ScoreSums:
    total = mean * items
    squares = min(total, items * (variance + mean * mean))
    low, high = (0.0, 1.0) if variance > 0 else (mean, mean)
    return ScoreSums.of_single_scores(items, total, squares, low, high)
