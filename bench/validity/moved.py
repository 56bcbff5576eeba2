"""Before and after: what the default interval was, what it is, and how much wider or narrower it became.

The former default: Wilson for 0 and 1, Wilson with clusters for several trials of 0 and 1, Student's t for fewer than
15 real scores, BCa from 15 on, paired t for differences. All of them are still there by name.
"""

from collections.abc import Iterator

import numpy as np
from bench.validity import rivals
from bench.validity.cases import Case, case
from bench.validity.clusters import passes
from bench.validity.draw import seeded
from bench.validity.ours import (
    cluster_wilson_ends,
    default_ends,
    difference_ends,
    student_ends,
    wilson_ends,
)
from bench.validity.pairs import COVERED, LISTED, listed_case, pair_case
from bench.validity.table import Cell, Rows, Table

from gnomon.stats.interval import SMALL_N

REAL = ("Beta(9, ½)", "Beta(20, 1)", "0.9, 2 % zeros", "Beta(9, 1), 5 % zeros", "uniform", "Beta(½, ½)", "Beta(5, 5)",
        "judge, tenths")  # fmt: skip
REAL_SIZES = (5, 10, 20, 50, 200)
CLUSTERS = ((5, 5), (10, 5), (10, 20), (20, 5), (50, 5))
SKEWED = {"ICC 0.3, mean 0.5": (0.3, 0.5), "ICC 0.3, mean 0.9": (0.3, 0.9), "ICC 0.6, mean 0.95": (0.6, 0.95)}
PAIRS = ("many small changes (sd 0.1)", "judge, tenths", "small, and 3 % fall by 0.9", "five trials", "5 % fall by 0.9")
PAIR_SIZES = (5, 10, 20, 50, 100)

LEFT_OUT = ("n = 5", "n = 200", "5 × 5", "5 items", "Beta(½, ½)")
"""In the table of single cases, which is long enough; they count in the table of ratios."""

Row = tuple[str, str, str, str, Case, np.ndarray, np.ndarray]
"""Kind, size class, data, size, the case, and the ends before and now."""


def tables(repeats: int, seed: int) -> list[Table]:
    found = [*_real(repeats, seed), *_clusters(repeats, seed), *_pairs(repeats, seed)]
    rows = [
        (data, size, *_compared(each, before, now))
        for _, _, data, size, each, before, now in found
        if size not in LEFT_OUT and data not in LEFT_OUT
    ]
    columns = ("data", "size", "before", "now", "width before", "width now", "width ratio")
    return [Table("moved", columns, rows, lengths=columns[4:], labels=2), _ratios(found)]


def _compared(data: Case, before: np.ndarray, now: np.ndarray) -> tuple[Cell, ...]:
    old, new = data.width(before), data.width(now)
    return data.coverage(before), data.coverage(now), old, new, new / old


def _ratios(found: list[Row]) -> Table:
    """Width now ÷ width before, data set by data set."""
    groups: dict[str, list[np.ndarray]] = {}
    for kind, sizes, _, _, data, before, now in found:
        old, new = np.diff(before)[:, 0], np.diff(now)[:, 0]
        if not data.listed:
            groups.setdefault(f"{kind}, {sizes}", []).append(new[old > 0] / old[old > 0])
    rows: Rows = [
        (group, *map(float, np.quantile(np.concatenate(each), [0.5, 0.1, 0.9]))) for group, each in groups.items()
    ]
    columns = ("scores", "median", "one in ten below", "one in ten above")
    return Table("moved_width", columns, rows, lengths=columns[1:])


def _real(repeats: int, seed: int) -> Iterator[Row]:
    for family in REAL:
        for n in REAL_SIZES:
            data = case(family, n, repeats, seed).first(max(20, repeats // 2))
            sizes = "fewer than 15" if n < SMALL_N else "15 to 50" if n <= 50 else "200"
            yield "real scores", sizes, family, f"n = {n}", data, former_ends(data.values), default_ends(data.values)


def former_ends(values: np.ndarray) -> np.ndarray:
    """The former default for real scores; where they are all equal, and so without a spread, it was Wilson's."""
    n = values.shape[1]
    ends = student_ends(values) if n < SMALL_N else rivals.bootstraps(values)[1]
    equal = (ends[:, 1] - ends[:, 0] <= 1e-12)[:, None]
    return np.where(equal, wilson_ends(values.mean(axis=1), n), ends)


def _clusters(repeats: int, seed: int) -> Iterator[Row]:
    for what, (icc, mean) in SKEWED.items():
        for items, trials in CLUSTERS:
            random = seeded(seed, items, trials, icc, mean, 3)
            passed = passes((items, trials, icc), np.full(repeats, mean), random)
            data = Case(passed / trials, np.full(repeats, 1 / repeats), mean, listed=False)
            ends = cluster_wilson_ends(passed, trials), default_ends(data.values)
            yield "trials of 0 and 1", f"{items} items", what, f"{items} × {trials}", data, *ends


def _pairs(repeats: int, seed: int) -> Iterator[Row]:
    for index, what in enumerate(PAIRS):
        for n in PAIR_SIZES:
            if what in LISTED:
                data = listed_case(*LISTED[what], n)
            else:
                data = pair_case(COVERED[what], n, repeats, seed, 200 + index)
            ends = student_ends(data.values, -1.0), difference_ends(data.values)[0]
            yield "differences", f"{n} items", what, f"{n} items", data, *ends
