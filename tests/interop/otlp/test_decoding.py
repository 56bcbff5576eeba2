"""Requests of real exporters are read alike in both encodings, and what they say of a span is kept."""

import math
from typing import Any

import pytest
from google.protobuf import json_format
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue, KeyValueList
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span, Status

from gnomon.interop.otlp.decoding import Encoding, decode_logs, decode_traces
from gnomon.interop.otlp.wire import framed
from interop.otlp.samples import RESOURCE, SPAN_ID, START, TRACE_ID, as_json, request, sdk_logs, sdk_request, span

ENCODINGS: list[Encoding] = ["protobuf", "json"]


def encoded(message: Any, encoding: Encoding) -> bytes:
    return message.SerializeToString() if encoding == "protobuf" else as_json(message)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_spans_of_the_sdk_are_read_as_they_were_made(encoding: Encoding) -> None:
    decoded = decode_traces(encoded(sdk_request(), encoding), encoding)
    assert decoded.refused == []
    by_name = {one.name: one for one in decoded.spans}
    root, call, tool = by_name["answer"], by_name["chat"], by_name["tool"]
    assert root.parent_id is None
    assert call.parent_id == tool.parent_id == root.span_id
    assert root.trace_id == call.trace_id == tool.trace_id
    assert (len(root.trace_id), len(root.span_id)) == (32, 16)
    assert root.attributes == {
        "text": "Grüße, 世界", "empty": "", "zero": 0, "count": 2**62, "no": False, "yes": True, "share": 0.1,
        "nothing": 0.0, "tags": ["a", "b"], "counts": [1, 2], "marks": [True, False],
    }  # fmt: skip
    assert [type(value) for value in root.attributes.values()] == [
        str, str, int, int, bool, bool, float, float, list, list, list,
    ]  # fmt: skip
    assert root.events == [("seen", {"line": 3, "shares": [0.5, 1.5]})]
    assert root.end_ns is not None
    assert root.start_ns <= call.start_ns <= root.end_ns
    assert (root.status_code, call.status_code, tool.status_code) == ("unset", "ok", "error")
    assert tool.status_message == "ValueError: no such city"
    assert tool.events[0][1]["exception.type"] == "ValueError"
    assert root.source.resource == RESOURCE
    assert (root.source.scope_name, call.source.scope_name) == ("agent", "client")
    assert call.source is tool.source
    assert call.source.id != root.source.id


def test_both_encodings_of_a_request_give_equal_spans() -> None:
    sent = sdk_request()
    assert decode_traces(as_json(sent), "json") == decode_traces(sent.SerializeToString(), "protobuf")


def test_a_body_is_the_span_as_it_was_sent_and_a_source_gives_back_what_surrounded_it() -> None:
    sent = sdk_request()
    decoded = decode_traces(sent.SerializeToString(), "protobuf")
    told = [one for outer in sent.resource_spans for scope in outer.scope_spans for one in scope.spans]
    assert [Span.FromString(one.body) for one in decoded.spans] == told
    outer = ResourceSpans.FromString(decoded.spans[-1].source.body)
    assert outer.schema_url == "https://opentelemetry.io/schemas/1.30.0"
    assert outer.resource == sent.resource_spans[0].resource
    scopes = {scope.scope.name: scope for scope in sent.resource_spans[0].scope_spans}
    [scope] = outer.scope_spans
    assert scope.scope == scopes["agent"].scope
    assert (scope.schema_url, list(scope.spans)) == ("https://example.org/schema", [])


def test_a_source_has_the_same_id_in_every_request_and_whatever_the_encoding() -> None:
    first, second = (
        decode_traces(sdk_request().SerializeToString(), "protobuf"),
        decode_traces(as_json(sdk_request()), "json"),
    )
    assert [one.source.id for one in first.spans] == [one.source.id for one in second.spans]
    assert all(len(one.source.id) == 32 and int(one.source.id, 16) for one in first.spans)


def test_a_field_that_is_not_known_here_stays_in_the_body() -> None:
    raw = span().SerializeToString() + framed(900, b"from the future")
    scope = framed(2, raw)
    [kept] = decode_traces(framed(1, framed(2, scope)), "protobuf").spans
    assert kept.body == raw


