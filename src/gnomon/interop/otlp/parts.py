"""A span of protobuf whose inner messages are left as bytes.

A parser makes an object for every message inside a message, and an attribute is two of them. Most attributes of a span
were in the spans before it too: as bytes they are looked up instead of parsed.
"""

from collections.abc import Sequence
from typing import Protocol, cast

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from opentelemetry.proto.trace.v1.trace_pb2 import Span

_PACKAGE = "gnomon.otlp"


class SpanInParts(Protocol):
    """The fields of OpenTelemetry's Span. A message that protobuf allows to come in several parts is a list too."""

    trace_id: bytes
    span_id: bytes
    parent_span_id: bytes
    name: str
    start_time_unix_nano: int
    end_time_unix_nano: int
    attributes: Sequence[bytes]
    events: Sequence[bytes]
    links: Sequence[bytes]
    status: Sequence[bytes]


def _schema() -> FileDescriptorProto:
    """OpenTelemetry's Span, field for field, so that what is checked of its own fields is the same."""
    schema = DescriptorProto()
    Span.DESCRIPTOR.CopyToProto(schema)
    fields = [_in_bytes(field) for field in schema.field]
    span = DescriptorProto(name="SpanInParts", field=fields)
    return FileDescriptorProto(name=f"{_PACKAGE}.proto", package=_PACKAGE, syntax="proto3", message_type=[span])


def _in_bytes(field: FieldDescriptorProto) -> FieldDescriptorProto:
    kind, label = field.type, field.label
    if kind == FieldDescriptorProto.TYPE_MESSAGE:
        kind, label = FieldDescriptorProto.TYPE_BYTES, FieldDescriptorProto.LABEL_REPEATED
    elif kind == FieldDescriptorProto.TYPE_ENUM:
        kind = FieldDescriptorProto.TYPE_INT32  # the same on the wire
    return FieldDescriptorProto(name=field.name, number=field.number, type=kind, label=label)


_pool = DescriptorPool()
_pool.AddSerializedFile(_schema().SerializeToString())
_parse = GetMessageClass(_pool.FindMessageTypeByName(f"{_PACKAGE}.SpanInParts")).FromString


def span_in_parts(body: bytes) -> SpanInParts:
    """Raises DecodeError, as a parser of the whole span does; its inner messages may still be unreadable."""
    return cast(SpanInParts, _parse(body))
