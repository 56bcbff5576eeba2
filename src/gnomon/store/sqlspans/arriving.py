"""Spans arrive: checked against what is stored, added, and summed up on their traces.

Natively a batch is stored whole or not at all. OpenTelemetry's exporters send again what they are not sure of, so there
what is stored already is kept, and the rest is added: in any order and repeated, the same spans make the same traces.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.changes import note
from gnomon.store.fetch import fetch_all
from gnomon.store.rows import SpanRow, SpanSourceRow, StoredSpan, StoredSpanLog
from gnomon.store.schema import (
    as_list,
    insert_rows,
    insert_values,
    is_any_given,
    is_any_of,
    span_ids,
    span_logs,
    span_sources,
    spans,
    traces,
)
from gnomon.store.spanstore import (
    CONVERSATION,
    SESSION,
    Added,
    Arrivals,
    FaultyLink,
    Indexed,
    OnDuplicate,
    SpanKey,
    TraceHead,
)
from gnomon.store.sqlspans import index, search
from gnomon.store.sqlspans.keys import among, listed

_FIRST = (
    "traces.{0} IS NULL OR excluded.{1} < traces.{1} OR (excluded.{1} = traces.{1} AND excluded.{0} /*C*/ < traces.{0})"
)
_EARLIER_ROOT = f"excluded.root_span_id IS NOT NULL AND ({_FIRST.format('root_span_id', 'root_start')})"
_BETTER_CONVERSATION = (
    f"excluded.conversation_id IS NOT NULL AND ({_FIRST.format('conversation_id', 'conversation_rank')})"
)
_EARLIER_MODEL = f"excluded.model IS NOT NULL AND ({_FIRST.format('model', 'model_start')})"


_PAID = ("model_call", "embedding")
_RANKS = {CONVERSATION: 0, SESSION: 1}


def _chosen(condition: str, *columns: str) -> str:
    return ", ".join(
        f"{column} = CASE WHEN {condition} THEN excluded.{column} ELSE traces.{column} END" for column in columns
    )


_INTO = f"INSERT INTO traces ({', '.join(TraceHead._fields)}) VALUES "
_ADDED_UP = f"""
ON CONFLICT (id, project_id) DO UPDATE SET
    {{root}},
    {_chosen(_EARLIER_MODEL, "model", "model_start")},
    {_chosen(_BETTER_CONVERSATION, "conversation_id", "conversation_rank")},
    span_count = traces.span_count + excluded.span_count,
    error_count = traces.error_count + excluded.error_count,
    tokens = traces.tokens + excluded.tokens,
    cost_usd = CASE WHEN excluded.cost_usd IS NULL THEN traces.cost_usd
        ELSE COALESCE(traces.cost_usd, 0) + excluded.cost_usd END,
    unpriced = traces.unpriced + excluded.unpriced,
    started_at = CASE WHEN traces.started_at IS NULL OR excluded.started_at < traces.started_at
        THEN excluded.started_at ELSE traces.started_at END,
    started_ns = CASE WHEN traces.started_ns IS NULL OR excluded.started_ns < traces.started_ns
        THEN excluded.started_ns ELSE traces.started_ns END,
    updated_at = excluded.updated_at
