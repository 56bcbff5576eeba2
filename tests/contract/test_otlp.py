"""POST /v1/traces: what OpenTelemetry says of a span comes back as told, and sending it again changes nothing."""

import base64
import gzip
import itertools
import json
import math
import secrets
from typing import Any

import pytest
import requests
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import InstrumentationScope
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span, Status
from opentelemetry.sdk.resources import Resource as SdkResource
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.trace import Link, SpanContext, SpanKind, StatusCode, TraceFlags

from contract import otlp
from contract.caller import Api, Refusal, expect, fresh_project
from contract.caller import span as native
from contract.otlp import ALL_TAKEN, JSON, PROTOBUF, SCORE, START, TRACE, evaluation, span, span_id

LARGE = 2**63 - 1
MODEL_CALL = {
    "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-4o",
    "gen_ai.usage.input_tokens": 1000, "gen_ai.usage.output_tokens": 100,
}  # fmt: skip


# --- what was told comes back -----


@pytest.mark.parametrize("compression", [Compression.NoCompression, Compression.Gzip])
def test_what_the_sdk_of_opentelemetry_sends_comes_back(api, server, compression):
    """The real exporter: protobuf over HTTP, plain and as gzip."""
    provider = _provider(api, server.url, compression)
    tracer = provider.get_tracer("my.scope", "1.2.3", attributes={"scope.key": "v"})
    elsewhere = SpanContext(0xABC, 0xDEF, True, TraceFlags(1))
    links = [Link(elsewhere, {"why": "retry"})]
    attributes = {"text": "ä", "n": LARGE, "x": 0.5, "on": True, "many": ["a", "b"], "numbers": [1, 2]}
    first = {"too early": 1, **attributes}
    with tracer.start_as_current_span(
        "root", kind=SpanKind.SERVER, attributes=first, links=links, start_time=START
    ) as root:
        root.add_event("cache miss", {"key": "k", "sizes": [1, 2]}, timestamp=START + 7)
        with tracer.start_as_current_span("child", kind=SpanKind.CLIENT) as child:
            child.set_status(StatusCode.ERROR, "no answer")
        root.set_attribute("one too many", 1)
        told, inner = root.get_span_context(), child.get_span_context()
    provider.shutdown()
    trace = otlp.trace_of(api, f"{told.trace_id:032x}")
    assert (trace["span_count"], trace["root_span_id"], trace["name"]) == (2, f"{told.span_id:016x}", "root")
    spans = {one["id"]: one for one in trace["spans"]}
    kept, below = spans[f"{told.span_id:016x}"], spans[f"{inner.span_id:016x}"]
    # Of more attributes than its limit the SDK drops the oldest, and says how many.
    assert (kept["attributes"], kept["dropped"]) == ({**attributes, "one too many": 1}, {"attributes": 1})
    assert (kept["kind"], kept["start_time_unix_nano"]) == ("server", str(START))
    assert kept["status"] == {"code": "unset", "message": None}
    (event,) = kept["events"]
    assert (event["name"], event["time_unix_nano"]) == ("cache miss", str(START + 7))
    assert event["attributes"] == {"key": "k", "sizes": [1, 2]}
    (link,) = kept["links"]
    assert (link["trace_id"], link["span_id"]) == (f"{0xABC:032x}", f"{0xDEF:016x}")
    assert link["attributes"] == {"why": "retry"}
    assert (kept["scope"]["name"], kept["scope"]["version"]) == ("my.scope", "1.2.3")
    assert kept["scope"]["attributes"] == {"scope.key": "v"}
    assert kept["resource"]["service.name"] == "shop"
    assert below["parent_span_id"] == kept["id"]
    assert (below["kind"], below["status"]) == ("client", {"code": "error", "message": "no answer"})
    assert below["error"]["message"] == "no answer"


def _provider(api: Api, url: str, compression: Compression) -> TracerProvider:
    session = requests.Session()
    session.trust_env = False  # past all proxies
    exporter = OTLPSpanExporter(
        f"{url}/v1/traces", headers={"authorization": f"Bearer {api.key}"}, compression=compression, session=session
    )
    provider = TracerProvider(
        resource=SdkResource.create({"service.name": "shop"}), span_limits=SpanLimits(max_span_attributes=7)
    )
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider


ATTRIBUTES = {
    "text": "ä\n", "empty": "", "true": True, "false": False, "zero": 0, "large": LARGE, "small": -LARGE - 1,
    "half": 0.5, "nothing": None, "list": ["a", 1, 0.5, True, None, ["b"]], "no items": [],
    "map": {"a": {"b": [1, {"c": "d"}]}}, "no keys": {}, "bytes": b"\x00\xff",
    "nan": math.nan, "inf": math.inf, "minus": [-math.inf],
}  # fmt: skip
SHOWN = {
    **ATTRIBUTES, "bytes": {"bytes": base64.b64encode(b"\x00\xff").decode()}, "nan": "NaN", "inf": "Infinity",
    "minus": ["-Infinity"],
}  # fmt: skip


def full_span() -> Span:
    """A span that says everything that one can say."""
    return span(
        attributes=ATTRIBUTES, kind=Span.SPAN_KIND_PRODUCER, trace_state="vendor=x,other=y", flags=0x101,
        status=Status(code=Status.STATUS_CODE_OK, message="well"), dropped_attributes_count=1,
        dropped_events_count=2, dropped_links_count=2**32 - 1,
        events=[Span.Event(name="e", time_unix_nano=START + 1, attributes=otlp.pairs(ATTRIBUTES),
                           dropped_attributes_count=4), Span.Event(name="bare")],
        links=[Span.Link(trace_id=b"\xaa" * 16, span_id=b"\xbb" * 8, trace_state="a=b", flags=1,
                         attributes=otlp.pairs(ATTRIBUTES), dropped_attributes_count=5)],
    )  # fmt: skip


def full_request() -> ExportTraceServiceRequest:
    scope = InstrumentationScope(
        name="s", version="2", attributes=otlp.pairs(ATTRIBUTES), dropped_attributes_count=6
    )  # fmt: skip
    inner = ScopeSpans(scope=scope, spans=[full_span()], schema_url="https://opentelemetry.io/schemas/1.30.0")
    resource = Resource(attributes=otlp.pairs({"service.name": "shop", **ATTRIBUTES}))
    return ExportTraceServiceRequest(resource_spans=[ResourceSpans(resource=resource, scope_spans=[inner])])


def check_full(kept: dict[str, Any]) -> None:
    start = START + otlp.SECOND
    assert (kept["id"], kept["trace_id"]) == (span_id(1), TRACE)
    assert (kept["start_time_unix_nano"], kept["end_time_unix_nano"]) == (str(start), str(start + otlp.SECOND))
    assert kept["duration_ms"] == 1000
    assert (kept["kind"], kept["status"]) == ("producer", {"code": "ok", "message": "well"})
    assert (kept["trace_state"], kept["flags"]) == ("vendor=x,other=y", 0x101)
    assert kept["dropped"] == {"attributes": 1, "events": 2, "links": 2**32 - 1}
    assert _typed(kept["attributes"]) == _typed(SHOWN)
    assert _typed(kept["resource"]) == _typed({"service.name": "shop", **SHOWN})
    assert _typed(kept["events"]) == _typed([
        {"name": "e", "time_unix_nano": str(START + 1), "attributes": SHOWN, "dropped_attributes_count": 4},
        {"name": "bare", "time_unix_nano": None, "attributes": {}, "dropped_attributes_count": 0},
    ])  # fmt: skip
    assert _typed(kept["links"]) == _typed([
        {"trace_id": "aa" * 16, "span_id": "bb" * 8, "trace_state": "a=b", "attributes": SHOWN, "flags": 1,
         "dropped_attributes_count": 5}
    ])  # fmt: skip
    assert _typed(kept["scope"]) == _typed(
        {"name": "s", "version": "2", "attributes": SHOWN, "dropped_attributes_count": 6}
    )


def _typed(value: Any) -> str:
    """As text, in which 1, 1.0 and true are not the same."""
    return json.dumps(value, sort_keys=True)


