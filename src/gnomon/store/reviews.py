"""Annotations, the review queue, and the counts on a project's front page.

A queued trace is one with a `queued_at`; how many annotations a trace has stands beside it,
so that the queue is one walk over one index.
"""

from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.fetch import fetch_all, fetch_first, fetch_one
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import AnnotationRow, ExperimentTableRow
from gnomon.store.schema import annotations, experiments, traces
from gnomon.store.spanstore import TraceWithRoot
from gnomon.store.sqlspans.listing import NONE, with_root


class TraceSums(NamedTuple):
    """Of some traces: how many, how many with errors; of their root spans' durations how many are known, their mean
    and the mean of their squares; their tokens, what is known of their cost, and model calls without a price."""

    traces: int
    error_count: int
    timed: int
    avg_duration_ms: float | None
    squared_ms: float | None
    tokens: int | Decimal | None
    cost_usd: float | None
    unpriced: int | Decimal | None


def annotate(db: Connection, row: AnnotationRow) -> None:
    """Add an annotation, and count it on its trace."""
    db.execute(sa.insert(annotations).values(row._asdict()))
    counted = traces.c.annotation_count + 1
    db.execute(sa.update(traces).where(_is(row.project_id, row.trace_id)).values(annotation_count=counted))


def annotation(db: Connection, id: str) -> AnnotationRow | None:
    return fetch_first(db, AnnotationRow, sa.select(annotations).where(annotations.c.id == id))


def annotations_page(
    db: Connection, project_id: str, trace_id: str, span_id: str | None, page: Slice
) -> list[AnnotationRow]:
    of_trace = (annotations.c.trace_id == trace_id) & (annotations.c.project_id == project_id)
    query = sa.select(annotations).where(of_trace)
    if span_id is not None:
        query = query.where(annotations.c.span_id == span_id)
    return fetch_all(db, AnnotationRow, keyset(query, [annotations.c.id], page))


def enqueue(db: Connection, project_id: str, trace_id: str, now: datetime) -> datetime:
    """Put the trace in the queue; return since when it waits there."""
    since = sa.func.coalesce(traces.c.queued_at, sa.bindparam(None, now, type_=traces.c.queued_at.type))
    queue = sa.update(traces).where(_is(project_id, trace_id)).values(queued_at=since)
    waiting_since: datetime = db.execute(queue.returning(traces.c.queued_at)).scalar_one()
    return waiting_since


def dequeue(db: Connection, project_id: str, trace_id: str) -> None:
    db.execute(sa.update(traces).where(_is(project_id, trace_id)).values(queued_at=None))


def queue_page(
    db: Connection, project_id: str, page: Slice, *, annotated: bool | None, annotator: str | None
) -> list[TraceWithRoot]:
    """Queued traces, the longest waiting first, with their root spans."""
    query = with_root(content=True).where(traces.c.project_id == project_id, traces.c.queued_at.is_not(None))
    if annotated is not None:
        query = query.where(_has_annotations(annotated))
    if annotator is not None:
        same_trace = (annotations.c.trace_id == traces.c.id) & (annotations.c.project_id == traces.c.project_id)
        by_annotator = sa.select(sa.literal(1)).where(same_trace, annotations.c.annotator == annotator)
        query = query.where(by_annotator.correlate(traces).exists())
    keys = [sa.type_coerce(traces.c.queued_at, sa.BigInteger), traces.c.id]
    return fetch_all(db, TraceWithRoot, keyset(query, keys, page, newest_first=False))


def queue_count(db: Connection, project_id: str, *, annotated: bool) -> int:
    queued = (traces.c.project_id == project_id) & traces.c.queued_at.is_not(None) & _has_annotations(annotated)
    return int(db.execute(sa.select(sa.func.count()).select_from(traces).where(queued)).scalar_one())


def trace_sums(db: Connection, project_id: str, since: datetime) -> TraceSums:
    """Of the traces that came since then."""
    query = sa.select(
        sa.func.count().label("traces"),
        sa.func.count(sa.case((traces.c.error_count > 0, 1))).label("error_count"),
        sa.func.count(traces.c.root_duration_ms).label("timed"),
        sa.func.avg(traces.c.root_duration_ms).label("avg_duration_ms"),
        sa.func.avg(traces.c.root_duration_ms * traces.c.root_duration_ms).label("squared_ms"),
        sa.func.sum(traces.c.tokens).label("tokens"),
        sa.func.sum(traces.c.cost_usd).label("cost_usd"),
        sa.func.sum(traces.c.unpriced).label("unpriced"),
    )
    return fetch_one(db, TraceSums, query.where(traces.c.project_id == project_id, traces.c.created_at >= since))


def experiment_counts(db: Connection, project_id: str) -> dict[str, int]:
    """Status → how many experiments."""
    query = (
        sa.select(experiments.c.status, sa.func.count().label("how_many"))
        .where(experiments.c.project_id == project_id)
        .group_by(experiments.c.status)
    )
    return {row.status: row.how_many for row in db.execute(query)}


def last_completed(db: Connection, project_id: str) -> ExperimentTableRow | None:
    completed = (experiments.c.project_id == project_id) & experiments.c.completed_at.is_not(None)
    newest = (experiments.c.completed_at.desc(), experiments.c.id.desc())
    return fetch_first(db, ExperimentTableRow, sa.select(experiments).where(completed).order_by(*newest).limit(1))


def _is(project_id: str, trace_id: str) -> sa.ColumnElement[bool]:
    return (traces.c.id == trace_id) & (traces.c.project_id == project_id)


def _has_annotations(is_wanted: bool) -> sa.ColumnElement[bool]:
    return traces.c.annotation_count > NONE if is_wanted else traces.c.annotation_count == NONE
