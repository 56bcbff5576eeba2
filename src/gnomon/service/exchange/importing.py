"""Other tools' results are stored: datasets, experiments with runs and scores, traces.

Nothing is stored twice. An experiment carries what it was made of (`metadata.imported`: tool, file, hash of the
content); the same content again only adds the runs that are missing, so that an import that was cut goes on. Items
are known by their keys, spans by their ids.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from typing import Any, TypeVar

from gnomon.errors import NotFound, TooLarge
from gnomon.interop.foreign.bundle import Bundle, ForeignDataset, ForeignExperiment, ForeignItem, ForeignRun, SpanScore
from gnomon.interop.jsontext import storable
from gnomon.model.backend import Backend
from gnomon.model.checks import build
from gnomon.model.dataset import Dataset, DatasetDraft, DatasetItem, ItemDraft
from gnomon.model.experiment import MAX_TRIALS, Experiment, ExperimentDraft, RunDraft, RunError
from gnomon.model.fields import NAME_LIMIT
from gnomon.model.importing import NotUnderstood, Tally
from gnomon.model.jsonvalue import canonical
from gnomon.service.exchange import importing_spans
from gnomon.service.exchange.importing_annotations import AnnotationImporter
from gnomon.service.exchange.importing_scores import score_draft

NO_OUTPUT = {"gnomon.absent": "the file has no output of this run"}
"""Stands for an output that a tool did not write down: an empty answer would be another thing."""
_RUNS_AT_ONCE = 500
_LONGEST_ERROR = 10_000
T = TypeVar("T")

KINDS = ("datasets", "items", "experiments", "runs", "scores", "absent_scores", "traces", "spans", "annotations")


@dataclass(slots=True)
class Counts:
    """What has been stored, or would be, by kind."""

    added: Counter[str] = field(default_factory=Counter)
    there: Counter[str] = field(default_factory=Counter)
    not_understood: Counter[str] = field(default_factory=Counter)

    def tallies(self) -> dict[str, Tally]:
        return {kind: Tally(added=self.added[kind], there_already=self.there[kind]) for kind in KINDS}

    def left_out(self) -> list[NotUnderstood]:
        return [NotUnderstood(what=reason, count=count) for reason, count in (+self.not_understood).most_common()]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a bundle comes from, as its experiments remember it."""

    file: str
    content_hash: str


