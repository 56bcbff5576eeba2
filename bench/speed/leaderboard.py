"""How fast 50 agents on 500 items are ranked, beside a plain bootstrap of the same means.

The plain side gathers the drawn items' scores and averages them, resample by resample, as one writes it first;
it gives rank ranges and nothing else. Both take turns in one process on one core, the best of K turns counts,
and their rank ranges are compared before any ratio is printed.
"""

import argparse
import os
import resource
import time
import tracemalloc

import numpy as np
from bench.speed.stand import Figure, at_most, main

from gnomon.stats.rank import RESAMPLES, rank

AGENTS, ITEMS = 50, 500
TIMES = {"small": 1, "medium": 3, "full": 5}
SECONDS, MEMORY_MB = 10.0, 500.0


def measure(options: argparse.Namespace) -> list[Figure]:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})  # whatever threads NumPy starts, they share one core
    try:
        return _measure(TIMES[options.size])
    finally:
        os.sched_setaffinity(0, cores)


def _measure(times: int) -> list[Figure]:
    means = made_up()
    agents = {
        f"agent {index:02}": {f"item {item:03}": [value] for item, value in enumerate(column)}
        for index, column in enumerate(means.T.tolist())
    }
    best = {"plain": float("inf"), "gnomon": float("inf")}
    for _ in range(times):
        began = time.perf_counter()
        plain = plain_ranges(means)
        best["plain"] = min(best["plain"], time.perf_counter() - began)
        began = time.perf_counter()
        found = rank(agents)
        best["gnomon"] = min(best["gnomon"], time.perf_counter() - began)
    _check(
        plain,
        {
            standing.agent: (standing.rank, standing.rank_interval)
            for standing in found.standings
            if standing.rank and standing.rank_interval
        },
    )
    tracemalloc.start()
    rank(agents)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = f"{AGENTS} agents × {ITEMS} items × {RESAMPLES:,} resamples"
    return [
        at_most(f"leaderboard, {size}", best["gnomon"], "s", SECONDS, "with intervals and all 1,225 paired tests"),
        Figure(f"plain bootstrap of ranks, {size}", best["plain"], "s"),
        Figure("the plain bootstrap against the whole leaderboard", best["plain"] / best["gnomon"], "×"),
        at_most("memory that one leaderboard takes at its peak", peak, "MB", MEMORY_MB),
        Figure("the process at its largest, the plain side included", resident, "MB"),
    ]


def made_up() -> np.ndarray:
    """Scores of 0 and 1: items differ in difficulty, agents in skill."""
    random = np.random.default_rng(7)
    easy, skill = random.beta(2, 2, (ITEMS, 1)), np.linspace(0, 0.3, AGENTS)
    return (random.random((ITEMS, AGENTS)) < 0.7 * easy + skill).astype(float)


def plain_ranges(means: np.ndarray) -> list[tuple[int, int]]:
    random = np.random.default_rng(1)
    ranks = np.empty((RESAMPLES, AGENTS), dtype=int)
    for resample in range(RESAMPLES):
        drawn = means[random.integers(0, ITEMS, ITEMS)].mean(axis=0)
        ranks[resample] = 1 + (drawn[None, :] > drawn[:, None] + 1e-9).sum(axis=1)
    low, high = np.quantile(ranks, [0.025, 0.975], axis=0)
    return [(int(np.floor(one)), int(np.ceil(other))) for one, other in zip(low, high, strict=True)]


def _check(plain: list[tuple[int, int]], found: dict[str, tuple[int, tuple[int, int]]]) -> None:
    """Two seeds differ by a rank at the edge; more means that one side is wrong."""
    for index, (low, high) in enumerate(plain):
        rank_, ends = found[f"agent {index:02}"]
        if abs(ends[0] - min(low, rank_)) > 1 or abs(ends[1] - max(high, rank_)) > 1:
            raise SystemExit(f"agent {index:02}: {ends} here, {low} to {high} by the plain bootstrap")


if __name__ == "__main__":
    main(__doc__, measure)
