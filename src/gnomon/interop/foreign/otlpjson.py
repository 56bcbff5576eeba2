"""Traces as OTLP/JSON, as the file exporter of the OpenTelemetry Collector writes them: one request per line.

Log records with an evaluation result are scores; other log records and metrics are counted as left out.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gnomon.interop.conventions.signals import SCORE
from gnomon.interop.foreign.assembling import Assembler, under
from gnomon.interop.foreign.bundle import Bundle
from gnomon.interop.foreign.exports import are_all, records
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.otelspans import add_score, add_scores, hex_id, plain_attributes, span_of
from gnomon.interop.foreign.times import nanoseconds

SOURCE = "otlp"
_SIGNALS = ("resourceSpans", "resourceLogs", "resourceMetrics")
_DETAILS = {"traceState": "otel.trace_state", "kind": "otel.kind"}
_KINDS = {1: "internal", 2: "server", 3: "client", 4: "producer", 5: "consumer"}


def detect(path: Path) -> bool:
    return are_all(path, _is_one)


def _is_one(path: Path) -> bool:
    keys = look(path).keys
    return any(key in keys or f"[].{key}" in keys for key in _SIGNALS[:2])


def read(path: Path) -> Bundle:
    bundle = Bundle(SOURCE)
    assembler = Assembler(bundle)
    for request in records(path, bundle.not_understood):
        for resource in _listed(request, "resourceSpans"):
            _add_spans(assembler, bundle, resource)
        for resource in _listed(request, "resourceLogs"):
            _add_logs(assembler, bundle, resource)
        if request.get("resourceMetrics"):
            bundle.not_understood["request of metrics"] += 1
        if not any(key in request for key in _SIGNALS):
            bundle.not_understood["record that is no OTLP request"] += 1
    assembler.assemble()
    assembler.finish()
    return bundle


def _add_spans(assembler: Assembler, bundle: Bundle, resource: dict[str, Any]) -> None:
    about = _resource(resource)
    for scope in (*_listed(resource, "scopeSpans"), *_listed(resource, "instrumentationLibrarySpans")):
        named = scope.get("scope") or scope.get("instrumentationLibrary")
        beside = {**about, "otel.scope.name": named.get("name") if isinstance(named, dict) else None}
        for span in _listed(scope, "spans"):
            add_span(assembler, bundle, span, beside)


def add_span(assembler: Assembler, bundle: Bundle, span: dict[str, Any], beside: dict[str, Any]) -> None:
    """One span of OTLP/JSON. `beside` is what its resource and scope say."""
    trace, id = hex_id(_get(span, "traceId"), 32), hex_id(_get(span, "spanId"), 16)
    if trace is None or id is None:
        bundle.not_understood["span without ids"] += 1
        return
    status = span.get("status")
    status = status if isinstance(status, dict) else {}
    events = [(str(event.get("name")), plain_attributes(event.get("attributes"))) for event in _listed(span, "events")]
    told = span_of(
        trace, id, hex_id(_get(span, "parentSpanId"), 16), span.get("name"),
        (nanoseconds(_get(span, "startTimeUnixNano")), nanoseconds(_get(span, "endTimeUnixNano"))),
        plain_attributes(span.get("attributes")), events, (status.get("code"), status.get("message")),
        str(beside.get("otel.scope.name") or ""),
    )  # fmt: skip
    details = {name: _kind(value) for key, name in _DETAILS.items() if (value := _get(span, key)) is not None}
    told.metadata = {**beside, **details, **told.metadata}
    assembler.add(told)
    add_scores(assembler, trace, id, events)


def _add_logs(assembler: Assembler, bundle: Bundle, resource: dict[str, Any]) -> None:
    for scope in _listed(resource, "scopeLogs"):
        for log in _listed(scope, "logRecords"):
            about = plain_attributes(log.get("attributes"))
            trace, span = hex_id(log.get("traceId"), 32), hex_id(log.get("spanId"), 16)
            if SCORE in (log.get("eventName"), about.get("event.name")) and trace is not None:
                add_score(assembler, trace, span, about)
            else:
                bundle.not_understood["log record that is no evaluation result"] += 1


def _resource(resource: dict[str, Any]) -> dict[str, Any]:
    told = resource.get("resource")
    return under("resource.", plain_attributes(told.get("attributes") if isinstance(told, dict) else None))


def _kind(value: Any) -> Any:
    if isinstance(value, str):
        return value.removeprefix("SPAN_KIND_").lower() if value.startswith("SPAN_KIND_") else value
    return _KINDS.get(value) if isinstance(value, int) else None


def _listed(value: dict[str, Any], key: str) -> Iterator[dict[str, Any]]:
    found = value.get(key)
    yield from (one for one in found if isinstance(one, dict)) if isinstance(found, list) else ()


def _get(span: dict[str, Any], key: str) -> Any:
    """A field under its JSON name, or under the name that it has in the protocol's definition."""
    if key in span:
        return span[key]
    return span.get("".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key))
