"""Text search: what it costs those who send spans, and how soon a list of traces is there that is searched by words.

Cost: two servers with a database each get the same batches in turns, one with the project's text search on, one with
it off; who is first changes from turn to turn. Counted is the CPU time of the server, and of PostgreSQL's processes
(there also what it computes for the worker). What arrives is put into the index later, by a worker: its CPU time until
nothing waits any more is told apart. Three ways to send:

- OTLP and native ingest of an agent's traces of four spans, 1 KB each, of which the root is searched;
- native ingest of traces of one span, so that every span is searched: the most that it costs with texts of this size.

Time: a project gets many traces through native ingest, with words that one in 2, 100 or 10,000 traces has; then the
first page of `GET /v1/traces?q=…` is asked for again and again.
"""

import argparse
import contextlib
import json
import os
import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bench.speed.otlp import native_request, otlp_request, percentile
from bench.speed.otlp_spans import BATCH, PROJECT, START_MS, Batches, moment
from bench.speed.stand import Caller, Figure, Server, at_most, databases, main, serving, workplace

TURNS = {"small": 4, "medium": 10, "full": 20}
BATCHES = 12
"""Batches per turn: half a second of CPU, which the kernel counts in steps of 10 ms."""
TRACES = {"small": 20_000, "medium": 100_000, "full": 1_000_000}
TIMES = {"small": 50, "medium": 200, "full": 200}
MOST_PERCENT, P99_MS = 15.0, 100.0
WORDS = 20_000
"""Words that texts are made of, beside those that are searched for."""

Bodies = Callable[[int], bytes]


def measure(options: argparse.Namespace) -> list[Figure]:
    figures: list[Figure] = []
    traces = getattr(options, "traces", None) or TRACES[options.size]
    with workplace() as folder, databases(options.databases, folder) as makers:
        for name, new in makers.items():
            figures += _cost(name, new, folder, TURNS[options.size])
            figures += _queries(name, new(), folder, traces, TIMES[options.size])
    return figures


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--traces", type=int, help="how many are searched (full: a million)")


# --- what it costs to send -----


@dataclass(frozen=True)
class Way:
    """How spans are sent: a request per number of a batch. The same number gives the same bytes."""

    name: str
    request: Bodies


def _ways() -> list[Way]:
    otlp, native = Batches(1), Batches(2)
    return [
        Way("OTLP", lambda number: otlp_request(otlp.otlp(number))),
        Way("native ingest", lambda number: native_request(native.native(number))),
        Way("native ingest, traces of one span", lambda number: native_request(_roots(number))),
    ]


def _roots(number: int) -> bytes:
    """512 traces of one span with about 1 KB of text each."""
    chance = random.Random(number)
    spans = [
        _span(f"one-{number}-{at}", number * BATCH + at, _text(chance, 70), _text(chance, 70)) for at in range(BATCH)
    ]
    return _body(spans)


def _cost(name: str, new: Callable[[], str], folder: Path, turns: int) -> Iterator[Figure]:
    with _served(new(), folder / f"home-{name}-on") as on, _served(new(), folder / f"home-{name}-off") as off:
        _switch_off(off)
        for way in _ways():
            spent: dict[str, list[float]] = {"on": [], "off": []}
            indexing = _cpu_of_worker(on)
            for turn in range(turns + 1):
                requests = [way.request(turn * BATCHES + at) for at in range(BATCHES)]
                both = [("on", on), ("off", off)]
                for which, server in both if turn % 2 else both[::-1]:
                    spent[which].append(_cpu_of(server, requests, folder) / (BATCH * BATCHES) * 1e6)
            # The first turn warms both up.
            yield _more_percent(f"{name}, {way.name}", spent["on"][1:], spent["off"][1:])
            later = _cpu_when_indexed(on) - indexing
            per_span = later / (BATCH * BATCHES * (turns + 1)) * 1e6
            yield Figure(f"{name}, {way.name}, CPU of the worker that indexes", per_span, "µs per span")


def _more_percent(name: str, on: Sequence[float], off: Sequence[float]) -> Figure:
    more = sorted((with_search / without - 1) * 100 for with_search, without in zip(on, off, strict=True))
    note = f"turns {more[0]:+.0f} to {more[-1]:+.0f} %; {statistics.median(on):.0f} µs of CPU per span "
    note += f"with it, {statistics.median(off):.0f} without"
    return at_most(f"{name}, more CPU with text search", statistics.median(more), "%", MOST_PERCENT, note)


def _cpu_of(server: Server, requests: Sequence[bytes], folder: Path) -> float:
    """Seconds of CPU that they take. The connection is new: one that waits for its turn may be closed meanwhile."""
    with server.caller() as caller:
        before = server.cpu_seconds() + _cpu_of_postgresql(folder)
        for request in requests:
            caller.send(request)
        return server.cpu_seconds() + _cpu_of_postgresql(folder) - before


