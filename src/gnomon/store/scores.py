"""Scores, and the states of what has none."""

from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.pages import Slice, keyset
from gnomon.store.schema import insert_rows, is_any_of, scores, scoring_states

_ANY_SCORE = (
    sa.select(scores.c.id)
    .where(scores.c.target_id == sa.bindparam("id"), scores.c.target_type == "run")
    .where(scores.c.scorer_name == sa.bindparam("name"))
    .limit(1)
)
_SCORE = sa.select(scores).where(scores.c.target_id == sa.bindparam("target"), scores.c.id == sa.bindparam("id"))


def add(db: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    insert_rows(db, scores, rows)


def get(db: Connection, target_id: str, id: str) -> Any:
    return db.execute(_SCORE, {"target": target_id, "id": id}).first()


def page_of_target(
    db: Connection,
    target_type: str,
    target_id: str,
    wanted: Slice,
    *,
    project_id: str | None,
    trace_id: str | None,
    scorer_name: str | None,
) -> Sequence[Any]:
    found = sa.select(scores).where(scores.c.target_id == target_id, scores.c.target_type == target_type)
    for column, value in (
        (scores.c.project_id, project_id),
        (scores.c.trace_id, trace_id),
        (scores.c.scorer_name, scorer_name),
    ):
        if value is not None:
            found = found.where(column == value)
    return db.execute(keyset(found, [scores.c.id], wanted)).all()


def of_runs(db: Connection, run_ids: Sequence[str]) -> dict[str, list[Any]]:
    """Run id → its scores, newest first."""
    found = sa.select(scores).where(is_any_of(db, scores.c.target_id, run_ids), scores.c.target_type == "run")
    grouped: dict[str, list[Any]] = {id: [] for id in run_ids}
    for row in db.execute(found.order_by(scores.c.id.desc())):
        grouped[row.target_id].append(row)
    return grouped


def clear_states(db: Connection, keys: Sequence[tuple[str, str, str, str, str, str]]) -> None:
    """Forget why something was not scored. Keys are (target, type, trace, project, scorer name, config hash)."""
    if not keys:
        return
    names = ("target_id", "target_type", "trace_id", "project_id", "scorer_name", "config_hash")
    mark = "%s" if db.dialect.name == "postgresql" else "?"
    db.exec_driver_sql(
        f"DELETE FROM scoring_states WHERE {' AND '.join(f'{name} = {mark}' for name in names)}", list(keys)
    )


def add_states(db: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Remember why; the newest reason for one target, scorer and configuration stands."""
    if not rows:
        return
    mark = "%s" if db.dialect.name == "postgresql" else "?"
    names = ", ".join(column.name for column in scoring_states.columns)
    marks = ", ".join([mark] * len(scoring_states.columns))
    db.exec_driver_sql(
        f"INSERT INTO scoring_states ({names}) VALUES ({marks}) "
        "ON CONFLICT (target_id, target_type, trace_id, project_id, scorer_name, config_hash) DO UPDATE SET "
        "state = excluded.state, reason = excluded.reason, job_id = excluded.job_id, updated_at = excluded.updated_at",
        list(rows),
    )


def states_page(
    db: Connection,
    wanted: Slice,
    *,
    target_id: str | None,
    experiment_id: str | None,
    state: str | None,
    scorer_name: str | None,
    project_id: str | None,
) -> Sequence[Any]:
    found = sa.select(scoring_states)
    for column, value in (
        (scoring_states.c.target_id, target_id),
        (scoring_states.c.experiment_id, experiment_id),
        (scoring_states.c.state, state),
        (scoring_states.c.scorer_name, scorer_name),
        (scoring_states.c.project_id, project_id),
    ):
        if value is not None:
            found = found.where(column == value)
    at = sa.type_coerce(scoring_states.c.updated_at, sa.BigInteger)
    rest = (scoring_states.c.target_id, scoring_states.c.scorer_name, scoring_states.c.config_hash)
    return db.execute(keyset(found, [at, *rest], wanted)).all()


def already_scored(db: Connection, pairs: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
    """Which of these (run id, scorer name) have a score."""
    if len(pairs) == 1:  # the first score found is answer enough, however many the run has
        ((id, name),) = pairs
        return set(pairs) if db.execute(_ANY_SCORE, {"id": id, "name": name}).first() is not None else set()
    runs = {id for id, _ in pairs}
    found = sa.select(scores.c.target_id, scores.c.scorer_name).where(is_any_of(db, scores.c.target_id, runs))
    known = {(id, name) for id, name in db.execute(found.where(scores.c.target_type == "run").distinct())}
    return known & set(pairs)


def runs_scored_by(db: Connection, scorer_name: str, run_ids: Sequence[str]) -> set[str]:
    """Which of these runs have a score of that name."""
    found = (
        sa.select(scores.c.target_id)
        .where(is_any_of(db, scores.c.target_id, run_ids), scores.c.target_type == "run")
        .where(scores.c.scorer_name == scorer_name)
        .distinct()
    )
    return set(db.execute(found).scalars())
