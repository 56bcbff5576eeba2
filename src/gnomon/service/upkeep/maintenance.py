"""Care of the database itself: bring its schema up to date, copy it while it is in use, look whether it is whole."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from gnomon.atomicfile import replacement
from gnomon.errors import InvalidInput, NotAvailable, NotFound, StoreTrouble
from gnomon.model.nearest import did_you_mean
from gnomon.store import upkeep
from gnomon.store.engine import Store, Transaction, open_store, public_name, sqlite_file
from gnomon.store.migrations import STEPS, remedy_for, version
from gnomon.store.upkeep import CopyProgress

NEWEST = len(STEPS)


@dataclass(frozen=True, slots=True)
class Upgraded:
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class BackedUp:
    file: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Checked:
    """What a look at the whole database found. No problems: it is sound."""

    database: str
    schema_version: int
    newest_version: int
    rows: dict[str, int]
    """Table → rows"""
    problems: list[str]


def upgrade(url: str, on_step: Callable[[int, int], None] = lambda done, total: None) -> Upgraded:
    """Apply the missing steps of the schema's history; `on_step` is called with how many are done, of how many."""
    with closing(open_store(url, upgrade=False)) as store:
        before = store.read(version)
    with closing(open_store(url, on_step=on_step)) as store:
        return Upgraded(before, store.read(version))


def check(url: str) -> Checked:
    """Integrity, schema version, and how much there is."""
    with closing(open_existing(url)) as store:
        return store.read(lambda db: _look(db, public_name(url)))


def backup(url: str, target: Path, progress: CopyProgress, *, overwrite: bool = False) -> BackedUp:
    """Copy an SQLite database as it is at this moment, also while others write to it.

    The copy appears under its name when it is complete and on the disk, or not at all.
    """
    source = sqlite_file(url)
    if source is None:
        raise NotAvailable("a PostgreSQL database is backed up with its own tool; run `pg_dump`")
    _check_target(source, target, overwrite)
    try:
        with replacement(target, private=True) as partial:
            upkeep.copy(source, str(partial), progress)
            _sync(partial)
        _sync(target.parent)  # the name of the copy
    except OSError as fault:
        raise StoreTrouble(f"cannot write {target}: {fault.strerror}; nothing was left behind") from None
    except sqlite3.Error as fault:
        raise StoreTrouble(f"cannot copy {source} to {target}: {fault}; nothing was left behind") from None
    return BackedUp(str(target), target.stat().st_size)


def make_ready(url: str) -> None:
    """Make the database if it is a file that does not exist yet. One that exists is left as it is."""
    file = sqlite_file(url)
    if file is not None and not file.exists():
        open_store(url).close()


def open_existing(url: str) -> Store:
    """Open a database that must be there, as it is: nothing is made and nothing is upgraded."""
    refuse_missing(url)
    return open_store(url, upgrade=False)


def refuse_missing(url: str) -> None:
    """Refuse a file that does not exist; otherwise a misspelt name would create an empty database."""
    file = sqlite_file(url)
    if file is None or file.exists():
        return
    demo = file.with_name("demo.db")
    how_to_make = "`gnomon db upgrade` or `gnomon serve` makes one, --db names another"
    remedy = f"--db {demo} is the demo's" if demo.exists() else how_to_make
    beside = {path.name for path in file.parent.glob("*.db")} - {demo.name}
    raise NotFound(f"there is no database {file}; {did_you_mean(file.name, beside, remedy)}")


def _check_target(source: Path, target: Path, overwrite: bool) -> None:
    if not source.exists():
        raise NotFound(f"there is no database {source} to back up; name one with --db")
    if not target.parent.is_dir():
        raise InvalidInput(f"the folder {target.parent} does not exist; make it first, or name another file")
    if target.is_dir():
        raise InvalidInput(f"{target} is a folder; name a file in it")
    if target.exists() and target.samefile(source):
        raise InvalidInput(f"{target} is the database itself; name another file")
    if target.exists() and not overwrite:
        raise InvalidInput(f"{target} exists already; name another file, or add --overwrite")


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _look(db: Transaction, name: str) -> Checked:
    step = version(db)
    problems = upkeep.damage(db)
    if step != NEWEST:
        problems.append(f"the schema is at step {step}, this Gnomon at {NEWEST}; {remedy_for(step)}")
        return Checked(name, step, NEWEST, {}, problems)
    rows = upkeep.row_counts(db)
    return Checked(name, step, NEWEST, rows, problems)
