"""POST /v1/logs: evaluation results and messages join their spans, whichever comes first; the rest is not taken."""

import json
from typing import Any

import pytest
import requests
from opentelemetry._logs import LogRecord as SdkLogRecord
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
from opentelemetry.sdk.resources import Resource
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

from contract import otlp
from contract.otlp import ALL_TAKEN, JSON, SCORE, START, TRACE, evaluation, log, span

CALL = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-4o", "gen_ai.usage.input_tokens": 7}
TONE = log(SCORE, evaluation("tone", 0.25, **{"gen_ai.evaluation.explanation": "rather rude"}))
KIND = log(SCORE, evaluation("kind", "polite"), time=START + 1)
ASKED = log("gen_ai.user.message", body={"content": "Capital of France?"}, time=START)
ANSWERED = log("gen_ai.choice", body={"index": 0, "message": {"content": "Paris"}}, time=START + 1)
ORDERS = pytest.mark.parametrize("order", ["logs first", "span first"])


def send(api: Any, order: str, told: Any, *records: Any) -> None:
    """A span and its log records, in this order."""
    steps = [lambda: otlp.send_logs(api, *records), lambda: otlp.send(api, told)]
    for step in steps if order == "logs first" else reversed(steps):
        assert step() == ALL_TAKEN


# --- scores -----


@ORDERS
def test_an_evaluation_result_is_a_score_of_its_span(api, order):
    send(api, order, span(attributes=CALL), TONE, KIND)
    tone = next(score for score in otlp.scores_of(api) if score["scorer_name"] == "tone")
    assert (tone["value"], tone["rationale"], tone["trace_id"]) == (0.25, "rather rude", TRACE)
    assert otlp.values_of(otlp.scores_of(api)) == [("kind", "polite"), ("tone", 0.25)]


@ORDERS
def test_results_of_two_records_are_two_scores(api, order):
    """As many as there are records, whether they come before the span or after it, or beside the span's own."""
    own = span(events=[otlp.event(SCORE, evaluation("tone", 1.0))])
    again = log(SCORE, evaluation("tone", 0.75), time=START + 5)
    send(api, order, own, TONE, again)
    assert otlp.values_of(otlp.scores_of(api)) == [("tone", 0.25), ("tone", 0.75), ("tone", 1.0)]


@ORDERS
def test_the_same_record_again_adds_nothing(api, order):
    send(api, order, span(), TONE, ASKED, ANSWERED)
    before = api.stored()
    for records in ([TONE], [TONE, TONE, ASKED], [ANSWERED]):
        assert otlp.send_logs(api, *records) == ALL_TAKEN
    otlp.send(api, span())
    assert api.stored() == before
    assert otlp.values_of(otlp.scores_of(api)) == [("tone", 0.25)]


def test_a_record_that_comes_twice_in_one_request_is_one(api):
    otlp.send(api, span())
    assert otlp.send_logs(api, TONE, TONE) == ALL_TAKEN
    assert otlp.values_of(otlp.scores_of(api)) == [("tone", 0.25)]


@pytest.mark.parametrize("told", [evaluation("stars", 4.5), evaluation("stars", -0.1), evaluation("stars"),
                                  {"gen_ai.evaluation.score.value": 0.5}])  # fmt: skip
def test_a_result_that_is_no_score_of_ours_is_counted_as_not_taken(api, told):
    otlp.send(api, span())
    answer = otlp.send_logs(api, log(SCORE, told), TONE)
    assert answer.rejected == 1
    assert "1 evaluation results are neither scores in [0, 1] nor labels; divide by your scale first" in answer.message
    assert otlp.values_of(otlp.scores_of(api)) == [("tone", 0.25)]


def test_results_for_a_span_that_never_comes_wait(api):
    assert otlp.send_logs(api, log(SCORE, evaluation("tone", 0.5), of=9)) == ALL_TAKEN
    otlp.send(api, span(1))
    assert otlp.scores_of(api, 1) == otlp.scores_of(api, 9) == []
    otlp.send(api, span(9, parent=1))
    assert otlp.values_of(otlp.scores_of(api, 9)) == [("tone", 0.5)]


def test_an_older_event_is_named_by_an_attribute(api):
    otlp.send(api, span())
    assert otlp.send_logs(api, log("", {"event.name": SCORE, **evaluation("tone", 0.5)})) == ALL_TAKEN
    assert otlp.values_of(otlp.scores_of(api)) == [("tone", 0.5)]


# --- messages -----


@ORDERS
def test_messages_are_input_and_output_of_their_span(api, order):
    send(api, order, span(attributes=CALL), ANSWERED, ASKED)
    kept = otlp.spans_of(api)[1]
    assert kept["input"] == [{"role": "user", "content": "Capital of France?"}]
    assert kept["output"] == "Paris"
    assert (kept["model"], kept["tokens_input"]) == ("gpt-4o", 7)
    assert [event["name"] for event in kept["events"]] == ["gen_ai.user.message", "gen_ai.choice"]


@pytest.mark.parametrize("split", [1, 2])
def test_messages_may_come_partly_before_their_span(api, split):
    records = [ASKED, ANSWERED, log("gen_ai.system.message", body={"content": "Be brief."}, time=START - 1)]
    otlp.send_logs(api, *records[:split])
    otlp.send(api, span(attributes=CALL))
    otlp.send_logs(api, *records[split:])
    kept = otlp.spans_of(api)[1]
    assert [message["role"] for message in kept["input"]] == ["system", "user"]
    assert kept["output"] == "Paris"


