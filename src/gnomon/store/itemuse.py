"""How dataset items were used: their runs, and the numbers of one scorer on each of them."""

from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.jsonvalue import JsonValue
from gnomon.model.score import JsonObject
from gnomon.store.fetch import fetch_all
from gnomon.store.pages import Slice, keyset
from gnomon.store.schema import dataset_items, experiments, runs, scores


class ItemRunRow(NamedTuple):
    """A run on an item, with the name of its experiment."""

    id: str
    experiment_id: str
    trial: int
    output: JsonValue
    error: JsonObject | None
    trace_id: str | None
    created_at: datetime
    experiment_name: str


class ItemNumbers(NamedTuple):
    """The numbers of one scorer on one item in one experiment."""

    dataset_item_id: str
    experiment_id: str
    n: int
    total: float
    lowest: float
    highest: float


class ItemKey(NamedTuple):
    id: str
    key: str | None


def runs_page(db: Connection, dataset_id: str, item_id: str, page: Slice) -> list[ItemRunRow]:
    """Over all experiments on the dataset, newest first."""
    columns = [runs.c[name] for name in ItemRunRow._fields[:-1]]
    query = (
        sa.select(*columns, experiments.c.name.label("experiment_name"))
        .select_from(experiments.join(runs, runs.c.experiment_id == experiments.c.id))
        .where(experiments.c.dataset_id == dataset_id, runs.c.dataset_item_id == item_id)
    )
    return fetch_all(db, ItemRunRow, keyset(query, [runs.c.id], page))


def numbers(db: Connection, dataset_id: str, scorer_name: str) -> list[ItemNumbers]:
    """The numbers by item and experiment, read from the index of scores by experiment."""
    value = scores.c.value
    experiment_ids = sa.select(experiments.c.id).where(experiments.c.dataset_id == dataset_id)
    query = (
        sa.select(
            scores.c.dataset_item_id, scores.c.experiment_id, sa.func.count().label("n"),
            sa.func.sum(value).label("total"), sa.func.min(value).label("lowest"), sa.func.max(value).label("highest"),
        )
        .where(scores.c.experiment_id.in_(experiment_ids), scores.c.scorer_name == scorer_name, value.is_not(None))
        .group_by(scores.c.experiment_id, scores.c.dataset_item_id)
    )  # fmt: skip
    return fetch_all(db, ItemNumbers, query)


def keys(db: Connection, dataset_id: str) -> list[ItemKey]:
    """The items of the newest version, with the caller's ids of them."""
    query = sa.select(dataset_items.c.id, dataset_items.c.key).where(
        dataset_items.c.dataset_id == dataset_id, dataset_items.c.removed_version.is_(None)
    )
    return fetch_all(db, ItemKey, query)
