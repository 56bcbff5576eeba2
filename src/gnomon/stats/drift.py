"""Has the mean of a stream of scores moved since a reference window? A test that may be looked at every day.

The scores come as sums per day. Two things are unknown, the mean of the reference and the mean since. They share the
allowed chance of a false alarm, four fifths and one fifth: for the mean since, a smaller chance costs little:

* The reference has an interval for its mean (`reference_ends`).
* Since then every day is a possible beginning of a change. For each beginning there are *e-processes*: numbers that
  start at 1 and, as long as the mean is not below the reference's low end (or above its high end), grow beyond c at
  any time in the future with a chance of at most 1/c (Ville 1939). An alarm is an e-process beyond its share of the
  allowed chance, so the chance that an unchanged stream ever raises one is at most `alpha`, over all looks together.

The e-processes are products over scores of exp(bet · (m − x) − ψ(bet) · (x − c)²) with ψ(b) = −log(1 − b) − b (the
empirical Bernstein kind of Waudby-Smith and Ramdas 2023, good for scores that vary little), and of
exp(−bet · x) / (1 − m + m · exp(−bet)) (a likelihood ratio when scores are 0 and 1). The bets are fixed, and c is the
mean of the week before, so a day's scores enter by their count, sum and sum of squares: their order cannot matter,
and a day that is not over yet may be looked at too. Several bets and all beginnings share the chance by fixed
weights; a process for each possible beginning is what Shin, Ramdas and Rinaldo (2024) call an e-detector.

What is assumed: scores of different days are independent given the day. Scores of one day may be alike: where days
differ by more than their scores explain, the day's evidence is divided by that factor. Dividing by a factor of at
least 1 that was known before the day keeps the guarantee for independent scores (Jensen); for alike ones it is right
to the second order. How right is simulated in docs/concepts/drift.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gnomon.stats.bounded import mean_ends
from gnomon.stats.describe import ClusterTotals
from gnomon.stats.tails import numpy, t_critical

DriftStatus = Literal["alarm", "quiet", "too_few"]
DriftDirection = Literal["down", "up"]
Ends = tuple[float, float]

ALPHA = 0.05
REFERENCE_DAYS = 7

_BERNSTEIN_BETS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
_LIKELIHOOD_BETS = (0.07, 0.15, 0.3, 0.6, 1.2, 2.4, 4.0)
_BETS = len(_BERNSTEIN_BETS) + len(_LIKELIHOOD_BETS)
_CENTER_DAYS = 7
_REFERENCE_SHARE = 0.8
_FEWEST_DAYS_FOR_T = 3


@dataclass(frozen=True, slots=True)
class DaySums:
    """The scores of one day, which has at least one."""

    n: int
    total: float
    squares: float


@dataclass(frozen=True, slots=True)
class Watched:
    """What a stream says about its reference. Positions count the days after the reference, from 0."""

    status: DriftStatus
    reference_ends: Ends
    direction: DriftDirection | None
    alarm_at: int | None
    """The first day at whose end the alarm stood."""
    began_at: int | None
    """The beginning that the alarm is strongest for."""
    effect: float | None
    """Mean since the change began (since the reference, when quiet) minus the mean of the reference."""
    effect_ends: Ends | None


def watch(reference: Sequence[DaySums], since: Sequence[DaySums], alpha: float = ALPHA) -> Watched:
    """Compare the days since with the days of the reference, which must be some."""
    ends = reference_ends(reference, _REFERENCE_SHARE * alpha)
    if not since:
        return Watched("too_few", ends, None, None, None, None, None)
    falling = _Falling(reference, since)
    rising = _Falling(_mirrored(reference), _mirrored(since))
    bar = math.log(2 / ((1 - _REFERENCE_SHARE) * alpha))  # each direction has half of what the reference leaves
    crossed = [
        (*first, direction)
        for direction, process, low in (("down", falling, ends[0]), ("up", rising, 1 - ends[1]))
        if (first := process.first_beyond(low, bar)) is not None
    ]
    alarm_at, began_at, direction = min(crossed) if crossed else (None, None, None)
    start = began_at or 0
    mean, reference_mean = _mean(since[start:]), _mean(reference)
    low, high = 1 - rising.highest_mean(start, bar), falling.highest_mean(start, bar)
    low, high = min(low, mean), max(high, mean)
    status: DriftStatus = "alarm" if crossed else "quiet" if _could_alarm(since, ends, bar) else "too_few"
    effect_ends = (max(-1.0, low - ends[1]), min(1.0, high - ends[0]))
    return Watched(status, ends, _named(direction), alarm_at, began_at, mean - reference_mean, effect_ends)


def reference_ends(days: Sequence[DaySums], alpha: float) -> Ends:
    """Where the mean of the reference lies: wide enough both for independent scores and for days that differ."""
    n, total = sum(day.n for day in days), math.fsum(day.total for day in days)
    total = min(max(total, 0.0), float(n))
    squares = math.fsum(day.squares for day in days)
    scores = ClusterTotals(
        clusters=n, scores=n, total=total, total_squares=squares, total_by_count=total, count_squares=n
    )
    low, high = mean_ends(scores, alpha=alpha)
    if len(days) >= _FEWEST_DAYS_FOR_T:
        mean = total / n
        spread = math.fsum((day.total - day.n * mean) ** 2 for day in days) * len(days) / (len(days) - 1)
        reach = t_critical(len(days) - 1, alpha) * math.sqrt(spread) / n
        low, high = min(low, mean - reach), max(high, mean + reach)
    return max(0.0, low), min(1.0, high)


class _Falling:
    """The evidence that the mean has fallen, from every beginning and by every bet."""

    def __init__(self, reference: Sequence[DaySums], since: Sequence[DaySums]) -> None:
        np = numpy()
        days = [*reference, *since]
        n, total, squares = (np.array([getattr(day, name) for day in days], float) for name in DaySums.__slots__)
        center, alike = _centers(np, n, total), _alikeness(np, n, total, squares)
        first = len(reference)
        n, total, squares, center, alike = (x[first:] for x in (n, total, squares, center, alike))
        spread = np.maximum(squares - 2 * center * total + n * center**2, 0.0)
        self._np = np
        self._n, self._total, self._spread = n / alike, total / alike, spread / alike
        number = np.arange(1, len(since) + 1)
        self._log_weights = -np.log(number * (number + 1.0)) - math.log(_BETS)

    def first_beyond(self, mean: float, bar: float) -> tuple[int, int] | None:
        """The first day at which the evidence against this mean (or a higher one) is beyond the bar, and the
        beginning that it is strongest for then."""
        np = self._np
        grown = np.cumsum(self._gains(mean), axis=1)
        before = np.concatenate([np.zeros((_BETS, 1)), grown[:, :-1]], axis=1)
        starts = self._log_weights - before
        beyond = np.flatnonzero((grown + np.maximum.accumulate(starts, axis=1)).max(axis=0) >= bar)
        if not len(beyond):
            return None
        day = int(beyond[0])
        best = (grown[:, [day]] + starts[:, : day + 1]).max(axis=0)
        return day, int(best.argmax())

    def highest_mean(self, start: int, bar: float) -> float:
        """The highest mean from this beginning until now that is not ruled out."""
        n, total, spread = (float(x[start:].sum()) for x in (self._n, self._total, self._spread))
        needed = bar - float(self._log_weights[start])
        ends = [(total + (_psi(bet) * spread + needed) / bet) / n for bet in _BERNSTEIN_BETS]
        ends += [-math.expm1(-(bet * total + needed) / n) / -math.expm1(-bet) for bet in _LIKELIHOOD_BETS]
        return min(1.0, *ends)

    def _gains(self, mean: float) -> Any:
        """How much the logarithm of each bet's evidence grows on each day, were this the mean."""
        n, total, spread = self._n, self._total, self._spread
        rows = [bet * (n * mean - total) - _psi(bet) * spread for bet in _BERNSTEIN_BETS]
        rows += [-bet * total - n * math.log1p(mean * math.expm1(-bet)) for bet in _LIKELIHOOD_BETS]
        return self._np.array(rows)