def test_a_span_in_protobuf_comes_back_with_all_that_it_says(api):
    answer = otlp.post(api, "/traces", full_request().SerializeToString())
    assert (otlp.taken(answer), answer.content) == (ALL_TAKEN, b"")
    check_full(otlp.spans_of(api)[1])


def test_the_numbers_of_a_span_are_exact(api):
    """64 bits are more than a double holds, so the text of the answer is looked at."""
    otlp.send(api, full_span())
    written = api.get(f"/traces/{TRACE}").text
    for number in (LARGE, -LARGE - 1):
        assert f":{number}," in written


JSON_VALUES = [
    {"key": "text", "value": {"stringValue": "ä\n"}}, {"key": "empty", "value": {"stringValue": ""}},
    {"key": "true", "value": {"boolValue": True}}, {"key": "false", "value": {"boolValue": False}},
    {"key": "zero", "value": {"intValue": 0}}, {"key": "large", "value": {"intValue": str(LARGE)}},
    {"key": "small", "value": {"intValue": str(-LARGE - 1)}}, {"key": "half", "value": {"doubleValue": 0.5}},
    {"key": "nothing", "value": {}},
    {"key": "list", "value": {"arrayValue": {"values": [
        {"stringValue": "a"}, {"intValue": "1"}, {"doubleValue": 0.5}, {"boolValue": True}, {},
        {"arrayValue": {"values": [{"stringValue": "b"}]}}]}}},
    {"key": "no items", "value": {"arrayValue": {"values": []}}},
    {"key": "map", "value": {"kvlistValue": {"values": [{"key": "a", "value": {"kvlistValue": {"values": [
        {"key": "b", "value": {"arrayValue": {"values": [{"intValue": 1}, {"kvlistValue": {"values": [
            {"key": "c", "value": {"stringValue": "d"}}]}}]}}}]}}}]}}},
    {"key": "no keys", "value": {"kvlistValue": {}}},
    {"key": "bytes", "value": {"bytesValue": base64.b64encode(b"\x00\xff").decode()}},
    {"key": "nan", "value": {"doubleValue": "NaN"}}, {"key": "inf", "value": {"doubleValue": "Infinity"}},
    {"key": "minus", "value": {"arrayValue": {"values": [{"doubleValue": "-Infinity"}]}}},
]  # fmt: skip


def json_request() -> dict[str, Any]:
    """`full_request` as a program writes it that knows only the protocol's JSON."""
    start = START + otlp.SECOND
    told = {
        "traceId": TRACE.upper(), "spanId": span_id(1), "name": "step", "kind": 4, "traceState": "vendor=x,other=y",
        "flags": 0x101, "startTimeUnixNano": str(start), "endTimeUnixNano": str(start + otlp.SECOND),
        "attributes": JSON_VALUES, "status": {"code": 1, "message": "well"}, "droppedAttributesCount": 1,
        "droppedEventsCount": 2, "droppedLinksCount": 2**32 - 1, "unknownKey": {"is": "ignored"},
        "events": [{"name": "e", "timeUnixNano": str(START + 1), "attributes": JSON_VALUES,
                    "droppedAttributesCount": 4}, {"name": "bare"}],
        "links": [{"traceId": "AA" * 16, "spanId": "bb" * 8, "traceState": "a=b", "attributes": JSON_VALUES,
                   "flags": 1, "droppedAttributesCount": 5}],
    }  # fmt: skip
    scope = {"name": "s", "version": "2", "attributes": JSON_VALUES, "droppedAttributesCount": 6}
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}, *JSON_VALUES]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": [told]}]}]}


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_span_in_json_comes_back_with_all_that_it_says(api, packed):
    content = json.dumps(json_request()).encode()
    headers = {"content_encoding": "gzip"} if packed else {}
    answer = otlp.post(api, "/traces", gzip.compress(content) if packed else content, JSON, **headers)
    assert (otlp.taken(answer), answer.json()) == (ALL_TAKEN, {})
    check_full(otlp.spans_of(api)[1])


