"""Everything that OpenTelemetry says of a span is shown to who reads it."""

import msgspec
import pytest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from gnomon.errors import InvalidInput
from gnomon.interop.otlp.decoding import decode_traces
from gnomon.interop.otlp.details import details
from interop.otlp.samples import RESOURCE, START, request, sdk_request, span


def test_a_span_of_the_sdk_is_shown_with_all_that_it_says() -> None:
    kept = {one.name: one for one in decode_traces(sdk_request().SerializeToString(), "protobuf").spans}
    root = details(kept["answer"].body, kept["answer"].source.body)
    assert root.attributes == kept["answer"].attributes
    assert root.kind == "server"
    assert root.status == {"code": "unset", "message": None}
    assert root.events == [
        {"name": "seen", "time_unix_nano": str(START), "attributes": {"line": 3, "shares": [0.5, 1.5]}}
    ]
    [link] = root.links
    assert link == {
        "trace_id": f"{7:032x}", "span_id": f"{9:016x}", "trace_state": None, "attributes": {"why": "retry"},
        "flags": link["flags"],
    }  # fmt: skip
    assert root.scope == {"name": "agent", "version": "1.2", "attributes": {"team": "search"}}
    assert root.resource == RESOURCE
    assert root.start_time_unix_nano == str(kept["answer"].start_ns)
    assert root.end_time_unix_nano == str(kept["answer"].end_ns)
    assert root.scope_schema_url == "https://example.org/schema"
    assert root.resource_schema_url == "https://opentelemetry.io/schemas/1.30.0"
    tool = details(kept["tool"].body, kept["tool"].source.body)
    assert tool.status == {"code": "error", "message": "ValueError: no such city"}
    assert tool.kind == "internal"
    assert tool.scope == {"name": "client", "version": None, "attributes": {}}


def test_values_that_json_has_not_are_shown_in_its_words() -> None:
    numbers = [float("nan"), float("inf"), float("-inf"), 1.5]
    values = ArrayValue(
        values=[AnyValue(double_value=number) for number in numbers] + [AnyValue(bytes_value=b"\xff\x00")]
    )
    sent = span(attributes=[KeyValue(key="list", value=AnyValue(array_value=values)), KeyValue(key="absent")])
    shown = details(sent.SerializeToString(), None)
    assert shown.attributes == {"list": ["NaN", "Infinity", "-Infinity", 1.5, {"bytes": "/wA="}], "absent": None}
    assert msgspec.json.decode(msgspec.json.encode(shown.attributes)) == shown.attributes


def test_counts_of_what_was_dropped_and_the_trace_state_are_shown() -> None:
    sent = span(
        dropped_attributes_count=1, dropped_events_count=2, dropped_links_count=3, trace_state="a=b", flags=257, kind=77
    )
    shown = details(sent.SerializeToString(), None)
    dropped = shown.dropped_attributes_count, shown.dropped_events_count, shown.dropped_links_count
    assert dropped == (1, 2, 3)
    assert (shown.trace_state, shown.flags, shown.kind) == ("a=b", 257, None)


def test_a_link_is_shown_with_its_trace_state() -> None:
    sent = span(links=[Span.Link(trace_id=b"\x01" * 16, span_id=b"\x02" * 8, trace_state="a=b")])
    assert details(sent.SerializeToString(), None).links == [
        {"trace_id": "01" * 16, "span_id": "02" * 8, "trace_state": "a=b", "attributes": {}}
    ]


def test_what_is_not_known_is_none() -> None:
    [kept] = decode_traces(request(span(start_time_unix_nano=0)), "protobuf").spans
    shown = details(kept.body, kept.source.body)
    unknown = (
        shown.kind, shown.scope, shown.resource, shown.trace_state, shown.start_time_unix_nano,
        shown.end_time_unix_nano, shown.scope_schema_url, shown.resource_schema_url,
    )  # fmt: skip
    assert unknown == (None,) * 8


def test_what_is_no_span_is_refused_in_one_line() -> None:
    with pytest.raises(InvalidInput, match="the stored span is not an OTLP span"):
        details(b"\xff", None)
