"""Old traces are deleted: how long it takes, what others wait meanwhile, and how much space comes back.

A database gets traces of four spans, 1 KB each, half of them a year old, past the server. Every hundredth old trace is
queued for review and must stay. Then `gnomon db prune` runs in this process while another writer stores one trace after
the other into the same database.
"""

import argparse
import os
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from typing import Any

from bench.speed.stand import Figure, databases, main, workplace

from gnomon.model.jsonvalue import dump
from gnomon.service.clock import Clock
from gnomon.service.upkeep import retention
from gnomon.store import projects, reviewcards, upkeep
from gnomon.store.engine import Store, open_store
from gnomon.store.reviewcards import NewCard
from gnomon.store.rows import StoredSpan
from gnomon.store.spanstore import Arrivals, indexed_values

SPANS = {"small": 20_000, "medium": 200_000, "full": 2_000_000}
PROJECT, IN_TRACE, TOGETHER, KEPT_EVERY = "shop", 4, 1_000, 100
YEAR = timedelta(days=365)
_TEXT = "the quick brown fox jumps over the lazy dog and finds an order that was lost in the post "


def measure(options: argparse.Namespace) -> list[Figure]:
    figures: list[Figure] = []
    spans = getattr(options, "spans", None) or SPANS[options.size]
    with workplace() as folder, databases(options.databases, folder) as makers:
        for name, new in makers.items():
            url = new()
            with closing(open_store(url)) as store, closing(open_store(url)) as other:
                figures += _database(name, store, other, spans)
    return figures


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--spans", type=int, help="how many there are; half of them are deleted (full: two million)")


def _database(name: str, store: Store, other: Store, spans: int) -> Iterator[Figure]:
    _fill(store, spans)
    if store.is_sqlite:  # what is in its log belongs to the file
        upkeep.give_back(store, 0, compact=False)
    began = time.perf_counter()
    found = retention.find_old(store, timedelta(days=90), project_id=None, keep_scored=False)
    about = f"{name}, {found.spans:,} of {spans:,} spans"
    yield Figure(f"{about}: preview", time.perf_counter() - began, "s", note=f"about {found.bytes / 1e6:.0f} MB to go")
    with _Writer(other) as writer:
        began, computed = time.perf_counter(), time.process_time()
        done = retention.prune(store, found, lambda _: None)
        took, cpu = time.perf_counter() - began, time.process_time() - computed
    load = f"load {os.getloadavg()[0]:.1f}"
    note = f"{cpu:.0f} s CPU of this process; {load}"
    yield Figure(f"{about}: prune", took, "s", note=note)
    yield Figure(f"{about}: spans a second", done.spans / took, "spans/s", note=load)
    yield Figure(f"{about}: longest wait of another writer", max(writer.waits), "s", note=f"{len(writer.waits)} writes")
    space = done.space
    sizes = f"{space.before / 1e6:.0f} MB before, {space.after / 1e6:.0f} MB after"
    yield Figure(f"{about}: returned to the system", space.returned / 1e6, "MB", note=sizes)
    if space.note is not None:
        began = time.perf_counter()
        compacted = upkeep.give_back(store, space.before, compact=True)
        after = f"{compacted.after / 1e6:.0f} MB after {time.perf_counter() - began:.0f} s, in which others wait"
        yield Figure(f"{about}: returned with --compact", compacted.returned / 1e6, "MB", note=after)


def _fill(store: Store, spans: int) -> None:
    now = Clock().now_ms()
    store.write(lambda db: projects.ensure(db, PROJECT, Clock().now()))
    for first in range(0, spans // IN_TRACE, TOGETHER // IN_TRACE):
        numbers = range(first, min(first + TOGETHER // IN_TRACE, spans // IN_TRACE))
        at = now - round(YEAR.total_seconds() * 1000) if first < spans // IN_TRACE // 2 else now
        arrivals = _arrivals([f"trace-{number}" for number in numbers], at)
        kept = [f"trace-{number}" for number in numbers if number % KEPT_EVERY == 0 and at != now]
        store.write(lambda db, arrivals=arrivals, kept=kept: _store(store, db, arrivals, kept))  # type: ignore[misc]


def _store(store: Store, db: object, arrivals: Arrivals, kept: list[str]) -> None:
    store.spans.add(db, arrivals, "keep")  # type: ignore[arg-type]
    cards = [NewCard("trace", trace) for trace in kept]
    reviewcards.enqueue(db, PROJECT, cards, None, Clock().now())  # type: ignore[arg-type]


def _arrivals(traces: list[str], at: int) -> Arrivals:
    spans = [_span(trace, number, at) for trace in traces for number in range(IN_TRACE)]
    told = [indexed_values(["session.id"], span.trace_id, span.model, {"session.id": span.trace_id}) for span in spans]
    return Arrivals(PROJECT, spans, told, at)


def _span(trace: str, number: int, at: int) -> StoredSpan:
    columns: dict[str, Any] = {
        "project_id": PROJECT, "trace_id": trace, "id": f"{trace}-{number}", "name": "step", "model": "a-model",
        "parent_span_id": None if number == 0 else f"{trace}-0", "input": dump(f"{trace} {_TEXT * 5}"),
        "output": dump(f"{number} {_TEXT * 5}"), "metadata": dump({"session.id": trace}), "start_time": at,
        "start_ns": at * 1_000_000, "tokens_input": 10, "tokens_output": 20,
    }  # fmt: skip
    row: Any = [columns.get(name) for name in StoredSpan._fields]
    return StoredSpan(*row)


class _Writer:
    """Somebody else, who stores a trace, waits for a moment, and stores the next."""

    def __init__(self, store: Store) -> None:
        self._store, self._stop = store, threading.Event()
        self._thread = threading.Thread(target=self._write)
        self.waits: list[float] = []

    def __enter__(self) -> "_Writer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _write(self) -> None:
        while not self._stop.wait(0.02):
            arrivals = _arrivals([f"new-{len(self.waits)}"], Clock().now_ms())
            began = time.perf_counter()
            self._store.write(lambda db, arrivals=arrivals: self._store.spans.add(db, arrivals, "keep"))  # type: ignore[misc]
            self.waits.append(time.perf_counter() - began)


if __name__ == "__main__":
    main(__doc__, measure, add_options)
