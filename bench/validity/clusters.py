"""Several trials of each item: coverage of the mean, and of pass^k, over items of unlike difficulty.

An item's chance to pass is drawn from a Beta distribution with mean p, its trials are then independent. The
intraclass correlation (ICC) says how unlike the items are: 0 means all alike, 1 always or never. The truth is
the mean over all items that could have been drawn, p itself.
"""

import math
from collections.abc import Iterator

import numpy as np
from bench.validity.draw import correct, covered, lowest_tenth, means_to_try, seeded, student
from bench.validity.table import Table

from gnomon.stats.describe import ClusterTotals
from gnomon.stats.interval import cluster_wilson_from, wilson
from gnomon.stats.passk import pass_curves, pass_pow_k

ITEMS, TRIALS, CORRELATIONS = (5, 10, 20, 50, 200), (2, 5, 10), (0.1, 0.3, 0.6)
WORST_TRIALS = 5
PASS_TRIALS, PASS_K = 4, (1, 2, 4)


def tables(repeats: int, seed: int) -> list[Table]:
    methods = ("cluster Wilson", "Wilson", "t")
    columns = [f"{method}, {icc}" for icc in CORRELATIONS for method in methods]
    found = {cell: _grid(*cell, repeats, seed) for cell in _cells()}
    rows = [
        (items, trials, *(share for icc in CORRELATIONS for share in found[items, trials, icc][:3]))
        for items in ITEMS
        for trials in TRIALS
    ]
    worst = [(items, *(found[items, WORST_TRIALS, icc][3] for icc in CORRELATIONS)) for items in ITEMS]
    hardest = {
        f"{method}, {trials} trials": [(float(items), found[items, trials, 0.6][place]) for items in ITEMS]
        for method, place in (("cluster Wilson", 0), ("Wilson", 1))
        for trials in (2, 10)
    }
    ours = [column for column in columns if column.startswith("cluster Wilson")]
    return [
        Table("clusters", ("items", "trials", *columns), rows, ours=ours, curves={"by items": hardest}),
        Table("clusters_lowest", ("items", *(f"ICC {icc}" for icc in CORRELATIONS)), worst),
        _pass_table(max(20, repeats // 5), seed),
    ]


def _cells() -> Iterator[tuple[int, int, float]]:
    return ((items, trials, icc) for items in ITEMS for trials in TRIALS for icc in CORRELATIONS)


def _passed(items: int, trials: int, icc: float, mean: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """How often each item passed: a row for each repeat."""
    size = (1 - icc) / icc
    chance = random.beta((mean * size)[:, None], ((1 - mean) * size)[:, None], (len(mean), items))
    return random.binomial(trials, chance)


def _grid(items: int, trials: int, icc: float, repeats: int, seed: int) -> tuple[float, float, float, float]:
    """Coverage of cluster Wilson, Wilson and t, and the first one's in the worst tenth of the range of p."""
    random = seeded(seed, items, trials, icc)
    mean = means_to_try(repeats, random)
    passed = _passed(items, trials, icc, mean, random)
    total, squares = passed.sum(axis=1), (passed**2).sum(axis=1)
    # The interval depends on these two sums only, and many repeats share them.
    pairs, place = np.unique(np.stack([total, squares], axis=1), axis=0, return_inverse=True)
    clustered = np.array([_clustered(items, trials, *pair) for pair in pairs.tolist()])[place.ravel()]
    plain = np.array([_ends(wilson(ones, items * trials)) for ones in range(items * trials + 1)])[total]
    inside = covered(clustered, mean)
    return (
        float(inside.mean()),
        correct(plain, mean),
        correct(student(passed / trials), mean),
        lowest_tenth(inside, mean),
    )


def _clustered(items: int, trials: int, total: int, squares: int) -> tuple[float, float]:
    return _ends(
        cluster_wilson_from(
            ClusterTotals(
                clusters=items, scores=items * trials, total=total, total_squares=squares,
                total_by_count=total * trials, count_squares=items * trials * trials,
            )
        )
    )  # fmt: skip


def _ends(interval) -> tuple[float, float]:
    return interval.low, interval.high


def _pass_table(repeats: int, seed: int) -> Table:
    columns = (*(f"pass^{k}" for k in PASS_K), f"pass^{PASS_K[-1]} by t")
    rows = [(items, str(icc), *_pass_cell(items, icc, repeats, seed)) for items in ITEMS for icc in CORRELATIONS]
    return Table("passk", ("items", "ICC", *columns), rows, ours=columns[:-1])


def _pass_cell(items: int, icc: float, repeats: int, seed: int) -> list[float]:
    random = seeded(seed, items, PASS_TRIALS, icc, 1)
    mean = means_to_try(repeats, random)
    passed = _passed(items, PASS_TRIALS, icc, mean, random)
    truth = {k: _power_of_beta(mean, icc, k) for k in PASS_K}
    known: dict[tuple[int, ...], dict] = {}
    ends: dict[int, list[tuple[float, float]]] = {k: [] for k in PASS_K}
    for row in passed:
        kinds = tuple(np.bincount(row, minlength=PASS_TRIALS + 1).tolist())
        if kinds not in known:
            histogram = {(PASS_TRIALS, wins): many for wins, many in enumerate(kinds) if many}
            known[kinds] = pass_curves(histogram).pass_pow_k_intervals
        for k in PASS_K:
            ends[k].append(_ends(known[kinds][k]))
    last = PASS_K[-1]
    each = np.array([pass_pow_k(PASS_TRIALS, wins, last) for wins in range(PASS_TRIALS + 1)])
    plain = correct(student(each[passed]), truth[last])
    return [*(correct(np.array(ends[k]), truth[k]) for k in PASS_K), plain]


def _power_of_beta(mean: np.ndarray, icc: float, k: int) -> np.ndarray:
    """The mean of chance^k over a Beta distribution: what pass^k estimates."""
    size = (1 - icc) / icc
    return math.prod((mean * size + step) / (size + step) for step in range(k))
