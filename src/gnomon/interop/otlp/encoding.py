"""Spans as a request of OTLP, for sending them to another receiver."""

import hashlib
import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from opentelemetry.proto.trace.v1.trace_pb2 import Span as OtlpSpan
from opentelemetry.proto.trace.v1.trace_pb2 import Status

from gnomon.interop.conventions.genai import MODEL, TOKENS_INPUT, TOKENS_OUTPUT
from gnomon.interop.conventions.own import INPUT, OUTPUT
from gnomon.interop.otlp.envelopes import ENTRIES, RESOURCE, RESOURCES, SCOPE, SCOPES
from gnomon.interop.otlp.records import LAST_TIME
from gnomon.interop.otlp.values import key_values
from gnomon.interop.otlp.wire import fields, framed
from gnomon.model import moment
from gnomon.model.jsonvalue import dump
from gnomon.model.trace import Span, SpanError

PROJECT = "gnomon.project"
"""The resource attribute that names a project; a Gnomon that gets the spans with an admin's key goes by it."""
DURATION = "gnomon.duration_ms"
"""The duration of a span of which no end is known."""
SCOPE_NAME = "gnomon"
TRACE_ID, SPAN_ID = 16, 8
_MILLISECOND = 1_000_000


def request_of(spans: Iterable[tuple[bytes, bytes]]) -> bytes:
    """An ExportTraceServiceRequest of stored spans, each with its source's body: they go out as they came in."""
    by_source: dict[bytes, list[bytes]] = {}
    for span, source in spans:
        by_source.setdefault(source, []).append(framed(ENTRIES, span))
    return b"".join(framed(RESOURCES, _filled(source, b"".join(inside))) for source, inside in by_source.items())


def _filled(source: bytes, spans: bytes) -> bytes:
    """A source's ResourceSpans with these spans in its ScopeSpans."""
    parts = [(number, source[start:end]) for number, start, end in fields(source, 0, len(source))]
    scope = b"".join(content for number, content in parts if number == SCOPES)
    around = b"".join(framed(number, content) for number, content in parts if number != SCOPES)
    return around + framed(SCOPES, scope + spans)


def native_source(project: str | None) -> bytes:
    """The source of spans that came in natively: Gnomon, and the project."""
    named = key_values({} if project is None else {PROJECT: project})
    resource = b"".join(framed(1, pair.SerializeToString()) for pair in named)
    scope = framed(SCOPE, framed(1, SCOPE_NAME.encode()))
    return framed(RESOURCE, resource) + framed(SCOPES, scope)


def native_span(span: Span) -> OtlpSpan:
    """A span that came in natively, as a span of OTLP."""
    start = _nanoseconds(span.start_time)
    message = OtlpSpan(
        trace_id=otlp_id(span.trace_id, TRACE_ID),
        span_id=otlp_id(span.id, SPAN_ID),
        parent_span_id=b"" if span.parent_span_id is None else otlp_id(span.parent_span_id, SPAN_ID),
        name=span.name,
        kind=OtlpSpan.SPAN_KIND_INTERNAL,
        start_time_unix_nano=start,
        end_time_unix_nano=_end(span),
        attributes=key_values(_attributes(span)),
    )
    if span.error is not None:
        message.status.code, message.status.message = Status.STATUS_CODE_ERROR, span.error.message
        at = message.end_time_unix_nano or start
        message.events.add(name="exception", time_unix_nano=at, attributes=key_values(_exception(span.error)))
    return message


def _attributes(span: Span) -> dict[str, Any]:
    """The metadata first: what a field of the span says is the span's own word."""
    attributes = {
        INPUT: None if span.input is None else dump(span.input),
        OUTPUT: None if span.output is None else dump(span.output),
        MODEL: span.model,
        TOKENS_INPUT: span.tokens_input,
        TOKENS_OUTPUT: span.tokens_output,
        DURATION: span.duration_ms if span.end_time is None else None,
    }
    return {**(span.metadata or {}), **{name: value for name, value in attributes.items() if value is not None}}


def _exception(error: SpanError) -> dict[str, str]:
    attributes = {"exception.message": error.message, "exception.type": error.type, "exception.stacktrace": error.stack}
    return {name: text for name, text in attributes.items() if text is not None}


def otlp_id(id: str, size: int) -> bytes:
    """An id of OpenTelemetry's form as it is, but all zeros, which is none there; others as the same hash each time."""
    if len(id) == 2 * size and re.fullmatch("[0-9a-f]+", id) and id.strip("0"):
        return bytes.fromhex(id)
    return hashlib.sha256(id.encode()).digest()[:size]


def _end(span: Span) -> int:
    """The end with the duration's fraction of a millisecond, which a stored end does not have."""
    if span.end_time is None:
        return 0
    whole = (_nanoseconds(span.end_time) - _nanoseconds(span.start_time)) / _MILLISECOND
    beyond = 0.0 if span.duration_ms is None else span.duration_ms - whole
    return _nanoseconds(span.end_time) + (round(beyond * _MILLISECOND) if 0 <= beyond < 1 else 0)


def _nanoseconds(time: datetime) -> int:
    return min(max(moment.to_ms(time) * _MILLISECOND, 0), LAST_TIME)
