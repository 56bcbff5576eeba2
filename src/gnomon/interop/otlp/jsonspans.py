"""OTLP/JSON's spans and log records as protobuf.

JSON is protobuf's own mapping but for ids, which are hexadecimal. Each span is decoded for itself, so that one of a
wrong shape does not cost the others. What is not known here is ignored, as the protocol asks.
"""

import base64
import binascii
import re
from typing import Any

import msgspec
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope, KeyValue
from opentelemetry.proto.logs.v1 import logs_pb2
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1 import trace_pb2

from gnomon.interop.otlp.records import MAX_SPAN_BYTES, MAX_VALUE_DEPTH, Unfit
from gnomon.shorten import shorten_repr

MAX_JSON_BYTES = 4 * MAX_SPAN_BYTES
"""Of one span as JSON text, which is longer than protobuf."""
_UINT32, _INT64, _UINT64 = (0, 2**32), (-(2**63), 2**63), (0, 2**64)
_SHOWN = 60
_INTEGER = re.compile(r"-?[0-9]{1,25}")
_TEXT_OF_A_NUMBER = re.compile(r"-?[0-9.eE+-]+|-?Infinity|NaN")

Number = int | float | str | None


class _Json(msgspec.Struct, rename="camel", gc=False):
    """Every field may be missing or null, which is the same."""


class _Value(_Json):
    string_value: str | None = None
    bool_value: bool | None = None
    int_value: Number = None
    double_value: Number = None
    array_value: "_Array | None" = None
    kvlist_value: "_Map | None" = None
    bytes_value: str | None = None


class _Array(_Json):
    values: list[_Value] | None = None


class _Pair(_Json):
    key: str | None = None
    value: _Value | None = None


class _Map(_Json):
    values: list[_Pair] | None = None


class _Attributed(_Json):
    attributes: list[_Pair] | None = None
    dropped_attributes_count: Number = None


class _Scope(_Attributed):
    name: str | None = None
    version: str | None = None


class _Event(_Attributed):
    time_unix_nano: Number = None
    name: str | None = None


class _Link(_Attributed):
    trace_id: str | None = None
    span_id: str | None = None
    trace_state: str | None = None
    flags: Number = None


class _Status(_Json):
    message: str | None = None
    code: Number = None


class _Span(_Attributed):
    trace_id: str | None = None
    span_id: str | None = None
    trace_state: str | None = None
    parent_span_id: str | None = None
    flags: Number = None
    name: str | None = None
    kind: Number = None
    start_time_unix_nano: Number = None
    end_time_unix_nano: Number = None
    events: list[_Event] | None = None
    dropped_events_count: Number = None
    links: list[_Link] | None = None
    dropped_links_count: Number = None
    status: _Status | None = None


class _Log(_Attributed):
    time_unix_nano: Number = None
    observed_time_unix_nano: Number = None
    severity_number: Number = None
    severity_text: str | None = None
    body: _Value | None = None
    flags: Number = None
    trace_id: str | None = None
    span_id: str | None = None
    event_name: str | None = None


_read_span = msgspec.json.Decoder(_Span).decode
_read_log = msgspec.json.Decoder(_Log).decode
_read_resource = msgspec.json.Decoder(_Attributed).decode
_read_scope = msgspec.json.Decoder(_Scope).decode


# Messages


def span_message(text: bytes) -> bytes:
    """A span of OTLP/JSON as protobuf; raises Unfit when it is none."""
    decoded = _decoded(_read_span, text)
    span = trace_pb2.Span(
        trace_id=_id("traceId", decoded.trace_id),
        span_id=_id("spanId", decoded.span_id),
        trace_state=decoded.trace_state or "",
        parent_span_id=_id("parentSpanId", decoded.parent_span_id),
        flags=_integer("flags", decoded.flags, _UINT32),
        name=decoded.name or "",
        kind=_choice("kind", decoded.kind, trace_pb2.Span.SpanKind),
        start_time_unix_nano=_integer("startTimeUnixNano", decoded.start_time_unix_nano, _UINT64),
        end_time_unix_nano=_integer("endTimeUnixNano", decoded.end_time_unix_nano, _UINT64),
        dropped_events_count=_integer("droppedEventsCount", decoded.dropped_events_count, _UINT32),
        dropped_links_count=_integer("droppedLinksCount", decoded.dropped_links_count, _UINT32),
        **_attributed(decoded),
    )
    span.events.extend(_event(event) for event in decoded.events or ())
    span.links.extend(_link(link) for link in decoded.links or ())
    if decoded.status is not None:
        span.status.message = decoded.status.message or ""
        span.status.code = _choice("status.code", decoded.status.code, trace_pb2.Status.StatusCode)
        span.status.SetInParent()
    return span.SerializeToString()


def log_message(text: bytes) -> bytes:
    """A log record of OTLP/JSON as protobuf; raises Unfit when it is none."""
    record = _decoded(_read_log, text)
    log = logs_pb2.LogRecord(
        time_unix_nano=_integer("timeUnixNano", record.time_unix_nano, _UINT64),
        observed_time_unix_nano=_integer("observedTimeUnixNano", record.observed_time_unix_nano, _UINT64),
        severity_number=_choice("severityNumber", record.severity_number, logs_pb2.SeverityNumber),
        severity_text=record.severity_text or "",
        flags=_integer("flags", record.flags, _UINT32),
        trace_id=_id("traceId", record.trace_id),
        span_id=_id("spanId", record.span_id),
        event_name=record.event_name or "",
        **_attributed(record),
    )
    if record.body is not None:
        _write(log.body, record.body)
        log.body.SetInParent()
    return log.SerializeToString()


