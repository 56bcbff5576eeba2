"""Pushed iterations. One row for each (project, source, rubric version, iteration); its id and age stay."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.dialects.sqlite import insert as lite_insert
from sqlalchemy.engine import Connection

from gnomon.model.iterationgroups import NO_RULES_FILE
from gnomon.model.jsonvalue import dump
from gnomon.model.outcome import Profile
from gnomon.model.score import JsonObject
from gnomon.store.changes import note
from gnomon.store.fetch import fetch_all, fetch_first
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import IterationRow
from gnomon.store.schema import is_any_of, iterations, scores, scoring_states

_KEY = ("project_id", "source", "rubric_version", "iteration")
_KEPT = {*_KEY, "id", "created_at"}
_IN_BRIEF = (
    iterations.c.source, iterations.c.session_id, iterations.c.rubric_version, iterations.c.iteration,
    iterations.c.value, iterations.c.band, iterations.c.coverage, iterations.c.provisional,
)  # fmt: skip


class RubricOfSource(NamedTuple):
    source: str
    rubric_version: str


class StoredRubric(NamedTuple):
    rubric_version: str
    profile: Profile


class IterationInGroup(NamedTuple):
    """What decides in which group and in which cluster an iteration is."""

    id: str
    source: str
    rubric_version: str
    session_id: str | None
    task_id: str | None
    date: str | None
    agent: str | None
    model: str | None
    labels: list[str] | None
    provisional: int
    rules_files: list[str] | None


class IterationMean(NamedTuple):
    """The mean of one scorer's numbers on one iteration."""

    id: str
    scorer_name: str
    value: float


class FacetRow(NamedTuple):
    value: str
    iterations: int


class SessionKey(NamedTuple):
    source: str
    session_id: str
    rubric_version: str
    first_id: str
    """That of its iteration which was stored first."""


class IterationInBrief(NamedTuple):
    """What a session's table says of an iteration."""

    source: str
    session_id: str
    rubric_version: str
    iteration: int
    value: float | None
    band: str
    coverage: float
    provisional: int


@dataclass(frozen=True, slots=True)
class Filter:
    """Which iterations of a project are meant; None leaves all."""

    source: str | None = None
    rubric_version: str | None = None
    session_id: str | None = None
    band: str | None = None
    provisional: bool | None = None
    agent: str | None = None
    model: str | None = None
    label: str | None = None
    rules_file: str | None = None


ALL = Filter()


def put(db: Connection, rows: Sequence[IterationRow]) -> list[IterationRow]:
    """Add these iterations of one source, or bring those that are there up to date; a row that was there keeps its id.

    Rows come in the order of their keys, so that two batches at once never wait for each other in a ring.
    """
    insert = (pg_insert if db.dialect.name == "postgresql" else lite_insert)(iterations)
    news = {column.name: insert.excluded[column.name] for column in iterations.c if column.name not in _KEPT}
    db.execute(insert.on_conflict_do_update(index_elements=_KEY, set_=news), [row._asdict() for row in rows])
    first = rows[0]
    note(db, first.project_id, "iteration")
    stored = sa.select(iterations.c.rubric_version, iterations.c.iteration, iterations.c.id).where(
        iterations.c.project_id == first.project_id, iterations.c.source == first.source,
        is_any_of(db, iterations.c.rubric_version, {row.rubric_version for row in rows}),
        iterations.c.iteration.between(min(row.iteration for row in rows), max(row.iteration for row in rows)),
    )  # fmt: skip
    ids = {(version, number): id for version, number, id in db.execute(stored)}
    return [row._replace(id=ids[row.rubric_version, row.iteration]) for row in rows]


def get(db: Connection, id: str) -> IterationRow | None:
    return fetch_first(db, IterationRow, sa.select(iterations).where(iterations.c.id == id))


def by_ids(db: Connection, ids: Collection[str]) -> list[IterationRow]:
    return fetch_all(db, IterationRow, sa.select(iterations).where(is_any_of(db, iterations.c.id, ids)))


def page(db: Connection, project_id: str, only: Filter, wanted: Slice) -> list[IterationRow]:
    """The highest number first; where several have it, the last stored first."""
    query = sa.select(iterations).where(*_of(project_id, only))
    return fetch_all(db, IterationRow, keyset(query, [iterations.c.iteration, iterations.c.id], wanted))


