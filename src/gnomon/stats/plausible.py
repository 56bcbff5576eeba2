"""Could numbers in a table have come from scores at all?

A printed number stands for every number that rounds to it. From whole counts over n only some means can come
(GRIM: Brown and Heathers 2017), and with each mean only some standard deviations (GRIMMER: Anaya 2016, Allard
2018); scores in [0, 1] have a largest spread for their mean. All comparisons are between fractions, so nothing is
called impossible because of how floats add up. `steps` is how many equal steps lie between 0 and 1 for a single
score: 1 for pass or fail, 10 for whole marks from 0 to 10, K for the mean of K passes and failures.

What a finding means, and how bad it is, is for the caller to decide.
"""

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from gnomon.stats.ends import Interval
from gnomon.stats.interval import clopper_pearson, jeffreys, wilson

FINEST = Fraction(1, 10**9)
"""Digits beyond this come from a float that was written in full, not from a person who counted."""
MOST_COUNTS = 10_000
"""With more counts than this to choose from, one of them fits."""
_TIE = 1 + Fraction(1, 10**9)


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as written, and the least and the greatest number that could have been meant."""

    text: str
    value: Fraction
    low: Fraction
    high: Fraction

    @classmethod
    def read(cls, text: str, top: int = 1) -> "Printed":
        """Read a figure on a scale of 0 to `top` (100 for percent; a % sign means percent) as 0 to 1."""
        digits = text.removesuffix("%").strip()
        top = 100 if text.endswith("%") else top
        written = Decimal(digits)
        unit = Fraction(Decimal(1).scaleb(int(written.as_tuple().exponent)))
        value, half = Fraction(written) / top, max(unit / 2 / top, FINEST) * _TIE
        return cls(text, value, value - half, value + half)


def possible_counts(mean: Printed, n: int, steps: int = 1) -> range:
    """Which whole numbers of steps, over n scores, give this mean as printed. Empty: it is impossible."""
    return range(math.ceil(mean.low * n * steps), math.floor(mean.high * n * steps) + 1)


def nearest_counts(mean: Printed, n: int, steps: int = 1) -> tuple[int, int]:
    """The counts just below and just above a mean that is impossible."""
    below = math.floor(mean.value * n * steps)
    return below, below + 1


def possible_deviation(deviation: Printed, mean: Printed, n: int, steps: int = 1) -> bool:
    """Whether n scores in whole steps have both this mean and this standard deviation (of n − 1 or of n)."""
    counts = possible_counts(mean, n, steps)
    if len(counts) > MOST_COUNTS:
        return True
    return any(
        _squares_fit(deviation, count, n, steps, divisor)
        for count in counts
        if 0 <= count <= n * steps
        for divisor in {max(n - 1, 1), n}
    )


def greatest_deviation(mean: Printed, n: int) -> float | None:
    """The greatest deviation of n scores in [0, 1] with this mean: all at the ends. None for a single score."""
    return None if n < 2 else math.sqrt(_product(mean, nearest_to_half=True) * n / (n - 1))


def deviation_too_large(deviation: Printed, mean: Printed, n: int) -> bool:
    return n > 1 and deviation.low > 0 and deviation.low**2 > _product(mean, nearest_to_half=True) * n / (n - 1)


def error_too_large(error: Printed, mean: Printed, n: int) -> bool:
    """Larger than the largest standard deviation over √n: √(mean (1 − mean) / (n − 1))."""
    return n > 1 and error.low > 0 and error.low**2 > _product(mean, nearest_to_half=True) / (n - 1)


def zero_hides_error(error: Printed, mean: Printed, n: int) -> bool:
    """Whether 0, as printed, leaves room for the standard error that n passes and failures would have.

    A bare 0 is taken to have as many digits as the mean beside it.
    """
    return min(error.high, mean.high - mean.value) ** 2 >= _product(mean, nearest_to_half=False) / n


def errors_agree(error: Printed, deviation: Printed, n: int) -> bool:
    """Whether se = sd / √n, or sd / √(n − 1) for an sd that was divided by n."""
    spread = (max(deviation.low, Fraction(0)) ** 2, deviation.high**2)
    least, most = max(error.low, Fraction(0)) ** 2, error.high**2
    return any(least * count <= spread[1] and most * count >= spread[0] for count in {n, max(n - 1, 1)})


def zero_hides_interval(end: Printed, mean: Printed, n: int) -> bool:
    """Whether an interval printed without width may have had one: Wilson's for n passes and failures has."""
    share = min(max(float(mean.value), 0.0), 1.0)
    interval = wilson(share * n, n)
    return interval.high - interval.low <= 2 * float(end.high - end.low)


def is_symmetric(low: Printed, mean: Printed, high: Printed) -> bool:
    """About its mean as far as the digits show, or cut off at 0 or 1."""
    if low.low <= 0 or high.high >= 1:
        return True
    return (low.low + high.low) <= 2 * mean.high and (low.high + high.high) >= 2 * mean.low


def matching_method(low: Printed, mean: Printed, high: Printed, n: int) -> str | None:
    """Which 95 % interval for a share of n the printed ends are. None: none of those we know."""
    counts = possible_counts(mean, n)
    passed = counts[len(counts) // 2] if counts else round(mean.value * n)
    if not 0 <= passed <= n:
        return None
    for method in (wilson, clopper_pearson, jeffreys):
        interval = method(passed, n)
        if _is_printed(interval, low, high):
            return interval.method
    return None


def _is_printed(interval: Interval, low: Printed, high: Printed) -> bool:
    return low.low <= interval.low <= low.high and high.low <= interval.high <= high.high


def _product(mean: Printed, *, nearest_to_half: bool) -> Fraction:
    """mean · (1 − mean), as large or as small as the printed digits allow."""
    low, high = max(mean.low, Fraction(0)), min(mean.high, Fraction(1))
    if low > high:
        return Fraction(0)
    ends = [low * (1 - low), high * (1 - high)]
    if not nearest_to_half:
        return min(ends)
    return Fraction(1, 4) if low <= Fraction(1, 2) <= high else max(ends)


def _squares_fit(deviation: Printed, count: int, n: int, steps: int, divisor: int) -> bool:
    """Whether some sum of squares fits. It is whole, odd when the count is odd, and within what n scores can do."""
    center = Fraction(count * count, n)
    low = max(deviation.low, Fraction(0)) ** 2 * steps**2 * divisor + center
    high = deviation.high**2 * steps**2 * divisor + center
    share, more = divmod(count, n)
    full, rest = divmod(count, steps)
    least = max(math.ceil(low), (n - more) * share**2 + more * (share + 1) ** 2)
    most = min(math.floor(high), full * steps**2 + rest**2)
    return least + (least - count) % 2 <= most
