"""Gnomon's own exports: JSONL, CSV and Parquet of experiments, datasets, traces and scores (`gnomon export`).

A line of JSONL and a row of a table are checked as one of the shapes of an export and handed to a `_Collector`, which
puts together what belongs together. What cannot come back is counted: scores of runs that stand in a file without their
experiment, and scoring states that only a job could make true (queued, sampled out, cancelled).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec
from pydantic import ValidationError

from gnomon.errors import GnomonError, InvalidInput
from gnomon.interop.exports.columns import COLUMNS, SCORE_NAMES, SPAN_NAMES, ExportKind, kind_of
from gnomon.interop.exports.records import VERSION
from gnomon.interop.exports.shapes import (
    SHAPES,
    AnnotationShape,
    DatasetShape,
    ExperimentShape,
    ItemShape,
    RunShape,
    ScoreShape,
    Shape,
    StateShape,
    TraceShape,
)
from gnomon.interop.exports.tables import kind_of_parquet, read_cells
from gnomon.interop.foreign.bundle import (
    Bundle,
    ForeignDataset,
    ForeignExperiment,
    ForeignItem,
    ForeignRun,
    ForeignScore,
    SpanScore,
)
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.otlprequests import Requests
from gnomon.interop.otlp.outgoing import outgoing_span
from gnomon.interop.rows import lines, open_table
from gnomon.model.fields import REASON_LIMIT
from gnomon.model.review import AnnotationDraft, AnnotationScoreDraft
from gnomon.model.trace import Span, SpanDraft

SOURCE = "gnomon"


def detect(path: Path) -> bool:
    """Whether Gnomon wrote this file."""
    seen = look(path)
    if seen.suffix == ".csv":
        header = seen.first_line.decode("utf-8", "replace").replace('"', "").split(",")
        return kind_of(header) is not None
    if seen.suffix == ".parquet":
        return kind_of_parquet(path) is not None
    return seen.has("gnomon_export", "kind")


def read(path: Path) -> Bundle:
    """Everything in the file that can be stored again."""
    collector = _Collector()
    if path.suffix.lower() in (".csv", ".parquet"):
        _read_table(path, collector)
    else:
        _read_lines(path, collector)
    return collector.bundle()


# --- putting them together -----


@dataclass(slots=True)
class _Collector:
    """Takes shapes in the order of a file, and makes a bundle of them."""

    datasets: dict[str, DatasetShape] = field(default_factory=dict)
    """Of each the newest version that the file has."""
    items: dict[str, dict[str, ItemShape]] = field(default_factory=dict)
    """Dataset → id → item, of all versions in the file."""
    newest: dict[str, dict[str, ItemShape]] = field(default_factory=dict)
    """The same of the newest version."""
    experiments: dict[str, ExperimentShape] = field(default_factory=dict)
    runs: dict[str, list[RunShape]] = field(default_factory=dict)
    states: dict[str, list[StateShape]] = field(default_factory=dict)
    """Run → its scoring states."""
    scored: list[tuple[str | None, SpanScore]] = field(default_factory=list)
    """Scores of spans with their ids."""
    annotations: dict[str, list[AnnotationShape]] = field(default_factory=dict)
    """Run → what was said of it, the newest first."""
    said_scores: set[str] = field(default_factory=set)
    """Ids of the scores that came with annotations."""
    collected: Bundle = field(default_factory=lambda: Bundle(SOURCE))
    spans: dict[str, list[SpanDraft]] = field(default_factory=dict)
    requests: Requests = field(init=False)
    with_items: bool = True
    """Whether the file has the items of its datasets, and not only those that were run."""
    _newest_keys: dict[str, set[str | None]] = field(default_factory=dict)
    _current: dict[str, ItemShape] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.requests = Requests(self.collected)

    def take(self, shape: Shape) -> None:
        match shape:
            case DatasetShape():
                self._begin_dataset(shape)
            case ItemShape():
                self.items.setdefault(shape.dataset_id, {})[shape.id] = shape
                self._current[shape.id] = shape
            case ExperimentShape():
                self.experiments.setdefault(shape.id, shape)
            case RunShape():
                self.runs.setdefault(shape.experiment_id, []).append(shape)
            case ScoreShape():
                self._take_score(shape)
            case StateShape():
                self._take_state(shape)
            case AnnotationShape():
                self._take_annotation(shape)
            case TraceShape():
                self._take_trace(shape)

    def _begin_dataset(self, dataset: DatasetShape) -> None:
        """The items that follow are those of this version."""
        known = self.datasets.get(dataset.id)
        if known is not None and dataset.version == known.version:  # a table says it in every row
            self._current = self.newest[dataset.id]
            return
        self._current = {}
        if known is None or dataset.version > known.version:
            self.datasets[dataset.id] = dataset
            self.newest[dataset.id] = self._current

    def _take_score(self, score: ScoreShape) -> None:
        if score.target_type != "span" or score.trace_id is None:
            self.collected.not_understood[f"score of a {score.target_type} without its experiment"] += 1
        elif score.value is not None:
            self.scored.append((score.id, SpanScore(score.trace_id, score.target_id, _foreign_score(score))))

    def _take_state(self, state: StateShape) -> None:
        if state.target_type == "run" and self.experiments:
            self.states.setdefault(state.target_id, []).append(state)
            return
        if state.target_type != "span" or state.trace_id is None:
            self.collected.not_understood[f"scoring state of a {state.target_type} without its experiment"] += 1
        elif (score := self._unscored(state)) is not None:
            self.scored.append((None, SpanScore(state.trace_id, state.target_id, score)))

    def _take_annotation(self, annotation: AnnotationShape) -> None:
        """Take an annotation of a run; annotations of traces are in the trace's line."""
        if annotation.run_id is None:
            self.collected.not_understood["annotation without its trace"] += 1
            return
        self.annotations.setdefault(annotation.run_id, []).append(annotation)
        self.said_scores |= {score.score_id for score in annotation.scores}

    def _take_trace(self, trace: TraceShape) -> None:
        for span in trace.spans:
            if span.get("attributes") is None:
                self.spans.setdefault(trace.id, []).append(_span_draft(span))
            else:
                self._take_otlp(Span.model_validate(span))
        for score in trace.scores:
            self._take_score(score)
        for state in trace.scoring_states:
            self._take_state(state)
        # The newest comes first in a file, and of one person's scores of a target the one that is stored last holds.
        for annotation in reversed(trace.annotations):
            self.said_scores |= {score.score_id for score in annotation.scores}
            self.collected.annotations.append(_annotation_draft(annotation))

    def _take_otlp(self, span: Span) -> None:
        """A span that came by OpenTelemetry, as it came."""
        try:
            otlp_span = outgoing_span(span, project=None)
        except (ValueError, RecursionError) as bad:  # a time that is not a number, or beyond what the protocol can say
            why = "it is nested too deeply" if isinstance(bad, RecursionError) else (str(bad).splitlines() or [""])[0]
            raise InvalidInput(
                f"span {span.id!r} is not an OpenTelemetry span ({why[:100]}); export it again"
            ) from None
        self.requests.add(otlp_span.body, otlp_span.source)

    def _unscored(self, state: StateShape) -> ForeignScore | None:
        """Why there is no score, where that is final."""
        reason = (state.reason or "the export gives no reason")[:REASON_LIMIT]
        if state.state == "absent":
            return ForeignScore(state.scorer_name, absent=reason)
        if state.state == "failed":
            return ForeignScore(state.scorer_name, failed=reason)
        if state.state != "scored":
            self.collected.not_understood[f"scoring state {state.state}"] += 1
        return None

    # --- the bundle -----

    def bundle(self) -> Bundle:
        self._newest_keys = {id: {item.key for item in items.values()} for id, items in self.newest.items()}
        self.collected.traces += self.spans.values()
        self.requests.finish()
        # What an annotation scores comes with it, and once.
        self.collected.span_scores += (score for id, score in self.scored if id not in self.said_scores)
        if self.with_items:
            self.collected.datasets += (self._dataset(dataset) for dataset in self.datasets.values())
        # Ids are in the order of creation, and of experiments of one name the last one that is made is meant.
        self.collected.experiments += (self._experiment(self.experiments[id]) for id in sorted(self.experiments))
        return self.collected

    def _dataset(self, dataset: DatasetShape) -> ForeignDataset:
        items = self.newest[dataset.id].values()
        foreign_items = [
            ForeignItem(item.key or item.id, item.input, item.expected_output, item.metadata) for item in items
        ]
        return ForeignDataset(dataset.name, foreign_items, dataset.description or "")

    def _experiment(self, experiment: ExperimentShape) -> ForeignExperiment:
        dataset = self.datasets.get(experiment.dataset_id)
        if dataset is None:
            words = f"experiment {experiment.name!r} refers to a dataset that is not in the file; export it again"
            raise InvalidInput(words)
        metadata = dict(experiment.metadata or {})
        about = {"project_id": experiment.project_id, "experiment_id": experiment.id}
        about |= {"imported": metadata.pop("imported")} if "imported" in metadata else {}
        return ForeignExperiment(
            name=experiment.name,
            dataset=dataset.name,
            runs=[self._run(run, dataset) for run in self.runs.get(experiment.id, ())],
            metadata={**metadata, "gnomon_export": about},
            trials=experiment.trials,
            completed=experiment.status == "completed",
        )

    def _run(self, run: RunShape, dataset: DatasetShape) -> ForeignRun:
        item = self.items.get(dataset.id, {}).get(run.dataset_item_id)
        unscored = (self._unscored(state) for state in self.states.get(run.id, ()))
        return ForeignRun(
            item_key=run.dataset_item_id if item is None else self._key(item),
            input=run.input,
            output=run.output,
            expected_output=run.expected_output,
            item_metadata=None if item is None else item.metadata,
            trial=run.trial + 1,
            error=None if run.error is None else run.error.message,
            error_type=None if run.error is None else run.error.type or "",
            trace_id=run.trace_id,
            scores=[
                *(_foreign_score(score) for score in run.scores if score.id not in self.said_scores),
                *(score for score in unscored if score is not None),
            ],
            annotations=[_annotation_draft(annotation) for annotation in reversed(self.annotations.get(run.id, []))],
        )

    def _key(self, item: ItemShape) -> str:
        """The item's own key, unless a later version gave that key to another item."""
        dataset = item.dataset_id
        is_taken = item.id not in self.newest[dataset] and item.key in self._newest_keys[dataset]
        return item.id if is_taken or item.key is None else item.key