def test_a_resource_in_two_parts_after_its_spans_is_one_resource() -> None:
    parts = [KeyValue(key=key, value=AnyValue(string_value=key)).SerializeToString() for key in ("a", "b")]
    body = framed(
        1, framed(2, framed(2, span().SerializeToString())) + b"".join(framed(1, framed(1, part)) for part in parts)
    )
    assert decode_traces(body, "protobuf").spans[0].source.resource == {"a": "a", "b": "b"}
    assert ExportTraceServiceRequest.FromString(body).resource_spans[0].resource.attributes[1].key == "b"


def test_a_span_without_name_end_and_parent_is_kept() -> None:
    [kept] = decode_traces(request(span(name="", parent_span_id=bytes(8))), "protobuf").spans
    assert (kept.name, kept.end_ns, kept.parent_id, kept.status_code) == ("unnamed", None, None, "unset")
    assert Span.FromString(kept.body).name == ""


@pytest.mark.parametrize("start", [0, 1, 7_258_118_400_000_000_000, 2**63 - 1])
def test_clocks_are_kept_as_they_are_told(start: int) -> None:
    [kept] = decode_traces(request(span(start_time_unix_nano=start, end_time_unix_nano=1)), "protobuf").spans
    assert (kept.start_ns, kept.end_ns) == (start, 1)


def test_a_status_and_a_kind_of_the_future_are_kept() -> None:
    [kept] = decode_traces(request(span(kind=77, status=Status(code=9, message="hm"))), "protobuf").spans  # type: ignore[arg-type]
    assert (kept.status_code, kept.status_message) == ("unset", "hm")
    assert Span.FromString(kept.body).kind == 77


@pytest.mark.parametrize(
    ("encoding", "body"), [("protobuf", b""), ("json", b"{}"), ("json", b'{"resourceSpans":[{}]}')]
)
def test_an_empty_request_has_no_spans(encoding: Encoding, body: bytes) -> None:
    assert decode_traces(body, encoding).spans == []
    assert decode_logs(body, encoding).logs == []


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_log_records_of_the_sdk_are_read_as_they_were_made(encoding: Encoding) -> None:
    decoded = decode_logs(encoded(sdk_logs(), encoding), encoding)
    assert decoded.refused == []
    result, older, line = decoded.logs
    assert (result.trace_id, result.span_id) == (f"{7:032x}", f"{9:016x}")
    assert (result.name, older.name, line.name) == ("gen_ai.evaluation.result", "gen_ai.choice", "")
    assert result.attributes["gen_ai.evaluation.score.value"] == 0.5
    assert (older.body, line.body, result.body) == ({"n": [1, None, "x"]}, "a line", None)
    assert (result.time_ns, line.time_ns) == (START, START + 1)
    assert (line.trace_id, line.span_id) == (None, None)
    assert line.source.scope_name == "events"
    assert line.source.resource == RESOURCE


def test_both_encodings_of_logs_give_equal_records() -> None:
    sent = sdk_logs()
    assert decode_logs(as_json(sent), "json") == decode_logs(sent.SerializeToString(), "protobuf")


# Laws


def value_messages() -> st.SearchStrategy[AnyValue]:
    scalars = st.one_of(
        st.builds(AnyValue),
        st.builds(AnyValue, string_value=st.text(st.characters(exclude_categories=["Cs"]), max_size=9)),
        st.builds(AnyValue, bool_value=st.booleans()),
        st.builds(AnyValue, int_value=st.integers(-(2**63), 2**63 - 1)),
        st.builds(AnyValue, double_value=st.floats(allow_nan=False) | st.just(math.nan)),
        st.builds(AnyValue, bytes_value=st.binary(max_size=9)),
    )
    return st.recursive(
        scalars,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3).map(lambda values: AnyValue(array_value=ArrayValue(values=values))),
            st.dictionaries(st.text("ab", max_size=2), inner, max_size=3).map(
                lambda told: AnyValue(
                    kvlist_value=KeyValueList(values=[KeyValue(key=key, value=value) for key, value in told.items()])
                )
            ),
        ),
        max_leaves=6,
    )


