"""One turn of the desk's chat agent, sent as OpenTelemetry's spans by the conventions for generative AI.

The agent asks a model, which calls a tool; the tool's result goes back to the model, which answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span, Status

from gnomon.interop.otlp.decoding import decode_traces
from gnomon.interop.otlp.values import key_values
from gnomon.model.jsonvalue import dump
from gnomon.model.trace import SpanError
from gnomon.service.call import Call
from gnomon.service.demo.answering import UNPRICED, stack
from gnomon.service.demo.context import PROJECT
from gnomon.service.demo.questions import Answered, DemoQuestion
from gnomon.service.traces import otlp

_NANO = 1_000_000
MODELS = {"gpt-4o-mini": "openai", "claude-haiku-4-5": "anthropic", "gemini-2.5-flash": "gcp.gemini", UNPRICED: "desk"}
"""Each with the provider that its spans name."""
SYSTEM = "You answer customers of a shop. Look facts up before you state them."
_TOOL = "search_help_pages"
_LOCKED = SpanError(message="the search index is locked by a rebuild", type="IndexLockedError")
LOCKED = _LOCKED.model_copy(update={"stack": stack("search", "search_help_pages", "hits = index.find(words)", _LOCKED)})


@dataclass(frozen=True, slots=True)
class AgentTurn:
    """What was asked in a turn, what was said before, and what was answered."""

    ended: int
    question: DemoQuestion
    answered: Answered
    model: str
    about: Mapping[str, str]
    history: Sequence[tuple[str, str]] = ()
    """(role, text), the oldest first."""
    failed: bool = False
    grounded: float | None = None


def message(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def send(call: Call, random: Random, turn: AgentTurn) -> tuple[str, str]:
    """Store the turn's trace; return the ids of the trace and of its root span."""
    trace = _Trace(f"{random.getrandbits(128):032x}", random)
    root = _turn_spans(trace, random, turn)
    store(call, trace.spans)
    return trace.id, root


def store(call: Call, spans: Sequence[Span]) -> None:
    """What an exporter's request would do."""
    scope = ScopeSpans(spans=spans)
    scope.scope.name, scope.scope.version = "support-desk.agent", "2.3.0"
    source = ResourceSpans(scope_spans=[scope])
    source.resource.attributes.extend(key_values({"service.name": "support-chat", "deployment.environment": "prod"}))
    body = ExportTraceServiceRequest(resource_spans=[source]).SerializeToString()
    otlp.receive_traces(call, otlp.prepare_traces(decode_traces(body, "protobuf")), PROJECT)


@dataclass(slots=True)
class _Trace:
    """Spans of one trace on their way."""

    id: str
    random: Random
    spans: list[Span] = field(default_factory=list)

    def add(
        self, name: str, start: int, end: int, attributes: Mapping[str, Any], parent: str | None = None,
        error: SpanError | None = None,
    ) -> str:  # fmt: skip
        id = f"{self.random.getrandbits(64):016x}"
        span = Span(
            trace_id=bytes.fromhex(self.id), span_id=bytes.fromhex(id), name=name, kind=Span.SPAN_KIND_INTERNAL,
            parent_span_id=b"" if parent is None else bytes.fromhex(parent),
            start_time_unix_nano=start * _NANO, end_time_unix_nano=end * _NANO, attributes=key_values(attributes),
        )  # fmt: skip
        if error is not None:
            span.status.code, span.status.message = Status.STATUS_CODE_ERROR, error.message
            self.event(span, "exception", end, {
                "exception.type": error.type, "exception.message": error.message, "exception.stacktrace": error.stack,
            })  # fmt: skip
        self.spans.append(span)
        return id

    def event(self, span: Span, name: str, at: int, attributes: Mapping[str, Any]) -> None:
        span.events.add(name=name, time_unix_nano=at * _NANO, attributes=key_values(attributes))


