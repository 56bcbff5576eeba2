"""Traces of MLflow: `Trace.to_json()`, one or many, and what `search_traces` gives, written as JSON, CSV or Parquet.

Feedback becomes scores. An expectation is not a score: it says what the answer should be, and stays on the root span.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gnomon.interop.conventions import values
from gnomon.interop.foreign.assembling import COST, SESSION, USER, Assembler, name_of, number_of, under
from gnomon.interop.foreign.bundle import Bundle, ForeignScore
from gnomon.interop.foreign.exports import ExportedObject, are_all, decoded, keys_of, records
from gnomon.interop.foreign.otelspans import events_of, hex_id, span_of
from gnomon.interop.foreign.scores import score_of
from gnomon.interop.foreign.times import instant, nanoseconds

SOURCE = "mlflow"
EXPECTED = "expected."
_ABOUT = {"mlflow.trace.user": USER, "mlflow.trace.session": SESSION}
_LEFT_OUT = ("mlflow.traceInputs", "mlflow.traceOutputs", "mlflow.trace.sizeStats", "mlflow.trace.sizeBytes")


def detect(path: Path) -> bool:
    return are_all(path, _is_one)


def _is_one(path: Path) -> bool:
    keys = keys_of(path, ("traces",))
    info = keys >= {"info", "data"} and ("info.trace_id" in keys or "info.request_id" in keys)
    return info or keys >= {"trace_id", "trace_metadata", "spans"} or keys >= {"trace_id", "trace", "state"}


def read(path: Path) -> Bundle:
    bundle = Bundle(SOURCE)
    assembler = Assembler(bundle)
    for record in records(path, bundle.not_understood, ("traces",)):
        trace = _whole(record)
        if trace is None:
            bundle.not_understood["record that is not a trace"] += 1
        else:
            _add_trace(assembler, bundle, *trace)
    assembler.assemble()
    assembler.finish()
    return bundle


def _whole(record: ExportedObject) -> tuple[ExportedObject, list[Any]] | None:
    """(info, spans) of a trace, or of a row of `search_traces`, whose column `trace` is the trace in newer versions."""
    inner = decoded(record.get("trace"))
    record = inner if isinstance(inner, dict) else record
    info, data = record.get("info"), record.get("data")
    if isinstance(info, dict) and isinstance(data, dict):
        spans = data.get("spans")
    else:
        info, spans = record, decoded(record.get("spans"))
    if name_of(info.get("trace_id") or info.get("request_id")) is None:
        return None
    return info, spans if isinstance(spans, list) else []


def _add_trace(assembler: Assembler, bundle: Bundle, info: ExportedObject, spans: list[Any]) -> None:
    trace = str(name_of(info.get("trace_id") or info.get("request_id")))
    about = dict(_about(info))
    has_root = False
    for span in spans:
        has_root |= _add_span(assembler, bundle, trace, span, about)
    assessments = decoded(info.get("assessments"))
    for value in assessments if isinstance(assessments, list) else ():
        if isinstance(value, dict):
            _add_assessment(assembler, bundle, trace, value)
    if not has_root and spans:
        bundle.notes.append(f"trace {trace} has no root span in the file: its tags and its user are not kept")


def _about(info: ExportedObject) -> Iterator[tuple[str, Any]]:
    """What a trace says besides its spans: it is kept on the root."""
    metadata, tags = decoded(info.get("trace_metadata")), decoded(info.get("tags"))
    for key, value in metadata.items() if isinstance(metadata, dict) else ():
        if key not in _LEFT_OUT:
            yield str(_ABOUT.get(key, key)), value
    cost = decoded(metadata.get("mlflow.trace.cost")) if isinstance(metadata, dict) else None
    if isinstance(cost, dict):
        yield "mlflow.trace.cost", cost
    yield from under("tag.", tags).items() if isinstance(tags, dict) else ()
    yield "mlflow.state", info.get("state")
    yield from _expectations(info)


def _expectations(info: ExportedObject) -> Iterator[tuple[str, Any]]:
    assessments = decoded(info.get("assessments"))
    for value in assessments if isinstance(assessments, list) else ():
        expectation = value.get("expectation") if isinstance(value, dict) else None
        if isinstance(expectation, dict):
            yield (
                f"{EXPECTED}{value.get('assessment_name')}",
                expectation.get("value", expectation.get("serialized_value")),
            )


def _add_span(assembler: Assembler, bundle: Bundle, trace: str, record: Any, about: dict[str, Any]) -> bool:
    """True for a root."""
    if not isinstance(record, dict):
        bundle.not_understood["span that is not an object"] += 1
        return False
    context = record.get("context")
    context = context if isinstance(context, dict) else {}
    id = hex_id(record.get("span_id") or context.get("span_id"), 16)
    parent = hex_id(record.get("parent_span_id") or record.get("parent_id"), 16)
    if id is None:
        bundle.not_understood["span without ids"] += 1
        return False
    status = record.get("status")
    code, message = record.get("status_code"), record.get("status_message")
    if isinstance(status, dict):
        code, message = status.get("code"), status.get("message")
    attributes = record.get("attributes")
    span = span_of(
        trace, id, parent, record.get("name"), (_time(record, "start_time"), _time(record, "end_time")),
        attributes if isinstance(attributes, dict) else {}, events_of(record.get("events")), (code, message),
    )  # fmt: skip
    span.metadata = {key: _unquoted(value) for key, value in span.metadata.items()}
    cost = decoded(span.metadata.get("mlflow.llm.cost"))
    if isinstance(cost, dict):
        span.metadata[COST] = number_of(cost.get("total_cost"))
    if parent is None:
        span.metadata = {**about, **span.metadata}
    assembler.add(span)
    return parent is None


def _time(record: ExportedObject, name: str) -> Any:
    return (
        nanoseconds(record.get(f"{name}_unix_nano"))
        or nanoseconds(record.get(f"{name}_ns"))
        or instant(record.get(name))
    )


def _unquoted(value: Any) -> Any:
    """MLflow writes every attribute as JSON text, plain texts in quotes."""
    return values.json(value) if isinstance(value, str) and value[:1] == '"' else value


def _add_assessment(assembler: Assembler, bundle: Bundle, trace: str, record: ExportedObject) -> None:
    name, feedback = name_of(record.get("assessment_name") or record.get("name")), record.get("feedback")
    if isinstance(record.get("expectation"), dict):
        return
    if name is None or not isinstance(feedback, dict):
        bundle.not_understood["assessment that is neither feedback nor an expectation"] += 1
    elif record.get("valid") is False:
        bundle.not_understood["assessment that was replaced by a later one"] += 1
    else:
        assembler.score(trace, hex_id(record.get("span_id"), 16), _score(name, record, feedback))


def _score(name: str, record: ExportedObject, feedback: ExportedObject) -> ForeignScore:
    source = record.get("source")
    source = source if isinstance(source, dict) else {}
    kind = name_of(source.get("source_type"))
    about = record.get("metadata")
    beside = {"source_type": kind, "source_id": name_of(source.get("source_id"))}
    metadata = {key: value for key, value in beside.items() if value} | (about if isinstance(about, dict) else {})
    error = feedback.get("error")
    if isinstance(error, dict):
        reason = name_of(error.get("error_message")) or name_of(error.get("error_code")) or "the judge failed"
        return ForeignScore(name, failed=reason, metadata=metadata)
    return score_of(
        name, feedback.get("value"), rationale=name_of(record.get("rationale")), metadata=metadata,
        source="human" if kind == "HUMAN" else None,
    )  # fmt: skip
