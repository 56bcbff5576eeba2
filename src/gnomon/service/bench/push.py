"""Runs of a benchmark sent to where scores are kept: a scenario is a dataset's item, a run a trial with its trace.

What is there already stays, so a push may be repeated, or go on after it was cut: a run is known by its trace's id,
which is made from the run's own. An experiment is one agent over the dataset, completed when all its runs are there;
runs that come later get another one of the same agent, and leaderboards put them together. A run that has not ended
is not sent: it would stay there as it was.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from gnomon.bench.families import by_name
from gnomon.bench.transcripts import read_transcript
from gnomon.errors import Conflict, GnomonError, InvalidInput
from gnomon.interop.spans import to_spans
from gnomon.model.backend import Backend
from gnomon.model.bench import RunScore
from gnomon.model.dataset import Dataset, DatasetDraft, ItemDraft
from gnomon.model.experiment import Experiment, ExperimentDraft, Run, RunDraft, RunError
from gnomon.model.fields import Noun
from gnomon.model.score import InlineScoreDraft
from gnomon.model.trace import MAX_BATCH
from gnomon.model.transcript import Transcript
from gnomon.service.bench.gathering import transcript_in
from gnomon.service.bench.leaderboard import Ran
from gnomon.service.bench.records import BenchRecord

SUCCESS = "success"
"""The scorer by which `gnomon leaderboard --dataset … --scorer …` ranks agents as the benchmark does."""
T = TypeVar("T")

_SPANS_AT_ONCE = min(MAX_BATCH, 200)
_RUNS_AT_ONCE = 100


class Pushed(Noun):
    """What a push came to. Every run given is sent, known or left out."""

    project_id: str
    dataset_id: str
    dataset: str
    items: int
    experiments: list[str]
    pushed: int
    known: int
    left_out: int
    notes: list[str]


def push(
    backend: Backend, out: Path, runs: Sequence[Ran], project_id: str | None, dataset: str | None,
    on_done: Callable[[int], None] = lambda done: None, *, started: datetime | None = None,
) -> Pushed:  # fmt: skip
    """Send the runs that lie below `out`; `on_done` is called with how many are done.

    The dataset is that of the runs' family, unless named. Traces begin when their runs did, unless `started` says
    otherwise.
    """
    where = _dataset(backend, project_id, _dataset_name(runs) if dataset is None else dataset)
    before = [
        (experiment, list(backend.runs(experiment.id)))
        for experiment in backend.experiments(where.project_id, where.id)
    ]
    stored_traces = {run.trace_id for _, its in before for run in its}
    new, notes = _new(out, runs, stored_traces)
    ready = [ready_run for its in new.values() for ready_run in its]
    items = _items(backend, where, [ready_run.run for ready_run in ready])
    experiment_names, sent, known = list[str](), 0, sum(trace_id(run) in stored_traces for run in runs)
    for agent in sorted({run.agent_id for run in runs}):
        unfinished = {experiment.id for experiment, _ in before if _is_unfinished(experiment, agent)}
        if its := [(ready_run, items[_item_of(ready_run.run)]) for ready_run in new.get(agent, ())]:
            experiment, placed = _experiment(backend, where, agent, its, before)
            experiment_names.append(experiment.name)
            unfinished.add(experiment.id)
            for batch in _chunks(_drafts(backend, placed, where.project_id, started), _RUNS_AT_ONCE):
                backend.add_runs(experiment.id, batch)
                sent += len(batch)
                on_done(known + sent)
        for id in sorted(unfinished):
            backend.complete(id)
    return Pushed(
        project_id=where.project_id, dataset_id=where.id, dataset=where.name, items=len(set(map(_item_of, runs))),
        experiments=experiment_names, pushed=sent, known=known, left_out=len(runs) - sent - known, notes=notes,
    )  # fmt: skip


def trace_id(run: Ran) -> str:
    return sha256(f"{run.agent_id}\0{run.scenario_id}\0{run.run_score.run_id}".encode()).hexdigest()[:32]


# --- what is to be sent -----


@dataclass(frozen=True)
class _Ready:
    """A run to be sent, and where its transcript is; None where that cannot be read."""

    run: Ran
    transcript: Path | None


def _new(out: Path, runs: Sequence[Ran], known: Collection[str | None]) -> tuple[dict[str, list[_Ready]], list[str]]:
    """Runs that are not there yet, by agent, and what is to be said about others."""
    ready_by_agent: dict[str, list[_Ready]] = defaultdict(list)
    notes: list[str] = []
    first: dict[str, Ran] = {}
    for run in runs:
        if trace_id(run) in known:
            continue
        same = first.setdefault(trace_id(run), run)
        path = transcript_in(out / run.path)
        assert path is not None  # runs were found by their transcripts
        whole = _read(path)
        if same is not run:
            notes.append(f"{run.path} is not sent: it is a copy of {same.path}")
        elif isinstance(whole, str):
            notes.append(f"{run.path} is sent without its trace: {whole}")
            ready_by_agent[run.agent_id].append(_Ready(run, None))
        elif whole.is_cut:
            notes.append(f"{run.path} is not sent: it has not ended; go on with `gnomon bench run --resume`")
        else:
            ready_by_agent[run.agent_id].append(_Ready(run, path))
    return ready_by_agent, notes


def _read(path: Path) -> Transcript | str:
    """A transcript, or why there is none."""
    try:
        return read_transcript(path)
    except GnomonError as bad:
        return bad.message


# --- where it goes -----


def _dataset_name(runs: Sequence[Ran]) -> str:
    names = sorted({by_name(run.run_score.family).dataset_name for run in runs})
    if len(names) > 1:
        raise InvalidInput.of(
            "dataset", f"these are runs of several families; name the dataset, such as {' or '.join(map(repr, names))}"
        )
    return names[0]


def _dataset(backend: Backend, project_id: str | None, name: str) -> Dataset:
    try:
        return backend.create_dataset(
            DatasetDraft(project_id=project_id, name=name, description="Scenarios of a benchmark")
        )
    except Conflict:
        return next(dataset for dataset in backend.datasets(project_id) if dataset.name == name)


def _items(backend: Backend, dataset: Dataset, runs: Sequence[Ran]) -> dict[tuple[str, str], str]:
    """(scenario, content hash) → item; those that are not there yet are added as one new version."""
    known = _known_items(backend, dataset)
    missing = {_item_of(run): run for run in runs if _item_of(run) not in known}
    if missing:
        backend.import_items(dataset.id, [_item(run) for run in missing.values()])
        known = _known_items(backend, dataset)
    return {_item_of(run): known[_item_of(run)] for run in runs}


def _known_items(backend: Backend, dataset: Dataset) -> dict[tuple[str, str], str]:
    return {
        (str(about["scenario_id"]), str(about.get("content_hash", ""))): item.id
        for item in backend.items(dataset.id)
        if (about := item.metadata or {}).get("scenario_id")
    }


def _item_of(run: Ran) -> tuple[str, str]:
    return run.scenario_id, run.content_hash


def _item(run: Ran) -> ItemDraft:
    about = {"scenario_id": run.scenario_id, "content_hash": run.content_hash}
    family = {"family": run.run_score.family} if run.run_score.family else {}
    return ItemDraft(input=run.scenario_id, metadata={**run.tags, **family, **about})


Placed = tuple[_Ready, str, int]
"""A run, its item, and which trial of it it is."""


def _experiment(
    backend: Backend, dataset: Dataset, agent: str, runs: Sequence[tuple[_Ready, str]],
    before: Sequence[tuple[Experiment, Sequence[Run]]],
) -> tuple[Experiment, list[Placed]]:  # fmt: skip
    """The agent's experiment that a push before this one left unfinished, if the runs fit in; else a new one."""
    for experiment, its in before:
        if _is_unfinished(experiment, agent):
            placed = _placed(runs, {(run.dataset_item_id, run.trial) for run in its})
            if all(trial < experiment.trials for _, _, trial in placed):
                return experiment, placed
    placed = _placed(runs, set())
    name, number, names = agent, 1, {experiment.name for experiment, _ in before}
    while name in names:
        number += 1
        name = f"{agent} ({number})"
    draft = ExperimentDraft(
        project_id=dataset.project_id, name=name, dataset_id=dataset.id,
        trials=max(trial for _, _, trial in placed) + 1, metadata=_about(agent),
    )  # fmt: skip
    return backend.create_experiment(draft), placed


