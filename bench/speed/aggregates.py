"""Summaries and comparisons over HTTP, and how they grow with the number of scores."""

import argparse
import statistics
import time
from dataclasses import replace
from pathlib import Path

from bench.speed import fill
from bench.speed.fill import Shape
from bench.speed.stand import Caller, Figure, Server, at_most, databases, main, serving, workplace

from gnomon.service.clock import Clock
from gnomon.store.engine import open_store

SUMMARIES = {
    "33,334 runs × 3 scorers, 0 or 1": Shape(33_334),
    "33,334 runs × 3 scorers, real": Shape(33_334, value=fill.real),
    "4,000 items × 5 trials × 5 scorers, 0 or 1": Shape(4_000, trials=5, scorers=5),
    "4,000 items × 5 trials × 5 scorers, real": Shape(4_000, trials=5, scorers=5, value=fill.real),
}
PAIR = Shape(10_000, value=fill.real)
SUMMARY_MS, COMPARE_MS = 100, 200
GROWTH = {"small": 1, "medium": 4, "full": 10}
LINEAR = 1.3
"""Of n times as many scores, each may take this much longer: a little more than noise."""
TIMES = 15


def measure(options: argparse.Namespace) -> list[Figure]:
    figures = []
    with workplace() as folder, databases(options.databases, folder) as makers:
        for name, new in makers.items():
            figures += _database(name, new(), folder, GROWTH[options.size])
    return figures


def _database(name: str, url: str, folder: Path, growth: int) -> list[Figure]:
    asked = _fill(url, growth)
    figures = []
    with serving(url, folder / f"home-{name}") as server, server.caller() as caller:
        for words, (path, limit) in asked.items():
            took, computed = _time(server, caller, path)
            figures.append(_figure(f"{words}, {name}", took, computed, limit))
    return figures


def _fill(url: str, growth: int) -> dict[str, tuple[str, float]]:
    """What is asked for → its path and the milliseconds it may take."""
    store, clock = open_store(url), Clock()
    dataset, items = fill.dataset(store, clock, 33_334 * growth)
    sizes = sorted({1, growth})

    def made(shape: Shape, times: int = 1) -> str:
        return fill.experiment(store, clock, dataset, items, replace(shape, items=shape.items * times))

    asked = {
        f"summary of {words}{f' × {size}' if size > 1 else ''}": (
            f"/experiments/{made(shape, size)}/summary", SUMMARY_MS * size,
        )
        for words, shape in SUMMARIES.items() for size in sizes
    }  # fmt: skip
    for size in sizes:
        words = f"comparison of two with {10_000 * size:,} runs × 3 scorers"
        asked[words] = f"/experiments/{made(PAIR, size)}/compare/{made(PAIR, size)}", COMPARE_MS * size
    fill.settle(store)
    store.close()
    return asked


def _time(server: Server, caller: Caller, path: str) -> tuple[list[float], float]:
    """Milliseconds of each answer, and what the server computed for one."""
    request = Caller.request("GET", path)
    for _ in range(2):
        caller.send(request)
    computed, took = server.cpu_seconds(), []
    for _ in range(TIMES):
        began = time.perf_counter()
        caller.send(request)
        took.append((time.perf_counter() - began) * 1000)
    return took, (server.cpu_seconds() - computed) / TIMES * 1000


def _figure(words: str, took: list[float], computed: float, limit: float) -> Figure:
    note = f"fastest {min(took):.0f}, server's CPU {computed:.0f} ms"
    return at_most(words, statistics.median(took), "ms", limit, note)


if __name__ == "__main__":
    main(__doc__, measure)
