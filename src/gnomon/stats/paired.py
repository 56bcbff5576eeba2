"""Two experiments over the same items: their difference, its interval and the verdict.

A difference is one item's mean in the second experiment minus its mean in the first. Scores of 0 and 1 with
one trial are counted (`paired_binary`: exact McNemar test, Tango's interval), everything else goes through
`paired_difference` (Beta from two moments, bounded.py). Then `holm` over the scorers of one comparison, then
`verdict`, which never claims a direction while the interval holds 0. For few items `sign_flip` checks the test
without its assumptions; `more_items` says what an open question would still cost. Which runs are paired is the
caller's work.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Literal, Protocol, get_args

from gnomon.errors import InvalidInput
from gnomon.stats.bounded import UNSEEN_DIFFERENCE, difference_ends
from gnomon.stats.describe import SAME
from gnomon.stats.ends import Interval
from gnomon.stats.interval import Z95
from gnomon.stats.resample import seeded
from gnomon.stats.sequence import CountedScores, betting_mixture
from gnomon.stats.tails import fair_coin_p_value, numpy, t_critical, t_p_value

Verdict = Literal["improved", "regressed", "equivalent", "inconclusive"]
DifferenceMethod = Literal["beta_moments", "t_clipped", "betting_mixture"]
"""What a caller may ask for by name instead of the default."""
DIFFERENCE_METHODS: tuple[DifferenceMethod, ...] = get_args(DifferenceMethod)

SIGNIFICANT = 0.05
EXACT_FLIPS = 16
FLIPS = 10_000
FEW_ITEMS = 30
"""Below this many items a t test deserves a check."""
NOTHING_IN_COMMON = "no item is scored in both"
_POWER_80 = NormalDist().inv_cdf(0.8)
_MOST_ITEMS = 2**21


class Difference(Protocol):
    """A difference of two means, paired or not."""

    @property
    def delta(self) -> float | None: ...
    @property
    def interval(self) -> Interval | None: ...
    @property
    def p_value(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Mean difference over `items` pairs. Where there is no interval and no p-value, `reason` says why."""

    items: int
    delta: float | None
    interval: Interval | None
    p_value: float | None
    reason: str | None = None
    standard_error: float | None = None


def paired_difference(differences: Iterable[float], method: DifferenceMethod | None = None) -> PairedDifference:
    """Mean difference with its interval and p-value. Order does not matter.

    By default the two agree: p < 0.05 where the interval leaves 0 out. `t_clipped` is Student's paired t, narrower
    for many small differences and far too sure where a few large ones are rare. `betting_mixture` stays right when
    scores were looked at while they came in: its interval and its p-value hold at every look.
    """
    values = list(differences)
    if not values:
        return PairedDifference(0, None, None, None, NOTHING_IN_COMMON)
    items, low, high = len(values), min(values), max(values)
    # Infinities fail the range check, so only a NaN that hid from min and max can spoil the sum.
    total = math.fsum(values) if low >= -1 and high <= 1 else math.nan
    if math.isnan(total):
        message = f"differences reach from {low} to {high}; those of scores in [0, 1] are numbers in [-1, 1]"
        raise InvalidInput.of("differences", message)
    delta = min(max(total / items, low), high)
    error = math.dist(values, [delta] * items) / math.sqrt((items - 1) * items) if items > 1 else None
    if method == "betting_mixture":
        return PairedDifference(items, delta, *_sequential(values), None, error)
    # What floats leave between equal scores must not pass for a spread that t could be sure by.
    if method == "t_clipped" and error is not None and high - low > SAME:
        reach = t_critical(items - 1) * error
        interval = Interval(max(-1.0, delta - reach), min(1.0, delta + reach), "t_clipped")
        return PairedDifference(items, delta, interval, t_p_value(delta / error, items - 1), None, error)
    (low, high), p_value = difference_ends(values)
    unchanged = max(map(abs, values)) <= SAME
    return PairedDifference(
        items, 0.0 if unchanged else delta, Interval(low, high, "beta_moments", _one_item(items)),
        1.0 if unchanged else p_value, None, error,
    )  # fmt: skip


def _sequential(differences: list[float]) -> tuple[Interval, float]:
    """Interval and p-value for every look: the p-value is below 0.05 where the interval leaves 0 out (Ville 1939)."""
    shares = [(1 + difference) / 2 for difference in differences]
    share = betting_mixture(shares)
    interval = replace(share, low=2 * share.low - 1, high=2 * share.high - 1)
    return interval, min(1.0, math.exp(-CountedScores(shares).log_evidence(0.5)))


