"""Traces: read one, list them, delete one. How they come in is `ingest`."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import msgspec

from gnomon.errors import Conflict, InvalidInput, NotFound
from gnomon.interop.otlp.stored import details, stored_log
from gnomon.model.trace import (
    Deleted,
    Span,
    SpanError,
    SpanEvent,
    SpanLink,
    SpanScope,
    SpanStatus,
    Trace,
    TraceRow,
    TraceScorer,
)
from gnomon.model.traceviews import TraceOrder
from gnomon.service.call import Call, Listing, Row, listing, project_in_scope
from gnomon.service.traces import textsearch
from gnomon.stats.describe import round_shown
from gnomon.store import score_days, scores
from gnomon.store.pages import Slice
from gnomon.store.rows import SpanRow, TraceTotals
from gnomon.store.scores import ScorerOnTrace
from gnomon.store.spanstore import (
    CONVERSATION,
    LONGEST_START,
    SESSION,
    USER,
    SpanKey,
    TraceFilter,
    TraceWithRoot,
    as_filter_text,
    trace_key,
)

_MOST_SCORERS, _MOST_LABELS = 20, 5
_PREVIEW = 200
_LONGEST_ESCAPE = len("\\u0000")


def find_trace(call: Call, id: str, project_id: str | None) -> TraceWithRoot:
    """The one trace with this id that the key can see, with its root span."""
    return _only(call.spans.find(call.db, id, _scope(call, project_id)), id)


def hold_trace(call: Call, id: str, project_id: str | None) -> TraceTotals:
    """Like `find_trace`, locked until the end of the transaction, for a caller that changes it."""
    return _only(call.spans.hold(call.db, id, _scope(call, project_id)), id)


def _scope(call: Call, project_id: str | None) -> str | None:
    return project_id if call.principal.project_id is None else project_in_scope(call.principal, project_id)


def _only(rows: Sequence[Row], id: str) -> Row:
    if not rows:
        raise NotFound(f"trace {id!r} does not exist")
    if len(rows) > 1:
        raise Conflict(f"several projects have a trace {id!r}; add its `project_id`", code="AMBIGUOUS_TARGET")
    return rows[0]


def get(call: Call, id: str, project_id: str | None) -> Trace:
    row = find_trace(call, id, project_id)
    rows = call.spans.spans_of(call.db, row.project_id, id)
    return Trace(**dict(noun(row)), spans=span_nouns(call, row.project_id, rows))


def span_nouns(call: Call, project_id: str, rows: Sequence[SpanRow]) -> list[Span]:
    """Spans with all their OpenTelemetry fields."""
    source_ids = {row.source_id for row in rows if row.source_id is not None}
    sources = call.spans.sources(call.db, project_id, source_ids)
    events: dict[SpanKey, list[SpanEvent]] = {}
    if source_ids:  # only such spans have log records
        for log in call.spans.logs_of(call.db, project_id, {row.trace_id for row in rows}):
            event = SpanEvent(**stored_log(log.record).as_event())
            events.setdefault((log.trace_id, log.span_id), []).append(event)
    return [span_noun(row, sources, events.get((row.trace_id, row.id), [])) for row in rows]


def all_of(
    call: Call, project_id: str | None, only: TraceFilter, page: Slice, sort: TraceOrder = "-created_at"
) -> Listing[TraceRow]:
    scope = project_in_scope(call.principal, project_id)
    if only.q is not None:
        textsearch.need(call, scope)
    ready = {key for key, is_ready in call.spans.indexed_keys(call.db, scope).items() if is_ready}
    trace_page = call.spans.page(call.db, scope, only, page, ready, sort)
    scored = _summaries(call, scope, [row.id for row in trace_page.rows[: page.limit]])

    def listed(row: TraceWithRoot) -> TraceRow:
        previews = {"input_preview": preview(row.root_input_start), "output_preview": preview(row.root_output_start)}
        return noun(row).model_copy(update={"scores": scored.get(row.id, []), **previews})

    part = listing(trace_page.rows, page, listed, lambda row: trace_key(row, sort))
    # A search that has looked through enough for one call goes on from where it stopped.
    return part if part.next_key is not None else replace(part, next_key=trace_page.resume)


def _summaries(call: Call, project_id: str, trace_ids: Sequence[str]) -> dict[str, list[TraceScorer]]:
    """Trace id → what each scorer's scores on its spans come to."""
    if not trace_ids:
        return {}
    grouped: dict[tuple[str, str], list[ScorerOnTrace]] = {}
    for row in scores.by_scorer(call.db, project_id, trace_ids):
        grouped.setdefault((row.trace_id, row.scorer_name), []).append(row)
    summaries: dict[str, list[TraceScorer]] = {}
    for (trace_id, scorer_name), rows in sorted(grouped.items()):
        scorers = summaries.setdefault(trace_id, [])
        if len(scorers) < _MOST_SCORERS:
            scorers.append(_summary(scorer_name, rows))
    return summaries


