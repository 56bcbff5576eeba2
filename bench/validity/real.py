"""n real scores in [0, 1]: coverage and width of the default and of everything else that was considered.

Twenty-three kinds of scores, from constants and rare zeros to a judge's tenths (cases.py). A method has to hold in the
hardest of them, not on average. Methods that take long run on fewer data sets, which the table says.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

import numpy as np
from bench.validity import rivals
from bench.validity.cases import CONSTANT, FAMILIES, case, two_point
from bench.validity.ours import agrees_with_the_package, beta_ends, default_ends, student_ends
from bench.validity.table import TARGET, Cell, Rows, Table

SIZES = (3, 5, 10, 20, 50, 100, 200)
FROM = 5
"""What is promised is promised from this many scores on."""
SHOWN_WIDTHS = ("Beta(9, ½)", "0.9, 2 % zeros", "uniform", "Beta(5, 5)", "judge, tenths")
Method = Callable[[np.ndarray], np.ndarray]

METHODS: dict[str, tuple[Method, int]] = {
    "default": (agrees_with_the_package, 1),
    "Beta moments, ½": (lambda values: beta_ends(values, 0.5), 1),
    "Beta moments, ¾": (lambda values: beta_ends(values, 0.75), 1),
    "Beta moments, 0.9": (lambda values: beta_ends(values, 0.9), 1),
    "Beta moments, 1": (lambda values: beta_ends(values, 1.0), 1),
    "Dirichlet weights, 0.9, drawn": (lambda values: rivals.drawn_weights(values, 0.9), 2),
    "Gaffke's bound, drawn": (lambda values: rivals.drawn_weights(values, 1.0), 2),
    "t": (student_ends, 1),
    "t with a 0 and a 1 added": (rivals.student_with_pseudo_scores, 1),
    "percentile bootstrap": (lambda values: rivals.bootstraps(values)[0], 2),
    "BCa": (lambda values: rivals.bootstraps(values)[1], 2),
    "empirical likelihood": (rivals.empirical_likelihood, 2),
    "betting, hedged capital": (rivals.betting, 5),
}
"""Method → how it is computed, and by how much it has fewer data sets."""
TRIED: dict[str, Method] = {
    "default": default_ends,
    **{f"Beta moments, {unseen:g}": partial(beta_ends, unseen=unseen) for unseen in (0.5, 0.75, 0.8, 0.85, 0.9, 1.0)},
    "t with a 0 and a 1 added": rivals.student_with_pseudo_scores,
    "t": student_ends,
}
"""What is fast enough for a few thousand cases."""
ZEROS = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.2, 0.3, 0.4, 0.5)
FRESH_ZEROS = (*np.arange(0.004, 0.1, 0.003).tolist(), *np.arange(0.11, 0.5, 0.013).tolist())

Cells = dict[tuple[str, str, int], tuple[float, float]]
"""Method, family, n → coverage and mean width."""


def tables(repeats: int, seed: int, largest: int = SIZES[-1]) -> list[Table]:
    sizes = tuple(n for n in SIZES if n <= largest)
    cells = measured(repeats, seed, sizes)
    return [
        _methods(cells, repeats),
        _families(cells, sizes),
        _lowest(cells, sizes),
        _widths(cells, sizes),
        *_two_point_grids(largest),
    ]


def measured(repeats: int, seed: int, sizes: tuple[int, ...]) -> Cells:
    cells: Cells = {}
    for n in sizes:
        for family in FAMILIES:
            data = case(family, n, repeats, seed)
            for method, (ends_of, fewer) in METHODS.items():
                some = data.first(max(20, repeats // fewer))
                ends = ends_of(some.values)
                cells[method, family, n] = some.coverage(ends), some.width(ends)
        case.cache_clear()
    return cells


def _methods(cells: Cells, repeats: int) -> Table:
    """Each method over all cases: what it misses, and how wide it is beside the default."""
    rows: Rows = []
    for method, (_, fewer) in METHODS.items():
        mine = {key[1:]: cell for key, cell in cells.items() if key[0] == method and key[2] >= FROM}
        coverage = {key: cell[0] for key, cell in mine.items()}
        hardest = min(coverage, key=lambda key: coverage[key])
        ratios = [
            width / cells["default", *key][1] for key, (_, width) in mine.items() if key[0] not in CONSTANT and width
        ]
        rows.append((
            method, f"{max(20, repeats // fewer):,}", len(mine), sum(round(c, 3) < TARGET for c in coverage.values()),
            coverage[hardest], f"{hardest[0]}; n = {hardest[1]}", float(np.mean(list(coverage.values()))),
            float(np.exp(np.mean(np.log(ratios)))),
        ))  # fmt: skip
    columns = ("method", "data sets", "cases", "below 93 %", "lowest", "where", "mean", "width ÷ default")
    return Table("real_methods", columns, rows, lengths=("width ÷ default",))


def _families(cells: Cells, sizes: tuple[int, ...]) -> Table:
    rows: Rows = [(family, *(cells["default", family, n][0] for n in sizes)) for family in FAMILIES]
    columns = tuple(f"n = {n}" for n in sizes)
    return Table("real_families", ("scores", *columns), rows, ours=columns)


def _lowest(cells: Cells, sizes: tuple[int, ...]) -> Table:
    """The hardest family at each n, for the default and for what most people use."""
    shown = ("default", "t", "BCa", "percentile bootstrap", "empirical likelihood")

    def lowest(method: str, n: int) -> float:
        return min(cells[method, family, n][0] for family in FAMILIES if family not in CONSTANT)

    rows = [(n, *(lowest(method, n) for method in shown)) for n in sizes]
    curves = {method: [(float(n), lowest(method, n)) for n in sizes] for method in shown}
    return Table("real_lowest", ("n", *shown), rows, curves={"by n": curves})


def _widths(cells: Cells, sizes: tuple[int, ...]) -> Table:
    methods = tuple(method for method in METHODS if method not in ("Beta moments, 1", "Dirichlet weights, 0.9, drawn"))
    shown = tuple(n for n in (10, 20, 50) if n in sizes)
    rows = [(family, n, *(cells[method, family, n][1] for method in methods)) for family in SHOWN_WIDTHS for n in shown]
    return Table("real_width", ("scores", "n", *methods), rows, lengths=methods, labels=2)


def _two_point_grids(largest: int) -> list[Table]:
    """How much of an unseen unit it takes, where coverage is exact; then the same on cases that had no say in it."""
    chosen_on = (0.3, 0.5, 0.7, 0.9, 1.0), (*range(5, 51), 60, 75, 100, 150, 200), ZEROS
    fresh = (0.2, 0.4, 0.6, 0.8, 0.95, 0.99), (*range(5, 60, 3), 70, 85, 120, 170, 200), FRESH_ZEROS
    return [
        _grid("unseen", *chosen_on, largest=largest),
        _grid("unseen_fresh", *fresh, largest=largest),
        _nearly_yes_or_no(largest),
    ]


def _nearly_yes_or_no(largest: int) -> Table:
    """The default where the bridge to Wilson's interval is at work: scores of 0 and of almost 1."""
    rows: Rows = []
    sizes = [n for n in range(5, 61) if n <= largest]
    for value in (0.98, 0.99, 0.995, 0.999, 1.0):
        coverage = _coverages(default_ends, [value], sizes, np.arange(0.004, 0.1, 0.002).tolist())
        rows.append((str(value), *_worst(coverage)))
    return Table("nearly", ("scores of 0 and", "cases", "below 93 %", "lowest", "where", "mean"), rows)


