"""Conversations: the traces that name the same conversation, or the same session where none is named."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.fetch import fetch_all
from gnomon.store.pages import Slice, keyset
from gnomon.store.schema import conversations as table
from gnomon.store.schema import trace_values, traces
from gnomon.store.spanstore import USER, ConversationSums, TraceWithRoot
from gnomon.store.sqlspans.listing import with_root

_CREATED = sa.type_coerce(table.c.created_at, sa.BigInteger)


def conversations(db: Connection, project_id: str, wanted: Slice, user_id: str | None) -> list[ConversationSums]:
    """Newest first; those of one user where that is asked."""
    query = sa.select(table).where(table.c.project_id == project_id, _has_traces(user_id))
    part = keyset(query, [_CREATED, table.c.id], wanted).subquery("part")
    rows = _summed(part)
    return fetch_all(
        db, ConversationSums, rows.order_by(sa.type_coerce(part.c.created_at, sa.BigInteger).desc(), part.c.id.desc())
    )


def find_conversation(db: Connection, id: str, project_id: str | None) -> list[ConversationSums]:
    """The conversations with this id: at most one per project, two in all."""
    query = sa.select(table).where(table.c.id == id, _has_traces(None))
    if project_id is not None:
        query = query.where(table.c.project_id == project_id)
    return fetch_all(db, ConversationSums, _summed(query.limit(2).subquery("part")))


def turns(db: Connection, project_id: str, id: str, wanted: Slice) -> list[TraceWithRoot]:
    """The traces of a conversation in the order in which they began, with what their roots were given and gave."""
    query = with_root(content=True).where(traces.c.project_id == project_id, traces.c.conversation_id == id)
    keys = [traces.c.started_ns, traces.c.id]
    return fetch_all(db, TraceWithRoot, keyset(query, keys, wanted, newest_first=False))


def last_change(db: Connection, project_id: str, target_id: str, trace_id: str | None) -> datetime | None:
    """When something last came to this trace or, where none is named, to the conversation."""
    if trace_id is not None:
        query = sa.select(traces.c.updated_at).where(traces.c.project_id == project_id, traces.c.id == trace_id)
    else:
        query = sa.select(table.c.updated_at).where(table.c.project_id == project_id, table.c.id == target_id)
    last: datetime | None = db.execute(query).scalar()
    return last


def _has_traces(user_id: str | None) -> sa.ColumnElement[bool]:
    same_conversation = (traces.c.project_id == table.c.project_id) & (traces.c.conversation_id == table.c.id)
    query = sa.select(sa.literal(1)).select_from(traces).where(same_conversation)
    if user_id is not None:
        of_user = (
            (trace_values.c.project_id == traces.c.project_id)
            & (trace_values.c.key == USER)
            & (trace_values.c.value == user_id)
            & (trace_values.c.trace_id == traces.c.id)
        )
        query = query.where(
            sa.select(sa.literal(1)).select_from(trace_values).where(of_user).correlate(traces).exists()
        )
    return query.correlate(table).exists()


def _summed(part: sa.Subquery) -> sa.Select[Any]:
    """These conversations with what their traces add up to."""
    same_conversation = (traces.c.project_id == part.c.project_id) & (traces.c.conversation_id == part.c.id)
    started = sa.func.min(sa.type_coerce(traces.c.started_at, sa.BigInteger))
    return (
        sa.select(
            part.c.project_id, part.c.id, part.c.created_at, part.c.updated_at,
            sa.func.count().label("trace_count"), _sum(traces.c.span_count).label("span_count"),
            sa.func.count(sa.case((traces.c.error_count > 0, 1))).label("error_count"),
            _sum(traces.c.tokens).label("tokens"),
            sa.func.sum(traces.c.cost_usd).label("cost_usd"),
            _sum(traces.c.unpriced).label("unpriced"),
            sa.type_coerce(started, traces.c.started_at.type).label("started_at"),
        )
        .select_from(part.join(traces, same_conversation))
        .group_by(part.c.project_id, part.c.id, part.c.created_at, part.c.updated_at)
    )  # fmt: skip


def _sum(column: sa.ColumnElement[int]) -> sa.ColumnElement[int]:
    """A sum of whole numbers as one: PostgreSQL makes it a decimal."""
    return sa.cast(sa.func.sum(column), sa.BigInteger)
