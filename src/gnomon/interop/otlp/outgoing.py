"""Spans and scores on their way out, to a receiver of OTLP or into a file of OTLP/JSON.

A span that came in by OTLP leaves as it came, from what a reader is shown of it; one that came in natively leaves as
`encoding` writes it. A score leaves as the event `gen_ai.evaluation.result` of OpenTelemetry's conventions for
generative AI: a log record beside the spans, or an event on its span. Why there is no score leaves the same way.
"""

import base64
import binascii
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue, KeyValueList
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Status
from opentelemetry.proto.trace.v1.trace_pb2 import Span as OtlpSpan

from gnomon.interop.conventions.signals import (
    SCORE,
    SCORE_ABSENT,
    SCORE_FAILED,
    SCORE_LABEL,
    SCORE_METADATA,
    SCORE_NAME,
    SCORE_RATIONALE,
    SCORE_VALUE,
)
from gnomon.interop.otlp.encoding import SPAN_ID, TRACE_ID, native_source, native_span, otlp_id, request_of
from gnomon.interop.otlp.values import any_value
from gnomon.model import moment
from gnomon.model.jsonvalue import dump
from gnomon.model.score import Score, ScoringState
from gnomon.model.trace import Span, SpanEvent, SpanLink

_KINDS = {
    "internal": OtlpSpan.SPAN_KIND_INTERNAL,
    "server": OtlpSpan.SPAN_KIND_SERVER,
    "client": OtlpSpan.SPAN_KIND_CLIENT,
    "producer": OtlpSpan.SPAN_KIND_PRODUCER,
    "consumer": OtlpSpan.SPAN_KIND_CONSUMER,
}
_CODES = {"unset": Status.STATUS_CODE_UNSET, "ok": Status.STATUS_CODE_OK, "error": Status.STATUS_CODE_ERROR}
_MILLISECOND = 1_000_000
_IDS = frozenset({"traceId", "spanId", "parentSpanId"})