def _annotation_draft(annotation: AnnotationShape) -> AnnotationDraft:
    scores = [AnnotationScoreDraft(**score.model_dump(exclude={"score_id"})) for score in annotation.scores]
    fields = annotation.model_dump(exclude={"created_at", "scores"})
    return AnnotationDraft(**fields, scores=scores, score=False)


def _foreign_score(score: ScoreShape) -> ForeignScore:
    """What computed it goes along in the metadata: a score that is given has no scorer of its own."""
    origin = {"source": score.source, "scorer": score.scorer, "config": score.config, "config_hash": score.config_hash}
    known = {name: value for name, value in origin.items() if value is not None}
    metadata = score.metadata
    if known.keys() != {"source"} or score.source not in ("api", "human"):
        metadata = {**(metadata or {}), "gnomon_export": known}
    source: Literal["human"] | None = "human" if score.source == "human" else None
    return ForeignScore(
        score.scorer_name, score.value, rationale=score.rationale, source=source, metadata=metadata
    )  # fmt: skip


def _span_draft(span: Mapping[str, Any]) -> SpanDraft:
    return SpanDraft(**{name: span[name] for name in SpanDraft.model_fields if span.get(name) is not None})


# --- JSONL -----


def _read_lines(path: Path, collector: _Collector) -> None:
    with path.open("rb") as file:
        numbered = lines(path, file)
        number, first = next(numbered, (1, b""))
        _check_heading(path, _decoded(path, number, first))
        for number, line in numbered:
            if line.strip():
                record = _decoded(path, number, line)
                shape = SHAPES.get(str(record.get("type")))
                if shape is None:
                    collector.collected.not_understood[f"line of type {record.get('type')!r}"[:80]] += 1
                else:
                    _take(collector, shape, record, path, f"line {number}")