def newest(db: Connection, project_id: str, only: Filter, before: int | None, most: int) -> list[IterationRow]:
    """The highest number first, at most so many; below `before` if given."""
    lower = [] if before is None else [iterations.c.iteration < before]
    query = sa.select(iterations).where(*_of(project_id, only), *lower)
    return fetch_all(
        db, IterationRow, query.order_by(iterations.c.iteration.desc(), iterations.c.id.desc()).limit(most)
    )


def neighbours(db: Connection, row: IterationRow) -> tuple[IterationRow | None, IterationRow | None]:
    """The next lower and the next higher number of the same source by the same rubric version."""
    number = iterations.c.iteration
    query = sa.select(iterations).where(*_of(row.project_id, Filter(row.source, row.rubric_version))).limit(1)
    return (
        fetch_first(db, IterationRow, query.where(number < row.iteration).order_by(number.desc())),
        fetch_first(db, IterationRow, query.where(number > row.iteration).order_by(number)),
    )


def by_other_rubrics(db: Connection, row: IterationRow) -> list[IterationRow]:
    """The same iteration by other rubric versions, the last stored first."""
    query = sa.select(iterations).where(
        *_of(row.project_id, Filter(row.source)), iterations.c.iteration == row.iteration, iterations.c.id != row.id
    )
    return fetch_all(db, IterationRow, query.order_by(iterations.c.id.desc()))


def count(db: Connection, project_id: str, only: Filter) -> int:
    return int(db.execute(sa.select(sa.func.count()).where(*_of(project_id, only))).scalar_one())


def stored(db: Connection, project_id: str, only: Filter = ALL) -> list[RubricOfSource]:
    """What there is, the last stored first."""
    last = sa.func.max(iterations.c.id)
    kinds = sa.select(iterations.c.source, iterations.c.rubric_version).where(*_of(project_id, only))
    return fetch_all(db, RubricOfSource, kinds.group_by(*kinds.selected_columns).order_by(last.desc()))


def rubrics(db: Connection, project_id: str, only: Filter = ALL) -> list[StoredRubric]:
    """The rubric versions that there are, the last pushed first."""
    last = sa.func.max(sa.type_coerce(iterations.c.updated_at, sa.BigInteger))
    query = sa.select(iterations.c.rubric_version, iterations.c.profile).where(*_of(project_id, only))
    grouped = query.group_by(*query.selected_columns)
    return fetch_all(db, StoredRubric, grouped.order_by(last.desc(), sa.func.max(iterations.c.id).desc()))


def for_groups(db: Connection, project_id: str, only: Filter) -> list[IterationInGroup]:
    """The iterations of groups, in the order in which they were stored."""
    columns = (iterations.c[name] for name in IterationInGroup._fields)
    return fetch_all(db, IterationInGroup, sa.select(*columns).where(*_of(project_id, only)).order_by(iterations.c.id))


def breakdowns(db: Connection, project_id: str, only: Filter) -> dict[str, list[JsonObject]]:
    """Iteration → its breakdown, row by row."""
    query = sa.select(iterations.c.id, iterations.c.breakdown).where(*_of(project_id, only))
    return {row.id: row.breakdown for row in db.execute(query)}


def means(db: Connection, project_id: str, only: Filter, scorer_names: Collection[str] | None) -> list[IterationMean]:
    """The numbers that iterations have, by iteration and scorer. All scorers unless some are named."""
    query = (
        sa.select(scores.c.target_id.label("id"), scores.c.scorer_name, sa.func.avg(scores.c.value).label("value"))
        .join(iterations, iterations.c.id == scores.c.target_id)
        .where(*_of(project_id, only), scores.c.target_type == "iteration", scores.c.value.is_not(None))
        .group_by(scores.c.target_id, scores.c.scorer_name)
    )
    if scorer_names is not None:
        query = query.where(is_any_of(db, scores.c.scorer_name, scorer_names))
    return fetch_all(db, IterationMean, query)


def labels_given(
    db: Connection, project_id: str, only: Filter, scorer_names: Collection[str] | None
) -> list[tuple[str, str, str, int]]:
    """(iteration id, scorer, label, how often)."""
    query = (
        sa.select(scores.c.target_id, scores.c.scorer_name, scores.c.label, sa.func.count())
        .join(iterations, iterations.c.id == scores.c.target_id)
        .where(*_of(project_id, only), scores.c.target_type == "iteration", scores.c.label.is_not(None))
        .group_by(scores.c.target_id, scores.c.scorer_name, scores.c.label)
        .order_by(scores.c.target_id, scores.c.scorer_name, scores.c.label)
    )
    if scorer_names is not None:
        query = query.where(is_any_of(db, scores.c.scorer_name, scorer_names))
    return [tuple(row) for row in db.execute(query)]


