"""pass@k and pass^k: what k tries are worth.

pass@k is the chance that at least one of k runs passes, pass^k that all of them do; both are drawn without
replacement from the runs at hand, so they are unbiased (Chen et al. 2021; Yao et al. 2024). Counted in whole
numbers with one division at the end: products of floats lose digits. What counts as passed, the caller says.
The intervals treat items as what varies, each with its one value: they are those of a mean of real values. At
k = 1 both curves are the mean itself, and carry its interval.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count
from math import comb, fsum
from typing import NamedTuple

from gnomon.errors import InvalidInput
from gnomon.shorten import counted
from gnomon.stats.describe import ItemSums, ScoreSums
from gnomon.stats.ends import Interval, MeanMethod
from gnomon.stats.interval import mean_interval

TrialCounts = tuple[int, int]
"""An item's runs, and how many of them passed."""


class PassCurves(NamedTuple):
    """Mean over items for k = 1, 2, … and how many items that is: those with at least k runs."""

    pass_at_k: dict[int, float]
    pass_pow_k: dict[int, float]
    pass_at_k_intervals: dict[int, Interval]
    pass_pow_k_intervals: dict[int, Interval]
    items: dict[int, int]


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


def pass_curves(
    histogram: Mapping[TrialCounts, int], method: MeanMethod | None = None, up_to: int | None = None
) -> PassCurves:
    """Both curves from how many items had (runs, passed). Empty when there is no item.

    They go up to the fewest runs that an item has, so that every k is over the same items; or `up_to` a k, each over
    the items with as many runs. `method` is as in `mean_interval`: what does not fit gives way to the default.

    >>> pass_curves({(4, 4): 10, (4, 1): 10}).pass_pow_k
    {1: 0.625, 2: 0.5, 3: 0.5, 4: 0.5}
    """
    for (runs, passed), items in histogram.items():
        _check(runs, passed, 1)
        if items < 1:
            message = f"items is {items} for {passed} of {runs} passed; leave out what no item had"
            raise InvalidInput.of("items", message)
    curves = PassCurves({}, {}, {}, {}, {})
    ways = {n: _choices(n) for runs, passed in histogram for n in (runs, passed, runs - passed)}
    fewest, most = min((runs for runs, _ in histogram), default=0), max((runs for runs, _ in histogram), default=0)
    for k in range(1, (fewest if up_to is None else min(up_to, most)) + 1):
        choose = {n: next(combinations) for n, combinations in ways.items()}
        kinds = sorted(kind for kind in histogram if kind[0] >= k)
        many = [histogram[kind] for kind in kinds]
        some = [(choose[runs] - choose[runs - passed]) / choose[runs] for runs, passed in kinds]
        every = [choose[passed] / choose[runs] for runs, passed in kinds]
        curves.pass_at_k[k], curves.pass_pow_k[k], curves.items[k] = _mean(some, many), _mean(every, many), sum(many)
        curves.pass_at_k_intervals[k] = _interval(kinds, some, many, k, method)
        curves.pass_pow_k_intervals[k] = _interval(kinds, every, many, k, method)
    return curves


def _mean(values: list[float], items: list[int]) -> float:
    return fsum(value * many for value, many in zip(values, items, strict=True)) / sum(items)


def _interval(
    kinds: list[TrialCounts], values: list[float], many: list[int], k: int, method: MeanMethod | None
) -> Interval:
    if k == 1 and len({runs for runs, _ in kinds}) == 1:
        tries = [ItemSums(runs, passed, passed, float(passed == runs), float(passed > 0)) for runs, passed in kinds]
        return _over(tries, many, method)
    return _over([ItemSums.of([value]) for value in values], many, method)


def _over(rows: list[ItemSums], many: list[int], method: MeanMethod | None) -> Interval:
    items: Counter[ItemSums] = Counter()
    for row, times in zip(rows, many, strict=True):
        items[row] += times
    return mean_interval(ScoreSums.of_items(items), lambda: ((row.total, row.n) for row in items.elements()), method)


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
        raise InvalidInput.of("passed", f"passed is {passed} of {counted(runs, 'run')}; give 0 to {runs}")
    if k < 1:
        raise InvalidInput.of("k", f"k is {k}; ask for 1 run or more")