class Importer:
    """Stores bundles in one project, or with `dry_run` says what would be stored."""

    def __init__(
        self,
        backend: Backend,
        project_id: str,
        *,
        dry_run: bool = False,
        name: str | None = None,
        on_run: Callable[[int], None] = lambda count: None,
    ) -> None:
        self._backend, self._project_id, self._dry_run, self._name = backend, project_id, dry_run, name
        self._on_run = on_run
        self._datasets: dict[str, Dataset] | None = None
        self._counted: set[tuple[str, str | None]] = set()
        """Items (dataset and key) and datasets (without a key) that are in the counts."""
        self.counts = Counts()
        self._annotations = AnnotationImporter(backend, project_id, self.counts, dry_run=dry_run)
        self._span_scores: dict[str, list[SpanScore]] = {}
        """By trace: those of a run's trace are stored with it."""

    def store(self, bundle: Bundle, origin: Origin) -> list[str]:
        """Store all of it; the names of its experiments."""
        self.counts.not_understood.update(bundle.not_understood)
        self._span_scores = {}
        for score in bundle.span_scores:
            self._span_scores.setdefault(score.trace_id, []).append(score)
        parts = [self._part(bundle, number, origin) for number in range(len(bundle.experiments))]
        stored = {
            dataset.name: self._store_items(dataset)
            for dataset in _together([*bundle.datasets, *(part.items for part in parts if part.before is None)])
        }
        for part in parts:
            if part.before is None:
                self._store_new(part, *stored[part.experiment.dataset])
            else:
                self._store_missing(part, part.before)
        spans = importing_spans.SpanImporter(self._backend, self._project_id, self.counts, dry_run=self._dry_run)
        spans.store_otlp(bundle.otlp)
        spans.store_traces(bundle.traces, [score for scores in self._span_scores.values() for score in scores])
        self._annotations.of_traces(bundle.annotations)
        return [part.name for part in parts]

    def _part(self, bundle: Bundle, number: int, origin: Origin) -> "Part":
        experiment = bundle.experiments[number]
        name = self._named(bundle, experiment)
        imported = {"tool": bundle.source, "file": origin.file, "sha256": origin.content_hash, "part": number}
        before = self._imported_before(name, imported)
        return Part(name, experiment, _placed(experiment.runs, experiment.trials), imported, before)

    # --- datasets -----

    def _store_items(self, dataset: ForeignDataset) -> tuple[Dataset | None, dict[str, str]]:
        """The dataset, and key → item. Items that are there and not in the file stay."""
        drafts = _item_drafts(dataset.items)
        stored = self._dataset(dataset.name)
        known = list(self._backend.items(stored.id)) if stored is not None else []
        item_of_key = {item.key: item for item in known if item.key is not None}
        unnamed = _without_key(known, {key: draft for key, draft in drafts.items() if key not in item_of_key})
        item_of_key |= unnamed
        same = {key for key, draft in drafts.items() if key in item_of_key and _is_same(item_of_key[key], draft)}
        self._count_items(dataset.name, same, drafts.keys() - same, is_new=stored is None)
        if self._dry_run:
            return stored, {key: item.id for key, item in item_of_key.items()}
        stored = stored or self._create_dataset(dataset.name, dataset.description)
        if len(same) == len(drafts):
            return stored, {key: item_of_key[key].id for key in drafts}
        replaced = {item.id for item in unnamed.values()}
        others = [_draft_of(item) for item in known if item.key not in drafts and item.id not in replaced]
        synced = self._backend.sync_items(stored.id, [*others, *drafts.values()])
        return stored, dict(zip(drafts, synced.item_ids[len(others) :], strict=True))

    def _dataset(self, name: str) -> Dataset | None:
        if self._datasets is None:
            try:
                self._datasets = {dataset.name: dataset for dataset in self._backend.datasets(self._project_id)}
            except NotFound:  # a dry run makes no project
                self._datasets = {}
        return self._datasets.get(_name(name))

    def _count_items(self, dataset: str, stored_keys: Set[str], added: Set[str], *, is_new: bool = False) -> None:
        """Each dataset and each item is counted once, however many experiments share it."""
        for keys, counts in ((stored_keys, self.counts.there), (added, self.counts.added)):
            new = {(dataset, key) for key in keys} - self._counted
            self._counted |= new
            counts["items"] += len(new)
        if (dataset, None) not in self._counted:
            self._counted.add((dataset, None))
            (self.counts.added if is_new else self.counts.there)["datasets"] += 1

    def _create_dataset(self, name: str, description: str | None) -> Dataset:
        draft = DatasetDraft(project_id=self._project_id, name=_name(name), description=_text_or_imported(description))
        dataset = self._backend.create_dataset(draft)
        assert self._datasets is not None
        self._datasets[dataset.name] = dataset
        return dataset

    # --- experiments -----

    def _store_new(self, part: "Part", dataset: Dataset | None, ids: Mapping[str, str]) -> None:
        self.counts.added["experiments"] += 1
        self._count(self.counts.added, part.runs)
        if self._dry_run or dataset is None:
            self._annotations.count_new(len(run.annotations) for run, _ in part.runs)
            return
        draft = build(
            ExperimentDraft, project_id=self._project_id, name=part.name, dataset_id=dataset.id,
            trials=max(part.experiment.trials or 1, 1, *(trial + 1 for _, trial in part.runs)),
            metadata={**storable(part.experiment.metadata or {}), "imported": part.imported},
        )  # fmt: skip
        experiment = self._backend.create_experiment(draft)
        self._store_runs(experiment, part.runs, ids, part.experiment.completed)
        self._store_annotations(experiment, part.runs, ids)

    def _store_missing(self, part: "Part", experiment: Experiment) -> None:
        """Nothing, when it was completed; else go on with an import that was cut."""
        done = experiment.status == "completed"
        is_annotated = any(run.annotations for run, _ in part.runs)
        ids = self._pinned_items(experiment) if is_annotated or not done else {}
        stored = set() if done else {(run.dataset_item_id, run.trial) for run in self._backend.runs(experiment.id)}
        old = [run for run in part.runs if done or (ids.get(_key(run[0].item_key)), run[1]) in stored]
        new = [run for run in part.runs if not done and (ids.get(_key(run[0].item_key)), run[1]) not in stored]
        self.counts.there["experiments"] += 1
        self._count_items(part.experiment.dataset, {_key(run.item_key) for run, _ in part.runs}, set())
        self._count(self.counts.there, old, with_spans=True)
        self._count(self.counts.added, new)
        if not (done or self._dry_run):
            known = [pair for pair in new if _key(pair[0].item_key) in ids]
            if left := len(new) - len(known):
                self.counts.not_understood["run whose item has left the dataset"] += left
            self._store_runs(experiment, known, ids, part.experiment.completed)
        self._store_annotations(experiment, part.runs, ids)

    def _store_annotations(
        self, experiment: Experiment, runs: Sequence["RunWithTrial"], ids: Mapping[str, str]
    ) -> None:
        """What people said of these runs, which have other ids here than in the file."""
        annotated = [(run, trial) for run, trial in runs if run.annotations]
        if not annotated:
            return
        stored = {(run.dataset_item_id, run.trial): run.id for run in self._backend.runs(experiment.id)}
        by_run = [(stored.get((ids.get(_key(run.item_key), ""), trial)), run.annotations) for run, trial in annotated]
        self._annotations.of_runs(experiment.id, by_run)

    def _pinned_items(self, experiment: Experiment) -> dict[str, str]:
        """Key → item, of the version of the dataset that the experiment began with."""
        items = self._backend.items(experiment.dataset_id, experiment.dataset_version)
        return {item.key: item.id for item in items if item.key is not None}

    def _named(self, bundle: Bundle, experiment: ForeignExperiment) -> str:
        if self._name is None:
            return _name(experiment.name)
        return _name(self._name if len(bundle.experiments) == 1 else f"{self._name}@{experiment.name}")

    def _imported_before(self, name: str, imported: Mapping[str, Any]) -> Experiment | None:
        """The experiment that was made of the same content, if any; the file may have another name by now."""
        expected = {key: imported[key] for key in ("tool", "sha256", "part")}
        try:
            named = list(self._backend.experiments(self._project_id, name=name))
        except NotFound:
            return None
        for experiment in named:
            recorded = (experiment.metadata or {}).get("imported")
            if isinstance(recorded, dict) and all(recorded.get(key) == value for key, value in expected.items()):
                return experiment
        return None

    def _count(self, counts: Counter[str], runs: Sequence["RunWithTrial"], *, with_spans: bool = False) -> None:
        """Runs and what belongs to them; spans are counted when they are sent, unless nothing is."""
        for run, _ in runs:
            counts["runs"] += 1
            for score in run.scores:
                counts["scores" if score.value is not None else "absent_scores"] += 1
            if run.spans and (self._dry_run or with_spans):
                counts["traces"] += 1
                counts["spans"] += len(run.spans)

    def _store_runs(
        self, experiment: Experiment, runs: Sequence["RunWithTrial"], ids: Mapping[str, str], completed: bool
    ) -> None:
        spans = importing_spans.SpanImporter(self._backend, self._project_id, self.counts)
        for batch in _chunks(runs, _RUNS_AT_ONCE):
            traces = [run.spans for run, _ in batch if run.spans]
            scores = [score for trace in traces for score in self._span_scores.pop(trace[0].trace_id, ())]
            spans.store_traces(traces, scores)
            drafts = [_run_draft(run, trial, ids[_key(run.item_key)], self.counts) for run, trial in batch]
            self._send_runs(experiment.id, drafts)
            self._on_run(len(batch))
        if completed:
            self._backend.complete(experiment.id)

    def _send_runs(self, experiment_id: str, drafts: Sequence[RunDraft]) -> None:
        """All of them; too large a batch is halved, and a run that is too large by itself becomes a failed one."""
        try:
            self._backend.add_runs(experiment_id, drafts)
        except TooLarge as refusal:
            if len(drafts) == 1:
                error = RunError(message=f"the output could not be stored: {refusal.message}", type="OutputRefused")
                self._backend.add_runs(experiment_id, [drafts[0].model_copy(update={"output": None, "error": error})])
                self.counts.not_understood["output that is too large to be stored"] += 1
                return
            half = len(drafts) // 2
            self._send_runs(experiment_id, drafts[:half])
            self._send_runs(experiment_id, drafts[half:])


