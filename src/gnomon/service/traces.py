"""Traces: read one, list them, delete one. How they come in is `ingest`."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from gnomon.errors import Conflict, InvalidInput, NotFound
from gnomon.model.moment import to_ms
from gnomon.model.trace import Deleted, Span, SpanError, Trace, TraceRow
from gnomon.service.call import Call, Listing, Row, listing, project_in_scope
from gnomon.store import score_days
from gnomon.store.pages import Slice
from gnomon.store.rows import SpanRow, TraceTotals
from gnomon.store.spanstore import Filter, TraceWithRoot


def find_trace(call: Call, id: str, project_id: str | None) -> TraceWithRoot:
    """The one trace with this id that the key can see, with its root span."""
    return _only(call.spans.find(call.db, id, _scope(call, project_id)), id)


def hold_trace(call: Call, id: str, project_id: str | None) -> TraceTotals:
    """As `find_trace`, for those who go on to change it: nobody else does so before they are done."""
    return _only(call.spans.hold(call.db, id, _scope(call, project_id)), id)


def _scope(call: Call, project_id: str | None) -> str | None:
    return project_id if call.who.project_id is None else project_in_scope(call.who, project_id)


def _only(rows: Sequence[Row], id: str) -> Row:
    if not rows:
        raise NotFound(f"trace {id!r} does not exist")
    if len(rows) > 1:
        raise Conflict(f"several projects have a trace {id!r}; add its `project_id`", code="AMBIGUOUS_TARGET")
    return rows[0]


def get(call: Call, id: str, project_id: str | None) -> Trace:
    row = find_trace(call, id, project_id)
    spans = [_span_noun(span) for span in call.spans.spans_of(call.db, row.project_id, id)]
    return Trace(**dict(noun(row)), spans=spans)


def all_of(call: Call, project_id: str | None, only: Filter, wanted: Slice) -> Listing[TraceRow]:
    scope = project_in_scope(call.who, project_id)
    ready = {key for key, is_ready in call.spans.indexed_keys(call.db, scope).items() if is_ready}
    found = call.spans.page(call.db, scope, only, wanted, ready)
    part = listing(found.rows, wanted, noun, lambda row: (to_ms(row.created_at), row.id))
    # A search that has looked through enough for one call goes on from where it stopped.
    return part if part.next_key is not None else replace(part, next_key=found.resume)


def metadata_filter(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Pairs of key and value that a list of traces is filtered by."""
    wanted = sorted(pairs)
    for key, _ in wanted:
        # The store searches a text in which these two stand between keys and values.
        if not key or key[0] in ",:":
            message = f"a filter is metadata.KEY=VALUE; KEY {key!r} is empty or begins with ',' or ':'"
            raise InvalidInput.of(f"metadata.{key}", message)
    return tuple(wanted)


def delete(call: Call, id: str, project_id: str | None) -> Deleted:
    """With its spans, their scores and states, its annotations and its place in the queue.

    Its scores leave the daily sums too: whoever deletes a trace wants it not to count.
    """
    row = hold_trace(call, id, project_id)
    score_days.take_out_trace(call.db, row.project_id, id)
    call.spans.remove(call.db, row.project_id, id)
    return Deleted(id=id)


def noun(row: TraceWithRoot) -> TraceRow:
    return TraceRow(
        id=row.id, project_id=row.project_id, root_span_id=row.root_span_id, span_count=row.span_count,
        created_at=row.created_at, metadata=row.root_metadata, name=row.root_name,
        duration_ms=row.root_duration_ms, model=row.model if row.root_model is None else row.root_model,
        tokens=row.tokens, has_error=row.error_count > 0, in_queue=row.queued_at is not None,
        conversation_id=row.conversation_id, started_at=row.started_at, updated_at=row.updated_at,
        cost_usd=None if row.unpriced else row.cost_usd, known_cost_usd=row.cost_usd, unpriced_span_count=row.unpriced,
    )  # fmt: skip


def _span_noun(row: SpanRow) -> Span:
    return Span(
        id=row.id, trace_id=row.trace_id, parent_span_id=row.parent_span_id, name=row.name, input=row.input,
        output=row.output, start_time=row.start_time, end_time=row.end_time, duration_ms=row.duration_ms,
        tokens_input=row.tokens_input, tokens_output=row.tokens_output, model=row.model, metadata=row.metadata,
        error=None if row.error is None else SpanError(**row.error),
    )  # fmt: skip
