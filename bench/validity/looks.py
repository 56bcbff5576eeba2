"""Looking after every score: how often an interval is wrong at one look or another.

A gate that is asked again after each new score stops at the first answer it likes. The question is then not
how often an interval is wrong after n scores, but how often it was wrong at any look so far.
"""

from collections.abc import Callable

import numpy as np
from bench.validity.draw import means_to_try, seeded
from bench.validity.table import Table

from gnomon.stats.ends import Interval
from gnomon.stats.interval import wilson
from gnomon.stats.sequence import bernstein_looks, beta_mixture
from gnomon.stats.tails import t_critical

SPREAD = 2.0
METHODS = ("Beta mixture", "Wilson", "empirical Bernstein", "t")


def tables(repeats: int, seed: int, looks: int = 500) -> list[Table]:
    marks = [n for n in (10, 20, 50, 100, 200, 500) if n <= looks]
    binary_wrong, binary_width = _binary(repeats, seed, looks)
    real_wrong, real_width = _real(max(20, repeats // 2), seed, looks)
    wrong, width = {**binary_wrong, **real_wrong}, {**binary_width, **real_width}
    rows = [(n, *(float(1 - wrong[method][n - 1]) for method in METHODS)) for n in marks]
    widths = [(n, *(float(width[method][n - 1]) for method in METHODS)) for n in marks]
    every = sorted({1, *range(5, looks + 1, 5)})
    curves = {method: [(float(n), round(float(1 - wrong[method][n - 1]), 5)) for n in every] for method in METHODS}
    return [
        Table("looks", ("looks", *METHODS), rows, ours=METHODS[::2], curves={"by look": curves}),
        Table("looks_width", ("scores", *METHODS), widths, lengths=METHODS),
    ]


Found = tuple[dict[str, np.ndarray], dict[str, np.ndarray]]
"""By method: share of repeats wrong at any look up to each, and mean width at each."""


def _binary(repeats: int, seed: int, looks: int) -> Found:
    random = seeded(seed, 9)
    p = means_to_try(repeats, random)[:, None]
    passed = np.cumsum(random.random((repeats, looks)) < p, axis=1)
    wrong, width = {}, {}
    for name, method in (("Beta mixture", beta_mixture), ("Wilson", wilson)):
        low, high = _every_outcome(method, looks)
        here = np.arange(looks), passed
        wrong[name] = _ever((p < low[here]) | (p > high[here]))
        width[name] = (high[here] - low[here]).mean(axis=0)
    return wrong, width


def _every_outcome(method: Callable[[int, int], Interval], looks: int) -> tuple[np.ndarray, np.ndarray]:
    """Both ends after n scores with that many passes, at [n − 1, passed]."""
    low, high = np.zeros((looks, looks + 1)), np.ones((looks, looks + 1))
    for n in range(1, looks + 1):
        for passed in range(n + 1):
            found = method(passed, n)
            low[n - 1, passed], high[n - 1, passed] = found.low, found.high
    return low, high


def _real(repeats: int, seed: int, looks: int) -> Found:
    random = seeded(seed, 10)
    mean = means_to_try(repeats, random)[:, None]
    values = random.beta(mean * SPREAD, (1 - mean) * SPREAD, (repeats, looks))
    bernstein = np.array([list(bernstein_looks(row)) for row in values.tolist()])
    # What is shown after n scores is cut with all looks before.
    low, high = np.maximum.accumulate(bernstein[..., 0], axis=1), np.minimum.accumulate(bernstein[..., 1], axis=1)
    n = np.arange(1, looks + 1)
    center = np.cumsum(values, axis=1) / n
    squares = np.maximum(np.cumsum(values**2, axis=1) - n * center**2, 0)
    critical = np.array([np.inf, *(t_critical(degrees) for degrees in range(1, looks))])
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = np.where(n > 1, critical * np.sqrt(squares / (n - 1) / n), 1.0)
    t_low, t_high = np.clip(center - reach, 0, 1), np.clip(center + reach, 0, 1)
    return (
        {"empirical Bernstein": _ever((mean < low) | (mean > high)), "t": _ever((mean < t_low) | (mean > t_high))},
        {"empirical Bernstein": np.maximum(high - low, 0).mean(axis=0), "t": (t_high - t_low).mean(axis=0)},
    )


def _ever(wrong: np.ndarray) -> np.ndarray:
    answer: np.ndarray = np.logical_or.accumulate(wrong, axis=1).mean(axis=0)
    return answer
