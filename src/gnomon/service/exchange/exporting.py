"""What an export takes out of Gnomon, through any backend: one record after the other, page by page.

Whole lists are never held, but for a table of experiments: its rows say what the items of their dataset say, why
scores are missing and what people said, so that one dataset's items and one experiment's scoring states and annotations
are in memory.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO

from gnomon.errors import NotFound
from gnomon.interop.exports.columns import COLUMNS, SCORE_PREFIX, ExportColumn, ExportKind
from gnomon.interop.exports.records import (
    AnnotationRecord,
    DatasetRecord,
    ExperimentRecord,
    ItemRecord,
    Record,
    RunRecord,
    ScoreRecord,
    StateRecord,
    TraceRecord,
)
from gnomon.interop.exports.writers import FileFormat, open_writer
from gnomon.model.backend import Backend, find_dataset, find_experiment
from gnomon.model.dataset import Dataset
from gnomon.model.experiment import Experiment
from gnomon.model.review import Annotation
from gnomon.model.score import Score, ScoringState
from gnomon.model.trace import Trace

ExportProgress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Selection:
    """What is exported. Without names: everything of that kind in the project."""

    kind: ExportKind
    names: Sequence[str] = ()
    project_id: str | None = None
    after: datetime | None = None
    """Created (a trace: received) after this time."""
    before: datetime | None = None
    has_error: bool | None = None
    """Of traces."""
    metadata: Mapping[str, str] | None = None
    """Of traces: the root span's."""
    scores: bool = True
    """With the scores of spans; each span is asked for its own."""
    at: str | None = None
    """Which experiment of that name."""

    def holds(self, noun: Experiment | Dataset) -> bool:
        begins = self.after is None or noun.created_at > self.after
        return begins and (self.before is None or noun.created_at < self.before)


@dataclass(frozen=True, slots=True)
class Written:
    """What an export came to."""

    kind: ExportKind
    format: FileFormat
    counts: Mapping[str, int]
    rows: int
    """Lines or rows, without a heading."""


def write(
    backend: Backend,
    selection: Selection,
    format: FileFormat,
    file: BinaryIO,
    on_progress: ExportProgress | None = None,
) -> Written:
    """Write the export into a file."""
    joined = format != "jsonl"
    columns = table_columns(backend, selection) if joined else []
    writer = open_writer(format, file, selection.kind, columns)
    counts: Counter[str] = Counter()
    for done, record in enumerate(records(backend, selection, joined=joined), 1):
        writer.write(record)
        counts.update(record.counts())
        if on_progress is not None:
            on_progress(done)
    writer.finish()
    return Written(selection.kind, format, {name: count for name, count in counts.items() if count}, writer.rows)


def records(backend: Backend, selection: Selection, *, joined: bool = False) -> Iterator[Record]:
    """Everything that was selected. `joined` for a table: runs know their item and scoring states."""
    match selection.kind:
        case "datasets":
            return _of_datasets(backend, datasets(backend, selection))
        case "experiments":
            return _of_experiments(backend, experiments(backend, selection), joined)
        case "traces":
            return (trace_record(backend, trace, selection.scores) for trace in traces(backend, selection))
        case "scores":
            return _scores(backend, selection)


def table_columns(backend: Backend, selection: Selection) -> list[ExportColumn]:
    """The columns of the kind's table; experiments also have one per scorer."""
    if selection.kind != "experiments":
        return COLUMNS[selection.kind]
    numeric: dict[str, bool] = {}
    for experiment in experiments(backend, selection):
        for name, summary in backend.summary(experiment.id).scores_by_scorer.items():
            numeric[name] = numeric.get(name, True) and summary.distribution is None
    scorers = [ExportColumn(SCORE_PREFIX + name, "number" if only else "json") for name, only in numeric.items()]
    return [*COLUMNS["experiments"], *scorers]


def size(backend: Backend, selection: Selection) -> int | None:
    """How many records there will be, more or less; None where only reading them all would tell."""
    if selection.kind == "experiments":
        return sum(experiment.run_count for experiment in experiments(backend, selection))
    if selection.kind == "datasets":
        return sum(dataset.item_count for dataset in datasets(backend, selection))
    return len(selection.names) or None


# --- which -----


def experiments(backend: Backend, selection: Selection) -> Iterator[Experiment]:
    project = selection.project_id
    every: Iterable[Experiment] = (
        (find_experiment(backend, name, project, at=selection.at) for name in selection.names)
        if selection.names
        else backend.experiments(project)
    )
    return (experiment for experiment in every if selection.holds(experiment))


def datasets(backend: Backend, selection: Selection) -> Iterator[Dataset]:
    project = selection.project_id
    every: Iterable[Dataset] = (
        (find_dataset(backend, name, project) for name in selection.names)
        if selection.names
        else backend.datasets(project)
    )
    return (dataset for dataset in every if selection.holds(dataset))


