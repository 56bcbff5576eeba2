"""How fast jobs are done: by the table alone, with a model that takes half a second, and with one that takes none.

The table: jobs are taken and settled with an answer at hand, in batches of 32, as a worker does, without any model.
Driving: `gnomon worker` with 32 calls at a time and a model of 500 ms could make 64 calls a second.
Saturation: the same worker with a model that answers at once, by either transport, beside bare `litellm.acompletion` in
a process of its own with as many calls in flight. They take turns.
"""

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from bench.speed.model import Model, model
from bench.speed.stand import Figure, Server, at_least, at_most, databases, main, serving, workplace

from gnomon.llm.answer import Answer
from gnomon.llm.providers import TRANSPORT
from gnomon.model.access import Principal
from gnomon.scorers.asking import JudgedValue
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.judges import judging
from gnomon.store.engine import Store, open_store

JOBS = {"small": 960, "medium": 1920, "full": 3840}
ROUNDS = {"small": 2, "medium": 3, "full": 5}
IN_FLIGHT = 32
SECONDS = 0.5
DRIVEN, OF_BARE = 0.97, 0.6
CALLS_PER_SECOND, PROCESSOR_MS = 600, 2.0
PROMPT = "Question: {{input}}\nAnswer: {{output}}\nRate it from 0 to 1 and give the number alone."
_BARE = """
import asyncio, sys
from gnomon.llm.litellm_transport import load
calls, in_flight, base_url = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
prompt = "Question: q\\nAnswer: a\\nRate it from 0 to 1 and give the number alone."

async def main():
    litellm, to_do = load(), iter(range(calls))
    async def one_after_the_other():
        for n in to_do:
            messages = [{"role": "user", "content": f"{prompt} {n}"}]
            await litellm.acompletion("openai/judge-1", messages, api_base=base_url, api_key="k", max_retries=0)
    await asyncio.gather(*(one_after_the_other() for _ in range(in_flight)))

asyncio.run(main())
"""


def measure(options: argparse.Namespace) -> list[Figure]:
    jobs, rounds = JOBS[options.size], ROUNDS[options.size]
    figures = []
    with workplace() as folder, databases(options.databases, folder) as makers, model("1") as server:
        for name, new in makers.items():
            with queueing(new(), folder / f"table-{name}") as queue:
                queue(jobs)
                figures.append(_table(name, queue.database_url, jobs))
        for name, new in makers.items():
            with queueing(new(), folder / f"quick-{name}") as queue:
                figures += _saturation(name, queue, server, jobs, rounds)
    with workplace() as folder, databases(options.databases, folder) as makers, model("1", SECONDS) as server:
        for name, new in makers.items():
            with queueing(new(), folder / f"slow-{name}") as queue:
                figures += _driven(name, queue, server, jobs)
    return figures


class Queue:
    """Puts judge jobs into the table of a server that does none of them."""

    def __init__(self, server: Server, database_url: str) -> None:
        self._server, self.database_url, self._batches = server, database_url, 0

    def __call__(self, jobs: int) -> None:
        judge = {"scorer_name": "llm_judge", "config": {"model": "judge-1", "prompt_template": PROMPT}}
        self._batches += 1
        spans = [
            {"id": f"s{self._batches}-{n}", "trace_id": f"t{self._batches}-{n}", "name": "answer", "input": "q",
             "start_time": "2026-02-21T22:00:00Z", "output": f"answer {self._batches} {n}", "scores": [judge]}
            for n in range(jobs)
        ]  # fmt: skip
        with self._server.caller() as caller:
            for start in range(0, jobs, 500):
                caller.post("/traces/ingest", {"project_id": "p", "spans": spans[start : start + 500]})

    def left(self) -> int:
        """How many jobs are open, or 1 where it is more."""
        with self._server.caller() as caller:
            pages = [caller.get(f"/jobs?project_id=p&limit=1&status={status}") for status in ("queued", "running")]
        return sum(len(page["items"]) for page in pages)


@contextlib.contextmanager
def queueing(database_url: str, home: Path) -> Iterator[Queue]:
    with serving(database_url, home, "--no-worker") as server:
        yield Queue(server, database_url)


# --- the table alone -----


def _table(name: str, database_url: str, jobs: int) -> Figure:
    store, done = open_store(database_url), 0
    began = time.perf_counter()
    while batch := _one_batch(store):
        done += batch
    seconds = time.perf_counter() - began
    store.close()
    assert done == jobs, f"{done} of {jobs} jobs were done"
    return Figure(f"jobs taken and settled, {name}", done / seconds, "jobs/s", note=f"{IN_FLIGHT} at a time, no model")


