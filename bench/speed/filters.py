"""A list of traces filtered by metadata, over HTTP: a key with an index, and one without.

A database gets many traces, one span each, past the server. Then `GET /v1/traces?metadata.KEY=VALUE` is asked for the
first page again and again, each time with another value:

- `user.id`, which every project has an index of: 100 traces per user;
- `customer`, which this project has declared: the same;
- `tenant`, which nobody has declared: the same values, found by looking through spans, so much per page and no more;
- values that no trace has, for each of them.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bench.speed import fill
from bench.speed.fill import PROJECT
from bench.speed.stand import Caller, Figure, at_most, databases, main, serving, workplace

from gnomon.service.clock import Clock
from gnomon.store import schema
from gnomon.store.engine import open_store

TRACES = {"small": 20_000, "medium": 100_000, "full": 1_000_000}
TRACES_A_VALUE = 100
TIMES = {"small": 50, "medium": 200, "full": 200}
P99_MS = 100.0
KEYS = {"user.id": "always indexed", "customer": "declared", "tenant": "not declared"}


def measure(options: argparse.Namespace) -> list[Figure]:
    figures: list[Figure] = []
    traces = getattr(options, "traces", None) or TRACES[options.size]
    with workplace() as folder, databases(options.databases, folder) as makers:
        for name, new in makers.items():
            figures += _database(name, new(), folder, traces, TIMES[options.size])
    return figures


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--traces", type=int, help="how many there are (full: a million)")


def _database(name: str, url: str, folder: Path, traces: int, times: int) -> Iterator[Figure]:
    _fill(url, traces)
    chance = random.Random(traces)
    with serving(url, folder / f"home-{name}") as server, server.caller() as caller:
        for key, kind in KEYS.items():
            for what, value in (("a value", _values(traces, chance)), ("no trace has the value", lambda: "nobody")):
                took, found = _ask(caller, key, value, times)
                words = f"{name}, {traces:,} traces, {key} ({kind}), {what}"
                note = f"median {took[len(took) // 2] * 1000:.1f} ms, {found} traces on the page"
                p99 = took[min(len(took) - 1, len(took) * 99 // 100)] * 1000
                # What is not in the index is found within a bound per page, and has no target.
                yield (
                    at_most(f"{words}, 99th percentile", p99, "ms", P99_MS, note)
                    if key != "tenant"
                    else Figure(f"{words}, 99th percentile", p99, "ms", note=note)
                )


def _values(traces: int, chance: random.Random) -> Callable[[], str]:
    return lambda: _value(chance.randrange(traces), traces)


def _ask(caller: Caller, key: str, value: Callable[[], str], times: int) -> tuple[Sequence[float], int]:
    """Seconds in order, and how many traces the last page had."""
    took, found = [], 0
    for _ in range(times):
        path = f"/traces?project_id={PROJECT}&metadata.{quote(key)}={quote(value())}"
        began = time.perf_counter()
        page: Any = caller.get(path)
        took.append(time.perf_counter() - began)
        found = len(page["items"])
    return sorted(took), found


# --- the database -----


def _value(trace: int, traces: int) -> str:
    """A hundred traces have the same, and lie far from each other."""
    return f"value-{trace % max(1, traces // TRACES_A_VALUE):06}"


def _fill(url: str, traces: int) -> None:
    store, clock = open_store(url), Clock()
    now = clock.now_ms()
    fields = {"id": PROJECT, "name": PROJECT, "created_at": now}
    fill.insert(store, schema.projects, [fields])
    fill.insert(store, schema.traces, _traces(traces, now))
    fill.insert(store, schema.spans, _spans(traces, now))
    declared = {"project_id": PROJECT, "key": "customer", "ready": 1, "created_at": now}
    fill.insert(store, schema.indexed_keys, [declared])
    for key in ("customer", "user.id"):
        fill.insert(store, schema.trace_values, _indexed(key, traces, now))
    fill.settle(store)
    store.close()


def _trace(number: int) -> str:
    return f"trace-{number:08}"


def _traces(traces: int, now: int) -> Iterator[dict[str, Any]]:
    fields = {
        "project_id": PROJECT, "root_span_id": "root", "span_count": 1, "error_count": 0, "tokens": 0,
        "annotation_count": 0, "unpriced": 0,
    }  # fmt: skip
    for n in range(traces):
        at = now - traces + n
        yield {**fields, "id": _trace(n), "created_at": at, "started_at": at, "updated_at": at, "root_start": at}


def _spans(traces: int, now: int) -> Iterator[dict[str, Any]]:
    fields = {"id": "root", "project_id": PROJECT, "name": "agent", "input": '"q"', "output": '"a"'}
    for n in range(traces):
        said = ",".join(f'"{key}":"{_value(n, traces)}"' for key in KEYS)
        yield {**fields, "trace_id": _trace(n), "start_time": now - traces + n, "metadata": f"{{{said}}}"}


def _indexed(key: str, traces: int, now: int) -> Iterator[dict[str, Any]]:
    fields = {"project_id": PROJECT, "key": key}
    for n in range(traces):
        yield {**fields, "value": _value(n, traces), "created_at": now - traces + n, "trace_id": _trace(n)}


if __name__ == "__main__":
    main(__doc__, measure, add_options)
