"""Conversations: the traces that name the same conversation, or the same session where none is named."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.conversationrows import EVERY_CONVERSATION, ConversationFilter, ConversationSums
from gnomon.store.fetch import fetch_all
from gnomon.store.pages import Slice, keyset
from gnomon.store.schema import conversations as table
from gnomon.store.schema import trace_values, traces
from gnomon.store.spanstore import USER, TraceFilter, TraceWithRoot
from gnomon.store.sqlspans.listing import with_root
from gnomon.store.sqlspans.search import matching

_CREATED = sa.type_coerce(table.c.created_at, sa.BigInteger)


def conversations(
    db: Connection, project_id: str, wanted: Slice, only: ConversationFilter = EVERY_CONVERSATION
) -> list[ConversationSums]:
    """Newest first."""
    query = sa.select(table).where(table.c.project_id == project_id, *_left_by(db, project_id, only))
    part = keyset(query, [_CREATED, table.c.id], wanted).subquery("part")
    rows = _summed(part)
    return fetch_all(
        db, ConversationSums, rows.order_by(sa.type_coerce(part.c.created_at, sa.BigInteger).desc(), part.c.id.desc())
    )


def find_conversation(db: Connection, id: str, project_id: str | None) -> list[ConversationSums]:
    """The conversations with this id: at most one per project, two in all."""
    query = sa.select(table).where(table.c.id == id, _some_turn())
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


def _left_by(db: Connection, project_id: str, only: ConversationFilter) -> Iterator[sa.ColumnElement[bool]]:
    """What a conversation must be for a filter to leave it."""
    yield _some_turn() if only.user_id is None else _some_turn(_is_of_user(only.user_id))
    if only.after is not None:
        yield table.c.created_at > only.after
    if only.before is not None:
        yield table.c.created_at < only.before
    if only.has_error is not None:
        failed = _some_turn(traces.c.error_count > 0)
        yield failed if only.has_error else ~failed
    if only.q is not None:
        matches = matching(db, project_id, TraceFilter(q=only.q), Slice(), by_age=False, descending=True)
        ids = sa.select(traces.c.conversation_id).where(
            traces.c.project_id == project_id, traces.c.conversation_id.is_not(None), matches.condition
        )
        yield table.c.id.in_(ids)


def _some_turn(*conditions: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    """The conversation has a trace of which this holds."""
    same_conversation = (traces.c.project_id == table.c.project_id) & (traces.c.conversation_id == table.c.id)
    return sa.select(sa.literal(1)).select_from(traces).where(same_conversation, *conditions).correlate(table).exists()


def _is_of_user(user_id: str) -> sa.ColumnElement[bool]:
    of_user = (
        (trace_values.c.project_id == traces.c.project_id)
        & (trace_values.c.key == USER)
        & (trace_values.c.value == user_id)
        & (trace_values.c.trace_id == traces.c.id)
    )
    return sa.select(sa.literal(1)).select_from(trace_values).where(of_user).correlate(traces).exists()


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
