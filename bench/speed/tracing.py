"""What a traced call costs the program beside a bare OpenTelemetry span, and how many spans are stored per second.

Three functions that do nothing take turns: one in a span of OpenTelemetry with its batch processor and an exporter
that throws away, one with two attributes set by hand, and one under `gnomon.trace`, whose spans are stored in SQLite.
Cost is the processor time of the calling thread: what the program waits for, whoever else computes.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from bench.speed.stand import Figure, at_least, at_most, main, workplace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

import gnomon as gn

CALLS = {"small": 1_000, "medium": 2_000, "full": 5_000}
ROUNDS = {"small": 5, "medium": 15, "full": 31}
MOST_TIMES, LEAST_SPANS = 1.5, 3_000
QUESTION = "What is the capital of France?"


class ThrowAway(SpanExporter):
    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return SpanExportResult.SUCCESS


def measure(options: argparse.Namespace) -> list[Figure]:
    with workplace() as folder:
        gn.configure(database=str(folder / "traces.db"), project="bench")
        figures = _costs(CALLS[options.size], ROUNDS[options.size])
        figures.append(_stored(CALLS[options.size] * 5))
        gn.configure()
    return figures


def _costs(calls: int, rounds: int) -> list[Figure]:
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(ThrowAway(), max_queue_size=100_000))
    tracer = provider.get_tracer("bench")

    def bare(question: str) -> str:
        with tracer.start_as_current_span("answer"):
            return "Paris"

    def with_attributes(question: str) -> str:
        with tracer.start_as_current_span("answer") as span:
            span.set_attribute("input", question)
            span.set_attribute("output", "Paris")
            return "Paris"

    @gn.trace
    def traced(question: str) -> str:
        return "Paris"

    ways: dict[str, Callable[[str], str]] = {"bare": bare, "attributes": with_attributes, "traced": traced}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds + 1):
        for name, way in ways.items():
            times[name].append(_seconds_per_call(way, calls))
            provider.force_flush()
            gn.flush(60)
    cost = {name: statistics.median(taken[1:]) * 1e6 for name, taken in times.items()}
    return [
        Figure("a bare OpenTelemetry span with its batch processor", cost["bare"], "µs"),
        Figure("the same with two attributes", cost["attributes"], "µs"),
        Figure("a call under gnomon.trace, with input and output", cost["traced"], "µs"),
        at_most("gnomon.trace against a bare span", cost["traced"] / cost["bare"], "×", MOST_TIMES),
        Figure("gnomon.trace against a span with two attributes", cost["traced"] / cost["attributes"], "×"),
    ]


def _seconds_per_call(way: Callable[[str], Any], calls: int) -> float:
    began = time.thread_time()
    for _ in range(calls):
        way(QUESTION)
    return (time.thread_time() - began) / calls


def _stored(spans: int) -> Figure:
    @gn.trace
    def answer(question: str) -> str:
        return "Paris"

    began, computed = time.perf_counter(), time.process_time()
    for _ in range(spans):
        answer(QUESTION)
    if not gn.flush(600):
        raise SystemExit("some spans were not stored")
    rate, computing = spans / (time.perf_counter() - began), spans / (time.process_time() - computed)
    note = f"{rate:,.0f} per second of the clock, with whatever else the machine did"
    return at_least(
        "traces of one span, made and stored in SQLite, per second of computing", computing, "/s", LEAST_SPANS, note
    )


if __name__ == "__main__":
    main(__doc__, measure)