def test_the_same_span_in_json_and_protobuf_is_one_span(api):
    otlp.post(api, "/traces", full_request().SerializeToString())
    before = api.stored()
    otlp.taken(otlp.post(api, "/traces", json.dumps(json_request()).encode(), f"{JSON}; charset=utf-8"))
    assert api.stored() == before


def test_protobuf_as_gzip_is_taken(api):
    assert otlp.send_gzip(api, span(1), span(2, parent=1)) == ALL_TAKEN
    assert set(otlp.spans_of(api)) == {1, 2}


def test_an_empty_request_is_taken_and_makes_no_project(root):
    for content, kind in ((b"", PROTOBUF), (b"{}", JSON), (otlp.traces().SerializeToString(), PROTOBUF)):
        assert otlp.taken(otlp.post(root, "/traces", content, kind)) == ALL_TAKEN


def test_times_are_shown_as_told(api):
    """A span may have no end yet, and clocks may be set back."""
    otlp.send(api, span(1, end=0), span(2, start=START, end=START - 1), span(3, start=0, end=5))
    open_, reversed_, old = (otlp.spans_of(api)[number] for number in (1, 2, 3))
    assert (open_["end_time"], open_["end_time_unix_nano"], open_["duration_ms"]) == (None, None, None)
    assert (reversed_["end_time_unix_nano"], reversed_["duration_ms"]) == (str(START - 1), None)
    assert (old["start_time"], old["start_time_unix_nano"]) == ("1970-01-01T00:00:00.000Z", None)
    assert old["end_time_unix_nano"] == "5"


# --- projects -----


def test_a_key_that_is_bound_to_a_project_wins_over_the_resource(api, root):
    otlp.send(api, span(), resource={"gnomon.project": "another", "service.name": "shop"})
    assert otlp.trace_of(api)["project_id"] == api.project
    assert "another" not in {project["id"] for project in root.items("/projects")}


@pytest.mark.parametrize(
    ("resource", "project"),
    [
        ({"gnomon.project": "{}-g", "openinference.project.name": "o", "service.name": "s"}, "{}-g"),
        ({"openinference.project.name": "{}-o", "service.name": "s"}, "{}-o"),
        ({"service.name": "{}-s"}, "{}-s"),
        ({"gnomon.project": "", "service.name": "{}-e"}, "{}-e"),
        ({"gnomon.project": 7, "service.name": "{}-n"}, "{}-n"),
        ({"service.name": "{} my shop/ä"}, "{}-my-shop--"),
        ({"service.name": "{}-" + "x" * 200}, "{}-" + "x" * 103),
        ({}, "unknown_service"),
    ],
)
def test_a_key_of_all_projects_goes_by_the_resource(root, resource, project):
    own = fresh_project()
    told = {key: text.format(own) if isinstance(text, str) else text for key, text in resource.items()}
    trace = secrets.token_hex(16)
    otlp.send(root, span(trace=trace), resource=told)
    kept = otlp.trace_of(root, trace)
    assert kept["project_id"] == project.format(own)
    assert len(kept["project_id"]) <= 128


def test_a_project_that_the_request_names_wins_over_the_resource(root, api):
    own, trace = fresh_project(), secrets.token_hex(16)
    content = otlp.traces(span(trace=trace), resource={"gnomon.project": "another"}).SerializeToString()
    assert otlp.taken(otlp.post(root, f"/traces?project_id={own}", content)) == ALL_TAKEN
    assert otlp.trace_of(root, trace)["project_id"] == own
    record = otlp.log(otlp.SCORE, otlp.evaluation("tone", 0.5), trace=trace)
    told = otlp.logs(record, resource={"gnomon.project": "another"}).SerializeToString()
    assert otlp.taken(otlp.post(root, f"/logs?project_id={own}", told)) == ALL_TAKEN
    assert [score["project_id"] for score in root.scores(otlp.span_id(1), "span", trace_id=trace)] == [own]
    assert otlp.taken(otlp.post(api, f"/traces?project_id={api.project}", content)) == ALL_TAKEN


