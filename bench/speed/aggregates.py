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
    "summary of 33,334 runs × 3 scorers, 0 or 1": Shape(33_334),
    "summary of 33,334 runs × 3 scorers, real": Shape(33_334, value=fill.real),
    "summary of 4,000 items × 5 trials × 5 scorers, 0 or 1": Shape(4_000, trials=5, scorers=5),
    "summary of 4,000 items × 5 trials × 5 scorers, real": Shape(4_000, trials=5, scorers=5, value=fill.real),
}
COMPARISON = "comparison of two with 10,000 runs × 3 scorers"
PAIR = Shape(10_000, value=fill.real)
SUMMARY_MS, COMPARISON_MS = 100, 200
GROWTH = {"small": 1, "medium": 4, "full": 10}
LINEAR = 1.3
"""With n times as many scores each may take this much longer: a little more than noise."""
TIMES = 15


def measure(options: argparse.Namespace) -> list[Figure]:
    figures = []
    with workplace() as folder, databases(options.databases, folder) as makers:
        for name, new in makers.items():
            figures += _database(name, new(), folder, GROWTH[options.size])
    return figures


def _database(name: str, url: str, folder: Path, growth: int) -> list[Figure]:
    usual, larger = _fill(url, growth)
    figures, took = [], {}
    with serving(url, folder / f"home-{name}") as server, server.caller() as caller:
        for words, path in usual.items():
            times, computed = _time(server, caller, path)
            took[words] = statistics.median(times)
            note = f"fastest {min(times):.0f}, server's CPU {computed:.0f} ms"
            limit = COMPARISON_MS if words == COMPARISON else SUMMARY_MS
            figures.append(at_most(f"{words}, {name}", took[words], "ms", limit, note))
        for words, path in larger.items():
            now = statistics.median(_time(server, caller, path)[0])
            label = f"the same {growth} times as large, {name}: {words}"
            figures.append(at_most(label, now / took[words] / growth, "×", LINEAR, f"a score; {now:.0f} ms in all"))
    return figures


def _fill(url: str, growth: int) -> tuple[dict[str, str], dict[str, str]]:
    """What is asked for → its path; and the paths of what is `growth` times as large."""
    store, clock = open_store(url), Clock()
    dataset, items = fill.dataset(store, clock, 33_334 * growth)

    def made(shape: Shape, times: int = 1) -> str:
        return fill.experiment(store, clock, dataset, items, replace(shape, items=shape.items * times))

    def compared(times: int = 1) -> str:
        return f"/experiments/{made(PAIR, times)}/compare/{made(PAIR, times)}"

    usual = {words: f"/experiments/{made(shape)}/summary" for words, shape in SUMMARIES.items()}
    usual[COMPARISON] = compared()
    larger = {}
    if growth > 1:
        grown = {words: shape for words, shape in SUMMARIES.items() if shape.value is fill.real}
        larger = {words: f"/experiments/{made(shape, growth)}/summary" for words, shape in grown.items()}
        larger[COMPARISON] = compared(growth)
    fill.settle(store)
    store.close()
    return usual, larger


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


if __name__ == "__main__":
    main(__doc__, measure)
