"""What the pages show: the same recent traces for every tool, as OTLP.

A few hundred traces of an agent with two model calls and a tool, a minute apart, and a large trace, whose root has a
step per ten spans. All are recent, because every tool shows the last days first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.speed.otlp_spans import PROJECT, SPANS_A_TRACE, STEP_MS, steps
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

BATCH = 500
SPANS_A_STEP = 10
MINUTE_MS = 60_000
LARGE = "agent of many steps"


@dataclass(frozen=True)
class Sent:
    """Bodies of OTLP requests, how many spans they have in all, and the trace of the last one, in hex."""

    bodies: Sequence[bytes]
    spans: int
    trace_id: str


def small_traces(count: int, now_ms: int) -> Sent:
    made = _Made()
    for number in range(count):
        at = now_ms - (count - number) * MINUTE_MS
        (name, kind, attributes), *calls = steps(number)
        root = made.span(None, name, kind, attributes, at)
        for index, (name, kind, attributes) in enumerate(calls, 1):
            made.span(root, name, kind, attributes, at + index * STEP_MS)
    return made.sent()


def large_trace(spans: int, now_ms: int) -> Sent:
    """One trace of so many spans: a root, its steps, and the calls of each."""
    made, start = _Made(), now_ms - spans * STEP_MS
    root = step = made.span(None, LARGE, SpanKind.INTERNAL, {"input.value": "Do it.", "output.value": "Done."}, start)
    for number in range(1, spans):
        name, kind, attributes = steps(number)[number % SPANS_A_TRACE]
        is_step = number % SPANS_A_STEP == 1
        span = made.span(root if is_step else step, name, kind, attributes, start + number * STEP_MS)
        step = span if is_step else step
    return made.sent()


class _Made:
    """Spans that OpenTelemetry's SDK makes and its exporter encodes."""

    def __init__(self) -> None:
        self._kept = InMemorySpanExporter()
        resource = Resource({"service.name": "bench", "gnomon.project": PROJECT})
        provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        provider.add_span_processor(SimpleSpanProcessor(self._kept))
        self._tracer = provider.get_tracer("bench.speed.page", "1")

    def span(
        self, parent: trace.Span | None, name: str, kind: SpanKind, attributes: Mapping[str, Any], at_ms: int
    ) -> trace.Span:
        context = None if parent is None else trace.set_span_in_context(parent)
        span = self._tracer.start_span(name, context, kind, attributes, start_time=at_ms * 1_000_000)
        span.end((at_ms + STEP_MS // 2) * 1_000_000)
        return span

    def sent(self) -> Sent:
        spans = self._kept.get_finished_spans()
        bodies = [
            encode_spans(spans[at : at + BATCH]).SerializeToString() for at in range(0, len(spans), BATCH)
        ]  # fmt: skip
        context = spans[-1].get_span_context()
        return Sent(bodies, len(spans), trace.format_trace_id(context.trace_id) if context else "")