def _about(agent: str) -> dict[str, str | bool]:
    return {"agent": agent, "benchmark": True}


def _is_unfinished(experiment: Experiment, agent: str) -> bool:
    return experiment.status != "completed" and experiment.metadata == _about(agent)


def _placed(runs: Sequence[tuple[_Ready, str]], taken: set[tuple[str, int]]) -> list[Placed]:
    """Runs are numbered from 1, trials from 0; a run whose place is taken gets the next one."""
    placed = []
    for ready, item in runs:
        trial = max(ready.run.run_number - 1, 0)
        while (item, trial) in taken:
            trial += 1
        taken.add((item, trial))
        placed.append((ready, item, trial))
    return placed


# --- what is sent -----


def _drafts(
    backend: Backend, placed: Iterable[Placed], project_id: str, started: datetime | None
) -> Iterator[RunDraft]:
    """The trace first: a run that names it is what says that all of it is there."""
    for ready, item, trial in placed:
        if ready.transcript is not None:
            _send_trace(backend, ready.transcript, ready.run, project_id, started)
        yield _draft(ready.run, item, trial)


def _send_trace(backend: Backend, path: Path, run: Ran, project_id: str, started: datetime | None) -> None:
    record = BenchRecord.of(run).model_dump(mode="json")
    spans = to_spans(read_transcript(path), trace_id=trace_id(run), started=started, record=record)
    for batch in _chunks(spans, _SPANS_AT_ONCE):
        try:
            backend.ingest(batch, project_id)
        except Conflict:
            continue  # a push that was cut has sent these already


