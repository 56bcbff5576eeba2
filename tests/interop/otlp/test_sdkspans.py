"""Spans of OpenTelemetry's SDK become the request that its own exporters send, and one bad span costs no other."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans as theirs
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, Status, StatusCode, TraceFlags

from gnomon.interop.otlp.decoding import Decoded, ReceivedSpan, decode_traces
from gnomon.interop.otlp.details import SpanDetails, details
from gnomon.interop.otlp.records import MAX_SPAN_BYTES
from gnomon.interop.otlp.sdkspans import encode_spans
from interop.otlp.samples import sdk_spans

PROJECT = "demo"
"""As the samples' resource has it."""


def ended(**fields: Any) -> ReadableSpan:
    context = SpanContext(1, 2, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))
    told = {"name": "step", "context": context, "start_time": 10**18, "end_time": 10**18 + 7, **fields}
    return ReadableSpan(**told)


def decoded(*spans: ReadableSpan, project: str = PROJECT) -> Decoded:
    return decode_traces(encode_spans(spans, project).request, "protobuf")


def the_span(*spans: ReadableSpan) -> ReceivedSpan:
    (found,) = decoded(*spans).spans
    return found


def shown(span: ReceivedSpan) -> SpanDetails:
    return details(span.body, span.source.body)


def test_the_request_says_what_that_of_opentelemetrys_own_encoder_says() -> None:
    spans = sdk_spans()
    ours = decoded(*spans)
    their = decode_traces(theirs(spans).SerializeToString(), "protobuf")
    assert ours.refused == their.refused == []
    by_id = {span.span_id: span for span in their.spans}
    assert len(by_id) == 3
    for span in ours.spans:
        other = by_id[span.span_id]
        for field in ("trace_id", "parent_id", "name", "start_ns", "end_ns", "status_code", "attributes", "events"):
            assert getattr(span, field) == getattr(other, field)
        mine, wanted = shown(span), shown(other)
        assert mine.flags & ~0xFF == wanted.flags
        assert mine.flags & TraceFlags.SAMPLED, "which theirs leaves out"
        assert _links(mine) == _links(wanted)
        for field in ("kind", "status", "scope", "resource", "resource_schema_url", "scope_schema_url", "trace_state"):
            assert getattr(mine, field) == getattr(wanted, field)


def _links(span: SpanDetails) -> list[tuple[Any, ...]]:
    """Their encoder leaves out flags and state."""
    return [(link["trace_id"], link["span_id"], link["attributes"]) for link in span.links]


def test_the_project_goes_along_and_the_programs_resource_stays_as_it_is() -> None:
    resource = Resource({"service.name": "shop", "gnomon.project": "of the program"})
    (span,) = decoded(ended(resource=resource), project="chosen").spans
    assert shown(span).resource == {"service.name": "shop", "gnomon.project": "chosen"}
    assert resource.attributes["gnomon.project"] == "of the program"


def test_spans_are_grouped_by_resource_and_scope() -> None:
    one, other = Resource({"n": 1}), Resource({"n": 2})
    scopes = [InstrumentationScope("a"), InstrumentationScope("b")]
    spans = [
        ended(resource=resource, instrumentation_scope=scope, name=f"{resource.attributes['n']} {scope.name}")
        for _ in range(2)
        for resource in (one, other)
        for scope in scopes
    ]
    found = decoded(*spans).spans
    assert len(found) == 8
    for span in found:
        told = shown(span)
        assert told.resource is not None
        assert told.scope is not None
        assert span.name == f"{told.resource['n']} {told.scope['name']}"


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("half \ud800", "half ?"),
        (2**63 - 1, 2**63 - 1),
        (2**63, "9223372036854775808"),
        (b"\xff", b"\xff"),
        (None, None),
        ((), []),
        ([True, "a", 1, 0.5, None], [True, "a", 1, 0.5, None]),
        ({"a": {"b": [1]}, 2: "c"}, {"a": {"b": [1]}, "2": "c"}),
        (complex(1, 2), '"(1+2j)"'),
    ],
)
def test_any_value_is_said_or_shown(value: Any, kept: Any) -> None:
    span = the_span(ended(attributes={"value": value}))
    assert span.attributes == {"value": kept}


def test_values_that_are_nested_too_deeply_are_text_below() -> None:
    deep: Any = "bottom"
    for _ in range(60):
        deep = [deep]
    assert decoded(ended(attributes={"deep": deep})).refused == []


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(), inside, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), VALUES, max_size=4), st.text(), st.text())
def test_whatever_a_span_holds_it_arrives(attributes: dict[str, Any], name: str, message: str) -> None:
    events = [Event("happened", attributes, 5)]
    status = Status(StatusCode.ERROR, message)
    span = the_span(ended(name=name, attributes=attributes, events=events, status=status))
    assert set(span.attributes) == {key.encode("utf-8", "replace").decode() for key in attributes}
    assert span.events == [("happened", span.attributes)]


@pytest.mark.parametrize("bad", [{"start_time": -1}, {"context": None}, {"name": 3}, {"end_time": 2**64}])
def test_a_span_that_cannot_be_said_costs_no_other(bad: dict[str, Any]) -> None:
    encoded = encode_spans([ended(), ended(**bad), ended()], PROJECT)
    assert [refusal.index for refusal in encoded.refused] == [1]
    assert "OTLP has no way to say it" in encoded.refused[0].reason
    assert "\n" not in encoded.refused[0].reason
    assert len(decode_traces(encoded.request, "protobuf").spans) == 2


def test_a_span_that_is_too_large_arrives_with_its_texts_cut() -> None:
    long = {"gnomon.input": "世" * 1_000_000, "gnomon.output": "界" * 1_000_000, "short": "kept"}
    span = the_span(ended(attributes=long))
    assert len(span.body) <= MAX_SPAN_BYTES
    assert span.attributes["gnomon.input"].endswith("… cut at 400000 characters")
    assert span.attributes["short"] == "kept"


def test_nothing_is_a_request_of_nothing() -> None:
    assert encode_spans([], PROJECT) == (b"", [])
