"""How long until something happened, when for some it never did while anybody looked.

Whoever had not acted when the looking ended is censored: it took longer than that, and nobody knows how much. To
leave such runs out, or to count them as 0, would reward never acting. The median needs no more than half of the
events; the restricted mean is that of the time up to a horizon, at which everybody left is taken to stop.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gnomon.errors import InvalidInput
from gnomon.stats.ends import Interval
from gnomon.stats.interval import interval_over


class Wait(NamedTuple):
    """A time, and whether something happened then; else it is when the looking ended."""

    time: float
    happened: bool


class TimeInterval(NamedTuple):
    """A 95 % interval of a time; `high` is None when it may lie beyond all looking."""

    low: float
    high: float | None


def survival_curve(waits: Iterable[Wait]) -> list[tuple[float, float]]:
    """The share that is still waiting after each time at which something happened (Kaplan and Meier 1958).

    >>> survival_curve([Wait(0, True), Wait(1, True), Wait(2, True), Wait(6, False)])
    [(0, 0.75), (1, 0.5), (2, 0.25)]
    """
    waits = _checked(waits)
    at_risk, events, leaving = len(waits), Counter[float](), Counter[float]()
    for time, happened in waits:
        leaving[time] += 1
        events[time] += happened
    # Whole numbers up to the division: without censoring the curve is exactly the share still waiting.
    above, below = 1, 1
    curve: list[tuple[float, float]] = []
    for time in sorted(leaving):
        if events[time]:
            above, below = above * (at_risk - events[time]), below * at_risk
            shared = math.gcd(above, below)
            above, below = above // shared, below // shared
            curve.append((time, above / below))
        at_risk -= leaving[time]
    return curve


def median_wait(waits: Iterable[Wait]) -> float | None:
    """The first time by which half or more had it happen. None when that was never reached.

    >>> median_wait([Wait(0, True), Wait(6, False), Wait(6, False)]) is None
    True
    """
    return next((time for time, waiting in survival_curve(waits) if waiting <= 0.5), None)


def median_ends(waits: Iterable[Wait]) -> TimeInterval:
    """The interval of the median between two of the ordered times, by the binomial distribution of how many lie below.

    Censored times stand last: exact where all are censored at one horizon, and a wider interval elsewhere. With five
    or fewer no such interval covers 95 %, so it is open above and begins at 0.
    """
    waits = _checked(waits)
    n = len(waits)
    ordered = sorted(wait.time if wait.happened else math.inf for wait in waits)
    skipped, tail = 0, 1
    # P(at most r of n below the median) is the sum of C(n, 0…r) / 2^n; 1/40 may be lost at either end.
    while 40 * tail <= 2**n:
        skipped += 1
        tail += math.comb(n, skipped)
    if not skipped:
        return TimeInterval(0.0, None)
    low, high = ordered[skipped - 1], ordered[n - skipped]
    if math.isinf(low):
        low = max(wait.time for wait in waits)
    return TimeInterval(low, None if math.isinf(high) else high)


def restricted_mean(times: Sequence[float | None], horizon: float) -> tuple[float, Interval]:
    """The mean time up to the horizon, and its interval; None took longer.

    >>> restricted_mean([0, 1, None, 2], 6)[0]
    2.25
    """
    if not (math.isfinite(horizon) and horizon > 0):
        raise InvalidInput.of("horizon", f"horizon is {horizon}; give a time above 0")
    if not times:
        raise InvalidInput.of("times", "there is no time; without one there is no mean")
    stopped = [horizon if time is None else min(time, horizon) for time in times]
    if min(stopped) < 0:
        raise InvalidInput.of("times", f"time {min(stopped)} is below 0; count from the start")
    ends = interval_over([[time / horizon] for time in stopped])
    return math.fsum(stopped) / len(stopped), Interval(ends.low * horizon, ends.high * horizon, ends.method, ends.flags)


def _checked(waits: Iterable[Wait]) -> list[Wait]:
    checked = [Wait(*wait) for wait in waits]
    if not checked:
        raise InvalidInput.of("waits", "there is no time; without one there is no curve")
    for wait in checked:
        if not (math.isfinite(wait.time) and wait.time >= 0):
            raise InvalidInput.of("waits", f"time {wait.time} is not a time; count from the start, 0 or more")
    return checked
