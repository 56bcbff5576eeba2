"""Runs as spans and back, and traces of other origin as runs."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.interop import taubench
from gnomon.interop.spans import from_trace, to_spans
from gnomon.model.trace import IngestDraft, Span, SpanDraft, Trace
from gnomon.model.transcript import RunEnd, RunHeader, Step, ToolCall, Transcript, Turn, Usage

START = datetime(2026, 5, 17, 4, 0, tzinfo=UTC)


def stored(drafts: list[SpanDraft]) -> Trace:
    """As the server keeps and shows them: by start time, after a journey as JSON."""
    sent = IngestDraft.model_validate_json(IngestDraft(spans=drafts).model_dump_json()).spans
    spans = [
        Span(**{**dict(one), "duration_ms": one.duration})
        for one in sorted(sent, key=lambda one: (one.start_time, one.id))
    ]
    roots = [one for one in spans if one.parent_span_id is None]
    return Trace(
        id=spans[0].trace_id, project_id="p", root_span_id=roots[0].id if len(roots) == 1 else None,
        span_count=len(spans), created_at=START, metadata=roots[0].metadata, name=roots[0].name, duration_ms=None,
        model=next((one.model for one in spans if one.model), None), tokens=0, has_error=False, in_queue=False,
        spans=spans,
    )  # fmt: skip


def step(number: int, name: str, parent: str | None = "root", **fields: Any) -> SpanDraft:
    at = START + timedelta(seconds=number)
    return SpanDraft(
        id=f"s{number}", trace_id="t", parent_span_id=parent, name=name, start_time=at,
        end_time=at + timedelta(milliseconds=500), **fields,
    )  # fmt: skip


ROOT = SpanDraft(id="root", trace_id="t", name="agent", start_time=START, end_time=START + timedelta(seconds=60))


def shape(found: Transcript) -> list[Any]:
    def made(turn: Turn) -> tuple[str | None, list[Any]]:
        return turn.agent_text, [(one.tool, one.args, one.result) for one in turn.tool_calls]

    return [(beat.user_message, list(map(made, beat.turns))) for beat in found.steps]


def test_a_run_is_a_tree_of_run_beats_and_calls_with_times_that_follow_each_other(test_data: Path) -> None:
    run = taubench.read(test_data / "bench" / "tau_bench_two_trajectories.json")[1]
    root, *below = to_spans(run, started=START)
    beats = [span for span in below if span.parent_span_id == root.id]
    calls = [span for span in below if span.parent_span_id in {beat.id for beat in beats}]
    assert (len(beats), len(calls), len(below)) == (6, 5, 11)
    assert (root.name, root.output, root.start_time) == ("1", run.final_text(), START)
    assert [beat.start_time for beat in beats[1:]] == [beat.end_time for beat in beats[:-1]]
    assert calls[-1].name == "cancel_reservation"
    assert calls[-1].input == {"reservation_id": "Z7GOZK"}
    assert to_spans(run, started=START) == [root, *below]
    assert len({span.id for span in [root, *below]}) == 12
    assert to_spans(run.model_copy(update={"run_id": "other"}))[0].trace_id != root.trace_id


def test_times_and_tokens_are_the_runs_own_where_it_has_them() -> None:
    call = ToolCall(tool="f", args={}, result={"error": "no"}, routed_to="x", ok=False, duration_ms=250)
    beats = [
        Step(step_id=3, timestamp="2030-01-01T00:00:00Z", turns=[Turn(tool_calls=[call])], latency_ms=2000,
             usage=Usage(input=7, output=2), error="gave up"),
        Step(step_id=4, timestamp="2030-01-01T01:00:00Z", turns=[]),
    ]  # fmt: skip
    plain = Transcript(scenario_id="s", run_id="r", steps=beats, end=RunEnd(status="aborted", reason="budget"))
    root, first, tool, second = to_spans(plain)
    assert (first.start_time.hour, second.start_time.hour, first.duration, tool.duration) == (0, 1, 2000, 250)
    assert (first.tokens_input, root.tokens_input) == (7, None)
    assert (root.error and root.error.message, first.error and first.error.message) == ("budget", "gave up")
    assert tool.error is not None
    header = RunHeader.model_validate({
        "scenario_id": "s", "run_id": "r", "agent_id": "a", "started_at": "2026-05-17T04:00:00Z",
        "run_config": {"agent_model": "a", "user_sim_model": "none", "judge_model": "none"}})  # fmt: skip
    simulated = to_spans(plain.model_copy(update={"header": header}))
    assert [span.start_time - START for span in simulated] == [timedelta(0)] * 3 + [timedelta(seconds=2)]


texts = st.none() | st.text(max_size=6)
plain = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4)
)
objects = st.dictionaries(st.text(max_size=3), plain | st.lists(plain, max_size=2), max_size=3)
calls = st.builds(
    ToolCall, tool=st.text(max_size=5), args=objects, result=objects, routed_to=st.just("x"), id=texts,
    ok=st.none() | st.booleans(), duration_ms=st.none() | st.floats(0, 1e13),
)  # fmt: skip
turns = st.builds(Turn, agent_text=texts, tool_calls=st.lists(calls, max_size=3))
TIMES = ["", "2026-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00+23:00", "x"]
beats = st.builds(
    Step, heartbeat_id=st.integers(0, 9), turns=st.lists(turns, max_size=3), user_message=texts,
    latency_ms=st.none() | st.floats(0, 1e13), timestamp=st.sampled_from(TIMES),
    usage=st.none() | st.builds(Usage, input=st.integers(-1, 2**60), output=st.none()),
)  # fmt: skip
runs = st.builds(
    Transcript, scenario_id=st.text(max_size=5), run_id=st.text(max_size=5), steps=st.lists(beats, max_size=3)
)


def storable(value: Any) -> Any:
    """NUL and halves of characters cannot be stored; everything else survives."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
    if isinstance(value, dict):
        return {storable(key): storable(one) for key, one in value.items()}
    return type(value)(map(storable, value)) if isinstance(value, list | tuple) else value