def expected(value: AnyValue) -> Any:
    """Written plainly, for the quicker reading to be held against."""
    name = value.WhichOneof("value")
    if name == "array_value":
        return [expected(one) for one in value.array_value.values]
    if name == "kvlist_value":
        return {pair.key: expected(pair.value) for pair in value.kvlist_value.values}
    return None if name is None else getattr(value, name)


def same(first: Any, second: Any) -> bool:
    if isinstance(first, float) and isinstance(second, float) and math.isnan(first):
        return math.isnan(second)
    if isinstance(first, list):
        return isinstance(second, list) and len(first) == len(second) and all(map(same, first, second))
    if isinstance(first, dict):
        return (
            isinstance(second, dict) and list(first) == list(second) and all(map(same, first.values(), second.values()))
        )
    return type(first) is type(second) and first == second


@given(st.dictionaries(st.text("abc", max_size=3), value_messages(), max_size=4))
def test_every_value_is_read_with_its_type_in_both_encodings(told: dict[str, AnyValue]) -> None:
    sent = ExportTraceServiceRequest()
    pairs = [KeyValue(key=key, value=value) for key, value in told.items()]
    sent.resource_spans.add().scope_spans.add().spans.append(span(attributes=pairs))
    wanted = {key: expected(value) for key, value in told.items()}
    [plain] = decode_traces(sent.SerializeToString(), "protobuf").spans
    [from_json] = decode_traces(as_json(sent), "json").spans
    assert same(plain.attributes, wanted)
    assert same(from_json.attributes, wanted)
    assert from_json.body == plain.body


spans = st.builds(
    Span, trace_id=st.binary(max_size=17), span_id=st.binary(max_size=9), parent_span_id=st.binary(max_size=9),
    name=st.text(st.characters(exclude_categories=["Cs"]), max_size=5), trace_state=st.sampled_from(["", "a=b"]),
    flags=st.integers(0, 2**32 - 1), kind=st.integers(0, 5), start_time_unix_nano=st.integers(0, 2**64 - 1),
    end_time_unix_nano=st.integers(0, 2**64 - 1), dropped_attributes_count=st.integers(0, 2**32 - 1),
    events=st.lists(st.builds(Span.Event, name=st.text("ab"), time_unix_nano=st.integers(0, 2**64 - 1)), max_size=2),
    links=st.lists(st.builds(Span.Link, trace_id=st.binary(max_size=3), flags=st.integers(0, 9)), max_size=2),
    status=st.none() | st.builds(Status, code=st.integers(0, 2), message=st.text("ab")),
)  # fmt: skip


@given(st.lists(st.lists(spans, max_size=3), max_size=3))
def test_both_encodings_keep_and_refuse_the_same_spans(scopes: list[list[Span]]) -> None:
    sent = ExportTraceServiceRequest(
        resource_spans=[ResourceSpans(scope_spans=[ScopeSpans(spans=inside) for inside in scopes])]
    )
    plain, from_json = decode_traces(sent.SerializeToString(), "protobuf"), decode_traces(as_json(sent), "json")
    assert plain == from_json
    told = [one for inside in scopes for one in inside]
    assert len(plain.spans) + len(plain.refused) == len(told)
    refused = {refusal.index for refusal in plain.refused}
    assert [Span.FromString(one.body) for one in plain.spans] == [
        one for index, one in enumerate(told) if index not in refused
    ]


def test_the_json_of_protobufs_own_writer_is_read_but_for_its_ids() -> None:
    """It writes enumerations by name and 64-bit numbers as texts."""
    sent = ExportTraceServiceRequest()
    sent.resource_spans.add().scope_spans.add().spans.append(
        span(kind=3, status=Status(code=2), trace_id=b"", span_id=b"")
    )
    text = json_format.MessageToJson(sent).replace(
        '"name"', f'"traceId":"{TRACE_ID.hex().upper()}","spanId":"{SPAN_ID.hex()}","name"'
    )
    [kept] = decode_traces(text.encode(), "json").spans
    assert (kept.trace_id, kept.span_id, kept.status_code) == (TRACE_ID.hex(), SPAN_ID.hex(), "error")
    assert Span.FromString(kept.body).kind == Span.SPAN_KIND_CLIENT
