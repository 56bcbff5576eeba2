"""Before anything runs: what was asked for is checked, bound to names, and its data read and stored."""

import asyncio
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from gnomon.errors import InvalidInput, NotFound
from gnomon.interop.rows import short
from gnomon.model.backend import Backend, find_dataset, find_experiment
from gnomon.model.dataset import Dataset
from gnomon.model.experiment import MAX_TRIALS, Experiment, ScoreExperimentDraft
from gnomon.model.fields import NAME_LIMIT
from gnomon.model.gates import NotWorseGate
from gnomon.model.nearest import did_you_mean
from gnomon.model.score import InlineScoreDraft, ScorerSpec
from gnomon.scorers import build
from gnomon.scorers.protocol import Comparison
from gnomon.service.evaluation import judges, metrics
from gnomon.service.evaluation.binding import BoundScorer, BoundTask, bind_scorers, bind_task
from gnomon.service.evaluation.data import EvaluationData, EvaluationItem, content_hash, names_file, read_data
from gnomon.service.evaluation.datasets import change_note, synchronise
from gnomon.service.evaluation.identity import Identity, data_identity, scorer_identity, task_identity
from gnomon.service.evaluation.provenance import Identities, provenance
from gnomon.service.evaluation.resuming import Wanted
from gnomon.service.evaluation.selecting import ItemSelection
from gnomon.service.evaluation.stopping import Decided
from gnomon.service.evaluation.traced import Tracing
from gnomon.service.scoring.scoring import plan
from gnomon.settings import Settings
from gnomon.shorten import list_some

_MOST_AT_A_TIME = 10_000
_LISTED = 20
_NAMES_READ = 500


class EvaluationProgress(Protocol):
    """Who shows how far it is. Every method may be called from any thread."""

    def begin(self, name: str, total: int, done: int) -> None: ...
    def ran(self, runs: int, failed: int, cost_usd: float | None) -> None: ...
    def judged(self, done: int, total: int) -> None: ...
    def note(self, text: str) -> None: ...
    def end(self) -> None: ...


@dataclass(frozen=True, slots=True)
class EvaluationRequest:
    """What is to be evaluated, and how, as a caller gave it: `prepare` checks it."""

    task: Any
    data: Any
    scorers: Any = ()
    name: Any = None
    dataset: Any = None
    trials: Any = 1
    concurrency: Any = 16
    timeout: Any = None
    on_error: Any = "store"
    retry_failed: bool = False
    cache: bool = False
    version: str | None = None
    experiment_scorers: Any = ()
    stop_when: Any = None
    wait: bool = True
    metadata: Mapping[str, Any] | None = None
    resume: bool = True
    """Whether an unfinished experiment of this name is continued."""
    selection: ItemSelection | None = None
    """Which of the items are run; all of them are in the dataset."""
    columns: Mapping[str, str] | None = None
    """Which column of the data is the input, the expected output, …, where it is called otherwise."""
    recorded: Mapping[str, Any] = field(default_factory=dict)
    """Added to the experiment's `metadata.gnomon`."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where it happens."""

    backend: Backend
    project_id: str
    settings: Settings
    progress: EvaluationProgress
    folder: Path
    environ: Mapping[str, str]
    tracing: Tracing | None = None
    loop: asyncio.AbstractEventLoop | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    """Set by who wants it to end early, as Ctrl-C does."""


@dataclass(frozen=True, slots=True)
class StoredItems:
    """A dataset at one version, and the ids of its items in the order of the data."""

    dataset: Dataset
    item_ids: list[str]
    note: str | None = None
    """That the data made a new version."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request that can be carried out: checked, bound, its data read."""

    name: str
    task: BoundTask
    functions: list[BoundScorer]
    specs: list[ScorerSpec]
    metrics: Mapping[str, metrics.MetricFunction]
    data: EvaluationData
    stored: StoredItems | None
    """Where the data are a stored dataset."""
    positions: Sequence[int]
    """Of the items that are run, in their order."""

    @property
    def run_items(self) -> list[EvaluationItem]:
        return [self.data.items[position] for position in self.positions]

    @property
    def score_names(self) -> list[str]:
        """Names of scores that are known before anything runs."""
        return [name for spec in self.specs for name in names_of(spec)] + [function.name for function in self.functions]


def prepare(request: EvaluationRequest, backend: Backend, project_id: str) -> Prepared:
    """Check everything that can be checked without running or storing anything."""
    _check(request)
    task = bind_task(request.task)
    bound = bind_scorers(request.scorers)
    functions = [scorer for scorer in bound if isinstance(scorer, BoundScorer)]
    specs = [scorer for scorer in bound if isinstance(scorer, ScorerSpec)]
    of_all = metrics.bind(request.experiment_scorers)
    data, stored = _read(request, backend, project_id)
    positions = range(len(data.items)) if request.selection is None else request.selection.positions(data.items)
    run_items = [data.items[position] for position in positions]
    task.check(run_items)
    _check_columns(specs, run_items)
    name = task.name if request.name is None else request.name
    if not isinstance(name, str) or not name.strip() or len(name) > NAME_LIMIT:
        raise InvalidInput.of(
            "name", f"name is {short(name)}; give 1 to {NAME_LIMIT} characters that are not all blank"
        )
    prepared = Prepared(name, task, functions, specs, of_all, data, stored, positions)
    _check_stopping(request.stop_when, prepared, backend, project_id)
    return prepared


def names_of(spec: ScorerSpec) -> list[str]:
    """The names of the scores that a built-in scorer makes: its own, and those of a rubric's dimensions."""
    return plan(InlineScoreDraft.model_validate(spec.model_dump(exclude_unset=True))).score_names


