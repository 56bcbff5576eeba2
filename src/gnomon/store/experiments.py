"""Experiments and their runs."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypedDict, Unpack

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.experiment import Status
from gnomon.model.score import JsonObject
from gnomon.store.changes import note, note_all
from gnomon.store.fetch import fetch_all, fetch_first
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import ExperimentTableRow, RunRow, StoredRun, ThresholdResultRow
from gnomon.store.schema import dataset_items as items
from gnomon.store.schema import experiments, for_update, insert_rows, is_any_of, runs, threshold_results

_RUN = sa.select(runs).where(runs.c.id == sa.bindparam("id"))


class ExperimentChanges(TypedDict, total=False):
    status: Status
    run_count: int
    failed_run_count: int
    pinned_run_count: int
    repeated_scorers: list[str]
    threshold_result: JsonObject
    completed_at: datetime
    stopping: JsonObject
    metrics: JsonObject
    holder: str | None
    held_until: datetime | None


_UNSEEN = {"holder", "held_until"}
"""Who evaluates, which is said again every few seconds and shown nowhere."""

RunKey = tuple[str, int]
"""The item's id and the trial of a run: an experiment has one run per key."""


class PlacedRun(NamedTuple):
    """A run that takes a place, and whether it ended in an error."""

    id: str
    dataset_item_id: str
    trial: int
    failed: bool


class NewAttempt(NamedTuple):
    """What a run becomes when it is attempted again, as the database keeps it."""

    output: str | None
    error: str | None
    trace_id: str | None
    id: str


def add(db: Connection, row: ExperimentTableRow) -> None:
    db.execute(sa.insert(experiments).values(row._asdict()))
    note(db, row.project_id, "experiment")


def get(db: Connection, id: str, *, lock: bool = False) -> ExperimentTableRow | None:
    query = sa.select(experiments).where(experiments.c.id == id)
    return fetch_first(db, ExperimentTableRow, for_update(db, query) if lock else query)


def page(
    db: Connection,
    project_id: str,
    part: Slice,
    *,
    dataset_id: str | None = None,
    name: str | None = None,
    status: Status | None = None,
) -> list[ExperimentTableRow]:
    query = sa.select(experiments).where(experiments.c.project_id == project_id)
    for column, value in ((experiments.c.dataset_id, dataset_id), (experiments.c.name, name),
                          (experiments.c.status, status)):  # fmt: skip
        if value is not None:
            query = query.where(column == value)
    return fetch_all(db, ExperimentTableRow, keyset(query, [experiments.c.id], part))


def change(db: Connection, id: str, **changes: Unpack[ExperimentChanges]) -> None:
    changed = sa.update(experiments).where(experiments.c.id == id).values(**changes)
    projects = db.execute(changed.returning(experiments.c.project_id)).scalars().all()
    if changes.keys() - _UNSEEN:
        note_all(db, projects, "experiment")


def add_threshold_result(db: Connection, row: ThresholdResultRow) -> None:
    db.execute(sa.insert(threshold_results).values(row._asdict()))


def threshold_results_page(db: Connection, experiment_id: str, wanted: Slice) -> list[ThresholdResultRow]:
    query = sa.select(threshold_results).where(threshold_results.c.experiment_id == experiment_id)
    return fetch_all(db, ThresholdResultRow, keyset(query, [threshold_results.c.id], wanted))


def note_repeated(db: Connection, id: str, scorers: set[str]) -> None:
    """Add to the names of scorers that have several scores on one run."""
    row = get(db, id, lock=True)
    known = set((row and row.repeated_scorers) or ())
    if not scorers <= known:
        change(db, id, repeated_scorers=sorted(known | scorers))


def add_runs(db: Connection, rows: Sequence[StoredRun]) -> None:
    insert_rows(db, runs, rows)
    note_all(db, (row.project_id for row in rows), "run")


def replace_runs(db: Connection, attempts: Sequence[NewAttempt]) -> None:
    """Put other results into runs that are there, which counts as one more attempt of each."""
    if not attempts:
        return
    mark = "%s" if db.dialect.name == "postgresql" else "?"
    changes = f"output = {mark}, error = {mark}, trace_id = {mark}, attempts = attempts + 1"
    db.exec_driver_sql(f"UPDATE runs SET {changes} WHERE id = {mark}", list(attempts))


