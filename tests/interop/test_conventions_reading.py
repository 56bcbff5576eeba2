"""How spans are read by the tables: orders of preference, older forms, counts, and anything that may come."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.interop.conventions import CONVENTIONS, TokenCounts, chat, error_of, log_event, scores_of, view
from gnomon.interop.conventions.events import NAMES as EVENT_NAMES
from gnomon.model.fields import LARGEST_COUNT
from gnomon.model.jsonvalue import MAX_DEPTH, depth
from gnomon.model.trace import SpanDraft

USER, HELLO = {"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}
CALL = {"id": "c", "name": "f", "arguments": {"x": 1}}


def of(attributes: dict[str, Any], events: Any = (), scope: str = "") -> Any:
    return view("a span", scope, attributes, events)


# Which attribute wins


def test_gnomons_own_input_wins_and_the_other_stays_metadata() -> None:
    messages = json.dumps([USER])
    span = of({"gnomon.input": '{"q": 1}', "gen_ai.input.messages": messages, "input.value": "third"})
    assert span.input == {"q": 1}
    assert span.metadata == {"gen_ai.input.messages": messages, "input.value": "third"}


def test_a_span_of_two_conventions_takes_each_field_from_the_first_that_tells_it() -> None:
    span = of({
        "openinference.span.kind": "LLM", "llm.model_name": "theirs", "llm.token_count.prompt": 1,
        "llm.token_count.completion": 2, "input.value": "plain", "input.mime_type": "text/plain",
        "gen_ai.request.model": "ours", "gen_ai.usage.input_tokens": 7, "gen_ai.input.messages": json.dumps([USER]),
        "session.id": "s", "gen_ai.conversation.id": "c", "user.id": 12,
    })  # fmt: skip
    assert (span.model, span.tokens.input, span.tokens.output, span.input) == ("ours", 7, 2, [USER])
    assert (span.conversation_id, span.session_id, span.user_id) == ("c", "s", "12")
    assert span.metadata == {
        "openinference.span.kind": "LLM", "llm.model_name": "theirs", "llm.token_count.prompt": 1,
    }  # fmt: skip


def test_a_span_of_which_no_table_knows_anything_is_metadata() -> None:
    told = {"http.route": "/", "ok": True, "n": 3, "f": 1.5, "tags": ["a"], "map": {"k": [1]}, "raw": b"\xff"}
    span = of(told)
    assert span[:8] == (None, None, None, TokenCounts(None, None, None, None, None), None, None, None, None)
    assert span.metadata == told | {"tags": '["a"]', "map": '{"k":[1]}', "raw": json.dumps(repr(b"\xff"))}


def test_names_that_other_programs_use_too_are_read_only_in_the_scope_of_their_own() -> None:
    told = {"agent_name": "a", "final_result": "r", "events": "[]"}
    assert of(told, scope="pydantic-ai")[1:5:3] == ("r", "agent")
    assert of(told).metadata == told


@pytest.mark.parametrize(
    ("attributes", "operation"),
    [({"gen_ai.operation.name": "embeddings"}, "embedding"), ({"openinference.span.kind": "RERANKER"}, "retrieval"),
     ({"traceloop.span.kind": "workflow"}, "chain"), ({"ai.operationId": "ai.streamText.doStream"}, "model_call"),
     ({"langfuse.observation.type": "generation"}, "model_call"), ({"mlflow.spanType": '"TOOL"'}, "tool"),
     ({"gen_ai.tool.name": "f"}, "tool"), ({"gen_ai.request.model": "m"}, "model_call"),
     ({"gen_ai.operation.name": "unheard_of", "gen_ai.usage.input_tokens": 1}, "model_call"),
     ({"gen_ai.operation.name": "unheard_of"}, None), ({"gen_ai.operation.name": 3}, None)],
)  # fmt: skip
def test_what_a_span_does_is_told_by_its_convention(attributes: dict[str, Any], operation: str | None) -> None:
    assert of(attributes).operation == operation
    assert of(attributes | {"x": 1}).metadata.keys() >= attributes.keys() - {"gen_ai.request.model"} - {
        "gen_ai.usage.input_tokens"
    }


# Tokens


USED = {"gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 5}


@pytest.mark.parametrize("operation", ["invoke_agent", "execute_tool", "invoke_workflow"])
def test_spans_that_repeat_what_their_children_used_keep_it_as_metadata(operation: str) -> None:
    span = of({"gen_ai.operation.name": operation, **USED})
    assert (span.tokens.input, span.tokens.output) == (None, None)
    assert span.metadata == {"gen_ai.operation.name": operation, **USED}


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        ({"input": 20, "output": 5, "input_cached_tokens": 8, "total": 33}, (28, 5, 8, None, None)),
        ({"input_tokens": 2, "output_tokens": 5, "cache_read_input_tokens": 8, "cache_creation_input_tokens": 3},
         (13, 5, 8, 3, None)),
        ({"prompt_tokens": 30, "completion_tokens": 5, "total_tokens": 35,
          "prompt_tokens_details": {"cached_tokens": 8},
          "completion_tokens_details": {"reasoning_tokens": 0}}, (30, 5, 8, None, 0)),
        ({"input": -1, "output": 2**60, "total": "3"}, (None, None, None, None, None)),
        ({"input": 7.0, "output": 1.5}, (7, None, None, None, None)),
        ([1], (None, None, None, None, None)),
    ],
)  # fmt: skip
def test_input_tokens_include_cached_ones_however_they_were_told(usage: Any, counts: tuple[int | None, ...]) -> None:
    for told in ({"langfuse.observation.type": "generation", "langfuse.observation.usage_details": json.dumps(usage)},
                 {"mlflow.spanType": '"LLM"', "mlflow.chat.tokenUsage": json.dumps(usage)}):  # fmt: skip
        assert of(told).tokens == counts


def test_a_count_that_was_changed_stays_beside_it_as_it_was_told() -> None:
    span = of({**USED, "gen_ai.usage.cache_read.input_tokens": 90})
    assert (span.tokens.input, span.tokens.cached) == (100, 90)
    assert span.metadata == {"gen_ai.usage.input_tokens": 10, "gen_ai.usage.cache_read.input_tokens": 90}


# Older and other forms of messages


def test_numbered_attributes_are_messages_also_where_the_first_ones_were_dropped() -> None:
    span = of({
        "gen_ai.prompt.3.role": "user", "gen_ai.prompt.3.content": "hi", "gen_ai.prompt.10.role": "tool",
        "gen_ai.prompt.10.content": "42", "gen_ai.prompt.10.tool_call_id": "c", "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": "hello", "gen_ai.completion.0.finish_reason": "stop",
        "gen_ai.completion.0.tool_calls.0.id": "c", "gen_ai.completion.0.tool_calls.0.name": "f",
        "gen_ai.completion.0.tool_calls.0.arguments": '{"x": 1}', "llm.request.type": "chat",
    })  # fmt: skip
    assert span.input == [USER, {"role": "tool", "content": "42", "tool_call_id": "c"}]
    assert span.output == {**HELLO, "tool_calls": [CALL]}
    assert span.metadata == {"llm.request.type": "chat"}


CHOICE = {"index": 0, "message": {"content": "hello", "tool_calls": [{"id": "c", "function": {
    "name": "f", "arguments": '{"x": 1}'}}]}}  # fmt: skip


@pytest.mark.parametrize(
    "events",
    [
        [("gen_ai.user.message", {"content": "hi"}), ("gen_ai.choice", CHOICE)],
        [("gen_ai.user.message", {"gen_ai.event.content": '{"content": "hi"}'}),
         ("gen_ai.choice", {"gen_ai.event.content": json.dumps(CHOICE)})],
        [log_event("gen_ai.user.message", {"gen_ai.system": "x"}, "hi"), log_event("gen_ai.choice", {}, CHOICE)],
        [("gen_ai.user.message", {"body": "hi"}), ("gen_ai.choice", {"body": CHOICE})],  # as an export has log records
        [("gen_ai.content.prompt", {"gen_ai.prompt": json.dumps([USER])}),
         ("gen_ai.content.completion", {"gen_ai.completion": json.dumps([{**HELLO, "tool_calls": [CALL]}])})],
        [("gen_ai.client.inference.operation.details",
          {"gen_ai.input.messages": [USER], "gen_ai.output.messages": [{**HELLO, "tool_calls": [CALL]}]})],
        [("exception", {}), ("gen_ai.choice", {"index": 0, "message": json.dumps(CHOICE["message"])}),
         ("gen_ai.user.message", {"role": "user", "content": "hi"})],
    ],
)  # fmt: skip
def test_messages_may_be_events(events: Any) -> None:
    span = of({"gen_ai.operation.name": "chat"}, events)
    assert span.input == [USER]
    assert span.output == {**HELLO, "tool_calls": [CALL]}
    assert span.metadata == {"gen_ai.operation.name": "chat"}


def test_pydantic_ais_first_format_is_a_list_of_events_in_one_attribute() -> None:
    events = [
        {"event.name": "gen_ai.user.message", "content": "hi", "role": "user", "gen_ai.message.index": 0},
        {"event.name": "gen_ai.assistant.message", "role": "assistant", "content": "a", "gen_ai.message.index": 1},
        {
            "event.name": "gen_ai.assistant.message",
            "role": "assistant",
            "tool_calls": [CALL],
            "gen_ai.message.index": 1,
        },
        {"event.name": "gen_ai.tool.message", "role": "tool", "content": "42", "id": "c", "gen_ai.message.index": 2},
    ]
    choice = {"event.name": "gen_ai.choice", "index": 0, "message": {"role": "assistant", "content": "hello"}}
    call = of({"gen_ai.operation.name": "chat", "events": json.dumps([*events, choice])}, scope="pydantic-ai")
    assert call.input == [USER, {"role": "assistant", "content": "a", "tool_calls": [CALL]},
                          {"role": "tool", "content": "42", "tool_call_id": "c"}]  # fmt: skip
    assert call.output == "hello"
    agent = of(
        {"agent_name": "a", "all_messages_events": json.dumps(events), "final_result": "{}"}, scope="pydantic-ai"
    )
    assert (agent.operation, agent.input, agent.output) == ("agent", [USER], {})


IMAGE = {"type": "image_url", "image_url": {"url": "u"}}
ASKED = {"role": "assistant", "tool_calls": [CALL]}
BACK = {"role": "tool", "content": "42", "tool_call_id": "c"}


@pytest.mark.parametrize(
    ("written", "messages"),
    [
        ([{"role": "human", "content": "hi"}, {"type": "ai", "content": "hello"}], [USER, HELLO]),
        ([{"role": "developer", "content": "be kind"}], [{"role": "system", "content": "be kind"}]),
        ([{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}],
         [{"role": "user", "content": "a\nb"}]),
        ([{"role": "user", "content": [{"type": "text", "text": "a"}, IMAGE]}],
         [{"role": "user", "content": [{"type": "text", "text": "a"}, IMAGE]}]),
        ([{"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {"x": 1}}]},
          {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "42"},
                                       {"type": "text", "text": "hi"}]}], [ASKED, BACK, USER]),
        ([{"role": "assistant",
           "content": [{"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": {"x": 1}}]},
          {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c", "toolName": "f",
                                        "output": {"type": "json", "value": 42}}]}], [ASKED, BACK]),
        ([{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
          {"type": "function_call", "call_id": "c", "id": "fc", "name": "f", "arguments": '{"x": 1}'},
          {"type": "function_call_output", "call_id": "c", "output": "42"}], [USER, ASKED, BACK]),
        ([{"role": "model", "parts": [{"functionCall": {"id": "c", "name": "f", "args": {"x": 1}}}]}], [ASKED]),
        ([{"role": "assistant",
           "parts": [{"type": "reasoning", "content": "hm"}, {"type": "text", "content": "hello"}]}],
         [{"role": "assistant", "content": [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "hello"}]}]),
        ([{"role": "assistant", "function_call": {"name": "f", "arguments": "not JSON"}}],
         [{"role": "assistant", "tool_calls": [{"name": "f", "arguments": "not JSON"}]}]),
        ([[{"lc": 1, "type": "constructor", "kwargs": {"type": "human", "content": "hi"}}]], [USER]),
        ([{"role": "tool", "tool_call_id": "c", "content": '{"a": [1]}'}],
         [{"role": "tool", "tool_call_id": "c", "content": '{"a": [1]}'}]),
    ],
)  # fmt: skip
def test_messages_of_every_api_have_one_form(written: Any, messages: Any) -> None:
    for told in ({"gen_ai.input.messages": json.dumps(written)},
                 {"gen_ai.input.messages": written},
                 {"openinference.span.kind": "LLM", "input.value": json.dumps({"messages": written, "model": "m"})},
                 {"mlflow.spanType": '"LLM"', "mlflow.spanInputs": json.dumps({"messages": written})},
                 {"langfuse.observation.type": "generation", "langfuse.observation.input": json.dumps(written)},
                 ):  # fmt: skip
        assert of(told).input == messages


@pytest.mark.parametrize(
    ("written", "output"),
    [
        ({"choices": [{"message": HELLO, "finish_reason": "stop"}]}, "hello"),
        ({"choices": [{"message": HELLO}, {"message": ASKED}]}, ["hello", ASKED]),
        ({"id": "m", "role": "assistant", "content": [{"type": "text", "text": "hello"}]}, "hello"),
        ({"output": [{"type": "reasoning", "summary": []}, {"type": "message", "role": "assistant",
          "content": [{"type": "output_text", "text": "hello"}]}]}, "hello"),
        ("hello", "hello"), (["hello"], ["hello"]), ({"any": "thing"}, {"any": "thing"}), (0, 0), ("", ""),
    ],
)  # fmt: skip
def test_whole_responses_are_what_the_model_said_in_them(written: Any, output: Any) -> None:
    assert of({"mlflow.spanType": '"CHAT_MODEL"', "mlflow.spanOutputs": json.dumps(written)}).output == output


def test_system_instructions_come_first_and_once() -> None:
    parts = json.dumps([{"type": "text", "content": "be kind"}])
    system = {"role": "system", "content": "be kind"}
    messages = [json.dumps([USER]), json.dumps([system, USER])]
    for written in messages:
        assert of({"gen_ai.system_instructions": parts, "gen_ai.input.messages": written}).input == [system, USER]
    assert of({"gen_ai.system_instructions": "be kind"}).input == [system]


def test_an_answer_of_vercels_sdk_has_its_text_and_its_calls() -> None:
    calls = json.dumps([{"toolCallId": "c", "toolName": "f", "input": '{"x": 1}'}])
    span = of(
        {"ai.operationId": "ai.generateText.doGenerate", "ai.response.text": "hello", "ai.response.toolCalls": calls}
    )
    assert span.output == {**HELLO, "tool_calls": [CALL]}


def test_spans_that_are_no_model_calls_show_values_as_they_are() -> None:
    written = json.dumps({"messages": [USER], "k": 1})
    for told in ({"openinference.span.kind": "CHAIN", "input.value": written},
                 {"traceloop.span.kind": "task", "traceloop.entity.input": written}):  # fmt: skip
        assert of(told).input == {"messages": [USER], "k": 1}
    assert of({"input.value": '"text"', "input.mime_type": "application/json"}).input == "text"
    assert of({"input.value": '"text"'}).input == '"text"'
    assert of({"input.value": "[not JSON"}).input == "[not JSON"


def test_documents_that_were_found_are_the_output_of_a_retrieval() -> None:
    told = {"openinference.span.kind": "RETRIEVER", "retrieval.documents.0.document.content": "a",
            "retrieval.documents.0.document.score": 0.5, "retrieval.documents.1.document.content": "b"}  # fmt: skip
    assert of(told).output == [{"content": "a", "score": 0.5}, {"content": "b"}]


# Errors and scores


def test_an_error_is_the_exception_that_was_recorded_last_or_what_the_status_says() -> None:
    thrown = ("exception", {"exception.type": "E", "exception.message": "m", "exception.stacktrace": "s"})
    error = error_of("ERROR", "of the status", [("exception", {"exception.message": "first"}), thrown])
    assert error is not None
    assert (error.message, error.type, error.stack) == ("m", "E", "s")
    only_status = error_of("error", "of the status", [])
    assert only_status is not None
    assert only_status.message == "of the status"
    assert [error_of("OK", "", [thrown]), error_of("UNSET", "", []), error_of("STATUS_CODE_OK", "", [])] == [None] * 3
    assert error_of("STATUS_CODE_ERROR", "", []) is not None
    assert error_of("unset", "", [thrown]) is not None


def test_scores_on_another_scale_are_left_out_and_counted() -> None:
    def result(**about: Any) -> tuple[str, dict[str, Any]]:
        return "gen_ai.evaluation.result", {f"gen_ai.evaluation.{key.replace('_', '.')}": v for key, v in about.items()}

    scores = scores_of([
        result(name="kind", score_value=0.5, explanation="why"), result(name="kind", score_value=1.0),
        result(name="stars", score_value=4.0), result(score_value=0.5), result(name="label", score_label="good"),
        ("other", {}), result(name="nothing"),
    ])  # fmt: skip
    assert [(score.scorer_name, score.value) for score in scores.taken] == [("kind", 1.0), ("label", "good")]
    assert scores.left_out == 3


# Anything


KEYS = sorted({row.attribute for convention in CONVENTIONS for row in convention.rows} | {
    name for convention in CONVENTIONS for name in [*convention.operations, *convention.signs]})  # fmt: skip
BELOW = ["0", "0.role", "0.content", "0.message", "0.message.role", "0.message.tool_calls.0.tool_call.id", "x", "",
         "1.0", "0.message.contents.0.message_content.type", ".".join("0" * 150)]  # fmt: skip
WORDS = ["chat", "LLM", "TOOL", '"LLM"', "generation", "ai.toolCall", "[", "{}", "[{}]", '"a"', "\0", "\ud800",
         "[" * 300, '{"role": "\\u0000"}', '[{"role":"user","content":[1,{"type":[]}]}]', "[" * 95 + "]" * 95,
         "9" * 400,
         '{"messages":[{"role":"user","parts":[{"type":"tool_call"}]}]}', '{"choices":[{"message":{"role":1}}]}',
         f'[{{"role":"user","tool_calls":[{{"name":"f","arguments":"{"[" * 88 + "]" * 88}"}}]}}]']  # fmt: skip
INNER = ["role", "content", "parts", "type", "text", "tool_calls", "function", "arguments", "name", "id", "message",
         "messages", "choices", "output", "summary", "tool_call", "contents", "event.name", "input"]  # fmt: skip
TYPES = ["text", "tool_call", "tool_result", "tool-result", "reasoning", "function_call", "user", "assistant", "tool"]

names = st.sampled_from(KEYS).flatmap(
    lambda key: st.sampled_from(BELOW).map(key.__add__) if key.endswith(".") else st.just(key)
)
scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.binary(max_size=3) | st.sampled_from([*WORDS, *TYPES])
    | st.text(max_size=5) | st.sampled_from([2**70, -(2**1030), 10**400])
)  # fmt: skip
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(INNER) | st.text(max_size=2), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
written_down = anything | anything.map(lambda value: json.dumps(value, default=repr))
maps = st.dictionaries(names | st.text(max_size=4), written_down, max_size=6)
some_events = st.lists(st.tuples(st.sampled_from([*EVENT_NAMES, "exception"]), maps | st.dictionaries(
    st.sampled_from(["content", "role", "message", "tool_calls", "gen_ai.event.content", "gen_ai.message.index"]),
    written_down)), max_size=3)  # fmt: skip


def texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for pair in value.items() for one in pair for text in texts(one)]
    if isinstance(value, list | tuple):
        return [text for one in value for text in texts(one)]
    return [value] if isinstance(value, str) else []


@given(maps, some_events, st.sampled_from(["", "pydantic-ai", "ai"]))
@settings(max_examples=400)
@pytest.mark.slow
def test_any_span_is_read_and_what_is_read_can_be_stored(told: dict[str, Any], events: Any, scope: str) -> None:
    before = repr((told, events))
    span = of(told, events, scope)
    assert repr((told, events)) == before
    assert repr(of(told, events, scope)) == repr(span)
    assert json.dumps(span, allow_nan=False, ensure_ascii=False).encode()
    assert not any("\0" in text for text in texts(span))
    assert depth(span.input) <= MAX_DEPTH
    assert depth(span.output) <= MAX_DEPTH
    assert all(isinstance(value, str | int | float | bool | None) for value in span.metadata.values())
    assert all(math.isfinite(value) for value in span.metadata.values() if isinstance(value, float))
    assert all(count is None or 0 <= count <= LARGEST_COUNT for count in (span.tokens.cached, span.tokens.reasoning))
    SpanDraft(
        id="s", trace_id="t", name="n", start_time="2026-01-01T00:00:00Z", input=span.input, output=span.output,
        tokens_input=span.tokens.input, tokens_output=span.tokens.output, metadata=span.metadata,
    )  # fmt: skip


def test_values_that_are_too_long_are_cut() -> None:
    long = "x" * 2_000_000
    span = of({"input.value": long, "other": long, "llm.input_messages.0": 1, "output.value": json.dumps([long])})
    assert len(span.input) < 1_100_000
    assert len(span.output) < 1_100_000
    assert len(span.metadata["other"]) < 110_000


def test_many_names_of_their_own_fill_no_memory() -> None:
    for number in range(2_000):
        assert of({f"gen_ai.prompt.{number}.{'x' * 50}": "y" * 10, "llm.model_name": "m"}).model == "m"


PARTS = st.one_of(
    st.builds(lambda written: {"type": "text", "content": written}, st.sampled_from(["", "hello", "two\nlines", None])),
    st.builds(
        lambda call, arguments: {"type": "tool_call", "id": call, "name": "look", "arguments": arguments},
        st.sampled_from(["a", "b", None]), st.sampled_from([{"q": 1}, {}, "text", None]),
    ),
    st.builds(
        lambda call, response: {"type": "tool_call_response", "id": call, "response": response},
        st.sampled_from(["a", None]), st.sampled_from(["done", "", {"x": [1]}, {"type": "text", "value": "v"}, [1]]),
    ),
    st.just("bare"),
)  # fmt: skip


MESSAGES = st.builds(
    lambda role, parts, beside: {"role": role, "parts": parts, **beside},
    st.sampled_from(["user", "Assistant", "tool", "system", "robot", ""]),
    st.lists(PARTS, max_size=3),
    st.sampled_from([{}, {"finish_reason": "stop"}, {"name": "x"}, {"name": None}, {"extra": 1}, {"content": "c"}]),
)


@given(st.lists(MESSAGES, max_size=3))
def test_the_quick_way_for_plain_parts_reads_what_the_thorough_one_does(sent) -> None:
    assert chat.messages(json.dumps(sent)) == chat.read(sent)
