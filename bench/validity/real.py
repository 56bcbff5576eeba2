"""n real scores in [0, 1]: coverage of the default against plain t and the percentile bootstrap.

Four families of scores, each with a true mean drawn from U(.05, .95): close together, spread out, mostly near
the two ends, and a judge's whole numbers from 0 to 10, divided by ten.
"""

import numpy as np
from bench.validity.draw import covered, lowest_tenth, means_to_try, seeded, student
from bench.validity.table import Table
from scipy import special

from gnomon.stats.interval import SMALL_N, interval_over, kept_inside
from gnomon.stats.resample import RESAMPLES, bca_of
from gnomon.stats.resample import seeded as seeded_for_resampling

SIZES = (3, 5, 10, 15, 20, 50, 200)
METHODS = ("default", "t", "percentile bootstrap")
BLOCK = 250
SPREADS = {"close": 20.0, "spread": 2.0, "at the ends": 0.5, "judge, tenths": 5.0}
"""a + b of the Beta distribution: the smaller, the nearer to the ends."""

Found = dict[str, tuple[float, float, float]]
"""By method: coverage, coverage in the worst tenth of true means, mean width."""


def tables(repeats: int, seed: int) -> list[Table]:
    found = {(family, n): _cell(family, n, repeats, seed) for family in SPREADS for n in SIZES}

    def average(n: int, method: str, place: int) -> float:
        return float(np.mean([found[family, n][method][place] for family in SPREADS]))

    def by_family(n: int, method: str, place: int) -> list[float]:
        return [found[family, n][method][place] for family in SPREADS]

    curves = {method: [(float(n), average(n, method, 0)) for n in SIZES] for method in METHODS}
    widths = tuple(f"width, {method}" for method in METHODS)
    rows = [(n, *(average(n, method, place) for place in (0, 2) for method in METHODS)) for n in SIZES]
    against = ("t, spread", "t, at the ends")
    return [
        Table("real", ("n", *METHODS, *widths), rows, ours=METHODS[:1], lengths=widths, curves={"by n": curves}),
        Table("real_families", ("n", *SPREADS), [(n, *by_family(n, "default", 0)) for n in SIZES], ours=tuple(SPREADS)),
        Table(
            "real_lowest", ("n", *SPREADS, *against),
            [(n, *by_family(n, "default", 1), *by_family(n, "t", 1)[1:3]) for n in SIZES],
        ),
    ]  # fmt: skip


def _cell(family: str, n: int, repeats: int, seed: int) -> Found:
    random = seeded(seed, list(SPREADS).index(family), n)
    mean = means_to_try(repeats, random)
    a, b = mean * SPREADS[family], (1 - mean) * SPREADS[family]
    values = random.beta(a[:, None], b[:, None], (repeats, n))
    truth = mean
    if family == "judge, tenths":
        values, truth = np.round(10 * values) / 10, _mean_of_tenths(a, b)
    default, percentile = _default_and_percentile(values)
    ends = dict(zip(METHODS, (default, student(values), percentile), strict=True))
    return {
        method: (
            float(covered(found, truth).mean()),
            lowest_tenth(covered(found, truth), mean),
            float(np.diff(np.clip(found, 0, 1)).mean()),
        )
        for method, found in ends.items()
    }


def _mean_of_tenths(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The true mean after rounding: the chances to be at least at each of the ten steps, added up."""
    steps = (np.arange(1, 11) - 0.5) / 10
    return (1 - special.betainc(a[:, None], b[:, None], steps)).mean(axis=1)


def _default_and_percentile(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Our own interval of each row, and the plain percentiles of the same resamples.

    `interval_over` draws the same places for every set of n scores, so all rows share one product with a
    matrix of how often each place was drawn. The first rows are done both ways and must agree.
    """
    repeats, n = values.shape
    values = np.sort(values, axis=1)
    drawn = seeded_for_resampling().integers(0, n, (RESAMPLES, n))
    weights = np.stack([(drawn == place).sum(axis=1) for place in range(n)], axis=1) / n
    default, percentile = np.empty((repeats, 2)), np.empty((repeats, 2))
    for start in range(0, repeats, BLOCK):
        block = values[start : start + BLOCK]
        resampled = np.ascontiguousarray((weights @ block.T).T)
        percentile[start : start + BLOCK] = np.quantile(resampled, [0.025, 0.975], axis=1).T
        for row, (scores, means) in enumerate(zip(block, resampled, strict=True)):
            default[start + row] = _default(scores, means)
    for row in range(min(3, repeats)):
        np.testing.assert_allclose(default[row], _asked(values[row]), atol=1e-9)
    return default, percentile


def _default(scores: np.ndarray, resampled: np.ndarray) -> tuple[float, float]:
    binary = bool(np.isin(scores, (0, 1)).all())
    if len(scores) < SMALL_N or binary or scores[0] == scores[-1]:
        return _asked(scores)
    found = kept_inside(bca_of(resampled, scores, np.ones(len(scores))), float(scores.mean()), len(scores))
    return found.low, found.high


def _asked(scores: np.ndarray) -> tuple[float, float]:
    found = interval_over([[score] for score in scores.tolist()])
    return found.low, found.high
