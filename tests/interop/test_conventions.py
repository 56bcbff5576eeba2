"""Spans of instrumentations as they were recorded (`recording/`), and what each of the tables makes of them."""

import json
import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import preloaded
from gnomon.interop.conventions import SpanView, TokenCounts, log_event, view
from gnomon.interop.spans import from_trace
from gnomon.model.trace import Span, Trace

GOLDEN = Path(__file__).parents[1] / "golden" / "otel"
SYSTEM = {"role": "system", "content": "You are a weather assistant. Use the tool."}
QUESTION = {"role": "user", "content": "What is the weather in Paris?"}
CALL = {"id": "call_1", "name": "get_weather", "arguments": {"city": "Paris"}}
ASKS = {"role": "assistant", "tool_calls": [CALL]}
RESULT = {"role": "tool", "content": "18 degrees and sunny", "tool_call_id": "call_1"}
ANSWER = "It is 18 degrees and sunny in Paris."

LOST: dict[str, set[str]] = {
    "genai-openai": {"reasoning of 0"},
    "litellm": {"cached", "reasoning", "id of the call"},
    "mlflow-openai": {"reasoning"},
    "openai-v2": {"cached", "reasoning"},
    "openai-v2-details": {"cached", "reasoning"},
    "openai-v2-events": {"cached", "reasoning"},
    "openinference-anthropic": {"reasoning"},  # Anthropic's API does not tell it
    "openinference-openai-agents": {"cached", "reasoning"},
}
"""What an instrumentation does not write down."""
TOOL_SPANS: dict[str, Any] = {
    "langfuse-openai": ({"city": "Paris"}, "18 degrees and sunny"),
    "openinference-langchain": ("Paris", "18 degrees and sunny"),  # the argument's name is lost
    "openinference-llama-index": (  # LlamaIndex's own objects
        {"kwargs": {"city": "Paris"}},
        {"blocks": [{"text": "18 degrees and sunny"}], "tool_name": "get_weather", "is_error": False,
         "raw_input": {"args": [], "kwargs": {"city": "Paris"}}, "raw_output": "18 degrees and sunny"},
    ),
    "openinference-openai-agents": ({"city": "Paris"}, "18 degrees and sunny"),
    "pydantic-ai": ({"city": "Paris"}, "18 degrees and sunny"),
    "pydantic-ai-2": ({"city": "Paris"}, "18 degrees and sunny"),
    "vercel-ai": ({"city": "Paris"}, "18 degrees and sunny"),
}  # fmt: skip
"""Instrumentations that make a span of the tool: what went in and came out."""
START = datetime(2026, 5, 17, tzinfo=UTC)
NAMES = sorted(path.stem for path in GOLDEN.glob("*.json"))


