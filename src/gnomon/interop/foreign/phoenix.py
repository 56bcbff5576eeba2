"""Exports of Arize Phoenix: spans, their annotations, datasets and experiments.

Spans come as `get_spans_dataframe` gives them (written as Parquet, CSV or JSON lines), or as the server's API does
(`/spans`, `/spans/otlpv1`). Annotations come from `get_span_annotations_dataframe` or the API, experiments and
datasets as the server's JSON and CSV. A folder with several of these is read as one, so that annotations find their
spans and runs their traces.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gnomon.interop.conventions.signals import SCORE
from gnomon.interop.foreign.assembling import Assembler, count_of, name_of, number_of
from gnomon.interop.foreign.bundle import (
    Bundle,
    ForeignDataset,
    ForeignExperiment,
    ForeignItem,
    ForeignRun,
    ForeignScore,
)
from gnomon.interop.foreign.exports import ExportedObject, are_all, decoded, files, keys_of, records
from gnomon.interop.foreign.otelspans import evaluation_score, events_of, hex_id, plain_attributes, span_of
from gnomon.interop.foreign.scores import score_of
from gnomon.interop.foreign.times import instant, nanoseconds
from gnomon.model.jsonvalue import dump

SOURCE = "phoenix"
_MOST_PARTS = 10_000
_KINDS = {1: "internal", 2: "server", 3: "client", 4: "producer", 5: "consumer"}
_COUNTS = "llm.token_count."
# What OpenInference has as JSON text; cells of a CSV file were decoded on the way.
_JSON_TEXTS = ("input.value", "output.value", "llm.invocation_parameters", "tool.parameters")


def detect(path: Path) -> bool:
    return are_all(path, lambda file: _kind_of(keys_of(file, ("data", "examples"))) is not None)


def _kind_of(keys: frozenset[str]) -> str | None:
    """What the records of a file are, recognised by their keys."""
    if keys >= {"context.span_id", "context.trace_id", "span_kind"}:
        return "span"
    if "annotator_kind" in keys and "span_id" in keys:
        return "annotation"
    if keys >= {"example_id", "repetition_number", "reference_output"}:
        return "run"
    if keys >= {"start_time_unix_nano", "span_id", "trace_id", "attributes[].value.string_value"}:
        return "otlp"
    if "node_id" in keys and any(key == "input" or key.startswith("input.") for key in keys):
        return "example"
    if keys >= {"data.examples", "data.dataset_id"}:
        return "example"
    return None


def read(path: Path) -> Bundle:
    bundle = Bundle(SOURCE)
    assembler = Assembler(bundle)
    experiments: list[tuple[str, list[ExportedObject]]] = []
    for file in files(path):
        kind = _kind_of(keys_of(file, ("data", "examples")))
        if kind == "example":
            bundle.datasets.append(_dataset(file, bundle))
            continue
        rows = records(file, bundle.not_understood, ("data",))
        if kind == "run":
            experiments.append((file.stem, list(rows)))
            continue
        for record in rows:
            _add(assembler, bundle, record)
    assembler.assemble()
    for name, runs in experiments:
        bundle.experiments.append(_experiment(name, runs, assembler, bundle))
    assembler.finish()
    return bundle


def _add(assembler: Assembler, bundle: Bundle, record: ExportedObject) -> None:
    if "start_time_unix_nano" in record:
        _add_otlp_span(assembler, bundle, record)
    elif "annotator_kind" in record:
        _add_annotation(assembler, bundle, record)
    elif "span_kind" in record:
        _add_span(assembler, bundle, record)
    else:
        bundle.not_understood["record that is neither a span nor an annotation"] += 1


def _add_span(assembler: Assembler, bundle: Bundle, record: ExportedObject) -> None:
    context = record.get("context")
    context = context if isinstance(context, dict) else {}
    trace = name_of(context.get("trace_id") or record.get("context.trace_id"))
    id = name_of(context.get("span_id") or record.get("context.span_id"))
    if trace is None or id is None:
        bundle.not_understood["span without ids"] += 1
        return
    attributes = dict(_attributes(record))
    attributes.setdefault("openinference.span.kind", record.get("span_kind"))
    span = span_of(
        trace, id, name_of(record.get("parent_id")), record.get("name"),
        (instant(record.get("start_time")), instant(record.get("end_time"))), attributes,
        events_of(decoded(record.get("events"))), (record.get("status_code"), record.get("status_message")),
    )  # fmt: skip
    assembler.add(span)


def _add_otlp_span(assembler: Assembler, bundle: Bundle, record: ExportedObject) -> None:
    """A span of `/spans/otlpv1`: OTLP/JSON but for its names, which are those of the protocol's definition."""
    trace, id = hex_id(record.get("trace_id"), 32), hex_id(record.get("span_id"), 16)
    if trace is None or id is None:
        bundle.not_understood["span without ids"] += 1
        return
    status, listed = record.get("status"), record.get("events")
    status = status if isinstance(status, dict) else {}
    span_events = [event for event in listed if isinstance(event, dict)] if isinstance(listed, list) else []
    events = [(str(event.get("name")), plain_attributes(event.get("attributes"))) for event in span_events]
    span = span_of(
        trace, id, hex_id(record.get("parent_span_id"), 16), record.get("name"),
        (nanoseconds(record.get("start_time_unix_nano")), nanoseconds(record.get("end_time_unix_nano"))),
        plain_attributes(record.get("attributes")), events, (status.get("code"), status.get("message")),
    )  # fmt: skip
    kind = _KINDS.get(record.get("kind") or 0) if isinstance(record.get("kind"), int | None) else record.get("kind")
    span.metadata = {"otel.trace_state": record.get("trace_state"), "otel.kind": kind, **span.metadata}
    assembler.add(span)
    for name, about in events:
        if name == SCORE and (score := evaluation_score(about)) is not None:
            assembler.score(trace, id, score)


