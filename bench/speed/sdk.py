"""How many items and runs a second does an evaluation without a server take, and what do other tools take beside it?

A task that returns its input runs over 10,000 items with two rules, stored durably in a new SQLite file, without a
trace for each run and with. Then stored runs are scored again, by a rule and by a function, and 1,000 async tasks at a
time wait 100 ms each: how many of the 1,000 places hold a running task, from the first start to the last end?

Targets are held against items per second of CPU time, which does not depend on what else the machine does; items per
second of the clock stand beside them. `--rivals` also runs other tools over the same items, in turns with Gnomon.
"""

import argparse
import asyncio
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from bench.speed import rivals
from bench.speed.stand import Figure, at_least, main, workplace

import gnomon as gn
from gnomon.sdk.connection import connection

ROUNDS = {"small": 3, "medium": 5, "full": 11}
ITEMS, TRIALS = 10_000, 5
PLACES, WAIT_SECONDS, WAITING_TASKS = 1_000, 0.1, 20_000
PLAIN, TRACED, RESCORED, BUSY = 10_000, 3_000, 50_000, 0.95
T = TypeVar("T")


def measure(options: argparse.Namespace) -> list[Figure]:
    rounds = ROUNDS[options.size]
    with workplace() as folder:
        try:
            figures = [*_evaluations(folder, rounds), *_rescoring(folder, rounds), _busy(folder, rounds)]
        finally:
            gn.configure()
    if getattr(options, "rivals", None):
        figures += rivals.measure(Path(options.rivals), options.size)
    return figures


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rivals", nargs="?", const=str(rivals.usual_folder()), metavar="FOLDER",
        help="also run other tools, installed from the package index into environments below this folder",
    )  # fmt: skip


@dataclass(frozen=True)
class Rate:
    """So many of something per second: of the clock, and of CPU time."""

    clock: float
    cpu: float


def _timed(count: int, work: Callable[[], T]) -> tuple[T, Rate]:
    began, computed = time.perf_counter(), time.process_time()
    result = work()
    return result, Rate(count / (time.perf_counter() - began), count / (time.process_time() - computed))


def _figure(name: str, unit: str, rates: list[Rate], least: float | None) -> Figure:
    """The median. The first round is left out: it loads modules."""
    cpu, clock = (statistics.median(getattr(rate, kind) for rate in rates[1:]) for kind in ("cpu", "clock"))
    note = f"{clock:,.0f} {unit} of the clock; load {os.getloadavg()[0]:.1f}"
    if least is None:
        return Figure(f"{name}, per CPU second", cpu, unit, note=note)
    return at_least(f"{name}, per CPU second", cpu, unit, least, note)


def _new_store(folder: Path, name: str) -> None:
    """Made and opened before anything is timed."""
    gn.configure(database=str(folder / f"{name}.db"), project="bench")
    connection()


def _task(input: str) -> str:
    return input


def _items(count: int) -> list[dict[str, str]]:
    """Every second expected output differs from what the task returns."""
    return [{"input": f"question {n}", "expected_output": f"question {n // 2 * 2}"} for n in range(count)]


DATA = _items(ITEMS)


def _evaluate(**options: Any) -> gn.EvaluationResult:
    options = {"scorers": [gn.exact_match(), gn.contains()], **options}
    return gn.evaluate(_task, DATA, progress=False, **options)


# --- evaluating -----


def _evaluations(folder: Path, rounds: int) -> list[Figure]:
    """Without traces and with, in turns, each time into a new file."""
    rates: dict[bool, list[Rate]] = {False: [], True: []}
    for number in range(rounds + 1):
        for traces, measured in rates.items():
            _new_store(folder, f"evaluate-{number}-{traces}")
            result, rate = _timed(ITEMS, partial(_evaluate, traces=traces))
            _check(result, "exact_match", ITEMS)
            measured.append(rate)
    return [
        _figure("10,000 items evaluated by two rules, without traces", "items/s", rates[False], PLAIN),
        _figure("10,000 items evaluated by two rules, with traces", "items/s", rates[True], TRACED),
    ]


def _check(result: gn.EvaluationResult, scorer: str, runs: int) -> None:
    found = result.summary.scores_by_scorer[scorer]
    assert (found.n_scored, found.mean) == (runs, 0.5), found


# --- scoring again -----


def _rescoring(folder: Path, rounds: int) -> list[Figure]:
    _new_store(folder, "rescore")
    _evaluate(traces=False, name="many", trials=TRIALS, scorers=[])
    _evaluate(traces=False, name="few")
    by_rule, by_function = [], []
    for number in range(rounds + 1):
        rule = gn.exact_match(case_sensitive=False, name=f"rule-{number}")
        by_rule.append(_rescored("many", rule, f"rule-{number}", ITEMS * TRIALS))
        function = gn.scorer(name=f"function-{number}")(_is_same)
        by_function.append(_rescored("few", function, f"function-{number}", ITEMS))
    return [
        _figure(f"{ITEMS * TRIALS:,} stored runs scored again by a rule", "runs/s", by_rule, RESCORED),
        _figure(f"{ITEMS:,} stored runs scored again by a function", "runs/s", by_function, None),
    ]


def _rescored(experiment: str, scorer: Any, name: str, runs: int) -> Rate:
    result, rate = _timed(runs, lambda: gn.rescore(experiment, [scorer], progress=False))
    _check(result, name, runs)
    return rate


def _is_same(output: str, expected_output: str) -> bool:
    return output == expected_output


# --- waiting -----


def _busy(folder: Path, rounds: int) -> Figure:
    """The share of the places that hold a running task, from the first start to the last end."""
    _new_store(folder, "busy")
    found = [_share_busy(f"wait-{number}") for number in range(rounds + 1)]
    share, seconds = (statistics.median(column) for column in zip(*found[1:], strict=True))
    least = WAITING_TASKS * WAIT_SECONDS / PLACES
    note = f"{WAITING_TASKS:,} tasks in {seconds:.2f} s, {least:.2f} s are the least; load {os.getloadavg()[0]:.1f}"
    name = f"{PLACES:,} async tasks of {WAIT_SECONDS * 1000:.0f} ms at a time: share of places busy"
    return at_least(name, share, "", BUSY, note)


def _share_busy(name: str) -> tuple[float, float]:
    """That share, and the seconds from the first start to the last end."""
    times: list[tuple[float, float]] = []

    async def wait(input: str) -> str:
        began = time.perf_counter()
        await asyncio.sleep(WAIT_SECONDS)
        times.append((began, time.perf_counter()))
        return input

    gn.evaluate(
        wait, _items(WAITING_TASKS), [gn.exact_match()], concurrency=PLACES, traces=False, progress=False, name=name
    )
    seconds = max(ended for _, ended in times) - min(began for began, _ in times)
    return sum(ended - began for began, ended in times) / (PLACES * seconds), seconds


if __name__ == "__main__":
    main(__doc__, measure, _add_options)
