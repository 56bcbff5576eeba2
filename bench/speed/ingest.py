"""Spans over HTTP against the floor: the same rows, parsed and inserted without any server.

One client sends batches of 500 spans of 1 KB, one after the other; each answer means that the
batch is on the disk. The floor decodes the same bytes, makes the same rows and hands them to
the database's own driver, in the same schema, with the same durability. Both take turns in
one run, so the ratio holds whatever else the machine does.
"""

import argparse
import json
import sqlite3
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from bench.speed.stand import Caller, Figure, at_least, clock, databases, flush_ms, main, serving, workplace

from gnomon.store.engine import open_store

BATCH = 500
SPANS_A_TRACE = 10
ROUNDS = {"small": 3, "medium": 6, "full": 12}
BATCHES = 8
TARGET = 40.0
_SPANS = """id, project_id, trace_id, parent_span_id, name, input, output, start_time, end_time, duration_ms,
    tokens_input, tokens_output, model, metadata"""
_TRACES = "id, project_id, root_span_id, span_count, error_count, tokens, model, created_at"
_UPSERT = f"""INSERT INTO traces ({_TRACES}) VALUES ({{marks}})
    ON CONFLICT (id, project_id) DO UPDATE SET span_count = traces.span_count + excluded.span_count"""


def measure(options: argparse.Namespace) -> list[Figure]:
    figures = []
    with workplace() as folder, databases(options.databases, folder) as makers:
        for name, new in makers.items():
            figures += _database(name, new, folder, ROUNDS[options.size])
        figures.append(Figure("flush of the disk, median", flush_ms(folder), "ms"))
    return figures


def _database(name: str, new: Callable[[], str], folder: Path, rounds: int) -> list[Figure]:
    floor_url = new()
    open_store(floor_url).close()
    insert = (_sqlite_floor if name == "sqlite" else _postgresql_floor)(floor_url)
    with serving(new(), folder / f"home-{name}") as server, server.caller() as caller, insert as insert_raw:
        served, raw = [], []
        for round in range(rounds + 1):
            bodies = [body(f"{round}-{number}") for number in range(BATCHES)]
            requests = iter([Caller.request("POST", "/traces/ingest", text) for text in bodies])
            texts = iter(bodies)
            first = sum(clock(lambda: caller.send(next(requests)), BATCHES))  # noqa: B023
            second = sum(clock(lambda: insert_raw(next(texts)), BATCHES))  # noqa: B023
            if round:  # the first one warms both up
                served.append(BATCH * BATCHES / first)
                raw.append(BATCH * BATCHES / second)
    share = statistics.median(one / other for one, other in zip(served, raw, strict=True)) * 100
    size = len(bodies[0]) / BATCH
    return [
        Figure(f"ingest, {name}, over HTTP", statistics.median(served), "spans/s", note=f"{size:.0f} bytes a span"),
        Figure(f"ingest, {name}, floor without a server", statistics.median(raw), "spans/s"),
        at_least(f"ingest, {name}, share of the floor", share, "%", TARGET),
    ]


def body(batch: str) -> bytes:
    """500 spans of about 1 KB in traces of ten."""
    spans = [_span(batch, number) for number in range(BATCH)]
    return json.dumps({"project_id": "bench", "spans": spans}, separators=(",", ":")).encode()


def _span(batch: str, number: int) -> dict[str, Any]:
    trace, place = f"trace-{batch}-{number // SPANS_A_TRACE}", number % SPANS_A_TRACE
    words = f"What did the agent do in step {number} of batch {batch}, and was it what the user had asked for? "
    return {
        "id": f"span-{batch}-{number}",
        "trace_id": trace,
        "parent_span_id": None if place == 0 else f"span-{batch}-{number - place}",
        "name": "agent" if place == 0 else "llm.chat",
        "start_time": f"2026-02-21T22:00:{place:02d}.000Z",
        "end_time": f"2026-02-21T22:00:{place + 1:02d}.250Z",
        "input": {"messages": [{"role": "user", "content": words * 3}]},
        "output": {"role": "assistant", "content": words * 3, "finish_reason": "stop"},
        "tokens_input": 120 + number,
        "tokens_output": 45,
        "model": "some-model-2026",
        "metadata": {"user": f"u{number % 7}", "attempt": 1, "cached": False},
    }


Insert = Callable[[bytes], None]


@contextmanager
def _sqlite_floor(url: str) -> Iterator[Insert]:
    connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "cache_size=-16000", "wal_autocheckpoint=4000"):
        connection.execute(f"PRAGMA {pragma}")
    marks = ", ".join("?" * 14)
    upsert = _UPSERT.format(marks=", ".join("?" * 8))

    def insert(text: bytes) -> None:
        spans, traces = rows(text)
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(upsert, traces)
        connection.executemany(f"INSERT INTO spans ({_SPANS}) VALUES ({marks})", spans)
        connection.execute("COMMIT")

    yield insert
    connection.close()


@contextmanager
def _postgresql_floor(url: str) -> Iterator[Insert]:
    import psycopg

    upsert = _UPSERT.format(marks=", ".join(["%s"] * 8))
    with psycopg.connect(url) as connection:

        def insert(text: bytes) -> None:
            spans, traces = rows(text)
            with connection.cursor() as cursor:
                cursor.executemany(upsert, traces)
                with cursor.copy(f"COPY spans ({_SPANS}) FROM STDIN") as lane:
                    for row in spans:
                        lane.write_row(row)
            connection.commit()

        yield insert


def rows(text: bytes) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """The rows of a batch, with no check of anything."""
    encode = msgspec.json.encode
    spans: list[tuple[Any, ...]] = []
    traces: dict[str, Any] = {}
    for span in msgspec.json.decode(text)["spans"]:
        start, end = (_ms(span[name]) for name in ("start_time", "end_time"))
        spans.append((
            span["id"], "bench", span["trace_id"], span["parent_span_id"], span["name"],
            encode(span["input"]).decode(), encode(span["output"]).decode(), start, end, float(end - start),
            span["tokens_input"], span["tokens_output"], span["model"], encode(span["metadata"]).decode(),
        ))  # fmt: skip
        trace = traces.setdefault(span["trace_id"], [span["trace_id"], "bench", None, 0, 0, 0, span["model"], start])
        if span["parent_span_id"] is None:
            trace[2] = span["id"]
        trace[3] += 1
        trace[5] += span["tokens_input"] + span["tokens_output"]
    return spans, [tuple(trace) for trace in traces.values()]


def _ms(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp() * 1000)


if __name__ == "__main__":
    main(__doc__, measure)
