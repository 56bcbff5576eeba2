"""The index of metadata: which traces have a span that gives this value to this key.

Every project has an index of sessions, users, conversations and models, and of the keys that it declares. A row lies
by (key, value, age of the trace), so that a page of the newest traces with a value is read off in order.
"""

from collections.abc import Collection, Mapping
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.rows import TraceValueRow
from gnomon.store.schema import indexed_keys as table
from gnomon.store.schema import insert_rows, is_any_of, trace_values, traces
from gnomon.store.spanstore import ALWAYS_INDEXED, CONVERSATION, SESSION, Arrivals, Indexed, TraceHead

_CONVERSATION_OF = """
UPDATE traces SET conversation_id = COALESCE(
    (SELECT min(value /*C*/) FROM trace_values AS v WHERE v.project_id = traces.project_id AND v.trace_id = traces.id
        AND v.key = 'gen_ai.conversation.id'),
    (SELECT min(value /*C*/) FROM trace_values AS v WHERE v.project_id = traces.project_id AND v.trace_id = traces.id
        AND v.key = 'session.id'))
WHERE project_id = {mark} AND id = {mark}
"""
_CONVERSATION_ROWS = """
INSERT INTO conversations (project_id, id, created_at, updated_at) VALUES ({marks})
ON CONFLICT (project_id, id) DO UPDATE SET updated_at = excluded.updated_at
"""


def note(db: Connection, arrivals: Arrivals, arrived: Mapping[str, TraceHead]) -> None:
    """Put the values that came with new spans into the index, and their traces into their conversations."""
    index_values(db, arrivals.project_id, [value for value in arrivals.values if value.trace_id in arrived])


def _insert(db: Connection, project_id: str, values: Collection[Indexed]) -> None:
    ages = _ages(db, project_id, {value.trace_id for value in values})
    rows = {
        TraceValueRow(project_id, value.key, value.value, ages[value.trace_id], value.trace_id)
        for value in values
        if value.trace_id in ages
    }
    insert_rows(db, trace_values, sorted(rows), or_ignore=True)


def _ages(db: Connection, project_id: str, trace_ids: Collection[str]) -> dict[str, int]:
    created = sa.type_coerce(traces.c.created_at, sa.BigInteger)
    found = sa.select(traces.c.id, created.label("created_at")).where(
        is_any_of(db, traces.c.id, trace_ids), traces.c.project_id == project_id
    )
    return {row.id: row.created_at for row in db.execute(found)}


def _join_conversations(db: Connection, project_id: str, trace_ids: Collection[str]) -> None:
    is_postgresql = db.dialect.name == "postgresql"
    mark, collate = ("%s", 'COLLATE "C"') if is_postgresql else ("?", "")
    own = _CONVERSATION_OF.format(mark=mark).replace("/*C*/", collate)
    db.exec_driver_sql(own, [(project_id, id) for id in sorted(trace_ids)])
    updated = sa.func.max(sa.type_coerce(traces.c.updated_at, sa.BigInteger))
    named = (
        sa.select(traces.c.conversation_id, updated)
        .where(traces.c.project_id == project_id, is_any_of(db, traces.c.id, trace_ids))
        .where(traces.c.conversation_id.is_not(None))
        .group_by(traces.c.conversation_id)
    )
    # Sorted, so that two batches never wait in a ring.
    rows = sorted((project_id, id, at, at) for id, at in db.execute(named))
    if rows:
        db.exec_driver_sql(_CONVERSATION_ROWS.format(marks=", ".join([mark] * 4)), rows)


def indexed_keys(db: Connection, project_id: str) -> dict[str, bool]:
    """Key → whether all that was there before is in the index too."""
    found = db.execute(sa.select(table.c.key, table.c.ready).where(table.c.project_id == project_id))
    return {**dict.fromkeys(ALWAYS_INDEXED, True), **{key: bool(ready) for key, ready in found}}


def declare_keys(db: Connection, project_id: str, keys: Collection[str], now: datetime) -> list[str]:
    """Make these the project's own keys, and forget others; those that are new, in order."""
    known = set(db.execute(sa.select(table.c.key).where(table.c.project_id == project_id)).scalars())
    gone = known - set(keys)
    for rows in (table, trace_values):
        db.execute(sa.delete(rows).where(rows.c.project_id == project_id, is_any_of(db, rows.c.key, gone)))
    new = sorted(set(keys) - known - set(ALWAYS_INDEXED))
    for key in new:
        db.execute(sa.insert(table).values(project_id=project_id, key=key, ready=0, created_at=now))
    return new


def index_values(db: Connection, project_id: str, values: Collection[Indexed]) -> None:
    """Put values of stored spans into the index, and their traces into their conversations."""
    if values:
        _insert(db, project_id, values)
    in_conversation = {value.trace_id for value in values if value.key in (CONVERSATION, SESSION)}
    if in_conversation:
        _join_conversations(db, project_id, in_conversation)


def keys_ready(db: Connection, project_id: str, keys: Collection[str]) -> None:
    these = (table.c.project_id == project_id) & is_any_of(db, table.c.key, keys)
    db.execute(sa.update(table).where(these).values(ready=1))
