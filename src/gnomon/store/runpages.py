"""Pages of an experiment's runs, filtered by where they stand with a scorer.

What counts as scored, absent, failed or pending is what the sums of `aggregates` count, run by run.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.experiment import RunStanding
from gnomon.model.jsonvalue import JsonValue
from gnomon.model.score import JsonObject
from gnomon.store.fetch import fetch_all, fetch_first
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import RunRow, ScoringStateRow
from gnomon.store.schema import is_any_of, jobs, runs, scores, scoring_states


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Filters for the runs of an experiment; None means no filter."""

    scorer_name: str | None = None
    least: float | None = None
    most: float | None = None
    dataset_item_id: str | None = None
    trial: int | None = None
    has_error: bool | None = None
    state: RunStanding | None = None
    reason: str | None = None
    label: str | None = None
    q: str | None = None
    """A text in input, output or expected output. The store does not look at it."""

    @property
    def asks_about_states(self) -> bool:
        """Whether the filter asks for runs without a score too."""
        return self.state is not None or self.reason is not None


@dataclass(frozen=True, slots=True)
class Unscored:
    """The reason for a run without a score for which no scoring state is stored."""

    run_failed: str
    never_asked: str
    is_pending: bool
    """Whether an open job is still to score the experiment."""


class RunWithMean(NamedTuple):
    """A row of `runs`, beside it the mean of its scores by the scorer that was asked for."""

    id: str
    project_id: str
    experiment_id: str
    dataset_item_id: str
    trial: int
    output: JsonValue
    error: JsonObject | None
    trace_id: str | None
    created_at: datetime
    attempts: int
    mean: float | None


def page(
    db: Connection,
    experiment_id: str,
    part: Slice,
    only: RunFilter,
    unscored: Unscored,
    *,
    sort: str,
) -> list[RunWithMean]:
    """Runs by age, by item and trial, or by their mean of one scorer."""
    query = _plainly(sa.select(runs).where(runs.c.experiment_id == experiment_id), only)
    mean: sa.ColumnElement[Any] = sa.null()
    if only.scorer_name is not None:
        means = _means(experiment_id, only.scorer_name)
        query = query.join(means, means.c.target_id == runs.c.id, isouter=only.asks_about_states)
        mean = means.c.mean
        query = _about_scorer(query, only, mean, means.c.target_id, unscored)
    keys: list[sa.ColumnElement[Any]] = [runs.c.id]
    if sort.endswith("score"):
        query = query.where(mean.is_not(None))
        keys = [sa.type_coerce(mean, sa.Double), runs.c.id]
    elif sort == "item":
        keys = [runs.c.dataset_item_id, runs.c.trial]
    statement = keyset(query.add_columns(mean.label("mean")), keys, part, newest_first=sort.startswith("-"))
    return fetch_all(db, RunWithMean, statement)


def _plainly(query: sa.Select[Any], only: RunFilter) -> sa.Select[Any]:
    """What the columns of a run tell."""
    if only.dataset_item_id is not None:
        query = query.where(runs.c.dataset_item_id == only.dataset_item_id)
    if only.trial is not None:
        query = query.where(runs.c.trial == only.trial)
    if only.has_error is not None:
        query = query.where(runs.c.error.is_not(None) if only.has_error else runs.c.error.is_(None))
    return query


def _means(experiment_id: str, scorer_name: str) -> sa.Subquery:
    return (
        sa.select(scores.c.target_id, sa.func.avg(scores.c.value).label("mean"))
        .where(scores.c.experiment_id == experiment_id, scores.c.scorer_name == scorer_name)
        .group_by(scores.c.target_id)
        .subquery("means")
    )


def _about_scorer(
    query: sa.Select[Any],
    only: RunFilter,
    mean: sa.ColumnElement[Any],
    scored: sa.ColumnElement[Any],
    unscored: Unscored,
) -> sa.Select[Any]:
    if only.least is not None:
        query = query.where(mean >= only.least)
    if only.most is not None:
        query = query.where(mean <= only.most)
    if only.label is not None:
        same = (scores.c.target_id == runs.c.id) & (scores.c.target_type == "run")
        condition = (scores.c.scorer_name == only.scorer_name) & (scores.c.label == only.label)
        query = query.where(sa.select(sa.literal(1)).where(same, condition).correlate(runs).exists())
    if only.state is not None:
        query = query.where(_standing(only, scored, unscored) == only.state)
    if only.reason is not None:
        query = query.where(_reason(only, scored, unscored) == only.reason)
    return query


def _newest(column: sa.ColumnElement[Any], scorer_name: str | None) -> sa.ScalarSelect[Any]:
    """The newest entry per run and scorer: configurations may differ, and each has a state."""
    same = (scoring_states.c.target_id == runs.c.id) & (scoring_states.c.target_type == "run")
    return (
        sa.select(column)
        .where(same, scoring_states.c.scorer_name == scorer_name)
        .order_by(scoring_states.c.updated_at.desc(), scoring_states.c.config_hash)
        .limit(1)
        .correlate(runs)
        .scalar_subquery()
    )


