"""What asking a model costs us: how soon LiteLLM is there, and how much of its own speed is left through `ask`.

The model answers at once, from a process of its own, so everything that is measured is ours or LiteLLM's.
"""

import argparse
import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bench.speed.model import model
from bench.speed.stand import Figure, at_least, main
from pydantic import BaseModel

from gnomon.llm.ask import ask, ask_structured, close, load

CALLS = {"small": 200, "medium": 500, "full": 2000}
ROUNDS = {"small": 3, "medium": 5, "full": 7}
IMPORTS = {"small": 1, "medium": 3, "full": 5}
IN_FLIGHT = 32
OF_BARE = 0.9
MODEL = "gpt-4o-mini"
PROMPT = "Rate this answer from 0 to 1 and give the number alone. " * 10

Question = Callable[[], Awaitable[object]]

_IMPORT = """
import resource, time
from gnomon.llm.ask import load
began = time.perf_counter()
load()
print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
"""


class Grade(BaseModel):
    score: float


@dataclass(frozen=True)
class Pace:
    a_second: float
    processor_ms: float
    """For one call."""


def measure(options: argparse.Namespace) -> list[Figure]:
    figures = _import(IMPORTS[options.size])
    with model('{"score": 1}') as asked:
        return figures + asyncio.run(_speed(asked.base_url, CALLS[options.size], ROUNDS[options.size]))


def _import(times: int) -> list[Figure]:
    found = []
    for _ in range(times):
        told = subprocess.run([sys.executable, "-c", _IMPORT], check=True, capture_output=True, text=True).stdout
        found.append([float(part) for part in told.split()])
    seconds, megabytes = (statistics.median(part) for part in zip(*found, strict=True))
    note = "once a worker, beside its loop"
    return [Figure("loading LiteLLM and Instructor", seconds, "s", note=note), Figure("memory then", megabytes, "MB")]


async def _speed(base_url: str, calls: int, rounds: int) -> list[Figure]:
    litellm = load()

    async def bare() -> object:
        messages = [{"role": "user", "content": PROMPT}]
        return await litellm.acompletion(f"openai/{MODEL}", messages, api_base=base_url, api_key="k", max_retries=0)

    sides: dict[str, Question] = {
        "litellm.acompletion": bare,
        "ask": lambda: ask(MODEL, PROMPT),
        "ask_structured": lambda: ask_structured(MODEL, PROMPT, Grade),
    }
    found: dict[str, list[Pace]] = {name: [] for name in sides}
    for question in sides.values():
        await question()
    for _ in range(rounds):
        for name, question in sides.items():
            found[name].append(await _pace(question, calls))
    await close()
    return [*_speeds(found), *_ratios(found)]


def _speeds(found: dict[str, list[Pace]]) -> list[Figure]:
    note = f"{IN_FLIGHT} in flight, one process"
    return [
        Figure(name, statistics.median(pace.a_second for pace in paces), "calls/s", note=note)
        for name, paces in found.items()
    ]


def _ratios(found: dict[str, list[Pace]]) -> list[Figure]:
    """Of processor time, round by round: it is all that these calls take, and the load does not change it."""

    def against_bare(name: str) -> float:
        pairs = zip(found["litellm.acompletion"], found[name], strict=True)
        return statistics.median(bare.processor_ms / own.processor_ms for bare, own in pairs)

    return [
        at_least("ask against bare LiteLLM", against_bare("ask"), "×", OF_BARE, "processor time"),
        Figure("ask_structured against bare LiteLLM", against_bare("ask_structured"), "×", note="processor time"),
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
