"""Requests of OpenTelemetry's protocol as tests make them, and how its answers are read."""

import gzip
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx2
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest, ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope, KeyValue
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord, ResourceLogs, ScopeLogs
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span

from contract.caller import Api

PROTOBUF, JSON = "application/x-protobuf", "application/json"
TRACE = "5b8efff798038103d269b633813fc60c"
START = 1_790_000_000_123_456_789
"""Nanoseconds since 1970, in September 2026."""
SECOND = 1_000_000_000
SCORE = "gen_ai.evaluation.result"


# --- messages -----


def span_id(number: int) -> str:
    return f"{number:016x}"


def trace_id(number: int) -> str:
    return f"{number:032x}"


def value(told: Any) -> AnyValue:
    """A Python value as the protocol has it."""
    match told:
        case None:
            return AnyValue()
        case bool():
            return AnyValue(bool_value=told)
        case int():
            return AnyValue(int_value=told)
        case float():
            return AnyValue(double_value=told)
        case bytes():
            return AnyValue(bytes_value=told)
        case list():
            made = AnyValue()
            made.array_value.SetInParent()
            made.array_value.values.extend(value(one) for one in told)
            return made
        case dict():
            made = AnyValue()
            made.kvlist_value.SetInParent()
            made.kvlist_value.values.extend(pairs(told))
            return made
        case _:
            return AnyValue(string_value=told)


def pairs(attributes: Mapping[str, Any]) -> list[KeyValue]:
    return [KeyValue(key=key, value=value(told)) for key, told in attributes.items()]


def span(number: int = 1, *, trace: str = TRACE, parent: int | None = None, **fields: Any) -> Span:
    """A span of one second that begins `number` seconds after `START`, named "step", unless told otherwise."""
    start = fields.pop("start", START + number * SECOND)
    end = fields.pop("end", start + SECOND)
    return Span(
        trace_id=bytes.fromhex(trace),
        span_id=bytes.fromhex(span_id(number)),
        parent_span_id=b"" if parent is None else bytes.fromhex(span_id(parent)),
        name=fields.pop("name", "step"),
        start_time_unix_nano=start,
        end_time_unix_nano=end,
        attributes=pairs(fields.pop("attributes", {})),
        **fields,
    )


def event(name: str, attributes: Mapping[str, Any], time: int = START) -> Span.Event:
    return Span.Event(name=name, time_unix_nano=time, attributes=pairs(attributes))


def evaluation(name: str, told: float | str | None = None, **more: Any) -> dict[str, Any]:
    """The attributes of an evaluation result."""
    field = "label" if isinstance(told, str) else "value"
    told_as = {} if told is None else {f"gen_ai.evaluation.score.{field}": told}
    return {"gen_ai.evaluation.name": name, **told_as, **more}


def log(
    name: str, attributes: Mapping[str, Any] | None = None, *, of: int | None = 1, trace: str = TRACE,
    body: Any = None, time: int = START, **fields: Any,
) -> LogRecord:  # fmt: skip
    """A log record that is an event of a span."""
    return LogRecord(
        trace_id=b"" if of is None else bytes.fromhex(trace),
        span_id=b"" if of is None else bytes.fromhex(span_id(of)),
        event_name=name,
        time_unix_nano=time,
        attributes=pairs(attributes or {}),
        body=value(body),
        **fields,
    )


def traces(
    *spans: Span, resource: Mapping[str, Any] | None = None, scope: str = "tests"
) -> ExportTraceServiceRequest:  # fmt: skip
    inner = ScopeSpans(scope=InstrumentationScope(name=scope), spans=spans)
    return ExportTraceServiceRequest(resource_spans=[ResourceSpans(resource=_resource(resource), scope_spans=[inner])])


def logs(*records: LogRecord, resource: Mapping[str, Any] | None = None) -> ExportLogsServiceRequest:
    inner = ScopeLogs(scope=InstrumentationScope(name="tests"), log_records=records)
    return ExportLogsServiceRequest(resource_logs=[ResourceLogs(resource=_resource(resource), scope_logs=[inner])])


def framed(number: int, *contents: bytes) -> bytes:
    """Fields of protobuf with one number: how a test writes what no library writes."""
    return b"".join(_varint(number << 3 | 2) + _varint(len(content)) + content for content in contents)


def _varint(number: int) -> bytes:
    return bytes([number & 127 | 128]) + _varint(number >> 7) if number > 127 else bytes([number])


