"""A database of this machine, as its administrator sees it: the client's methods without a server."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from gnomon.model.access import Key, KeyDraft, NewKey, Principal
from gnomon.model.aggregate import IntervalMethod, MissingPolicy
from gnomon.model.calibration import Calibration
from gnomon.model.card import JudgeCard, LabelMode, ToLabel
from gnomon.model.dataset import Dataset, DatasetDraft, DatasetItem, Imported, ItemDraft
from gnomon.model.drift import Drift, DriftWish
from gnomon.model.experiment import (
    Experiment,
    ExperimentComparison,
    ExperimentDraft,
    Run,
    RunDraft,
    RunsAccepted,
    Summary,
    ThresholdDraft,
    ThresholdResult,
)
from gnomon.model.leaderboard import Leaderboard, LeaderboardWish
from gnomon.model.outcome import Honesty, Iteration, IterationBatchDraft, IterationsAccepted, OutcomeSession
from gnomon.model.plan import Variance
from gnomon.model.trace import Deleted, Ingested, Project, SpanDraft, Trace
from gnomon.service import (
    calibration,
    cards,
    compare,
    datasets,
    drift,
    experiments,
    gate,
    health,
    ingest,
    keys,
    labelling,
    leaderboard,
    measuring,
    outcomes,
    plan,
    probing,
    projects,
    summarize,
    traces,
)
from gnomon.service.call import Call, Listing
from gnomon.service.clock import Clock
from gnomon.service.maintenance import open_existing
from gnomon.store.iterations import Filter
from gnomon.store.pages import Slice

T = TypeVar("T")

_PAGE = 200


class Embedded:
    def __init__(self, database_url: str) -> None:
        self._clock, self._who = Clock(), Principal("cli", "admin")
        self._store = open_existing(database_url)
        try:
            self._store.read(health.check)
        except BaseException:
            self._store.close()
            raise

    def close(self) -> None:
        self._store.close()

    def projects(self) -> Iterator[Project]:
        return self._all(projects.all_of)

    def find_experiment(self, name_or_id: str, project_id: str | None = None) -> Experiment:
        return self._read(lambda call: experiments.named(call, project_id, name_or_id))

    def summary(
        self,
        experiment_id: str,
        missing: MissingPolicy = "drop",
        pass_threshold: float | None = None,
        cluster_by: str | None = None,
        interval: IntervalMethod | None = None,
    ) -> Summary:
        reading = summarize.Reading(missing, 1.0 if pass_threshold is None else pass_threshold, cluster_by, interval)
        return self._read(lambda call: summarize.summary(call, experiment_id, reading))

    def compare(
        self, base_id: str, other_id: str, min_effect: float | None = None, missing: MissingPolicy = "drop",
        interval: IntervalMethod | None = None,
    ) -> ExperimentComparison:  # fmt: skip
        return self._read(lambda call: compare.compare(call, base_id, other_id, min_effect, missing, interval))

    def threshold(self, experiment_id: str, wanted: ThresholdDraft) -> ThresholdResult:
        return self._write(lambda call: gate.check(call, experiment_id, wanted))

    def datasets(self, project_id: str | None = None) -> Iterator[Dataset]:
        return self._all(lambda call, part: datasets.all_of(call, project_id, part))

    def create_dataset(self, draft: DatasetDraft) -> Dataset:
        return self._write(lambda call: datasets.create(call, draft))

    def items(self, dataset_id: str, version: int | None = None) -> Iterator[DatasetItem]:
        return self._all(lambda call, part: datasets.items(call, dataset_id, version, part))

    def import_items(self, dataset_id: str, drafts: Iterable[ItemDraft]) -> Imported:
        every = list(drafts)
        self._write(lambda call: datasets.import_items(call, dataset_id, every, len(every)))
        return Imported(imported_count=len(every), skipped_count=0, skipped=[])

    def create_experiment(self, draft: ExperimentDraft) -> Experiment:
        return self._write(lambda call: experiments.create(call, draft))

    def experiments(self, project_id: str | None = None, dataset_id: str | None = None) -> Iterator[Experiment]:
        return self._all(lambda call, part: experiments.all_of(call, project_id, dataset_id, part))

    def add_runs(self, experiment_id: str, runs: Iterable[RunDraft]) -> RunsAccepted:
        every = list(runs)
        return self._write(lambda call: experiments.add_runs(call, experiment_id, every))

    def runs(self, experiment_id: str) -> Iterator[Run]:
        return self._all(lambda call, part: experiments.runs(call, experiment_id, part))

    def complete(self, experiment_id: str) -> Experiment:
        return self._write(lambda call: experiments.complete(call, experiment_id))

    def ingest(self, spans: Iterable[SpanDraft], project_id: str | None = None) -> Ingested:
        batch = dict(enumerate(spans))
        return self._write(lambda call: ingest.ingest(call, project_id, batch))

    def trace(self, id: str, project_id: str | None = None) -> Trace:
        return self._read(lambda call: traces.get(call, id, project_id))

    def leaderboard(self, dataset_id: str, scorer_name: str, wish: LeaderboardWish) -> Leaderboard:
        return self._read(lambda call: leaderboard.of_dataset(call, dataset_id, scorer_name, wish))

    def drift(self, project_id: str, wish: DriftWish) -> Drift:
        return self._read(lambda call: drift.drift(call, project_id, wish))

    def calibration(
        self, judge: str, human: str, project_id: str | None = None, config_hash: str | None = None
    ) -> Calibration:
        return self._read(lambda call: calibration.calibrate(call, project_id, judge, human, config_hash))

    def judge_card(
        self, scorer_name: str, project_id: str | None = None, config_hash: str | None = None, human: str | None = None
    ) -> JudgeCard:
        return self._read(lambda call: cards.card(call, project_id, scorer_name, config_hash, human))

    def to_label(
        self,
        scorer_name: str,
        project_id: str | None = None,
        config_hash: str | None = None,
        human: str | None = None,
        *,
        mode: LabelMode = "random",
        limit: int = 20,
        target_width: float = 0.05,
    ) -> ToLabel:
        wish = labelling.Wish(mode, limit, target_width)
        return self._read(lambda call: labelling.to_label(call, project_id, scorer_name, config_hash, human, wish))

    def probe_questions(
        self, scorer_name: str, project_id: str, config_hash: str | None, n: int, seed: int
    ) -> probing.Questions:
        """What to ask a judge on purpose. Only here: a server asks in its worker, and nothing else."""
        return self._read(lambda call: probing.questions(call, project_id, scorer_name, config_hash, n, seed))

    def keep_probe(self, asked: probing.Questions, found: probing.Probed) -> None:
        self._write(lambda call: probing.keep(call, asked, found))

    def variance(self, experiment_id: str, scorer_name: str, against_id: str | None = None) -> Variance:
        return self._read(lambda call: plan.variance(call, experiment_id, scorer_name, against_id))

    def push_iterations(self, batch: IterationBatchDraft) -> IterationsAccepted:
        return self._write(lambda call: outcomes.push(call, batch))

    def iterations(
        self,
        project_id: str | None = None,
        source: str | None = None,
        rubric_version: str | None = None,
        *,
        session_id: str | None = None,
        band: str | None = None,
        provisional: bool | None = None,
    ) -> Iterator[Iteration]:
        only = Filter(source, rubric_version, session_id, band, provisional)
        return self._all(lambda call, part: outcomes.all_of(call, project_id, only, part))

    def outcome_sessions(
        self, project_id: str | None = None, source: str | None = None, rubric_version: str | None = None
    ) -> Iterator[OutcomeSession]:
        only = Filter(source, rubric_version)
        return self._all(lambda call, part: outcomes.sessions(call, project_id, only, part))

    def honesty(
        self, project_id: str | None = None, source: str | None = None, rubric_version: str | None = None
    ) -> Honesty:
        return self._read(lambda call: outcomes.honesty(call, project_id, Filter(source, rubric_version)))

    def keys(self) -> Iterator[Key]:
        return self._all(keys.all_of)

    def create_key(self, draft: KeyDraft) -> NewKey:
        return self._write(lambda call: keys.create(call, draft))

    def revoke_key(self, id: str) -> Deleted:
        return self._write(lambda call: keys.delete(call, id))

    def _read(self, work: Callable[[Call], T]) -> T:
        return self._store.read(lambda db: work(self._call(db)))

    def _write(self, work: Callable[[Call], T]) -> T:
        return measuring.write(
            self._store, lambda db, measured: work(Call(db, self._who, self._clock, measured)), measuring.at_once
        )

    def _call(self, db: Any) -> Call:
        return Call(db, self._who, self._clock)

    def _all(self, part: Callable[[Call, Slice], Listing[T]]) -> Iterator[T]:
        after: tuple[Any, ...] | None = None
        while True:
            wanted = Slice(_PAGE, after)
            listing = self._store.read(lambda db, wanted=wanted: part(self._call(db), wanted))  # type: ignore[misc]
            yield from listing.items
            after = listing.next_key
            if after is None:
                return
