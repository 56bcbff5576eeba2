"""A trace whose spans are not stored yet, as it will be shown once they are. What they cost is not known before."""

from collections.abc import Sequence

from gnomon.interop.otlp.decoding import decode_traces
from gnomon.model.moment import from_ms
from gnomon.model.trace import Span, Trace
from gnomon.service.clock import Clock
from gnomon.service.traces.otlp import PreparedSpan, metadata_of, prepare_traces
from gnomon.service.traces.traces import span_noun
from gnomon.store.rows import SpanRow

_MILLISECOND = 1_000_000


def trace_of(request: bytes, id: str, root_id: str, project_id: str) -> Trace:
    """The trace of the spans of an ExportTraceServiceRequest; they all belong to it."""
    prepared = prepare_traces(decode_traces(request, "protobuf")).spans
    spans = [span_noun(_row(project_id, span), {span.span.source.id: span.span.source.body}, ()) for span in prepared]
    return _trace(id, root_id, project_id, sorted(spans, key=lambda span: (span.start_time, span.id != root_id)))


def _trace(id: str, root_id: str, project_id: str, spans: Sequence[Span]) -> Trace:
    root = next((span for span in spans if span.id == root_id), None)
    models = [span.model for span in ([root] if root else []) + list(spans) if span.model]
    started_at = spans[0].start_time if spans else None
    return Trace(
        id=id,
        project_id=project_id,
        root_span_id=root_id if root else None,
        span_count=len(spans),
        created_at=started_at or from_ms(Clock().now_ms()),
        metadata=root.metadata if root else None,
        name=root.name if root else None,
        duration_ms=root.duration_ms if root else None,
        model=next(iter(models), None),
        tokens=sum((span.tokens_input or 0) + (span.tokens_output or 0) for span in spans),
        has_error=any(span.error for span in spans),
        in_queue=False,
        conversation_id=next((span.conversation_id for span in spans if span.conversation_id), None),
        started_at=started_at,
        unpriced_span_count=sum(span.tokens_input is not None or span.tokens_output is not None for span in spans),
        spans=list(spans),
    )


def _row(project_id: str, prepared: PreparedSpan) -> SpanRow:
    span, seen = prepared.span, prepared.view
    end_ns = span.end_ns
    duration = None if end_ns is None or end_ns < span.start_ns else (end_ns - span.start_ns) / _MILLISECOND
    return SpanRow(
        project_id=project_id,
        trace_id=span.trace_id,
        id=span.span_id,
        parent_span_id=span.parent_id,
        name=span.name,
        input=seen.input,
        output=seen.output,
        start_time=from_ms(span.start_ns // _MILLISECOND),
        end_time=None if end_ns is None else from_ms(end_ns // _MILLISECOND),
        duration_ms=duration,
        tokens_input=seen.tokens.input,
        tokens_output=seen.tokens.output,
        model=seen.model,
        metadata=metadata_of(seen) or None,
        error=None if prepared.error is None else prepared.error.model_dump(),
        operation=seen.operation,
        cost_usd=None,
        source_id=span.source.id,
        otlp=span.body,
        start_ns=span.start_ns,
    )
