"""How often each kind of thing in a project has changed: what a server looks at to tell pages of news.

A transaction notes what it changed, and adds one to the count of each such kind right before it commits. A reader keeps
the counts that it saw and compares: where one differs, something was committed meanwhile. Times and ids would not do.
Clocks of servers differ, and transactions of PostgreSQL commit in another order than the one in which they took their
time or their id, so that a reader who goes on "after the newest that I saw" skips what commits late. A count is part of
the commit itself: whatever a reader can see, it sees counted, and what it cannot see yet will make another count.

On PostgreSQL a count is spread over rows, of which each connection uses its own: two transactions that change the same
project do not wait for each other. SQLite has one writer and needs one row; what it commits together counts once.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.change import ChangeKind
from gnomon.store.fetch import fetch_all
from gnomon.store.schema import change_counts, is_any_of

_SLOTS = 32
_NOTES = "gnomon_changes"
_COUNT = """
INSERT INTO change_counts (project_id, kind, slot, changes) SELECT id, {mark}, {slot}, 1 FROM projects WHERE id = {mark}
ON CONFLICT (project_id, kind, slot) DO UPDATE SET changes = change_counts.changes + 1
"""
_COUNT_SQLITE = _COUNT.format(mark="?", slot="0")
_COUNT_POSTGRESQL = _COUNT.format(mark="%s", slot=f"pg_backend_pid() %% {_SLOTS}")


class ChangeCount(NamedTuple):
    """How many commits have changed things of this kind in this project."""

    project_id: str
    kind: ChangeKind
    changes: int


def note(db: Connection, project_id: str, kind: ChangeKind) -> None:
    """Something of this kind is new, changed or gone once this transaction commits."""
    _notes(db).append((kind, project_id))


def note_all(db: Connection, project_ids: Iterable[str], kind: ChangeKind) -> None:
    for project_id in set(project_ids):
        note(db, project_id, kind)


def noted(db: Connection) -> int:
    """How much is noted so far, for `forget`."""
    return len(_notes(db))


def forget(db: Connection, after: int = 0) -> None:
    """What was noted after this is undone."""
    del _notes(db)[after:]


def count(db: Connection) -> None:
    """Count what was noted; the last thing before a commit, since others wait for rows that are counted here.

    In one order, so that two transactions never wait for each other in a ring. Nothing is counted for a project that is
    gone, whose last rows a worker still removes.
    """
    notes = sorted(set(_notes(db)))
    forget(db)
    if notes:
        db.exec_driver_sql(_COUNT_POSTGRESQL if db.dialect.name == "postgresql" else _COUNT_SQLITE, notes)


def counts(db: Connection, project_ids: Collection[str]) -> list[ChangeCount]:
    total = sa.cast(sa.func.sum(change_counts.c.changes), sa.BigInteger).label("changes")
    query = sa.select(change_counts.c.project_id, change_counts.c.kind, total).where(
        is_any_of(db, change_counts.c.project_id, project_ids)
    )
    return fetch_all(db, ChangeCount, query.group_by(change_counts.c.project_id, change_counts.c.kind))


def _notes(db: Connection) -> list[tuple[ChangeKind, str]]:
    notes: list[tuple[ChangeKind, str]] = db.info.setdefault(_NOTES, [])
    return notes