def _check_stopping(decided: Decided | None, prepared: Prepared, backend: Backend, project_id: str) -> None:
    """Refuse a question that these scorers cannot answer, or that is about an experiment that is not there."""
    if decided is None:
        return
    question = decided.question(prepared.score_names)
    if isinstance(question, NotWorseGate):
        find_experiment(backend, question.experiment, project_id)


def _check(request: EvaluationRequest) -> None:
    for field_name, value, most in (
        ("trials", request.trials, MAX_TRIALS),
        ("concurrency", request.concurrency, _MOST_AT_A_TIME),
    ):
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            raise InvalidInput.of(field_name, f"{field_name} is {short(value)}; give a whole number from 1 to {most:,}")
    timeout = request.timeout
    if timeout is not None and (isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout > 0):
        raise InvalidInput.of("timeout", f"timeout is {short(timeout)}; give seconds above 0, or leave it out")
    if request.on_error not in ("store", "raise"):
        raise InvalidInput.of("on_error", f"on_error is {short(request.on_error)}; it is 'store' or 'raise'")
    if request.stop_when is not None and not isinstance(request.stop_when, Decided):
        words = f"stop_when is {short(request.stop_when)}; write decided(gate=…) or decided(against=…)"
        raise InvalidInput.of("stop_when", words)


def _read(request: EvaluationRequest, backend: Backend, project_id: str) -> tuple[EvaluationData, StoredItems | None]:
    dataset = _stored_dataset(request.data, backend, project_id)
    if dataset is None:
        return read_data(request.data, dataset=request.dataset, columns_as=request.columns), None
    if request.dataset is not None:
        words = f"data names the stored dataset {dataset.name!r}, so dataset {short(request.dataset)} has no use"
        raise InvalidInput.of("dataset", f"{words}; leave it out")
    if request.columns:
        words = f"columns go with a file; the dataset {dataset.name!r} has its input already, so leave them out"
        raise InvalidInput.of("columns", words)
    stored = list(backend.items(dataset.id, dataset.version))
    if not stored:
        raise InvalidInput.of("data", f"the dataset {dataset.name!r} has no items; an evaluation needs at least one")
    items = [EvaluationItem(item.key, item.input, item.expected_output, item.metadata) for item in stored]
    data = EvaluationData(dataset.name, items, [], content_hash(items))
    return data, StoredItems(dataset, [item.id for item in stored])


def _stored_dataset(data: Any, backend: Backend, project_id: str) -> Dataset | None:
    """The dataset that `data=` names, by name, by id, or as an object that has one."""
    if isinstance(getattr(data, "id", None), str) and hasattr(data, "version"):
        return backend.dataset(data.id)
    if not isinstance(data, str) or names_file(data):
        return None
    try:
        return find_dataset(backend, data, project_id)
    except NotFound:
        known = [dataset.name for dataset in islice(backend.datasets(project_id), _NAMES_READ)]
        words = f"data is {short(data)}, and no dataset of project {project_id!r} has that name"
        others = f"there are {list_some(known, _LISTED) or 'none yet'}. A file needs its ending, such as .jsonl"
        raise InvalidInput.of("data", f"{words}; {did_you_mean(data, known, others)}") from None


def _check_columns(specs: Sequence[ScorerSpec], items: Sequence[EvaluationItem]) -> None:
    """Refuse a scorer that compares with what no item has: it would score nothing."""
    if any(item.expected_output is not None for item in items):
        return
    for spec in specs:
        scorer = build(spec.scorer or spec.scorer_name, spec.config)
        if isinstance(scorer, Comparison) and scorer.expected_output is None:
            keys = dict.fromkeys(key for item in items for key in item.metadata or ())
            columns = ", ".join(["input", *keys][:12])
            raise InvalidInput.of(
                "data",
                f"{spec.scorer_name} compares with expected_output, and no item has one; the columns are {columns}. "
                f"Rename one to expected_output, or give {spec.scorer_name}(expected_output=…)",
            )


def check_judges(around: Surroundings, experiment: Experiment, prepared: Prepared) -> None:
    """Ask whether these judges can work here, before tasks cost anything."""
    if judges.models_of(prepared.specs):
        around.backend.preview_experiment(experiment.id, ScoreExperimentDraft(scorers=prepared.specs))


def stored_items(around: Surroundings, prepared: Prepared) -> StoredItems:
    """The dataset with exactly these items."""
    if prepared.stored is not None:
        return prepared.stored
    synced = synchronise(around.backend, around.project_id, prepared.data)
    dataset = around.backend.dataset(synced.dataset_id)
    note = change_note(dataset.name, synced)
    return StoredItems(dataset.model_copy(update={"version": synced.version}), synced.item_ids, note)


def wanted(request: EvaluationRequest, around: Surroundings, prepared: Prepared, dataset: Dataset) -> Wanted:
    scorers: dict[str, Identity] = {spec.scorer_name: scorer_identity(spec) for spec in prepared.specs}
    scorers |= {function.name: scorer_identity(function.scorer) for function in prepared.functions}
    task = task_identity(prepared.task.function, request.version)
    identities = Identities(task, data_identity(prepared.data.items, prepared.data.hash), scorers)
    origin = {**provenance(identities, around.folder, around.environ), **request.recorded}
    metadata = {**(request.metadata or {}), "gnomon": origin}
    unsent = around.settings.home / "unsent"
    return Wanted(
        around.project_id, prepared.name, dataset, request.trials, metadata, unsent, request.retry_failed,
        request.resume,
    )  # fmt: skip
