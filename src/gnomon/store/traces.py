"""Traces and spans."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.jsonvalue import JsonValue, dump
from gnomon.model.score import JsonObject
from gnomon.store.fetch import fetch_all
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import SpanRow, StoredSpan, TraceTotals
from gnomon.store.schema import annotations, for_update, insert_rows, is_any_of, scores, scoring_states, spans, traces

NONE: sa.ColumnElement[int] = sa.literal_column("0", sa.BigInteger)
"""Counts are compared with this literal: a partial index does not answer to a parameter."""


class TraceArrival(NamedTuple):
    """What a batch brings to one trace, as the database keeps it."""

    id: str
    project_id: str
    root_span_id: str | None
    span_count: int
    error_count: int
    tokens: int
    model: str | None
    root_duration_ms: float | None
    created_at: int


class TraceWithRoot(NamedTuple):
    """A row of `traces`, beside it what lists show of its root span (nulls when there is none)."""

    id: str
    project_id: str
    root_span_id: str | None
    span_count: int
    error_count: int
    tokens: int
    model: str | None
    root_duration_ms: float | None
    annotation_count: int
    queued_at: datetime | None
    created_at: datetime
    root_name: str | None
    root_model: str | None
    root_metadata: JsonObject | None
    root_input: JsonValue
    """Null also where the content was not asked for; so is the output."""
    root_output: JsonValue


_UPSERT = f"""
INSERT INTO traces ({", ".join(TraceArrival._fields)})
VALUES ({{marks}}) ON CONFLICT (id, project_id) DO UPDATE SET
    root_span_id = COALESCE(traces.root_span_id, excluded.root_span_id),
    span_count = traces.span_count + excluded.span_count,
    error_count = traces.error_count + excluded.error_count,
    tokens = traces.tokens + excluded.tokens,
    model = COALESCE(traces.model, excluded.model),
    root_duration_ms = COALESCE(traces.root_duration_ms, excluded.root_duration_ms)
