"""Ranges of ranks: how often they hold for all agents at once, and how often two agents are wrongly told apart.

All agents meet the same items. Whether a run passes depends on the item, on how the agent copes with this item, and on
luck; the agents' true means are set, so their true ranks are known.
"""

import numpy as np
from bench.validity.draw import seeded
from bench.validity.ours import differences_from_sums
from bench.validity.table import Cell, Table
from scipy import special

from gnomon.stats.paired import SIGNIFICANT
from gnomon.stats.rank import rank

AGENTS, ITEMS = (5, 10, 20), (50, 100, 200)
SETTINGS = (("spread", 1), ("near-ties", 5), ("within 2 points", 1), ("all equal", 1), ("all equal", 5))
"""How the true means lie, and how many trials an item has."""
RESAMPLES = 400
ITEM, COPING = 0.4, 0.2
"""What part of a run's variance comes from the item, and from how the agent copes with it."""


def tables(repeats: int, seed: int, largest: int = ITEMS[-1]) -> list[Table]:
    shares = ("at once", "marginal, at once", "marginal, each")
    columns = ("true means", "trials", "agents", "items", *shares, "wrongly told apart", "ranks", "ranks, marginal")
    rows = [
        (means, trials, agents, items, *_cell(means, trials, agents, items, repeats, seed))
        for means, trials in SETTINGS
        for agents in AGENTS
        for items in ITEMS
        if items <= largest
    ]
    lengths = ("ranks", "ranks, marginal")
    return [Table("ranks", columns, rows, ours=shares[:1], rates=("wrongly told apart",), lengths=lengths, labels=4)]


def _true_means(means: str, agents: int) -> np.ndarray:
    if means == "spread":
        return np.linspace(0.3, 0.8, agents)
    if means == "near-ties":
        return np.repeat(np.linspace(0.3, 0.8, (agents + 1) // 2), 2)[:agents] + 0.005 * (np.arange(agents) % 2)
    return np.linspace(0.49, 0.51, agents) if means == "within 2 points" else np.full(agents, 0.5)


def _cell(means: str, trials: int, agents: int, items: int, repeats: int, seed: int) -> tuple[Cell, ...]:
    random = seeded(seed, *map(ord, means[:2]), trials, agents, items)
    truth = _true_means(means, agents)
    drawn = random.integers(0, items, (RESAMPLES, items))
    weights = np.stack([np.bincount(row, minlength=items) for row in drawn]).astype(float)
    right = {"at once": 0, "marginal": 0, "each": 0.0, "wrong": 0}
    sizes = np.zeros(2)
    for repeat in range(repeats):
        scores = _scores(truth, trials, items, random)
        better = _significantly_better(scores, trials)
        low, high = 1 + better.sum(axis=0), agents - better.sum(axis=1)
        if repeat == 0:
            _agree_with_the_package(scores, trials, low, high)
        marginal_low, marginal_high = _marginal(scores, weights, low)
        best, worst = _true_ranks(truth)
        inside = (marginal_low <= best) & (worst <= marginal_high)
        right["at once"] += bool(((low <= best) & (worst <= high)).all())
        right["marginal"] += bool(inside.all())
        right["each"] += inside.mean()
        right["wrong"] += bool((better & (truth[:, None] <= truth)).any())
        sizes += (high - low + 1).mean(), (marginal_high - marginal_low + 1).mean()
    shares = {name: float(count / repeats) for name, count in right.items()}
    # Where all are equal every rank is true, and a marginal range promises no more than one of them.
    marginal = ("–", "–") if means == "all equal" else (shares["marginal"], shares["each"])
    return shares["at once"], *marginal, shares["wrong"], *map(float, sizes / repeats)


def _scores(truth: np.ndarray, trials: int, items: int, random: np.random.Generator) -> np.ndarray:
    """Items × agents: the mean over the trials."""
    agents = len(truth)
    item, coping = random.standard_normal((items, 1, 1)), random.standard_normal((items, agents, 1))
    luck = random.standard_normal((items, agents, trials))
    ability = np.sqrt(ITEM) * item + np.sqrt(COPING) * coping + np.sqrt(1 - ITEM - COPING) * luck
    answer: np.ndarray = (ability < special.ndtri(truth)[:, None]).mean(axis=2)
    return answer


def _significantly_better(scores: np.ndarray, trials: int) -> np.ndarray:
    """[a, b]: a is better than b after Holm over all pairs, by the test that `rank` uses."""
    agents = scores.shape[1]
    first, second = np.triu_indices(agents, 1)
    differences = scores[:, first] - scores[:, second]
    p_values = _mcnemar(differences) if trials == 1 else _beta_p_values(differences)
    order = np.argsort(p_values, kind="stable")
    adjusted = np.maximum.accumulate(p_values[order] * np.arange(len(order), 0, -1))
    claimed = np.zeros(len(order), dtype=bool)
    claimed[order] = adjusted < SIGNIFICANT
    ahead = differences.sum(axis=0) > 0
    better = np.zeros((agents, agents), dtype=bool)
    better[first[claimed & ahead], second[claimed & ahead]] = True
    better[second[claimed & ~ahead], first[claimed & ~ahead]] = True
    return better


def _mcnemar(differences: np.ndarray) -> np.ndarray:
    up, down = (differences > 0).sum(axis=0), (differences < 0).sum(axis=0)
    return np.where(up == down, 1.0, np.minimum(1.0, 2 * special.bdtr(np.minimum(up, down), up + down, 0.5)))


def _beta_p_values(differences: np.ndarray) -> np.ndarray:
    moved = (differences + 1) / 2
    return differences_from_sums(len(moved), moved.sum(axis=0), (moved**2).sum(axis=0))[1]


def _marginal(scores: np.ndarray, weights: np.ndarray, rank_: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """2.5 to 97.5 % of each agent's ranks over resampled items, outward, and around the rank itself."""
    sums = weights @ scores
    ranks = np.sort(1 + (sums[:, None, :] > sums[:, :, None] + 1e-9).sum(axis=2), axis=0)
    low, high = ranks[int(np.floor(0.025 * (RESAMPLES - 1)))], ranks[int(np.ceil(0.975 * (RESAMPLES - 1)))]
    return np.minimum(low, rank_), np.maximum(high, rank_)


def _true_ranks(truth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The best and the worst rank that is true of each agent: more than one where means are equal."""
    return 1 + (truth > truth[:, None]).sum(axis=1), len(truth) - (truth < truth[:, None]).sum(axis=1)


def _agree_with_the_package(scores: np.ndarray, trials: int, low: np.ndarray, high: np.ndarray) -> None:
    """Means of several trials of 0 and 1 stand for the trials: two agents are compared by items' means."""
    agents = {
        str(agent): {str(item): [value] if trials == 1 else [value, value] for item, value in enumerate(column)}
        for agent, column in enumerate(scores.T.tolist())
    }
    for standing in rank(agents, resamples=20).standings:
        agent = int(standing.agent)
        assert standing.rank_interval == (low[agent], high[agent])
