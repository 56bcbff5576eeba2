"""Several trials of each item: coverage of the mean, and of pass^k, over items of unlike difficulty.

An item's chance to pass is drawn from a Beta distribution with mean p, its trials are then independent. The
intraclass correlation (ICC) says how unlike the items are: 0 means all alike, 1 always or never. The truth is
the mean over all items that could have been drawn, p itself.
"""

import math
from collections.abc import Mapping

import numpy as np
from bench.validity.draw import correct, means_to_try, seeded
from bench.validity.ours import cluster_wilson_ends, default_ends, student_ends, wilson_ends
from bench.validity.table import Rows, Table

from gnomon.stats.ends import Interval
from gnomon.stats.interval import cluster_wilson, interval_over
from gnomon.stats.passk import pass_curves, pass_pow_k

ITEMS, TRIALS, CORRELATIONS = (5, 10, 20, 50), (2, 5, 10, 20), (0.1, 0.3, 0.6)
MEANS = (0.1, 0.5, 0.9, 0.95)
METHODS = ("default", "cluster Wilson", "Wilson", "t")
PASS_TRIALS, PASS_K = 4, (1, 2, 4)

Cell = tuple[int, int, float]


def tables(repeats: int, seed: int) -> list[Table]:
    cells = [(items, trials, icc) for items in ITEMS for trials in TRIALS for icc in CORRELATIONS]
    averages = {cell: _averaged(cell, repeats, seed) for cell in cells}
    widths = ("width, default", "width, cluster Wilson")
    rows: Rows = [(items, trials, str(icc), *averages[items, trials, icc]) for items, trials, icc in cells]
    curves = {
        f"{method}, {trials} trials": [(float(items), averages[items, trials, 0.6][place]) for items in ITEMS]
        for place, method in ((0, "default"), (2, "Wilson"))
        for trials in (2, 20)
    }
    columns = ("items", "trials", "ICC", *METHODS, *widths)
    return [
        Table("clusters", columns, rows, ours=METHODS[:1], lengths=widths, labels=3, curves={"by items": curves}),
        _at_means(repeats, seed),
        _pass_table(max(20, repeats // 5), seed),
    ]


def _averaged(cell: Cell, repeats: int, seed: int) -> list[float]:
    """Coverage by each method over true means of U(.05, .95), and the widths of the first two."""
    random = seeded(seed, *cell)
    mean = means_to_try(repeats, random)
    ends = _all_ends(passes(cell, mean, random), cell[1])
    widths = [float(np.diff(ends[method]).mean()) for method in METHODS[:2]]
    return [*(correct(ends[method], mean) for method in METHODS), *widths]


def _at_means(repeats: int, seed: int) -> Table:
    """At each true mean the ICC at which coverage is lowest."""
    methods = METHODS[:2]
    columns = [f"{method}, {mean}" for method in methods for mean in MEANS]
    rows = []
    for items in ITEMS:
        for trials in TRIALS:
            lowest = dict.fromkeys(columns, 1.0)
            for icc in CORRELATIONS:
                for mean in MEANS:
                    truth = np.full(repeats, mean)
                    passed = passes((items, trials, icc), truth, seeded(seed, items, trials, icc, mean))
                    for method in methods:
                        key, ends = f"{method}, {mean}", _all_ends(passed, trials, methods)[method]
                        lowest[key] = min(lowest[key], correct(ends, truth))
            rows.append((items, trials, *lowest.values()))
    return Table("clusters_means", ("items", "trials", *columns), rows, ours=columns[: len(MEANS)], labels=2)


def passes(cell: Cell, mean: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """How often each item passed: a row for each repeat."""
    items, trials, icc = cell
    size = (1 - icc) / icc
    chance = random.beta((mean * size)[:, None], ((1 - mean) * size)[:, None], (len(mean), items))
    return random.binomial(trials, chance)


def _all_ends(passed: np.ndarray, trials: int, methods: tuple[str, ...] = METHODS) -> dict[str, np.ndarray]:
    share, items = passed / trials, passed.shape[1]
    known = {
        "default": lambda: default_ends(share),
        "cluster Wilson": lambda: cluster_wilson_ends(passed, trials),
        "Wilson": lambda: wilson_ends(share.mean(axis=1), items * trials),
        "t": lambda: student_ends(share),
    }
    ends = {method: known[method]() for method in methods}
    _agree_with_the_package(passed, trials, ends)
    return ends


def _agree_with_the_package(passed: np.ndarray, trials: int, ends: dict[str, np.ndarray]) -> None:
    wins = passed[0].tolist()
    scores = [[1.0] * won + [0.0] * (trials - won) for won in wins]
    for method, expected in (
        ("default", interval_over(scores)),
        ("cluster Wilson", cluster_wilson(wins, [trials] * len(wins))),
    ):
        np.testing.assert_allclose(ends[method][0], (expected.low, expected.high), atol=1e-7)


def _pass_table(repeats: int, seed: int) -> Table:
    columns = (*(f"pass^{k}" for k in PASS_K), f"pass^{PASS_K[-1]} by t", "width, pass^2")
    rows: Rows = [(items, str(icc), *_pass_cell(items, icc, repeats, seed)) for items in ITEMS for icc in CORRELATIONS]
    return Table("passk", ("items", "ICC", *columns), rows, ours=columns[: len(PASS_K)], labels=2, lengths=columns[-1:])


def _pass_cell(items: int, icc: float, repeats: int, seed: int) -> list[float]:
    random = seeded(seed, items, PASS_TRIALS, icc, 1)
    mean = means_to_try(repeats, random)
    passed = passes((items, PASS_TRIALS, icc), mean, random)
    truth = {k: _power_of_beta(mean, icc, k) for k in PASS_K}
    known: dict[tuple[int, ...], Mapping[int, Interval]] = {}
    ends: dict[int, list[tuple[float, float]]] = {k: [] for k in PASS_K}
    for row in passed:
        kinds = tuple(np.bincount(row, minlength=PASS_TRIALS + 1).tolist())
        if kinds not in known:
            histogram = {(PASS_TRIALS, wins): many for wins, many in enumerate(kinds) if many}
            known[kinds] = pass_curves(histogram).pass_pow_k_intervals
        for k in PASS_K:
            ends[k].append((known[kinds][k].low, known[kinds][k].high))
    last = PASS_K[-1]
    each = np.array([pass_pow_k(PASS_TRIALS, wins, last) for wins in range(PASS_TRIALS + 1)])
    plain = correct(student_ends(each[passed]), truth[last])
    width = float(np.diff(np.array(ends[2])).mean())
    return [*(correct(np.array(ends[k]), truth[k]) for k in PASS_K), plain, width]


def _power_of_beta(mean: np.ndarray, icc: float, k: int) -> np.ndarray:
    """The mean of chance^k over a Beta distribution: what pass^k estimates."""
    size = (1 - icc) / icc
    return math.prod(((mean * size + step) / (size + step) for step in range(k)), start=np.ones_like(mean))