def _standing(only: RunFilter, scored: sa.ColumnElement[Any], unscored: Unscored) -> sa.ColumnElement[str]:
    stored = _newest(scoring_states.c.state, only.scorer_name)
    known = sa.case((stored == "queued", "pending"), (stored == "failed", "failed"), else_="absent")
    nothing = "pending" if unscored.is_pending else "absent"
    return sa.case(
        (scored.is_not(None), "scored"),
        (runs.c.error.is_not(None), "failed"),
        (stored.is_(None), nothing),
        else_=known,
    )


def _reason(only: RunFilter, scored: sa.ColumnElement[Any], unscored: Unscored) -> sa.ColumnElement[str]:
    """Null for what is scored and for what is pending."""
    state = _newest(scoring_states.c.state, only.scorer_name)
    stored = _newest(sa.func.coalesce(scoring_states.c.reason, scoring_states.c.state), only.scorer_name)
    nothing = sa.null() if unscored.is_pending else sa.literal(unscored.never_asked)
    return sa.case(
        (scored.is_not(None), sa.null()),
        (runs.c.error.is_not(None), unscored.run_failed),
        (state.is_(None), nothing),
        (state == "queued", sa.null()),
        else_=stored,
    )


def get(db: Connection, id: str) -> RunRow | None:
    return fetch_first(db, RunRow, sa.select(runs).where(runs.c.id == id))


def states(db: Connection, run_ids: Collection[str]) -> dict[str, dict[str, ScoringStateRow]]:
    """Run id → scorer → the newest of its stored states."""
    query = sa.select(scoring_states).where(
        is_any_of(db, scoring_states.c.target_id, run_ids), scoring_states.c.target_type == "run"
    )
    oldest_first = query.order_by(scoring_states.c.updated_at, scoring_states.c.config_hash.desc())
    by_run: dict[str, dict[str, ScoringStateRow]] = {}
    for row in fetch_all(db, ScoringStateRow, oldest_first):
        by_run.setdefault(row.target_id, {})[row.scorer_name] = row
    return by_run


class JobOfScore(NamedTuple):
    id: str
    score_id: str | None
    scorer_name: str | None


def jobs_of(db: Connection, run_id: str) -> list[JobOfScore]:
    """The jobs that scored a run, oldest first."""
    query = sa.select(jobs.c.id, jobs.c.score_id, jobs.c.scorer_name).where(
        jobs.c.target_id == run_id, jobs.c.target_type == "run", jobs.c.score_id.is_not(None)
    )
    return fetch_all(db, JobOfScore, query.order_by(jobs.c.id))


class RunOfItem(NamedTuple):
    id: str
    experiment_id: str
    dataset_item_id: str
    trial: int
    output: JsonValue
    error: JsonObject | None


def of_items(
    db: Connection, experiment_ids: Collection[str], item_ids: Collection[str], *, trials: int
) -> list[RunOfItem]:
    """The first trials of these items in these experiments, in their order."""
    query = sa.select(*(runs.c[name] for name in RunOfItem._fields)).where(
        runs.c.experiment_id.in_(sorted(experiment_ids)), is_any_of(db, runs.c.dataset_item_id, item_ids),
        runs.c.trial < trials,
    )  # fmt: skip
    return fetch_all(db, RunOfItem, query.order_by(runs.c.dataset_item_id, runs.c.trial))


def counts_of_items(
    db: Connection, experiment_ids: Collection[str], item_ids: Collection[str]
) -> dict[tuple[str, str], int]:
    """(experiment id, item id) → how many runs."""
    names = (runs.c.experiment_id, runs.c.dataset_item_id)
    query = sa.select(*names, sa.func.count()).where(
        runs.c.experiment_id.in_(sorted(experiment_ids)), is_any_of(db, runs.c.dataset_item_id, item_ids)
    )
    return {(experiment, item): int(count) for experiment, item, count in db.execute(query.group_by(*names))}


class ScoreOfItem(NamedTuple):
    target_id: str
    value: float | None
    label: str | None


def scores_of_items(
    db: Connection, experiment_ids: Collection[str], scorer_name: str, item_ids: Collection[str]
) -> list[ScoreOfItem]:
    """The scores that one scorer gave the runs of these items in these experiments, oldest first."""
    query = sa.select(scores.c.target_id, scores.c.value, scores.c.label).where(
        scores.c.experiment_id.in_(sorted(experiment_ids)), scores.c.scorer_name == scorer_name,
        is_any_of(db, scores.c.dataset_item_id, item_ids),
    )  # fmt: skip
    return fetch_all(db, ScoreOfItem, query.order_by(scores.c.id))
