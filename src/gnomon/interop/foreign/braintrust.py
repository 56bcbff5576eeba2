"""Experiments exported from Braintrust, as CSV or JSON: rows with input, output, expected and scores."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gnomon.interop.foreign.bundle import Bundle, ForeignExperiment, ForeignRun, ForeignScore
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.reading import as_object, as_text, digest, numbered, without_none
from gnomon.interop.foreign.records import cell, columns_of, records_of
from gnomon.interop.foreign.scores import score_of

SOURCE = "braintrust"
_ROW = {"input", "output", "expected", "scores"}
_EVENTS = {f"events[].{name}" for name in _ROW}


def detect(path: Path) -> bool:
    columns = columns_of(path)
    if columns >= _ROW and columns & {"experiment_id", "dataset_record_id", "experiment_name"}:
        return True
    return look(path).keys >= _EVENTS and "events[].experiment_id" in look(path).keys


def read(path: Path) -> Bundle:
    bundle = Bundle(SOURCE)
    rows: list[dict[str, Any]] = []
    for _, record in records_of(path):
        events = record.get("events")  # as the API answers
        rows += [event for event in events if isinstance(event, dict)] if isinstance(events, list) else [record]
    by_experiment: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if _is_root(row):
            name = as_text(row.get("experiment_name")) or as_text(row.get("experiment_id")) or path.stem
            by_experiment.setdefault(name, []).append(row)
        else:
            bundle.not_understood["span below a row of the experiment"] += 1
    for id, its in by_experiment.items():
        dataset = as_text(its[0].get("dataset_name")) or path.stem
        name = id if "experiment_name" in its[0] else path.stem if len(by_experiment) == 1 else f"{path.stem}@{id}"
        metadata = without_none(source=SOURCE, experiment_id=as_text(its[0].get("experiment_id")))
        bundle.experiments.append(ForeignExperiment(name, dataset, list(_runs(its, bundle)), metadata))
    return bundle


def _is_root(row: dict[str, Any]) -> bool:
    span, root = as_text(row.get("span_id")), as_text(row.get("root_span_id"))
    is_root = row.get("is_root")
    if isinstance(is_root, bool):
        return is_root
    return span is None or root is None or span == root


def _runs(rows: list[dict[str, Any]], bundle: Bundle) -> Iterator[ForeignRun]:
    cells = [{name: cell(value) for name, value in row.items()} for row in rows]
    keys = [
        as_text(row.get("dataset_record_id")) or digest(row.get("input"), row.get("expected"))[:16] for row in cells
    ]
    for row, key, trial in zip(cells, keys, numbered(keys), strict=True):
        error = row.get("error")
        metadata = row.get("metadata")
        about = without_none(**as_object(metadata), tags=row.get("tags"))
        yield ForeignRun(
            item_key=key,
            input=row.get("input"),
            output=row.get("output"),
            expected_output=row.get("expected"),
            item_metadata=about or None,
            trial=trial,
            error=as_text(error) or as_text(as_object(error).get("message")) or (str(error)[:500] if error else None),
            scores=list(_scores(row.get("scores"), bundle)),
        )


def _scores(scores: Any, bundle: Bundle) -> Iterator[ForeignScore]:
    """Numbers in [0, 1] by Braintrust's own rule; null where a scorer had nothing to say."""
    if scores is not None and not isinstance(scores, dict):
        bundle.not_understood["scores that are not an object"] += 1
    for name, value in as_object(scores).items():
        if value is None:
            yield ForeignScore(name, absent="Braintrust's scorer gave null")
        else:
            yield score_of(name, value)
