"""Scores in [0, 1] with a known mean, to hold intervals against: easy ones, skewed ones, and some that hide something.

A case is a table of data sets, how likely each is, and the true mean. Where scores take two values the data sets can
be listed (0 to n of them are zeros), and nothing is drawn.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from bench.validity.draw import seeded
from scipy import special

ZEROS = (0.01, 0.02, 0.05, 0.1)
Draw = Callable[[np.random.Generator, int, int], np.ndarray]


@dataclass(frozen=True)
class Case:
    values: np.ndarray
    """One data set per row."""
    chances: np.ndarray
    truth: float
    listed: bool
    """Every data set that is possible, not a draw of them."""

    def first(self, rows: int) -> "Case":
        """The same with fewer draws, for methods that take long."""
        if self.listed or rows >= len(self.values):
            return self
        return Case(self.values[:rows], np.full(rows, 1 / rows), self.truth, listed=False)

    def coverage(self, ends: np.ndarray) -> float:
        inside = (ends[:, 0] <= self.truth + 1e-9) & (self.truth - 1e-9 <= ends[:, 1])
        return float((self.chances * inside).sum())

    def width(self, ends: np.ndarray) -> float:
        return float((self.chances * (ends[:, 1] - ends[:, 0])).sum())


def beta(a: float, b: float) -> tuple[Draw, float]:
    return lambda random, rows, n: random.beta(a, b, (rows, n)), a / (a + b)


def with_zeros(draw: Draw, mean: float, zeros: float) -> tuple[Draw, float]:
    """The same, but this share of scores is 0."""
    return lambda random, rows, n: draw(random, rows, n) * (random.random((rows, n)) >= zeros), mean * (1 - zeros)


def two_groups(random: np.random.Generator, rows: int, n: int) -> np.ndarray:
    """Seven in ten scores are near 0.9, three in ten near 0.2."""
    good = random.random((rows, n)) < 0.7
    return np.where(good, random.beta(18, 2, (rows, n)), random.beta(2, 8, (rows, n)))


def ones_or_less(random: np.random.Generator, rows: int, n: int) -> np.ndarray:
    """Eight in ten scores are 1, the others anything."""
    return np.where(random.random((rows, n)) < 0.8, 1.0, random.random((rows, n)))


def tenths(random: np.random.Generator, rows: int, n: int) -> np.ndarray:
    """A kind judge's whole numbers from 0 to 10, divided by ten."""
    return np.round(10 * random.beta(*TENTHS, (rows, n))) / 10


TENTHS = (6.8, 1.2)
_TENTHS_MEAN = float(np.mean(1 - special.betainc(*TENTHS, (np.arange(1, 11) - 0.5) / 10)))

DRAWN: dict[str, tuple[Draw, float]] = {
    "Beta(9, ½)": beta(9, 0.5),
    "Beta(20, 1)": beta(20, 1),
    **{f"Beta(9, 1), {100 * share:g} % zeros": with_zeros(*beta(9, 1), share) for share in ZEROS},
    "near 0.9 or near 0.2": (two_groups, 0.7 * 0.9 + 0.3 * 0.2),
    "8 of 10 are 1": (ones_or_less, 0.9),
    "uniform": beta(1, 1),
    "Beta(½, ½)": beta(0.5, 0.5),
    "Beta(5, 5)": beta(5, 5),
    "Beta(2, 8)": beta(2, 8),
    "judge, tenths": (tenths, _TENTHS_MEAN),
}
TWO_POINT = {f"{value}, {100 * share:g} % zeros": (value, share) for value in (0.9, 0.5) for share in ZEROS}
CONSTANT = {"always 0.9": 0.9, "always 0.5": 0.5}
FAMILIES = (*CONSTANT, *TWO_POINT, *DRAWN)


@cache
def case(family: str, n: int, repeats: int, seed: int) -> Case:
    if family in CONSTANT:
        return Case(np.full((1, n), CONSTANT[family]), np.ones(1), CONSTANT[family], listed=True)
    if family in TWO_POINT:
        value, zeros = TWO_POINT[family]
        return two_point(value, zeros, n)
    draw, mean = DRAWN[family]
    random = seeded(seed, FAMILIES.index(family), n)
    return Case(draw(random, repeats, n), np.full(repeats, 1 / repeats), mean, listed=False)


def two_point(value: float, zeros: float, n: int) -> Case:
    """Every number of zeros among n scores that are 0 or this value."""
    above = np.arange(n + 1)
    values = np.where(np.arange(n) < above[:, None], value, 0.0)
    return Case(values, binomial(n, 1 - zeros), value * (1 - zeros), listed=True)


def binomial(n: int, share: float) -> np.ndarray:
    hits = np.arange(n + 1)
    ways = special.gammaln(n + 1) - special.gammaln(hits + 1) - special.gammaln(n - hits + 1)
    answer: np.ndarray = np.exp(ways + special.xlogy(hits, share) + special.xlog1py(n - hits, -share))
    return answer