def _turn_spans(trace: _Trace, random: Random, turn: AgentTurn) -> str:
    """The agent's span, two model calls and the tool between them; the id of the first."""
    deciding, searching = random.randint(250, 900), random.randint(15, 160)
    writing = 0 if turn.failed else random.randint(500, 2_400)
    start = turn.ended - deciding - searching - writing - 40
    history = [message(role, text) for role, text in turn.history]
    messages = [*history, message("user", turn.question.asked)]
    ends = {} if turn.failed else {"gen_ai.output.messages": dump([message("assistant", turn.answered.text)])}
    root = trace.add(
        "invoke_agent support-desk", start, turn.ended,
        {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "support-desk",
         "gen_ai.input.messages": dump(messages), **ends, "topic": turn.question.topic, **turn.about},
        error=LOCKED if turn.failed else None,
    )  # fmt: skip
    call_id = f"call_{random.getrandbits(48):012x}"
    arguments = {"words": turn.question.asked.rstrip("?").split()[-3:], "topic": turn.question.topic}
    calls = {"role": "assistant", "parts": [
        {"type": "tool_call", "id": call_id, "name": _TOOL, "arguments": arguments}]}  # fmt: skip
    tokens = 180 + sum(len(text) for _, text in turn.history) // 4
    _model_call(trace, turn, (start + 5, start + 5 + deciding), root, messages, calls, tokens)
    at = start + 10 + deciding
    hits = [f"help/{turn.question.topic}#{index}" for index in range(1, 4)]
    result = {} if turn.failed else {"gen_ai.tool.call.result": dump(hits)}
    trace.add(
        f"execute_tool {_TOOL}", at, at + searching,
        {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": _TOOL, "gen_ai.tool.call.id": call_id,
         "gen_ai.tool.call.arguments": dump(arguments), **result},
        parent=root, error=LOCKED if turn.failed else None,
    )  # fmt: skip
    if not turn.failed:
        back = {"role": "tool", "parts": [{"type": "tool_call_response", "id": call_id, "response": dump(hits)}]}
        times = (at + searching + 5, turn.ended - 10)
        _model_call(trace, turn, times, root, [*messages, calls, back], message("assistant", turn.answered.text),
                    tokens + 240, grounded=turn.grounded)  # fmt: skip
    return root


def _model_call(
    trace: _Trace, turn: AgentTurn, times: tuple[int, int], parent: str, messages: Sequence[Any],
    answer: Mapping[str, Any], tokens: int, grounded: float | None = None,
) -> None:  # fmt: skip
    trace.add(
        f"chat {turn.model}", *times,
        {"gen_ai.operation.name": "chat", "gen_ai.provider.name": MODELS[turn.model],
         "gen_ai.request.model": turn.model, "gen_ai.request.temperature": 0.2,
         "gen_ai.system_instructions": dump([{"type": "text", "content": SYSTEM}]),
         "gen_ai.input.messages": dump(messages), "gen_ai.output.messages": dump([answer]),
         "gen_ai.usage.input_tokens": tokens, "gen_ai.usage.output_tokens": 12 + len(dump(answer)) // 6},
        parent=parent,
    )  # fmt: skip
    if grounded is not None:
        trace.event(trace.spans[-1], "gen_ai.evaluation.result", times[1], {
            "gen_ai.evaluation.name": "grounded", "gen_ai.evaluation.score.value": grounded,
        })  # fmt: skip


# --- a trace whose beginning was lost -----


def send_without_root(call: Call, random: Random, ended: int) -> str:
    """Spans whose parents were never sent: the program that began the trace was stopped before it could send."""
    trace = _Trace(f"{random.getrandbits(128):032x}", random)
    lost = f"{random.getrandbits(64):016x}"
    for index in range(3):
        at = ended - 900 * (3 - index)
        tool = trace.add(
            f"execute_tool {_TOOL}", at, at + 700,
            {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": _TOOL, "topic": "delivery",
             "gen_ai.tool.call.arguments": dump({"words": ["delivery", str(index)]})},
            parent=lost,
        )  # fmt: skip
        trace.add("read page", at + 50, at + 300, {"page": f"help/delivery#{index}"}, parent=tool)
    store(call, trace.spans)
    return trace.id
