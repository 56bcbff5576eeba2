"""Traces are removed, many at a time, with everything that hangs on them.

What spans gave to the index of metadata and to the text search follows from the spans, so these are read before they
go. Ids travel as lists instead of as nested queries: both databases then look them up in the tables' keys.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model import jsonvalue
from gnomon.store.changes import note
from gnomon.store.fetch import fetch_all
from gnomon.store.rows import TraceTotals
from gnomon.store.schema import (
    annotations,
    conversations,
    for_update,
    is_any_of,
    jobs,
    quiet_targets,
    review_cards,
    scores,
    scoring_states,
    span_ids,
    span_logs,
    spans,
    traces,
)
from gnomon.store.spanstore import MODEL, Indexed, RemovedTraces, indexed_values
from gnomon.store.sqlspans import index, search

_OPEN = ("queued", "running")


class _RemovedSpan(NamedTuple):
    trace_id: str
    id: str
    model: str | None
    metadata: str | None
    """As JSON text: most of it need not be read."""


def remove(db: Connection, project_id: str, ids: Collection[str]) -> RemovedTraces:
    """These traces with their spans, the scores, states and ended jobs of those, and their annotations; conversations
    that are left without traces, with their scores."""
    these = (traces.c.project_id == project_id) & is_any_of(db, traces.c.id, ids)
    rows = fetch_all(db, TraceTotals, for_update(db, sa.select(traces).where(these).order_by(traces.c.id)))
    if not rows:
        return RemovedTraces(0, 0)
    trace_ids = [row.id for row in rows]
    note(db, project_id, "trace")
    removed = _spans(db, project_id, trace_ids)
    index.forget(db, project_id, rows, _indexed(db, project_id, removed))
    search.forget_texts(db, project_id, trace_ids)
    _remove_of_spans(db, project_id, trace_ids, {span.id for span in removed})
    _remove_targets(db, project_id, trace_ids)
    cards = (review_cards.c.project_id == project_id) & (review_cards.c.target_type == "trace")
    db.execute(sa.delete(review_cards).where(cards, is_any_of(db, review_cards.c.target_id, trace_ids)))
    for table in (annotations, span_logs, spans):
        db.execute(sa.delete(table).where(table.c.project_id == project_id, is_any_of(db, table.c.trace_id, trace_ids)))
    db.execute(sa.delete(traces).where(traces.c.project_id == project_id, is_any_of(db, traces.c.id, trace_ids)))
    _remove_empty(db, project_id, {row.conversation_id for row in rows if row.conversation_id is not None})
    return RemovedTraces(len(trace_ids), len(removed))


def _spans(db: Connection, project_id: str, trace_ids: Sequence[str]) -> list[_RemovedSpan]:
    metadata = sa.type_coerce(spans.c.metadata, sa.Text).label("metadata")
    of_traces = (spans.c.project_id == project_id) & is_any_of(db, spans.c.trace_id, trace_ids)
    return fetch_all(
        db, _RemovedSpan, sa.select(spans.c.trace_id, spans.c.id, spans.c.model, metadata).where(of_traces)
    )


def _indexed(db: Connection, project_id: str, removed: Iterable[_RemovedSpan]) -> set[Indexed]:
    written = {key: jsonvalue.dump(key) for key in index.indexed_keys(db, project_id) if key != MODEL}
    values: set[Indexed] = set()
    for span in removed:
        named = [key for key, text in written.items() if span.metadata and text in span.metadata]
        metadata = msgspec.json.decode(span.metadata) if named and span.metadata else None
        values.update(indexed_values(named, span.trace_id, span.model, metadata))
    return values


def _remove_of_spans(db: Connection, project_id: str, trace_ids: Sequence[str], ids: Collection[str]) -> None:
    of_traces = (scores.c.project_id == project_id) & is_any_of(db, scores.c.trace_id, trace_ids)
    db.execute(sa.delete(scores).where(of_traces, scores.c.trace_id.is_not(None), scores.c.target_type == "span"))
    for table in (scoring_states, jobs):
        of_spans = is_any_of(db, table.c.target_id, ids) & (table.c.target_type == "span")
        in_traces = (table.c.project_id == project_id) & is_any_of(db, table.c.trace_id, trace_ids)
        removed = sa.delete(table).where(of_spans, in_traces)
        # An open job ends by itself: its worker finds that the span is gone.
        db.execute(removed if table is not jobs else removed.where(jobs.c.status.not_in(_OPEN)))
    db.execute(
        sa.delete(span_ids).where(
            is_any_of(db, span_ids.c.id, ids),
            span_ids.c.project_id == project_id,
            is_any_of(db, span_ids.c.trace_id, trace_ids),
        )
    )


def _remove_targets(db: Connection, project_id: str, ids: Collection[str]) -> None:
    """Whole traces or conversations that a rule waits for, or has scored."""
    waiting = (quiet_targets.c.project_id == project_id) & is_any_of(db, quiet_targets.c.target_id, ids)
    db.execute(sa.delete(quiet_targets).where(waiting))


def _remove_empty(db: Connection, project_id: str, ids: Collection[str]) -> None:
    """Remove the conversations among these that have no trace any more."""
    if not ids:
        return
    left = sa.select(traces.c.conversation_id).where(
        traces.c.project_id == project_id, is_any_of(db, traces.c.conversation_id, ids)
    )
    empty = sorted(set(ids) - set(db.execute(left.distinct()).scalars()))
    if not empty:
        return
    for table in (scores, scoring_states):
        of_them = (table.c.target_type == "conversation") & (table.c.project_id == project_id)
        db.execute(sa.delete(table).where(is_any_of(db, table.c.target_id, empty), of_them))
    _remove_targets(db, project_id, empty)
    of_empty = (conversations.c.project_id == project_id) & is_any_of(db, conversations.c.id, empty)
    db.execute(sa.delete(conversations).where(of_empty))
