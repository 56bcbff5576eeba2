"""A request's spans and log records. Bad ones are refused one by one; the others are kept as they were sent."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Literal, NamedTuple

import msgspec
from google.protobuf.message import DecodeError
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from gnomon.interop.otlp.envelopes import Sources, open_json, open_protobuf
from gnomon.interop.otlp.jsonspans import log_message, span_message, too_deep
from gnomon.interop.otlp.parts import span_in_parts
from gnomon.interop.otlp.records import (
    LAST_TIME,
    MAX_EVENTS,
    MAX_LINKS,
    MAX_SPAN_BYTES,
    Decoded,
    DecodedLogs,
    Encoding,
    ReceivedLog,
    ReceivedSpan,
    Refusal,
    SpanSource,
    Unfit,
)
from gnomon.interop.otlp.values import ValueReader
from gnomon.interop.otlp.wire import Malformed, fields
from gnomon.shorten import shorten

__all__ = [
    "Decoded",
    "DecodedLogs",
    "Encoding",
    "ReceivedLog",
    "ReceivedSpan",
    "Refusal",
    "SpanSource",
    "decode_logs",
    "decode_traces",
]

EVENT_NAME = "event.name"
"""The attribute that named an event before log records had a field for it."""
UNNAMED = "unnamed"
_STATUS = {0: "unset", 1: "ok", 2: "error"}
_NO_STATUS = ("unset", "")
_TRACE_ID, _SPAN_ID = 32, 16  # hexadecimal digits
_NO_TRACE, _NO_SPAN = "0" * _TRACE_ID, "0" * _SPAN_ID
_SHOWN = 60
_LOOKED_AT = 1_000

_parse_event = Span.Event.FromString
_parse_link = Span.Link.FromString
_parse_status = Status.FromString
_parse_log = LogRecord.FromString


def decode_traces(body: bytes, encoding: Encoding) -> Decoded:
    """The spans of an ExportTraceServiceRequest.

    Raises InvalidInput for what is no such request at all, and TooLarge for one of more values than a request may hold.
    """
    reader, decoded = ValueReader(), Decoded()
    for index, entry, source in _entries(body, encoding, reader, decoded.refused, _SPAN):
        try:
            decoded.spans.append(_span(entry, source, reader))
        except (Unfit, DecodeError) as bad:
            decoded.refused.append(_refusal(index, _named_in_protobuf(entry, _SPAN), bad))
    return decoded


def decode_logs(body: bytes, encoding: Encoding) -> DecodedLogs:
    """The log records of an ExportLogsServiceRequest; raises as `decode_traces`."""
    reader, decoded = ValueReader(), DecodedLogs()
    for index, entry, source in _entries(body, encoding, reader, decoded.refused, _LOG):
        try:
            decoded.logs.append(_log(entry, source, reader))
        except (Unfit, DecodeError) as bad:
            decoded.refused.append(_refusal(index, _named_in_protobuf(entry, _LOG), bad))
    return decoded


class _Kind(NamedTuple):
    """What a request holds, and the numbers of the fields that name one in a refusal."""

    plural: Literal["spans", "logs"]
    noun: str
    from_json: Callable[[bytes], bytes]
    id_field: int
    name_field: int


_SPAN = _Kind("spans", "span", span_message, 2, 5)
_LOG = _Kind("logs", "log record", log_message, 10, 12)


def _entries(
    body: bytes, encoding: Encoding, reader: ValueReader, refused: list[Refusal], kind: _Kind
) -> Iterator[tuple[int, bytes, SpanSource]]:
    """Each span as protobuf, with its number in the request and where it comes from."""
    sources, index = Sources(reader), -1
    is_json = encoding == "json"
    named = _named_in_json if is_json else _named_in_protobuf
    for envelope in open_json(body, reader, kind.plural) if is_json else open_protobuf(body, reader):
        try:
            source = sources.of(envelope)
        except Unfit as bad:
            for entry in envelope.entries:
                index += 1
                refused.append(_refusal(index, named(entry, kind), bad))
            continue
        for entry in envelope.entries:
            index += 1
            try:
                message = kind.from_json(entry) if is_json else entry
            except Unfit as bad:
                refused.append(_refusal(index, named(entry, kind), bad))
                continue
            yield index, message, source


# Spans


def _span(body: bytes, source: SpanSource, reader: ValueReader) -> ReceivedSpan:
    """The hot path: everything here is done for every span."""
    if len(body) > MAX_SPAN_BYTES:
        raise _too_large(body)
    span = span_in_parts(body)
    trace_id, span_id, parent = span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex()
    if len(trace_id) != _TRACE_ID or trace_id == _NO_TRACE:
        raise _no_id("trace_id", trace_id, _TRACE_ID)
    if len(span_id) != _SPAN_ID or span_id == _NO_SPAN:
        raise _no_id("span_id", span_id, _SPAN_ID)
    if parent and len(parent) != _SPAN_ID:
        raise _no_id("parent_span_id", parent, _SPAN_ID)
    start, end = span.start_time_unix_nano, span.end_time_unix_nano
    if start > LAST_TIME or end > LAST_TIME:
        raise _beyond_time("start_time_unix_nano" if start > LAST_TIME else "end_time_unix_nano", max(start, end))
    events, links = span.events, span.links
    # A message that comes in several parts is what they are one after the other.
    status = b"".join(span.status)
    status_code, status_message = _status(status) if status else _NO_STATUS
    if links:
        _check_links(links, reader)
    return ReceivedSpan(
        trace_id,
        span_id,
        None if not parent or parent == _NO_SPAN else parent,
        span.name or UNNAMED,
        start,
        end or None,
        status_code,
        status_message,
        reader.attributes_in_bytes(span.attributes),
        _events(events, reader) if events else [],
        source,
        body,
    )


def _status(written: bytes) -> tuple[str, str]:
    status = _parse_status(written)
    return _STATUS.get(status.code, "unset"), status.message


def _events(events: Sequence[bytes], reader: ValueReader) -> list[tuple[str, dict[str, Any]]]:
    if len(events) > MAX_EVENTS:
        raise Unfit(f"{len(events):,} events are more than {MAX_EVENTS:,}; send fewer")
    reader.take(len(events))
    return [(event.name, reader.attributes(event.attributes)) for event in map(_parse_event, events)]


def _check_links(links: Sequence[bytes], reader: ValueReader) -> None:
    """Links are only read when the span is shown; what could not be shown then is refused now."""
    if len(links) > MAX_LINKS:
        raise Unfit(f"{len(links):,} links are more than {MAX_LINKS:,}; send fewer")
    for link in map(_parse_link, links):
        reader.attributes(link.attributes)


# Log records


def _log(record: bytes, source: SpanSource, reader: ValueReader) -> ReceivedLog:
    if len(record) > MAX_SPAN_BYTES:
        raise _too_large(record)
    log = _parse_log(record)
    time = log.time_unix_nano or log.observed_time_unix_nano
    if time > LAST_TIME:
        raise _beyond_time("time_unix_nano", time)
    attributes = reader.attributes(log.attributes)
    older_name = attributes.get(EVENT_NAME)
    trace_id, span_id = log.trace_id.hex(), log.span_id.hex()
    return ReceivedLog(
        trace_id if len(trace_id) == _TRACE_ID and trace_id != _NO_TRACE else None,
        span_id if len(span_id) == _SPAN_ID and span_id != _NO_SPAN else None,
        log.event_name or (older_name if isinstance(older_name, str) else ""),
        time,
        attributes,
        reader.value(log.body),
        source,
        record,
    )


# Refusals


def _no_id(field: str, hexadecimal: str, digits: int) -> Unfit:
    value = f"is {shorten(hexadecimal, _SHOWN)}" if hexadecimal else "is empty"
    return Unfit(f"{field} {value}; send {digits // 2} bytes ({digits} hexadecimal digits) that are not all zero")


def _beyond_time(field: str, time: int) -> Unfit:
    return Unfit(f"{field} is {time}, after the year 2262; send nanoseconds since 1970, up to {LAST_TIME}")


def _too_large(body: bytes) -> Unfit:
    sizes = (end - start for _, start, end in _first_fields(body))
    largest = max(sizes, default=0)
    return Unfit(
        f"it has {len(body):,} bytes, more than {MAX_SPAN_BYTES:,}; shorten its largest part, which has {largest:,}"
    )


def _refusal(index: int, name: str, bad: Unfit | DecodeError) -> Refusal:
    return Refusal(index, f"{name}: {bad if isinstance(bad, Unfit) else _why_unparsed(bad)}")


def _why_unparsed(bad: DecodeError) -> str:
    if "UTF-8" in str(bad):
        return "a text in it is not UTF-8; encode it as UTF-8 or send it as bytes"
    if "Depth" in str(bad):
        return str(too_deep())
    return "it is not a whole protobuf message; send it again, all of it"


def _named_in_protobuf(body: bytes, kind: _Kind) -> str:
    """What a refusal calls it. The bytes may be damaged, so it is looked at without being parsed."""
    fields = {number: body[start : min(end, start + 4 * _SHOWN)] for number, start, end in _first_fields(body)}
    return _named(kind, fields.get(kind.id_field, b"").hex(), fields.get(kind.name_field, b"").decode(errors="replace"))


def _first_fields(body: bytes) -> Iterator[tuple[int, int, int]]:
    """The fields up to where the bytes are damaged, but not millions of them."""
    try:
        yield from islice(fields(body, 0, len(body)), _LOOKED_AT)
    except Malformed:
        return


class _JsonName(msgspec.Struct, rename="camel"):
    span_id: Any = None
    name: Any = None
    event_name: Any = None


_read_name = msgspec.json.Decoder(_JsonName).decode


def _named_in_json(text: bytes, kind: _Kind) -> str:
    try:
        named = _read_name(text)
    except (ValueError, RecursionError):  # msgspec's errors are ValueErrors
        return _named(kind, "", "")
    return _named(kind, named.span_id, named.name or named.event_name)


def _named(kind: _Kind, id: Any, name: Any) -> str:
    known = [shorten(id, _SHOWN)] if isinstance(id, str) and id else ["without an id"]
    if isinstance(name, str) and name:
        known.append(repr(shorten(name, _SHOWN)))
    return " ".join([kind.noun, *known])
