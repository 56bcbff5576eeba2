"""A stored span as a reader is shown it: everything that OpenTelemetry says of it, as JSON values."""

from dataclasses import dataclass
from typing import Any

from google.protobuf.message import DecodeError
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, Span, Status

from gnomon.errors import InvalidInput
from gnomon.interop.otlp.values import ValueReader, storable

_KINDS: dict[int, str] = {1: "internal", 2: "server", 3: "client", 4: "producer", 5: "consumer"}
_STATUS: dict[int, str] = {0: "unset", 1: "ok", 2: "error"}


@dataclass(frozen=True, slots=True)
class SpanDetails:
    """JSON values only: bytes are {"bytes": base64}, and numbers that JSON has not are "NaN", "Infinity"."""

    attributes: dict[str, Any]
    kind: str | None
    status: dict[str, Any]
    events: list[dict[str, Any]]
    links: list[dict[str, Any]]
    scope: dict[str, Any] | None
    resource: dict[str, Any] | None
    trace_state: str | None
    flags: int
    start_time_unix_nano: str | None
    end_time_unix_nano: str | None
    dropped_attributes_count: int
    dropped_events_count: int
    dropped_links_count: int
    resource_schema_url: str | None
    scope_schema_url: str | None


def details(span_body: bytes, source_body: bytes | None) -> SpanDetails:
    """What a stored span and its source say."""
    try:
        span = Span.FromString(span_body)
        source = ResourceSpans.FromString(source_body or b"")
    except DecodeError:
        raise InvalidInput("the stored span is not an OTLP span; it cannot be shown") from None
    reader = ValueReader()
    inner = source.scope_spans[0] if source.scope_spans else None
    return SpanDetails(
        attributes=_attributes(span, reader),
        kind=_KINDS.get(span.kind),
        status=_status(span.status),
        events=[_event(event, reader) for event in span.events],
        links=[_link(link, reader) for link in span.links],
        scope=_scope(inner.scope, reader) if inner is not None and inner.HasField("scope") else None,
        resource=_attributes(source.resource, reader) if source.HasField("resource") else None,
        trace_state=span.trace_state or None,
        flags=span.flags,
        start_time_unix_nano=_time(span.start_time_unix_nano),
        end_time_unix_nano=_time(span.end_time_unix_nano),
        dropped_attributes_count=span.dropped_attributes_count,
        dropped_events_count=span.dropped_events_count,
        dropped_links_count=span.dropped_links_count,
        resource_schema_url=source.schema_url or None,
        scope_schema_url=(inner.schema_url if inner is not None else None) or None,
    )


def _attributes(message: Any, reader: ValueReader) -> dict[str, Any]:
    return {key: storable(value) for key, value in reader.attributes(message.attributes).items()}


def _status(status: Status) -> dict[str, Any]:
    return {"code": _STATUS.get(status.code, "unset"), "message": status.message or None}


def _event(event: Span.Event, reader: ValueReader) -> dict[str, Any]:
    return {
        "name": event.name,
        "time_unix_nano": _time(event.time_unix_nano),
        "attributes": _attributes(event, reader),
        **_dropped(event.dropped_attributes_count),
    }


def _link(link: Span.Link, reader: ValueReader) -> dict[str, Any]:
    return {
        "trace_id": link.trace_id.hex(),
        "span_id": link.span_id.hex(),
        "trace_state": link.trace_state or None,
        "attributes": _attributes(link, reader),
        **({"flags": link.flags} if link.flags else {}),
        **_dropped(link.dropped_attributes_count),
    }


def _scope(scope: Any, reader: ValueReader) -> dict[str, Any]:
    return {
        "name": scope.name,
        "version": scope.version or None,
        "attributes": _attributes(scope, reader),
        **_dropped(scope.dropped_attributes_count),
    }


def _dropped(count: int) -> dict[str, int]:
    return {"dropped_attributes_count": count} if count else {}


def _time(nanoseconds: int) -> str | None:
    """Text, because JavaScript's numbers cannot hold it; 0 is how the protocol says that it is not known."""
    return str(nanoseconds) if nanoseconds else None
