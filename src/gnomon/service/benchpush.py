"""Runs of a benchmark sent to where scores are kept: a scenario is a dataset's item, a run a trial with its trace.

What is there already stays, so a push may be repeated, or go on after it was cut: a run is known by its trace's id,
which is made from the run's own. An experiment is one agent over the dataset; runs that come later get another one of
the same agent, and leaderboards put them together.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from gnomon.bench.transcripts import read_transcript
from gnomon.errors import Conflict, GnomonError
from gnomon.interop.spans import to_spans
from gnomon.model.dataset import Dataset, DatasetDraft, DatasetItem, Imported, ItemDraft
from gnomon.model.experiment import Experiment, ExperimentDraft, Run, RunDraft, RunError, RunsAccepted
from gnomon.model.fields import Noun
from gnomon.model.score import InlineScoreDraft
from gnomon.model.trace import MAX_BATCH, Ingested, SpanDraft
from gnomon.service.benches import Ran
from gnomon.service.benchruns import transcript_in

SUCCESS = "success"
"""The scorer by which `gnomon leaderboard --dataset … --scorer …` ranks agents as the benchmark does."""
_SPANS_AT_ONCE = min(MAX_BATCH, 200)
_RUNS_AT_ONCE = 100


class Door(Protocol):
    """What pushing needs of a server's client, or of a database of this machine."""

    def create_dataset(self, draft: DatasetDraft) -> Dataset: ...
    def datasets(self, project_id: str | None = None) -> Iterator[Dataset]: ...
    def items(self, dataset_id: str, version: int | None = None) -> Iterator[DatasetItem]: ...
    def import_items(self, dataset_id: str, drafts: Iterable[ItemDraft]) -> Imported: ...
    def create_experiment(self, draft: ExperimentDraft) -> Experiment: ...
    def experiments(self, project_id: str | None = None, dataset_id: str | None = None) -> Iterator[Experiment]: ...
    def add_runs(self, experiment_id: str, runs: Iterable[RunDraft]) -> RunsAccepted: ...
    def runs(self, experiment_id: str) -> Iterator[Run]: ...
    def ingest(self, spans: Iterable[SpanDraft], project_id: str | None = None) -> Ingested: ...


class Pushed(Noun):
    project_id: str
    dataset_id: str
    dataset: str
    items: int
    experiments: list[str]
    pushed: int
    known: int
    notes: list[str]


def push(
    door: Door, out: Path, runs: Sequence[Ran], project_id: str | None, dataset: str,
    on_done: Callable[[int], None] = lambda done: None,
) -> Pushed:  # fmt: skip
    where = _dataset(door, project_id, dataset)
    items = _items(door, where, runs)
    before = list(door.experiments(where.project_id, where.id))
    known = {run.trace_id for one in before for run in door.runs(one.id)}
    new: dict[str, list[Ran]] = defaultdict(list)
    for run in runs:
        if trace_id(run) not in known:
            new[run.agent_id].append(run)
    done = len(runs) - sum(map(len, new.values()))
    skipped, made, notes = done, list[str](), list[str]()
    for agent, its in sorted(new.items()):
        names = {one.name for one in before}
        experiment = _experiment(door, where, agent, its, names)
        made.append(experiment.name)
        for batch in _chunks(_drafts(door, out, its, items, where.project_id, notes), _RUNS_AT_ONCE):
            door.add_runs(experiment.id, batch)
            done += len(batch)
            on_done(done)
    return Pushed(
        project_id=where.project_id, dataset_id=where.id, dataset=where.name, items=len(items), experiments=made,
        pushed=len(runs) - skipped, known=skipped, notes=notes,
    )  # fmt: skip


def trace_id(run: Ran) -> str:
    return sha256(f"{run.agent_id}\0{run.scenario_id}\0{run.run_score.run_id}".encode()).hexdigest()[:32]


def _dataset(door: Door, project_id: str | None, name: str) -> Dataset:
    try:
        return door.create_dataset(DatasetDraft(project_id=project_id, name=name, description="Days of a benchmark"))
    except Conflict:
        return next(one for one in door.datasets(project_id) if one.name == name)


