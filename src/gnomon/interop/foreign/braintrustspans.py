"""Exports of Braintrust: spans of logs and of experiments, and records of datasets.

Scores of Braintrust are numbers in [0, 1] on a span. The roots of an experiment are its runs, with their traces. Spans
whose purpose is scoring stay in the trace as what they are. Rows without spans are read by `braintrust.py`.
"""

from collections import Counter
from pathlib import Path
from typing import Any

from gnomon.interop.foreign import braintrust
from gnomon.interop.foreign.assembling import (
    COST,
    SESSION,
    TAGS,
    USER,
    Assembler,
    ForeignSpan,
    StepKind,
    error_of,
    name_of,
    number_of,
    under,
)
from gnomon.interop.foreign.bundle import (
    Bundle,
    ForeignDataset,
    ForeignExperiment,
    ForeignItem,
    ForeignRun,
    ForeignScore,
)
from gnomon.interop.foreign.exports import ExportedObject, are_all, decoded, keys_of, records
from gnomon.interop.foreign.modelcalls import add_tokens, add_values
from gnomon.interop.foreign.reading import digest
from gnomon.interop.foreign.scores import score_of
from gnomon.interop.foreign.times import instant

SOURCE = braintrust.SOURCE
_KINDS: dict[str, StepKind] = {"llm": "model", "tool": "tool"}
_INSIDE = ("events", "rows", "data")
_SHOWN_METRICS = ("start", "end", "prompt_tokens", "completion_tokens")


def detect(path: Path) -> bool:
    return path.is_file() and (_has_spans(path) or _has_rows(path))


def _has_rows(path: Path) -> bool:
    return are_all(path, braintrust.detect)


def _has_spans(path: Path) -> bool:
    return are_all(path, lambda file: _kind_of(keys_of(file, _INSIDE)) is not None)


def _kind_of(keys: frozenset[str] | ExportedObject) -> str | None:
    if "span_id" not in keys or "root_span_id" not in keys:
        return None
    return "item" if "dataset_id" in keys and "output" not in keys and "metrics" not in keys else "span"


def read(path: Path) -> Bundle:
    if _has_rows(path) and not _has_spans(path):
        return braintrust.read(path)
    bundle = Bundle(SOURCE)
    assembler = Assembler(bundle)
    datasets: dict[str, list[ForeignItem]] = {}
    roots: dict[str, list[ExportedObject]] = {}
    for record in records(path, bundle.not_understood, _INSIDE):
        kind = _kind_of(record)
        if kind == "item":
            dataset = name_of(record.get("dataset_name")) or str(name_of(record.get("dataset_id")) or SOURCE)
            datasets.setdefault(dataset, []).append(_item(record))
        elif kind == "span" and _add_span(assembler, bundle, record) and name_of(record.get("experiment_id")):
            roots.setdefault(str(name_of(record.get("experiment_name")) or record["experiment_id"]), []).append(record)
        elif kind is None:
            bundle.not_understood["record that is neither a span nor an item of a dataset"] += 1
    assembler.assemble()
    bundle.datasets += [ForeignDataset(name, items) for name, items in datasets.items()]
    for id, spans_of_root in roots.items():
        name = id if "experiment_name" in spans_of_root[0] else path.stem if len(roots) == 1 else f"{path.stem}@{id}"
        bundle.experiments.append(_experiment(name, spans_of_root, assembler, path.stem))
    assembler.finish()
    return bundle