def _decoded(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as bad:
        message = f"{path.name}, line {number} is not an object of JSON ({bad})"
        raise InvalidInput(f"{message}; export it again if it was cut") from None


def _check_heading(path: Path, heading: Mapping[str, Any]) -> None:
    version = heading.get("gnomon_export")
    if type(version) is not int or version < 1:
        raise InvalidInput(f'{path.name} does not begin with {{"gnomon_export": {VERSION}, …}}; export it again')
    if version > VERSION:
        words = f"{path.name} is of version {version} of the export format, and {VERSION} is known here; upgrade Gnomon"
        raise InvalidInput(words)


def _take(collector: _Collector, shape: type[Shape], record: Mapping[str, Any], path: Path, line: str) -> None:
    try:
        collector.take(shape.model_validate(record))
    except ValidationError as bad:
        first = bad.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "it"
        raise InvalidInput(f"{path.name}, {line}, {where}: {first['msg']}") from None
    except GnomonError as bad:
        raise InvalidInput(f"{path.name}, {line}: {bad.message}") from None


# --- tables -----


def _read_table(path: Path, collector: _Collector) -> None:
    table = open_table(path)
    kind = kind_of(table.columns)
    if kind is None:
        raise InvalidInput(f"{path.name} lacks columns that every export has; export it again")
    collector.with_items = kind == "datasets"
    for number, row in read_cells(table, COLUMNS[kind]):
        for shape, record in _records_of(kind, row):
            _take(collector, shape, record, path, f"{table.unit} {number}")


def _records_of(kind: ExportKind, row: Mapping[str, Any]) -> Iterator[tuple[type[Shape], dict[str, Any]]]:
    """A row as the lines that stand for it in JSONL."""
    match kind:
        case "datasets" | "experiments":
            yield from _items_of(kind, row)
        case "traces":
            span = {name: row.get(SPAN_NAMES.get(name, name)) for name in Span.model_fields}
            attached = {name: row.get(name) or [] for name in ("scores", "scoring_states", "annotations")}
            yield TraceShape, {"id": row.get("trace_id"), "spans": [span], **attached}
        case "scores":
            if row.get("score_id") is not None:
                yield ScoreShape, {name: row.get(SCORE_NAMES.get(name, name)) for name in ScoreShape.model_fields}
            else:
                yield StateShape, {name: row.get(name) for name in StateShape.model_fields}


def _items_of(kind: ExportKind, row: Mapping[str, Any]) -> Iterator[tuple[type[Shape], dict[str, Any]]]:
    id, description = row.get("dataset_id"), row.get("dataset_description")
    about = {"id": id, "name": row.get("dataset_name"), "description": description}
    yield DatasetShape, {**about, "version": row.get("dataset_version")}
    item = {name: row.get(name) for name in ("input", "expected_output")}
    item |= {"id": row.get("item_id"), "key": row.get("item_key"), "metadata": row.get("item_metadata")}
    yield ItemShape, {**item, "dataset_id": id}
    if kind == "datasets":
        return
    names = ("project_id", "dataset_id", "dataset_version", "trials")
    experiment = {name: row.get(f"experiment_{name}") for name in ("id", "name", "status", "metadata")}
    yield ExperimentShape, {**experiment, **{name: row.get(name) for name in names}}
    same = ("experiment_id", "trial", "output", "trace_id", "input", "expected_output")
    error = {"message": row.get("error_message"), "type": row.get("error_type")}
    yield (
        RunShape,
        {
            **{name: row.get(name) for name in same},
            "id": row.get("run_id"),
            "dataset_item_id": row.get("item_id"),
            "error": None if row.get("error_message") is None else error,
            "scores": row.get("scores") or [],
        },
    )
    for state in row.get("scoring_states") or []:
        yield StateShape, state
    for annotation in row.get("annotations") or []:
        yield AnnotationShape, annotation