def _items(door: Door, dataset: Dataset, runs: Sequence[Ran]) -> dict[tuple[str, str], str]:
    """(scenario, content hash) → item; those that are not there yet are added as one new version."""
    known = _known(door, dataset)
    missing = {_place(run): run for run in runs if _place(run) not in known}
    if missing:
        door.import_items(dataset.id, [_item(run) for run in missing.values()])
        known = _known(door, dataset)
    return {_place(run): known[_place(run)] for run in runs}


def _known(door: Door, dataset: Dataset) -> dict[tuple[str, str], str]:
    return {
        (str(about["scenario_id"]), str(about.get("content_hash", ""))): item.id
        for item in door.items(dataset.id)
        if (about := item.metadata or {}).get("scenario_id")
    }


def _place(run: Ran) -> tuple[str, str]:
    return run.scenario_id, run.content_hash


def _item(run: Ran) -> ItemDraft:
    about = {"scenario_id": run.scenario_id, "content_hash": run.content_hash, "noise_tier": run.noise_tier,
             "crisis_type": run.crisis_type}  # fmt: skip
    return ItemDraft(
        input=run.scenario_id, metadata={name: value for name, value in about.items() if value is not None}
    )


def _experiment(door: Door, dataset: Dataset, agent: str, runs: Sequence[Ran], names: set[str]) -> Experiment:
    name, number = agent, 1
    while name in names:
        number += 1
        name = f"{agent} ({number})"
    draft = ExperimentDraft(
        project_id=dataset.project_id, name=name, dataset_id=dataset.id,
        trials=max(run.run_number for run in runs) + 1, metadata={"agent": agent, "benchmark": True},
    )  # fmt: skip
    return door.create_experiment(draft)


def _drafts(
    door: Door, out: Path, runs: Sequence[Ran], items: dict[tuple[str, str], str], project_id: str, notes: list[str]
) -> Iterator[RunDraft]:
    for run in runs:
        trace = _send_trace(door, out / run.path, trace_id(run), project_id, notes)
        yield _draft(run, items[_place(run)], trace)


def _send_trace(door: Door, folder: Path, trace: str, project_id: str, notes: list[str]) -> str:
    """The trace first: a run that names it is what says that all of it is there."""
    path = transcript_in(folder)
    try:
        assert path is not None  # runs were found by their transcripts
        spans = to_spans(read_transcript(path), trace_id=trace)
    except GnomonError as bad:
        notes.append(f"{folder} is sent without its trace: {bad.message}")
        return trace
    for batch in _chunks(spans, _SPANS_AT_ONCE):
        try:
            door.ingest(batch, project_id)
        except Conflict:
            continue  # a push that was cut has sent these already
    return trace


def _draft(run: Ran, item: str, trace: str) -> RunDraft:
    score = run.run_score
    if score.result is None:
        why = RunError(message=score.reason or "not scorable", type="not_scorable")
        return RunDraft(dataset_item_id=item, trial=run.run_number, error=why, trace_id=trace)
    return RunDraft(
        dataset_item_id=item, trial=run.run_number, output=score.result.model_dump(mode="json"), trace_id=trace,
        scores=[InlineScoreDraft(scorer_name=name, value=value) for name, value in _scores(run).items()],
    )  # fmt: skip


def _scores(run: Ran) -> dict[str, float | str]:
    score, result = run.run_score, run.run_score.result
    assert result is not None
    found: dict[str, Any] = {
        SUCCESS: None if score.success is None else float(score.success),
        "detection": float(result.detection),
        "false_alarm": float(score.false_alarms > 0),
        "composite": score.composite,
        "action_type": result.action_type,
    }
    if run.judge is not None:
        found |= {f"judge {one.dimension}": one.score / 10 for one in run.judge.dimension_scores}
        found["judge overall"] = run.judge.overall_score / 10
    return {name: value for name, value in found.items() if value is not None}


def _chunks(things: Iterable[Any], size: int) -> Iterator[list[Any]]:
    chunk: list[Any] = []
    for one in things:
        chunk.append(one)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
