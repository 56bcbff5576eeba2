"""How few items of a benchmark keep its ranking, tried on agents that had no part in choosing them.

Agents are divided into folds. Items are chosen, and their response fitted, on the agents outside a fold; a score over
all items is then predicted for the agents inside it from the chosen items alone: what they did on these, and what their
ability makes likely on the others (the estimator of tinyBenchmarks). The predictions of all folds together are
compared with the scores that the agents have, by Spearman's rank correlation. Beside it stand items drawn at random,
whose plain mean is the prediction: what choosing is worth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gnomon.stats.itemresponse import ItemPredictor, ResponseFit, fit, informative_order
from gnomon.stats.resample import seeded
from gnomon.stats.tails import numpy

if TYPE_CHECKING:
    import numpy as np

    from gnomon.stats.itemresponse import Floats

FEWEST_AGENTS = 10
"""With fewer, a rank correlation near 1 happens by chance."""
ENOUGH = 0.95
_FOLDS, _PARTITIONS, _RESAMPLES, _RANDOM_SETS = 5, 3, 500, 20
_SIZES = (3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500)


@dataclass(frozen=True, slots=True)
class SubsetTrial:
    """How well a subset of this size keeps the order of the agents. The interval is over resampled agents."""

    size: int
    rank_correlation: float
    interval: tuple[float, float]
    at_random: float
    """Mean rank correlation of as many items drawn at random."""


@dataclass(frozen=True, slots=True)
class SubsetSearch:
    trials: list[SubsetTrial]
    smallest: int | None
    """The smallest size tried from which on the rank correlation stays at 0.95 or above."""
    items: list[int]
    """Those items, chosen on all agents; empty without a smallest size."""


def smallest_subset(solved: "Floats", trials: "Floats", whole: ResponseFit | None = None) -> SubsetSearch:
    """Try sizes from small to large. Counts are one row per agent and one column per item; `whole` is their fit."""
    np = numpy()
    agents, count = solved.shape
    sizes = [size for size in _SIZES if size < count]
    truth = _means(solved, trials)
    random = seeded()
    correlations: dict[int, list[float]] = {size: [] for size in sizes}
    predictions: dict[int, list[Floats]] = {size: [] for size in sizes}
    for _ in range(_PARTITIONS):
        folds = random.permutation(agents) % min(_FOLDS, agents)
        predicted = _held_out(solved, trials, folds, sizes)
        for size in sizes:
            predictions[size].append(predicted[size])
            correlations[size].append(_spearman(predicted[size], truth))
    tried = [
        SubsetTrial(
            size, float(np.mean(correlations[size])), _interval(predictions[size][0], truth, random),
            _at_random(solved, trials, truth, size, random),
        )
        for size in sizes
    ]  # fmt: skip
    smallest = _first_enough(tried)
    chosen = [] if smallest is None else informative_order(whole or fit(solved, trials), smallest)
    return SubsetSearch(tried, smallest, chosen)


def _first_enough(tried: Sequence[SubsetTrial]) -> int | None:
    smallest = None
    for trial in reversed(tried):
        if trial.rank_correlation < ENOUGH:
            break
        smallest = trial.size
    return smallest


def _held_out(solved: "Floats", trials: "Floats", folds: "Floats", sizes: Sequence[int]) -> dict[int, "Floats"]:
    """Size → the predicted score of each agent, from items chosen without it."""
    np = numpy()
    predicted: dict[int, Floats] = {size: np.zeros(len(solved)) for size in sizes}
    for fold in np.unique(folds):
        inside = folds == fold
        fitted = fit(solved[~inside], trials[~inside])
        order, predictor = informative_order(fitted, max(sizes, default=0)), ItemPredictor(fitted.weights)
        for size in sizes:
            is_chosen = np.zeros(solved.shape[1], dtype=bool)
            is_chosen[order[:size]] = True
            for agent in np.flatnonzero(inside):
                predicted[size][agent] = _predicted(predictor, solved[agent], trials[agent], is_chosen)
    return predicted


def _predicted(predictor: ItemPredictor, solved: "Floats", trials: "Floats", is_chosen: "Floats") -> float:
    """An agent's mean over the items that it has: the chosen ones as they are, the others as they are likely."""
    np = numpy()
    likely = predictor.chances(np.where(is_chosen, solved, 0), np.where(is_chosen, trials, 0))
    has_trials = trials > 0
    shares = np.divide(solved, trials, out=np.zeros_like(solved), where=has_trials)
    return float(np.where(is_chosen, shares, likely)[has_trials].mean())


def _means(solved: "Floats", trials: "Floats") -> "Floats":
    """The mean of each agent over the items that it has: every item counts once."""
    np = numpy()
    shares = np.divide(solved, trials, out=np.zeros_like(solved), where=trials > 0)
    means: Floats = shares.sum(axis=1) / np.maximum((trials > 0).sum(axis=1), 1)
    return means


def _at_random(solved: "Floats", trials: "Floats", truth: "Floats", size: int, random: "np.random.Generator") -> float:
    np = numpy()
    drawn = [random.choice(solved.shape[1], size, replace=False) for _ in range(_RANDOM_SETS)]
    return float(np.mean([_spearman(_means(solved[:, items], trials[:, items]), truth) for items in drawn]))


def _interval(predicted: "Floats", truth: "Floats", random: "np.random.Generator") -> tuple[float, float]:
    """2.5 and 97.5 % of the correlation over agents drawn with replacement."""
    np = numpy()
    drawn = random.integers(0, len(truth), (_RESAMPLES, len(truth)))
    low, high = np.quantile([_spearman(predicted[rows], truth[rows]) for rows in drawn], (0.025, 0.975))
    return float(low), float(high)


def _spearman(left: "Floats", right: "Floats") -> float:
    """Pearson's correlation of the ranks, ties sharing theirs; 0 where all are alike, which orders nobody."""
    np = numpy()
    a, b = _ranks(left), _ranks(right)
    a, b = a - a.mean(), b - b.mean()
    apart = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / apart if apart > 0 else 0.0


def _ranks(values: "Floats") -> "Floats":
    np = numpy()
    _, group_of, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: Floats = (ends - (counts - 1) / 2)[group_of]
    return ranks
