"""What scores that are not there could have been.

`drop` leaves them out, `zero` counts each as 0, `bracket` keeps the mean of what is there and lets the interval
reach from where it would begin if all missing scores were 0 to where it would end if all were 1. None of the
three is right by nature, so the policy in use is named, and the bracket of the mean is always shown.
"""

from collections.abc import Callable, Iterable
from typing import Literal

from gnomon.errors import InvalidInput
from gnomon.stats.describe import ItemSums, ScoreSums
from gnomon.stats.ends import Interval, MeanMethod
from gnomon.stats.interval import mean_interval

MissingPolicy = Literal["drop", "zero", "bracket"]
Rows = Iterable[tuple[ItemSums, int]]
"""Each item's scores, and how many more there should be."""


def missing_bracket(total: float, scored: int, missing: int) -> tuple[float, float] | None:
    """The mean if all missing scores were 0, and if all were 1. None when there is nothing at all."""
    if scored < 0 or missing < 0:
        raise InvalidInput.of("missing", f"scored is {scored} and missing is {missing}; both are counts of 0 or more")
    n = scored + missing
    return None if n == 0 else (total / n, (total + missing) / n)


def filled_interval(rows: Rows, value: float, method: MeanMethod | None = None) -> tuple[ScoreSums, Interval] | None:
    """Sums and interval with every missing score taken as `value`. None without any score, there or missing."""
    complete = [scores.with_more(missing, value) for scores, missing in rows]
    complete = [row for row in complete if row.n]
    if not complete:
        return None
    sums = ScoreSums.of_items(complete)
    return sums, mean_interval(sums, lambda: ((row.total, row.n) for row in complete), method)


def bracket_interval(rows: Callable[[], Rows], method: MeanMethod | None = None) -> Interval | None:
    """The interval from the low end with every missing score at 0 to the high end with every one at 1."""
    lowest, highest = filled_interval(rows(), 0.0, method), filled_interval(rows(), 1.0, method)
    if lowest is None or highest is None:
        return None
    low, high = lowest[1], highest[1]
    return Interval(low.low, high.high, low.method, tuple(dict.fromkeys((*low.flags, *high.flags, "bracketed"))))
