"""Spans and log records as the golden files keep them: what can be read from them, and nothing that chance made."""

import base64
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from opentelemetry import _logs, trace
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

_BY_CHANCE = [
    (re.compile(r"127\.0\.0\.1:\d+"), "127.0.0.1:1"),
    (re.compile(r"\bat 0x[0-9a-f]+"), "at 0x0"),
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "00000000-0000-0000-0000-000000000000"),
]
"""Ports, addresses of objects and random ids: a renewed recording should differ only where spans do."""


class Capture:
    """The process's providers for spans and for log records, keeping what they get."""

    def __init__(self) -> None:
        self._spans, self._logs = InMemorySpanExporter(), InMemoryLogRecordExporter()
        self.foreign_spans: list[dict[str, Any]] = []
        """Those of another language, as JSON already."""
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self._spans))
        trace.set_tracer_provider(self.provider)
        logger_provider = LoggerProvider()
        logger_provider.add_log_record_processor(SimpleLogRecordProcessor(self._logs))
        _logs.set_logger_provider(logger_provider)

    def recording(self) -> dict[str, Any]:
        spans = sorted(self._spans.get_finished_spans(), key=lambda span: span.start_time or 0)
        records = [log.log_record for log in self._logs.get_finished_logs()]
        shown = [_plain(span) for span in [*spans_as_json(spans), *self.foreign_spans]]
        return {"spans": shown, "logs": [_log(record, spans) for record in records]}


def spans_as_json(spans: Sequence[ReadableSpan]) -> list[dict[str, Any]]:
    """By start time; a parent is a place in this list."""
    places = {_id(span): place for place, span in enumerate(spans)}
    return [_span(span, places) for span in spans]


def _span(span: ReadableSpan, places: Mapping[int, int]) -> dict[str, Any]:
    return {
        "name": span.name,
        "scope": span.instrumentation_scope.name if span.instrumentation_scope else "",
        "parent": None if span.parent is None else places.get(span.parent.span_id),
        "status": span.status.status_code.name,
        "attributes": _attributes(span.attributes),
        "events": [{"name": event.name, "attributes": _attributes(event.attributes)} for event in span.events],
    }


def _id(span: ReadableSpan) -> int:
    context = span.get_span_context()
    return context.span_id if context else 0


def _log(record: Any, spans: Iterable[ReadableSpan]) -> dict[str, Any]:
    ids = [_id(span) for span in spans]
    return {
        "event": record.event_name or "",
        "span": ids.index(record.span_id) if record.span_id in ids else None,
        "attributes": _attributes(record.attributes),
        "body": _plain(record.body),
    }


def _attributes(attributes: Mapping[str, Any] | None) -> dict[str, Any]:
    return {key: _plain(value) for key, value in sorted((attributes or {}).items()) if key != "server.port"}


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        for by_chance, instead in _BY_CHANCE:
            value = by_chance.sub(instead, value)
        return value
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def as_text(recording: Mapping[str, Any]) -> str:
    return json.dumps(recording, indent=1, ensure_ascii=False) + "\n"
