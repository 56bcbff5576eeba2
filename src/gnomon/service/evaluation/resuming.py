"""Which experiment an evaluation fills: the unfinished one of its name if nothing changed since, else a new one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gnomon.errors import Conflict
from gnomon.model.backend import Backend
from gnomon.model.dataset import Dataset
from gnomon.model.experiment import Experiment, ExperimentDraft
from gnomon.service.evaluation.holding import HeldExperiment
from gnomon.service.evaluation.storing import RunStore, Unsent
from gnomon.shorten import counted

_KINDS = {"task": "the task", "data": "the data", "scorers": "the scorers"}

ItemAndTrial = tuple[str, int]
"""An item's id, and the trial."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an evaluation is about to fill an experiment with."""

    project_id: str
    name: str
    dataset: Dataset
    trials: int
    metadata: Mapping[str, Any]
    """With `gnomon`: the hashes of task, data and scorers, and where they come from."""
    unsent: Path
    """The folder of runs that could not be sent yet."""
    retry_failed: bool = False
    resume: bool = True
    """Whether an unfinished experiment of this name is continued."""


@dataclass(slots=True)
class Chosen:
    experiment: Experiment
    hold: HeldExperiment
    done: set[ItemAndTrial] = field(default_factory=set)
    """What need not be run."""
    is_new: bool = True
    notes: list[str] = field(default_factory=list)


def choose(backend: Backend, wanted: Wanted) -> Chosen:
    """Continue the newest experiment of this name, or begin one, and hold it."""
    newest = next(iter(backend.experiments(wanted.project_id, name=wanted.name)), None)
    notes: list[str] = []
    if newest is not None and wanted.resume and (newest.status != "completed" or wanted.retry_failed):
        why_not = _changed(newest, wanted)
        if why_not is None:
            hold = HeldExperiment(backend, newest.id)
            try:
                hold.take()
            except Conflict:
                why_not = "another process is evaluating into it"
            else:
                return _continued(backend, newest, hold, wanted)
        begun = f"{newest.name!r} was left unfinished" if newest.status != "completed" else f"{newest.name!r} is there"
        notes.append(f"{begun}, but {why_not}, so a new experiment of that name was begun")
    return _begun(backend, wanted, notes)


def _begun(backend: Backend, wanted: Wanted, notes: list[str]) -> Chosen:
    draft = ExperimentDraft(
        project_id=wanted.project_id, name=wanted.name, dataset_id=wanted.dataset.id, trials=wanted.trials,
        metadata=dict(wanted.metadata),
    )  # fmt: skip
    experiment = backend.create_experiment(draft)
    hold = HeldExperiment(backend, experiment.id)
    hold.take()
    return Chosen(experiment, hold, notes=notes)


def _continued(backend: Backend, experiment: Experiment, hold: HeldExperiment, wanted: Wanted) -> Chosen:
    RunStore(backend, experiment.id, Unsent(wanted.unsent, experiment.id), replace_failed=True).finish()
    runs = list(backend.runs(experiment.id))
    failed = {(run.dataset_item_id, run.trial) for run in runs if run.error is not None}
    done = {(run.dataset_item_id, run.trial) for run in runs}
    notes = []
    if done and experiment.status != "completed":
        notes.append(f"{experiment.name!r} is continued: {counted(len(done), 'run')} were there already")
    if wanted.retry_failed:
        done -= failed
        notes.append(f"{len(failed):,} failed runs are run again")
    return Chosen(experiment, hold, done, is_new=False, notes=notes)


def _changed(experiment: Experiment, wanted: Wanted) -> str | None:
    """Why the experiment cannot be continued."""
    if experiment.trials != wanted.trials:
        return f"it has {counted(experiment.trials, 'trial')} and not {wanted.trials}"
    if experiment.dataset_id != wanted.dataset.id:
        return "it is over another dataset"
    before, now = _hashes(experiment.metadata), _hashes(wanted.metadata)
    changed = [words for kind, words in _KINDS.items() if before.get(kind) != now.get(kind)]
    if not changed and experiment.dataset_version != wanted.dataset.version:
        changed = [_KINDS["data"]]
    if not changed:
        return None
    return f"{_and(changed)} {'has' if changed == [_KINDS['task']] else 'have'} changed since"


def _hashes(metadata: Mapping[str, Any] | None) -> Mapping[str, Any]:
    recorded = (metadata or {}).get("gnomon")
    return recorded if isinstance(recorded, dict) else {}


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
