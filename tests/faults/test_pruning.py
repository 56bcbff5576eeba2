"""Killed while old traces are deleted: what must stay is whole, and the next prune deletes the rest."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

import preloaded
from faults.victim import PATIENCE
from gnomon.service.clock import Clock
from gnomon.service.upkeep import retention
from gnomon.store import projects, reviewcards
from gnomon.store.engine import Store, open_store
from gnomon.store.rows import StoredSpan
from gnomon.store.schema import removals, spans, traces
from gnomon.store.spanstore import Arrivals

PROJECT, OLD, SPANS, KEPT_EVERY = "shop", 5_000, 4, 50
YEAR_MS = 365 * 86_400_000


@pytest.fixture
def store(url_with_schema: str) -> Iterator[Store]:
    opened = open_store(url_with_schema)
    opened.write(lambda db: projects.ensure(db, PROJECT, Clock().now()))
    now = Clock().now_ms()
    for first in range(0, OLD, 500):
        add(opened, [f"old-{number}" for number in range(first, first + 500)], now - YEAR_MS)
    add(opened, ["new"], now)
    yield opened
    opened.close()


def add(store: Store, names: list[str], at: int) -> None:
    rows = [span(name, number, at) for name in names for number in range(SPANS)]
    store.write(lambda db: store.spans.add(db, Arrivals(PROJECT, rows, [()] * len(rows), at), "keep"))
    kept = [reviewcards.NewCard("trace", name) for name in names if is_kept(name)]
    if kept:
        store.write(lambda db: reviewcards.enqueue(db, PROJECT, kept, None, Clock().now()))


def is_kept(name: str) -> bool:
    return name == "new" or int(name.removeprefix("old-")) % KEPT_EVERY == 0


def span(trace: str, number: int, at: int) -> StoredSpan:
    columns = {
        "project_id": PROJECT, "trace_id": trace, "id": f"{trace}-{number}", "name": "step", "start_time": at,
        "start_ns": at * 1_000_000, "parent_span_id": f"{trace}-0" if number else None, "input": '"words"',
    }  # fmt: skip
    return StoredSpan(*(columns.get(name) for name in StoredSpan._fields))


def stored(store: Store) -> set[str]:
    return set(store.read(lambda db: db.execute(sa.select(traces.c.id)).scalars().all()))


def wait_for(store: Store, is_so: Callable[[int], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so(len(stored(store))):
        assert time.monotonic() < deadline, what
        time.sleep(0.005)


def test_a_prune_that_is_killed_loses_nothing_that_should_stay(store, url_with_schema, tmp_path: Path):
    all_kept = {f"old-{number}" for number in range(0, OLD, KEPT_EVERY)} | {"new"}
    command = ["-m", "gnomon", "db", "prune", "--older-than", "90d", "--yes", "--db", url_with_schema]
    pruning = preloaded.start(command, dict(os.environ), tmp_path / "prune.log")
    wait_for(store, lambda left: left < OLD + 1, "nothing was ever deleted")
    pruning.send_signal(signal.SIGKILL)
    pruning.wait()
    left = stored(store)
    assert left >= all_kept
    counts = sa.select(spans.c.trace_id, sa.func.count()).group_by(spans.c.trace_id)
    whole = dict(store.read(lambda db: [tuple(row) for row in db.execute(counts)]))
    assert whole == dict.fromkeys(left, SPANS), "no trace is there by half"
    found = retention.find_old(store, timedelta(days=90), project_id=None, keep_scored=False)
    assert found.traces == len(left - all_kept)
    retention.prune(store, found, lambda _: None)
    assert stored(store) == all_kept


def test_a_server_that_dies_while_a_project_is_deleted_leaves_the_rest_to_the_next(store, url_with_schema, victim):
    """The project is gone with the answer; whatever is left of it goes after a kill -9, too."""
    server = victim(url_with_schema).start()
    with server.api() as api:
        answer = api.call("DELETE", f"/projects/{PROJECT}", params={"confirm": PROJECT})
        assert answer.status_code == 200
        server.kill()
    assert store.read(lambda db: projects.get(db, PROJECT)) is None
    server.start()
    wait_for(store, lambda left: left == 0, "the new server's worker removed nothing")
    deadline = time.monotonic() + PATIENCE
    while store.read(lambda db: db.execute(sa.select(removals.c.id)).first()) is not None:
        assert time.monotonic() < deadline, "the note is left"
        time.sleep(0.01)
    assert store.read(lambda db: db.execute(sa.select(spans.c.id).limit(1)).first()) is None