@pytest.mark.parametrize("path", ["/traces", "/logs"])
def test_a_project_that_is_not_the_keys_own_or_none_is_refused(root, api, stranger, path):
    before = api.stored()
    for content in (b"", otlp.traces(span()).SerializeToString()):
        found = otlp.refused(otlp.post(stranger, f"{path}?project_id={api.project}", content))
        assert (found.status, found.message) == (404, f"project {api.project!r} does not exist")
        for wrong in ("", "a%20b", "x" * 129):
            found = otlp.refused(otlp.post(root, f"{path}?project_id={wrong}", content))
            assert found.status == 400
            assert "1 to 128 letters" in found.message
    assert api.stored() == before


def test_one_request_may_bring_spans_of_several_projects(root):
    names, trace = [fresh_project(), fresh_project()], secrets.token_hex(16)
    parts = [otlp.traces(span(trace=trace), resource={"service.name": name}) for name in names]
    content = b"".join(part.SerializeToString() for part in parts)  # messages one after the other are one message
    assert otlp.taken(otlp.post(root, "/traces", content)) == ALL_TAKEN
    assert [root.read(f"/traces/{trace}", project_id=name)["project_id"] for name in names] == names
    assert Refusal.of(root.get(f"/traces/{trace}")).said == (409, "AMBIGUOUS_TARGET")


def test_a_trace_of_another_project_stays_as_it_is(api, stranger):
    otlp.send(api, span(1, attributes=MODEL_CALL))
    before = api.stored()
    otlp.send(stranger, span(1, name="theirs"), span(2, parent=1))
    assert api.stored() == before
    assert otlp.trace_of(stranger)["span_count"] == 2


# --- sent again -----


def scored_call(number: int = 1, **fields: Any) -> Span:
    return span(
        number, attributes={**MODEL_CALL, "session.id": "s1"},
        events=[otlp.event(SCORE, evaluation("tone", 0.5)), otlp.event(SCORE, evaluation("kind", "polite"))], **fields,
    )  # fmt: skip


def test_what_is_sent_again_is_accepted_and_changes_nothing(api):
    call = scored_call(status=Status(code=Status.STATUS_CODE_ERROR, message="broke"))
    otlp.send(api, call, span(2, parent=1))
    before, scored = api.stored(), otlp.scores_of(api)
    trace = otlp.trace_of(api)
    assert (trace["span_count"], trace["tokens"], trace["has_error"]) == (2, 1100, True)
    assert trace["cost_usd"] > 0
    for resent in ([call], [call, span(2, parent=1)], [span(2, parent=1)] * 3):
        assert otlp.send(api, *resent) == ALL_TAKEN
    assert (api.stored(), otlp.scores_of(api)) == (before, scored)


def test_a_span_that_comes_twice_in_one_request_is_one_span_with_its_scores_once(api):
    assert otlp.send(api, scored_call(), scored_call()) == ALL_TAKEN
    trace = otlp.trace_of(api)
    assert (trace["span_count"], trace["tokens"]) == (1, 1100)
    assert otlp.values_of(otlp.scores_of(api)) == [("kind", "polite"), ("tone", 0.5)]


def test_a_stored_span_is_not_changed_by_one_that_says_something_else(api):
    """Neither what it says, nor what is found by it, also when it comes beside a new span."""
    otlp.send(api, span(1, name="first", attributes={"session.id": "s1"}))
    before = otlp.spans_of(api)[1]
    otlp.send(api, span(1, name="second", attributes={"session.id": "a0", **MODEL_CALL}), span(2, parent=1))
    trace = otlp.trace_of(api)
    assert otlp.spans_of(api)[1] == before
    assert (trace["name"], trace["tokens"], trace["model"], trace["conversation_id"]) == ("first", 0, None, "s1")
    assert api.ids("/traces", **{"metadata.session.id": "a0"}) == []


def test_a_new_span_beside_old_ones_is_added(api):
    otlp.send(api, scored_call())
    otlp.send(api, scored_call(), scored_call(2, parent=1))
    trace = otlp.trace_of(api)
    assert (trace["span_count"], trace["tokens"]) == (2, 2200)
    assert len(otlp.scores_of(api, 1)) == len(otlp.scores_of(api, 2)) == 2


