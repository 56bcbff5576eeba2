"""Spans go out as they came in; native ones so that a Gnomon that gets them shows the same."""

import random
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from gnomon.interop.otlp.decoding import ReceivedSpan, decode_traces
from gnomon.interop.otlp.details import details
from gnomon.interop.otlp.encoding import native_source, native_span, request_of
from gnomon.model.trace import Span, SpanError
from interop.otlp.samples import request, sdk_request, span

START = datetime(2026, 2, 21, 22, 0, 0, 123_000, UTC)


def pairs(spans: list[ReceivedSpan]) -> list[tuple[bytes, bytes]]:
    return [(one.body, one.source.body) for one in spans]


def test_stored_spans_go_out_as_the_request_they_came_in() -> None:
    received = sdk_request()
    stored = decode_traces(received.SerializeToString(), "protobuf").spans
    assert ExportTraceServiceRequest.FromString(request_of(pairs(stored))) == apart(received)


def apart(sent: ExportTraceServiceRequest) -> ExportTraceServiceRequest:
    """The request with each scope under a resource of its own."""
    whole = ExportTraceServiceRequest()
    for outer in sent.resource_spans:
        for scope in outer.scope_spans:
            whole.resource_spans.add(resource=outer.resource, schema_url=outer.schema_url, scope_spans=[scope])
    return whole


def test_spans_of_one_source_go_out_together_in_their_order_whatever_lies_between() -> None:
    spans = decode_traces(sdk_request().SerializeToString(), "protobuf").spans
    mixed = [one for _ in range(3) for one in spans]
    random.Random(4).shuffle(mixed)
    again = decode_traces(request_of(pairs(mixed)), "protobuf").spans
    assert sorted(map(str, again)) == sorted(map(str, mixed))
    for source in {one.source.id for one in mixed}:
        assert [one for one in again if one.source.id == source] == [one for one in mixed if one.source.id == source]
    assert len(ExportTraceServiceRequest.FromString(request_of(pairs(mixed))).resource_spans) == 2


def test_a_span_without_resource_and_scope_goes_out_without() -> None:
    body = request(span())
    assert request_of(pairs(decode_traces(body, "protobuf").spans)) == body
    assert request_of([]) == b""


def native(**fields: Any) -> Span:
    empty = {name: None for name, field in Span.model_fields.items() if field.is_required()}
    return Span(**{**empty, "id": "root", "trace_id": "trace-1", "name": "answer", "start_time": START, **fields})


def sent(*spans: Span, project: str | None = None) -> list[ReceivedSpan]:
    source = native_source(project)
    body = request_of((native_span(span).SerializeToString(), source) for span in spans)
    decoded = decode_traces(body, "protobuf")
    assert decoded.refused == []
    return decoded.spans


def test_a_native_span_goes_out_with_all_that_it_says() -> None:
    [out] = sent(
        native(
            input={"question": "Grüße?"}, output=["a", None], model="m-1", tokens_input=3, tokens_output=0,
            metadata={"user": "u", "n": 1, "share": 0.5, "on": False, "none": None},
            end_time=START.replace(second=2), duration_ms=2000.25,
            error=SpanError(message="no such city", type="ValueError", stack="line 1\nline 2"),
        ),
        project="demo",
    )  # fmt: skip
    assert {key: out.attributes.pop(key) for key in ("gnomon.input", "gnomon.output")} == {
        "gnomon.input": '{"question":"Grüße?"}', "gnomon.output": '["a",null]',
    }  # fmt: skip
    assert out.attributes == {
        "user": "u", "n": 1, "share": 0.5, "on": False, "none": None, "gen_ai.request.model": "m-1",
        "gen_ai.usage.input_tokens": 3, "gen_ai.usage.output_tokens": 0,
    }  # fmt: skip
    assert out.end_ns is not None
    assert (out.start_ns, out.end_ns - out.start_ns) == (
        1_771_711_200_123_000_000,
        2_000_250_000,
    )
    assert (out.status_code, out.status_message) == ("error", "no such city")
    assert out.events == [
        (
            "exception",
            {
                "exception.message": "no such city",
                "exception.type": "ValueError",
                "exception.stacktrace": "line 1\nline 2",
            },
        )
    ]
    assert out.source.resource == {"gnomon.project": "demo"}
    assert details(out.body, out.source.body).kind == "internal"


def test_a_span_of_which_little_is_known_says_little() -> None:
    [out] = sent(native(duration_ms=12.5))
    assert (out.end_ns, out.parent_id, out.status_code, out.events) == (None, None, "unset", [])
    assert out.attributes == {"gnomon.duration_ms": 12.5}
    assert out.source.resource == {}


def test_ids_of_opentelemetrys_form_stay_and_others_are_hashed_alike_everywhere() -> None:
    trace, root = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    first, second = sent(native(id=root, trace_id=trace), native(id="child", trace_id=trace, parent_span_id=root))
    assert (first.trace_id, first.span_id, second.parent_id) == (trace, root, root)
    third, fourth = sent(native(id="child"), native(id="grand child", parent_span_id="child"))
    assert second.span_id == third.span_id == fourth.parent_id
    assert third.trace_id == fourth.trace_id


@pytest.mark.parametrize("id", ["0" * 16, "B7AD6B7169203331", "ü" * 16, "x", "b7ad6b716920333"])
def test_ids_that_opentelemetry_has_not_are_hashed(id: str) -> None:
    [out] = sent(native(id=id))
    assert out.span_id != id
    assert len(out.span_id) == 16


@pytest.mark.parametrize(("year", "told"), [(1, 0), (1969, 0), (1970, 0), (9999, 2**63 - 1)])
def test_times_that_the_protocol_cannot_say_become_the_nearest(year: int, told: int) -> None:
    [out] = sent(native(start_time=datetime(year, 1, 1, tzinfo=UTC), end_time=datetime(year, 1, 1, tzinfo=UTC)))
    assert (out.start_ns, out.end_ns or 0) == (told, told)


def test_whole_numbers_of_more_than_64_bits_go_out_as_near_as_the_protocol_can_say() -> None:
    [out] = sent(native(metadata={"a": 2**63 - 1, "b": -(2**63), "c": 10**30, "d": 2**1024 - 1}))
    assert out.attributes == {"a": 2**63 - 1, "b": -(2**63), "c": 1e30, "d": str(2**1024 - 1)}


flat = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
)


@given(
    st.dictionaries(st.text("abc.", min_size=1, max_size=4), flat, max_size=4), st.integers(0, 10**15), st.none() | flat
)
def test_every_native_span_arrives_as_it_was(metadata: dict[str, Any], microseconds: int, value: Any) -> None:
    duration = microseconds / 1000
    try:
        end = datetime.fromtimestamp((START.timestamp() * 1000 + duration) // 1 / 1000, UTC)
        span = native(metadata=metadata, input=value, end_time=end, duration_ms=duration)
    except (ValueError, OverflowError, OSError):
        return
    [out] = sent(span)
    shown = dict(out.attributes)
    assert msgspec.json.decode(shown.pop("gnomon.input", "null")) == value
    assert shown == metadata
    assert out.end_ns is not None
    measured = (out.end_ns - out.start_ns) / 1_000_000
    assert abs(measured - duration) <= 1 or out.end_ns == 2**63 - 1
    assert out.end_ns // 1_000_000 == round(span.end_time.timestamp() * 1000) or out.end_ns == 2**63 - 1
