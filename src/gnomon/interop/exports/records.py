"""What an export consists of. A record is a line of JSONL, and none, one or several rows of a table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from pydantic import BaseModel

from gnomon.interop.exports.columns import SCORE_NAMES, SCORE_PREFIX, SPAN_NAMES, ExportKind
from gnomon.model.dataset import Dataset, DatasetItem
from gnomon.model.experiment import Experiment, Run
from gnomon.model.review import Annotation
from gnomon.model.score import Score, ScoringState
from gnomon.model.trace import Trace

VERSION = 1
"""Of the format. A reader refuses a file of a later one."""

ExportLine = dict[str, Any]
ExportRow = dict[str, Any]


class Record(Protocol):
    def line(self) -> ExportLine:
        """The record as a line of JSON: the whole noun and its `type`."""

    def rows(self) -> Iterator[ExportRow]:
        """The record as rows of its kind's table."""

    def counts(self) -> Mapping[str, int]:
        """What is in it: `{"runs": 1, "scores": 2}`."""


def heading(kind: ExportKind) -> ExportLine:
    """The first line of a JSONL export: which format it is, and of what."""
    return {"gnomon_export": VERSION, "kind": kind}


@dataclass(frozen=True, slots=True)
class DatasetRecord:
    dataset: Dataset

    def line(self) -> ExportLine:
        return _line("dataset", self.dataset)

    def rows(self) -> Iterator[ExportRow]:
        yield from ()

    def counts(self) -> Mapping[str, int]:
        return {"datasets": 1}


@dataclass(frozen=True, slots=True)
class ItemRecord:
    dataset: Dataset
    item: DatasetItem

    def line(self) -> ExportLine:
        return _line("item", self.item)

    def rows(self) -> Iterator[ExportRow]:
        item, dataset = self.item, self.dataset
        yield {
            **_about_dataset(dataset),
            "project_id": dataset.project_id,
            "dataset_description": dataset.description,
            "dataset_version": dataset.version,
            **_about_item(item),
            "input": item.input,
            "expected_output": item.expected_output,
            "created_at": item.created_at,
        }

    def counts(self) -> Mapping[str, int]:
        return {"items": 1}


