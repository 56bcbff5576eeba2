"""Spans and log records that are stored, read again as they were when they came in."""

from typing import Any, NamedTuple

from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, Span

from gnomon.interop.otlp.decoding import EVENT_NAME
from gnomon.interop.otlp.details import details
from gnomon.interop.otlp.values import ValueReader, storable

__all__ = ["StoredLog", "StoredView", "details", "stored_log", "stored_span"]


class StoredView(NamedTuple):
    """What the conventions look at."""

    name: str
    scope_name: str
    attributes: dict[str, Any]
    events: list[tuple[str, dict[str, Any]]]


class StoredLog(NamedTuple):
    name: str
    time_ns: int
    attributes: dict[str, Any]
    body: Any

    def as_event(self) -> dict[str, Any]:
        """The event of its span, as JSON values."""
        attributes = {key: storable(value) for key, value in self.attributes.items()}
        body = {} if self.body is None else {"body": storable(self.body)}
        time = str(self.time_ns) if self.time_ns else None
        return {"name": self.name, "time_unix_nano": time, "attributes": {**attributes, **body}}


def stored_span(body: bytes, source_body: bytes | None) -> StoredView:
    span, reader = Span.FromString(body), ValueReader()
    source = ResourceSpans.FromString(source_body or b"")
    scope_name = source.scope_spans[0].scope.name if source.scope_spans else ""
    events = [(event.name, reader.attributes(event.attributes)) for event in span.events]
    return StoredView(span.name, scope_name, reader.attributes(span.attributes), events)


def stored_log(record: bytes) -> StoredLog:
    log, reader = LogRecord.FromString(record), ValueReader()
    attributes = reader.attributes(log.attributes)
    older_name = attributes.get(EVENT_NAME)
    name = log.event_name or (older_name if isinstance(older_name, str) else "")
    return StoredLog(name, log.time_unix_nano or log.observed_time_unix_nano, attributes, reader.value(log.body))