RunWithTrial = tuple[ForeignRun, int]
"""A run, and its trial counted from 0."""


@dataclass(frozen=True, slots=True)
class Part:
    """An experiment on its way, and the one that was made of the same content before, if any."""

    name: str
    experiment: ForeignExperiment
    runs: Sequence[RunWithTrial]
    imported: dict[str, Any]
    before: Experiment | None

    @property
    def items(self) -> ForeignDataset:
        return ForeignDataset(self.experiment.dataset, [_item(run) for run, _ in self.runs])


def _together(datasets: Iterable[ForeignDataset]) -> list[ForeignDataset]:
    """One of each name, with the items of all."""
    items: dict[str, list[ForeignItem]] = {}
    descriptions: dict[str, str] = {}
    for dataset in datasets:
        items.setdefault(dataset.name, []).extend(dataset.items)
        if dataset.description is not None:
            descriptions.setdefault(dataset.name, dataset.description)
    return [ForeignDataset(name, members, descriptions.get(name)) for name, members in items.items()]


def _placed(runs: Sequence[ForeignRun], trials: int | None) -> list[RunWithTrial]:
    """A run whose place is taken gets the next one that is free.

    Where trials are not small numbers (seeds, times), they are numbered anew, item by item, unless the file says how
    many were planned.
    """
    anew = trials is None and any(run.trial > MAX_TRIALS or run.trial > len(runs) for run in runs)
    taken: set[tuple[str, int]] = set()
    placed = []
    for run in sorted(runs, key=lambda run: run.trial) if anew else runs:
        key, trial = _key(run.item_key), 0 if anew else max(run.trial - 1, 0)
        while (key, trial) in taken:
            trial += 1
        taken.add((key, trial))
        placed.append((run, trial))
    return placed


