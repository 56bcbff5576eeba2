"""Spans of agents as they were recorded from the programs themselves, against a model on loopback that calls one tool.

Claude Code 2.1.197 (its tracing beta, with prompts, tool details and tool content), LangGraph 1.2.22 through
OpenInference, and Vercel's AI SDK 7.0.170 with @ai-sdk/otel. Each file is what arrived at a server.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from gnomon.interop.conventions import SpanView, log_event, view

GOLDEN = Path(__file__).parents[1] / "golden" / "otel" / "agents"
QUESTION = {"role": "user", "content": "What is the weather in Lisbon?"}
SYSTEM = {"role": "system", "content": "Use the tool."}
ANSWER = "It is 21 degrees and sunny in Lisbon."


def recorded(name: str) -> list[tuple[str, SpanView]]:
    """The spans by start, each with its events and its log records."""
    recording = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    found = []
    for place, span in enumerate(recording["spans"]):
        events = [(event["name"], event["attributes"]) for event in span["events"]]
        logs = [log for log in recording["logs"] if log["span"] == place]
        events += [log_event(log["event"], log["attributes"], log["body"]) for log in logs]
        found.append((span["name"], view(span["name"], span["scope"], span["attributes"], events)))
    return found


def test_claude_codes_spans_show_the_prompt_the_answer_the_command_and_what_it_printed() -> None:
    shown = [(name, span.operation, span.input, span.output) for name, span in recorded("claude-code")]
    assert shown == [
        ("claude_code.interaction", "agent", "Say hello with bash", ANSWER),
        ("claude_code.llm_request", "model_call", None, None),  # it does not write messages down
        ("claude_code.tool.blocked_on_user", "chain", None, None),
        ("claude_code.tool", "tool", "echo hello", "hello"),
        ("claude_code.tool.execution", "chain", None, None),
        ("claude_code.llm_request", "model_call", None, None),
    ]


def test_claude_codes_input_tokens_leave_the_cached_ones_out_so_they_are_added() -> None:
    calls = [span for name, span in recorded("claude-code") if name == "claude_code.llm_request"]
    for call in calls:
        assert (call.model, call.metadata["input_tokens"]) == ("claude-sonnet-4-5", 41)
        assert (call.tokens.input, call.tokens.cached, call.tokens.written) == (41 + 8 + 2, 8, 2)
        assert call.tokens.output == 9
    assert {span.session_id for _, span in recorded("claude-code")} == {"00000000-0000-0000-0000-000000000000"}


def test_claude_codes_names_mean_nothing_in_spans_of_others() -> None:
    attributes = {"span.type": "llm_request", "model": "m", "input_tokens": 3, "user_prompt": "hi"}
    for scope in ("", "another", "pydantic-ai"):
        seen = view("a span", scope, attributes)
        assert (seen.input, seen.model, seen.tokens.input, seen.metadata) == (None, None, None, attributes)


def test_an_assistant_response_that_is_not_claude_codes_is_not_read() -> None:
    record = log_event("assistant_response", {"response": "no"}, "another.assistant_response")
    assert view("a span", "com.anthropic.claude_code.tracing", {"span.type": "interaction"}, [record]).output is None


@pytest.mark.parametrize(
    ("attributes", "output"),
    [({"bash_command": "ls", "output": "a"}, "a"), ({"file_path": "f", "content": "b"}, "b"),
     ({"file_path": "f", "diff": "-a\n+b"}, "-a\n+b"), ({"file_path": "f"}, None)],
)  # fmt: skip
def test_what_claude_codes_tools_gave(attributes: dict[str, Any], output: str | None) -> None:
    span = view("a", "com.anthropic.claude_code.tracing", {"span.type": "tool"}, [("tool.output", attributes)])
    assert span.output == output


def test_the_root_of_an_agent_in_langgraph_shows_the_question_and_the_answer() -> None:
    name, root = recorded("langgraph")[0]
    assert (name, root.operation, root.input, root.output) == ("LangGraph", "chain", [QUESTION], ANSWER)


def test_the_root_of_an_agent_of_vercels_sdk_shows_the_answer_without_the_steps_on_the_way() -> None:
    _, root = recorded("vercel-ai-7")[0]
    assert (root.operation, root.input, root.output) == ("agent", [SYSTEM, QUESTION], ANSWER)


@pytest.mark.parametrize("name", ["langgraph", "vercel-ai-7"])
def test_the_tool_of_an_agent_shows_what_it_gave(name: str) -> None:
    (tool,) = [span for _, span in recorded(name) if span.operation == "tool"]
    assert tool.output == "21 degrees and sunny in Lisbon"


@pytest.mark.parametrize("name", ["langgraph", "vercel-ai-7"])
def test_the_model_calls_of_an_agent_show_all_messages_and_count_once(name: str) -> None:
    calls = [span for _, span in recorded(name) if span.operation == "model_call"]
    assert [call.input[:2] for call in calls] == [[SYSTEM, QUESTION]] * 2
    assert [len(call.input) for call in calls] == [2, 4]
    assert [(call.tokens.input, call.tokens.output) for call in calls] == [(41, 9)] * 2
    assert sum(span.tokens.input or 0 for _, span in recorded(name)) == 82


# --- what the recordings do not hold -----


def test_messages_that_tell_nothing_but_roles_are_no_input() -> None:
    """So instrumentations write them that were not told to keep what is said."""
    numbered = {"llm.input_messages.0.message.role": "user", "input.value": "hello"}
    assert view("a", "", {"openinference.span.kind": "CHAIN", **numbered}).input == "hello"
    events = [("gen_ai.system.message", {}), ("gen_ai.user.message", {})]
    assert view("a", "", {"gen_ai.operation.name": "chat"}, events).input is None


def test_a_text_that_is_told_as_content_and_in_contents_is_shown_once() -> None:
    message = "llm.output_messages.0.message"
    part = f"{message}.contents.0.message_content"
    told = {f"{message}.role": "assistant", f"{message}.content": "hi", f"{part}.type": "text", f"{part}.text": "hi"}
    kind = {"openinference.span.kind": "LLM"}
    assert view("a", "", {**kind, **told}).output == "hi"
    assert view("a", "", {**kind, **told, f"{message}.content": "before"}).output == "before\nhi"


def test_a_call_that_was_not_answered_stays_in_the_answer() -> None:
    def call(id: str) -> dict[str, Any]:
        return {"type": "tool_call", "id": id, "name": "f", "arguments": {}}

    done = {"type": "tool_call_response", "id": "1", "response": "x"}
    told = json.dumps([{"role": "assistant", "parts": [call("1"), done, call("2")]}])
    span = view("a", "", {"gen_ai.operation.name": "invoke_agent", "gen_ai.output.messages": told})
    assert span.output == {"role": "assistant", "tool_calls": [{"id": "2", "name": "f", "arguments": {}}]}


@pytest.mark.parametrize(
    ("told", "output"),
    [('"quoted"', "quoted"), ('say "hi"', 'say "hi"'), ('"', '"'), ('"a" and "b"', '"a" and "b"'), ("21", "21"),
     ('{"a": 1}', {"a": 1})],
)  # fmt: skip
def test_a_tools_result_is_json_where_it_plainly_is(told: str, output: Any) -> None:
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": told}
    assert view("a", "", attributes).output == output


def test_a_state_with_more_than_messages_is_shown_as_it_is() -> None:
    state = {"messages": [QUESTION], "step": 2}
    told = {"input.value": json.dumps(state), "output.value": json.dumps(state), "openinference.span.kind": "CHAIN"}
    types = {"input.mime_type": "application/json", "output.mime_type": "application/json"}
    span = view("a", "", {**told, **types})
    assert (span.input, span.output) == (state, state)
