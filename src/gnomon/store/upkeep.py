"""Care of a whole database: copy it while it is in use, look for damage, count."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.schema import metadata

_PAGES = 2_000
_MOST_PROBLEMS = 10

Progress = Callable[[int, int], None]
"""Told how many bytes of how many are done."""


def copy(source: Path, partial: str, progress: Progress) -> None:
    """Copy an SQLite file as it is at this moment, also while others write to it."""
    # Not through a Store, which would set the file's journal mode; not `ro`, which leaves a log file behind.
    place = f"file:{quote(str(source.absolute()))}?mode=rw"
    with (
        closing(sqlite3.connect(place, uri=True, isolation_level=None)) as old,
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
    found = db.exec_driver_sql(f"PRAGMA integrity_check({_MOST_PROBLEMS})").scalars().all()
    return [str(problem) for problem in found if problem != "ok"]
