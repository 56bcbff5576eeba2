"""Experiments and their runs."""

from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.pages import Slice, keyset
from gnomon.store.schema import experiments, for_update, insert_rows, is_any_of, runs, scores


def add(db: Connection, **columns: Any) -> None:
    db.execute(sa.insert(experiments).values(**columns))


def get(db: Connection, id: str, *, lock: bool = False) -> Any:
    found = sa.select(experiments).where(experiments.c.id == id)
    return db.execute(for_update(db, found) if lock else found).first()


def page(db: Connection, project_id: str, wanted: Slice, dataset_id: str | None = None) -> Sequence[Any]:
    found = sa.select(experiments).where(experiments.c.project_id == project_id)
    if dataset_id is not None:
        found = found.where(experiments.c.dataset_id == dataset_id)
    return db.execute(keyset(found, [experiments.c.id], wanted)).all()


def by_name(db: Connection, project_id: str, name: str) -> Sequence[Any]:
    """The two newest experiments of that name: enough to know whether it is unique."""
    named = sa.select(experiments).where(experiments.c.project_id == project_id, experiments.c.name == name)
    return db.execute(named.order_by(experiments.c.id.desc()).limit(2)).all()


def change(db: Connection, id: str, **columns: Any) -> None:
    db.execute(sa.update(experiments).where(experiments.c.id == id).values(**columns))


def add_runs(db: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    insert_rows(db, runs, rows)


def places_taken(db: Connection, experiment_id: str, item_ids: Iterable[str]) -> set[tuple[str, int]]:
    """Of these items, the trials that have a run: (item id, trial)."""
    found = sa.select(runs.c.dataset_item_id, runs.c.trial).where(
        runs.c.experiment_id == experiment_id, is_any_of(db, runs.c.dataset_item_id, item_ids)
    )
    return {(item_id, trial) for item_id, trial in db.execute(found)}


def runs_by_id(db: Connection, ids: Iterable[str]) -> Sequence[Any]:
    return db.execute(sa.select(runs).where(is_any_of(db, runs.c.id, ids))).all()


def runs_after(db: Connection, experiment_id: str, position: str, limit: int) -> Sequence[Any]:
    """The experiment's runs in order of age, from a position on: how a job walks through them."""
    found = sa.select(runs).where(runs.c.experiment_id == experiment_id, runs.c.id > position)
    return db.execute(found.order_by(runs.c.id).limit(limit)).all()


def runs_page(
    db: Connection,
    experiment_id: str,
    wanted: Slice,
    *,
    scorer_name: str | None,
    least: float | None,
    most: float | None,
    by_score: bool,
    newest_first: bool,
) -> Sequence[Any]:
    """Runs by age, or by their mean of one scorer; with bounds, only those whose mean lies inside."""
    found = sa.select(runs).where(runs.c.experiment_id == experiment_id)
    keys: list[sa.ColumnElement[Any]] = [runs.c.id]
    if scorer_name is not None:
        mean = (
            sa.select(scores.c.target_id, sa.func.avg(scores.c.value).label("mean"))
            .where(scores.c.experiment_id == experiment_id, scores.c.scorer_name == scorer_name)
            .group_by(scores.c.target_id)
            .subquery("means")
        )
        found = found.join(mean, mean.c.target_id == runs.c.id).add_columns(mean.c.mean)
        if least is not None:
            found = found.where(mean.c.mean >= least)
        if most is not None:
            found = found.where(mean.c.mean <= most)
        if by_score:
            found = found.where(mean.c.mean.is_not(None))
            keys = [sa.type_coerce(mean.c.mean, sa.Double), runs.c.id]
    return db.execute(keyset(found, keys, wanted, newest_first=newest_first)).all()
