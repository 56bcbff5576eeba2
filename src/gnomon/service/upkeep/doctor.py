"""Would Gnomon run here? Each check says what it found and, when something is wrong, what to do about it.

Nothing is made or changed, except for a scratch folder that is gone again when the look is over.
"""

import os
import platform
import shlex
import shutil
import socket
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gnomon.errors import GnomonError, NotFound
from gnomon.extras import EXTRAS, install_command, missing_packages
from gnomon.service.upkeep import health
from gnomon.service.upkeep.maintenance import open_existing
from gnomon.store.engine import Store, is_pooled, open_store, public_name, sqlite_file

FindingState = Literal["ok", "warn", "fail"]

_LITTLE, _TOO_LITTLE = 1_000_000_000, 50_000_000
_OLDEST_SQLITE = (3, 35, 0)


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    about: str
    state: FindingState
    found: str
    remedy: str | None = None


def examine(home: Path, database_url: str, port: int, prepare: str = "auto") -> list[DoctorFinding]:
    """Every check, in the order in which one would repair things."""
    return [
        DoctorFinding("Python", "ok", f"{platform.python_version()} in {sys.prefix}"),
        *_extras(needs_postgres=database_url.startswith("postgresql")),
        _home(home),
        _disk(home),
        _sqlite(home),
        *_database(database_url, prepare),
        _privacy(home, database_url),
        _port(port),
    ]


def _extras(needs_postgres: bool) -> Iterator[DoctorFinding]:
    for name, extra in EXTRAS.items():
        missing = missing_packages(name)
        if not missing:
            yield DoctorFinding(f"extra {name}", "ok", "installed")
            continue
        needed = needs_postgres if name == "postgres" else name == "server"
        words = f"without {', '.join(missing)}; it gives {extra.gives}"
        yield DoctorFinding(f"extra {name}", "fail" if needed else "warn", words, install_command(name))


def _home(home: Path) -> DoctorFinding:
    folder = _nearest(home)
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as fault:
        remedy = "make it writable, or set GNOMON_HOME to another folder"
        return DoctorFinding("home", "fail", f"cannot write in {folder}: {fault.strerror}", remedy)
    return DoctorFinding("home", "ok", f"{home} is writable" if folder == home else f"{home} will be made")


def _disk(home: Path) -> DoctorFinding:
    free = shutil.disk_usage(_nearest(home)).free
    state: FindingState = "ok" if free >= _LITTLE else "warn" if free >= _TOO_LITTLE else "fail"
    return DoctorFinding("disk", state, f"{free / 1e9:.1f} GB free", None if state == "ok" else "free some space")


def _sqlite(home: Path) -> DoctorFinding:
    """The library, and whether the folder's file system can do write-ahead logging (network ones often cannot)."""
    name = f"version {sqlite3.sqlite_version}"
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        return DoctorFinding("SQLite", "fail", name, "use a Python with SQLite 3.35 or newer")
    try:
        with tempfile.TemporaryDirectory(dir=_nearest(home), prefix=".gnomon-doctor-") as scratch:
            file = Path(scratch) / "try.db"
            with closing(open_store(f"sqlite:///{file}")):
                logged = file.with_name("try.db-wal").exists()
    except (OSError, GnomonError) as fault:
        remedy = "set GNOMON_HOME to another folder"
        return DoctorFinding("SQLite", "fail", f"{name}, cannot write a database: {fault}", remedy)
    if logged:
        return DoctorFinding("SQLite", "ok", f"{name}, write-ahead log works")
    remedy = "put GNOMON_HOME on a local disk"
    return DoctorFinding("SQLite", "warn", f"{name}, no write-ahead log in this folder", remedy)


def _database(url: str, prepare: str) -> Iterator[DoctorFinding]:
    name = public_name(url)
    try:
        with closing(open_existing(url)) as store:
            step = store.read(health.check)
            yield DoctorFinding("database", "ok", f"{name}, schema version {step}")
            if not store.is_sqlite:
                yield _pooler(store, prepare)
    except NotFound:
        yield DoctorFinding("database", "ok", f"{name} is not there yet; the first start makes it")
    except GnomonError as trouble:
        remedy = "repair it, or name another with --db or GNOMON_DATABASE_URL"
        yield DoctorFinding("database", "fail", f"{name}: {trouble.message}", remedy)


def _pooler(store: Store, prepare: str) -> DoctorFinding:
    """Prepared statements belong to a connection, and a pooler may give each transaction another one."""
    if not store.read(lambda db: is_pooled(db.connection.driver_connection)):
        return DoctorFinding("pooler", "ok", "connected to PostgreSQL directly")
    message = "a connection pooler such as pgbouncer stands before PostgreSQL"
    if prepare == "on":
        remedy = "set GNOMON_DATABASE_PREPARE=off, unless it pools by session or keeps track of prepared statements"
        return DoctorFinding("pooler", "warn", f"{message}, and GNOMON_DATABASE_PREPARE is on", remedy)
    return DoctorFinding("pooler", "ok", f"{message}; statements are not prepared")


def _privacy(home: Path, url: str) -> DoctorFinding:
    """Whether others can read what is private. New files are the owner's alone, older ones may not be."""
    database = sqlite_file(url)
    beside = [database.with_name(database.name + end) for end in ("", "-wal", "-shm")] if database else []
    files = [path for path in (*beside, home / "admin.key") if path.is_file()]
    open_to_others = [path for path in files if path.stat().st_mode & 0o077] if os.name == "posix" else []
    if open_to_others:
        names = " ".join(shlex.quote(str(path)) for path in open_to_others)
        return DoctorFinding(
            "privacy", "warn", f"others on this machine may read or write {names}", f"chmod 600 {names}"
        )
    return DoctorFinding("privacy", "ok", "only you can read the database file and the admin key")


def _port(port: int) -> DoctorFinding:
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError as fault:
            remedy = "a server may run already; else start with another --port"
            return DoctorFinding("port", "warn", f"{port} cannot be used: {fault.strerror}", remedy)
    return DoctorFinding("port", "ok", f"{port} is free")


def _nearest(folder: Path) -> Path:
    """The folder itself, or the closest one above it that exists."""
    return next(parent for parent in (folder, *folder.parents) if parent.exists())
