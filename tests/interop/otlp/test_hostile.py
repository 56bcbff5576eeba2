"""Bad requests: refused in one line, span by span where that is possible, with bounded memory and never a crash."""

import random
import tracemalloc
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue, KeyValueList
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from gnomon.errors import InvalidInput, TooLarge
from gnomon.interop.otlp import details
from gnomon.interop.otlp.decoding import Encoding, decode_logs, decode_traces
from gnomon.interop.otlp.records import MAX_ATTRIBUTES, MAX_EVENTS, MAX_LINKS, MAX_SPAN_BYTES, MAX_VALUE_DEPTH
from gnomon.interop.otlp.wire import framed
from interop.otlp.samples import SPAN_ID, TRACE_ID, as_json, request, sdk_logs, sdk_request, span

TEXT = AnyValue(string_value="x")


def attribute(value: AnyValue, key: str = "a") -> KeyValue:
    return KeyValue(key=key, value=value)


def nested(levels: int) -> AnyValue:
    value = TEXT
    for _ in range(levels):
        value = AnyValue(kvlist_value=KeyValueList(values=[KeyValue(key="k", value=value)]))
    return value


def bottomless() -> bytes:
    """A value as deep as no parser of protobuf goes."""
    value = b""
    for _ in range(10_000):
        value = framed(5, framed(1, value))
    return value


def with_bad_text(field: int, message: Span) -> bytes:
    return message.SerializeToString() + framed(field, b"\xff\xfe")


BAD = {
    "a trace id of zeros": (span(trace_id=bytes(16)), "trace_id is 00000000000000000000000000000000; send 16 bytes"),
    "no trace id": (span(trace_id=b""), "trace_id is empty; send 16 bytes (32 hexadecimal digits)"),
    "a short trace id": (span(trace_id=b"\x01" * 15), f"trace_id is {'01' * 15}; send 16 bytes"),
    "a long trace id": (span(trace_id=b"\x01" * 999), f"trace_id is {('01' * 30)[:59]}…; send 16 bytes"),
    "a span id of zeros": (span(span_id=bytes(8)), "span_id is 0000000000000000; send 8 bytes"),
    "a long span id": (span(span_id=b"\x01" * 9), f"span_id is {'01' * 9}; send 8 bytes"),
    "a short parent id": (span(parent_span_id=b"\x01"), "parent_span_id is 01; send 8 bytes"),
    "a start after all times": (span(start_time_unix_nano=2**63), "start_time_unix_nano is 9223372036854775808, af"),
    "an end after all times": (span(end_time_unix_nano=2**64 - 1), "end_time_unix_nano is 18446744073709551615, af"),
    "many attributes": (span(attributes=[attribute(TEXT)] * (MAX_ATTRIBUTES + 1)), "10,001 attributes in one place"),
    "many attributes of an event": (
        span(events=[Span.Event(attributes=[attribute(TEXT)] * (MAX_ATTRIBUTES + 1))]), "10,001 attributes in one place"
    ),
    "many attributes of a link": (
        span(links=[Span.Link(attributes=[attribute(TEXT)] * (MAX_ATTRIBUTES + 1))]), "10,001 attributes in one place"
    ),
    "many events": (span(events=[Span.Event()] * (MAX_EVENTS + 1)), "10,001 events are more than 10,000; send fewer"),
    "many links": (span(links=[Span.Link()] * (MAX_LINKS + 1)), "1,001 links are more than 1,000; send fewer"),
    "a deep value": (span(attributes=[attribute(nested(MAX_VALUE_DEPTH + 1))]), "nested deeper than 30 levels; fl"),
    "a large attribute": (
        span(attributes=[attribute(AnyValue(string_value="x" * MAX_SPAN_BYTES))]),
        "it has 4,000,061 bytes, more than 4,000,000; shorten its largest part, which has 4,000,013",
    ),
}  # fmt: skip