"""


def upsert(db: Connection, rows: Iterable[TraceArrival]) -> None:
    """Add what a batch brings to each trace; new traces are made.

    On PostgreSQL this also holds the traces until the end of the transaction, so that two
    batches cannot both bring a root: sorted rows keep two such batches from a deadlock.
    """
    in_order = sorted(rows, key=lambda row: row.id)
    if not in_order:
        return
    marks = ", ".join(["%s" if db.dialect.name == "postgresql" else "?"] * len(TraceArrival._fields))
    db.exec_driver_sql(_UPSERT.format(marks=marks), in_order)


def roots(db: Connection, project_id: str, trace_ids: Iterable[str]) -> dict[str, str | None]:
    """Of the traces that are there: id → root span id."""
    found = sa.select(traces.c.id, traces.c.root_span_id).where(
        is_any_of(db, traces.c.id, trace_ids), traces.c.project_id == project_id
    )
    return {row.id: row.root_span_id for row in db.execute(found)}


def places(db: Connection, project_id: str, span_ids: Iterable[str]) -> list[tuple[str, str]]:
    """Where these span ids are in use in the project: (span id, trace id)."""
    found = sa.select(spans.c.id, spans.c.trace_id).where(
        is_any_of(db, spans.c.id, span_ids), spans.c.project_id == project_id
    )
    return [(row.id, row.trace_id) for row in db.execute(found)]


def ancestors(
    db: Connection, project_id: str, trace_ids: Iterable[str], span_ids: Iterable[str]
) -> dict[tuple[str, str], str]:
    """The stored chain above these spans: (trace id, span id) → parent id."""
    start = sa.select(spans.c.trace_id, spans.c.id, spans.c.parent_span_id).where(
        is_any_of(db, spans.c.id, span_ids),
        is_any_of(db, spans.c.trace_id, trace_ids),
        spans.c.project_id == project_id,
    )
    chain = start.cte("chain", recursive=True)
    above = sa.select(spans.c.trace_id, spans.c.id, spans.c.parent_span_id).where(
        spans.c.project_id == project_id, spans.c.trace_id == chain.c.trace_id, spans.c.id == chain.c.parent_span_id
    )
    chain = chain.union(above)
    links = db.execute(sa.select(chain).where(chain.c.parent_span_id.is_not(None)))
    return {(link.trace_id, link.id): link.parent_span_id for link in links}


def add_spans(db: Connection, rows: Sequence[StoredSpan]) -> None:
    insert_rows(db, spans, rows)


def find(db: Connection, id: str, project_id: str | None) -> list[TraceWithRoot]:
    """The traces with this id, each with its root span: at most one per project, two in all."""
    return fetch_all(db, TraceWithRoot, _named(with_root(content=True), id, project_id))


def hold(db: Connection, id: str, project_id: str | None) -> list[TraceTotals]:
    """Like `find`, without the root span; nobody else changes or deletes them until the transaction ends."""
    return fetch_all(db, TraceTotals, for_update(db, _named(sa.select(traces), id, project_id)))


def _named(found: sa.Select[Any], id: str, project_id: str | None) -> sa.Select[Any]:
    found = found.where(traces.c.id == id)
    if project_id is not None:
        found = found.where(traces.c.project_id == project_id)
    return found.limit(2)


def find_span(db: Connection, id: str, project_id: str | None, trace_id: str | None) -> list[SpanRow]:
    """The spans with this id, held until the end of the transaction: at most two, as more are no better."""
    found = sa.select(spans).where(spans.c.id == id)
    if project_id is not None:
        found = found.where(spans.c.project_id == project_id)
    if trace_id is not None:
        found = found.where(spans.c.trace_id == trace_id)
    return fetch_all(db, SpanRow, for_update(db, found.limit(2)))


def spans_by_id(db: Connection, wanted: Collection[tuple[str, str, str]]) -> dict[tuple[str, str, str], SpanRow]:
    """These spans, as far as they are there: (project id, trace id, span id) → the row."""
    found = sa.select(spans).where(
        is_any_of(db, spans.c.id, {id for _, _, id in wanted}),
        is_any_of(db, spans.c.trace_id, {trace_id for _, trace_id, _ in wanted}),
        is_any_of(db, spans.c.project_id, {project_id for project_id, _, _ in wanted}),
    )
    rows = {(row.project_id, row.trace_id, row.id): row for row in fetch_all(db, SpanRow, found)}
    return {key: rows[key] for key in wanted if key in rows}


def spans_of(db: Connection, project_id: str, trace_id: str) -> list[SpanRow]:
    found = sa.select(spans).where(spans.c.trace_id == trace_id, spans.c.project_id == project_id)
    return fetch_all(db, SpanRow, found.order_by(spans.c.start_time, spans.c.id))


def with_root(*, content: bool = False) -> sa.Select[Any]:
    """Traces, beside each what lists show of its root span. Input and output may be large, so they come only when
    asked for."""
    root = spans.alias("root")
    is_root = (
        (root.c.id == traces.c.root_span_id)
        & (root.c.project_id == traces.c.project_id)
        & (root.c.trace_id == traces.c.id)
    )
    shown = (root.c.name, root.c.model, root.c.metadata, root.c.input, root.c.output)
    columns = [
        (column if content or column.name not in ("input", "output") else sa.null()).label(f"root_{column.name}")
        for column in shown
    ]
    return sa.select(traces, *columns).select_from(traces.outerjoin(root, is_root))


@dataclass(frozen=True, slots=True)
class Filter:
    """Which traces of a project are wanted; None leaves a question out."""

    after: datetime | None = None
    before: datetime | None = None
    has_error: bool | None = None
    in_queue: bool | None = None
    metadata: tuple[tuple[str, str], ...] = ()
    """Pairs of key and value as text. Each must be said by some span of the trace."""


def page(db: Connection, project_id: str, only: Filter, wanted: Slice) -> list[TraceWithRoot]:
    found = with_root().where(traces.c.project_id == project_id)
    if only.after is not None:
        found = found.where(traces.c.created_at > only.after)
    if only.before is not None:
        found = found.where(traces.c.created_at < only.before)
    if only.has_error is not None:
        found = found.where(traces.c.error_count > NONE if only.has_error else traces.c.error_count == NONE)
    if only.in_queue is not None:
        found = found.where(traces.c.queued_at.is_not(None) if only.in_queue else traces.c.queued_at.is_(None))
    for key, value in only.metadata:
        found = found.where(_some_span_says(db, key, value))
    keys = [sa.type_coerce(traces.c.created_at, sa.BigInteger), traces.c.id]
    return fetch_all(db, TraceWithRoot, keyset(found, keys, wanted))


def _some_span_says(db: Connection, key: str, value: str) -> sa.ColumnElement[bool]:
    """Any span of the trace has this metadata value: a string is compared as it is, all else as its JSON text.

    The stored text itself is searched: it is flat and compact, so between two commas that are not
    inside a string stands one key and value. The databases' own JSON functions write numbers differently.
    """
    kept = sa.type_coerce(spans.c.metadata, sa.Text)
    listed = sa.literal(",") + sa.func.substr(kept, 2, sa.func.length(kept) - 2) + sa.literal(",")
    place = sa.func.strpos if db.dialect.name == "postgresql" else sa.func.instr
    forms = [dump(value), *([] if {'"', ","} & set(value) else [value])]
    said = sa.or_(*(place(listed, f",{dump(key)}:{form},") > 0 for form in forms))
    mine = (spans.c.trace_id == traces.c.id) & (spans.c.project_id == traces.c.project_id)
    return sa.select(sa.literal(1)).where(mine, said).correlate(traces).exists()


def remove(db: Connection, project_id: str, id: str) -> None:
    """The trace with its spans, their scores and states, and its annotations."""
    ids = sa.select(spans.c.id).where(spans.c.trace_id == id, spans.c.project_id == project_id)
    for table in (scores, scoring_states):
        of_trace = (table.c.target_type == "span") & (table.c.trace_id == id) & (table.c.project_id == project_id)
        db.execute(sa.delete(table).where(table.c.target_id.in_(ids), of_trace))
    for table in (annotations, spans):
        db.execute(sa.delete(table).where(table.c.trace_id == id, table.c.project_id == project_id))
    db.execute(sa.delete(traces).where(traces.c.id == id, traces.c.project_id == project_id))
