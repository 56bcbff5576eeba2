"""Spans and scores that leave by OTLP: a span that came in by OTLP leaves as it came, and scores by the conventions."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, InstrumentationScope, KeyValue, KeyValueList
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span, Status

from gnomon.interop.otlp.decoding import decode_traces
from gnomon.interop.otlp.encoding import request_of
from gnomon.interop.otlp.outgoing import Evaluation, json_line, log_record, logs_request, outgoing_span
from gnomon.model.score import Score, ScoringState
from gnomon.model.trace import Span as NativeSpan
from gnomon.service.traces.traces import _otel_fields

AT = datetime(2026, 2, 21, 22, tzinfo=UTC)
NANOSECONDS = 1_771_711_200_000_000_000
TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)
values = st.recursive(
    st.builds(AnyValue, string_value=texts)
    | st.builds(AnyValue, bool_value=st.booleans())
    | st.builds(AnyValue, int_value=st.integers(-(2**63), 2**63 - 1))
    | st.builds(AnyValue, double_value=st.floats(allow_nan=False, allow_infinity=False))
    | st.builds(AnyValue, bytes_value=st.binary(max_size=4)),
    lambda inner: (
        st.builds(AnyValue, array_value=st.builds(ArrayValue, values=st.lists(inner, max_size=2)))
        | st.builds(
            AnyValue,
            kvlist_value=st.dictionaries(texts.filter(lambda key: key != "bytes"), inner, max_size=2).map(
                lambda pairs: KeyValueList(values=[KeyValue(key=key, value=value) for key, value in pairs.items()])
            ),
        )
    ),
    max_leaves=4,
)
attributes = st.dictionaries(texts, values, max_size=3).map(
    lambda pairs: [KeyValue(key=key, value=value) for key, value in pairs.items()]
)
ids = {size: st.binary(min_size=size, max_size=size).filter(any) for size in (8, 16)}
times = st.integers(NANOSECONDS, NANOSECONDS + 10**12)
otlp_spans = st.builds(
    Span,
    trace_id=ids[16],
    span_id=ids[8],
    parent_span_id=st.just(b"") | ids[8],
    trace_state=st.sampled_from(["", "vendor=1"]),
    name=texts.filter(bool),
    kind=st.sampled_from(range(6)),
    start_time_unix_nano=times,
    end_time_unix_nano=times.map(lambda time: time + 10**12),
    attributes=attributes,
    events=st.lists(st.builds(Span.Event, name=texts, time_unix_nano=times, attributes=attributes), max_size=2),
    links=st.lists(st.builds(Span.Link, trace_id=ids[16], span_id=ids[8], attributes=attributes), max_size=2),
    status=st.builds(Status, code=st.sampled_from(range(3)), message=texts),
)


def shown(span: bytes, source: bytes) -> NativeSpan:
    """A stored span with the fields that a reader is shown of it, as the service makes them."""
    message = Span.FromString(span)
    row = {"id": message.span_id.hex(), "trace_id": message.trace_id.hex(), "name": message.name}
    return native(**row, parent_span_id=message.parent_span_id.hex() or None, **_otel_fields(span, source, ()))


@given(otlp_spans, attributes, attributes)
def test_a_span_that_came_by_otlp_leaves_as_it_came(
    span: Span, of_resource: list[KeyValue], of_scope: list[KeyValue]
) -> None:
    scope = InstrumentationScope(name="library", version="1.2", attributes=of_scope)
    source = ResourceSpans(resource=Resource(attributes=of_resource), scope_spans=[ScopeSpans(scope=scope)])
    sent = request_of([(span.SerializeToString(), source.SerializeToString())])
    [received] = decode_traces(sent, "protobuf").spans
    out = outgoing_span(shown(received.body, received.source.body), "p")
    [again] = decode_traces(request_of([(out.body, out.source)]), "protobuf").spans
    assert Span.FromString(again.body) == Span.FromString(received.body)
    assert ResourceSpans.FromString(again.source.body) == ResourceSpans.FromString(received.source.body)


def native(**about: Any) -> NativeSpan:
    fields: dict[str, Any] = {
        "id": SPAN, "trace_id": TRACE, "parent_span_id": None, "name": "answer", "input": "q", "output": None,
        "start_time": AT, "end_time": AT, "duration_ms": 0.0, "tokens_input": 3, "tokens_output": None, "model": "m",
        "metadata": {"k": 1}, "error": None,
    }  # fmt: skip
    return NativeSpan(**(fields | about))


def score(value: float | str, **about: Any) -> Score:
    fields: dict[str, Any] = {
        "id": "s", "project_id": "p", "target_id": SPAN, "target_type": "span", "trace_id": TRACE,
        "scorer_name": "helpful", "value": value, "rationale": None, "source": "api", "scorer": None, "config": None,
        "config_hash": None, "metadata": None, "created_at": AT,
    }  # fmt: skip
    return Score(**(fields | about))


STATE = ScoringState(
    target_id=SPAN, target_type="span", trace_id=TRACE, scorer_name="tone", config_hash=None, state="failed",
    reason="the judge said nothing", job_id=None, updated_at=AT,
)  # fmt: skip


def told(pairs: Any) -> dict[str, Any]:
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in pairs}


def evaluation(found: Score | ScoringState) -> Evaluation:
    made = Evaluation.of(found)
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("found", "attributes"),
    [
        (score(0.5, rationale="why"), {"gen_ai.evaluation.score.value": 0.5, "gen_ai.evaluation.explanation": "why"}),
        (score("calm", metadata={"n": 1}), {"gen_ai.evaluation.score.label": "calm", "gnomon.metadata": '{"n":1}'}),
        (STATE, {"gnomon.failed": "the judge said nothing"}),
    ],
)  # fmt: skip
def test_a_score_is_a_log_record_on_its_span(found: Score | ScoringState, attributes: dict[str, Any]) -> None:
    request = ExportLogsServiceRequest.FromString(logs_request([log_record(evaluation(found))], "p"))
    [resource] = request.resource_logs
    [record] = resource.scope_logs[0].log_records
    assert told(resource.resource.attributes) == {"gnomon.project": "p"}
    assert (record.event_name, record.trace_id.hex(), record.span_id.hex()) == ("gen_ai.evaluation.result", TRACE, SPAN)
    assert record.time_unix_nano == NANOSECONDS
    assert told(record.attributes) == {"gen_ai.evaluation.name": found.scorer_name, **attributes}


def test_what_is_not_decided_yet_does_not_leave() -> None:
    assert Evaluation.of(STATE.model_copy(update={"state": "queued"})) is None


def test_in_a_file_scores_are_events_of_their_span_and_ids_are_hexadecimal() -> None:
    out = outgoing_span(native(), "p", [evaluation(score(1.0)), evaluation(STATE)])
    line = json_line(request_of([(out.body, out.source)]))
    assert line.endswith(b"\n")
    [resource] = json.loads(line)["resourceSpans"]
    [span] = resource["scopeSpans"][0]["spans"]
    assert (span["traceId"], span["spanId"], span["kind"]) == (TRACE, SPAN, 1)
    assert [event["name"] for event in span["events"]] == ["gen_ai.evaluation.result"] * 2
    value = {"key": "gen_ai.evaluation.score.value", "value": {"doubleValue": 1.0}}
    assert value in span["events"][0]["attributes"]


def test_a_line_of_a_file_is_a_request_that_a_receiver_takes() -> None:
    out = outgoing_span(native(error={"message": "bad"}), "p")
    request = request_of([(out.body, out.source)])
    [by_json] = decode_traces(json_line(request), "json").spans
    [by_protobuf] = decode_traces(request, "protobuf").spans
    assert Span.FromString(by_json.body) == Span.FromString(by_protobuf.body)


def test_ids_that_are_not_opentelemetrys_are_the_same_on_a_span_and_on_its_scores() -> None:
    out = outgoing_span(native(id="step 1", trace_id="my trace"), "p")
    span = (
        ExportTraceServiceRequest.FromString(request_of([(out.body, out.source)]))
        .resource_spans[0]
        .scope_spans[0]
        .spans[0]
    )
    record = log_record(evaluation(score(1.0, target_id="step 1", trace_id="my trace")))
    logs = ExportLogsServiceRequest.FromString(logs_request([record], None))
    [log] = logs.resource_logs[0].scope_logs[0].log_records
    assert (log.trace_id, log.span_id) == (span.trace_id, span.span_id)
    assert (len(span.trace_id), len(span.span_id)) == (16, 8)