def traces(backend: Backend, selection: Selection) -> Iterator[Trace]:
    project = selection.project_id
    if selection.names:
        yield from (backend.trace(id, project) for id in selection.names)
        return
    listed = backend.traces(
        project, after=selection.after, before=selection.before, has_error=selection.has_error,
        metadata=selection.metadata,
    )  # fmt: skip
    for row in listed:
        try:
            yield backend.trace(row.id, row.project_id)
        except NotFound:  # deleted since it was listed
            continue


# --- what is in them -----


def _of_datasets(backend: Backend, every: Iterable[Dataset]) -> Iterator[Record]:
    for dataset in every:
        yield DatasetRecord(dataset)
        for item in backend.items(dataset.id, dataset.version):
            yield ItemRecord(dataset, item)


def _of_experiments(backend: Backend, every: Iterable[Experiment], joined: bool) -> Iterator[Record]:
    """Each experiment after the dataset and the items, of its version, that its runs refer to."""
    written: set[tuple[str, int]] = set()
    for experiment in every:
        dataset = backend.dataset(experiment.dataset_id)
        version = (dataset.id, experiment.dataset_version)
        if not joined and version not in written:
            written.add(version)
            yield DatasetRecord(dataset.model_copy(update={"version": experiment.dataset_version}))
            yield from (ItemRecord(dataset, item) for item in backend.items(*version))
        yield ExperimentRecord(experiment)
        yield from (_joined_runs if joined else _runs)(backend, experiment, dataset)


def _runs(backend: Backend, experiment: Experiment, dataset: Dataset) -> Iterator[Record]:
    yield from (RunRecord(run, experiment, dataset) for run in backend.runs(experiment.id))
    yield from (StateRecord(state, experiment) for state in _unscored(backend, experiment))
    yield from map(AnnotationRecord, backend.annotations(experiment_id=experiment.id))


def _unscored(backend: Backend, experiment: Experiment) -> Iterator[ScoringState]:
    """Why runs have no score. Of what is scored the scores say so themselves."""
    return (state for state in backend.scoring_states(experiment_id=experiment.id) if state.state != "scored")


def _joined_runs(backend: Backend, experiment: Experiment, dataset: Dataset) -> Iterator[Record]:
    items = {item.id: item for item in backend.items(dataset.id, experiment.dataset_version)}
    states: dict[str, list[ScoringState]] = {}
    for state in _unscored(backend, experiment):
        states.setdefault(state.target_id, []).append(state)
    annotations: dict[str | None, list[Annotation]] = {}
    for annotation in backend.annotations(experiment_id=experiment.id):
        annotations.setdefault(annotation.run_id, []).append(annotation)
    for run in backend.runs(experiment.id):
        item = items.get(run.dataset_item_id)
        yield RunRecord(run, experiment, dataset, item, states.get(run.id, ()), annotations.get(run.id, ()))


def trace_record(backend: Backend, trace: Trace, with_scores: bool = True) -> TraceRecord:
    """A trace with everything that was said of it."""
    scores: list[Score] = []
    states: dict[tuple[str, str, str | None], ScoringState] = {}
    for span in trace.spans if with_scores else ():
        span_scores = backend.scores(span.id, "span", trace_id=trace.id)
        scores += (score for score in span_scores if score.project_id == trace.project_id)
        for state in backend.scoring_states(target_id=span.id):
            if state.trace_id == trace.id and state.state != "scored":
                # A copy of the trace in another project has states of its own, which say the same.
                states[span.id, state.scorer_name, state.config_hash] = state
    annotations = list(backend.annotations(trace.id, project_id=trace.project_id))
    return TraceRecord(trace, scores, list(states.values()), annotations)


def _scores(backend: Backend, selection: Selection) -> Iterator[Record]:
    """The scores of runs and of spans. A name is an experiment's, or the id of a trace."""
    if not selection.names:
        yield from _scores_of_experiments(backend, experiments(backend, selection))
        yield from _scores_of_traces(backend, traces(backend, selection))
    for name in selection.names:
        try:
            experiment = find_experiment(backend, name, selection.project_id, at=selection.at)
        except NotFound as unknown:
            yield from _scores_of_traces(backend, [_trace_of_name(backend, name, selection.project_id, unknown)])
        else:
            yield from _scores_of_experiments(backend, [experiment])


def _trace_of_name(backend: Backend, name: str, project_id: str | None, unknown: NotFound) -> Trace:
    try:
        return backend.trace(name, project_id)
    except NotFound:
        raise NotFound(f"{unknown.message} (no trace has that id either)") from None


def _scores_of_experiments(backend: Backend, every: Iterable[Experiment]) -> Iterator[Record]:
    for experiment in every:
        for run in backend.runs(experiment.id):
            yield from (ScoreRecord(score, experiment, run) for score in run.scores)
        yield from (StateRecord(state, experiment) for state in _unscored(backend, experiment))


def _scores_of_traces(backend: Backend, every: Iterable[Trace]) -> Iterator[Record]:
    for trace in every:
        record = trace_record(backend, trace)
        yield from map(ScoreRecord, record.scores)
        yield from map(StateRecord, record.states)