@pytest.mark.parametrize("encoding", ["protobuf", "json"])
@pytest.mark.parametrize("name", BAD)
def test_a_bad_span_is_refused_and_the_others_are_kept(name: str, encoding: Encoding) -> None:
    bad, reason = BAD[name]
    body = request(span(name="first"), bad, span(name="last"))
    if encoding == "json":
        body = as_json(ExportTraceServiceRequest.FromString(body))
    decoded = decode_traces(body, encoding)
    assert [one.name for one in decoded.spans] == ["first", "last"]
    [refusal] = decoded.refused
    assert refusal.index == 1
    assert reason in refusal.reason
    assert refusal.reason.startswith("span ")
    assert "'chat'" in refusal.reason
    assert "\n" not in refusal.reason
    assert len(refusal.reason) < 300


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (with_bad_text(5, span()), "a text in it is not UTF-8; encode it as UTF-8 or send it as bytes"),
        (with_bad_text(3, span()), "a text in it is not UTF-8"),
        (span().SerializeToString() + framed(9, framed(1, b"\x80")), "a text in it is not UTF-8"),
        (span().SerializeToString() + framed(9, b"\x0a\x05x"), "it is not a whole protobuf message; send it again"),
        (span().SerializeToString() + b"\xff", "it is not a whole protobuf message"),
        (span().SerializeToString() + framed(9, framed(2, bottomless())), "nested deeper than 30 levels; flatten"),
    ],
)
def test_a_span_that_cannot_be_parsed_does_not_cost_the_others(raw: bytes, reason: str) -> None:
    good = framed(2, span(name="good").SerializeToString())
    decoded = decode_traces(framed(1, framed(2, good + framed(2, raw) + good)), "protobuf")
    assert [one.name for one in decoded.spans] == ["good", "good"]
    [refusal] = decoded.refused
    assert refusal.reason.startswith(f"span {SPAN_ID.hex()} ")
    assert reason in refusal.reason


def test_a_resource_that_cannot_be_parsed_costs_its_own_spans_only() -> None:
    inside = framed(2, framed(2, span().SerializeToString()))
    broken = framed(1, framed(1, framed(1, framed(1, b"\xff"))) + inside)
    decoded = decode_traces(framed(1, inside) + broken + framed(1, inside), "protobuf")
    assert len(decoded.spans) == 2
    assert [refusal.index for refusal in decoded.refused] == [1]
    assert "its resource or scope cannot be parsed" in decoded.refused[0].reason


def test_a_value_as_deep_as_allowed_is_kept_and_can_be_shown() -> None:
    deep = attribute(nested(MAX_VALUE_DEPTH))
    body = request(
        span(attributes=[deep], events=[Span.Event(attributes=[deep])], links=[Span.Link(attributes=[deep])])
    )
    [kept] = decode_traces(body, "protobuf").spans
    assert details.details(kept.body, kept.source.body).links[0]["attributes"] == kept.attributes


