"""What surrounds the spans of a request: resources, scopes and the addresses of their schemas.

Traces and logs have the same envelope, field for field, so one function opens both.
"""

import hashlib
from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec
from google.protobuf.message import DecodeError
from opentelemetry.proto.common.v1.common_pb2 import InstrumentationScope
from opentelemetry.proto.resource.v1.resource_pb2 import Resource

from gnomon.errors import InvalidInput, TooLarge
from gnomon.interop.otlp.jsonspans import resource_message, scope_message
from gnomon.interop.otlp.records import MAX_SPAN_BYTES, MAX_VALUES, VALUES_PER_SPAN, SpanSource, Unfit
from gnomon.interop.otlp.values import ValueReader
from gnomon.interop.otlp.wire import Malformed, fields, framed

# Of ExportTraceServiceRequest and ResourceSpans and ScopeSpans, and the same of logs
RESOURCES = 1
RESOURCE, SCOPES, RESOURCE_SCHEMA = 1, 2, 3
SCOPE, ENTRIES, SCOPE_SCHEMA = 1, 2, 3


class Envelope(NamedTuple):
    """The spans, or log records, of one scope of one resource."""

    resource: bytes | None
    resource_schema: bytes
    scope: bytes | None
    scope_schema: bytes
    entries: list[bytes]
    """As they were sent: messages of protobuf, or texts of JSON."""
    problem: Unfit | None = None
    """Why none of the entries can be kept."""


def open_protobuf(body: bytes, reader: ValueReader) -> Iterator[Envelope]:
    """The envelopes of a request, in the order they were sent."""
    try:
        for number, start, end in fields(body, 0, len(body)):
            reader.take(VALUES_PER_SPAN)
            if number == RESOURCES:
                yield from _scopes(body, start, end, reader)
    except Malformed as bad:
        raise InvalidInput(
            f"the body of {len(body):,} bytes is not an OTLP request in protobuf ({bad}); "
            "send all of it, with the Content-Type that it has"
        ) from None


def _scopes(body: bytes, start: int, end: int, reader: ValueReader) -> Iterator[Envelope]:
    parts = _Parts(body, start, end, reader)
    resource, schema = parts.message(RESOURCE), parts.last(RESOURCE_SCHEMA)
    for from_, to in parts.ranges(SCOPES):
        inner = _Parts(body, from_, to, reader)
        entries = [body[first:last] for first, last in inner.ranges(ENTRIES)]
        if entries:
            yield Envelope(resource, schema, inner.message(SCOPE), inner.last(SCOPE_SCHEMA), entries)


class _Parts:
    """A message taken apart one level deep. Numbers have no place: in envelopes there are none that matter."""

    def __init__(self, body: bytes, start: int, end: int, reader: ValueReader) -> None:
        self._body = body
        self._ranges: dict[int, list[tuple[int, int]]] = {}
        for number, first, last in fields(body, start, end):
            reader.take(VALUES_PER_SPAN)
            if first and number <= SCOPE_SCHEMA:
                self._ranges.setdefault(number, []).append((first, last))

    def ranges(self, number: int) -> list[tuple[int, int]]:
        return self._ranges.get(number, [])

    def message(self, number: int) -> bytes | None:
        """A message that may come in several parts, which in protobuf are one after the other."""
        ranges = self.ranges(number)
        return b"".join(self._body[first:last] for first, last in ranges) if ranges else None

    def last(self, number: int) -> bytes:
        first, last = (self.ranges(number) or [(0, 0)])[-1]
        return self._body[first:last]


