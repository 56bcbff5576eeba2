"""Which traces are old and unused, and how long projects keep theirs.

A trace is in use while a run or a dataset item names it, while it is annotated or queued for review, and while a person
has scored it. Its age counts from the last span that came.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.moment import to_ms
from gnomon.store.fetch import fetch_all, fetch_first, fetch_one
from gnomon.store.removals import BATCH, within
from gnomon.store.rows import RetentionRow
from gnomon.store.schema import (
    api_keys,
    dataset_items,
    datasets,
    experiments,
    is_any_of,
    iterations,
    retention,
    runs,
    scores,
    scoring_rules,
    spans,
    traces,
)
from gnomon.store.spanstore import SpanStore

_SAMPLE = 300
"""Traces whose spans are measured, to estimate how large all are."""
_ROW_BYTES = 300
"""What a span takes beside its texts: keys, numbers, indexes. Measured, about."""

AgeKey = tuple[int, str]
"""When a trace came, in milliseconds, and its id: its place in the order of age."""


class OldTraces(NamedTuple):
    """Traces of a project to which nothing has come since a moment, but for those in use."""

    project_id: str
    before: datetime
    keep_scored: bool
    """Whether everything with a score counts as in use."""


class PruneCounts(NamedTuple):
    """How much is old, and how much of it may go."""

    traces: int
    spans: int
    kept: int
    """Old traces that are in use."""


class PrunedBatch(NamedTuple):
    """What was removed, and where to go on; None at the end."""

    traces: int
    spans: int
    position: AgeKey | None


class ProjectContentsRow(NamedTuple):
    """How much a project holds."""

    traces: int
    spans: int
    datasets: int
    dataset_items: int
    experiments: int
    runs: int
    iterations: int
    rules: int
    keys: int


# --- what is old -----


def count_old(db: Connection, old: OldTraces) -> PruneCounts:
    in_use = _in_use(db, old)
    query = sa.select(
        sa.func.count(sa.case((~in_use, 1))).label("traces"),
        sa.cast(sa.func.coalesce(sa.func.sum(sa.case((~in_use, traces.c.span_count))), 0), sa.BigInteger).label(
            "spans"
        ),
        sa.func.count(sa.case((in_use, 1))).label("kept"),
    ).where(*_is_old(old))
    return fetch_one(db, PruneCounts, query)


def estimate_bytes(db: Connection, old: OldTraces, span_count: int) -> int:
    """About how large the spans that may go are, from a sample of the oldest."""
    some = sa.select(traces.c.id).where(*_is_old(old), ~_in_use(db, old)).order_by(_age(), traces.c.id).limit(_SAMPLE)
    ids = list(db.execute(some).scalars())
    texts = [sa.type_coerce(spans.c[name], sa.Text) for name in ("input", "output", "metadata", "error", "name")]
    length = sum((sa.func.coalesce(sa.func.length(text), 0) for text in texts), sa.literal(0))
    size = length + sa.func.coalesce(sa.func.length(spans.c.otlp), 0)
    sampled = sa.select(sa.func.avg(size)).where(
        spans.c.project_id == old.project_id, is_any_of(db, spans.c.trace_id, ids)
    )
    return round((float(db.execute(sampled).scalar() or 0) + _ROW_BYTES) * span_count)


def prune_batch(db: Connection, store: SpanStore, old: OldTraces, after: AgeKey | None) -> PrunedBatch:
    """Remove the next old traces that are not in use, the oldest first; those in use are passed over."""
    window = _next_old(db, old, after)
    if not window:
        return PrunedBatch(0, 0, None)
    # Read after they are held: an annotation or a place in the queue that came before is seen, and none comes now.
    free = sa.select(traces.c.id).where(
        traces.c.project_id == old.project_id, is_any_of(db, traces.c.id, [row.id for row in window]),
        _updated() < to_ms(old.before), ~_in_use(db, old),
    )  # fmt: skip
    unused = set(db.execute(free).scalars())
    ids = within([(row.id, row.span_count) for row in window if row.id in unused])
    removed = store.remove(db, old.project_id, ids)
    last = window[-1] if len(ids) == len(unused) else next(row for row in window if row.id == ids[-1])
    is_end = last is window[-1] and len(window) < BATCH
    return PrunedBatch(removed.traces, removed.spans, None if is_end else (last.created_ms, last.id))


class _Aged(NamedTuple):
    id: str
    created_ms: int
    span_count: int


def _next_old(db: Connection, old: OldTraces, after: AgeKey | None) -> list[_Aged]:
    query = sa.select(traces.c.id, _age().label("created_ms"), traces.c.span_count).where(*_is_old(old))
    if after is not None:
        last = sa.tuple_(sa.literal(after[0], sa.BigInteger), sa.literal(after[1], sa.Text))
        query = query.where(sa.tuple_(_age(), traces.c.id) > last)
    query = query.order_by(_age(), traces.c.id).limit(BATCH)
    if db.dialect.name == "postgresql":  # what others are at work on is in use
        query = query.with_for_update(skip_locked=True)
    return fetch_all(db, _Aged, query)


def _age() -> sa.ColumnElement[int]:
    return sa.type_coerce(traces.c.created_at, sa.BigInteger)


def _updated() -> sa.ColumnElement[int]:
    return sa.func.coalesce(sa.type_coerce(traces.c.updated_at, sa.BigInteger), _age())


def _is_old(old: OldTraces) -> tuple[sa.ColumnElement[bool], ...]:
    before = to_ms(old.before)
    return traces.c.project_id == old.project_id, _age() < before, _updated() < before


def _in_use(db: Connection, old: OldTraces) -> sa.ColumnElement[bool]:
    conditions = [
        traces.c.queued_at.is_not(None),
        traces.c.annotation_count > 0,
        _named_by_run(),
        traces.c.id.in_(_sources_of_items(db, old.project_id)),
        _scored(scores.c.source == "human"),
    ]
    if old.keep_scored:
        conditions += [_scored(), _in_scored_conversation()]
    return sa.or_(*conditions)


def _named_by_run() -> sa.ColumnElement[bool]:
    same = (runs.c.trace_id == traces.c.id) & (runs.c.project_id == traces.c.project_id)
    return sa.select(sa.literal(1)).where(same).correlate(traces).exists()


def _sources_of_items(db: Connection, project_id: str) -> sa.Select[Any]:
    """Ids of the traces that items of the project's datasets were made of."""
    metadata = sa.type_coerce(dataset_items.c.metadata, sa.Text)
    # As the index says it, to the letter: a partial index is used only where the statement has its condition.
    if db.dialect.name == "postgresql":
        made_of_trace = sa.text("strpos(dataset_items.metadata, '\"source_trace_id\"') > 0")
        source: sa.ColumnElement[Any] = sa.cast(metadata, sa.JSON).op("->>")("source_trace_id")
    else:
        made_of_trace = sa.text("instr(dataset_items.metadata, '\"source_trace_id\"') > 0")
        source = sa.func.json_extract(metadata, "$.source_trace_id")
    of_project = sa.select(datasets.c.id).where(datasets.c.project_id == project_id)
    query = sa.select(source).where(dataset_items.c.dataset_id.in_(of_project), made_of_trace)
    return query.where(source.is_not(None))


