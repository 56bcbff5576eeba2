"""Care of a whole database: copy it while it is in use, look for damage, count, give free space back."""

import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.engine import BUSY_SECONDS, Store, explain
from gnomon.store.schema import metadata

_PAGES = 2_000
_MOST_PROBLEMS = 10
_PAGES_TOGETHER = 2_000
"""Free pages that are given back in one transaction."""
_PAUSE_SECONDS = 0.05
QUICKLY_REWRITTEN = 1_000_000_000
"""Bytes that a file may hold to be rewritten unasked: others wait for a few seconds."""
_INCREMENTAL = 2

CopyProgress = Callable[[int, int], None]
"""Told how many bytes of how many are done."""


def copy(source: Path, partial: str, progress: CopyProgress) -> None:
    """Copy an SQLite file as it is at this moment, also while others write to it."""
    # Not through a Store, which would set the file's journal mode; not `ro`, which leaves a log file behind.
    source_url = f"file:{quote(str(source.absolute()))}?mode=rw"
    with (
        closing(sqlite3.connect(source_url, uri=True, isolation_level=None)) as old,
        closing(sqlite3.connect(partial)) as new,
    ):
        (page_size,) = old.execute("PRAGMA page_size").fetchone()
        # A transaction held open pins one snapshot; without it every write of others would start the copy over.
        old.execute("BEGIN")
        old.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        old.backup(
            new,
            pages=_PAGES,
            progress=lambda _, left, total: progress((total - left) * page_size, total * page_size),
            sleep=0.01,
        )


def row_counts(db: Connection) -> dict[str, int]:
    """Table → rows."""
    counted = {table.name: sa.select(sa.func.count()).select_from(table) for table in metadata.sorted_tables}
    return {name: int(db.execute(count).scalar_one()) for name, count in counted.items()}


def damage(db: Connection) -> list[str]:
    """What SQLite finds wrong with its own file, the first few findings; PostgreSQL keeps watch itself."""
    if db.dialect.name != "sqlite":
        return []
    problems = db.exec_driver_sql(f"PRAGMA integrity_check({_MOST_PROBLEMS})").scalars().all()
    return [str(problem) for problem in problems if problem != "ok"]


# --- free space -----


@dataclass(frozen=True, slots=True)
class Space:
    """Bytes that the database takes on the disk, before and after, and what became of the rest."""

    before: int
    after: int
    free_inside: int | None
    """Free within the file, for new data; None where the database does not say."""
    note: str | None
    """What was not given back to the system, and how to get it."""

    @property
    def returned(self) -> int:
        return max(0, self.before - self.after)


def size_on_disk(store: Store) -> int:
    """An SQLite file with its log; all of our tables with their indexes on PostgreSQL."""
    if not store.is_sqlite:
        return store.read(_size_of_tables)
    file = _file(store)
    return sum(path.stat().st_size for path in (file, file.with_name(f"{file.name}-wal")) if path.exists())


def give_back(store: Store, before: int, *, compact: bool) -> Space:
    """Give free space back to the system. `before` is what the database took before rows were removed.

    Unless `compact`, nobody waits for long: a few pages at a time on SQLite, without locks on PostgreSQL.
    """
    try:
        return _shrink_file(store, before, compact) if store.is_sqlite else _vacuum_tables(store, before, compact)
    except (sqlite3.Error, sa.exc.DBAPIError) as fault:
        note = f"the rows are removed, but no space was given back: {explain(fault, store.engine)}"
        return Space(before, size_on_disk(store), None, note)


def _file(store: Store) -> Path:
    return Path(store.engine.url.database or "")


def _shrink_file(store: Store, before: int, compact: bool) -> Space:
    file = _file(store)
    with closing(sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None)) as db:
        gradually = _pragma(db, "auto_vacuum") == _INCREMENTAL
        size = _pragma(db, "page_size")
        live = (_pragma(db, "page_count") - _pragma(db, "freelist_count")) * size
        note = None
        if gradually and not compact:
            _free_pages(db)
        elif not compact and live > QUICKLY_REWRITTEN:
            note = "an earlier version made this file; add --compact once to rewrite it, others wait meanwhile"
        elif shutil.disk_usage(file.parent).free < 2 * live:
            note = f"rewriting the file needs {2 * live:,} free bytes on its disk; free some space, then add --compact"
        else:
            db.execute(f"PRAGMA auto_vacuum = {_INCREMENTAL}")
            db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        free = _pragma(db, "freelist_count") * size
    return Space(before, size_on_disk(store), free, note)


def _free_pages(db: sqlite3.Connection) -> None:
    """Free pages in small transactions, between which others can write."""
    left = _pragma(db, "freelist_count")
    while left:
        # It is done page by page while rows are asked for, and Python asks for none of a statement without columns.
        db.executescript(f"PRAGMA incremental_vacuum({_PAGES_TOGETHER})")
        now = _pragma(db, "freelist_count")
        if now >= left:  # others free pages as quickly
            return
        left = now
        time.sleep(_PAUSE_SECONDS)


def _pragma(db: sqlite3.Connection, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def _size_of_tables(db: Connection) -> int:
    names = ", ".join(f"('{table.name}')" for table in metadata.sorted_tables)
    sizes = f"SELECT sum(pg_total_relation_size(name::regclass)) FROM (VALUES {names}) AS tables (name)"
    return int(db.exec_driver_sql(sizes).scalar_one())


def _vacuum_tables(store: Store, before: int, compact: bool) -> Space:
    names = ", ".join(table.name for table in metadata.sorted_tables)
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
        db.exec_driver_sql(f"VACUUM ({'FULL, ' if compact else ''}ANALYZE) {names}")
    after = size_on_disk(store)
    inside = "new data uses the rest of the space within the tables again; --compact gives it to the system"
    return Space(before, after, 0 if compact else None, None if compact else f"{inside}, others wait meanwhile")