def _add_span(assembler: Assembler, bundle: Bundle, record: ExportedObject) -> bool:
    """Add a span; return whether it is a root."""
    trace, id = name_of(record.get("root_span_id")), name_of(record.get("span_id"))
    if trace is None or id is None:
        bundle.not_understood["span without ids"] += 1
        return False
    listed = decoded(record.get("span_parents"))
    parents = [parent for parent in map(name_of, listed if isinstance(listed, list) else ()) if parent]
    about, metrics = _object(record, "metadata"), _object(record, "metrics")
    attributes = _object(record, "span_attributes")
    span = ForeignSpan(
        trace, id, _parent(record, parents), attributes.get("name") or "span",
        instant(metrics.get("start")) or instant(record.get("created")), instant(metrics.get("end")),
        _KINDS.get(str(attributes.get("type"))), error=error_of(decoded(record.get("error"))),
        metadata=_metadata(record, about, metrics, attributes, parents),
    )  # fmt: skip
    add_values(span, decoded(record.get("input")), decoded(record.get("output")))
    add_tokens(span, metrics)
    if span.kind == "model":
        span.model = about.get("model")
    assembler.add(span)
    for name, value in _object(record, "scores").items():
        score = ForeignScore(name, absent="Braintrust's scorer gave null") if value is None else score_of(name, value)
        assembler.score(trace, id, score)
    return span.parent is None


def _parent(record: ExportedObject, parents: list[str]) -> str | None:
    """The first parent. Tables leave parents out; there the root has the trace's id, and all others are below it."""
    if parents or record.get("is_root") is True or "span_parents" in record:
        return parents[0] if parents else None
    root = name_of(record.get("root_span_id"))
    return None if name_of(record.get("span_id")) == root else root


def _metadata(
    record: ExportedObject,
    about: ExportedObject,
    metrics: ExportedObject,
    attributes: ExportedObject,
    parents: list[str],
) -> dict[str, Any]:
    beside = {
        "braintrust.id": record.get("id"), "braintrust.type": attributes.get("type"),
        "braintrust.purpose": attributes.get("purpose"), "braintrust.other_parents": parents[1:],
        "expected": record.get("expected"), TAGS: decoded(record.get("tags")),
        COST: number_of(metrics.get("estimated_cost")), USER: about.get("user_id"), SESSION: about.get("session_id"),
    }  # fmt: skip
    measured = {key: value for key, value in metrics.items() if key not in _SHOWN_METRICS}
    return {**under("metadata.", about), **under("metrics.", measured), **beside}


def _item(record: ExportedObject) -> ForeignItem:
    metadata = decoded(record.get("metadata"))
    return ForeignItem(
        name_of(record.get("id")), decoded(record.get("input")), decoded(record.get("expected")),
        metadata if isinstance(metadata, dict) else None,
    )  # fmt: skip


def _experiment(name: str, roots: list[ExportedObject], assembler: Assembler, file: str) -> ForeignExperiment:
    origin = _object(roots[0], "origin")
    known = name_of(origin.get("object_id")) if origin.get("object_type") == "dataset" else None
    dataset = name_of(roots[0].get("dataset_name")) or known or file
    trials: Counter[str] = Counter()
    runs = [_run(record, assembler, trials) for record in roots]
    return ForeignExperiment(
        name, dataset, runs, {"source": SOURCE, "experiment_id": name_of(roots[0].get("experiment_id"))}
    )


def _run(record: ExportedObject, assembler: Assembler, trials: Counter[str]) -> ForeignRun:
    trace, origin = str(name_of(record.get("root_span_id"))), _object(record, "origin")
    input, expected = decoded(record.get("input")), decoded(record.get("expected"))
    # Without an item id, trials belong to the same item when their inputs are equal.
    key = name_of(origin.get("id")) or name_of(record.get("dataset_record_id")) or digest(input, expected)[:16]
    trials[key] += 1
    error, metadata = error_of(decoded(record.get("error"))), _object(record, "metadata")
    if tags := decoded(record.get("tags")):
        metadata = {**metadata, "tags": tags}
    spans, scores = assembler.take(trace)
    return ForeignRun(
        key, input, decoded(record.get("output")), expected, metadata or None, trials[key],
        error.message if error else None, scores, spans,
    )  # fmt: skip


def _object(record: ExportedObject, key: str) -> ExportedObject:
    value = decoded(record.get(key))
    return value if isinstance(value, dict) else {}
