"""Requests as real exporters send them, in both encodings, and small ones made by hand."""

import base64
from collections.abc import Sequence
from typing import Any

import msgspec
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from opentelemetry import trace
from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.exporter.otlp.proto.common._log_encoder import encode_logs
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from opentelemetry.sdk._logs import LoggerProvider, ReadableLogRecord
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags, TraceState
from opentelemetry.util.types import AnyValue

RESOURCE: dict[str, AnyValue] = {"service.name": "shop", "gnomon.project": "demo", "host.cpus": 4}
TRACE_ID, SPAN_ID = bytes(range(16)), bytes(range(1, 9))
START = 1_760_000_000_123_456_789
_IDS = {"traceId", "spanId", "parentSpanId"}


def sdk_spans() -> Sequence[ReadableSpan]:
    """A trace of three spans by two instrumentations, with everything that the SDK can say."""
    provider = TracerProvider(
        resource=Resource(RESOURCE, "https://opentelemetry.io/schemas/1.30.0"), shutdown_on_exit=False
    )
    exporter = InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    agent = provider.get_tracer("agent", "1.2", "https://example.org/schema", {"team": "search"})
    client = provider.get_tracer("client")
    link = Link(SpanContext(7, 9, True, TraceFlags(1), TraceState([("vendor", "x")])), {"why": "retry"})
    with agent.start_as_current_span("answer", kind=SpanKind.SERVER, links=[link]) as root:
        root.set_attributes({"text": "Grüße, 世界", "empty": "", "zero": 0, "count": 2**62, "no": False, "yes": True})
        root.set_attributes(
            {"share": 0.1, "nothing": 0.0, "tags": ["a", "b"], "counts": [1, 2], "marks": [True, False]}
        )
        root.add_event("seen", {"line": 3, "shares": [0.5, 1.5]}, START)
        with client.start_as_current_span("chat", kind=SpanKind.CLIENT) as call:
            call.set_attribute("gen_ai.usage.input_tokens", 12)
            call.set_status(Status(StatusCode.OK))
        try:
            with client.start_as_current_span("tool"):
                raise ValueError("no such city")
        except ValueError:
            pass
    return exporter.get_finished_spans()


def sdk_request() -> ExportTraceServiceRequest:
    return encode_spans(sdk_spans())


def sdk_logs() -> ExportLogsServiceRequest:
    return encode_logs(sdk_log_records())


def sdk_log_records() -> Sequence[ReadableLogRecord]:
    """An event on a span, an older one, and a plain line."""
    provider = LoggerProvider(Resource(RESOURCE), shutdown_on_exit=False)
    exporter = InMemoryLogRecordExporter()  # type: ignore[no-untyped-call]
    provider.add_log_record_processor(SimpleLogRecordProcessor(exporter))
    context = trace.set_span_in_context(trace.NonRecordingSpan(SpanContext(7, 9, False, TraceFlags(1))))
    logger = provider.get_logger("events", "3")
    result: dict[str, AnyValue] = {"gen_ai.evaluation.name": "helpful", "gen_ai.evaluation.score.value": 0.5}
    logger.emit(LogRecord(timestamp=START, context=context, event_name="gen_ai.evaluation.result", attributes=result))
    logger.emit(
        LogRecord(
            timestamp=START, context=context, attributes={"event.name": "gen_ai.choice"}, body={"n": [1, None, "x"]}
        )
    )
    logger.emit(
        LogRecord(
            observed_timestamp=START + 1, severity_number=SeverityNumber.WARN, severity_text="WARN", body="a line"
        )
    )
    return exporter.get_finished_logs()


def as_json(request: Message) -> bytes:
    """The request in OTLP/JSON: protobuf's own mapping, with ids in hexadecimal and enumerations as numbers."""
    told = MessageToDict(request, use_integers_for_enums=True)
    return msgspec.json.encode(_hexadecimal(told))


def _hexadecimal(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: base64.b64decode(inner).hex() if key in _IDS else _hexadecimal(inner) for key, inner in value.items()
        }
    return [_hexadecimal(inner) for inner in value] if isinstance(value, list) else value


def span(**fields: Any) -> Span:
    """A span that is right, but for what is given."""
    given = {"trace_id": TRACE_ID, "span_id": SPAN_ID, "name": "chat", "start_time_unix_nano": START, **fields}
    return Span(**given)


def request(*spans: Span) -> bytes:
    whole = ExportTraceServiceRequest()
    whole.resource_spans.add().scope_spans.add().spans.extend(spans)
    return whole.SerializeToString()
