"""OpenTelemetry's spans as spans of ours, as native ingest takes them: Gnomon's own, and those of instrumentations.

What their attributes mean is told by `conventions`.
"""

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gnomon.interop.conventions import SpanView, error_of, scores_of, view
from gnomon.interop.conventions.genai import CONVERSATION_ID
from gnomon.interop.conventions.openinference import SESSION_ID, USER_ID
from gnomon.interop.values import storable
from gnomon.model import moment
from gnomon.model.trace import SpanDraft

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan

_NANOSECONDS = 1_000_000


def span_draft(span: "ReadableSpan") -> SpanDraft:
    """The span as native ingest takes it: where a clock was set back meanwhile, it ends when it started."""
    context, parent, scope = span.get_span_context(), span.parent, span.instrumentation_scope
    start, end = span.start_time or 0, span.end_time
    if context is None:
        raise ValueError("the span has no ids")
    events = [(event.name, event.attributes or {}) for event in span.events]
    seen = view(span.name, scope.name if scope else "", _attributes(span), events)
    fields: dict[str, Any] = {
        "input": seen.input,
        "output": seen.output,
        "model": seen.model,
        "tokens_input": seen.tokens.input,
        "tokens_output": seen.tokens.output,
        "metadata": _metadata(seen) or None,
        "error": error_of(span.status.status_code.name, span.status.description, events),
        "scores": scores_of(events).taken or None,
    }
    if end is not None:
        end = max(start, end)
        fields |= {"end_time": moment.from_ms(end // _NANOSECONDS), "duration_ms": (end - start) / _NANOSECONDS}
    return SpanDraft(
        id=format(context.span_id, "016x"),
        trace_id=format(context.trace_id, "032x"),
        parent_span_id=None if parent is None else format(parent.span_id, "016x"),
        name=str(storable(span.name)) or "unnamed",
        start_time=moment.from_ms(start // _NANOSECONDS),
        **{name: value for name, value in fields.items() if value is not None},
    )


def _attributes(span: "ReadableSpan") -> dict[str, Any]:
    """A copy. The mapping's own method is many times as fast as `dict`, which asks for every key."""
    attributes = span.attributes or {}
    return dict(attributes.copy() if isinstance(attributes, MappingProxyType) else attributes)


def _metadata(seen: SpanView) -> dict[str, Any]:
    """With the ids, for which native ingest has no fields, under the names of the conventions."""
    ids = {SESSION_ID: seen.session_id, USER_ID: seen.user_id}
    if seen.conversation_id != seen.session_id:
        ids[CONVERSATION_ID] = seen.conversation_id
    return seen.metadata | {name: id for name, id in ids.items() if id is not None}
