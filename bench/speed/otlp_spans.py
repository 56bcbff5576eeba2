"""Batches of an agent's spans, as an exporter sends them and as native ingest takes them.

Spans are made by OpenTelemetry's SDK and encoded by the encoder of its exporter. That is done once: further batches are
the same bytes with other ids, sessions, users and times in their places, because the encoder is slower than what is
measured here. A trace is an agent with two model calls and a tool, all with session, user and conversation.
"""

import json
import random
import struct
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from gnomon.store import schema
from gnomon.store.engine import open_store

BATCH = 512
SPANS_A_TRACE = 4
TRACES = BATCH // SPANS_A_TRACE
TRACES_A_SESSION = 4
USERS = 10_000
PROJECT = "bench"
PROTOBUF = "application/x-protobuf"
MODEL = "gpt-4o-2024-08-06"
START_MS, STEP_MS = 1_790_000_000_000, 20
_PLACES = 2 * BATCH + (BATCH - TRACES) + 2 * BATCH + 3 * BATCH
"""Ids of trace and span, parents, two times; session, conversation and user."""

Slot = tuple[str, int]
"""What stands in a place (`trace`, `span`, `start`, `end`, `session`, `user`), and of which trace or span it is."""
Facts = dict[Slot, bytes | int | str]
"""Ids as bytes, times as milliseconds, names as text."""