def _one_batch(store: Store) -> int:
    clock, lease = Clock(), timedelta(seconds=30)

    def call(db: Any) -> Call:
        return Call(db, Principal("worker", "admin"), clock)

    questions, _ = store.write(lambda db: judging.take(call(db), "bench", IN_FLIGHT, lease))
    done = [
        judging.Settled(
            question.job, question.target, question.planned, JudgedValue(1.0, "1", {"model": "judge-1"}),
            answers={question.keys[0]: Answer("1", "judge-1", 20, 1, None, 1.0)},
        )
        for question in questions
    ]  # fmt: skip
    if done:
        store.write(lambda db: judging.settle(call(db), "bench", done))
    return len(done)


# --- with a model -----


@dataclass(frozen=True)
class Run:
    """Calls per second, from the first call to the last, and what the worker took."""

    per_second: float
    processor_ms: float
    megabytes: float


@contextlib.contextmanager
def _worker(database_url: str, way: str) -> Iterator[int]:
    command = [sys.executable, "-m", "gnomon", "worker", "--db", database_url, "--concurrency", str(IN_FLIGHT)]
    environment = os.environ | {"GNOMON_LOG_LEVEL": "warning", TRANSPORT: way}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(timeout=60)


def _asked_by_worker(queue: Queue, server: Model, jobs: int, way: str) -> Run:
    """A call before those that are counted lets it load what it asks with."""
    with _worker(queue.database_url, way) as pid:
        queue(1)
        _all_done(queue)
        server.calls()
        before = _processor_seconds(pid)
        queue(jobs)
        _all_done(queue)
        seconds = _processor_seconds(pid) - before
        megabytes = _most_megabytes(pid)
    return Run(_rate(server.calls(), jobs), seconds * 1000 / jobs, megabytes)


def _processor_seconds(pid: int) -> float:
    """In user and system mode, of all threads."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _most_megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1000 for line in lines if line.startswith("VmHWM"))


def _asked_by_bare(server: Model, jobs: int) -> float:
    command = [sys.executable, "-c", _BARE, str(jobs), str(IN_FLIGHT), server.base_url]
    server.calls()
    subprocess.run(command, check=True)
    return _rate(server.calls(), jobs)


def _all_done(queue: Queue) -> None:
    while queue.left():
        time.sleep(0.5)


def _rate(came: list[float], jobs: int) -> float:
    """Without the first and the last of what may be in flight: they are the start and the end, not the pace."""
    assert len(came) == jobs, f"{len(came)} calls for {jobs} jobs"
    steady = came[IN_FLIGHT:-IN_FLIGHT]
    return (len(steady) - 1) / (steady[-1] - steady[0])


def _saturation(name: str, queue: Queue, server: Model, jobs: int, rounds: int) -> list[Figure]:
    turns = [
        (_asked_by_bare(server, jobs), *(_asked_by_worker(queue, server, jobs, way) for way in ("openai", "litellm")))
        for _ in range(rounds)
    ]
    bare, direct, library = zip(*turns, strict=True)

    def against(ones: Sequence[Run]) -> float:
        return float(statistics.median(one.per_second / other for one, other in zip(ones, bare, strict=True)))

    note = f"bare LiteLLM: {statistics.median(bare):.0f} calls/s, {IN_FLIGHT} in flight, {rounds} turns"
    per_second, processor_ms = _median(direct, "per_second"), _median(direct, "processor_ms")
    return [
        at_least(f"worker, directly, {name}", per_second, "calls/s", CALLS_PER_SECOND, note),
        at_most("… CPU per call", processor_ms, "ms", PROCESSOR_MS, f"{_median(direct, 'megabytes'):.0f} MB"),
        Figure("… against bare LiteLLM", against(direct), "×"),
        Figure("… against the worker by LiteLLM", per_second / _median(library, "per_second"), "×"),
        at_least(f"worker by LiteLLM against bare LiteLLM, {name}", against(library), "×", OF_BARE, _words(library)),
    ]


def _median(runs: Sequence[Run], field: str) -> float:
    return float(statistics.median(getattr(run, field) for run in runs))


def _words(runs: Sequence[Run]) -> str:
    rate, processor_ms = _median(runs, "per_second"), _median(runs, "processor_ms")
    return f"{rate:.0f} calls/s, {processor_ms:.1f} ms of CPU per call, {_median(runs, 'megabytes'):.0f} MB"


def _driven(name: str, queue: Queue, server: Model, jobs: int) -> list[Figure]:
    possible = IN_FLIGHT / SECONDS
    direct, library = (_asked_by_worker(queue, server, jobs, way) for way in ("openai", "litellm"))
    note = f"{direct.per_second:.1f} of {possible:.0f} calls/s; bare LiteLLM: {_asked_by_bare(server, jobs):.1f}"
    words = f"driving a model of {SECONDS * 1000:.0f} ms"
    return [
        at_least(f"{words}, directly, {name}", direct.per_second / possible, "×", DRIVEN, note),
        Figure(f"{words}, by LiteLLM, {name}", library.per_second / possible, "×"),
    ]


if __name__ == "__main__":
    main(__doc__, measure)
