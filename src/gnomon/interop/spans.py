"""Transcripts as spans, and traces as transcripts.

`to_spans` writes a run as a tree: the run, its steps, their tool calls, and what it was scored as; ids follow from the
run's names, so that sending it twice is sending it once. `from_trace` reads that tree back; traces of other origin are
read by genai.py.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from gnomon.errors import Refused
from gnomon.interop.conventions.genai import CALL_ID, EXECUTES_TOOL, OPERATION, TOOL_NAME
from gnomon.interop.conventions.values import decoded
from gnomon.interop.conversation import CODE, ConversationBuilder, as_object
from gnomon.interop.genai import about, add_spans
from gnomon.interop.jsontext import storable
from gnomon.model import moment
from gnomon.model.fields import LARGEST_COUNT
from gnomon.model.jsonvalue import dump
from gnomon.model.trace import Span, SpanDraft, SpanError, Trace
from gnomon.model.transcript import NO_MODEL, RecordedConfig, Step, ToolCall, Transcript, Turn, Usage

SOURCE = "trace"
KIND = "gnomon.kind"
_STEP_KINDS = ("step", "beat")
"""A step's span, and as traces have it that were stored before steps had that name."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_KEPT = ("notes", "reported", "expected_tool_calls")
_LONGEST_NAME = 256
_LONGEST_ERROR = 500
_LONGEST_MS = 1e12


def to_spans(
    transcript: Transcript,
    *,
    trace_id: str | None = None,
    started: datetime | None = None,
    record: dict[str, Any] | None = None,
) -> list[SpanDraft]:
    """The run's tree, root first. Times are the run's own where it has them, else a millisecond a step.

    With a `record` (what the run was scored as, as JSON) a span at the end has it as its output.
    """
    trace = trace_id or _digest(transcript.source, transcript.scenario_id, transcript.run_id)[:32]
    start = moment.parse(started) if started else _started(transcript)
    root, at = _digest(trace, "run")[:16], start
    below: list[SpanDraft] = []
    for number, step in enumerate(transcript.steps):
        spans, at = _step_spans(step, number, trace, root, _begins(at, step, transcript))
        below += spans
    if record is not None:
        below.append(_record_span(record, trace, root, at))
    return [_run_span(transcript, trace, root, start, at), *below]


def record_span_id(trace_id: str) -> str:
    """Which span of a run's trace has what it was scored as."""
    return _digest(trace_id, "record")[:16]


def step_span_id(trace_id: str, number: int) -> str:
    """Which span of a run's trace is the step at this place, from 0."""
    # The word stays what it was: a run that is sent again has the ids that it had.
    return _digest(trace_id, "beat", str(number))[:16]


def is_own_run(trace: Trace) -> bool:
    """Whether `to_spans` wrote this trace."""
    return any(span.id == trace.root_span_id and about(span).get(KIND) == "run" for span in trace.spans)


def _record_span(record: dict[str, Any], trace: str, root: str, at: datetime) -> SpanDraft:
    return SpanDraft(
        id=record_span_id(trace), trace_id=trace, parent_span_id=root, name="score", output=storable(record),
        start_time=at, end_time=at, metadata={KIND: "record"},
    )  # fmt: skip


def _run_span(transcript: Transcript, trace: str, id: str, start: datetime, end: datetime) -> SpanDraft:
    ended, steps = transcript.end, transcript.steps
    broken = ended.reason or ended.status if ended is not None and ended.status != "ok" else None
    # A trace adds up what its spans say, so tokens stand either at the steps or here.
    total = ended.usage if ended is not None and not any(step.usage for step in steps) else None
    metadata: dict[str, Any] = {
        KIND: "run",
        "gnomon.scenario_id": transcript.scenario_id,
        "gnomon.run_id": transcript.run_id,
        "gnomon.source": transcript.source,
        "gnomon.system_prompt": transcript.metadata.get("system_prompt"),
    }
    metadata |= {
        f"gnomon.{key}": dump(storable(transcript.metadata.get(key))) for key in _KEPT if transcript.metadata.get(key)
    }
    return SpanDraft(
        id=id, trace_id=trace, name=_name(transcript.scenario_id),
        input=storable(steps[0].user_message if steps else None), output=storable(transcript.final_text()),
        start_time=start, end_time=end, model=transcript.run_config.agent_model if transcript.run_config else None,
        error=_error(broken), metadata=_flat(metadata), **_tokens(total),
    )  # fmt: skip