def _run_draft(run: ForeignRun, trial: int, item_id: str, counts: Counts) -> RunDraft:
    error = None
    if run.error is not None:
        error = RunError(message=str(storable(run.error))[:_LONGEST_ERROR], type=_text_or_imported(run.error_type))
        if run.output is not None:
            counts.not_understood["output of a run that failed"] += 1
    output = None if error is not None else storable(run.output if run.output is not None else NO_OUTPUT)
    trace_id = run.spans[0].trace_id if run.spans else run.trace_id
    scores = [score_draft(score) for score in run.scores]
    return RunDraft(
        dataset_item_id=item_id, trial=trial, output=output, error=error, trace_id=trace_id, scores=scores or None
    )


def _text_or_imported(text: str | None) -> str | None:
    """The text, or that it was imported where a tool gives none; None where the tool gives an empty text."""
    return "Imported" if text is None else text or None


# --- items -----


def _item(run: ForeignRun) -> ForeignItem:
    return ForeignItem(run.item_key, run.input, run.expected_output, run.item_metadata)


def _item_drafts(items: Iterable[ForeignItem]) -> dict[str, ItemDraft]:
    """Key → draft; of several with one key the first is meant."""
    drafts: dict[str, ItemDraft] = {}
    for number, item in enumerate(items, 1):
        key = _key(item.key or f"row {number}")
        if key not in drafts:
            drafts[key] = build(
                ItemDraft, input=storable(item.input if item.input is not None else key), key=key,
                expected_output=storable(item.expected_output),
                metadata=storable(item.metadata) if isinstance(item.metadata, dict) else None,
            )  # fmt: skip
    return drafts


def _without_key(items: Iterable[DatasetItem], drafts: Mapping[str, ItemDraft]) -> dict[str, DatasetItem]:
    """Key → the item that has no key yet and the same content: an evaluation of the same file stored it."""
    by_content: dict[str, list[DatasetItem]] = {}
    for item in items:
        if item.key is None:
            by_content.setdefault(_content(item), []).append(item)
    same = ((key, by_content.get(_content(draft))) for key, draft in drafts.items())
    return {key: twins.pop() for key, twins in same if twins}


def _content(item: DatasetItem | ItemDraft) -> str:
    return canonical([item.input, item.expected_output, item.metadata])


def _draft_of(item: DatasetItem) -> ItemDraft:
    return build(
        ItemDraft, input=item.input, expected_output=item.expected_output, metadata=item.metadata, key=item.key
    )


def _is_same(item: DatasetItem, draft: ItemDraft) -> bool:
    return (item.input, item.expected_output, item.metadata) == (draft.input, draft.expected_output, draft.metadata)


def _key(text: str) -> str:
    """A key of an item; a long one is cut, and told apart by its hash."""
    text = str(storable(text)).strip() or "item"
    return text if len(text) <= NAME_LIMIT else f"{text[: NAME_LIMIT - 13]}-{sha256(text.encode()).hexdigest()[:12]}"


def _name(text: str) -> str:
    return _key(" ".join(str(text).split()) or "imported")


def _chunks(entries: Iterable[T], size: int) -> Iterator[list[T]]:
    remaining = iter(entries)
    while chunk := list(islice(remaining, size)):
        yield chunk