class Sources:
    """The sources of one request, each made once."""

    def __init__(self, reader: ValueReader) -> None:
        self._reader = reader
        self._known: dict[tuple[bytes | None, bytes, bytes | None, bytes], SpanSource] = {}

    def of(self, envelope: Envelope) -> SpanSource:
        """Raises Unfit when resource or scope cannot be kept; then none of its spans can."""
        if envelope.problem is not None:
            raise envelope.problem
        key = envelope[:4]
        source = self._known.get(key)
        if source is None:
            source = self._known[key] = self._source(*key)
        return source

    def _source(self, resource: bytes | None, schema: bytes, scope: bytes | None, scope_schema: bytes) -> SpanSource:
        size = len(resource or b"") + len(schema) + len(scope or b"") + len(scope_schema)
        if size > MAX_SPAN_BYTES:
            raise Unfit(f"its resource and scope have {size:,} bytes, more than {MAX_SPAN_BYTES:,}; send less")
        try:
            parsed, parsed_scope = Resource.FromString(resource or b""), InstrumentationScope.FromString(scope or b"")
            schema.decode(), scope_schema.decode()
        except (DecodeError, UnicodeDecodeError):
            raise Unfit("its resource or scope cannot be parsed; send whole messages with UTF-8 texts") from None
        attributes = self._reader.attributes(parsed.attributes)
        self._reader.attributes(parsed_scope.attributes)
        inner = b"" if scope is None else framed(SCOPE, parsed_scope.SerializeToString(deterministic=True))
        inner += framed(SCOPE_SCHEMA, scope_schema) if scope_schema else b""
        body = b"" if resource is None else framed(RESOURCE, parsed.SerializeToString(deterministic=True))
        body += framed(SCOPES, inner)
        body += framed(RESOURCE_SCHEMA, schema) if schema else b""
        return SpanSource(hashlib.sha256(body).hexdigest()[:32], body, attributes, parsed_scope.name)


# JSON

_NULL = msgspec.Raw(b"null")


class _JsonScope(msgspec.Struct, rename="camel"):
    scope: msgspec.Raw = _NULL
    spans: list[msgspec.Raw] | None = None
    log_records: list[msgspec.Raw] | None = None
    schema_url: str | None = None


class _JsonResource(msgspec.Struct, rename="camel"):
    resource: msgspec.Raw = _NULL
    scope_spans: list[_JsonScope] | None = None
    scope_logs: list[_JsonScope] | None = None
    schema_url: str | None = None


class _JsonRequest(msgspec.Struct, rename="camel"):
    resource_spans: list[_JsonResource] | None = None
    resource_logs: list[_JsonResource] | None = None


_read_request = msgspec.json.Decoder(_JsonRequest).decode
_SNAKE_CASE = ("resource_spans", "resource_logs")
_BEGINNING = 1_000


def open_json(body: bytes, reader: ValueReader, of: Literal["spans", "logs"]) -> Iterator[Envelope]:
    """The envelopes of a request, in the order they were sent."""
    if body.count(b"{") > MAX_VALUES:  # every object that would be made begins with one
        raise TooLarge(f"the request holds more than {MAX_VALUES:,} values; send smaller batches")
    try:
        request = _read_request(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as bad:
        raise InvalidInput(f"the body is not an OTLP request in JSON: {bad}") from None
    except RecursionError:
        raise InvalidInput("the body is not an OTLP request: its JSON is nested too deeply; flatten it") from None
    if request == _JsonRequest():
        _refuse_snake_case(body)
    for resource in (request.resource_spans if of == "spans" else request.resource_logs) or ():
        for scope in (resource.scope_spans if of == "spans" else resource.scope_logs) or ():
            raw = (scope.spans if of == "spans" else scope.log_records) or []
            reader.take(VALUES_PER_SPAN * len(raw))
            if raw:
                yield _json_envelope(resource, scope, [bytes(entry) for entry in raw])


def _json_envelope(resource: _JsonResource, scope: _JsonScope, entries: list[bytes]) -> Envelope:
    schemas = (resource.schema_url or "").encode(), (scope.schema_url or "").encode()
    try:
        of_resource = None if resource.resource == _NULL else resource_message(bytes(resource.resource))
        of_scope = None if scope.scope == _NULL else scope_message(bytes(scope.scope))
    except Unfit as bad:
        return Envelope(None, schemas[0], None, schemas[1], entries, Unfit(f"its resource or scope is refused: {bad}"))
    return Envelope(of_resource, schemas[0], of_scope, schemas[1], entries)


def _refuse_snake_case(body: bytes) -> None:
    """Unknown keys are ignored, but who writes this one means to send something."""
    for name in _SNAKE_CASE:
        if f'"{name}"'.encode() in body[:_BEGINNING]:
            first, second = name.split("_")
            raise InvalidInput(f"{name!r} is not a key of OTLP/JSON; write {first}{second.capitalize()}, as all keys")
