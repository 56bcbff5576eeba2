"""What a decoded request is made of, and how much of it is taken."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

Encoding = Literal["protobuf", "json"]

MAX_SPAN_BYTES = 4_000_000
"""Of one span or log record, as protobuf."""
MAX_ATTRIBUTES = 10_000
"""Of one span, event, link or log record. Conventions that number their messages need several per message."""
MAX_EVENTS = 10_000
MAX_LINKS = 1_000
MAX_VALUE_DEPTH = 30
"""Lists and maps inside each other in one value. Protobuf parsers stop at 100 messages; a map takes three of them."""
MAX_VALUES = 1_000_000
"""Of one request: attributes and the values inside them; see `VALUES_PER_SPAN`."""
VALUES_PER_SPAN = 10
"""As many values as a span, scope or resource counts for: it takes about as much memory and time."""
LAST_TIME = 2**63 - 1
"""In nanoseconds since 1970: in the year 2262."""


class Unfit(ValueError):
    """A span or log record that cannot be kept. The message says what is wrong with which value, and the remedy."""


@dataclass(frozen=True, slots=True)
class SpanSource:
    """Where spans come from: one resource and one scope, shared by all their spans."""

    id: str
    """32 hexadecimal digits, a hash of `body`."""
    body: bytes
    """As ResourceSpans with one ScopeSpans and no spans."""
    resource: Mapping[str, Any]
    scope_name: str


class ReceivedSpan(msgspec.Struct, gc=False):
    """A span as it came in. There are many of them and none refers to another, so the collector need not look."""

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    start_ns: int
    end_ns: int | None
    status_code: str
    status_message: str
    attributes: dict[str, Any]
    events: list[tuple[str, dict[str, Any]]]
    source: SpanSource
    body: bytes
    """The span as protobuf, as it was sent."""


class ReceivedLog(msgspec.Struct, gc=False):
    """A log record as it came in. Ids that are not ids are absent, as the protocol has it."""

    trace_id: str | None
    span_id: str | None
    name: str
    """Of the event; empty when the record is not an event."""
    time_ns: int
    attributes: dict[str, Any]
    body: Any
    source: SpanSource
    record: bytes
    """The log record as protobuf, as it was sent."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was not taken, and why: `index` counts the request's spans or log records from 0."""

    index: int
    reason: str


@dataclass(slots=True)
class Decoded:
    spans: list[ReceivedSpan] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)


@dataclass(slots=True)
class DecodedLogs:
    logs: list[ReceivedLog] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
