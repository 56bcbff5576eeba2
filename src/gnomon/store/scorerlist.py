"""The names under which scores are stored.

No score is looked at: scores of runs are counted in the index by experiment, numbers on spans in their daily sums, and
all others (labels on spans, scores of conversations and iterations) in a small index of their own.
"""

from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.score import Source, TargetType
from gnomon.store.fetch import fetch_all
from gnomon.store.schema import experiments, score_days, scores
from gnomon.store.score_days import DAY_MS

_MOMENT = scores.c.created_at.type
_ELSEWHERE = sa.text("scores.experiment_id IS NULL AND (scores.value IS NULL OR scores.target_type <> 'span')")
"""As the index says it, to the letter: SQLite uses a partial index only where the statement has its condition."""


class ScoresOfName(NamedTuple):
    """The scores of one name on one type of target."""

    scorer_name: str
    target_type: TargetType
    n: int
    numbers: int
    """How many of them are numbers; the others are labels."""
    last_used: datetime


def of_runs(db: Connection, project_id: str, dataset_id: str | None) -> list[ScoresOfName]:
    """`last_used` is when the newest experiment with such a score was made."""
    experiment_ids = sa.select(experiments.c.id).where(experiments.c.project_id == project_id)
    if dataset_id is not None:
        experiment_ids = experiment_ids.where(experiments.c.dataset_id == dataset_id)
    counted = (
        sa.select(
            scores.c.experiment_id, scores.c.scorer_name, sa.func.count().label("n"),
            sa.func.count(scores.c.value).label("numbers"),
        )
        .where(scores.c.experiment_id.in_(experiment_ids))
        .group_by(scores.c.experiment_id, scores.c.scorer_name)
        .subquery("counted")
    )  # fmt: skip
    newest = sa.func.max(sa.type_coerce(experiments.c.created_at, sa.BigInteger))
    query = (
        sa.select(
            counted.c.scorer_name, sa.literal_column("'run'").label("target_type"),
            sa.func.sum(counted.c.n).label("n"), sa.func.sum(counted.c.numbers).label("numbers"),
            sa.type_coerce(newest, _MOMENT).label("last_used"),
        )
        .select_from(counted.join(experiments, experiments.c.id == counted.c.experiment_id))
        .group_by(counted.c.scorer_name)
    )  # fmt: skip
    return fetch_all(db, ScoresOfName, query)


def of_spans(db: Connection, project_id: str) -> list[ScoresOfName]:
    """Numbers on spans. `last_used` is the day on which the newest of the spans began."""
    n = sa.func.sum(score_days.c.n)
    newest = sa.func.max(score_days.c.day) * sa.literal_column(str(DAY_MS), sa.BigInteger)
    query = (
        sa.select(
            score_days.c.scorer_name, sa.literal_column("'span'").label("target_type"), n.label("n"),
            n.label("numbers"), sa.type_coerce(newest, _MOMENT).label("last_used"),
        )
        .where(score_days.c.project_id == project_id)
        .group_by(score_days.c.scorer_name)
    )  # fmt: skip
    return fetch_all(db, ScoresOfName, query)


def of_others(db: Connection, project_id: str) -> list[ScoresOfName]:
    """Labels on spans, and scores of conversations and iterations."""
    newest = sa.func.max(sa.type_coerce(scores.c.created_at, sa.BigInteger))
    query = (
        sa.select(
            scores.c.scorer_name, scores.c.target_type, sa.func.count().label("n"),
            sa.func.count(scores.c.value).label("numbers"), sa.type_coerce(newest, _MOMENT).label("last_used"),
        )
        .where(scores.c.project_id == project_id, _ELSEWHERE)
        .group_by(scores.c.scorer_name, scores.c.target_type)
    )  # fmt: skip
    return fetch_all(db, ScoresOfName, query)


def is_of_scorers(db: Connection, project_id: str, scorer_name: str) -> bool:
    """Whether scores of runs, spans or others have this name, and no person gave one of them."""
    named = (scores.c.project_id == project_id) & (scores.c.scorer_name == scorer_name)
    of_project = sa.select(experiments.c.id).where(experiments.c.project_id == project_id)
    by_people = sa.exists().where(named, scores.c.source == sa.literal_column("'human'"))
    in_use = sa.or_(
        sa.exists().where(scores.c.experiment_id.in_(of_project), scores.c.scorer_name == scorer_name),
        sa.exists().where(score_days.c.project_id == project_id, score_days.c.scorer_name == scorer_name),
        sa.exists().where(named, _ELSEWHERE),
    )
    return bool(db.execute(sa.select(in_use & sa.not_(by_people))).scalar_one())


def names_by_source(db: Connection, project_id: str, source: Source) -> set[str]:
    """Scorers with a score that came so. `source` stands in the statement: that is how a partial index is found."""
    came_so = scores.c.source == sa.literal_column(f"'{source}'")
    return set(
        db.execute(
            sa.select(scores.c.scorer_name).where(scores.c.project_id == project_id, came_so).distinct()
        ).scalars()
    )
