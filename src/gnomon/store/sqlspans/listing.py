"""Lists of traces, newest first or in another order, with filters.

What is in the index is read off. A filter on other metadata looks through spans, one on scores through scores, at most
so many traces per page: such a page may be short, and says where the next one begins.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.jsonvalue import dump
from gnomon.model.traceviews import TraceOrder
from gnomon.store.fetch import fetch_all
from gnomon.store.pages import PageKey, Slice, keyset
from gnomon.store.schema import scores, spans, trace_values, traces
from gnomon.store.spanstore import (
    LONGEST_START,
    LONGEST_VALUE,
    MODEL,
    NO_COST,
    NO_DURATION,
    TraceFilter,
    TracePage,
    TraceWithRoot,
)
from gnomon.store.sqlspans.search import matching

MOST_LOOKED_THROUGH = 20_000
"""Traces whose spans or scores one call looks through for what is in no index."""
MOST_MEASURED = 200_000
"""Traces whose own columns one call compares with what is in no index."""
NONE: sa.ColumnElement[int] = sa.literal_column("0", sa.BigInteger)
"""Counts are compared with this literal: a partial index does not answer to a parameter."""
_CREATED = sa.type_coerce(traces.c.created_at, sa.BigInteger)
_NOT_BY_PROJECT: sa.ColumnElement[str] = sa.literal_column("+traces.project_id", sa.Text)
"""With a sign before it SQLite finds no index for a column: listed traces are to be looked up, not a project's walked
through."""
_FIRST_BY: dict[TraceOrder, sa.ColumnElement[Any]] = {
    "-created_at": _CREATED,
    "created_at": _CREATED,
    "-duration": sa.func.coalesce(traces.c.root_duration_ms, NO_DURATION["-duration"], type_=sa.Double),
    "duration": sa.func.coalesce(traces.c.root_duration_ms, NO_DURATION["duration"], type_=sa.Double),
    "-tokens": traces.c.tokens,
    "-cost": sa.func.coalesce(traces.c.cost_usd, NO_COST, type_=sa.Double),
}


def with_root(*, content: bool = False, starts: bool = False) -> sa.Select[Any]:
    """Traces, beside each what lists show of its root span. Input and output may be large, so they come only when
    asked for, or only their beginnings."""
    root = spans.alias("root")
    is_root = (
        (root.c.project_id == traces.c.project_id)
        & (root.c.trace_id == traces.c.id)
        & (root.c.id == traces.c.root_span_id)
    )
    shown = (root.c.name, root.c.model, root.c.metadata, root.c.input, root.c.output)
    columns = [
        (column if content or column.name not in ("input", "output") else sa.null()).label(f"root_{column.name}")
        for column in shown
    ]
    for column in (root.c.input, root.c.output):
        start = sa.func.substr(sa.type_coerce(column, sa.Text), 1, LONGEST_START) if starts else sa.null()
        columns.append(start.label(f"root_{column.name}_start"))
    return sa.select(traces, *columns).select_from(traces.outerjoin(root, is_root))


class Order(NamedTuple):
    """What a list is ordered by, and in which direction."""

    keys: list[sa.ColumnElement[Any]]
    descending: bool


def page(
    db: Connection,
    project_id: str,
    only: TraceFilter,
    wanted: Slice,
    indexed: Collection[str],
    sort: TraceOrder = "-created_at",
) -> TracePage:
    order = Order([_FIRST_BY[sort], traces.c.id], sort.startswith("-"))
    query, order, end = narrowed(db, with_root(starts=True), project_id, only, indexed, order, wanted)
    rows = fetch_all(db, TraceWithRoot, keyset(query, order.keys, wanted, newest_first=order.descending))
    if wanted.tally is not None:
        wanted.tally.is_partial = end is not None
    return TracePage(rows, None if len(rows) > wanted.limit else end)


def narrowed(
    db: Connection,
    query: sa.Select[Any],
    project_id: str,
    only: TraceFilter,
    indexed: Collection[str],
    order: Order,
    wanted: Slice,
) -> tuple[sa.Select[Any], Order, PageKey | None]:
    """The traces that a filter leaves, the keys to read them by, and the last one that this call looks at: None when
    it looks at all that are left."""
    matches = None
    if only.q is not None:
        by_age = order.keys[0] is _CREATED
        matches = matching(db, project_id, only, wanted, by_age=by_age, descending=order.descending)
    by_id = matches is not None and matches.by_id
    query = _plainly(query.where((_NOT_BY_PROJECT if by_id else traces.c.project_id) == project_id), only)
    looked_up = [(key, value) for key, value in only.metadata if key in indexed and len(value) <= LONGEST_VALUE]
    if only.model is not None:
        looked_up.append((MODEL, only.model))
    searched = [_some_span_says(db, *pair) for pair in only.metadata if pair not in looked_up]
    if only.scorer_name is not None:
        searched.append(_some_span_has_score(only.scorer_name, only.min, only.max))
    measured = list(_lengths(only))
    keys = order.keys
    for at, (key, value) in enumerate(looked_up):
        named = trace_values.alias(f"value{at}")
        same = _is_value(named, project_id, key, value)
        if by_id:
            at_its_age = named.c.created_at == traces.c.created_at
            query = query.where(sa.select(sa.literal(1)).where(same, at_its_age).correlate(traces).exists())
            continue
        query = query.join(named, same)
        if at == 0 and keys[0] is _CREATED:  # its rows lie in the order of the list
            keys = [sa.type_coerce(named.c.created_at, sa.BigInteger), named.c.trace_id]
    end = None
    if searched or measured:
        most = MOST_LOOKED_THROUGH if searched else MOST_MEASURED
        end = _window_end(db, project_id, only, order, wanted, most)
        query = query.where(*searched, *measured)
        if end is not None:
            last = sa.tuple_(*(_bound(key, at) for key, at in zip(order.keys, end, strict=True)))
            position = sa.tuple_(*order.keys)
            query = query.where(position >= last if order.descending else position <= last)
    if matches is not None:
        query, end = query.where(matches.condition), _sooner(end, matches.end, order)
    return query, order._replace(keys=keys), end


def _sooner(end: PageKey | None, other: PageKey | None, order: Order) -> PageKey | None:
    """Which of two ends a walk comes to first."""
    if end is None or other is None:
        return other if end is None else end
    return max(end, other) if order.descending else min(end, other)


def newest_first() -> Order:
    return Order([_CREATED, traces.c.id], descending=True)


def _plainly(query: sa.Select[Any], only: TraceFilter) -> sa.Select[Any]:
    """What the columns of a trace tell that an index knows."""
    if only.after is not None:
        query = query.where(traces.c.created_at > only.after)
    if only.before is not None:
        query = query.where(traces.c.created_at < only.before)
    if only.has_error is not None:
        query = query.where(traces.c.error_count > NONE if only.has_error else traces.c.error_count == NONE)
    if only.in_queue is not None:
        query = query.where(traces.c.queued_at.is_not(None) if only.in_queue else traces.c.queued_at.is_(None))
    if only.conversation_id is not None:
        query = query.where(traces.c.conversation_id == only.conversation_id)
    return query


def _lengths(only: TraceFilter) -> list[sa.ColumnElement[bool]]:
    conditions = []
    if only.min_duration_ms is not None:
        conditions.append(traces.c.root_duration_ms >= only.min_duration_ms)
    if only.max_duration_ms is not None:
        conditions.append(traces.c.root_duration_ms <= only.max_duration_ms)
    return conditions


def _is_value(named: sa.FromClause, project_id: str, key: str, value: str) -> sa.ColumnElement[bool]:
    return (
        (named.c.project_id == project_id)
        & (named.c.key == key)
        & (named.c.value == value)
        & (named.c.trace_id == traces.c.id)
    )


def _window_end(
    db: Connection, project_id: str, only: TraceFilter, order: Order, wanted: Slice, most: int
) -> PageKey | None:
    """The last trace that this call looks at; None when it looks at all that are left."""
    query = _plainly(sa.select(*order.keys).where(traces.c.project_id == project_id), only)
    ahead = keyset(query, order.keys, wanted, newest_first=order.descending).limit(1).offset(most - 1)
    row = db.execute(ahead).first()
    return None if row is None else tuple(row)


def _bound(key: sa.ColumnElement[Any], value: object) -> sa.BindParameter[Any]:
    return sa.bindparam(None, value, type_=key.type)


def _some_span_says(db: Connection, key: str, value: str) -> sa.ColumnElement[bool]:
    """Any span of the trace has this metadata value: a string is compared as it is, all else as its JSON text.

    The stored text itself is searched: it is flat and compact, so between two commas that are not
    inside a string stands one key and value. The databases' own JSON functions write numbers differently.
    """
    kept = sa.type_coerce(spans.c.metadata, sa.Text)
    listed = sa.literal(",") + sa.func.substr(kept, 2, sa.func.length(kept) - 2) + sa.literal(",")
    find = sa.func.strpos if db.dialect.name == "postgresql" else sa.func.instr
    forms = [dump(value), *([] if {'"', ","} & set(value) else [value])]
    has_value = sa.or_(*(find(listed, f",{dump(key)}:{form},") > 0 for form in forms))
    same_trace = (spans.c.trace_id == traces.c.id) & (spans.c.project_id == traces.c.project_id)
    return sa.select(sa.literal(1)).where(same_trace, has_value).correlate(traces).exists()


def _some_span_has_score(scorer_name: str, least: float | None, most: float | None) -> sa.ColumnElement[bool]:
    """Any span of the trace has a score of this scorer; with a bound, a number within it."""
    same_trace = (scores.c.trace_id == traces.c.id) & (scores.c.project_id == traces.c.project_id)
    query = sa.select(sa.literal(1)).where(
        same_trace, scores.c.target_type == "span", scores.c.scorer_name == scorer_name
    )
    if least is not None:
        query = query.where(scores.c.value >= least)
    if most is not None:
        query = query.where(scores.c.value <= most)
    return query.correlate(traces).exists()