@dataclass(frozen=True, slots=True)
class OutgoingSpan:
    """A span and its source, as protobuf; `encoding.request_of` makes a request of many."""

    body: bytes
    source: bytes


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A score, or why there is none, on its way out."""

    name: str
    attributes: Mapping[str, Any]
    at: datetime
    trace_id: str | None
    span_id: str | None

    @classmethod
    def of(
        cls, score: Score | ScoringState, trace_id: str | None = None, **more: str | int | None
    ) -> "Evaluation | None":
        """The event of a score or a scoring state; None for a state that is not final. `more`: further attributes."""
        result = _result(score)
        if not result:
            return None
        attributes = {
            SCORE_NAME: score.scorer_name,
            **result,
            **{key: field for key, field in more.items() if field is not None},
        }
        on_span = score.target_type == "span"
        return cls(
            score.scorer_name,
            attributes,
            score.created_at if isinstance(score, Score) else score.updated_at,
            score.trace_id if on_span else trace_id,
            score.target_id if on_span else None,
        )


def _result(score: Score | ScoringState) -> dict[str, Any]:
    if isinstance(score, ScoringState):
        reason = score.reason or "no reason is known"
        return (
            {SCORE_ABSENT: reason}
            if score.state == "absent"
            else {SCORE_FAILED: reason}
            if score.state == "failed"
            else {}
        )
    attributes: dict[str, Any] = {SCORE_LABEL if isinstance(score.value, str) else SCORE_VALUE: score.value}
    attributes |= {} if score.rationale is None else {SCORE_RATIONALE: score.rationale}
    return attributes | ({} if score.metadata is None else {SCORE_METADATA: dump(score.metadata)})


# --- spans -----


def outgoing_span(span: Span, project: str | None, evaluations: Sequence[Evaluation] = ()) -> OutgoingSpan:
    """The span, with its scores as events where they are not sent by themselves and did not come as such."""
    message = native_span(span) if span.attributes is None else _as_it_came(span, span.attributes)
    score_events = [event.attributes for event in span.events or () if event.name == SCORE]
    for evaluation in evaluations:
        if evaluation.attributes in score_events:
            score_events.remove(dict(evaluation.attributes))
            continue
        message.events.add(
            name=SCORE, time_unix_nano=_nanoseconds(evaluation.at), attributes=_key_values(evaluation.attributes)
        )
    source = native_source(project) if span.attributes is None else _source(span)
    return OutgoingSpan(message.SerializeToString(), source)


def _as_it_came(span: Span, attributes: Mapping[str, Any]) -> OtlpSpan:
    """A span that came in by OTLP, from the fields that show it."""
    dropped = span.dropped or {}
    return OtlpSpan(
        trace_id=otlp_id(span.trace_id, TRACE_ID),
        span_id=otlp_id(span.id, SPAN_ID),
        parent_span_id=b"" if span.parent_span_id is None else otlp_id(span.parent_span_id, SPAN_ID),
        trace_state=span.trace_state or "",
        flags=span.flags or 0,
        name=span.name,
        kind=_KINDS.get(span.kind or "", OtlpSpan.SPAN_KIND_UNSPECIFIED),
        start_time_unix_nano=int(span.start_time_unix_nano or 0),
        end_time_unix_nano=int(span.end_time_unix_nano or 0),
        attributes=_key_values(attributes),
        events=map(_event, span.events or ()),
        links=map(_link, span.links or ()),
        status=None
        if span.status is None
        else Status(code=_CODES[span.status.code], message=span.status.message or ""),
        dropped_attributes_count=dropped.get("attributes", 0),
        dropped_events_count=dropped.get("events", 0),
        dropped_links_count=dropped.get("links", 0),
    )


def _event(event: SpanEvent) -> OtlpSpan.Event:
    return OtlpSpan.Event(
        name=event.name,
        time_unix_nano=int(event.time_unix_nano or 0),
        attributes=_key_values(event.attributes),
        dropped_attributes_count=event.dropped_attributes_count,
    )


def _link(link: SpanLink) -> OtlpSpan.Link:
    return OtlpSpan.Link(
        trace_id=otlp_id(link.trace_id, TRACE_ID),
        span_id=otlp_id(link.span_id, SPAN_ID),
        trace_state=link.trace_state or "",
        flags=link.flags,
        attributes=_key_values(link.attributes),
        dropped_attributes_count=link.dropped_attributes_count,
    )


def _source(span: Span) -> bytes:
    """Resource and scope, as ResourceSpans without spans."""
    inner, scope = ScopeSpans(), span.scope
    if scope is not None:
        inner.scope.name, inner.scope.version = scope.name or "", scope.version or ""
        inner.scope.attributes.extend(_key_values(scope.attributes))
        inner.scope.dropped_attributes_count = scope.dropped_attributes_count
    whole = ResourceSpans(scope_spans=[inner])
    if span.resource is not None:
        whole.resource.SetInParent()
        whole.resource.attributes.extend(_key_values(span.resource))
    return whole.SerializeToString()


# --- log records -----


def log_record(evaluation: Evaluation) -> bytes:
    """A score as a log record, which names the span that it is about."""
    return LogRecord(
        time_unix_nano=_nanoseconds(evaluation.at),
        observed_time_unix_nano=_nanoseconds(evaluation.at),
        event_name=SCORE,
        trace_id=b"" if evaluation.trace_id is None else otlp_id(evaluation.trace_id, TRACE_ID),
        span_id=b"" if evaluation.span_id is None else otlp_id(evaluation.span_id, SPAN_ID),
        attributes=_key_values(evaluation.attributes),
    ).SerializeToString()


def logs_request(records: Iterable[bytes], project: str | None) -> bytes:
    """An ExportLogsServiceRequest, whose envelope has the numbers of a request of spans."""
    source = native_source(project)
    return request_of((record, source) for record in records)


# --- values -----


def _key_values(attributes: Mapping[str, Any]) -> list[KeyValue]:
    return [KeyValue(key=key, value=_any_value(value)) for key, value in attributes.items()]


def _any_value(value: Any) -> AnyValue:
    """A value as it is shown, as it came: `{"bytes": …}` stands for bytes."""
    if isinstance(value, list):
        return AnyValue(array_value=ArrayValue(values=map(_any_value, value)))
    if isinstance(value, dict):
        content = _bytes(value)
        if content is not None:
            return AnyValue(bytes_value=content)
        return AnyValue(kvlist_value=KeyValueList(values=_key_values(value)))
    return any_value(value)


def _bytes(value: Mapping[str, Any]) -> bytes | None:
    text = value.get("bytes") if len(value) == 1 else None
    try:
        return base64.b64decode(text, validate=True) if isinstance(text, str) else None
    except binascii.Error:
        return None


def _nanoseconds(at: datetime) -> int:
    return max(moment.to_ms(at) * _MILLISECOND, 0)


# --- JSON -----


def json_line(request: bytes) -> bytes:
    """A request of spans as a line of OTLP/JSON: ids in hexadecimal, kinds and codes as numbers."""
    content = MessageToDict(ExportTraceServiceRequest.FromString(request), use_integers_for_enums=True)
    return msgspec.json.encode(_with_hex_ids(content)) + b"\n"


def _with_hex_ids(value: Any) -> Any:
    """Protobuf's own JSON has bytes in base64. Attributes are lists of keys and values, so that none is met here."""
    if isinstance(value, list):
        return [_with_hex_ids(element) for element in value]
    if not isinstance(value, dict):
        return value
    return {
        key: base64.b64decode(element).hex() if key in _IDS and isinstance(element, str) else _with_hex_ids(element)
        for key, element in value.items()
    }
