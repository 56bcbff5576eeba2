"""Reports of pydantic-evals (an `EvaluationReport` as JSON): a run for each case, also for those that failed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gnomon.interop.foreign.bundle import Bundle, ForeignExperiment, ForeignRun, ForeignScore
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.reading import as_list, as_object, as_text, json_object, numbered, without_none
from gnomon.interop.foreign.scores import score_of

SOURCE = "pydantic-evals"


def detect(path: Path) -> bool:
    keys = look(path).keys
    return "cases" in keys and (
        {"cases[].assertions", "cases[].scores", "cases[].labels"} <= keys
        or {"failures[].error_message", "failures[].inputs"} <= keys
    )


def read(path: Path) -> Bundle:
    value = json_object(path, "an EvaluationReport of pydantic-evals")
    name = as_text(value.get("name")) or path.stem
    cases, failures = as_list(value.get("cases")), as_list(value.get("failures"))
    bundle = Bundle(SOURCE)
    runs = [*_runs(cases, bundle), *_runs(failures, bundle)]
    metadata = without_none(
        source=SOURCE, name=name, trace_id=value.get("trace_id"), **as_object(value.get("experiment_metadata"))
    )
    bundle.experiments.append(ForeignExperiment(name, as_text(value.get("dataset_name")) or name, runs, metadata))
    for analysis in as_list(value.get("analyses")):
        bundle.not_understood[f"analysis of the kind {as_object(analysis).get('type', 'unknown')}"] += 1
    for _ in as_list(value.get("report_evaluator_failures")):
        bundle.not_understood["failure of a report evaluator"] += 1
    return bundle


def _runs(cases: list[Any], bundle: Bundle) -> Iterator[ForeignRun]:
    objects = [case for case in cases if isinstance(case, dict)]
    if len(objects) < len(cases):
        bundle.not_understood["case that is not an object"] += len(cases) - len(objects)
    keys = [
        as_text(case.get("source_case_name")) or as_text(case.get("name")) or f"case {at}"
        for at, case in enumerate(objects, 1)
    ]
    for case, key, trial in zip(objects, keys, numbered(keys), strict=True):
        failure = as_text(case.get("error_message"))
        kept = without_none(**{name: case.get(name) for name in ("metrics", "attributes")})
        for kind in kept:
            bundle.not_understood[f"{kind} of a case"] += 1
        metadata = case.get("metadata")
        yield ForeignRun(
            item_key=key,
            input=case.get("inputs"),
            output=case.get("output"),
            expected_output=case.get("expected_output"),
            item_metadata=metadata if isinstance(metadata, dict) else without_none(metadata=metadata) or None,
            trial=trial,
            error=failure or ("the task failed" if "error_message" in case else None),
            scores=list(_scores(case)),
        )


def _scores(case: dict[str, Any]) -> Iterator[ForeignScore]:
    for kind in ("scores", "assertions", "labels"):
        for name, result in as_object(case.get(kind)).items():
            result = result if isinstance(result, dict) else {"value": result}
            version = without_none(evaluator=as_object(result.get("source")).get("name"), kind=kind)
            yield score_of(name, result.get("value"), rationale=as_text(result.get("reason")), metadata=version)
    for failure in map(as_object, as_list(case.get("evaluator_failures"))):
        reason = as_text(failure.get("error_message")) or "the evaluator failed"
        yield ForeignScore(as_text(failure.get("name")) or "evaluator", failed=reason)