def _step_spans(step: Step, number: int, trace: str, root: str, start: datetime) -> tuple[list[SpanDraft], datetime]:
    id, at = step_span_id(trace, number), start
    calls: list[SpanDraft] = []
    for turn, answer in enumerate(step.turns):
        for call in answer.tool_calls:
            calls.append(_call_span(call, turn, len(calls), trace, id, at))
            at = calls[-1].end_time or at
    at = max(at, _after(start, step.latency_ms))
    texts = [turn.agent_text for turn in step.turns]
    metadata = {
        KIND: "step",
        "gnomon.step": step.step_id,
        "gnomon.place": number,
        "gnomon.timestamp": step.timestamp or None,
        "gnomon.turns": dump(storable(texts)),
        "gnomon.latency_ms": step.latency_ms,
        "gnomon.cost_usd": step.cost_usd,
        "gnomon.stop_reason": step.stop_reason,
    }
    own = SpanDraft(
        id=id, trace_id=trace, parent_span_id=root, name=f"step {step.step_id}",
        input=storable(step.user_message), output=storable(next((text for text in reversed(texts) if text), None)),
        start_time=start, end_time=at, error=_error(step.error), metadata=_flat(metadata), **_tokens(step.usage),
    )  # fmt: skip
    return [own, *calls], at


def _call_span(call: ToolCall, turn: int, position: int, trace: str, step: str, start: datetime) -> SpanDraft:
    metadata = {
        KIND: "tool",
        OPERATION: EXECUTES_TOOL,
        TOOL_NAME: call.tool,
        CALL_ID: call.id,
        "gnomon.turn": turn,
        "gnomon.place": position,
        "gnomon.routed_to": call.routed_to,
        "gnomon.ok": call.ok,
        "gnomon.duration_ms": call.duration_ms,
    }
    return SpanDraft(
        id=_digest(step, str(position))[:16], trace_id=trace, parent_span_id=step, name=_name(call.tool),
        input=storable(call.args), output=storable(call.result),
        start_time=start, end_time=_after(start, call.duration_ms),
        error=_error(dump(storable(call.result))[:_LONGEST_ERROR]) if call.ok is False else None,
        metadata=_flat(metadata),
    )  # fmt: skip


def _started(transcript: Transcript) -> datetime:
    named = [transcript.header.started_at if transcript.header else ""]
    return next(
        (at for text in [*named, *(step.timestamp for step in transcript.steps[:1])] if (at := _time(text))),
        _EPOCH,
    )


def _begins(at: datetime, step: Step, transcript: Transcript) -> datetime:
    """When a step begins: when it says so, but never before the last one ended. Our own runs simulate their times."""
    began = _time(step.timestamp) if transcript.header is None else None
    return at if began is None else max(at, began)


def _time(text: str) -> datetime | None:
    try:
        return moment.parse(text)
    except ValueError:
        return None


def _after(start: datetime, lasted: float | None) -> datetime:
    known = lasted is not None and 0 <= lasted < _LONGEST_MS
    try:
        return moment.parse(start + timedelta(milliseconds=lasted if lasted is not None and known else 1))
    except OverflowError:  # at the end of time
        return start


def _tokens(used: Usage | None) -> dict[str, Any]:
    counts = {"tokens_input": used.input, "tokens_output": used.output} if used else {}
    return {key: value for key, value in counts.items() if value is not None and 0 <= value <= LARGEST_COUNT}


def _error(message: str | None) -> SpanError | None:
    return SpanError(message=storable(message)) if message else None


def _name(text: str) -> str:
    return str(storable(text))[:_LONGEST_NAME].strip() or "unnamed"


def _flat(metadata: dict[str, Any]) -> dict[str, Any]:
    return {key: storable(value) for key, value in metadata.items() if value is not None}


