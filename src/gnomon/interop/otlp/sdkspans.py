"""Spans of OpenTelemetry's SDK as a request of OTLP.

OpenTelemetry has an encoder of its own, which takes five times as long and loses a whole batch for one span that it
cannot encode. The bytes that both make are read alike (`tests/interop/otlp/test_sdkspans.py`).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import Span, SpanFlags

from gnomon.interop.jsontext import cut, json_text, shown
from gnomon.interop.otlp.encoding import PROJECT
from gnomon.interop.otlp.envelopes import ENTRIES, RESOURCE, RESOURCE_SCHEMA, RESOURCES, SCOPE, SCOPE_SCHEMA, SCOPES
from gnomon.interop.otlp.records import MAX_SPAN_BYTES, MAX_VALUE_DEPTH, Refusal
from gnomon.interop.otlp.wire import framed

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan

_LONGEST_TEXT = 400_000
"""Characters of each text in a span that is too large: input and output then fit, whatever characters they have."""
_INT64 = 2**63
_KNOWS_REMOTE = SpanFlags.SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK
_IS_REMOTE = SpanFlags.SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK


class Encoded(NamedTuple):
    request: bytes
    """An ExportTraceServiceRequest."""
    refused: list[Refusal]
    """Spans that cannot be said in OTLP, and why."""


def encode_spans(spans: Sequence["ReadableSpan"], project: str) -> Encoded:
    """The spans, whose resources also name the project that they belong to."""
    groups: dict[tuple[int, int], list[bytes]] = {}
    sources: dict[tuple[int, int], ReadableSpan] = {}
    refused: list[Refusal] = []
    for index, span in enumerate(spans):
        try:
            entry = framed(ENTRIES, _encoded(span))
        except Exception as bad:  # whatever an instrumentation made
            refused.append(Refusal(index, f"span {shown(span.name)}: OTLP has no way to say it ({_in_a_line(bad)})"))
            continue
        key = (id(span.resource), id(span.instrumentation_scope))  # comparing them takes as long as encoding a span
        if key not in groups:
            groups[key], sources[key] = [], span
        groups[key].append(entry)
    request = b"".join(framed(RESOURCES, _around(sources[key], project, b"".join(groups[key]))) for key in groups)
    return Encoded(request, refused)


def _in_a_line(bad: Exception) -> str:
    return " ".join(str(bad).split()) or type(bad).__name__


def _around(span: "ReadableSpan", project: str, spans: bytes) -> bytes:
    """These spans as ResourceSpans, with resource and scope as this one of them has them."""
    resource, scope = span.resource, span.instrumentation_scope
    message = Resource()
    _add(message.attributes, {**resource.attributes, PROJECT: project})
    inside = b""
    if scope is not None:
        by = InstrumentationScope(name=_text(scope.name), version=_text(scope.version or ""))
        _add(by.attributes, scope.attributes or {})
        inside = framed(SCOPE, by.SerializeToString()) + _schema(SCOPE_SCHEMA, scope.schema_url)
    inside = framed(SCOPES, inside + spans)
    return framed(RESOURCE, message.SerializeToString()) + inside + _schema(RESOURCE_SCHEMA, resource.schema_url)


def _schema(number: int, url: str | None) -> bytes:
    return framed(number, _text(url).encode()) if url else b""


# Spans


def _encoded(span: "ReadableSpan") -> bytes:
    """The hot path: everything here is done for every span."""
    context, parent, status = span.get_span_context(), span.parent, span.status
    if context is None:
        raise ValueError("it has no ids")
    flags = context.trace_flags | _KNOWS_REMOTE
    message = Span(
        trace_id=context.trace_id.to_bytes(16, "big"),
        span_id=context.span_id.to_bytes(8, "big"),
        name=_text(span.name),
        kind=span.kind.value + 1,  # type: ignore[arg-type]
        start_time_unix_nano=span.start_time or 0,
        end_time_unix_nano=span.end_time or 0,
    )
    if parent is not None:
        message.parent_span_id = parent.span_id.to_bytes(8, "big")
        flags |= _IS_REMOTE if parent.is_remote else 0
    message.flags = flags
    if context.trace_state:
        message.trace_state = _text(context.trace_state.to_header())
    if status.status_code.value:
        message.status.code = status.status_code.value  # type: ignore[assignment]
        message.status.message = _text(status.description or "")
    _add(message.attributes, span.attributes or {})
    _add_events(message, span)
    _add_links(message, span)
    message.dropped_attributes_count = span.dropped_attributes
    body = message.SerializeToString()
    return body if len(body) <= MAX_SPAN_BYTES else _shortened(message)


def _add_events(message: Span, span: "ReadableSpan") -> None:
    for event in span.events:
        added = message.events.add(name=_text(event.name), time_unix_nano=event.timestamp)
        _add(added.attributes, event.attributes or {})
        added.dropped_attributes_count = event.dropped_attributes
    message.dropped_events_count = span.dropped_events


def _add_links(message: Span, span: "ReadableSpan") -> None:
    for link in span.links:
        context = link.context
        added = message.links.add(
            trace_id=context.trace_id.to_bytes(16, "big"),
            span_id=context.span_id.to_bytes(8, "big"),
            trace_state=_text(context.trace_state.to_header()),
            flags=context.trace_flags | _KNOWS_REMOTE | (_IS_REMOTE if context.is_remote else 0),
        )
        _add(added.attributes, link.attributes or {})
        added.dropped_attributes_count = link.dropped_attributes
    message.dropped_links_count = span.dropped_links


def _shortened(message: Span) -> bytes:
    """A span that no receiver takes as it is, with its longest texts cut."""
    for pairs in (message.attributes, *(event.attributes for event in message.events)):
        for pair in pairs:
            if len(pair.value.string_value) > _LONGEST_TEXT:
                pair.value.string_value = cut(pair.value.string_value, _LONGEST_TEXT)
    return message.SerializeToString()


# Values


def _add(into: Any, attributes: Mapping[str, Any]) -> None:
    # The mapping's own copy is many times as fast as asking it for every key.
    copied = attributes.copy() if hasattr(attributes, "copy") else attributes
    for key, value in copied.items():
        pair = into.add()
        pair.key = _text(key)
        _write(pair.value, value)


def _write(into: AnyValue, value: Any, level: int = 0) -> None:
    """A value as it is; one that OTLP has no word for, as JSON text."""
    kind = type(value)
    if kind is str:
        into.string_value = value if value.isascii() else _text(value)
    elif kind is bool:
        into.bool_value = value
    elif kind is int and -_INT64 <= value < _INT64:
        into.int_value = value
    elif kind is float:
        into.double_value = value
    elif kind is bytes:
        into.bytes_value = value
    elif value is None:
        into.SetInParent()
    elif level < MAX_VALUE_DEPTH and isinstance(value, Mapping):
        into.kvlist_value.SetInParent()
        for key, element in value.items():
            pair = into.kvlist_value.values.add(key=_text(str(key)))
            _write(pair.value, element, level + 1)
    elif level < MAX_VALUE_DEPTH and isinstance(value, list | tuple):
        _write_list(into, value, level)
    else:
        into.string_value = _text(value if isinstance(value, str) else json_text(value))


def _write_list(into: AnyValue, values: Iterable[Any], level: int) -> None:
    into.array_value.SetInParent()
    for element in values:
        _write(into.array_value.values.add(), element, level + 1)


def _text(text: str) -> str:
    """The text without lone surrogates, which UTF-8 cannot encode."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