def _summary(scorer_name: str, rows: Sequence[ScorerOnTrace]) -> TraceScorer:
    labelled = sorted((row for row in rows if row.label is not None), key=lambda row: (-row.how_many, row.label))
    return TraceScorer(
        scorer_name=scorer_name,
        count=sum(row.how_many for row in rows),
        mean=next((round_shown(row.mean) for row in rows if row.label is None), None),
        labels={row.label: row.how_many for row in labelled[:_MOST_LABELS] if row.label is not None},
    )


def preview(start: str | None) -> str | None:
    """The beginning of a value, of which the beginning of its JSON text is given: of a string what it says."""
    if start is None or not start.startswith('"'):
        return None if start is None else start[:_PREVIEW]
    if len(start) < LONGEST_START:
        return msgspec.json.decode(start, type=str)[:_PREVIEW]
    for escape in range(_LONGEST_ESCAPE):  # it may be cut within one
        with suppress(msgspec.DecodeError):
            return msgspec.json.decode(f'{start[: len(start) - escape]}"', type=str)[:_PREVIEW]
    return start[:_PREVIEW]


def checked(only: TraceFilter) -> TraceFilter:
    """The filter, when its parts fit together."""
    if only.scorer_name is None and (only.min is not None or only.max is not None):
        field = "min" if only.min is not None else "max"
        raise InvalidInput.of(field, f"{field} bounds the scores of a scorer; add its `scorer_name`")
    if only.q is not None:
        textsearch.check(only.q)
    return only


def metadata_filter(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Pairs of key and value that a list of traces is filtered by."""
    ordered = sorted(pairs)
    for key, _ in ordered:
        # The store searches a text in which these two stand between keys and values.
        if not key or key[0] in ",:":
            message = f"a filter is metadata.KEY=VALUE; KEY {key!r} is empty or begins with ',' or ':'"
            raise InvalidInput.of(f"metadata.{key}", message)
    return tuple(ordered)


def delete(call: Call, id: str, project_id: str | None) -> Deleted:
    """Delete a trace with its spans, their scores and states, its annotations and its place in the queue.

    Its scores leave the daily sums too: whoever deletes a trace wants it not to count.
    """
    row = hold_trace(call, id, project_id)
    score_days.take_out_trace(call.db, row.project_id, id)
    call.spans.remove(call.db, row.project_id, [id])
    return Deleted(id=id)


def noun(row: TraceWithRoot) -> TraceRow:
    return TraceRow(
        id=row.id, project_id=row.project_id, root_span_id=row.root_span_id, span_count=row.span_count,
        created_at=row.created_at, metadata=row.root_metadata, name=row.root_name,
        duration_ms=row.root_duration_ms, model=row.model if row.root_model is None else row.root_model,
        tokens=row.tokens, has_error=row.error_count > 0, in_queue=row.queued_at is not None,
        annotation_count=row.annotation_count, conversation_id=row.conversation_id, started_at=row.started_at,
        updated_at=row.updated_at,
        cost_usd=None if row.unpriced else row.cost_usd, known_cost_usd=row.cost_usd, unpriced_span_count=row.unpriced,
    )  # fmt: skip


def span_noun(row: SpanRow, sources: Mapping[str, bytes], logged: Sequence[SpanEvent]) -> Span:
    about = row.metadata or {}
    session_id = _text(about.get(SESSION))
    return Span(
        id=row.id, trace_id=row.trace_id, parent_span_id=row.parent_span_id, name=row.name, input=row.input,
        output=row.output, start_time=row.start_time, end_time=row.end_time, duration_ms=row.duration_ms,
        tokens_input=row.tokens_input, tokens_output=row.tokens_output, model=row.model, metadata=row.metadata,
        error=None if row.error is None else SpanError(**row.error), operation=row.operation, cost_usd=row.cost_usd,
        conversation_id=_text(about.get(CONVERSATION)) or session_id, session_id=session_id,
        user_id=_text(about.get(USER)),
        **({} if row.otlp is None else _otel_fields(row.otlp, sources.get(row.source_id or ""), logged)),
    )  # fmt: skip


def _otel_fields(body: bytes, source: bytes | None, logged: Sequence[SpanEvent]) -> dict[str, Any]:
    """What OpenTelemetry says of a span, by the fields of our noun. Log records that belong to it are events too."""
    stored = details(body, source)
    events = [SpanEvent(**event) for event in stored.events]
    dropped = {
        "attributes": stored.dropped_attributes_count,
        "events": stored.dropped_events_count,
        "links": stored.dropped_links_count,
    }
    return {
        "start_time_unix_nano": stored.start_time_unix_nano, "end_time_unix_nano": stored.end_time_unix_nano,
        "kind": stored.kind, "status": SpanStatus(**stored.status), "attributes": stored.attributes,
        "events": [*events, *logged], "links": [SpanLink(**link) for link in stored.links],
        "scope": None if stored.scope is None else SpanScope(**stored.scope), "resource": stored.resource,
        "trace_state": stored.trace_state, "flags": stored.flags,
        "dropped": {kind: count for kind, count in dropped.items() if count} or None,
    }  # fmt: skip


def _text(value: Any) -> str | None:
    return None if value is None else as_filter_text(value)