@dataclass(frozen=True, slots=True)
class ExperimentRecord:
    experiment: Experiment

    def line(self) -> ExportLine:
        return _line("experiment", self.experiment)

    def rows(self) -> Iterator[ExportRow]:
        yield from ()

    def counts(self) -> Mapping[str, int]:
        return {"experiments": 1}


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run; for a table with what it belongs to, which in JSONL has lines of its own."""

    run: Run
    experiment: Experiment
    dataset: Dataset
    item: DatasetItem | None = None
    states: Sequence[ScoringState] = ()
    annotations: Sequence[Annotation] = ()

    def line(self) -> ExportLine:
        return _line("run", self.run)

    def rows(self) -> Iterator[ExportRow]:
        run, experiment = self.run, self.experiment
        row = {
            "project_id": experiment.project_id,
            "experiment_id": experiment.id,
            "experiment_name": experiment.name,
            "experiment_status": experiment.status,
            "trials": experiment.trials,
            "experiment_metadata": experiment.metadata,
            **_about_dataset(self.dataset),
            "dataset_version": experiment.dataset_version,
            "item_id": run.dataset_item_id,
            **(_about_item(self.item) if self.item is not None else {}),
            "run_id": run.id,
            "error_type": None if run.error is None else run.error.type,
            "error_message": None if run.error is None else run.error.message,
            "scores": _nouns(run.scores),
            "scoring_states": _nouns(self.states),
            "annotations": _nouns(self.annotations),
        }
        names = ("trial", "input", "expected_output", "output", "trace_id", "attempts", "created_at")
        row |= {name: getattr(run, name) for name in names}
        yield row | {f"{SCORE_PREFIX}{score.scorer_name}": score.value for score in run.scores}

    def counts(self) -> Mapping[str, int]:
        beside = {"scoring states": len(self.states), "annotations": len(self.annotations)}
        return {"runs": 1, "scores": len(self.run.scores), **beside}


@dataclass(frozen=True, slots=True)
class AnnotationRecord:
    """What somebody said of a run; in a table it stands in the row of its run."""

    annotation: Annotation

    def line(self) -> ExportLine:
        return _line("annotation", self.annotation)

    def rows(self) -> Iterator[ExportRow]:
        yield from ()

    def counts(self) -> Mapping[str, int]:
        return {"annotations": 1}


@dataclass(frozen=True, slots=True)
class StateRecord:
    """Why a run or a span has no score of a scorer."""

    state: ScoringState
    experiment: Experiment | None = None

    def line(self) -> ExportLine:
        return _line("scoring_state", self.state)

    def rows(self) -> Iterator[ExportRow]:
        state = self.state
        names = ("target_id", "target_type", "trace_id", "scorer_name", "config_hash", "state", "reason")
        about = {} if self.experiment is None else _about_experiment(self.experiment)
        yield {**{name: getattr(state, name) for name in names}, **about, "created_at": state.updated_at}

    def counts(self) -> Mapping[str, int]:
        return {"scoring states": 1}


@dataclass(frozen=True, slots=True)
class ScoreRecord:
    """A score by itself; of a run with the place of that run in its experiment."""

    score: Score
    experiment: Experiment | None = None
    run: Run | None = None

    def line(self) -> ExportLine:
        return {**_line("score", self.score), **self._about()}

    def rows(self) -> Iterator[ExportRow]:
        yield {**_row(self.score, SCORE_NAMES), "state": "scored", **self._about()}

    def _about(self) -> ExportRow:
        about = {} if self.experiment is None else _about_experiment(self.experiment)
        return about if self.run is None else {**about, "item_id": self.run.dataset_item_id, "trial": self.run.trial}

    def counts(self) -> Mapping[str, int]:
        return {"scores": 1}


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """A trace with its spans, their scores, and what people said of it."""

    trace: Trace
    scores: Sequence[Score] = ()
    states: Sequence[ScoringState] = ()
    annotations: Sequence[Annotation] = ()

    def line(self) -> ExportLine:
        beside = {"scores": self.scores, "scoring_states": self.states, "annotations": self.annotations}
        return {**_line("trace", self.trace), **{name: _nouns(nouns) for name, nouns in beside.items()}}

    def rows(self) -> Iterator[ExportRow]:
        """What was said of the whole trace stands in the row of its first span."""
        scores, states = _by_target(self.scores), _by_target(self.states)
        by_span: dict[str | None, list[ExportLine]] = {}
        for annotation in self.annotations:
            by_span.setdefault(annotation.span_id, []).append(annotation.model_dump(mode="json"))
        for span in self.trace.spans:
            yield {
                "project_id": self.trace.project_id,
                **_row(span, SPAN_NAMES),
                "scores": scores.get(span.id, []),
                "scoring_states": states.get(span.id, []),
                "annotations": by_span.pop(None, []) + by_span.pop(span.id, []),
            }

    def counts(self) -> Mapping[str, int]:
        return {
            "traces": 1, "spans": len(self.trace.spans), "scores": len(self.scores),
            "scoring states": len(self.states), "annotations": len(self.annotations),
        }  # fmt: skip


_DERIVED = {
    "run": {"score_states"},
    "trace": {"annotation_count", "input_preview", "output_preview", "scores"},
}
"""Fields that repeat what other lines, or other fields of the line, say."""


def _line(type: str, noun: BaseModel) -> ExportLine:
    return {"type": type, **noun.model_dump(mode="json", exclude=_DERIVED.get(type))}


def _row(noun: BaseModel, renamed: dict[str, str]) -> ExportRow:
    """Fields as JSON, but for times, which a table may keep as times."""
    dumped = noun.model_dump(mode="json")
    moments = {name: value for name, value in noun if isinstance(value, datetime)}
    return {renamed.get(name, name): value for name, value in (dumped | moments).items()}


def _nouns(nouns: Iterable[BaseModel]) -> list[ExportLine]:
    return [noun.model_dump(mode="json") for noun in nouns]


def _by_target(nouns: Iterable[Score | ScoringState]) -> dict[str, list[ExportLine]]:
    by_target: dict[str, list[ExportLine]] = {}
    for noun in nouns:
        by_target.setdefault(noun.target_id, []).append(noun.model_dump(mode="json"))
    return by_target


def _about_dataset(dataset: Dataset) -> ExportRow:
    return {"dataset_id": dataset.id, "dataset_name": dataset.name}


def _about_experiment(experiment: Experiment) -> ExportRow:
    return {"experiment_id": experiment.id, "experiment_name": experiment.name}


def _about_item(item: DatasetItem) -> ExportRow:
    return {"item_id": item.id, "item_key": item.key, "item_metadata": item.metadata}
