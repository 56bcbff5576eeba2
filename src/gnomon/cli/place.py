"""Where experiments and keys are: on a server, or in a database of this machine. Commands do not know which.

A remote place is the HTTP client itself; `Embedded` has the same methods over the services. Flags choose:
`--url` a server, `--db` a file, and without either GNOMON_URL, else the database in GNOMON_HOME.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

import click

from gnomon.errors import InvalidInput
from gnomon.settings import from_environment

if TYPE_CHECKING:  # the nouns take a while to build, and --help needs none of them
    from gnomon.model.access import Key, KeyDraft, NewKey
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

_LISTED = 10


class Place(Protocol):
    def projects(self) -> Iterator[Project]: ...
    def find_experiment(self, name_or_id: str, project_id: str | None = None) -> Experiment: ...
    def summary(
        self,
        experiment_id: str,
        missing: MissingPolicy = "drop",
        pass_threshold: float | None = None,
        cluster_by: str | None = None,
        interval: IntervalMethod | None = None,
    ) -> Summary: ...
    def compare(
        self, base_id: str, other_id: str, min_effect: float | None = None, missing: MissingPolicy = "drop",
        interval: IntervalMethod | None = None,
    ) -> ExperimentComparison: ...  # fmt: skip
    def threshold(self, experiment_id: str, wanted: ThresholdDraft) -> ThresholdResult: ...
    def calibration(
        self, judge: str, human: str, project_id: str | None = None, config_hash: str | None = None
    ) -> Calibration: ...
    def judge_card(
        self, scorer_name: str, project_id: str | None = None, config_hash: str | None = None, human: str | None = None
    ) -> JudgeCard: ...
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
    ) -> ToLabel: ...
    def datasets(self, project_id: str | None = None) -> Iterator[Dataset]: ...
    def create_dataset(self, draft: DatasetDraft) -> Dataset: ...
    def items(self, dataset_id: str, version: int | None = None) -> Iterator[DatasetItem]: ...
    def import_items(self, dataset_id: str, drafts: Iterable[ItemDraft]) -> Imported: ...
    def create_experiment(self, draft: ExperimentDraft) -> Experiment: ...
    def experiments(self, project_id: str | None = None, dataset_id: str | None = None) -> Iterator[Experiment]: ...
    def add_runs(self, experiment_id: str, runs: Iterable[RunDraft]) -> RunsAccepted: ...
    def runs(self, experiment_id: str) -> Iterator[Run]: ...
    def complete(self, experiment_id: str) -> Experiment: ...
    def ingest(self, spans: Iterable[SpanDraft], project_id: str | None = None) -> Ingested: ...
    def trace(self, id: str, project_id: str | None = None) -> Trace: ...
    def leaderboard(self, dataset_id: str, scorer_name: str, wish: LeaderboardWish) -> Leaderboard: ...
    def drift(self, project_id: str, wish: DriftWish) -> Drift: ...
    def variance(self, experiment_id: str, scorer_name: str, against_id: str | None = None) -> Variance: ...
    def push_iterations(self, batch: IterationBatchDraft) -> IterationsAccepted: ...
    def iterations(
        self,
        project_id: str | None = None,
        source: str | None = None,
        rubric_version: str | None = None,
        *,
        session_id: str | None = None,
        band: str | None = None,
        provisional: bool | None = None,
    ) -> Iterator[Iteration]: ...
    def outcome_sessions(
        self, project_id: str | None = None, source: str | None = None, rubric_version: str | None = None
    ) -> Iterator[OutcomeSession]: ...
    def honesty(
        self, project_id: str | None = None, source: str | None = None, rubric_version: str | None = None
    ) -> Honesty: ...
    def keys(self) -> Iterator[Key]: ...
    def create_key(self, draft: KeyDraft) -> NewKey: ...
    def revoke_key(self, id: str) -> Deleted: ...
    def close(self) -> None: ...


def at_a_place(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flags that choose a place, and hand it that place as its first argument."""

    @place_flags
    @functools.wraps(command)
    def run(url: str | None, key: str | None, db: str | None, **given: Any) -> Any:
        with opened(url, key, db) as place:
            return command(place, **given)

    return run


def place_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """The flags alone, for a command that opens its place only sometimes."""
    url = click.option("--url", help="Ask this server (default: GNOMON_URL).")
    key = click.option("--key", help="The key to use there (default: GNOMON_API_KEY).")
    db = click.option("--db", help="Use this database file or URL instead of a server.")
    return url(key(db(command)))


@contextmanager
def opened(url: str | None, key: str | None, db: str | None) -> Iterator[Place]:
    if url and db:
        raise InvalidInput("--url and --db name two places; give one of them")
    settings = from_environment()
    server = url or (None if db else settings.url)
    place = _remote(server, key or settings.api_key) if server else _embedded(settings.with_database(db).database_url)
    try:
        yield place
    finally:
        place.close()


def find(place: Place, name_or_id: str, project_id: str | None) -> Experiment:
    """The experiment. Its project need not be said where there is only one."""
    try:
        return place.find_experiment(name_or_id, project_id)
    except InvalidInput as bad:
        if bad.code != "PROJECT_REQUIRED":
            raise
    return place.find_experiment(name_or_id, only_project(place, f"{name_or_id!r} is no experiment's id"))


def only_project(place: Place, why: str) -> str:
    """The project, where there is one only. `why` says what makes it needed."""
    known = [project.id for project in islice(place.projects(), _LISTED)]
    if len(known) == 1:
        return known[0]
    there = f"there are {', '.join(known)}" if known else "there are none yet"
    raise InvalidInput(f"{why}; name its project with --project ({there})")


def _remote(url: str, key: str | None) -> Place:
    from gnomon.client import Client

    if not key:
        raise InvalidInput(f"there is no key for {url}; set GNOMON_API_KEY or give --key")
    return Client(url, key)


def _embedded(database_url: str) -> Place:
    from gnomon.cli.embedded import Embedded

    return Embedded(database_url)