@given(runs)
@settings(max_examples=40)
def test_calls_and_texts_survive_the_way_to_spans_and_back(run: Transcript) -> None:
    found = from_trace(stored(to_spans(run)))
    assert shape(found) == storable(shape(run))
    assert [beat.step_id for beat in found.steps] == [beat.step_id for beat in run.steps]
    assert [call.ok for call in found.calls()] == [call.ok for call in run.calls()]


def test_a_published_run_survives_with_what_is_known_of_it(test_data: Path) -> None:
    for run in taubench.read(test_data / "bench" / "tau_bench_two_trajectories.json"):
        found = from_trace(stored(to_spans(run)))
        assert shape(found) == shape(run)
        assert (found.scenario_id, found.run_id, found.source) == (run.scenario_id, run.run_id, run.source)
        for key in ("reported", "expected_tool_calls", "system_prompt"):
            assert found.metadata[key] == run.metadata[key]


# Traces of other origin

FIRST = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "weather?"}]
ASKED = {"role": "assistant", "content": None, "tool_calls": [
    {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}]}  # fmt: skip
BACK = {"role": "tool", "tool_call_id": "c1", "content": "grey"}
WANTED = [("weather?", [(None, [("weather", {"city": "Oslo"}, {"text": "grey"})]), ("Grey.", [])])]
TOOL = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "weather", "gen_ai.tool.call.id": "c1"}


def test_messages_that_model_calls_repeat_count_once() -> None:
    found = from_trace(stored([
        ROOT,
        step(1, "chat", model="m", input=FIRST, output=ASKED, tokens_input=5, tokens_output=1),
        step(3, "chat", model="m", input=[*FIRST, ASKED, BACK], output={"role": "assistant", "content": "Grey."},
             tokens_input=9, tokens_output=2),
        step(5, "chat", model="m", input=[*FIRST, ASKED, BACK, {"role": "assistant", "content": "Grey."},
                                          {"role": "user", "content": "weather?"}], output="Grey."),
    ]))  # fmt: skip
    assert shape(found) == [*WANTED, ("weather?", [("Grey.", [])])]
    assert found.metadata["system_prompt"] == "Be kind."
    assert (found.scenario_id, found.run_id, found.source) == ("agent", "t", "trace")
    usage = found.steps[0].usage
    assert usage is not None
    assert (usage.input, usage.output) == (14, 3)


def test_a_tools_span_is_the_call_that_the_model_asked_for() -> None:
    for told in (TOOL, {"openinference.span.kind": "TOOL", "tool.name": "weather"}):
        found = from_trace(stored([
            ROOT,
            step(1, "chat", model="m", input=FIRST, output=ASKED),
            step(2, "execute_tool weather", metadata=told, input={"city": "Oslo"}, output="grey", duration_ms=500),
            step(3, "chat", model="m", input=[*FIRST, ASKED, BACK], output="Grey."),
        ]))  # fmt: skip
        assert shape(found) == WANTED
        assert (found.calls()[0].duration_ms, found.calls()[0].ok) == (500, True)
        assert "notes" not in found.metadata