NOT_REQUESTS = {
    "protobuf that is cut off": ("protobuf", request(span())[:-1]),
    "JSON sent as protobuf": ("protobuf", b'{"resourceSpans":[]}'),
    "text sent as protobuf": ("protobuf", b"hello"),
    "a length beyond the end": ("protobuf", b"\x0a\xff\xff\xff\xff\x0f"),
    "a number without an end": ("protobuf", b"\x0a" + b"\xff" * 20),
    "a group": ("protobuf", b"\x0b\x0c"),
    "field 0": ("protobuf", b"\x02\x00"),
    "a fixed number that is cut off": ("protobuf", b"\x79\x00"),
    "nothing sent as JSON": ("json", b""),
    "protobuf sent as JSON": ("json", request(span())),
    "JSON that is cut off": ("json", as_json(sdk_request())[:-1]),
    "a list": ("json", b"[]"),
    "a text where a list is": ("json", b'{"resourceSpans":"x"}'),
    "spans that are not a list": ("json", b'{"resourceSpans":[{"scopeSpans":[{"spans":{}}]}]}'),
    "snake case": ("json", b'{"resource_spans":[]}'),
    "bottomless JSON": ("json", b'{"resourceSpans":' + b"[" * 100_000),
    "bottomless JSON in an unknown key": ("json", b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
}


@pytest.mark.parametrize("name", NOT_REQUESTS)
def test_what_is_no_request_is_refused_in_one_line(name: str) -> None:
    encoding, body = NOT_REQUESTS[name]
    with pytest.raises(InvalidInput) as refused:
        decode_traces(body, encoding)  # type: ignore[arg-type]
    assert "\n" not in refused.value.message
    assert len(refused.value.message) < 300


def json_spans(*spans: Any) -> bytes:
    return msgspec.json.encode({"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]})


def json_span(**fields: Any) -> dict[str, Any]:
    return {"traceId": TRACE_ID.hex(), "spanId": SPAN_ID.hex(), "name": "chat", **fields}


def json_value(**value: Any) -> dict[str, Any]:
    return json_span(attributes=[{"key": "a", "value": value}])


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (json_span(traceId="zz"), "traceId is 'zz'; write it in hexadecimal digits"),
        (json_span(traceId=" " + TRACE_ID.hex()), "write it in hexadecimal digits"),
        (json_span(spanId="abc"), "spanId is 'abc'; write it in hexadecimal digits"),
        (json_span(spanId="é" * 16), "write it in hexadecimal digits"),
        (json_span(name=5), "it is not JSON of OTLP: Expected `str | null`, got `int` - at `$.name`"),
        (json_span(startTimeUnixNano="soon"), "startTimeUnixNano is 'soon'; write a whole number"),
        (json_span(startTimeUnixNano="9" * 5000), "write a whole number"),
        (json_span(startTimeUnixNano=-1), "startTimeUnixNano is -1; write a number from 0 to 18446744073709551615"),
        (json_span(startTimeUnixNano=1.5), "startTimeUnixNano is 1.5; write a whole number"),
        (json_span(kind="SPAN_KIND_ODD"), "kind is 'SPAN_KIND_ODD'; write a whole number"),
        (json_span(flags=2**32), "flags is 4294967296; write a number from 0 to 4294967295"),
        (json_value(intValue=2**63), "intValue is 9223372036854775808; write a number from"),
        (json_value(doubleValue="many"), "doubleValue is 'many'; write a number"),
        (json_value(bytesValue="a*"), "bytesValue is 'a*'; write base64"),
        (json_value(stringValue=5), "it is not JSON of OTLP: Expected"),
        (5, "it is not JSON of OTLP: Expected `object`, got `int`"),
        (None, "it is not JSON of OTLP: Expected `object`, got `null`"),
        (json_span(trace_id=TRACE_ID.hex(), traceId=None), "trace_id is empty"),
    ],
)
def test_a_json_span_of_a_wrong_shape_is_refused_and_the_others_are_kept(bad: Any, reason: str) -> None:
    decoded = decode_traces(json_spans(json_span(), bad, json_span(unknown={"x": [1]})), "json")
    assert len(decoded.spans) == 2
    [refusal] = decoded.refused
    assert refusal.index == 1
    assert reason in refusal.reason
    assert len(refusal.reason) < 300


@pytest.mark.parametrize(
    ("told", "value"),
    [
        ({"intValue": "-5"}, -5), ({"intValue": 5}, 5), ({"intValue": 5.0}, 5), ({"doubleValue": 1}, 1.0),
        ({"doubleValue": "Infinity"}, float("inf")), ({"doubleValue": "-1.5e3"}, -1500.0),
        ({"bytesValue": "_-8"}, b"\xff\xef"),
        ({"bytesValue": "/+8="}, b"\xff\xef"), ({"arrayValue": {}}, []), ({"kvlistValue": {"values": []}}, {}),
        ({}, None), ({"stringValue": None, "boolValue": False}, False),
        ({"arrayValue": {"values": [{}, {"intValue": 1}]}}, [None, 1]),
    ],
)  # fmt: skip
def test_json_values_are_read_in_every_form_that_the_mapping_allows(told: Any, value: Any) -> None:
    decoded = decode_traces(json_spans(json_value(**told)), "json")
    assert decoded.spans[0].attributes == {"a": value}
    assert type(decoded.spans[0].attributes["a"]) is type(value)


def test_json_with_a_text_that_is_not_utf8_costs_that_span_only() -> None:
    body = json_spans(json_span(name="first"), json_span(name="BAD"), json_span(name="last"))
    decoded = decode_traces(body.replace(b"BAD", b"\xff"), "json")
    assert [one.name for one in decoded.spans] == ["first", "last"]
    assert len(decoded.refused) == 1


def test_a_json_resource_of_a_wrong_shape_costs_its_own_spans_only() -> None:
    good = {"scopeSpans": [{"scope": None, "spans": [json_span()]}], "resource": None}
    body = msgspec.json.encode({"resourceSpans": [good, {**good, "resource": {"attributes": 5}}, good]})
    decoded = decode_traces(body, "json")
    assert len(decoded.spans) == 2
    assert "its resource or scope is refused: it is not JSON of OTLP" in decoded.refused[0].reason


def test_log_records_with_ids_that_are_none_have_no_ids() -> None:
    records = [LogRecord(trace_id=bytes(16), span_id=b"\x01"), LogRecord(time_unix_nano=2**63)]
    body = framed(1, framed(2, b"".join(framed(2, one.SerializeToString()) for one in records)))
    decoded = decode_logs(body, "protobuf")
    assert [(one.trace_id, one.span_id) for one in decoded.logs] == [(None, None)]
    assert "time_unix_nano is 9223372036854775808" in decoded.refused[0].reason


# Too much of it


def peak_memory(body: bytes, encoding: Encoding, refusal: type[Exception]) -> int:
    """Of decoding a body that is refused as a whole."""
    tracemalloc.start()
    try:
        with pytest.raises(refusal):
            decode_traces(body, encoding)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "body",
    [
        framed(1, framed(2, b"\x12\x00" * 200_000)),
        b"\x0a\x00" * 200_000,
        framed(1, b"\x12\x00" * 200_000),
    ],
    ids=["spans", "resources", "scopes"],
)
def test_millions_of_empty_messages_are_refused_before_they_fill_the_memory(body: bytes) -> None:
    with pytest.raises(TooLarge, match=r"more than 1,000,000 values; send smaller batches"):
        decode_traces(body, "protobuf")