def _cpu_of_worker(server: Server) -> float:
    """Seconds that the server's child processes have computed so far."""
    ticks = 0
    for children in Path(f"/proc/{server.process.pid}/task").glob("*/children"):
        for child in children.read_text().split():
            with contextlib.suppress(OSError):
                fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _cpu_when_indexed(server: Server) -> float:
    """The same, once the worker has stopped computing."""
    computed, still = _cpu_of_worker(server), 0
    while still < 3:
        time.sleep(1.5)  # it looks for work every second
        now = _cpu_of_worker(server)
        still, computed = (still + 1 if now - computed < 0.05 else 0), now
    return computed


def _cpu_of_postgresql(folder: Path) -> float:
    """What its processes have computed so far, those that have ended included; 0 where there is none."""
    written = folder / "postgresql" / "postmaster.pid"
    if not written.exists():
        return 0.0
    parent, ticks = written.read_text().split()[0], 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if stat.parent.name == parent:
                ticks += sum(map(int, fields[11:15]))
            elif fields[1] == parent:
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def _served(url: str, home: Path) -> Iterator[Server]:
    """A server that knows the project."""
    with serving(url, home) as server:
        with server.caller() as caller:
            caller.send(native_request(_body([_span("first", 0, "first", "first")])))
        yield server


def _switch_off(server: Server) -> None:
    path = f"/projects/{PROJECT}/text-search"
    with server.caller() as caller:
        caller.send(Caller.request("PUT", path, b'{"enabled":false}'))
        while not caller.get(path)["ready"]:  # a job empties the index
            time.sleep(0.05)


# --- how long a search takes -----

SEARCHES: Mapping[str, tuple[str, int]] = {
    "a word of every second trace": ("half", 2),
    "a word of 1 % of the traces": ("hundredth", 100),
    "a word of 1 in 10,000": ("tenthousandth", 10_000),
    "a word that no trace has": ("nowhere", 0),
    "two words, 50 % and 1 %": ("half hundredth", 0),
    "two words of 50 % that no trace has together": ("even odd", 0),
    "the beginning of a word, 1 %": ("hundred*", 0),
}
"""What is asked → the query, and that one in so many traces has the word; 0: no word is put in for it."""


def _queries(name: str, url: str, folder: Path, traces: int, times: int) -> Iterator[Figure]:
    with serving(url, folder / f"home-{name}-queries") as server, server.caller() as caller:
        for number in range(0, traces, BATCH):
            caller.send(native_request(_searched(number, min(BATCH, traces - number))))
        for what, (query, _) in SEARCHES.items():
            took, cpu, found = _ask(server, caller, query, times)
            note = f"median {statistics.median(took) * 1000:.1f} ms, {cpu * 1000:.1f} ms of the server's CPU, "
            note += f"{found} traces on the page"
            p99 = percentile(took, 99) * 1000
            yield at_most(f"{name}, {traces:,} traces, {what}, 99th percentile", p99, "ms", P99_MS, note)


def _ask(server: Server, caller: Caller, query: str, times: int) -> tuple[Sequence[float], float, int]:
    """Seconds of each, the CPU seconds of one, and how many traces the page had."""
    request = Caller.request("GET", f"/traces?project_id={PROJECT}&q={quote(query)}")
    found = len(json.loads(caller.send(request))["items"])
    took, cpu = [], server.cpu_seconds()
    for _ in range(times):
        began = time.perf_counter()
        caller.send(request)
        took.append(time.perf_counter() - began)
    return took, (server.cpu_seconds() - cpu) / times, found


def _searched(first: int, count: int) -> bytes:
    chance = random.Random(first)
    spans = []
    for number in range(first, first + count):
        put_in = [word for word, every in SEARCHES.values() if every and number % every == 0]
        put_in.append("odd" if number % 2 else "even")
        spans.append(_span(f"trace-{number}", number, _text(chance, 40), " ".join([_text(chance, 40), *put_in])))
    return _body(spans)


# --- spans -----


def _text(chance: random.Random, words: int) -> str:
    """Words of which a few are frequent and many are rare, as in a language."""
    return " ".join(f"word{int(WORDS ** chance.random())}" for _ in range(words))


def _span(trace: str, number: int, asked: str, answered: str) -> dict[str, Any]:
    return {
        "id": f"root-{trace}", "trace_id": trace, "name": "agent", "model": "some-model-2026",
        "start_time": moment(START_MS + number), "end_time": moment(START_MS + number + 1),
        "input": {"messages": [{"role": "user", "content": asked}]}, "output": answered,
    }  # fmt: skip


def _body(spans: Sequence[dict[str, Any]]) -> bytes:
    return json.dumps({"project_id": PROJECT, "spans": spans}, separators=(",", ":")).encode()


if __name__ == "__main__":
    main(__doc__, measure, add_options)