def _scored(*which: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    of_trace = (scores.c.project_id == traces.c.project_id) & (scores.c.trace_id == traces.c.id)
    return sa.select(sa.literal(1)).where(of_trace, *which).correlate(traces).exists()


def _in_scored_conversation() -> sa.ColumnElement[bool]:
    of_it = (scores.c.target_id == traces.c.conversation_id) & (scores.c.project_id == traces.c.project_id)
    scored = sa.select(sa.literal(1)).where(of_it, scores.c.target_type == "conversation").correlate(traces)
    return sa.and_(traces.c.conversation_id.is_not(None), scored.exists())


# --- how long projects keep their traces -----


def get(db: Connection, project_id: str) -> RetentionRow | None:
    return fetch_first(db, RetentionRow, sa.select(retention).where(retention.c.project_id == project_id))


def put(db: Connection, row: RetentionRow) -> None:
    db.execute(sa.delete(retention).where(retention.c.project_id == row.project_id))
    db.execute(sa.insert(retention).values(row._asdict()))


def any_due(db: Connection, now: datetime) -> bool:
    return db.execute(_due(now).limit(1)).first() is not None


def next_due(db: Connection, now: datetime) -> RetentionRow | None:
    """A project whose old traces are to be removed now, which nobody else works on."""
    query = _due(now).order_by(retention.c.due_at, retention.c.project_id).limit(1)
    if db.dialect.name == "postgresql":
        query = query.with_for_update(skip_locked=True)
    return fetch_first(db, RetentionRow, query)


def change(db: Connection, project_id: str, *, due_at: datetime, position: str) -> None:
    of_project = retention.c.project_id == project_id
    db.execute(sa.update(retention).where(of_project).values(due_at=due_at, position=position))


def _due(now: datetime) -> sa.Select[Any]:
    return sa.select(retention).where(retention.c.days.is_not(None), retention.c.due_at <= now)


# --- how much there is -----


def contents(db: Connection, project_id: str) -> ProjectContentsRow:
    """Counted, where no counter stands beside the rows."""

    def count(table: sa.Table, column: Any = None) -> sa.ScalarSelect[int]:
        counted = (
            sa.func.count() if column is None else sa.cast(sa.func.coalesce(sa.func.sum(column), 0), sa.BigInteger)
        )
        return sa.select(counted).select_from(table).where(table.c.project_id == project_id).scalar_subquery()

    columns: Sequence[sa.ScalarSelect[int]] = [
        count(traces), count(traces, traces.c.span_count), count(datasets), count(datasets, datasets.c.item_count),
        count(experiments), count(experiments, experiments.c.run_count), count(iterations), count(scoring_rules),
        count(api_keys),
    ]  # fmt: skip
    named = [column.label(name) for name, column in zip(ProjectContentsRow._fields, columns, strict=True)]
    return fetch_one(db, ProjectContentsRow, sa.select(*named))