def _digest(*names: str) -> str:
    return hashlib.sha256(dump(storable(list(names))).encode()).hexdigest()


# Back again


def from_trace(trace: Trace) -> Transcript:
    """What a trace says that an agent did."""
    if not trace.spans:
        raise Refused(f"trace {trace.id} has no spans; there is nothing to read in it", code=CODE)
    orphans = [span for span in trace.spans if span.parent_span_id is None]
    root = next((span for span in trace.spans if span.id == trace.root_span_id), (orphans or trace.spans)[0])
    if about(root).get(KIND) == "run":
        return _own_run(trace.spans, root)
    conversation = ConversationBuilder()
    add_spans(conversation, trace.spans, root)
    name = trace.name or root.name
    return conversation.transcript(name, trace.id, SOURCE, model=trace.model, metadata={"trace_id": trace.id})


def _own_run(spans: Sequence[Span], root: Span) -> Transcript:
    metadata = about(root)
    steps = sorted((span for span in spans if about(span).get(KIND) in _STEP_KINDS), key=_position)
    tools: dict[str | None, list[Span]] = {}
    for tool in sorted((span for span in spans if about(span).get(KIND) == "tool"), key=_position):
        tools.setdefault(tool.parent_span_id, []).append(tool)
    kept = {key: decoded(metadata[f"gnomon.{key}"]) for key in (*_KEPT, "system_prompt") if f"gnomon.{key}" in metadata}
    config = None
    if root.model:
        config = RecordedConfig(agent_model=root.model, user_sim_model=NO_MODEL, judge_model=NO_MODEL)
    return Transcript(
        scenario_id=str(metadata.get("gnomon.scenario_id") or root.name),
        run_id=str(metadata.get("gnomon.run_id") or root.trace_id),
        run_config=config,
        steps=[_own_step(span, tools.get(span.id, [])) for span in steps],
        source=str(metadata.get("gnomon.source") or SOURCE),
        metadata={**kept, "trace_id": root.trace_id},
    )


def _own_step(span: Span, tools: Sequence[Span]) -> Step:
    metadata = about(span)
    texts = decoded(metadata.get("gnomon.turns"))
    calls: list[list[ToolCall]] = [[] for _ in texts] if isinstance(texts, list) and texts else [[]]
    for tool in tools:
        turn = about(tool).get("gnomon.turn")
        calls[turn if isinstance(turn, int) and 0 <= turn < len(calls) else -1].append(_own_call(tool))
    answers = texts if isinstance(texts, list) else [None]
    number, reason = metadata.get("gnomon.step", metadata.get("gnomon.beat")), metadata.get("gnomon.stop_reason")
    spent = span.tokens_input is not None or span.tokens_output is not None
    return Step(
        step_id=number if isinstance(number, int) else 0,
        timestamp=str(metadata.get("gnomon.timestamp") or ""),
        turns=[
            Turn(agent_text=text if isinstance(text, str) else None, tool_calls=calls_made)
            for text, calls_made in zip(answers, calls, strict=False)
        ],
        user_message=None if span.input is None else str(span.input),
        usage=Usage(input=span.tokens_input, output=span.tokens_output) if spent else None,
        cost_usd=_number(metadata.get("gnomon.cost_usd")),
        latency_ms=_number(metadata.get("gnomon.latency_ms")),
        stop_reason=reason if reason in ("final_text", "max_turns", "error") else None,
        error=span.error.message if span.error else None,
    )


def _own_call(span: Span) -> ToolCall:
    metadata = about(span)
    ok, id = metadata.get("gnomon.ok"), metadata.get(CALL_ID)
    return ToolCall(
        tool=str(metadata.get(TOOL_NAME, span.name)),
        args=as_object(span.input),
        result=as_object(span.output),
        routed_to=str(metadata.get("gnomon.routed_to", "none")),
        id=id if isinstance(id, str) else None,
        ok=ok if isinstance(ok, bool) else None,
        duration_ms=_number(metadata.get("gnomon.duration_ms")),
    )


def _position(span: Span) -> tuple[int, str]:
    position = about(span).get("gnomon.place")
    return position if isinstance(position, int) else 0, span.id


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