def _draft(run: Ran, item: str, trial: int) -> RunDraft:
    score, trace = run.run_score, trace_id(run)
    if not score.scorable:
        why = RunError(message=score.reason or "not scorable", type="not_scorable")
        return RunDraft(dataset_item_id=item, trial=trial, error=why, trace_id=trace)
    return RunDraft(
        dataset_item_id=item, trial=trial, output=_output(score), trace_id=trace,
        scores=[InlineScoreDraft(scorer_name=name, value=value) for name, value in _scores(run).items()],
    )  # fmt: skip


def _output(score: RunScore) -> dict[str, Any]:
    """The family's own record of a run, else its metrics."""
    if score.result is not None:
        return score.result
    values = {name: value.value for name, value in score.metrics.items() if not value.is_absent}
    return {"success": score.success, "metrics": values}


def _scores(run: Ran) -> dict[str, float | str]:
    """Success, the metrics that are scores (rates, figures and labels), and what a judge said."""
    score = run.run_score
    values: dict[str, float | str] = {} if score.success is None else {SUCCESS: float(score.success)}
    for metric in by_name(score.family).metrics.metrics:
        value = run.metric(metric.name)
        if value is None or value.value is None:
            continue
        if metric.kind == "label":
            values[metric.name] = str(value.value)
        elif metric.kind in ("rate", "figure") and isinstance(value.value, bool | int | float):
            values[metric.name] = float(value.value) / (metric.maximum if metric.kind == "figure" else 1)
    if run.judge is not None:
        values |= {
            f"judge {dimension_score.dimension}": dimension_score.score / 10
            for dimension_score in run.judge.dimension_scores
        }
        values["judge overall"] = run.judge.overall_score / 10
    return values


def _chunks(entries: Iterable[T], size: int) -> Iterator[list[T]]:
    chunk: list[T] = []
    for entry in entries:
        chunk.append(entry)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
