"""n scores of 0 and 1: how often six intervals contain the true share. Exact, nothing is drawn.

There are only n + 1 outcomes: an interval for each of them, weighed by how likely it is at the share p.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from bench.validity.table import Table
from scipy import special

from gnomon.stats.bounded import mean_ends
from gnomon.stats.describe import ClusterTotals
from gnomon.stats.interval import Z95, clopper_pearson, jeffreys, wilson
from gnomon.stats.tails import t_critical

SIZES = (3, 5, 10, 20, 50, 200)
LOW, HIGH = 0.05, 0.95
DRAWN_AT = 5
"""The curves over p are drawn for this many scores."""

Ends = tuple[float, float]


def tables() -> list[Table]:
    methods = ("Wilson", "z (Wald)", "t", "Clopper–Pearson", "Jeffreys", "Beta moments")
    every = {(name, n): _ends(METHODS[name], n) for name in methods for n in SIZES}
    average = {name: [(float(n), mean_coverage(every[name, n])) for n in SIZES] for name in methods[:-1]}
    curves = {name: _curve(every[name, DRAWN_AT]) for name in ("Wilson", "z (Wald)", "Clopper–Pearson")}
    return [
        Table(
            "shares", ("n", *methods),
            [(n, *(mean_coverage(every[name, n]) for name in methods)) for n in SIZES],
            ours=("Wilson",), curves={"by n": average, "by p": curves},
        ),
        Table(
            "shares_range",
            ("n", "Wilson, lowest", "at p", "Wilson, highest", "lowest, 0.01 to 0.99", "z, lowest",
             "Clopper–Pearson, lowest", "Beta moments, lowest"),
            [(n, *_range(every["Wilson", n]), _range(every["Wilson", n], 0.01, 0.99)[0],
              *(_range(every[name, n])[0] for name in ("z (Wald)", "Clopper–Pearson", "Beta moments")))
             for n in SIZES],
            lengths=("at p",),
        ),
        Table(
            "shares_width", ("n", *methods),
            [(n, *(mean_width(every[name, n]) for name in methods)) for n in SIZES], lengths=methods,
        ),
    ]  # fmt: skip


def wald(passed: int, n: int) -> Ends:
    p = passed / n
    reach = Z95 * math.sqrt(p * (1 - p) / n)
    return p - reach, p + reach


def student(passed: int, n: int) -> Ends:
    p = passed / n
    reach = t_critical(n - 1) * math.sqrt(p * (1 - p) / (n - 1))
    return p - reach, p + reach


def _ours(method: Callable[[int, int], Any]) -> Callable[[int, int], Ends]:
    return lambda passed, n: ((found := method(passed, n)).low, found.high)


def beta_moments(passed: int, n: int) -> Ends:
    return mean_ends(ClusterTotals.of([1] * passed + [0] * (n - passed), [1] * n))


METHODS: dict[str, Callable[[int, int], Ends]] = {
    "Wilson": _ours(wilson),
    "z (Wald)": wald,
    "t": student,
    "Clopper–Pearson": _ours(clopper_pearson),
    "Jeffreys": _ours(jeffreys),
    "Beta moments": beta_moments,
}


def _ends(method: Callable[[int, int], Ends], n: int) -> np.ndarray:
    return np.array([method(passed, n) for passed in range(n + 1)])


def mean_coverage(ends: np.ndarray) -> float:
    """Averaged over p between LOW and HIGH: the integral of a binomial chance is a beta distribution's."""
    n = len(ends) - 1
    passed = np.arange(n + 1)
    low, high = np.clip(ends, LOW, HIGH).T
    chance = special.betainc(passed + 1, n - passed + 1, high) - special.betainc(passed + 1, n - passed + 1, low)
    return float(chance.sum() / (n + 1) / (HIGH - LOW))


def mean_width(ends: np.ndarray) -> float:
    n = len(ends) - 1
    passed = np.arange(n + 1)
    chance = special.betainc(passed + 1, n - passed + 1, HIGH) - special.betainc(passed + 1, n - passed + 1, LOW)
    width = np.diff(np.clip(ends, 0, 1))[:, 0]
    return float((chance * width).sum() / (n + 1) / (HIGH - LOW))


def coverage(ends: np.ndarray, p: np.ndarray) -> np.ndarray:
    n = len(ends) - 1
    passed = np.arange(n + 1)[:, None]
    ways = special.gammaln(n + 1) - special.gammaln(passed + 1) - special.gammaln(n - passed + 1)
    chance = np.exp(ways + passed * np.log(p) + (n - passed) * np.log1p(-p))
    answer: np.ndarray = (chance * ((ends[:, :1] <= p) & (p <= ends[:, 1:]))).sum(axis=0)
    return answer


def _range(ends: np.ndarray, least: float = LOW, most: float = HIGH) -> tuple[float, float, float]:
    """Lowest coverage, where, and highest. It jumps at every end of an interval: look on both sides of each."""
    jumps = np.concatenate([ends.ravel() - 1e-9, ends.ravel() + 1e-9])
    p = np.concatenate([np.linspace(least, most, 2001), jumps[(jumps > least) & (jumps < most)]])
    found = coverage(ends, p)
    return float(found.min()), float(p[found.argmin()]), float(found.max())


def _curve(ends: np.ndarray) -> list[tuple[float, float]]:
    p = np.linspace(LOW, HIGH, 361)
    return [(round(float(x), 5), round(float(y), 5)) for x, y in zip(p, coverage(ends, p), strict=True)]