def test_a_deleted_trace_may_come_again(api):
    otlp.send(api, scored_call())
    expect(200, api.delete(f"/traces/{TRACE}"))
    assert otlp.scores_of(api) == []
    otlp.send(api, scored_call())
    assert otlp.trace_of(api)["span_count"] == 1
    assert len(otlp.scores_of(api)) == 2


# --- in part -----


def test_bad_spans_are_named_and_counted_and_the_good_ones_kept(api):
    short = span(7, name="short")
    short.span_id = b"\x01\x02"
    zero = span(8, name="zero")
    zero.trace_id = bytes(16)
    told = otlp.send(api, span(1), short, span(2, parent=1), zero)
    assert told.rejected == 2
    assert told.message.startswith("[1] span 0102 'short': span_id is 0102; send 8 bytes")
    assert "[3] span 0000000000000008 'zero': trace_id is 00000" in told.message
    assert set(otlp.spans_of(api)) == {1, 2}


def test_in_json_bad_spans_are_told_in_json(api):
    request = json_request()
    spans = request["resourceSpans"][0]["scopeSpans"][0]["spans"]
    spans += [{"traceId": "xyz", "spanId": span_id(2), "name": "odd"}, {"traceId": 7}, "no span"]
    told = otlp.taken(otlp.post(api, "/traces", json.dumps(request).encode(), JSON))
    assert told.rejected == 3
    assert "[1] span 0000000000000002 'odd': traceId is 'xyz'; write it in hexadecimal digits" in told.message
    check_full(otlp.spans_of(api)[1])


def test_of_many_bad_spans_the_first_are_told_and_all_are_counted(api):
    bad = [span(number) for number in range(1, 101)]
    for one in bad:
        one.trace_id = b""
    told = otlp.send(api, *bad, span(500))
    assert told.rejected == 100
    assert told.message.endswith("and 95 more")
    assert set(otlp.spans_of(api)) == {500}


def test_a_score_on_another_scale_is_told_and_its_span_is_kept(api):
    bad = [otlp.event(SCORE, evaluation("stars", 4.5)), otlp.event(SCORE, evaluation("tone", 1.0))]
    told = otlp.send(api, span(events=bad))
    assert told.rejected == 0
    assert told.message.startswith("1 evaluation results are neither scores in [0, 1]")
    assert otlp.values_of(otlp.scores_of(api)) == [("tone", 1.0)]


# --- traces grow -----

FAMILY = {1: span(1, name="root"), 2: span(2, parent=1), 3: span(3, parent=2)}


@pytest.mark.parametrize("order", list(itertools.permutations([1, 2, 3])), ids=lambda order: "-".join(map(str, order)))
def test_spans_come_in_any_order_over_many_requests(api, order):
    for number in order:
        otlp.send(api, FAMILY[number])
    trace = otlp.trace_of(api)
    assert (trace["root_span_id"], trace["span_count"], trace["name"]) == (span_id(1), 3, "root")
    assert trace["started_at"] == otlp.spans_of(api)[1]["start_time"]


@pytest.mark.parametrize("order", [[1, 2], [2, 1]])
def test_of_several_roots_the_earliest_is_the_trace_s(api, order):
    roots = {1: span(1, name="first"), 2: span(2, name="second")}
    for number in order:
        otlp.send(api, roots[number])
    trace = otlp.trace_of(api)
    assert (trace["span_count"], trace["root_span_id"], trace["name"]) == (2, span_id(1), "first")


def test_orphans_are_kept_and_a_late_parent_takes_its_place(api):
    otlp.send(api, span(5, parent=4))
    assert (otlp.trace_of(api)["root_span_id"], otlp.trace_of(api)["name"]) == (None, None)
    otlp.send(api, span(9, parent=8))
    otlp.send(api, span(4, name="late"))
    trace = otlp.trace_of(api)
    assert (trace["root_span_id"], trace["name"], trace["span_count"]) == (span_id(4), "late", 3)
    assert otlp.spans_of(api)[9]["parent_span_id"] == span_id(8)


