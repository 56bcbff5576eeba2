"""Spans and traces as pages show them: without what may be large, and counted."""

import sqlite3
from collections.abc import Collection
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.moment import to_ms
from gnomon.store.fetch import fetch_all
from gnomon.store.pages import Slice, keyset
from gnomon.store.schema import spans, traces
from gnomon.store.spanstore import BucketSums, SpanHead, SpanTexts, TraceFilter, TracesToCount, TraceToCount
from gnomon.store.sqlspans.listing import narrowed, newest_first

_SQLITE_COUNTS_BYTES = sqlite3.sqlite_version_info >= (3, 43)


def span_heads(db: Connection, project_id: str, trace_id: str) -> list[SpanHead]:
    """The heads of a trace's spans by start time. No input, output or body leaves the database."""
    own: dict[str, sa.ColumnElement[Any]] = {
        "has_error": spans.c.error.is_not(None),
        "input_size": _size(db, spans.c.input),
        "output_size": _size(db, spans.c.output),
    }
    columns = [own[name].label(name) if name in own else spans.c[name] for name in SpanHead._fields]
    query = sa.select(*columns).where(spans.c.trace_id == trace_id, spans.c.project_id == project_id)
    return fetch_all(db, SpanHead, query.order_by(spans.c.start_ns, spans.c.id))


def _size(db: Connection, column: sa.ColumnElement[Any]) -> sa.ColumnElement[int]:
    """Bytes of a JSON text; 0 for none."""
    text = sa.type_coerce(column, sa.Text)
    if db.dialect.name == "postgresql" or _SQLITE_COUNTS_BYTES:
        size = sa.func.octet_length(text)
    else:
        size = sa.func.length(sa.cast(text, sa.LargeBinary))
    return sa.func.coalesce(size, 0, type_=sa.BigInteger)


def texts_of(
    db: Connection, project_id: str, trace_id: str, after: tuple[int, str] | None, limit: int
) -> list[SpanTexts]:
    """The texts of a trace's spans by start time, from a given span on."""
    columns = [
        sa.type_coerce(spans.c[name], sa.Text).label(name) if name in ("input", "output") else spans.c[name]
        for name in SpanTexts._fields
    ]
    query = sa.select(*columns).where(spans.c.trace_id == trace_id, spans.c.project_id == project_id)
    keys = [spans.c.start_ns, spans.c.id]
    return fetch_all(db, SpanTexts, keyset(query, keys, Slice(limit - 1, after), newest_first=False))


def to_count(db: Connection, project_id: str, only: TraceFilter, indexed: Collection[str], most: int) -> TracesToCount:
    """The newest traces of a filter, as many as are counted."""
    wanted = Slice(most)
    base = sa.select(
        traces.c.id, traces.c.project_id, traces.c.created_at, traces.c.error_count, traces.c.queued_at,
        traces.c.model, traces.c.root_span_id,
    )  # fmt: skip
    query, order, end = narrowed(db, base, project_id, only, indexed, newest_first(), wanted)
    part = keyset(query, order.keys, wanted).subquery("part")
    root = spans.alias("root")
    is_root = (
        (root.c.project_id == part.c.project_id) & (root.c.trace_id == part.c.id) & (root.c.id == part.c.root_span_id)
    )
    rows = fetch_all(
        db,
        TraceToCount,
        sa.select(
            part.c.error_count, part.c.queued_at, part.c.model, root.c.model.label("root_model"),
            sa.type_coerce(root.c.metadata, sa.Text).label("root_metadata"),
        ).select_from(part.outerjoin(root, is_root)),
    )  # fmt: skip
    return TracesToCount(rows[:most], capped=len(rows) > most or end is not None)


def sums_by_time(db: Connection, project_id: str, width_ms: int, after: datetime, before: datetime) -> list[BucketSums]:
    """Sums over the traces received from `after` to before `before`, by stretches of so many milliseconds since 1970.
    Stretches without traces are left out."""
    duration = traces.c.root_duration_ms
    bucket = (
        sa.type_coerce(traces.c.created_at, sa.BigInteger) // sa.literal_column(str(width_ms), sa.BigInteger)
    ).label("bucket")
    created = sa.type_coerce(traces.c.created_at, sa.BigInteger)
    query = (
        sa.select(
            bucket,
            sa.func.count().label("traces"),
            sa.func.count(sa.case((traces.c.error_count > 0, 1))).label("error_count"),
            sa.func.count(duration).label("timed"),
            sa.func.avg(duration).label("avg_duration_ms"),
            sa.func.avg(duration * duration).label("squared_ms"),
            sa.cast(sa.func.sum(traces.c.tokens), sa.BigInteger).label("tokens"),
            sa.func.sum(traces.c.cost_usd).label("cost_usd"),
            sa.cast(sa.func.sum(traces.c.unpriced), sa.BigInteger).label("unpriced"),
        )
        .where(traces.c.project_id == project_id, created >= to_ms(after), created < to_ms(before))
        .group_by(bucket)
        .order_by(bucket)
    )
    return fetch_all(db, BucketSums, query)
