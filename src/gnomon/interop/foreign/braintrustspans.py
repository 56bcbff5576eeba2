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
    Kind,
    ToldSpan,
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
from gnomon.interop.foreign.exports import Record, are_all, decoded, keys_of, records
from gnomon.interop.foreign.modelcalls import add_tokens, add_values
from gnomon.interop.foreign.reading import digest
from gnomon.interop.foreign.scores import score_of
from gnomon.interop.foreign.times import instant

SOURCE = braintrust.SOURCE
_KINDS: dict[str, Kind] = {"llm": "model", "tool": "tool"}
_INSIDE = ("events", "rows", "data")
_SHOWN_METRICS = ("start", "end", "prompt_tokens", "completion_tokens")


def detect(path: Path) -> bool:
    return path.is_file() and (_has_spans(path) or _has_rows(path))


def _has_rows(path: Path) -> bool:
    return are_all(path, braintrust.detect)


def _has_spans(path: Path) -> bool:
    return are_all(path, lambda file: _kind_of(keys_of(file, _INSIDE)) is not None)


def _kind_of(keys: frozenset[str] | Record) -> str | None:
    if "span_id" not in keys or "root_span_id" not in keys:
        return None
    return "item" if "dataset_id" in keys and "output" not in keys and "metrics" not in keys else "span"


def read(path: Path) -> Bundle:
    if _has_rows(path) and not _has_spans(path):
        return braintrust.read(path)
    bundle = Bundle(SOURCE)
    assembler = Assembler(bundle)
    datasets: dict[str, list[ForeignItem]] = {}
    roots: dict[str, list[Record]] = {}
    for record in records(path, bundle.not_understood, _INSIDE):
        kind = _kind_of(record)
        if kind == "item":
            dataset = name_of(record.get("dataset_name")) or str(name_of(record.get("dataset_id")) or SOURCE)
            datasets.setdefault(dataset, []).append(_item(record))
        elif kind == "span" and _add_span(assembler, bundle, record) and name_of(record.get("experiment_id")):
            roots.setdefault(str(name_of(record.get("experiment_name")) or record["experiment_id"]), []).append(record)
        elif kind is None:
            bundle.not_understood["record that is no span and no item of a dataset"] += 1
    assembler.assemble()
    bundle.datasets += [ForeignDataset(name, items) for name, items in datasets.items()]
    for id, found in roots.items():
        name = id if "experiment_name" in found[0] else path.stem if len(roots) == 1 else f"{path.stem}@{id}"
        bundle.experiments.append(_experiment(name, found, assembler, path.stem))
    assembler.finish()
    return bundle


def _add_span(assembler: Assembler, bundle: Bundle, told: Record) -> bool:
    """True for a root."""
    trace, id = name_of(told.get("root_span_id")), name_of(told.get("span_id"))
    if trace is None or id is None:
        bundle.not_understood["span without ids"] += 1
        return False
    listed = decoded(told.get("span_parents"))
    parents = [parent for parent in map(name_of, listed if isinstance(listed, list) else ()) if parent]
    about, metrics = _object(told, "metadata"), _object(told, "metrics")
    attributes = _object(told, "span_attributes")
    span = ToldSpan(
        trace, id, _parent(told, parents), attributes.get("name") or "span",
        instant(metrics.get("start")) or instant(told.get("created")), instant(metrics.get("end")),
        _KINDS.get(str(attributes.get("type"))), error=error_of(decoded(told.get("error"))),
        metadata=_metadata(told, about, metrics, attributes, parents),
    )  # fmt: skip
    add_values(span, decoded(told.get("input")), decoded(told.get("output")))
    add_tokens(span, metrics)
    if span.kind == "model":
        span.model = about.get("model")
    assembler.add(span)
    for name, value in _object(told, "scores").items():
        score = ForeignScore(name, absent="Braintrust's scorer gave null") if value is None else score_of(name, value)
        assembler.score(trace, id, score)
    return span.parent is None


def _parent(told: Record, parents: list[str]) -> str | None:
    """The first parent. Tables leave parents out; there the root has the trace's id, and all others are below it."""
    if parents or told.get("is_root") is True or "span_parents" in told:
        return parents[0] if parents else None
    root = name_of(told.get("root_span_id"))
    return None if name_of(told.get("span_id")) == root else root


def _metadata(told: Record, about: Record, metrics: Record, attributes: Record, parents: list[str]) -> dict[str, Any]:
    beside = {
        "braintrust.id": told.get("id"), "braintrust.type": attributes.get("type"),
        "braintrust.purpose": attributes.get("purpose"), "braintrust.other_parents": parents[1:],
        "expected": told.get("expected"), TAGS: decoded(told.get("tags")),
        COST: number_of(metrics.get("estimated_cost")), USER: about.get("user_id"), SESSION: about.get("session_id"),
    }  # fmt: skip
    measured = {key: value for key, value in metrics.items() if key not in _SHOWN_METRICS}
    return {**under("metadata.", about), **under("metrics.", measured), **beside}


def _item(told: Record) -> ForeignItem:
    metadata = decoded(told.get("metadata"))
    return ForeignItem(
        name_of(told.get("id")), decoded(told.get("input")), decoded(told.get("expected")),
        metadata if isinstance(metadata, dict) else None,
    )  # fmt: skip


def _experiment(name: str, roots: list[Record], assembler: Assembler, file: str) -> ForeignExperiment:
    origin = _object(roots[0], "origin")
    known = name_of(origin.get("object_id")) if origin.get("object_type") == "dataset" else None
    dataset = name_of(roots[0].get("dataset_name")) or known or file
    trials: Counter[str] = Counter()
    runs = [_run(record, assembler, trials) for record in roots]
    return ForeignExperiment(
        name, dataset, runs, {"source": SOURCE, "experiment_id": name_of(roots[0].get("experiment_id"))}
    )


def _run(told: Record, assembler: Assembler, trials: Counter[str]) -> ForeignRun:
    trace, origin = str(name_of(told.get("root_span_id"))), _object(told, "origin")
    given, expected = decoded(told.get("input")), decoded(told.get("expected"))
    # Without an id of the item, trials of it are told by what they were asked.
    key = name_of(origin.get("id")) or name_of(told.get("dataset_record_id")) or digest(given, expected)[:16]
    trials[key] += 1
    error, metadata = error_of(decoded(told.get("error"))), _object(told, "metadata")
    if tags := decoded(told.get("tags")):
        metadata = {**metadata, "tags": tags}
    spans, scores = assembler.take(trace)
    return ForeignRun(
        key, given, decoded(told.get("output")), expected, metadata or None, trials[key],
        error.message if error else None, scores, spans,
    )  # fmt: skip


def _object(told: Record, key: str) -> Record:
    found = decoded(told.get(key))
    return found if isinstance(found, dict) else {}