def _centers(np: Any, n: Any, total: Any) -> Any:
    """The mean of the week before each day; a half before the first."""
    counted, summed = (np.concatenate([[0.0], np.cumsum(x)]) for x in (n, total))
    days = np.arange(len(n))
    back = np.maximum(0, days - _CENTER_DAYS)
    seen = counted[days] - counted[back]
    return np.where(seen > 0, (summed[days] - summed[back]) / np.maximum(seen, 1), 0.5)


def _alikeness(np: Any, n: Any, total: Any, squares: Any) -> Any:
    """By what factor neighbouring days have differed more than independent scores would, before each day; 1 at least.

    Neighbours are compared so that a lasting shift is no day-to-day noise.
    """
    means = total / n
    within = np.cumsum(np.maximum(squares - total * means, 0.0))
    degrees = np.cumsum(n - 1)
    steps = np.concatenate([[0.0], np.cumsum(np.diff(means) ** 2 / (1 / n[1:] + 1 / n[:-1]))])
    pairs = np.arange(len(n))
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = (steps / pairs) / (within / degrees)
    known = np.where((degrees > 0) & (within > 0) & (pairs > 0), factor, 1.0)
    return np.concatenate([[1.0], np.maximum(1.0, known[:-1])])


def _could_alarm(since: Sequence[DaySums], ends: Ends, bar: float) -> bool:
    """Whether any scores at all, in these numbers, would have raised an alarm."""
    worst = [DaySums(day.n, 0.0, 0.0) for day in since]
    return any(_Falling([], worst).first_beyond(low, bar) is not None for low in (ends[0], 1 - ends[1]))


def _mirrored(days: Sequence[DaySums]) -> list[DaySums]:
    """Every score x as 1 − x, so that a rise is a fall."""
    return [DaySums(day.n, day.n - day.total, day.n - 2 * day.total + day.squares) for day in days]


def _mean(days: Sequence[DaySums]) -> float:
    return math.fsum(day.total for day in days) / sum(day.n for day in days)


def _psi(bet: float) -> float:
    return -math.log1p(-bet) - bet


def _named(direction: str | None) -> DriftDirection | None:
    return None if direction is None else "down" if direction == "down" else "up"