def _grid(name: str, values: Sequence[float], sizes: Sequence[int], shares: Sequence[float], largest: int) -> Table:
    sizes = [n for n in sizes if n <= largest]
    rows = [(method, *_worst(_coverages(ends_of, values, sizes, shares))) for method, ends_of in TRIED.items()]
    return Table(name, ("method", "cases", "below 93 %", "lowest", "where", "mean"), rows)


def _coverages(
    ends_of: Method, values: Sequence[float], sizes: Sequence[int], shares: Sequence[float]
) -> dict[str, float]:
    """Exact coverage of each case: the value beside the zeros, the share of zeros, and n."""
    coverage: dict[str, float] = {}
    for value, n in product(values, sizes):
        ends = ends_of(two_point(value, 0.5, n).values)
        for zeros in shares:
            where = f"{value}, {100 * zeros:.3g} % zeros; n = {n}"
            coverage[where] = two_point(value, zeros, n).coverage(ends)
    return coverage


def _worst(coverage: dict[str, float]) -> tuple[Cell, ...]:
    """How many cases, how many below the target, the lowest and where, and the mean."""
    hardest = min(coverage, key=lambda where: coverage[where])
    below = sum(round(share, 3) < TARGET for share in coverage.values())
    return len(coverage), below, coverage[hardest], hardest, float(np.mean(list(coverage.values())))