@pytest.mark.parametrize(
    "value",
    [pytest.param(b"\x0a\x02\x32\x00", marks=pytest.mark.slow, id="maps"), pytest.param(b"\x0a\x00", id="nothings")],
)
@pytest.mark.slow
def test_spans_of_millions_of_values_are_refused_before_they_fill_the_memory(value: bytes) -> None:
    many = framed(9, framed(2, framed(5, value * (2_400_000 // len(value)))))
    body = framed(1, framed(2, framed(2, span().SerializeToString() + many) * 3))
    assert peak_memory(body, "protobuf", TooLarge) < 150_000_000


def test_a_million_attributes_are_refused_without_being_read() -> None:
    body = framed(1, framed(2, framed(2, span().SerializeToString() + b"\x4a\x00" * 1_000_000)))
    tracemalloc.start()
    try:
        decoded = decode_traces(body, "protobuf")
        assert tracemalloc.get_traced_memory()[1] < 3 * len(body)
    finally:
        tracemalloc.stop()
    assert "1,000,000 attributes in one place are more than 10,000; send fewer" in decoded.refused[0].reason


def test_json_of_millions_of_objects_is_refused_before_they_are_made() -> None:
    body = b'{"resourceSpans":[' + b"{}," * 1_000_001 + b"{}]}"
    assert peak_memory(body, "json", TooLarge) < 1_000_000


# Anything at all


def survives(body: bytes, encoding: Encoding) -> None:
    """Whatever the bytes: an answer that can be shown, or one of the two refusals."""
    for decode in (decode_traces, decode_logs):
        try:
            decoded = decode(body, encoding)
        except (InvalidInput, TooLarge):
            continue
        for one in getattr(decoded, "spans", []):
            msgspec.json.encode(details.details(one.body, one.source.body))
        assert all("\n" not in refusal.reason for refusal in decoded.refused)


@given(st.binary(max_size=300))
def test_no_bytes_break_the_decoder(body: bytes) -> None:
    survives(body, "protobuf")
    survives(body, "json")
    survives(framed(1, framed(2, framed(2, body))), "protobuf")


KEYS = [
    "traceId", "spanId", "name", "kind", "status", "code", "events", "links", "flags", "attributes", "key", "value",
    "values", "stringValue", "intValue", "doubleValue", "bytesValue", "arrayValue", "kvlistValue",
]  # fmt: skip
json_things = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.text(max_size=5)),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(KEYS), inner, max_size=5,
    ),
    max_leaves=12,
)  # fmt: skip


@given(json_things)
def test_no_json_breaks_the_decoder(thing: Any) -> None:
    survives(json_spans(thing, {**json_span(), **(thing if isinstance(thing, dict) else {})}), "json")
    survives(msgspec.json.encode({"resourceSpans": [{"resource": thing, "scopeSpans": [{"spans": [{}]}]}]}), "json")
    survives(msgspec.json.encode({"resourceSpans": thing, "resourceLogs": thing}), "json")


def mutations(body: bytes, chance: random.Random) -> bytes:
    """The body with a few bytes changed, cut, repeated or moved."""
    changed = bytearray(body)
    for _ in range(chance.randint(1, 4)):
        at, size = chance.randrange(len(changed)), chance.randint(1, 30)
        match chance.randrange(5):
            case 0:
                changed[at] = chance.randrange(256)
            case 1:
                changed[at] ^= 1 << chance.randrange(8)
            case 2:
                del changed[at : at + size]
            case 3:
                changed[at:at] = changed[at : at + size]
            case 4:
                changed[at:at] = chance.randbytes(size)
        changed = changed or bytearray(b"\x00")
    return bytes(changed)


@pytest.mark.parametrize("encoding", ["protobuf", "json"])
def test_no_mutation_of_a_real_request_breaks_the_decoder(encoding: Encoding) -> None:
    chance = random.Random(17)
    for sent in (sdk_request(), sdk_logs()):
        body = sent.SerializeToString() if encoding == "protobuf" else as_json(sent)
        for _ in range(1500):
            survives(mutations(body, chance), encoding)
        for size in range(0, len(body), 7):
            survives(body[:size], encoding)


def test_no_mutation_of_a_real_span_in_a_whole_request_breaks_the_decoder() -> None:
    chance = random.Random(18)
    for one in decode_traces(sdk_request().SerializeToString(), "protobuf").spans:
        for _ in range(1500):
            inside = framed(2, mutations(one.body, chance)) + framed(2, one.body)
            body = framed(1, framed(1, mutations(one.source.body, chance)) + framed(2, inside))
            survives(body, "protobuf")
            survives(framed(1, framed(2, inside)), "protobuf")
