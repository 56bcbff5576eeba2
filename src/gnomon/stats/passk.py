"""pass@k and pass^k: what k tries are worth.

pass@k is the chance that at least one of k runs passes, pass^k that all of them do; both are drawn without
replacement from the runs at hand, so they are unbiased (Chen et al. 2021; Yao et al. 2024). Counted in whole
numbers with one division at the end: products of floats lose digits. What counts as passed, the caller says.
"""

from collections.abc import Iterator, Mapping
from itertools import count
from math import comb, fsum
from typing import NamedTuple

from gnomon.errors import InvalidInput


class PassCurves(NamedTuple):
    """Mean over items for k = 1, 2, … up to the smallest number of runs that an item has."""

    pass_at_k: dict[int, float]
    pass_pow_k: dict[int, float]


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
    curves = PassCurves({}, {})
    all_items = sum(histogram.values())
    ways = {n: _choices(n) for runs, passed in histogram for n in (runs, passed, runs - passed)}
    for k in range(1, min((runs for runs, _ in histogram), default=0) + 1):
        choose = {n: next(each) for n, each in ways.items()}
        some, every = [], []
        for (runs, passed), items in histogram.items():
            some.append(items * ((choose[runs] - choose[runs - passed]) / choose[runs]))
            every.append(items * (choose[passed] / choose[runs]))
        curves.pass_at_k[k] = fsum(some) / all_items
        curves.pass_pow_k[k] = fsum(every) / all_items
    return curves


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
