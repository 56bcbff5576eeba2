"""Experiments of LangSmith: the results table (`to_pandas`, `get_test_results`) as CSV or JSONL, rows of `evaluate`
as JSONL, and runs with feedback."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gnomon.interop.foreign.bundle import Bundle, ForeignExperiment, ForeignRun, ForeignScore
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.reading import as_list, as_object, as_text, digest, numbered, without_none
from gnomon.interop.foreign.records import cell, columns_of, records_of, scalar
from gnomon.interop.foreign.scores import score_of

SOURCE = "langsmith"
_FEEDBACK = "feedback."


def detect(path: Path) -> bool:
    columns = columns_of(path)
    if any(name.startswith(_FEEDBACK) for name in columns) and any(
        name.startswith(("inputs.", "input.", "outputs.", "output.", "reference.")) for name in columns
    ):
        return True
    keys = {key.removeprefix("[].") for key in look(path).keys}
    if {"run", "example", "evaluation_results"} <= keys:
        return True
    return {"inputs", "outputs", "reference_example_id", "feedback_stats"} <= keys


def read(path: Path) -> Bundle:
    bundle = Bundle(SOURCE)
    rows = [_row(record, bundle.not_understood) for _, record in records_of(path)]
    keys = [row.pop("key") or digest(row["input"], row["expected_output"])[:16] for row in rows]
    names = {name for row in rows if (name := row.pop("experiment"))}
    runs = [
        ForeignRun(item_key=key, trial=trial, **row) for row, key, trial in zip(rows, keys, numbered(keys), strict=True)
    ]
    name = names.pop() if len(names) == 1 else path.stem
    bundle.experiments.append(ForeignExperiment(name, path.stem, runs, {"source": SOURCE}))
    return bundle


def _row(record: dict[str, Any], not_understood: Counter[str]) -> dict[str, Any]:
    """The runs to import, with the item's key and the experiment where they are given."""
    if "run" in record and "example" in record:
        return _evaluated(record)
    if "feedback_stats" in record:
        return _traced(record)
    return _tabled(record, not_understood)


def _evaluated(record: dict[str, Any]) -> dict[str, Any]:
    run, example = as_object(record.get("run")), as_object(record.get("example"))
    results = as_list(as_object(record.get("evaluation_results")).get("results"))
    return {
        "key": as_text(example.get("id")),
        "experiment": as_text(run.get("session_name")),
        "input": _single(example.get("inputs", run.get("inputs"))),
        "output": _single(run.get("outputs")),
        "expected_output": _single(example.get("outputs")),
        "item_metadata": as_object(example.get("metadata")) or None,
        "error": as_text(run.get("error")),
        "scores": list(_feedback(results)),
    }


def _feedback(results: list[Any]) -> Iterator[ForeignScore]:
    for result in map(as_object, results):
        name = as_text(result.get("key"))
        if name is None:
            continue
        score, value = result.get("score"), result.get("value")
        more = {"rationale": as_text(result.get("comment"))}
        extra = as_object(result.get("extra"))
        if score is None and extra.get("error"):
            yield ForeignScore(name, failed=more["rationale"] or "the evaluator failed")
        else:
            yield score_of(name, score if score is not None else value, **more)


def _traced(record: dict[str, Any]) -> dict[str, Any]:
    stats = as_object(cell(record.get("feedback_stats")))
    return {
        "key": as_text(record.get("reference_example_id")),
        "experiment": as_text(record.get("session_name")),
        "input": _single(cell(record.get("inputs"))),
        "output": _single(cell(record.get("outputs"))),
        "expected_output": _single(cell(record.get("reference_outputs"))),
        "item_metadata": None,
        "error": as_text(record.get("error")),
        "scores": list(_averages(stats)),
    }


def _averages(stats: dict[str, Any]) -> Iterator[ForeignScore]:
    """A run's feedback, added up by its key; of one label the label itself."""
    for name, about in stats.items():
        about = as_object(about)
        values = as_object(about.get("values"))
        if about.get("avg") is None and len(values) == 1:
            yield score_of(name, next(iter(values)))
        else:
            yield score_of(name, about.get("avg"), metadata=without_none(n=about.get("n")) or None)


def _tabled(record: dict[str, Any], not_understood: Counter[str]) -> dict[str, Any]:
    groups: dict[str, dict[str, Any]] = {"input": {}, "output": {}, "reference": {}, "feedback": {}}
    for column, value in record.items():
        group, dot, name = column.partition(".")
        group = group.removesuffix("s")
        if dot and group in groups:
            groups[group][name] = value
        elif column not in ("id", "example_id", "error", "execution_time", "Unnamed: 0", ""):
            not_understood[f"column {column[:40]}"] += 1
    inputs, outputs, reference = (
        {name: cell(value) for name, value in groups[group].items()} for group in ("input", "output", "reference")
    )
    error = as_text(scalar(record.get("error")))
    return {
        "key": as_text(record.get("example_id")),
        "experiment": None,
        "input": _single(inputs),
        "output": _single({name: value for name, value in outputs.items() if value is not None}),
        "expected_output": _single(reference),
        "item_metadata": None,
        "error": error,
        "scores": [score_of(name, scalar(value)) for name, value in groups["feedback"].items()],
    }


def _single(values: Any) -> Any:
    """The value itself where there is only one, as in {"question": …}."""
    if isinstance(values, dict):
        return next(iter(values.values())) if len(values) == 1 else values or None
    return values
