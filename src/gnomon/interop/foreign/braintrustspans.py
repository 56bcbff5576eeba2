"""Exports of Braintrust: spans of logs and of experiments, and records of datasets, as JSON lines or JSON.

Scores of Braintrust are numbers in [0, 1] on a span. The roots of an experiment are its runs. Spans whose purpose is
scoring stay in the trace as what they are.
"""

from collections import Counter
from pathlib import Path
from typing import Any

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
from gnomon.interop.foreign.bundle import Bundle, ForeignDataset, ForeignExperiment, ForeignItem, ForeignRun
from gnomon.interop.foreign.exports import Record, are_all, decoded, keys_of, records
from gnomon.interop.foreign.modelcalls import add_tokens, add_values
from gnomon.interop.foreign.reading import digest
from gnomon.interop.foreign.scores import score_of
from gnomon.interop.foreign.times import instant

SOURCE = "braintrust"
_KINDS: dict[str, Kind] = {"llm": "model", "tool": "tool"}
_INSIDE = ("events", "rows", "data")
_SHOWN_METRICS = ("start", "end", "prompt_tokens", "completion_tokens")


def detect(path: Path) -> bool:
    return are_all(path, lambda file: _kind_of(keys_of(file, _INSIDE)) is not None)


def _kind_of(keys: frozenset[str] | Record) -> str | None:
    if "dataset_id" in keys and "root_span_id" in keys and "output" not in keys and "metrics" not in keys:
        return "item"
    return "span" if "span_id" in keys and "root_span_id" in keys else None


def read(path: Path) -> Bundle:
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
    for name, found in roots.items():
        trials: Counter[str] = Counter()
        runs = [_run(record, assembler, trials) for record in found]
        metadata = {"source": SOURCE, "experiment_id": name_of(found[0].get("experiment_id"))}
        bundle.experiments.append(ForeignExperiment(name, _dataset_of(found[0], name), runs, metadata))
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
        trace, id, parents[0] if parents else None, attributes.get("name") or "span",
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
        if value is not None:
            assembler.score(trace, id, score_of(name, value))
    return span.parent is None


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


def _run(told: Record, assembler: Assembler, trials: Counter[str]) -> ForeignRun:
    trace, origin = str(name_of(told.get("root_span_id"))), _object(told, "origin")
    given, expected = decoded(told.get("input")), decoded(told.get("expected"))
    # Without an id of the item, trials of it are told by what they were asked.
    key = name_of(origin.get("id")) or name_of(told.get("dataset_record_id")) or digest(given, expected)[:16]
    trials[key] += 1
    error, metadata = error_of(decoded(told.get("error"))), decoded(told.get("metadata"))
    spans, scores = assembler.take(trace)
    return ForeignRun(
        key, given, decoded(told.get("output")), expected,
        metadata if isinstance(metadata, dict) else None, trials[key], error.message if error else None,
        scores, spans,
    )  # fmt: skip


def _dataset_of(root: Record, experiment: str) -> str:
    """The dataset that the runs' items come from, as far as the file names it."""
    origin = _object(root, "origin")
    return str(name_of(origin.get("object_id")) or experiment) if origin.get("object_type") == "dataset" else experiment


def _object(told: Record, key: str) -> Record:
    found = decoded(told.get(key))
    return found if isinstance(found, dict) else {}