def paired_binary(
    improved: int, regressed: int, items: int, method: DifferenceMethod | None = None
) -> PairedDifference:
    """For scores of 0 and 1, one per item: how many went from 0 to 1, from 1 to 0, and how many there are."""
    _check_counts(improved, regressed, items)
    if items == 0:
        return PairedDifference(0, None, None, None, NOTHING_IN_COMMON)
    if method is not None:
        same = items - improved - regressed
        return paired_difference([1.0] * improved + [-1.0] * regressed + [0.0] * same, method)
    delta = (improved - regressed) / items
    interval = tango(improved, regressed, items)
    spread = (improved + regressed) / items - delta * delta
    error = math.sqrt(max(0.0, spread) / (items - 1)) if items > 1 else None
    return PairedDifference(
        items, delta, replace(interval, flags=_one_item(items)), mcnemar_exact(improved, regressed), None, error
    )


def _one_item(items: int) -> tuple[str, ...]:
    return ("one_item",) if items == 1 else ()


def mcnemar_exact(improved: int, regressed: int) -> float:
    """Two-sided p-value: were the items that changed as likely to go either way? (McNemar 1947, exact)"""
    _check_counts(improved, regressed, improved + regressed)
    return fair_coin_p_value(improved, regressed)


def tango(improved: int, regressed: int, items: int) -> Interval:
    """Score interval of (improved − regressed) / items (Tango 1998)."""
    _check_counts(improved, regressed, items)
    if items == 0:
        raise InvalidInput.of("items", "items is 0; an interval needs at least one pair")
    # Swapping the two experiments mirrors the problem, so one end is enough to solve for.
    return Interval(_tango_low(improved, regressed, items), -_tango_low(regressed, improved, items), "tango")


def sign_flip(differences: Iterable[float]) -> float | None:
    """Two-sided p-value of the mean difference if each item's sign were a coin's toss; None without items.

    All flips are counted up to 16 items, beyond that 10,000 seeded ones. It assumes nothing of how differences
    are spread, so for few items it checks the t test.
    """
    all_differences = list(differences)
    # An item that did not move adds nothing whichever way it is turned.
    values = sorted(value for value in all_differences if abs(value) > SAME)
    if not values:
        return 1.0 if all_differences else None
    np = numpy()
    size, seen = len(values), abs(math.fsum(values)) - SAME
    if size <= EXACT_FLIPS:
        flips = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
        return float(np.mean(np.abs((2 * flips - 1) @ np.array(values)) >= seen))
    flips = seeded().integers(0, 2, (FLIPS, size))
    return float((1 + np.count_nonzero(np.abs((2 * flips - 1) @ np.array(values)) >= seen)) / (FLIPS + 1))


def more_items(difference: PairedDifference, adjusted_p: float | None, min_effect: float | None = None) -> int | None:
    """How many more items would probably (four times in five) settle an open comparison, if what was seen holds.

    Settled means significant after the adjustment for several questions, or, with `min_effect`, shown to be
    too small to matter: whichever takes fewer. None when nothing can be said from these items.
    """
    delta, error, p = difference.delta, difference.standard_error, difference.p_value
    if delta is None or error is None or p is None or adjusted_p is None:
        return None
    if difference.interval is not None and difference.interval.method == "betting_mixture":
        return None  # these forecasts are of intervals for a number of items that was settled beforehand
    questions = adjusted_p / p if 0 < p < adjusted_p else 1.0
    critical = NormalDist().inv_cdf(1 - SIGNIFICANT / (2 * questions))
    spread = error * math.sqrt(difference.items)
    needed = []
    if abs(delta) > SAME and spread > SAME:
        needed.append(_items_to_reach(difference, critical, spread, abs(delta)))
    if min_effect is not None and abs(delta) < min_effect:
        enough = _items_to_reach(difference, Z95, spread, min_effect - abs(delta))
        needed.append(max(enough, _unchanged_items(difference, min_effect)))
    least = min(needed, default=math.inf)
    return max(1, math.ceil(least) - difference.items) if math.isfinite(least) else None


def _items_to_reach(difference: PairedDifference, critical: float, spread: float, distance: float) -> float:
    """The number of items with which, with 80 % probability, an end of the interval is closer to the mean than this.

    The units that a Beta interval adds at −1 and 1 widen it by about their squares and pull it a little towards 0,
    which counts for more than the items where differences are small.
    """
    if difference.interval is None or difference.interval.method != "beta_moments":
        return ((critical + _POWER_80) * spread / distance) ** 2
    added = 2 * UNSEEN_DIFFERENCE

    def near(items: int) -> bool:
        end = critical * math.sqrt(items * spread**2 + added) / items
        return end + _POWER_80 * spread / math.sqrt(items) <= distance * items / (items + added)

    return fewest_items(near)