@ORDERS
@pytest.mark.parametrize("own", [{}, {"gnomon.input": '"mine"', "gnomon.output": '"yours"'}], ids=["", "own input"])
def test_the_details_of_a_call_say_the_same_whenever_they_come(api, order, own):
    """Messages as attributes of one record. They are no metadata of the span, also where another input wins."""
    told = [{"role": "user", "parts": [{"type": "text", "content": "Capital of France?"}]}]
    said = [{"role": "assistant", "parts": [{"type": "text", "content": "Paris"}]}]
    attributes = {"gen_ai.input.messages": json.dumps(told), "gen_ai.output.messages": json.dumps(said)}
    send(api, order, span(attributes={**CALL, **own}), log("gen_ai.client.inference.operation.details", attributes))
    kept = otlp.spans_of(api)[1]
    asked = [{"role": "user", "content": "Capital of France?"}]
    assert (kept["input"], kept["output"]) == (("mine", "yours") if own else (asked, "Paris"))
    assert kept["metadata"] == {"gen_ai.operation.name": "chat"}


@ORDERS
def test_the_answer_of_claude_code_is_the_output_of_its_interaction(api, order):
    attributes = {"event.name": "assistant_response", "response": "Done."}
    answer = log("", attributes, body="claude_code.assistant_response")
    send(api, order, span(attributes={"span.type": "interaction", "user_prompt": "Do it."}), answer)
    assert otlp.spans_of(api)[1]["output"] == "Done."


def test_a_record_is_an_event_of_its_span_and_may_have_no_time(api):
    otlp.send(api, span())
    otlp.send_logs(api, log(SCORE, evaluation("tone", 0.5), time=0))
    (event,) = otlp.spans_of(api)[1]["events"]
    assert (event["name"], event["time_unix_nano"]) == (SCORE, None)
    assert event["attributes"] == evaluation("tone", 0.5)


# --- what is not taken -----


def test_other_records_are_counted_as_not_taken(api):
    otlp.send(api, span())
    before = api.everything()
    records = [log("user.login"), log("", body="a line of a log"), log("", of=None, body={"a": 1}), TONE]
    told = otlp.send_logs(api, *records)
    assert told.rejected == 3
    assert told.message.startswith(
        "3 log records are no GenAI events; only evaluation results, prompts and completions"
    )
    assert otlp.values_of(otlp.scores_of(api)) == [("tone", 0.25)]
    assert [trace["span_count"] for trace in api.everything()["traces"]] == [1]
    assert len(before["traces"]) == 1


def test_a_result_that_names_no_span_is_counted_as_not_taken(api):
    short = log(SCORE, evaluation("tone", 0.5))
    short.span_id = b"\x01"
    told = otlp.send_logs(api, log(SCORE, evaluation("tone", 0.5), of=None), short)
    assert told.rejected == 2
    assert told.message == "2 GenAI events name no span by trace id and span id"


def test_a_damaged_record_costs_only_itself(api):
    damaged = log(SCORE, evaluation("bad", 0.5)).SerializeToString() + b"\x0a\xff"
    otlp.send(api, span())
    told = otlp.taken(otlp.post(api, "/logs", otlp.enveloped(TONE.SerializeToString(), damaged)))
    assert told.rejected == 1
    assert "[1] log record" in told.message
    assert otlp.values_of(otlp.scores_of(api)) == [("tone", 0.25)]


def test_records_in_json_are_taken_and_answered_in_json(api):
    otlp.send(api, span())
    pairs = [{"key": "gen_ai.evaluation.name", "value": {"stringValue": "tone"}},
             {"key": "gen_ai.evaluation.score.value", "value": {"doubleValue": 0.5}}]  # fmt: skip
    record = {"traceId": TRACE, "spanId": otlp.span_id(1), "eventName": SCORE, "attributes": pairs}
    request = {"resourceLogs": [{"scopeLogs": [{"logRecords": [record, {"body": {"stringValue": "a line"}}]}]}]}
    told = otlp.taken(otlp.post(api, "/logs", json.dumps(request).encode(), JSON))
    assert told.rejected == 1
    assert otlp.values_of(otlp.scores_of(api)) == [("tone", 0.5)]


def test_a_record_of_another_project_scores_nothing_here(api, stranger):
    otlp.send(api, span())
    assert otlp.send_logs(stranger, TONE) == ALL_TAKEN
    assert otlp.scores_of(api) == []


def test_what_the_sdk_of_opentelemetry_sends_is_taken(api, server):
    session = requests.Session()
    session.trust_env = False  # past all proxies
    exporter = OTLPLogExporter(
        f"{server.url}/v1/logs", headers={"authorization": f"Bearer {api.key}"}, session=session
    )  # fmt: skip
    provider = LoggerProvider(resource=Resource.create({"service.name": "shop"}))
    provider.add_log_record_processor(SimpleLogRecordProcessor(exporter))
    context = set_span_in_context(NonRecordingSpan(SpanContext(int(TRACE, 16), 1, False, TraceFlags(1))))
    told = evaluation("tone", 0.25)
    provider.get_logger("evaluator").emit(SdkLogRecord(event_name=SCORE, attributes=told, context=context))
    provider.shutdown()
    otlp.send(api, span())
    assert otlp.values_of(otlp.scores_of(api)) == [("tone", 0.25)]