def unscored(
    db: Connection, project_id: str, only: Filter, scorer_names: Collection[str] | None
) -> list[tuple[str, str, str, str | None]]:
    """(iteration id, scorer, state, reason), the newest of several last."""
    query = (
        sa.select(
            scoring_states.c.target_id, scoring_states.c.scorer_name, scoring_states.c.state, scoring_states.c.reason
        )
        .join(iterations, iterations.c.id == scoring_states.c.target_id)
        .where(*_of(project_id, only), scoring_states.c.target_type == "iteration")
        .order_by(scoring_states.c.updated_at, scoring_states.c.config_hash.desc())
    )
    if scorer_names is not None:
        query = query.where(is_any_of(db, scoring_states.c.scorer_name, scorer_names))
    return [tuple(row) for row in db.execute(query)]


def facet(db: Connection, project_id: str, only: Filter, name: str, most: int) -> list[FacetRow]:
    """The values of a column and how many iterations have each, the last stored first."""
    column = iterations.c[name]
    query = (
        sa.select(column.label("value"), sa.func.count().label("iterations"))
        .where(*_of(project_id, only), column.is_not(None))
        .group_by(column)
        .order_by(sa.func.max(iterations.c.id).desc())
        .limit(most)
    )
    return fetch_all(db, FacetRow, query)


def name_sets(db: Connection, project_id: str, only: Filter, name: str) -> list[tuple[list[str], int]]:
    """Names in a column of lists (labels, rules files) that iterations have together, and how many have just these,
    the last stored first."""
    column = iterations.c[name]
    query = sa.select(column, sa.func.count()).where(*_of(project_id, only))
    grouped = query.where(column.is_not(None)).group_by(column)
    return [(names, count) for names, count in db.execute(grouped.order_by(sa.func.max(iterations.c.id).desc()))]


def sessions(db: Connection, project_id: str, only: Filter, wanted: Slice) -> list[SessionKey]:
    """Sessions by their first id, the newest first: a session keeps its position while iterations come in."""
    keys = (iterations.c.source, iterations.c.session_id, iterations.c.rubric_version)
    grouped = (
        sa.select(*keys, sa.func.min(iterations.c.id).label("first_id"))
        .where(*_of(project_id, only), iterations.c.session_id.is_not(None))
        .group_by(*keys)
        .subquery()
    )
    return fetch_all(db, SessionKey, keyset(sa.select(grouped), [grouped.c.first_id], wanted))


def in_sessions(db: Connection, project_id: str, only: Filter, session_ids: Collection[str]) -> list[IterationInBrief]:
    """Ascending."""
    query = sa.select(*_IN_BRIEF).where(*_of(project_id, only), is_any_of(db, iterations.c.session_id, session_ids))
    return fetch_all(db, IterationInBrief, query.order_by(iterations.c.iteration, iterations.c.id))


def integrity(db: Connection, project_id: str, only: Filter) -> list[list[JsonObject]]:
    """What each iteration claimed and what was observed, by ascending number."""
    query = sa.select(iterations.c.integrity).where(*_of(project_id, only))
    return list(db.execute(query.order_by(iterations.c.iteration, iterations.c.id)).scalars())


def _of(project_id: str, only: Filter) -> list[sa.ColumnElement[bool]]:
    wanted = {
        iterations.c.source: only.source, iterations.c.rubric_version: only.rubric_version,
        iterations.c.session_id: only.session_id, iterations.c.band: only.band,
        iterations.c.provisional: None if only.provisional is None else int(only.provisional),
        iterations.c.agent: only.agent, iterations.c.model: only.model,
    }  # fmt: skip
    conditions = [column == value for column, value in wanted.items() if value is not None]
    lists = {iterations.c.labels: only.label, iterations.c.rules_files: only.rules_file}
    conditions += [_has_name(column, name) for column, name in lists.items() if name is not None]
    return [iterations.c.project_id == project_id, *conditions]


def _has_name(column: sa.ColumnElement[Any], name: str) -> sa.ColumnElement[bool]:
    """Names are a JSON array of texts, in which a quoted text can only be a whole name.

    Replacing is in both databases, and tells upper from lower case in both; LIKE does not.
    """
    names = sa.type_coerce(column, sa.Text)
    if name == NO_RULES_FILE and column is iterations.c.rules_files:
        return names == dump([])
    return sa.func.replace(names, dump(name), "") != names
