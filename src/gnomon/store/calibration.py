"""The scores of one scorer over a project's runs, spans, iterations and conversations, target by target."""

from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.score import TargetType
from gnomon.store.fetch import fetch_all
from gnomon.store.schema import scores
from gnomon.store.scores import ITEM, WITH_ITERATIONS


class RatingRow(NamedTuple):
    """A target's numbers (then `label` is null), or one of its labels: how many scores, and their sum."""

    target_type: TargetType
    trace_id: str | None
    target_id: str
    item: str
    """A run's item, a span's trace, an iteration's session; else the target itself."""
    label: str | None
    n: int
    total: float | None


_OF_PROJECT = scores.c.project_id == sa.bindparam("project")
_OF_SCORER = _OF_PROJECT & (scores.c.scorer_name == sa.bindparam("scorer"))


def ratings(db: Connection, project_id: str, scorer_name: str, config_hash: str | None = None) -> list[RatingRow]:
    target = (scores.c.target_type, scores.c.trace_id, scores.c.target_id)
    item = ITEM.label("item")
    query = sa.select(
        *target, item, scores.c.label, sa.func.count().label("n"), sa.func.sum(scores.c.value).label("total")
    )
    query = query.select_from(WITH_ITERATIONS).where(_OF_SCORER).group_by(*target, item, scores.c.label)
    if config_hash is not None:
        query = query.where(scores.c.config_hash == config_hash)
    return fetch_all(db, RatingRow, query, {"project": project_id, "scorer": scorer_name})


def scorer_names(db: Connection, project_id: str) -> list[str]:
    query = sa.select(scores.c.scorer_name).where(_OF_PROJECT).distinct().order_by(scores.c.scorer_name)
    return list(db.execute(query, {"project": project_id}).scalars())


def config_hashes(db: Connection, project_id: str, scorer_name: str) -> list[str]:
    """The hashes of a built-in scorer's configurations. Scores that a caller sent have none."""
    query = sa.select(scores.c.config_hash).where(_OF_SCORER, scores.c.config_hash.is_not(None))
    query = query.distinct().order_by(scores.c.config_hash)
    return list(db.execute(query, {"project": project_id, "scorer": scorer_name}).scalars())