def test_message_attributes_of_the_conventions_are_read() -> None:
    kind, asked, answer = ([{"type": "text", "content": text}] for text in ("Be kind.", "weather?", "Grey."))
    parts = [{"type": "tool_call", "id": "c1", "name": "weather", "arguments": {"city": "Oslo"}}]
    back = [{"type": "tool_call_response", "id": "c1", "response": "grey"}]
    first_two = [{"role": "user", "parts": asked}, {"role": "assistant", "parts": parts}]
    genai = [
        {"gen_ai.operation.name": "chat", "gen_ai.system_instructions": json.dumps(kind),
         "gen_ai.input.messages": json.dumps(first_two[:1]), "gen_ai.output.messages": json.dumps(first_two[1:])},
        {"gen_ai.operation.name": "chat",
         "gen_ai.input.messages": json.dumps([*first_two, {"role": "tool", "parts": back}]),
         "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": answer}])},
    ]  # fmt: skip
    call = "message.tool_calls.0.tool_call"
    openinference = [
        {"openinference.span.kind": "LLM", "llm.input_messages.0.message.role": "system",
         "llm.input_messages.0.message.content": "Be kind.", "llm.input_messages.1.message.role": "user",
         "llm.input_messages.1.message.content": "weather?", "llm.output_messages.0.message.role": "assistant",
         f"llm.output_messages.0.{call}.id": "c1", f"llm.output_messages.0.{call}.function.name": "weather",
         f"llm.output_messages.0.{call}.function.arguments": '{"city": "Oslo"}'},
        {"openinference.span.kind": "LLM", "llm.input_messages.0.message.role": "tool",
         "llm.input_messages.0.message.content": "grey", "llm.input_messages.0.message.tool_call_id": "c1",
         "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "Grey."},
    ]  # fmt: skip
    for first, second in (genai, openinference):
        found = from_trace(stored([ROOT, step(1, "llm", metadata=first), step(3, "llm", metadata=second)]))
        assert shape(found) == WANTED
        assert found.metadata["system_prompt"] == "Be kind."


def test_a_trace_without_model_calls_is_what_went_in_came_out_and_was_called() -> None:
    root = ROOT.model_copy(update={"input": {"question": "weather?"}, "output": "Grey."})
    found = from_trace(
        stored([root, step(1, "weather", metadata=TOOL, input={"city": "Oslo"}, output={"sky": "grey"})])
    )
    wanted = [(None, [("weather", {"city": "Oslo"}, {"sky": "grey"})]), ("Grey.", [])]
    assert shape(found) == [('{"question":"weather?"}', wanted)]


def test_errors_of_spans_are_told_where_they_happened() -> None:
    found = from_trace(stored([
        ROOT,
        step(1, "weather", metadata=TOOL, input="not json", error={"message": "offline"}),
        step(2, "chat", model="m", input="hi", error={"message": "rate limit"}),
    ]))  # fmt: skip
    assert (found.calls()[0].ok, found.calls()[0].args) == (False, {"_raw": "not json"})
    assert found.calls()[0].result == {"text": "offline"}
    assert found.steps[-1].error == "rate limit"


names = st.sampled_from(
    ["gen_ai.tool.name", "gen_ai.operation.name", "gen_ai.input.messages", "gen_ai.output.messages", "gnomon.kind",
     "gnomon.turns", "gnomon.step", "gnomon.turn", "llm.input_messages.0.message.role", "llm.input_messages.0",
     "llm.output_messages.x.y", "openinference.span.kind", "gen_ai.prompt.0.tool_calls.0.name"]
)  # fmt: skip
words = st.sampled_from(
    ["run", "beat", "tool", "chat", "LLM", "TOOL", '[{"role":"user","content":[1]}]', "[1]", '{"a":[]}']
)
attributes = st.dictionaries(names, words | st.none() | st.integers(-3, 3) | st.booleans(), max_size=4)
KEYS = ["role", "content", "tool_calls", "choices", "messages", "message"]
inputs = st.recursive(
    st.none() | st.integers() | st.text(max_size=3) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
some_spans = st.lists(
    st.tuples(attributes, inputs, inputs, st.none() | st.just("m"), st.booleans()), min_size=1, max_size=4
)


@given(some_spans)
@settings(max_examples=60)
def test_any_trace_is_read(rows: list[Any]) -> None:
    drafts = [
        step(number, "x", "s0" if nested and number else None, metadata=told, input=given_, output=back, model=model)
        for number, (told, given_, back, model, nested) in enumerate(rows)
    ]
    assert from_trace(stored(drafts)).model_dump_json()