def resource_message(text: bytes) -> bytes:
    return Resource(**_attributed(_decoded(_read_resource, text))).SerializeToString()


def scope_message(text: bytes) -> bytes:
    decoded = _decoded(_read_scope, text)
    scope = InstrumentationScope(name=decoded.name or "", version=decoded.version or "", **_attributed(decoded))
    return scope.SerializeToString()


def _event(event: _Event) -> trace_pb2.Span.Event:
    time = _integer("events.timeUnixNano", event.time_unix_nano, _UINT64)
    return trace_pb2.Span.Event(time_unix_nano=time, name=event.name or "", **_attributed(event))


def _link(link: _Link) -> trace_pb2.Span.Link:
    return trace_pb2.Span.Link(
        trace_id=_id("links.traceId", link.trace_id),
        span_id=_id("links.spanId", link.span_id),
        trace_state=link.trace_state or "",
        flags=_integer("links.flags", link.flags, _UINT32),
        **_attributed(link),
    )


def _attributed(holder: _Attributed) -> dict[str, Any]:
    return {
        "attributes": [_pair(pair) for pair in holder.attributes or ()],
        "dropped_attributes_count": _integer("droppedAttributesCount", holder.dropped_attributes_count, _UINT32),
    }


def _decoded(read: Any, text: bytes) -> Any:
    if len(text) > MAX_JSON_BYTES:
        raise Unfit(f"it has {len(text):,} bytes of JSON, more than {MAX_JSON_BYTES:,}; shorten its largest attribute")
    try:
        return read(text)
    except msgspec.MsgspecError as bad:
        raise Unfit(f"it is not JSON of OTLP: {bad}") from None
    except UnicodeDecodeError:
        raise Unfit("a text in it is not UTF-8; encode it as UTF-8 or send it as bytesValue") from None
    except RecursionError:
        raise too_deep() from None


# Values


def too_deep() -> Unfit:
    return Unfit(f"a value is nested deeper than {MAX_VALUE_DEPTH} levels; flatten it or send it as JSON text")


def _pair(written: _Pair, level: int = 0) -> KeyValue:
    pair = KeyValue(key=written.key or "")
    if written.value is not None:
        _write(pair.value, written.value, level)
        pair.value.SetInParent()
    return pair


def _write(into: AnyValue, value: _Value, level: int = 0) -> None:
    if value.string_value is not None:
        into.string_value = value.string_value
    elif value.bool_value is not None:
        into.bool_value = value.bool_value
    elif value.int_value is not None:
        into.int_value = _integer("intValue", value.int_value, _INT64)
    elif value.double_value is not None:
        into.double_value = _float(value.double_value)
    elif value.bytes_value is not None:
        into.bytes_value = _bytes(value.bytes_value)
    elif value.array_value is not None or value.kvlist_value is not None:
        _write_inside(into, value, level)


def _write_inside(into: AnyValue, value: _Value, level: int) -> None:
    if level >= MAX_VALUE_DEPTH:
        raise too_deep()
    if value.array_value is not None:
        into.array_value.SetInParent()
        for element in value.array_value.values or ():
            _write(into.array_value.values.add(), element, level + 1)
    elif value.kvlist_value is not None:
        into.kvlist_value.SetInParent()
        into.kvlist_value.values.extend(_pair(pair, level + 1) for pair in value.kvlist_value.values or ())


def _id(field: str, text: str | None) -> bytes:
    try:
        return binascii.unhexlify(text or "")
    except (binascii.Error, ValueError):
        raise Unfit(f"{field} is {shorten_repr(text, _SHOWN)}; write it in hexadecimal digits") from None


def _integer(field: str, value: Number, limits: tuple[int, int]) -> int:
    """64-bit numbers are texts in protobuf's JSON, because JavaScript cannot hold them; numbers are as good."""
    if value is None:
        return 0
    if isinstance(value, str):
        is_whole = _INTEGER.fullmatch(value) is not None
    else:
        is_whole = isinstance(value, int) or value.is_integer()
    if not is_whole:
        raise Unfit(f"{field} is {shorten_repr(value, _SHOWN)}; write a whole number")
    number = int(value)
    if not limits[0] <= number < limits[1]:
        raise Unfit(f"{field} is {shorten_repr(value, _SHOWN)}; write a number from {limits[0]} to {limits[1] - 1}")
    return number


def _choice(field: str, number: Number, names: Any) -> Any:
    """An enumeration's number. The protocol has numbers only; protobuf's own JSON writers send names."""
    if isinstance(number, str) and number in dict(names.items()):
        return names.Value(number)
    return _integer(field, number, (-(2**31), 2**31))


def _float(number: int | float | str) -> float:
    try:
        if isinstance(number, str) and not _TEXT_OF_A_NUMBER.fullmatch(number):
            raise ValueError
        return float(number)
    except (ValueError, OverflowError):
        raise Unfit(
            f'doubleValue is {shorten_repr(number, _SHOWN)}; write a number, "NaN", "Infinity" or "-Infinity"'
        ) from None


def _bytes(text: str) -> bytes:
    """Base64 in either alphabet, padded or not."""
    plain = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise Unfit(f"bytesValue is {shorten_repr(text, _SHOWN)}; write base64") from None
