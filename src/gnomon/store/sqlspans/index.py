"""The index of metadata: which traces have a span that gives this value to this key.

Every project has an index of sessions, users, conversations and models, and of the keys that it declares. A row lies
by (key, value, age of the trace), so that a page of the newest traces with a value is read off in order.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.moment import to_ms
from gnomon.store.fetch import fetch_all
from gnomon.store.rows import TraceTotals, TraceValueRow
from gnomon.store.schema import indexed_keys as table
from gnomon.store.schema import insert_rows, is_any_of, trace_values, traces
from gnomon.store.spanstore import ALWAYS_INDEXED, Arrivals, Indexed, TraceHead

_KEYS = sa.select(table.c.key, table.c.ready).where(table.c.project_id == sa.bindparam("project"))
"""Asked by every batch of spans, so it is made once."""
_CONVERSATION_ROW = """
INSERT INTO conversations (project_id, id, created_at, updated_at) VALUES ({marks})
ON CONFLICT (id, project_id) DO UPDATE SET updated_at = excluded.updated_at
"""


def note(
    db: Connection,
    arrivals: Arrivals,
    arrived: Mapping[str, TraceHead],
    values: Collection[Indexed],
    new: Collection[str],
) -> None:
    """Put the values that came with new spans into the index, and their traces into their conversations. Of the `new`
    traces it is known that they were not there before."""
    if not values:
        return
    older = {value.trace_id for value in values if value.trace_id not in new}
    stored = _stored(db, arrivals.project_id, older) if older else {}
    ages = {trace_id: stored[trace_id].created_at if trace_id in stored else arrivals.now_ms for trace_id in arrived}
    _insert(db, arrivals.project_id, values, ages)
    named = {trace_id: head.conversation_id for trace_id, head in arrived.items()}
    named.update({row.id: row.conversation_id for row in stored.values()})
    ids = sorted({id for id in named.values() if id is not None})
    if ids:
        marks = ", ".join(["%s" if db.dialect.name == "postgresql" else "?"] * 4)
        rows = [(arrivals.project_id, id, arrivals.now_ms, arrivals.now_ms) for id in ids]
        db.exec_driver_sql(_CONVERSATION_ROW.format(marks=marks), rows)


class _StoredTrace(NamedTuple):
    id: str
    created_at: int
    conversation_id: str | None


def _stored(db: Connection, project_id: str, trace_ids: Collection[str]) -> dict[str, _StoredTrace]:
    created = sa.type_coerce(traces.c.created_at, sa.BigInteger).label("created_at")
    query = sa.select(traces.c.id, created, traces.c.conversation_id).where(
        is_any_of(db, traces.c.id, trace_ids), traces.c.project_id == project_id
    )
    return {row.id: row for row in fetch_all(db, _StoredTrace, query)}


def _insert(db: Connection, project_id: str, values: Iterable[Indexed], ages: Mapping[str, int]) -> None:
    rows = [
        TraceValueRow(project_id, key, value, ages[trace_id], trace_id)
        for trace_id, key, value in values
        if trace_id in ages
    ]
    rows.sort()  # so that two transactions never wait for each other in a ring
    insert_rows(db, trace_values, rows, or_ignore=True)


def forget(db: Connection, project_id: str, removed: Iterable[TraceTotals], values: Iterable[Indexed]) -> None:
    """Take traces that are removed out of the index. `values` is what their spans gave to it."""
    mark = "%s" if db.dialect.name == "postgresql" else "?"
    same = " AND ".join(f"{name} = {mark}" for name in TraceValueRow._fields)
    ages = {trace.id: to_ms(trace.created_at) for trace in removed}
    rows = [TraceValueRow(project_id, key, value, ages[trace_id], trace_id) for trace_id, key, value in set(values)]
    if rows:
        db.exec_driver_sql(f"DELETE FROM trace_values WHERE {same}", sorted(rows))


def indexed_keys(db: Connection, project_id: str) -> dict[str, bool]:
    """Key → whether all that was there before is in the index too."""
    rows = db.execute(_KEYS, {"project": project_id})
    return {**dict.fromkeys(ALWAYS_INDEXED, True), **{key: bool(ready) for key, ready in rows}}


def declare_keys(db: Connection, project_id: str, keys: Collection[str], now: datetime) -> list[str]:
    """Make these the project's own keys, and forget others; those that are new, in order."""
    known = set(db.execute(sa.select(table.c.key).where(table.c.project_id == project_id)).scalars())
    removed_keys = known - set(keys)
    for rows in (table, trace_values):
        db.execute(sa.delete(rows).where(rows.c.project_id == project_id, is_any_of(db, rows.c.key, removed_keys)))
    new = sorted(set(keys) - known - set(ALWAYS_INDEXED))
    for key in new:
        db.execute(sa.insert(table).values(project_id=project_id, key=key, ready=0, created_at=now))
    return new


def index_values(db: Connection, project_id: str, values: Collection[Indexed]) -> None:
    """Put values of stored spans into the index."""
    if values:
        stored = _stored(db, project_id, {value.trace_id for value in values})
        _insert(db, project_id, values, {row.id: row.created_at for row in stored.values()})


def keys_ready(db: Connection, project_id: str, keys: Collection[str]) -> None:
    these = (table.c.project_id == project_id) & is_any_of(db, table.c.key, keys)
    db.execute(sa.update(table).where(these).values(ready=1))
