"""What asking a model takes: both transports side by side with bare LiteLLM, and how soon and how large each is there.

The model answers at once, from a process of its own, so everything that is measured is ours or LiteLLM's.
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bench.speed.model import model
from bench.speed.stand import Figure, at_least, at_most, main
from pydantic import BaseModel

from gnomon.llm import litellm_transport
from gnomon.llm.ask import ask, ask_structured, close, load
from gnomon.llm.providers import TRANSPORT

CALLS = {"small": 200, "medium": 500, "full": 2000}
ROUNDS = {"small": 3, "medium": 5, "full": 7}
IMPORTS = {"small": 1, "medium": 3, "full": 5}
IN_FLIGHT = 32
OF_BARE = 0.9
CALLS_PER_SECOND, PROCESSOR_MS = 600, 2.0
MODEL = "openai/gpt-4o-mini"
PROMPT = "Rate this answer from 0 to 1 and give the number alone. " * 10
BARE = "litellm.acompletion"

Question = Callable[[], Awaitable[object]]

_IMPORT = """
import resource, sys, time
from gnomon.llm.ask import load
began = time.perf_counter()
load(["openai/gpt-4o-mini"])
print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
"""


class Grade(BaseModel):
    score: float


@dataclass(frozen=True)
class Pace:
    per_second: float
    processor_ms: float
    """For one call."""


def measure(options: argparse.Namespace) -> list[Figure]:
    figures = [figure for way in ("openai", "litellm") for figure in _import(way, IMPORTS[options.size])]
    with model('{"score": 1}') as server:
        return figures + asyncio.run(_speed(server.base_url, CALLS[options.size], ROUNDS[options.size]))


def _import(way: str, times: int) -> list[Figure]:
    results = []
    for _ in range(times):
        command, environment = [sys.executable, "-c", _IMPORT], os.environ | {TRANSPORT: way}
        told = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        results.append([float(part) for part in told.split()])
    seconds, megabytes = (statistics.median(part) for part in zip(*results, strict=True))
    return [
        Figure(f"loading the transport {way}", seconds, "s", note="once a worker, beside its loop"),
        Figure("memory then", megabytes, "MB"),
    ]


async def _speed(base_url: str, calls: int, rounds: int) -> list[Figure]:
    litellm = litellm_transport.load()
    load([MODEL])
    litellm_transport.silence()

    async def bare() -> object:
        messages = [{"role": "user", "content": PROMPT}]
        return await litellm.acompletion(MODEL, messages, api_base=base_url, api_key="k", max_retries=0)

    sides: dict[str, Question] = {BARE: bare}
    for way in ("openai", "litellm"):
        sides[f"ask by {way}"] = _by(way, lambda: ask(MODEL, PROMPT))
        sides[f"ask_structured by {way}"] = _by(way, lambda: ask_structured(MODEL, PROMPT, Grade))
    found: dict[str, list[Pace]] = {name: [] for name in sides}
    for question in sides.values():
        await question()
    for _ in range(rounds):
        for name, question in sides.items():
            found[name].append(await _pace(question, calls))
    await close()
    return [*_speeds(found), *_ratios(found)]


def _by(way: str, question: Question) -> Question:
    """Sides take turns, and all of a turn's calls go one way: the environment may say which."""

    def asked() -> Awaitable[object]:
        os.environ[TRANSPORT] = way
        return question()

    return asked


def _speeds(found: dict[str, list[Pace]]) -> list[Figure]:
    figures = []
    for name, paces in found.items():
        per_second = statistics.median(pace.per_second for pace in paces)
        processor_ms = statistics.median(pace.processor_ms for pace in paces)
        note = f"{IN_FLIGHT} in flight, one process; {processor_ms:.2f} ms of CPU per call"
        if name == "ask by openai":
            figures.append(at_least(name, per_second, "calls/s", CALLS_PER_SECOND, note))
            figures.append(at_most("… CPU per call", processor_ms, "ms", PROCESSOR_MS))
        else:
            figures.append(Figure(name, per_second, "calls/s", note=note))
    return figures


def _ratios(found: dict[str, list[Pace]]) -> list[Figure]:
    """Of processor time, round by round: it is all that these calls take, and the load does not change it."""

    def against_bare(name: str) -> float:
        pairs = zip(found[BARE], found[name], strict=True)
        return statistics.median(bare.processor_ms / own.processor_ms for bare, own in pairs)

    return [
        at_least("ask by litellm against bare LiteLLM", against_bare("ask by litellm"), "×", OF_BARE, "processor time"),
        *(
            Figure(f"{name} against bare LiteLLM", against_bare(name), "×", note="processor time")
            for name in ("ask by openai", "ask_structured by openai", "ask_structured by litellm")
        ),
    ]


async def _pace(question: Question, calls: int) -> Pace:
    to_do = iter(range(calls))

    async def one_after_the_other() -> None:
        for _ in to_do:
            await question()

    began, computed = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one_after_the_other() for _ in range(IN_FLIGHT)))
    return Pace(calls / (time.perf_counter() - began), (time.process_time() - computed) * 1000 / calls)


if __name__ == "__main__":
    main(__doc__, measure)
