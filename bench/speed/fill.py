"""Fills a database with many rows in a short time, past the server: what the reading benchmarks read.

Rows go through the store's own bulk insert, in the shape that the services write them.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import sqlalchemy as sa

from gnomon.service.clock import Clock, created_ms
from gnomon.store import schema
from gnomon.store.engine import Store, Transaction

PROJECT = "bench"
CHUNK = 20_000

Value = Callable[[random.Random], float]


def binary(chance: random.Random) -> float:
    return float(chance.random() < 0.7)


def real(chance: random.Random) -> float:
    return round(chance.random(), 3)


@dataclass(frozen=True)
class Shape:
    """So many items, each run `trials` times, each run scored by so many scorers."""

    items: int
    trials: int = 1
    scorers: int = 3
    value: Value = binary

    @property
    def runs(self) -> int:
        return self.items * self.trials

    @property
    def scores(self) -> int:
        return self.runs * self.scorers


def insert(store: Store, table: sa.Table, rows: Iterable[dict[str, Any]]) -> None:
    """Values are as the database keeps them; a column that is not named stays NULL."""
    names = [column.name for column in table.columns]
    found = iter(rows)
    while chunk := [tuple(row.get(name) for name in names) for row in islice(found, CHUNK)]:
        store.write(partial(_insert_chunk, table=table, chunk=chunk))


def _insert_chunk(db: Transaction, table: sa.Table, chunk: list[tuple[Any, ...]]) -> None:
    schema.insert_rows(db, table, chunk)


def dataset(store: Store, clock: Clock, items: int) -> tuple[str, list[str]]:
    """A dataset and the ids of its items."""
    id, ids, now = clock.new_id(), clock.new_ids(items), clock.now_ms()
    about = {"id": id, "project_id": PROJECT, "name": f"dataset {id}", "version": 2, "item_count": items}
    insert(store, schema.datasets, [{**about, "created_at": now, "updated_at": now}])
    common = {"dataset_id": id, "added_version": 2, "created_at": now}
    insert(
        store,
        schema.dataset_items,
        (
            {"id": item, "input": f'"question {n}"', "expected_output": f'"answer {n}"', **common}
            for n, item in enumerate(ids)
        ),
    )
    return id, ids


def experiment(store: Store, clock: Clock, dataset_id: str, items: Sequence[str], shape: Shape) -> str:
    """An experiment with all its runs and scores."""
    id = clock.new_id()
    counts = dict.fromkeys(("run_count", "pinned_run_count", "expected_run_count"), shape.runs)
    plain = {"failed_run_count": 0, "has_repeats": 0, "auto_complete": 0, "dataset_version": 2, "status": "running"}
    about = {"id": id, "project_id": PROJECT, "name": "bench", "dataset_id": dataset_id, "trials": shape.trials}
    insert(store, schema.experiments, [{**about, **plain, **counts, "created_at": clock.now_ms()}])
    places = [(item, trial) for trial in range(shape.trials) for item in items[: shape.items]]
    runs = dict(zip(clock.new_ids(shape.runs), places, strict=True))
    common = {"project_id": PROJECT, "experiment_id": id, "output": '"an answer"', "attempts": 1}
    insert(
        store,
        schema.runs,
        (
            {**common, "id": run, "dataset_item_id": item, "trial": trial, "created_at": created_ms(run)}
            for run, (item, trial) in runs.items()
        ),
    )
    insert(store, schema.scores, _scores(clock, id, runs, shape))
    return id


def _scores(clock: Clock, id: str, runs: dict[str, tuple[str, int]], shape: Shape) -> Iterator[dict[str, Any]]:
    chance = random.Random(shape.scores)
    common = {"project_id": PROJECT, "target_type": "run", "experiment_id": id, "source": "api"}
    for run, (item, _) in runs.items():
        common |= {"target_id": run, "dataset_item_id": item}
        for number, score in enumerate(clock.new_ids(shape.scorers)):
            named = {"scorer_name": f"scorer {number}", "value": shape.value(chance)}
            yield {**common, **named, "id": score, "created_at": created_ms(score)}


def settle(store: Store) -> None:
    """What PostgreSQL does by itself some minutes after a large load, now: statistics and the visibility map."""
    if not store.is_sqlite:
        with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM ANALYZE")