class Batches:
    """Batch after batch of 512 spans. The same number gives the same spans in both forms."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        spans = _made()
        facts = _facts_of(spans)
        self._otlp = Stencil(encode_spans(spans).SerializeToString(), _marks(facts, _in_otlp))
        native = {"project_id": PROJECT, "spans": [_native(span) for span in spans]}
        self._native = Stencil(json.dumps(native, separators=(",", ":")).encode(), _marks(facts, _in_json))

    def otlp(self, number: int) -> bytes:
        return self._otlp.filled(_facts(self._seed, number), _in_otlp)

    def native(self, number: int) -> bytes:
        return self._native.filled(_facts(self._seed, number), _in_json)


class Stencil:
    """Bytes with places in them that are filled again and again, with as many bytes as were there."""

    def __init__(self, text: bytes, marks: Mapping[bytes, Slot]) -> None:
        found = sorted((at, len(mark), slot) for mark, slot in marks.items() for at in _occurrences(text, mark))
        if len(found) != _PLACES:
            raise SystemExit(f"the batch has {len(found)} places for ids, times and names; {_PLACES} are expected")
        self._pieces: list[bytes] = []
        self._slots = [slot for _, _, slot in found]
        end = 0
        for at, length, _ in found:
            self._pieces.append(text[end:at])
            end = at + length
        self._pieces.append(text[end:])

    def filled(self, facts: Facts, written: "Written") -> bytes:
        values = {slot: written(fact) for slot, fact in facts.items()}
        parts = [self._pieces[0]]
        for slot, piece in zip(self._slots, self._pieces[1:], strict=True):
            parts += (values[slot], piece)
        return b"".join(parts)


Written = Callable[[bytes | int | str], bytes]


def _in_otlp(fact: bytes | int | str) -> bytes:
    if isinstance(fact, int):
        return struct.pack("<Q", fact * 1_000_000)
    return fact if isinstance(fact, bytes) else fact.encode()


def _in_json(fact: bytes | int | str) -> bytes:
    if isinstance(fact, int):
        return moment(fact).encode()
    return (fact.hex() if isinstance(fact, bytes) else fact).encode()


def moment(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _occurrences(text: bytes, mark: bytes) -> list[int]:
    found, at = [], text.find(mark)
    while at >= 0:
        found.append(at)
        at = text.find(mark, at + 1)
    return found


def _marks(facts: Facts, written: Written) -> dict[bytes, Slot]:
    return {written(fact): slot for slot, fact in facts.items()}


def _facts(seed: int, number: int) -> Facts:
    """What is different in each batch."""
    chance = random.Random(f"{seed}-{number}")
    facts: Facts = {("trace", at): chance.randbytes(16) for at in range(TRACES)}
    facts |= {("span", at): chance.randbytes(8) for at in range(BATCH)}
    for at in range(TRACES):
        facts["session", at] = _session((number * TRACES + at) // TRACES_A_SESSION)
        facts["user", at] = _user(chance.randrange(USERS))
    for at in range(BATCH):
        facts["start", at] = START_MS + (number * BATCH + at) * STEP_MS
        facts["end", at] = START_MS + (number * BATCH + at) * STEP_MS + STEP_MS // 2
    return facts


def _session(number: int) -> str:
    return f"session-{number:010}"


def _user(number: int) -> str:
    return f"user-{number:08}"


def spans_kept(url: str) -> int:
    """How many spans are in a database whose server is gone."""
    store = open_store(url)
    try:
        counted = sa.select(sa.func.count()).select_from(schema.spans).where(schema.spans.c.project_id == PROJECT)
        return store.read(lambda db: int(db.execute(counted).scalar_one()))
    finally:
        store.close()


# --- the spans that are encoded -----


def _made() -> Sequence[ReadableSpan]:
    """512 spans, each with a time of its own and each trace with a session and a user of its own."""
    kept = InMemorySpanExporter()
    resource = Resource({"service.name": "bench", "gnomon.project": PROJECT, "deployment.environment.name": "test"})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(kept))
    tracer = provider.get_tracer("bench.speed.otlp", "1")
    for number in range(TRACES):
        _make_trace(tracer, number)
    return sorted(kept.get_finished_spans(), key=lambda span: span.start_time or 0)


def _make_trace(tracer: trace.Tracer, number: int) -> None:
    common = {
        "session.id": _session(number), "gen_ai.conversation.id": _session(number), "user.id": _user(number),
    }  # fmt: skip
    root: trace.Span | None = None
    for index, (name, kind, attributes) in enumerate(steps(number)):
        at = START_MS + (number * SPANS_A_TRACE + index) * STEP_MS
        parent = None if root is None else trace.set_span_in_context(root)
        span = tracer.start_span(
            name, parent, kind, attributes={**attributes, **common}, start_time=at * 1_000_000
        )  # fmt: skip
        span.end((at + STEP_MS // 2) * 1_000_000)
        root = root or span


def steps(number: int) -> list[tuple[str, SpanKind, dict[str, Any]]]:
    question = f"What is the state of order {number}, which I placed last week, and when will all of it be delivered? "
    answer = (
        f"Order {number} left the warehouse on Tuesday; two of its three parcels have arrived and one is on its way. "
    )
    call = {"type": "tool_call", "id": f"call_{number:08}", "name": "find_order", "arguments": {"order": number}}
    result = {"order": number, "parcels": [{"state": "arrived"}, {"state": "arrived"}, {"state": "on its way"}]}
    asked = [
        _message("system", "You answer questions about orders. Be short and exact. " * 3),
        _message("user", question),
    ]
    message = {"role": "tool", "parts": [{"type": "tool_call_response", "id": call["id"], "response": result}]}
    first = [{"role": "assistant", "parts": [call], "finish_reason": "tool_call"}]
    last = [{**_message("assistant", answer), "finish_reason": "stop"}]
    agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "orders", "gen_ai.provider.name": "openai"}
    return [
        ("invoke_agent orders", SpanKind.INTERNAL, {**agent, "input.value": question, "output.value": answer}),
        (f"chat {MODEL}", SpanKind.CLIENT, _chat(asked, first, number)),
        ("execute_tool find_order", SpanKind.INTERNAL, {
            "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find_order",
            "gen_ai.tool.call.id": call["id"], "gen_ai.tool.call.arguments": json.dumps(call["arguments"]),
            "gen_ai.tool.call.result": json.dumps(result),
        }),
        (f"chat {MODEL}", SpanKind.CLIENT, _chat([*asked, *first, message], last, number)),
    ]  # fmt: skip


def _message(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def _chat(asked: Sequence[Any], answered: Sequence[Any], number: int) -> dict[str, Any]:
    return {
        "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-4o",
        "gen_ai.response.model": MODEL, "gen_ai.response.id": f"chatcmpl-{number:016}", "server.port": 443,
        "server.address": "api.openai.com", "gen_ai.request.temperature": 0.2, "gen_ai.request.max_tokens": 512,
        "gen_ai.response.finish_reasons": ["stop"], "gen_ai.usage.input_tokens": 240 + number,
        "gen_ai.usage.output_tokens": 45, "gen_ai.input.messages": json.dumps(asked),
        "gen_ai.output.messages": json.dumps(answered),
    }  # fmt: skip


def _facts_of(spans: Sequence[ReadableSpan]) -> Facts:
    facts: Facts = {}
    for at, span in enumerate(spans):
        assert span.context is not None
        facts["trace", at // SPANS_A_TRACE] = span.context.trace_id.to_bytes(16)
        facts["span", at] = span.context.span_id.to_bytes(8)
        facts["start", at], facts["end", at] = ((ns or 0) // 1_000_000 for ns in (span.start_time, span.end_time))
        facts["session", at // SPANS_A_TRACE] = _session(at // SPANS_A_TRACE)
        facts["user", at // SPANS_A_TRACE] = _user(at // SPANS_A_TRACE)
    return facts


# --- the same spans for native ingest -----

_SHOWN = (
    "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.response.model", "gen_ai.usage.input_tokens",
    "gen_ai.usage.output_tokens", "input.value", "output.value", "gen_ai.tool.call.arguments",
    "gen_ai.tool.call.result",
)  # fmt: skip


def _native(span: ReadableSpan) -> dict[str, Any]:
    """As a program would send it that speaks to Gnomon: what has a field is in it, and all else is metadata."""
    attributes, context = dict(span.attributes or {}), span.context
    assert context is not None
    shown = {
        "input": _decoded(attributes, "gen_ai.input.messages", "input.value", "gen_ai.tool.call.arguments"),
        "output": _decoded(attributes, "gen_ai.output.messages", "output.value", "gen_ai.tool.call.result"),
        "model": attributes.get("gen_ai.response.model"),
        "tokens_input": attributes.get("gen_ai.usage.input_tokens"),
        "tokens_output": attributes.get("gen_ai.usage.output_tokens"),
    }
    kept = {key: value for key, value in attributes.items() if key not in _SHOWN}
    start, end = ((ns or 0) // 1_000_000 for ns in (span.start_time, span.end_time))
    return {
        "id": f"{context.span_id:016x}",
        "trace_id": f"{context.trace_id:032x}",
        "parent_span_id": None if span.parent is None else f"{span.parent.span_id:016x}",
        "name": span.name,
        "start_time": moment(start),
        "end_time": moment(end),
        **{name: value for name, value in shown.items() if value is not None},
        "metadata": {key: json.dumps(value) if isinstance(value, tuple) else value for key, value in kept.items()},
    }


def _decoded(attributes: Mapping[str, Any], *names: str) -> Any:
    text = next((attributes[name] for name in names if name in attributes), None)
    return json.loads(text) if text is not None and text[:1] in "[{" else text