def _unchanged_items(difference: PairedDifference, min_effect: float) -> float:
    """The fewest items on which no change at all would show that a change is smaller than `min_effect`."""

    def small(items: int) -> bool:
        if difference.interval is not None and difference.interval.method == "tango":
            return tango(0, 0, items).high <= min_effect
        return difference_ends([0.0] * items)[0][1] <= min_effect

    return fewest_items(small)


def fewest_items(enough: Callable[[int], bool]) -> float:
    """The fewest items that are enough, if more are enough as well; infinite when not even two million are."""
    most = 1
    while not enough(most):
        most *= 2
        if most > _MOST_ITEMS:
            return math.inf
    least = most // 2
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if enough(middle) else (middle, most)
    return most


def evidence_of_regression(difference: Difference) -> float:
    """One-sided p-value of having got worse, to sort by: least first. A question without an answer is at 1."""
    if difference.p_value is None or difference.delta is None:
        return 1.0
    return difference.p_value / 2 if difference.delta < 0 else 1 - difference.p_value / 2


def bracketed(seen: PairedDifference, worst: PairedDifference, best: PairedDifference) -> PairedDifference:
    """The difference as seen, as sure as the missing scores let it be whatever they would have been."""
    if worst.interval is None or best.interval is None or worst.delta is None or best.delta is None:
        return PairedDifference(seen.items, seen.delta, None, None, worst.reason or best.reason)
    interval = Interval(worst.interval.low, best.interval.high, worst.interval.method, ("bracketed",))
    one_way = worst.delta * best.delta > 0 and worst.p_value is not None and best.p_value is not None
    p = max(worst.p_value or 0.0, best.p_value or 0.0) if one_way else 1.0
    return PairedDifference(max(worst.items, best.items), seen.delta, interval, p)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjusted for asking several questions at once (Holm 1979), in the order given.

    None stays None and does not count: a question without an answer was not asked.
    """
    for p in p_values:
        if p is not None and not 0 <= p <= 1:
            raise InvalidInput.of("p_values", f"p-value {p} is outside [0, 1]")
    ordered = sorted((p, index) for index, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, index) in enumerate(ordered):
        largest = max(largest, min(1.0, (len(ordered) - rank) * p))
        adjusted[index] = largest
    return adjusted


def verdict(difference: Difference, adjusted_p: float | None, min_effect: float | None = None) -> Verdict:
    """What to call it, taking more as better.

    A direction needs a significant test and an interval without 0; `equivalent` needs `min_effect`, the smallest
    difference that matters, and an interval within it on both sides.
    """
    if min_effect is not None and not 0 <= min_effect <= 1:
        raise InvalidInput.of("min_effect", f"min_effect is {min_effect}; choose one between 0 and 1")
    delta, interval = difference.delta, difference.interval
    if delta is None or interval is None or adjusted_p is None:
        return "inconclusive"
    if adjusted_p < SIGNIFICANT and (interval.low > 0 or interval.high < 0):
        return "improved" if delta > 0 else "regressed"
    if min_effect is not None and max(-interval.low, interval.high) <= min_effect:
        return "equivalent"
    return "inconclusive"


def _tango_low(up: int, down: int, items: int) -> float:
    """Find the smallest difference that the score test does not reject, by bisection; the test is monotone in it."""
    low, high = -1.0, (up - down) / items
    for _ in range(60):
        middle = (low + high) / 2
        variance = items * (2 * _down_share(up, down, items, middle) + middle * (1 - middle))
        if up - down - items * middle >= Z95 * math.sqrt(max(0.0, variance)):
            low = middle
        else:
            high = middle
    return low


def _down_share(up: int, down: int, items: int, difference: float) -> float:
    """Most likely share of items that went down, given that the shares up and down differ by `difference`."""
    linear = (2 * items - up + down) * difference - up - down
    constant = -down * difference * (1 - difference)
    root = math.sqrt(max(0.0, linear * linear - 8 * items * constant))
    # Two forms of the same root of 2·items·q² + linear·q + constant: the one that does not cancel.
    return -2 * constant / (linear + root) if linear > 0 else (root - linear) / (4 * items)


def _check_counts(improved: int, regressed: int, items: int) -> None:
    for field, count in (("improved", improved), ("regressed", regressed)):
        if count < 0:
            raise InvalidInput.of(field, f"{field} is {count}; a count is 0 or more")
    if improved + regressed > items:
        message = f"items is {items}, less than {improved} improved + {regressed} regressed; count every pair"
        raise InvalidInput.of("items", message)
