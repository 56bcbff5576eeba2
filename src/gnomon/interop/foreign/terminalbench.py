"""Runs of terminal-bench: `results.json` with a result per trial, and `run_metadata.json` beside it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gnomon.interop.foreign.bundle import Bundle, ForeignExperiment, ForeignRun, ForeignScore
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.reading import (
    as_count,
    as_list,
    as_object,
    as_text,
    digest,
    joined,
    json_object,
    numbered,
    time_of,
    without_none,
)
from gnomon.interop.jsontext import storable
from gnomon.model.trace import SpanDraft

SOURCE = "terminal-bench"
_RESULTS, _METADATA = "results.json", "run_metadata.json"
_ATTEMPT = re.compile(r"\.(\d{1,6})-of-\d{1,6}(?:\.|$)")


def detect(path: Path) -> bool:
    if path.is_dir():
        return (path / _RESULTS).is_file() and detect(path / _RESULTS)
    return look(path).has("results[].trial_name", "results[].is_resolved")


def read(path: Path) -> Bundle:
    """A run's folder, or its results alone."""
    folder = path if path.is_dir() else path.parent
    value = json_object(folder / _RESULTS if path.is_dir() else path, "results of terminal-bench")
    beside = folder / _METADATA
    about = json_object(beside, "metadata of a run of terminal-bench") if beside.is_file() else {}
    bundle = Bundle(SOURCE)
    trials = [trial for trial in as_list(value.get("results")) if as_text(as_object(trial).get("task_id"))]
    if without := len(as_list(value.get("results"))) - len(trials):
        bundle.not_understood["result without a task_id"] += without
    dataset = joined(as_text(about.get("dataset_name")) or SOURCE, as_text(about.get("dataset_version")))
    model, agent = as_text(about.get("model_name")), as_text(about.get("agent_name"))
    name = (
        joined(dataset, agent, model)
        if agent
        else as_text(about.get("run_id")) or (path.stem if path.is_file() else path.name)
    )
    metadata = without_none(
        source=SOURCE, run_id=about.get("run_id"), id=value.get("id"), agent=agent, model=model,
        created=about.get("start_time"), commit=about.get("commit_hash"), reported=_reported(value),
    )  # fmt: skip
    runs = list(_runs(trials, as_text(value.get("id")) or "", model))
    bundle.experiments.append(ForeignExperiment(name, dataset, runs, metadata))
    return bundle


def _runs(trials: list[dict[str, Any]], id: str, model: str | None) -> Iterator[ForeignRun]:
    positions = numbered([str(trial["task_id"]) for trial in trials])
    for trial, position in zip(trials, positions, strict=True):
        key, resolved, mode = str(trial["task_id"]), trial.get("is_resolved"), as_text(trial.get("failure_mode"))
        attempt = _ATTEMPT.search(as_text(trial.get("trial_name")) or "")
        number = int(attempt[1]) if attempt else position
        scores: list[ForeignScore] = []
        if isinstance(resolved, bool):
            scores.append(ForeignScore("resolved", float(resolved), raw=resolved))
        if mode is not None:
            scores.append(ForeignScore("failure_mode", mode))
        yield ForeignRun(
            item_key=key,
            input=as_text(trial.get("instruction")) or key,
            output=without_none(tests=trial.get("parser_results"), failure_mode=mode) or None,
            trial=number if number > 0 else position,
            error=None if isinstance(resolved, bool) else f"no result: {mode or 'the trial did not end'}",
            scores=scores,
            spans=list(_span(trial, digest(SOURCE, id, key, number), model)),
        )


def _span(trial: dict[str, Any], trace: str, model: str | None) -> Iterator[SpanDraft]:
    """One span that says how long the agent took and how many tokens, where the file says when."""
    start = time_of(trial.get("agent_started_at"), trial.get("trial_started_at"))
    if start is None:
        return
    end = time_of(trial.get("agent_ended_at"), trial.get("trial_ended_at"))
    yield SpanDraft(
        id=trace[:16], trace_id=trace, name=str(storable(str(trial["task_id"])))[:256],
        input=storable(trial.get("instruction")),
        output=storable(trial.get("parser_results")), start_time=start, end_time=end if end and end >= start else None,
        model=model, metadata=storable(without_none(trial_name=as_text(trial.get("trial_name")))) or None,
        **without_none(
            tokens_input=as_count(trial.get("total_input_tokens")),
            tokens_output=as_count(trial.get("total_output_tokens")),
        ),
    )  # fmt: skip


def _reported(value: dict[str, Any]) -> dict[str, Any]:
    return without_none(accuracy=value.get("accuracy"), pass_at_k=as_object(value.get("pass_at_k")))