def _attributes(record: ExportedObject) -> Iterator[tuple[str, Any]]:
    """The attributes as OpenTelemetry has them: the columns of a table hold lists of messages in one cell."""
    inside = record.get("attributes")
    if isinstance(inside, dict):
        for key, value in inside.items():
            yield from _flattened(key, value)
    for column, value in record.items():
        if column.startswith("attributes.") and value is not None:
            key = column.removeprefix("attributes.")
            if key in _JSON_TEXTS:
                yield key, value if isinstance(value, str) else dump(value)
            elif key.startswith(_COUNTS):  # a table with gaps has them as 25.0
                yield key, count_of(value)
            else:
                yield from _flattened(key, decoded(value))


def _flattened(key: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Lists of objects become numbered keys; Parquet fills objects up with keys that say nothing."""
    if value is None:
        return
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _flattened(f"{key}.{name}", inner)
    elif isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
        for number, part in enumerate(value[:_MOST_PARTS]):
            yield from _flattened(f"{key}.{number}", part)
    else:
        yield key, value


def _add_annotation(assembler: Assembler, bundle: Bundle, record: ExportedObject) -> None:
    span, name = name_of(record.get("span_id")), name_of(record.get("name") or record.get("annotation_name"))
    if span is None or name is None:
        bundle.not_understood["annotation without a span or a name"] += 1
        return
    result = record.get("result")
    if not isinstance(result, dict):
        result = {key: record.get(f"result.{key}") for key in ("label", "score", "explanation")}
    assembler.score(None, span, _score(name, {**record, **result}))


def _score(name: str, record: ExportedObject) -> ForeignScore:
    """Phoenix gives a number, a label, or both; the number is the score and the label stands beside it."""
    number, label = number_of(record.get("score")), name_of(record.get("label"))
    rationale, kind = name_of(record.get("explanation")), name_of(record.get("annotator_kind"))
    beside = {"annotator_kind": kind, "identifier": name_of(record.get("identifier"))}
    beside |= {"label": label} if number is not None else {}
    about = record.get("metadata")
    metadata = {key: value for key, value in beside.items() if value} | (about if isinstance(about, dict) else {})
    if error := name_of(record.get("error")):
        return ForeignScore(name, failed=error, metadata=metadata)
    return score_of(
        name, label if number is None else number, rationale=rationale, metadata=metadata,
        source="human" if kind == "HUMAN" else None,
    )  # fmt: skip


# Datasets and experiments


def _dataset(file: Path, bundle: Bundle) -> ForeignDataset:
    name, items = file.stem, []
    for record in records(file, bundle.not_understood):
        holder = record.get("data") if isinstance(record.get("data"), dict) else record
        assert isinstance(holder, dict)
        name = name_of(holder.get("name")) or name
        examples = holder.get("examples")
        items += [
            _item(example)
            for example in (examples if isinstance(examples, list) else [holder])
            if isinstance(example, dict)
        ]
    return ForeignDataset(name, items)


def _item(example: ExportedObject) -> ForeignItem:
    metadata = _part(example, "metadata")
    return ForeignItem(
        name_of(example.get("id") or example.get("node_id")), _part(example, "input"), _part(example, "output"),
        metadata if isinstance(metadata, dict) else None,
    )  # fmt: skip


def _part(example: ExportedObject, key: str) -> Any:
    """An example's input: an object, or in a table its columns `input.question` and so on."""
    if key in example:
        return decoded(example[key])
    return {name.removeprefix(f"{key}."): value for name, value in example.items() if name.startswith(f"{key}.")}


def _experiment(name: str, rows: list[ExportedObject], assembler: Assembler, bundle: Bundle) -> ForeignExperiment:
    runs = [_run(row, assembler) for row in rows if name_of(row.get("example_id"))]
    if len(runs) < len(rows):
        bundle.not_understood["run without an example"] += len(rows) - len(runs)
    return ForeignExperiment(name, name, runs, {"source": SOURCE, "file": name})


def _run(row: ExportedObject, assembler: Assembler) -> ForeignRun:
    annotations = row.get("annotations")
    trial = row.get("repetition_number")
    metadata = decoded(row.get("metadata"))
    spans, scores = assembler.take(name_of(row.get("trace_id")) or "")
    return ForeignRun(
        str(name_of(row.get("example_id"))), decoded(row.get("input")), decoded(row.get("output")),
        decoded(row.get("reference_output")), metadata if isinstance(metadata, dict) else None,
        count_of(trial) or 1, name_of(row.get("error")),
        [*scores, *_annotated(annotations if isinstance(annotations, list) else list(_annotation_columns(row)))], spans,
    )  # fmt: skip


def _annotated(annotations: list[Any]) -> Iterator[ForeignScore]:
    for value in annotations:
        if isinstance(value, dict) and (name := name_of(value.get("name"))):
            yield _score(name, value)


def _annotation_columns(row: ExportedObject) -> Iterator[ExportedObject]:
    """`annotation_NAME_score` and so on; a name may hold underscores itself."""
    ending = "_annotator_kind"
    for column in row:
        if column.startswith("annotation_") and column.endswith(ending):
            prefix = column.removesuffix(ending)
            fields = ("label", "score", "explanation", "annotator_kind", "error", "metadata")
            columns = {field: decoded(row.get(f"{prefix}_{field}")) for field in fields}
            yield {**columns, "name": prefix.removeprefix("annotation_")}