def enveloped(*entries: bytes, resource: bytes = b"") -> bytes:
    """A request of spans or log records that are given as bytes, whatever they are."""
    return framed(1, framed(1, resource) + framed(2, framed(2, *entries)))


def _resource(attributes: Mapping[str, Any] | None) -> Resource:
    return Resource(attributes=pairs({"service.name": "tests"} if attributes is None else attributes))


# --- calls -----


@dataclass(frozen=True)
class Told:
    """What a receiver says of a request that it took: how many were not kept, and why."""

    rejected: int
    message: str


def post(api: Api, path: str, content: bytes, content_type: str | None = PROTOBUF, **headers: str) -> httpx2.Response:
    """Keywords are headers with `_` for `-`."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    kind = {} if content_type is None else {"Content-Type": content_type}
    return api.call("POST", path, content=content, headers={**kind, **named})


def send(api: Api, *spans: Span, resource: Mapping[str, Any] | None = None, scope: str = "tests") -> Told:
    """Send spans that are taken, at least in part."""
    return taken(post(api, "/traces", traces(*spans, resource=resource, scope=scope).SerializeToString()))


def send_gzip(api: Api, *spans: Span) -> Told:
    content = gzip.compress(traces(*spans).SerializeToString())
    return taken(post(api, "/traces", content, content_encoding="gzip"))


def send_logs(api: Api, *records: LogRecord, resource: Mapping[str, Any] | None = None) -> Told:
    return taken(post(api, "/logs", logs(*records, resource=resource).SerializeToString()))


ALL_TAKEN = Told(0, "")


def taken(answer: httpx2.Response) -> Told:
    """The partial success of an answer, in the encoding of its request."""
    assert answer.status_code == 200, f"{answer.status_code} {answer.content!r}"
    asked = answer.request.headers["content-type"].partition(";")[0]
    assert answer.headers["content-type"].partition(";")[0] == asked
    is_logs = answer.request.url.path.endswith("/logs")
    if asked == JSON:
        partial = answer.json().get("partialSuccess", {})
        rejected = partial.get("rejectedLogRecords" if is_logs else "rejectedSpans", "0")
        assert isinstance(rejected, str), "64-bit numbers are texts in protobuf's JSON"
        return Told(int(rejected), partial.get("errorMessage", ""))
    if is_logs:
        of_logs = ExportLogsServiceResponse.FromString(answer.content).partial_success
        return Told(of_logs.rejected_log_records, of_logs.error_message)
    of_spans = ExportTraceServiceResponse.FromString(answer.content).partial_success
    return Told(of_spans.rejected_spans, of_spans.error_message)


@dataclass(frozen=True)
class Refused:
    """google.rpc.Status, with the status of HTTP."""

    status: int
    code: int
    message: str


def refused(answer: httpx2.Response) -> Refused:
    """A refusal as the protocol has it, in the encoding of its request; JSON where that has none."""
    asked = answer.request.headers.get("content-type", "").partition(";")[0]
    kind = asked if asked in (PROTOBUF, JSON) else JSON
    assert answer.headers["content-type"].partition(";")[0] == kind, answer.content
    assert answer.status_code >= 400, answer.content
    assert b"Traceback" not in answer.content
    if kind == JSON:
        body = answer.json()
        assert set(body) == {"code", "message"}, body
        found = Refused(answer.status_code, body["code"], body["message"])
    else:
        status = Status.FromString(answer.content)
        found = Refused(answer.status_code, status.code, status.message)
    assert found.message, "a refusal says why in words"
    assert "\n" not in found.message
    return found


# --- what is there -----


def trace_of(api: Api, trace: str = TRACE) -> dict[str, Any]:
    found: dict[str, Any] = api.read(f"/traces/{trace}")
    return found


def spans_of(api: Api, trace: str = TRACE) -> dict[int, dict[str, Any]]:
    """The spans of a trace by their numbers."""
    return {int(one["id"], 16): one for one in trace_of(api, trace)["spans"]}


def scores_of(api: Api, number: int = 1, trace: str = TRACE) -> list[dict[str, Any]]:
    return api.scores(span_id(number), "span", trace_id=trace)


def values_of(scores: Iterable[Mapping[str, Any]]) -> Sequence[tuple[str, Any]]:
    return sorted((score["scorer_name"], score["value"]) for score in scores)