"""
_ROOT = {
    # Natively there is one root, the first that came; a second is refused.
    "refuse": _chosen("traces.root_span_id IS NULL", "root_span_id", "root_start", "root_duration_ms"),
    "keep": _chosen(_EARLIER_ROOT, "root_span_id", "root_start", "root_duration_ms"),
}


def add(db: Connection, arrivals: Arrivals, on_duplicate: OnDuplicate) -> Added:
    """Store spans, all of them or those that are new."""
    if on_duplicate == "keep":
        return _add_new(db, arrivals)
    values = set(chain.from_iterable(arrivals.values))
    arrived = _heads(arrivals, arrivals.spans, values)
    # The upsert comes before the checks because on PostgreSQL it holds the traces until the transaction ends.
    _upsert(db, arrived.values(), on_duplicate)
    roots = _roots(db, arrivals.project_id, arrived)
    older = {id for id, root in roots.items() if root.span_count > arrived[id].span_count}
    faults = list(_faults(db, arrivals, roots, older))
    if not faults:
        note(db, arrivals.project_id, "trace")
        insert_rows(db, spans, arrivals.spans)
        insert_rows(db, span_ids, [(span.id, span.project_id, span.trace_id) for span in arrivals.spans])
        index.note(db, arrivals, arrived, values, new=arrived.keys() - older)
        search.note_roots(db, arrivals, arrived, new=arrived.keys() - older)
    return Added(arrivals.spans, faults)


def _add_new(db: Connection, arrivals: Arrivals) -> Added:
    trace_ids = {span.trace_id for span in arrivals.spans}
    held = _hold_traces(db, arrivals.project_id, trace_ids)
    stored = _stored(db, arrivals.project_id, [(s.trace_id, s.id) for s in arrivals.spans if s.trace_id in held])
    new: dict[SpanKey, int] = {}
    for position, span in enumerate(arrivals.spans):
        new.setdefault((span.trace_id, span.id), position)
    for key in stored:
        del new[key]
    rows = [arrivals.spans[position] for position in new.values()]
    values = set(chain.from_iterable([arrivals.values[position] for position in new.values()]))
    insert_rows(db, spans, rows)
    if rows:
        note(db, arrivals.project_id, "trace")
    arrived = _heads(arrivals, rows, values)
    _upsert(db, arrived.values(), "keep")
    index.note(db, arrivals, arrived, values, new=arrived.keys() - held)
    search.note_roots(db, arrivals, arrived, new=arrived.keys() - held)
    return Added(rows, [])


def _hold_traces(db: Connection, project_id: str, trace_ids: Collection[str]) -> set[str]:
    """Which of the traces are there. A new one that two batches bring meanwhile is settled by the key of its spans: the
    second batch fails, is tried again, and then finds it."""
    dialect = db.dialect.name
    parameters = {"ids": as_list(dialect, trace_ids), "project": project_id}
    return set(db.execute(_traces_to_hold(dialect), parameters).scalars())


@cache
def _traces_to_hold(dialect: str) -> sa.Select[Any]:
    """Asked by every batch of spans, so it is made once. SQLite has one writer, which holds everything."""
    these = is_any_given(dialect, traces.c.id, "ids") & (traces.c.project_id == sa.bindparam("project"))
    query = sa.select(traces.c.id).where(these).order_by(traces.c.id)
    return query.with_for_update() if dialect == "postgresql" else query


def _stored(db: Connection, project_id: str, keys: Collection[SpanKey]) -> set[SpanKey]:
    if not keys:
        return set()
    query = among(db, [(project_id, *key) for key in keys], spans.c.trace_id, spans.c.id)
    return {(trace_id, id) for trace_id, id in db.execute(query)}


def _heads(arrivals: Arrivals, arrived: Iterable[StoredSpan], values: Iterable[Indexed]) -> dict[str, TraceHead]:
    """What the spans bring to each trace, in order of first appearance."""
    grouped: dict[str, list[StoredSpan]] = {}
    for span in arrived:
        grouped.setdefault(span.trace_id, []).append(span)
    named = _conversations(values)
    return {
        trace_id: _head(arrivals.project_id, trace_id, members, named.get(trace_id), arrivals.now_ms)
        for trace_id, members in grouped.items()
    }


def _conversations(values: Iterable[Indexed]) -> dict[str, tuple[int, str]]:
    """Trace → its conversation, after whether it is a session only: of several, the first in this order."""
    conversations: dict[str, tuple[int, str]] = {}
    for trace_id, key, value in values:
        if key in _RANKS:
            named = (_RANKS[key], value)
            conversations[trace_id] = min(conversations.get(trace_id, named), named)
    return conversations


def _head(
    project_id: str, trace_id: str, members: Sequence[StoredSpan], named: tuple[int, str] | None, now_ms: int
) -> TraceHead:
    """One pass: this is done for every trace of every batch."""
    roots, models, costs = [], [], []
    errors = tokens = unpriced = 0
    for span in members:
        if span.parent_span_id is None:
            roots.append(span)
        if span.model is not None:
            models.append((span.start_ns, span.model))
        if span.error is not None:
            errors += 1
        if span.cost_usd is not None:
            costs.append(span.cost_usd)
        elif _costs_something(span):
            unpriced += 1
        tokens += (span.tokens_input or 0) + (span.tokens_output or 0)
    root = min(roots, key=lambda span: (span.start_ns, span.id)) if len(roots) > 1 else roots[0] if roots else None
    model_start, model = min(models) if models else (None, None)
    rank, conversation_id = named or (None, None)
    return TraceHead(
        id=trace_id,
        project_id=project_id,
        root_span_id=None if root is None else root.id,
        span_count=len(members),
        error_count=errors,
        tokens=tokens,
        model=model,
        root_duration_ms=None if root is None else root.duration_ms,
        created_at=now_ms,
        started_at=min([span.start_time for span in members]),
        started_ns=min([span.start_ns for span in members]),
        updated_at=now_ms,
        root_start=None if root is None else root.start_ns,
        model_start=model_start,
        conversation_id=conversation_id,
        conversation_rank=rank,
        cost_usd=sum(costs) if costs else None,
        unpriced=unpriced,
    )


def _costs_something(span: StoredSpan) -> bool:
    """It took tokens; or it is a model call that says nothing of tokens and did not fail."""
    if span.tokens_input is not None or span.tokens_output is not None:
        return True
    return span.operation in _PAID and span.error is None


def _upsert(db: Connection, rows: Iterable[TraceHead], on_duplicate: OnDuplicate) -> None:
    """Add what a batch brings to each trace; new traces are made. Sorted, so that two batches never wait in a ring."""
    in_order = sorted(rows, key=lambda row: row.id)
    if in_order:
        # Texts are compared by their bytes, as SQLite does.
        bytewise = 'COLLATE "C"' if db.dialect.name == "postgresql" else ""
        insert_values(db, _INTO, in_order, _ADDED_UP.format(root=_ROOT[on_duplicate]).replace("/*C*/", bytewise))


# --- what native ingest refuses -----


def _faults(
    db: Connection, arrivals: Arrivals, roots: Mapping[str, "_TraceRoot"], older: Collection[str]
) -> Iterator[FaultyLink]:
    """Every span that cannot be stored, by its position. A trace that is new needs no look at what is stored."""
    batch, project_id = arrivals.spans, arrivals.project_id
    batch_keys = {(span.trace_id, span.id) for span in batch}
    stored = _stored(db, project_id, [key for key in batch_keys if key[0] in older])
    parents = {(span.trace_id, span.parent_span_id) for span in batch if span.parent_span_id is not None} - batch_keys
    above = _stored(db, project_id, [key for key in parents if key[0] in older])
    known = batch_keys | above
    everywhere = {id for _, id in batch_keys} | _in_use(db, project_id, {id for _, id in parents - above})
    rings = _rings(db, project_id, batch, above)
    seen: set[SpanKey] = set()
    for position, span in enumerate(batch):
        key, parent = (span.trace_id, span.id), span.parent_span_id
        if key in stored or key in seen:
            yield FaultyLink(position, "duplicate")
        elif parent is None:
            if roots[span.trace_id].root_span_id not in (None, span.id):
                yield FaultyLink(position, "second_root")
        elif position in rings:
            yield FaultyLink(position, "circular")
        elif (span.trace_id, parent) not in known and parent in everywhere:
            yield FaultyLink(position, "parent_elsewhere")
        seen.add(key)


def _in_use(db: Connection, project_id: str, ids: Collection[str]) -> set[str]:
    """Which of these ids natively ingested spans of the project have, in whatever trace."""
    if not ids:
        return set()
    query = sa.select(span_ids.c.id).where(is_any_of(db, span_ids.c.id, ids), span_ids.c.project_id == project_id)
    return set(db.execute(query).scalars())


class _TraceRoot(NamedTuple):
    id: str
    root_span_id: str | None
    span_count: int


def _roots(db: Connection, project_id: str, trace_ids: Iterable[str]) -> dict[str, _TraceRoot]:
    """The traces, as they are with this batch."""
    query = sa.select(traces.c.id, traces.c.root_span_id, traces.c.span_count).where(
        is_any_of(db, traces.c.id, trace_ids), traces.c.project_id == project_id
    )
    return {row.id: row for row in fetch_all(db, _TraceRoot, query)}


def _rings(db: Connection, project_id: str, batch: Sequence[StoredSpan], stored: set[SpanKey]) -> set[int]:
    """Positions of the spans whose chain of parents closes on itself, stored spans included."""
    above = {(span.trace_id, span.id): span.parent_span_id for span in batch if span.parent_span_id is not None}
    outside = {
        (trace, parent) for (trace, _), parent in above.items() if (trace, parent) not in above
    } & stored  # fmt: skip
    if outside:
        above = {**_ancestors(db, project_id, outside), **above}
    on_ring: set[SpanKey] = set()
    finished: set[SpanKey] = set()
    for start in above:
        path: dict[SpanKey, None] = {}
        at: SpanKey | None = start
        while at is not None and at not in finished and at not in path:
            path[at] = None
            parent = above.get(at)
            at = None if parent is None else (at[0], parent)
        if at in path:
            walked = list(path)
            on_ring.update(walked[walked.index(at) :])
        finished.update(path)
    return {position for position, span in enumerate(batch) if (span.trace_id, span.id) in on_ring}


def _ancestors(db: Connection, project_id: str, keys: Collection[SpanKey]) -> dict[SpanKey, str]:
    """The stored chain above these spans: (trace id, span id) → parent id."""
    columns = (spans.c.trace_id, spans.c.id, spans.c.parent_span_id)
    wanted = listed(db, keys, ("trace_id", "id"))
    same = (spans.c.trace_id == wanted.c.trace_id) & (spans.c.id == wanted.c.id) & (spans.c.project_id == project_id)
    chain = sa.select(*columns).select_from(wanted.join(spans, same)).cte("chain", recursive=True)
    above = sa.select(*columns).where(
        spans.c.project_id == project_id, spans.c.trace_id == chain.c.trace_id, spans.c.id == chain.c.parent_span_id
    )
    chain = chain.union(above)
    links = db.execute(sa.select(chain).where(chain.c.parent_span_id.is_not(None)))
    return {(link.trace_id, link.id): link.parent_span_id for link in links}


# --- beside the spans -----


def add_sources(db: Connection, rows: Sequence[SpanSourceRow]) -> None:
    """Resources and scopes; those that are there already stay. Sorted, so that two batches never wait in a ring."""
    insert_rows(db, span_sources, sorted(rows), or_ignore=True)


def add_logs(db: Connection, rows: Sequence[StoredSpanLog]) -> None:
    """Log records that belong to spans, also to ones that have not come yet. The same record again adds nothing."""
    insert_rows(db, span_logs, rows, or_ignore=True)


def change_view(db: Connection, row: SpanRow) -> None:
    """What a log record that came later says of a stored span: its input and output."""
    this = (spans.c.project_id == row.project_id, spans.c.trace_id == row.trace_id, spans.c.id == row.id)
    with search.text_changes(db, row.project_id, row.trace_id, row.id):
        db.execute(sa.update(spans).where(*this).values(input=row.input, output=row.output))
    note(db, row.project_id, "trace")
