"""Traces as OTLP/JSON, as the file exporter of the OpenTelemetry Collector writes them: one request per line.

Spans keep all that they say. Log records with an evaluation result are scores; other log records and metrics are
counted as left out.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gnomon.errors import GnomonError
from gnomon.interop.conventions import scores_of
from gnomon.interop.conventions.signals import SCORE
from gnomon.interop.foreign.bundle import Bundle, SpanScore
from gnomon.interop.foreign.exports import are_all, records
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.otelspans import evaluation_score, hex_id, plain_attributes
from gnomon.interop.foreign.otlprequests import MOST_SPANS, Requests
from gnomon.interop.otlp.decoding import ReceivedSpan, decode_traces

SOURCE = "otlp"
_SIGNALS = ("resourceSpans", "resourceLogs", "resourceMetrics")
_IDS = {"traceId": 32, "spanId": 16, "parentSpanId": 16}
_NOT_HERE = "score of a span that is not in the file; import them together"
_LONGEST_REASON = 120


def detect(path: Path) -> bool:
    return are_all(path, _is_one)


def _is_one(path: Path) -> bool:
    keys = look(path).keys
    return any(key in keys or f"[].{key}" in keys for key in _SIGNALS[:2])


def read(path: Path) -> Bundle:
    reading = _OtlpReader()
    bundle = reading.bundle
    for request in records(path, bundle.not_understood):
        for resource in _listed(request, "resourceSpans"):
            reading.add_spans(resource)
        for resource in _listed(request, "resourceLogs"):
            reading.add_logs(resource)
        if request.get("resourceMetrics"):
            bundle.not_understood["request of metrics"] += 1
        if not any(key in request for key in _SIGNALS):
            bundle.not_understood["record that is not an OTLP request"] += 1
    reading.finish()
    return bundle


class _OtlpReader:
    def __init__(self) -> None:
        self.bundle = Bundle(SOURCE)
        self._requests = Requests(self.bundle)
        self._tops: dict[str, tuple[bool, int, str]] = {}
        """Trace → its first root, or its first span where it has no root."""
        self._of_traces: list[tuple[str, dict[str, Any]]] = []
        """Evaluation results that name no span; the root may come after them."""

    def add_spans(self, resource: dict[str, Any]) -> None:
        about = {key: value for key, value in resource.items() if key not in ("scopeSpans", _OLDER)}
        for scope in _scopes(resource):
            spans = list(_listed(scope, "spans"))
            for start in range(0, len(spans), MOST_SPANS):
                some = [_with_hex_ids(span) for span in spans[start : start + MOST_SPANS]]
                self._decode({**about, "scopeSpans": [{**scope, "spans": some}]}, len(some))

    def _decode(self, resource: dict[str, Any], count: int) -> None:
        try:
            decoded = decode_traces(json.dumps({"resourceSpans": [resource]}).encode(), "json")
        except GnomonError as bad:
            self._refuse(bad.message, count)
            return
        for refusal in decoded.refused:
            self._refuse(refusal.reason.partition(": ")[2])
        for span in decoded.spans:
            self._add(span)

    def _refuse(self, why: str, count: int = 1) -> None:
        self.bundle.not_understood[f"span that is refused: {why[:_LONGEST_REASON]}"] += count

    def _add(self, span: ReceivedSpan) -> None:
        self._requests.add(span.body, span.source.body)
        order = (span.parent_id is not None, span.start_ns, span.span_id)
        self._tops[span.trace_id] = min(self._tops.get(span.trace_id, order), order)
        for name, about in span.events:
            # What is on our scale becomes a score when the span arrives. The rest may get its range from the user.
            if name == SCORE and scores_of([(name, about)]).left_out:
                self._score(span.trace_id, span.span_id, about)

    def add_logs(self, resource: dict[str, Any]) -> None:
        for scope in _listed(resource, "scopeLogs"):
            for log in _listed(scope, "logRecords"):
                about = plain_attributes(log.get("attributes"))
                trace, span = hex_id(log.get("traceId"), 32), hex_id(log.get("spanId"), 16)
                if SCORE not in (log.get("eventName"), about.get("event.name")) or trace is None:
                    self.bundle.not_understood["log record that is not an evaluation result"] += 1
                elif span is None:
                    self._of_traces.append((trace, about))
                else:
                    self._score(trace, span, about)

    def _score(self, trace: str, span: str, about: dict[str, Any]) -> None:
        score = evaluation_score(about)
        if score is not None:
            self.bundle.span_scores.append(SpanScore(trace, span, score))

    def finish(self) -> None:
        self._requests.finish()
        for trace, about in self._of_traces:
            if trace in self._tops:
                self._score(trace, self._tops[trace][2], about)
            else:
                self.bundle.not_understood[_NOT_HERE] += 1


_OLDER = "instrumentationLibrarySpans"
"""What the protocol called `scopeSpans` before 1.0."""


def _scopes(resource: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from _listed(resource, "scopeSpans")
    for scope in _listed(resource, _OLDER):
        named = scope.get("instrumentationLibrary")
        yield {"scope": named, **{key: value for key, value in scope.items() if key != "instrumentationLibrary"}}


def _with_hex_ids(span: dict[str, Any]) -> dict[str, Any]:
    """The span with its ids as OTLP/JSON has them, also where they were written as base64, as protobuf's JSON is."""
    ids = {key: span.get(key) for key in _IDS}
    other = {key: id for key, id in ids.items() if isinstance(id, str) and id and len(id) != _IDS[key]}
    return {**span, **{key: hex_id(id, _IDS[key]) for key, id in other.items()}} if other else span


def _listed(value: dict[str, Any], key: str) -> Iterator[dict[str, Any]]:
    entries = value.get(key)
    yield from (entry for entry in entries if isinstance(entry, dict)) if isinstance(entries, list) else ()