def runs_at(
    db: Connection, experiment_id: str, pairs: Collection[RunKey], *, lock: bool = False
) -> dict[RunKey, PlacedRun]:
    """Places that have a run, by place; all the wanted ones among them are found."""
    trials = [trial for _, trial in pairs]
    query = sa.select(runs.c.id, runs.c.dataset_item_id, runs.c.trial, runs.c.error.is_not(None).label("failed")).where(
        runs.c.experiment_id == experiment_id,
        is_any_of(db, runs.c.dataset_item_id, {item_id for item_id, _ in pairs}),
        runs.c.trial.between(min(trials), max(trials)),  # or a late batch would read all earlier trials
    )
    rows = fetch_all(db, PlacedRun, for_update(db, query.order_by(runs.c.id)) if lock else query)
    return {(row.dataset_item_id, row.trial): row for row in rows}


def runs_by_id(db: Connection, ids: Collection[str]) -> list[RunRow]:
    """The runs, held until the end of the transaction: what is known of their scores stays true until then."""
    if len(ids) == 1:  # one score per call is common, and a statement made once is twice as fast
        return fetch_all(db, RunRow, for_update(db, _RUN), {"id": next(iter(ids))})
    query = sa.select(runs).where(is_any_of(db, runs.c.id, ids)).order_by(runs.c.id)
    return fetch_all(db, RunRow, for_update(db, query))


class HeldRun(NamedTuple):
    """Where a run belongs, without what it holds."""

    id: str
    project_id: str
    experiment_id: str
    dataset_item_id: str


_HELD = (runs.c.id, runs.c.project_id, runs.c.experiment_id, runs.c.dataset_item_id)
_HELD_RUN = sa.select(*_HELD).where(runs.c.id == sa.bindparam("id"))


def runs_held(db: Connection, ids: Collection[str]) -> list[HeldRun]:
    """Like `runs_by_id`, for scores that come with the request: outputs are not read."""
    if len(ids) == 1:
        return fetch_all(db, HeldRun, for_update(db, _HELD_RUN), {"id": next(iter(ids))})
    query = sa.select(*_HELD).where(is_any_of(db, runs.c.id, ids)).order_by(runs.c.id)
    return fetch_all(db, HeldRun, for_update(db, query))


class RunTexts(NamedTuple):
    """A run with its item's content, as the database keeps them: JSON as text."""

    id: str
    project_id: str
    dataset_item_id: str
    output: str | None
    error: str | None
    input: str | None
    expected_output: str | None


def _as_text(column: sa.Column[Any]) -> sa.Label[str]:
    return sa.type_coerce(column, sa.Text).label(column.name)


_RUN_TEXTS = (
    sa.select(
        runs.c.id, runs.c.project_id, runs.c.dataset_item_id, _as_text(runs.c.output), _as_text(runs.c.error),
        _as_text(items.c.input), _as_text(items.c.expected_output),
    )
    .select_from(runs.outerjoin(items, items.c.id == runs.c.dataset_item_id))
    .where(runs.c.experiment_id == sa.bindparam("experiment_id"), runs.c.id > sa.bindparam("after"))
    .order_by(runs.c.id)
    .limit(sa.bindparam("most", type_=sa.Integer))
)  # fmt: skip


def run_texts_after(db: Connection, experiment_id: str, after: str, most: int) -> list[RunTexts]:
    """The experiment's runs in order of age, from a position on: how a job walks through them."""
    return fetch_all(db, RunTexts, _RUN_TEXTS, {"experiment_id": experiment_id, "after": after, "most": most})


def count_runs(db: Connection, experiment_id: str, after: str, last: str) -> int:
    """How many of the experiment's runs lie behind one position, up to and with another."""
    query = sa.select(sa.func.count()).where(
        runs.c.experiment_id == experiment_id, runs.c.id > after, runs.c.id <= last
    )
    return int(db.execute(query).scalar_one())