def recorded(name: str) -> list[SpanView]:
    return views(json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8")))


def views(recording: dict[str, Any]) -> list[SpanView]:
    """Every span with its events, and with the log records that belong to it."""
    found = []
    for place, span in enumerate(recording["spans"]):
        events = [(event["name"], event["attributes"]) for event in span["events"]]
        logs = [log for log in recording["logs"] if log["span"] == place]
        events += [log_event(log["event"], log["attributes"], log["body"]) for log in logs]
        found.append(view(span["name"], span["scope"], span["attributes"], events))
    return found


def model_calls(spans: list[SpanView]) -> list[SpanView]:
    """Those that hold messages: wrappers around them, and the second spans of Anthropic's own client, do not."""
    return [span for span in spans if span.operation == "model_call" and isinstance(span.input, list)]


def check_conversation(name: str, spans: list[SpanView]) -> None:
    lost = LOST.get(name, set())
    first, second = model_calls(spans)
    assert first.input == [SYSTEM, QUESTION]
    assert second.input == [SYSTEM, QUESTION, ASKS, RESULT]
    asks = {**CALL, "id": None} if "id of the call" in lost else CALL
    assert first.output == {**ASKS, "tool_calls": [{key: one for key, one in asks.items() if one is not None}]}
    assert second.output == ANSWER
    assert (first.model, second.model) == ("loopback-1", "loopback-1")
    written = 2 if name == "openinference-anthropic" else None
    cached = [None, None] if "cached" in lost else [8, 16]
    reasoning = [None, None] if "reasoning" in lost else [4, None if "reasoning of 0" in lost else 0]
    assert first.tokens == TokenCounts(30, 12, cached[0], written, reasoning[0])
    assert second.tokens == TokenCounts(50, 9, cached[1], written, reasoning[1])


@pytest.mark.parametrize("name", NAMES)
def test_one_conversation_shows_the_same_through_every_instrumentation(name: str) -> None:
    check_conversation(name, recorded(name))


@pytest.mark.parametrize("name", NAMES)
def test_tokens_add_up_to_what_the_model_told_since_only_model_calls_have_them(name: str) -> None:
    spans = recorded(name)
    sums = [sum(span.tokens.input or 0 for span in spans), sum(span.tokens.output or 0 for span in spans)]
    twice = 2 if name == "openinference-anthropic" else 1  # Anthropic's client makes a span of its own for each call
    assert sums == [80 * twice, 21 * twice]


@pytest.mark.parametrize("name", TOOL_SPANS)
def test_a_tools_span_shows_its_arguments_and_its_result(name: str) -> None:
    tools = [span for span in recorded(name) if span.operation == "tool"]
    assert [(tool.input, tool.output) for tool in tools] == [TOOL_SPANS[name]]


@pytest.mark.parametrize(
    ("name", "operation", "output"),
    [("pydantic-ai", "agent", ANSWER), ("pydantic-ai-2", "agent", ANSWER), ("vercel-ai", "chain", ANSWER),
     ("langfuse-openai", "agent", "done"), ("mlflow-openai", "agent", QUESTION["content"])],
)  # fmt: skip
def test_spans_around_the_model_calls_show_what_went_in_and_came_out(name: str, operation: str, output: str) -> None:
    around = recorded(name)[0]
    assert (around.operation, around.output) == (operation, output)
    assert around.input in ([SYSTEM, QUESTION], QUESTION["content"], {"question": QUESTION["content"]})


def test_ids_of_sessions_and_users_are_fields() -> None:
    for name in ("langfuse-openai", "vercel-ai"):
        for span in recorded(name):
            assert (span.conversation_id, span.session_id, span.user_id) == ("session-1", "session-1", "user-1")
            assert not {"session.id", "user.id"} & span.metadata.keys()
    assert {span.conversation_id for span in recorded("pydantic-ai")} != {None}
    assert {span.session_id for span in recorded("pydantic-ai")} == {None}


@pytest.mark.parametrize("name", NAMES)
def test_metadata_is_flat_and_holds_no_message_that_a_field_shows(name: str) -> None:
    for span in model_calls(recorded(name)):
        assert all(isinstance(value, str | int | float | bool | None) for value in span.metadata.values())
        beside = {key: value for key, value in span.metadata.items() if isinstance(value, str) and ANSWER in value}
        assert beside == {}


def stored(name: str) -> Trace:
    """The recorded spans as a trace."""
    spans = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["spans"]
    nouns = [
        Span(
            id=str(place), trace_id="t", name=span["name"], start_time=START + timedelta(seconds=place),
            parent_span_id=None if span["parent"] is None else str(span["parent"]), end_time=None, duration_ms=None,
            input=seen.input, output=seen.output, model=seen.model, metadata=seen.metadata, error=None,
            tokens_input=seen.tokens.input, tokens_output=seen.tokens.output,
        )
        for place, (span, seen) in enumerate(zip(spans, recorded(name), strict=True))
    ]  # fmt: skip
    return Trace(
        id="t", project_id="p", root_span_id=None, span_count=len(nouns), created_at=START, metadata=None, name=name,
        duration_ms=None, model=None, tokens=0, has_error=False, in_queue=False, spans=nouns,
    )  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_transcript_is_the_same_whichever_instrumentation_made_the_trace(name: str) -> None:
    run = from_trace(stored(name))
    (beat,) = run.steps
    assert (beat.user_message, run.metadata["system_prompt"]) == (QUESTION["content"], SYSTEM["content"])
    assert [turn.agent_text for turn in beat.turns] == [None, ANSWER]
    (call,) = run.calls()
    assert (call.tool, call.args) == ("get_weather", {"city": "Paris"})
    assert call.result["raw_output" if "raw_output" in call.result else "text"] == RESULT["content"]
    assert beat.usage is not None
    assert (beat.usage.input, beat.usage.output) == (80, 21)


# The instrumentations that are installed, live: a new version that names something else is noticed here

RECORD = Path(__file__).parent / "recording" / "record.py"
LIVE = [
    "openai-v2", "openai-v2-details", "openai-v2-events", "openinference-openai", "openllmetry-openai", "pydantic-ai",
    "pydantic-ai-2", "openinference-langchain",
]  # fmt: skip
UNFIT = "No module named 'opentelemetry.util.genai.instruments'"


@pytest.mark.parametrize("name", LIVE)
@pytest.mark.slow
def test_what_is_installed_writes_what_the_tables_read(name: str, tmp_path: Path) -> None:
    """In a process of its own, since an instrumentation patches the libraries that it finds."""
    file = tmp_path / "recording.json"
    done = subprocess.run(preloaded.command(RECORD, name, file), env=os.environ, capture_output=True, text=True)
    if UNFIT in done.stderr:
        pytest.skip("opentelemetry-instrumentation-openai-v2 needs opentelemetry-util-genai<1, which is not installed")
    assert done.returncode == 0, done.stderr
    check_conversation(name, views(json.loads(file.read_text(encoding="utf-8"))))