def test_a_ring_of_parents_is_kept_as_told(api):
    otlp.send(api, span(1, parent=2), span(2, parent=1), span(3, parent=3))
    assert otlp.trace_of(api)["span_count"] == 3


# --- beside native ingest -----


def native_child(number: int, **fields: Any) -> dict[str, Any]:
    return native(span_id(number), TRACE, parent_span_id=span_id(1), **fields)


def test_native_spans_and_opentelemetry_s_make_one_trace(api):
    otlp.send(api, span(1))
    api.trace(native_child(2, tokens_input=5))
    otlp.send(api, span(3, parent=2, attributes=MODEL_CALL))
    trace = otlp.trace_of(api)
    assert (trace["span_count"], trace["tokens"], trace["root_span_id"]) == (3, 1105, span_id(1))
    spans = otlp.spans_of(api)
    assert (spans[2]["attributes"], spans[2]["status"], spans[2]["events"]) == (None, None, None)
    assert spans[3]["attributes"] == MODEL_CALL


def test_natively_a_span_of_opentelemetry_is_a_duplicate(api):
    otlp.send(api, span(1), span(2, parent=1))
    refused = api.refusal("POST", "/traces/ingest", {"spans": [native_child(2), native_child(3)]})
    assert refused.said == (409, "DUPLICATE_SPAN")
    assert [error["index"] for error in refused.errors] == [0]


def test_natively_a_second_root_beside_opentelemetry_s_is_refused(api):
    otlp.send(api, span(1))
    refused = api.refusal("POST", "/traces/ingest", {"spans": [native(span_id(2), TRACE)]})
    assert refused.said[0] in (400, 409)


def test_a_native_span_stays_when_opentelemetry_sends_its_id(api):
    api.trace(native(span_id(1), TRACE, tokens_input=5))
    before = api.stored()
    assert otlp.send(api, span(1, name="other", attributes=MODEL_CALL)) == ALL_TAKEN
    assert api.stored() == before


# --- scores -----


def test_a_score_names_its_span_by_trace_and_span(api):
    otlp.send(api, span(1))
    expect(201, api.score(span_id(1), "tone", "span", trace_id=TRACE, value=0.5))
    refused = Refusal.of(api.score(span_id(1), "tone", "span", value=0.5))
    assert refused.said == (404, "NOT_FOUND")
    assert otlp.values_of(otlp.scores_of(api)) == [("tone", 0.5)]


def test_spans_of_two_traces_with_one_id_have_their_own_scores(api):
    """OpenTelemetry's span ids are only unique within a trace."""
    other = "c" * 32
    otlp.send(api, span(1), span(1, trace=other))
    expect(201, api.score(span_id(1), "tone", "span", trace_id=other, value=0.5))
    assert otlp.scores_of(api, 1) == []
    assert otlp.values_of(otlp.scores_of(api, 1, other)) == [("tone", 0.5)]


def test_evaluation_events_of_a_span_are_its_scores(api):
    told = evaluation("tone", 0.25, **{"gen_ai.evaluation.explanation": "rather rude"})
    otlp.send(api, span(events=[otlp.event(SCORE, told), otlp.event(SCORE, evaluation("kind", "polite"))]))
    tone = next(score for score in otlp.scores_of(api) if score["scorer_name"] == "tone")
    assert (tone["value"], tone["rationale"], tone["trace_id"]) == (0.25, "rather rude", TRACE)
    assert otlp.values_of(otlp.scores_of(api)) == [("kind", "polite"), ("tone", 0.25)]


def test_a_rule_scores_spans_of_opentelemetry_once(api):
    scorer = {"scorer_name": "contains", "config": {"expected_output": "x"}}
    api.make("/rules", {"project_id": api.project, "name": "r", "filter": {"name": "step"}, "scorer": scorer})
    otlp.send(api, span(attributes={"gnomon.output": '"xyz"'}))
    jobs = api.ids("/jobs")
    assert len(jobs) == 1
    api.finished(jobs[0])
    assert otlp.values_of(otlp.scores_of(api)) == [("contains", 1.0)]
    otlp.send(api, span(attributes={"gnomon.output": '"xyz"'}))
    assert api.ids("/jobs") == jobs
