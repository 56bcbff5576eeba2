"""What the items of a dataset are worth: how hard each is, and how well it tells experiments apart.

`difficulty` is the mean over the experiments of their means on an item, with its interval: an experiment counts once
however many trials it has. `discrimination` is the corrected item-total correlation: Pearson's correlation, over
experiments, of the mean on the item with the mean on all other items that both have been scored on. The item itself
is left out of the total, since it would correlate with itself. For yes and no that is the point-biserial correlation
of classical test theory (Lord and Novick 1968, chapter 15).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gnomon.stats.describe import SAME
from gnomon.stats.ends import Interval
from gnomon.stats.interval import interval_over

FEWEST_EXPERIMENTS = 5
"""With fewer, a correlation is nearly all chance."""
TOO_FEW = f"fewer than {FEWEST_EXPERIMENTS} experiments have scores on it and on other items"
ALL_ALIKE = "all experiments score the same on it"
OTHERS_ALIKE = "all experiments score the same on the other items"


@dataclass(frozen=True, slots=True)
class ItemFigures:
    """One item over experiments. `reason` says why there is no discrimination."""

    experiments: int
    mean: float
    interval: Interval
    discrimination: float | None
    reason: str | None


def item_figures(means: Mapping[str, Mapping[str, float]]) -> dict[str, ItemFigures]:
    """Item → its figures, from item → experiment → the experiment's mean on that item, in [0, 1].

    >>> five = {"a": 0.0, "b": 0.25, "c": 0.5, "d": 0.75, "e": 1.0}
    >>> item_figures({"telling": five, "other": five})["telling"].discrimination
    1.0
    """
    totals: dict[str, float] = {}
    counts: dict[str, int] = {}
    for by_experiment in means.values():
        for experiment, mean in by_experiment.items():
            totals[experiment] = totals.get(experiment, 0.0) + mean
            counts[experiment] = counts.get(experiment, 0) + 1
    return {item: _figures(scores, totals, counts) for item, scores in means.items() if scores}


def _figures(scores: Mapping[str, float], totals: Mapping[str, float], counts: Mapping[str, int]) -> ItemFigures:
    with_others = [experiment for experiment in sorted(scores) if counts[experiment] > 1]
    own_values = [scores[experiment] for experiment in with_others]
    rest = [(totals[experiment] - scores[experiment]) / (counts[experiment] - 1) for experiment in with_others]
    discrimination, reason = _correlation(own_values, rest)
    values = [scores[experiment] for experiment in sorted(scores)]
    return ItemFigures(
        len(values), math.fsum(values) / len(values), interval_over([[value] for value in values]), discrimination,
        reason,
    )  # fmt: skip


def _correlation(own_values: Sequence[float], rest: Sequence[float]) -> tuple[float | None, str | None]:
    """Pearson's, or why there is none."""
    if len(own_values) < FEWEST_EXPERIMENTS:
        return None, TOO_FEW
    if max(own_values) - min(own_values) <= SAME:
        return None, ALL_ALIKE
    if max(rest) - min(rest) <= SAME:
        return None, OTHERS_ALIKE
    n = len(own_values)
    mean_own, mean_rest = math.fsum(own_values) / n, math.fsum(rest) / n
    off_own, off_rest = [value - mean_own for value in own_values], [value - mean_rest for value in rest]
    together = _product(off_own, off_rest)
    apart = math.sqrt(_product(off_own, off_own) * _product(off_rest, off_rest))
    return min(1.0, max(-1.0, together / apart)), None


def _product(first: Sequence[float], other: Sequence[float]) -> float:
    return math.fsum(a * b for a, b in zip(first, other, strict=True))
