"""Pushed iterations. One row for each (project, source, rubric version, iteration); its id and age stay."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.dialects.sqlite import insert as lite_insert
from sqlalchemy.engine import Connection

from gnomon.model.score import JsonObject
from gnomon.store.fetch import fetch_all, fetch_first
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import IterationRow
from gnomon.store.schema import is_any_of, iterations

_KEY = ("project_id", "source", "rubric_version", "iteration")
_KEPT = {*_KEY, "id", "created_at"}
_IN_BRIEF = (
    iterations.c.source, iterations.c.session_id, iterations.c.rubric_version, iterations.c.iteration,
    iterations.c.value, iterations.c.band, iterations.c.coverage, iterations.c.provisional,
)  # fmt: skip


class RubricOfSource(NamedTuple):
    source: str
    rubric_version: str


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


ALL = Filter()


def put(db: Connection, rows: Sequence[IterationRow]) -> int:
    """Add these iterations, or bring those that are there up to date; how many are new.

    Rows come in the order of their keys, so that two batches at once never wait for each other in a ring.
    """
    insert = (pg_insert if db.dialect.name == "postgresql" else lite_insert)(iterations)
    news = {column.name: insert.excluded[column.name] for column in iterations.c if column.name not in _KEPT}
    db.execute(insert.on_conflict_do_update(index_elements=_KEY, set_=news), [row._asdict() for row in rows])
    # A row that was there has kept its old id.
    new = sa.select(sa.func.count()).where(is_any_of(db, iterations.c.id, [row.id for row in rows]))
    return int(db.execute(new).scalar_one())


def get(db: Connection, id: str) -> IterationRow | None:
    return fetch_first(db, IterationRow, sa.select(iterations).where(iterations.c.id == id))


def page(db: Connection, project_id: str, only: Filter, wanted: Slice) -> list[IterationRow]:
    """The highest number first; where several have it, the last stored first."""
    found = sa.select(iterations).where(*_of(project_id, only))
    return fetch_all(db, IterationRow, keyset(found, [iterations.c.iteration, iterations.c.id], wanted))


def count(db: Connection, project_id: str, only: Filter) -> int:
    return int(db.execute(sa.select(sa.func.count()).where(*_of(project_id, only))).scalar_one())


def stored(db: Connection, project_id: str, only: Filter = ALL) -> list[RubricOfSource]:
    """What there is, the last stored first."""
    last = sa.func.max(iterations.c.id)
    kinds = sa.select(iterations.c.source, iterations.c.rubric_version).where(*_of(project_id, only))
    return fetch_all(db, RubricOfSource, kinds.group_by(*kinds.selected_columns).order_by(last.desc()))


def sessions(db: Connection, project_id: str, only: Filter, wanted: Slice) -> list[SessionKey]:
    """By their first id, the newest first: a session keeps its place while iterations come in."""
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
    found = sa.select(*_IN_BRIEF).where(*_of(project_id, only), is_any_of(db, iterations.c.session_id, session_ids))
    return fetch_all(db, IterationInBrief, found.order_by(iterations.c.iteration, iterations.c.id))


def integrity(db: Connection, project_id: str, only: Filter) -> list[list[JsonObject]]:
    """What each iteration claimed and what was observed, by ascending number."""
    found = sa.select(iterations.c.integrity).where(*_of(project_id, only))
    return list(db.execute(found.order_by(iterations.c.iteration, iterations.c.id)).scalars())


def _of(project_id: str, only: Filter) -> list[sa.ColumnElement[bool]]:
    wanted = {
        iterations.c.source: only.source, iterations.c.rubric_version: only.rubric_version,
        iterations.c.session_id: only.session_id, iterations.c.band: only.band,
        iterations.c.provisional: None if only.provisional is None else int(only.provisional),
    }  # fmt: skip
    given = [column == value for column, value in wanted.items() if value is not None]
    return [iterations.c.project_id == project_id, *given]
