"""Transcripts as spans, and traces as transcripts.

`to_spans` writes a run as a tree: the run, its beats, their tool calls; ids follow from the run's names, so that
sending it twice is sending it once. `from_trace` reads that tree back; traces of other origin are read by genai.py.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from gnomon.errors import Refused
from gnomon.interop.conventions.genai import CALL_ID, EXECUTES_TOOL, OPERATION, TOOL_NAME
from gnomon.interop.conventions.values import decoded
from gnomon.interop.conversation import CODE, Conversation, as_object
from gnomon.interop.genai import about, add_spans
from gnomon.interop.values import storable
from gnomon.model import moment
from gnomon.model.fields import LARGEST_COUNT
from gnomon.model.jsonvalue import dump
from gnomon.model.trace import Span, SpanDraft, SpanError, Trace
from gnomon.model.transcript import NO_MODEL, Beat, RecordedConfig, ToolCall, Transcript, Turn, Usage

SOURCE = "trace"
KIND = "gnomon.kind"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_KEPT = ("notes", "reported", "expected_tool_calls")
_LONGEST_NAME = 256
_LONGEST_ERROR = 500
_LONGEST_MS = 1e12


def to_spans(
    transcript: Transcript, *, trace_id: str | None = None, started: datetime | None = None
) -> list[SpanDraft]:
    """The run's tree, root first. Times are the run's own where it has them, else a millisecond a step."""
    trace = trace_id or _digest(transcript.source, transcript.scenario_id, transcript.run_id)[:32]
    start = moment.parse(started) if started else _started(transcript)
    root, at = _digest(trace, "run")[:16], start
    below: list[SpanDraft] = []
    for number, beat in enumerate(transcript.heartbeats):
        spans, at = _beat_spans(beat, number, trace, root, _begins(at, beat, transcript))
        below += spans
    return [_run_span(transcript, trace, root, start, at), *below]


def _run_span(transcript: Transcript, trace: str, id: str, start: datetime, end: datetime) -> SpanDraft:
    ended, beats = transcript.end, transcript.heartbeats
    broken = ended.reason or ended.status if ended is not None and ended.status != "ok" else None
    # A trace adds up what its spans say, so tokens stand either at the beats or here.
    total = ended.usage if ended is not None and not any(beat.usage for beat in beats) else None
    told: dict[str, Any] = {
        KIND: "run",
        "gnomon.scenario_id": transcript.scenario_id,
        "gnomon.run_id": transcript.run_id,
        "gnomon.source": transcript.source,
        "gnomon.system_prompt": transcript.metadata.get("system_prompt"),
    }
    told |= {
        f"gnomon.{key}": dump(storable(transcript.metadata.get(key))) for key in _KEPT if transcript.metadata.get(key)
    }
    return SpanDraft(
        id=id, trace_id=trace, name=_name(transcript.scenario_id),
        input=storable(beats[0].user_message if beats else None), output=storable(transcript.final_text()),
        start_time=start, end_time=end, model=transcript.run_config.agent_model if transcript.run_config else None,
        error=_error(broken), metadata=_flat(told), **_tokens(total),
    )  # fmt: skip


def _beat_spans(beat: Beat, number: int, trace: str, root: str, start: datetime) -> tuple[list[SpanDraft], datetime]:
    id, at = _digest(trace, "beat", str(number))[:16], start
    calls: list[SpanDraft] = []
    for turn, said in enumerate(beat.turns):
        for call in said.tool_calls:
            calls.append(_call_span(call, turn, len(calls), trace, id, at))
            at = calls[-1].end_time or at
    at = max(at, _after(start, beat.latency_ms))
    texts = [turn.agent_text for turn in beat.turns]
    told = {
        KIND: "beat",
        "gnomon.beat": beat.heartbeat_id,
        "gnomon.place": number,
        "gnomon.timestamp": beat.timestamp or None,
        "gnomon.turns": dump(storable(texts)),
        "gnomon.latency_ms": beat.latency_ms,
        "gnomon.cost_usd": beat.cost_usd,
        "gnomon.stop_reason": beat.stop_reason,
    }
    own = SpanDraft(
        id=id, trace_id=trace, parent_span_id=root, name=f"beat {beat.heartbeat_id}",
        input=storable(beat.user_message), output=storable(next((text for text in reversed(texts) if text), None)),
        start_time=start, end_time=at, error=_error(beat.error), metadata=_flat(told), **_tokens(beat.usage),
    )  # fmt: skip
    return [own, *calls], at


def _call_span(call: ToolCall, turn: int, place: int, trace: str, beat: str, start: datetime) -> SpanDraft:
    told = {
        KIND: "tool",
        OPERATION: EXECUTES_TOOL,
        TOOL_NAME: call.tool,
        CALL_ID: call.id,
        "gnomon.turn": turn,
        "gnomon.place": place,
        "gnomon.routed_to": call.routed_to,
        "gnomon.ok": call.ok,
        "gnomon.duration_ms": call.duration_ms,
    }
    return SpanDraft(
        id=_digest(beat, str(place))[:16], trace_id=trace, parent_span_id=beat, name=_name(call.tool),
        input=storable(call.args), output=storable(call.result),
        start_time=start, end_time=_after(start, call.duration_ms),
        error=_error(dump(storable(call.result))[:_LONGEST_ERROR]) if call.ok is False else None, metadata=_flat(told),
    )  # fmt: skip


def _started(transcript: Transcript) -> datetime:
    named = [transcript.header.started_at if transcript.header else ""]
    return next(
        (at for text in [*named, *(beat.timestamp for beat in transcript.heartbeats[:1])] if (at := _time(text))),
        _EPOCH,
    )


def _begins(at: datetime, beat: Beat, transcript: Transcript) -> datetime:
    """When a beat begins: when it says so, but never before the last one ended. Our own runs simulate their times."""
    told = _time(beat.timestamp) if transcript.header is None else None
    return at if told is None else max(at, told)


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


def _flat(told: dict[str, Any]) -> dict[str, Any]:
    return {key: storable(value) for key, value in told.items() if value is not None}


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
    conversation = Conversation()
    add_spans(conversation, trace.spans, root)
    name = trace.name or root.name
    return conversation.transcript(name, trace.id, SOURCE, model=trace.model, metadata={"trace_id": trace.id})


def _own_run(spans: Sequence[Span], root: Span) -> Transcript:
    told = about(root)
    beats = sorted((span for span in spans if about(span).get(KIND) == "beat"), key=_place)
    tools: dict[str | None, list[Span]] = {}
    for tool in sorted((span for span in spans if about(span).get(KIND) == "tool"), key=_place):
        tools.setdefault(tool.parent_span_id, []).append(tool)
    kept = {key: decoded(told[f"gnomon.{key}"]) for key in (*_KEPT, "system_prompt") if f"gnomon.{key}" in told}
    config = None
    if root.model:
        config = RecordedConfig(agent_model=root.model, user_sim_model=NO_MODEL, judge_model=NO_MODEL)
    return Transcript(
        scenario_id=str(told.get("gnomon.scenario_id") or root.name),
        run_id=str(told.get("gnomon.run_id") or root.trace_id),
        run_config=config,
        heartbeats=[_own_beat(span, tools.get(span.id, [])) for span in beats],
        source=str(told.get("gnomon.source") or SOURCE),
        metadata={**kept, "trace_id": root.trace_id},
    )


def _own_beat(span: Span, tools: Sequence[Span]) -> Beat:
    told = about(span)
    texts = decoded(told.get("gnomon.turns"))
    calls: list[list[ToolCall]] = [[] for _ in texts] if isinstance(texts, list) and texts else [[]]
    for tool in tools:
        turn = about(tool).get("gnomon.turn")
        calls[turn if isinstance(turn, int) and 0 <= turn < len(calls) else -1].append(_own_call(tool))
    said = texts if isinstance(texts, list) else [None]
    number, reason = told.get("gnomon.beat"), told.get("gnomon.stop_reason")
    spent = span.tokens_input is not None or span.tokens_output is not None
    return Beat(
        heartbeat_id=number if isinstance(number, int) else 0,
        timestamp=str(told.get("gnomon.timestamp") or ""),
        turns=[
            Turn(agent_text=text if isinstance(text, str) else None, tool_calls=made)
            for text, made in zip(said, calls, strict=False)
        ],
        user_message=None if span.input is None else str(span.input),
        usage=Usage(input=span.tokens_input, output=span.tokens_output) if spent else None,
        cost_usd=_number(told.get("gnomon.cost_usd")),
        latency_ms=_number(told.get("gnomon.latency_ms")),
        stop_reason=reason if reason in ("final_text", "max_turns", "error") else None,
        error=span.error.message if span.error else None,
    )


def _own_call(span: Span) -> ToolCall:
    told = about(span)
    ok, id = told.get("gnomon.ok"), told.get(CALL_ID)
    return ToolCall(
        tool=str(told.get(TOOL_NAME, span.name)),
        args=as_object(span.input),
        result=as_object(span.output),
        routed_to=str(told.get("gnomon.routed_to", "none")),
        id=id if isinstance(id, str) else None,
        ok=ok if isinstance(ok, bool) else None,
        duration_ms=_number(told.get("gnomon.duration_ms")),
    )


def _place(span: Span) -> tuple[int, str]:
    place = about(span).get("gnomon.place")
    return place if isinstance(place, int) else 0, span.id


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
