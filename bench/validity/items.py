"""Items of a benchmark: how often the intervals of their discrimination and difficulty hold the truth.

    python -m bench.validity.items [--repeats N] [--write]

Agents' abilities are normal with mean 0 and standard deviation 1. In the usual case discriminations are lognormal
around 1 and difficulties normal, which is what other tools assume; in another one item in ten ranks against the rest;
in the third all items are hard. What is counted: the share of items whose interval holds the true value, how often an
item is called mislabelled that is not, and how often one that is. The second table tries the choice of few items: the
size at which held-out agents keep a rank correlation of 0.95, and what the chosen items then reach on 200 agents that
are drawn anew. `--write` renews docs/concepts/items.json and the tables of docs/concepts/items.md.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from bench.validity.command import Study, run
from bench.validity.draw import seeded
from bench.validity.table import Rows, Table

from gnomon.stats.itemresponse import ItemPredictor, fit
from gnomon.stats.subset import smallest_subset

PAGE, FIGURES, REPEATS = "items.md", "items.json", 10
SIZES = ((5, 50, 1), (8, 100, 1), (8, 100, 4), (20, 100, 1), (40, 300, 1))
"""Agents, items, trials."""
SUBSET_SIZES = ((12, 100, 4), (20, 100, 1), (30, 300, 1))
NEW_AGENTS = 200


@dataclass(frozen=True)
class Benchmark:
    name: str
    against: float = 0.0
    """Share of items with a discrimination below 0."""
    difficulty: float = 0.0
    """Mean difficulty."""

    def drawn(self, random: np.random.Generator, items: int) -> tuple[np.ndarray, np.ndarray]:
        slopes = np.exp(random.normal(0, 0.5, items))
        slopes = np.where(random.random(items) < self.against, -slopes, slopes)
        return slopes, random.normal(self.difficulty, 1.2, items)


CASES = (Benchmark("usual"), Benchmark("one in ten against", against=0.1), Benchmark("hard", difficulty=1.5))


def tables(repeats: int, seed: int) -> Iterable[Table]:
    yield _coverage(repeats, seed)
    yield _subsets(repeats, seed)


def _coverage(repeats: int, seed: int) -> Table:
    rows: Rows = []
    for number, case in enumerate(CASES):
        for agents, items, trials in SIZES:
            seen = list(_seen(case, agents, items, trials, seeded(seed, number, agents), repeats))
            discrimination, told, difficulty, called, wrongly = np.concatenate(seen, axis=1)
            is_against = called >= 0
            rows.append((
                case.name, agents, items, trials, float(discrimination.mean()), float(difficulty[told > 0].mean()),
                float(told.mean()), float(wrongly[~is_against].mean()),
                float(called[is_against].mean()) if is_against.any() else "–",
            ))  # fmt: skip
    columns = ("benchmark", "agents", "items", "trials", "discrimination", "difficulty", "difficulty told",
               "wrongly called mislabelled", "rightly")  # fmt: skip
    return Table("items", columns, rows, ours=("discrimination", "difficulty"), rates=columns[6:], labels=4)


def _seen(
    case: Benchmark, agents: int, items: int, trials: int, random: np.random.Generator, repeats: int
) -> Iterator[np.ndarray]:
    """Per item: discrimination held, difficulty told, difficulty held, called mislabelled (−1: it is not), wrongly."""
    for _ in range(repeats):
        slopes, difficulties = case.drawn(random, items)
        abilities = _standard(random.normal(size=agents))
        solved = _solved(random, abilities, slopes, difficulties, trials)
        responses = fit(solved, np.full(solved.shape, float(trials))).items
        yield np.array([
            (
                _holds(response.discrimination_interval, slope), response.difficulty is not None,
                _holds(response.difficulty_interval, difficulty),
                response.ranks_against if slope < 0 else -1, response.ranks_against and slope > 0,
            )
            for response, slope, difficulty in zip(responses, slopes, difficulties, strict=True)
        ], dtype=float).T  # fmt: skip


def _subsets(repeats: int, seed: int) -> Table:
    rows: Rows = []
    for agents, items, trials in SUBSET_SIZES:
        random = seeded(seed, 9, agents)
        sizes, reached, at_random = [], [], []
        for _ in range(max(2, repeats // 2)):
            slopes, difficulties = CASES[0].drawn(random, items)
            solved = _solved(random, random.normal(size=agents), slopes, difficulties, trials)
            search = smallest_subset(solved, np.full(solved.shape, float(trials)))
            if search.smallest is None:
                continue
            sizes.append(search.smallest)
            fresh = _solved(random, random.normal(size=NEW_AGENTS), slopes, difficulties, trials)
            fitted = fit(solved, np.full(solved.shape, float(trials)))
            reached.append(_kept(ItemPredictor(fitted.weights), fresh, trials, search.items))
            drawn = random.choice(items, search.smallest, replace=False)
            at_random.append(_rank_correlation(fresh[:, drawn].mean(axis=1), fresh.mean(axis=1)))
        found = len(sizes)
        rows.append((agents, items, trials, f"{found} of {max(2, repeats // 2)}", *(
            (float(np.median(sizes)), float(np.mean(reached)), float(np.mean(at_random))) if found else ("–", "–", "–")
        )))  # fmt: skip
    columns = ("agents", "items", "trials", "found", "median size", "rank correlation on new agents", "at random")
    return Table("subsets", columns, rows, lengths=columns[4:], labels=3)


def _kept(predictor: ItemPredictor, solved: np.ndarray, trials: int, chosen: list[int]) -> float:
    is_chosen = np.zeros(solved.shape[1], dtype=bool)
    is_chosen[chosen] = True
    tried = np.where(is_chosen, float(trials), 0.0)
    predicted = [
        np.where(is_chosen, row / trials, predictor.chances(np.where(is_chosen, row, 0.0), tried)).mean()
        for row in solved
    ]
    return _rank_correlation(np.array(predicted), solved.mean(axis=1))


def _rank_correlation(left: np.ndarray, right: np.ndarray) -> float:
    from scipy.stats import spearmanr

    return float(spearmanr(left, right).statistic)


def _solved(
    random: np.random.Generator, abilities: np.ndarray, slopes: np.ndarray, difficulties: np.ndarray, trials: int
) -> np.ndarray:
    chances = 1 / (1 + np.exp(-slopes * (abilities[:, None] - difficulties)))
    solved: np.ndarray = random.binomial(trials, chances).astype(float)
    return solved


def _standard(values: np.ndarray) -> np.ndarray:
    standard: np.ndarray = (values - values.mean()) / values.std()
    return standard


def _holds(ends: tuple[float, float] | None, truth: float) -> bool:
    return ends is not None and ends[0] <= truth <= ends[1]


if __name__ == "__main__":
    run(Study(tables, PAGE, FIGURES, REPEATS, "data sets drawn for a cell"), __doc__)
