"""pass@k and pass^k: what k tries are worth.

pass@k is the chance that at least one of k runs passes, pass^k that all of them do; both are drawn without
replacement from the runs at hand, so they are unbiased (Chen et al. 2021; Yao et al. 2024). Counted in whole
numbers with one division at the end: products of floats lose digits. What counts as passed, the caller says.
The intervals treat items as what varies, each with its one value: they are those of a mean of real values.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count
from math import comb, fsum
from typing import NamedTuple

from gnomon.errors import InvalidInput
from gnomon.stats.describe import ItemSums, ScoreSums
from gnomon.stats.interval import SMALL_N, Interval, kept_inside, mean_interval
from gnomon.stats.resample import RESAMPLED_UP_TO, bca_curves

_RESAMPLED_K = 32
"""Curves longer than this get computed intervals: a figure for each of a hundred k is for a plot."""


class PassCurves(NamedTuple):
    """Mean over items for k = 1, 2, … up to the smallest number of runs that an item has."""

    pass_at_k: dict[int, float]
    pass_pow_k: dict[int, float]
    pass_at_k_intervals: dict[int, Interval]
    pass_pow_k_intervals: dict[int, Interval]


def pass_at_k(runs: int, passed: int, k: int) -> float | None:
    """Chance that at least one of k runs passes. None when k > runs: too few to say."""
    _check(runs, passed, k)
    if k > runs:
        return None
    every = comb(runs, k)
    return (every - comb(runs - passed, k)) / every


def pass_pow_k(runs: int, passed: int, k: int) -> float | None:
    """Chance that all of k runs pass. None when k > runs: too few to say."""
    _check(runs, passed, k)
    if k > runs:
        return None
    return comb(passed, k) / comb(runs, k)


def pass_curves(histogram: Mapping[tuple[int, int], int]) -> PassCurves:
    """Both curves from how many items had (runs, passed). Empty when there is no item.

    >>> pass_curves({(4, 4): 10, (4, 1): 10}).pass_pow_k
    {1: 0.625, 2: 0.5, 3: 0.5, 4: 0.5}
    """
    for (runs, passed), items in histogram.items():
        _check(runs, passed, 1)
        if items < 1:
            message = f"items is {items} for {passed} of {runs} passed; leave out what no item had"
            raise InvalidInput.of("items", message)
    kinds = sorted(histogram)
    many = [histogram[kind] for kind in kinds]
    some, every = _values(kinds)
    ks = range(1, len(some) + 1)
    return PassCurves(
        {k: _mean(some[k - 1], many) for k in ks},
        {k: _mean(every[k - 1], many) for k in ks},
        dict(zip(ks, _intervals(some, many), strict=True)),
        dict(zip(ks, _intervals(every, many), strict=True)),
    )


def _values(kinds: list[tuple[int, int]]) -> tuple[list[list[float]], list[list[float]]]:
    """For each k, what pass@k and pass^k are for each kind of item (runs, passed)."""
    ways = {n: _choices(n) for runs, passed in kinds for n in (runs, passed, runs - passed)}
    some: list[list[float]] = []
    every: list[list[float]] = []
    for _ in range(min((runs for runs, _ in kinds), default=0)):
        choose = {n: next(each) for n, each in ways.items()}
        some.append([(choose[runs] - choose[runs - passed]) / choose[runs] for runs, passed in kinds])
        every.append([choose[passed] / choose[runs] for runs, passed in kinds])
    return some, every


def _mean(values: list[float], items: list[int]) -> float:
    return fsum(value * many for value, many in zip(values, items, strict=True)) / sum(items)


def _intervals(curve: list[list[float]], items: list[int]) -> list[Interval]:
    sums = [_sums(values, items) for values in curve]
    spread = [k for k, one in enumerate(sums) if not one.all_binary and one.minimum < one.maximum]
    drawn: dict[int, Interval] = {}
    if SMALL_N <= sum(items) <= RESAMPLED_UP_TO and len(curve) <= _RESAMPLED_K and spread:
        by_kind = list(zip(*(curve[k] for k in spread), strict=True))
        ends = bca_curves(by_kind, items)
        drawn = {k: kept_inside(ends[place], sums[k].mean, sum(items)) for place, k in enumerate(spread)}
    return [drawn.get(k) or mean_interval(one) for k, one in enumerate(sums)]


def _sums(values: list[float], items: list[int]) -> ScoreSums:
    kinds: Counter[ItemSums] = Counter()
    for value, many in zip(values, items, strict=True):
        kinds[ItemSums.of([value])] += many
    return ScoreSums.of_items(kinds)


def _choices(n: int) -> Iterator[int]:
    """C(n, 1), C(n, 2), … and zeros after C(n, n), each from the one before, which is cheap for any n."""
    ways = 1
    for k in count():
        ways = ways * (n - k) // (k + 1)
        yield ways


def _check(runs: int, passed: int, k: int) -> None:
    if runs < 1:
        raise InvalidInput.of("runs", f"runs is {runs}; an item needs at least one run")
    if not 0 <= passed <= runs:
        raise InvalidInput.of("passed", f"passed is {passed} of {runs} runs; give 0 to {runs}")
    if k < 1:
        raise InvalidInput.of("k", f"k is {k}; ask for 1 run or more")
