"""One store, two databases: an SQLite file, or PostgreSQL.

`Store.read` and `Store.write` run one unit of work each, in one transaction. A write has
happened, and survives the death of every process, when `write` returns.

On SQLite all writes of this process pass through one thread, which commits what is waiting
together (group commit): one fsync serves everyone who asked meanwhile, and nobody is told
"done" before it. Whether the file is still there is looked at each time (watch.py). On PostgreSQL
each write has a connection of its own; the database groups.
"""

import contextlib
import os
import queue
import re
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine, NestedTransaction, make_url
from sqlalchemy.exc import DatabaseError, DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolExhausted
from sqlalchemy.pool import NullPool, QueuePool

from gnomon.errors import GnomonError, OutcomeUnknown, StoreTrouble
from gnomon.extras import install_command
from gnomon.store import changes, sqlspans
from gnomon.store.migrations import migrate
from gnomon.store.spanstore import SpanStore
from gnomon.store.watch import Watch

T = TypeVar("T")
Transaction: TypeAlias = Connection
"""What a unit of work is handed, to pass on to the functions of the store. Only the store looks inside."""
TransactionWork = Callable[[Transaction], T]
Prepare = Literal["auto", "on", "off"]

BUSY_SECONDS = 30
GROUP_SIZE = 64
RETRIES = 8
_SECRET = re.compile("pass|pwd|secret|token", re.IGNORECASE)
_RETRY_STATES = {"40001", "40P01", "23505"}  # serialization failure, deadlock, lost a race for a unique key

# Run again, it might be stored twice; with an Idempotency-Key the caller can ask again safely.
_UNKNOWN = "the connection to the database was lost during the commit; look whether it is stored before you retry"


@dataclass(frozen=True, slots=True)
class Connecting:
    """How a process connects to PostgreSQL."""

    pool: int = 20
    """Connections at the most."""
    prepare: Prepare = "auto"
    """Statements that are used often may be prepared; a pooler that changes connections between transactions breaks
    that, so `auto` prepares only where none stands before the database."""


class Store:
    """A database and the two ways to use it. Make it with `open_store`."""

    def __init__(self, engine: Engine, writer: "_GroupWriter | None", watch: Watch | None = None) -> None:
        self.engine = engine
        self._writer, self._watch = writer, watch
        self.spans: SpanStore = sqlspans
        # PostgreSQL's default would show each statement another snapshot; SQLite's readers have one anyway.
        self._reading = engine if self.is_sqlite else engine.execution_options(isolation_level="REPEATABLE READ")

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    def read(self, work: TransactionWork[T]) -> T:
        """Run `work` on one snapshot of the data."""
        if self._watch is not None:
            self._watch.look()
        try:
            with self._reading.connect() as connection, connection.begin():
                return work(connection)
        except (DBAPIError, PoolExhausted) as fault:
            raise explain(fault, self.engine) from fault

    def write(self, work: TransactionWork[T]) -> T:
        """Run `work` and make it durable, all of it or nothing. It may be run more than once."""
        if self._writer is not None:
            return self._writer.submit(work).result()
        for attempt in range(RETRIES):
            committing = False
            try:
                with self.engine.connect() as connection, connection.begin() as transaction:
                    changes.forget(connection)
                    result = work(connection)
                    changes.count(connection)
                    committing = True
                    transaction.commit()
                    return result
            except DBAPIError as fault:
                if committing and fault.connection_invalidated:
                    raise OutcomeUnknown(_UNKNOWN) from fault
                if attempt == RETRIES - 1 or not _worth_retrying(fault):
                    raise explain(fault, self.engine) from fault
            except PoolExhausted as fault:
                raise explain(fault, self.engine) from fault
        raise AssertionError("unreachable")

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self.engine.dispose()
        if self._watch is not None:
            self._watch.close()


def open_store(
    url: str, *, upgrade: bool = True, connecting: Connecting | None = None,
    on_step: Callable[[int, int], None] = lambda done, total: None,
) -> Store:  # fmt: skip
    """Open the database that `url` names, and bring its schema up to date under a lock.

    `on_step` is called with how many steps of the schema's history are done, of how many.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        store = _open_sqlite(parsed)
    else:
        store = _open_postgresql(parsed, connecting or Connecting())
    if upgrade:
        try:
            migrate(store.engine, on_step)
        except DBAPIError as fault:
            store.close()
            raise explain(fault, store.engine) from fault
        except GnomonError:
            store.close()
            raise
    return store


def _open_sqlite(url: sa.URL) -> Store:
    if not url.database or url.database == ":memory:":
        raise StoreTrouble("GNOMON_DATABASE_URL names no file; write it like sqlite:////var/lib/gnomon/gnomon.db")
    path = Path(url.database)
    if path.is_dir():
        raise StoreTrouble(f"{path} is a directory, not a database file; name a file in GNOMON_DATABASE_URL")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise StoreTrouble(f"cannot make the folder {path.parent}: {fault.strerror}") from fault
    _make_private(path)

    watch = Watch(path)
    readers = _sqlite_engine(url, watch, begin="BEGIN", poolclass=QueuePool, pool_size=8, max_overflow=56)
    writing = _sqlite_engine(url, watch, begin="BEGIN IMMEDIATE", poolclass=NullPool)
    return Store(readers, _GroupWriter(writing, watch), watch)


def _make_private(path: Path) -> None:
    """Make the file before SQLite does, so that only its owner can read it. Its log files get the mode that it has.

    One that is there already is not even opened: closing it would let go of the locks that this process holds on it.
    """
    if os.name != "posix" or str(path).startswith("file:"):
        return
    with contextlib.suppress(OSError):  # it is there, or cannot be: SQLite says why
        handle = os.open(os.path.realpath(path), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        try:
            os.fchmod(handle, 0o600)  # a umask may have taken away even the owner's rights
        finally:
            os.close(handle)


def _sqlite_engine(url: sa.URL, watch: Watch, *, begin: str, **pool: Any) -> Engine:
    engine = sa.create_engine(url, connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS}, **pool)

    @sa.event.listens_for(engine, "do_connect")
    def _look_first(*_: Any) -> None:
        watch.look()  # SQLite would make an empty file in place of one that is gone

    @sa.event.listens_for(engine, "connect")
    def _set_up(dbapi: Any, _record: Any) -> None:
        dbapi.isolation_level = None  # sqlite3 must not begin transactions on its own
        dbapi.execute("PRAGMA auto_vacuum=INCREMENTAL")  # for a new file, before its first page: it can shrink later
        _turn_to_wal(dbapi)
        for pragma in (
            "synchronous=FULL",
            "foreign_keys=ON",
            "cache_size=-16000",
            "temp_store=MEMORY",
            "wal_autocheckpoint=10000",  # 40 MB: pages that change often are written back less often
        ):
            dbapi.execute(f"PRAGMA {pragma}")
        watch.begin()

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _turn_to_wal(dbapi: Any) -> None:
    """SQLite refuses at once, without its own wait, when two processes turn a new file to WAL together."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            dbapi.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as fault:
            if "locked" not in str(fault) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _open_postgresql(url: sa.URL, connecting: Connecting) -> Store:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise StoreTrouble(f"PostgreSQL needs the extra `postgres`; run: {install_command('postgres')}") from None
    public, secret = without_secrets(url)
    kept = min(8, connecting.pool)
    engine = sa.create_engine(
        public.set(drivername="postgresql+psycopg"),
        pool_size=kept,
        max_overflow=connecting.pool - kept,
        pool_pre_ping=True,
        connect_args={"connect_timeout": 10, "prepare_threshold": None if connecting.prepare == "off" else 3, **secret},
    )
    if connecting.prepare == "auto":

        @sa.event.listens_for(engine, "connect")
        def _prepare_if_safe(dbapi: Any, _record: Any) -> None:
            if is_pooled(dbapi):
                dbapi.prepare_threshold = None

    return Store(engine, None)


def sqlite_file(url: str) -> Path | None:
    """The file that holds an SQLite database; None for another kind."""
    parsed = make_url(url)
    return Path(parsed.database or "") if parsed.get_backend_name() == "sqlite" else None


def public_name(url: str) -> str:
    """How to name the database to people: a path, or a URL without its passwords."""
    public, _ = without_secrets(make_url(url))
    return str(sqlite_file(url) or public.render_as_string(hide_password=True))


def without_secrets(url: sa.URL) -> tuple[sa.URL, dict[str, str]]:
    """The URL without the secrets among its parameters, and those. SQLAlchemy hides only the password before the @."""
    secret = {name: url.query[name] for name in url.query if _SECRET.search(name)}
    last = {name: value if isinstance(value, str) else value[-1] for name, value in secret.items()}
    return url.difference_update_query(list(secret)), last


def is_pooled(dbapi: Any) -> bool:
    """Whether a pooler such as pgbouncer stands before PostgreSQL: the process it gives is not the one that answers."""
    process = dbapi.execute("SELECT pg_backend_pid()").fetchone()[0]
    dbapi.rollback()
    return bool(process != dbapi.info.backend_pid)


class _GroupWriter:
    """The one thread that writes to the SQLite file."""

    def __init__(self, engine: Engine, watch: Watch) -> None:
        self._engine, self._watch = engine, watch
        self._waiting: queue.SimpleQueue[tuple[TransactionWork[Any], Future[Any]] | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="gnomon-writer", daemon=True)
        self._thread.start()

    def submit(self, work: TransactionWork[T]) -> "Future[T]":
        if self._closed:
            raise StoreTrouble("the store is closed")
        promise: Future[T] = Future()
        self._waiting.put((work, promise))
        return promise

    def close(self) -> None:
        """Finish what was accepted, then stop."""
        if not self._closed:
            self._closed = True
            self._waiting.put(None)
            self._thread.join()
            self._engine.dispose()

    def _serve(self) -> None:
        connection: Connection | None = None
        last = False
        while not last:
            request = self._waiting.get()
            if request is None:
                break
            group = [request]
            while len(group) < GROUP_SIZE and not self._waiting.empty():
                more = self._waiting.get()
                if more is None:
                    last = True
                    break
                group.append(more)
            connection = self._commit_together(connection, group)
        if connection is not None:
            connection.close()

    def _commit_together(
        self, connection: Connection | None, group: list[tuple[TransactionWork[Any], "Future[Any]"]]
    ) -> Connection | None:
        """One transaction for the group, one savepoint each (none for one alone); answers only after the commit."""
        answers: list[tuple[Future[Any], Any, BaseException | None]] = []
        try:
            self._watch.look()
            is_new = connection is None
            connection = connection or self._engine.connect()
            with connection.begin() as whole:
                if is_new:
                    self._watch.begin_log()
                changes.forget(connection)
                for work, promise in group:
                    undo = connection.begin_nested() if len(group) > 1 else whole
                    answers.append((promise, *_attempt(connection, work, undo)))
                if whole.is_active:
                    changes.count(connection)
            self._look_after_commit()
        except Exception as fault:  # begin or commit failed: nobody's work is stored
            for _, promise in group:
                promise.set_exception(explain(fault, self._engine))
            if isinstance(fault, StoreTrouble):  # the file is gone: another connection would make a new one
                return connection
            if connection is not None:
                self._watch.end_log()
                connection.invalidate()
                connection.close()
            return None
        for promise, result, refused in answers:
            if refused is None:
                promise.set_result(result)
            else:
                promise.set_exception(refused)
        return connection

    def _look_after_commit(self) -> None:
        """What was committed into a file that went at the same moment must not be acknowledged."""
        try:
            self._watch.look()
        except StoreTrouble as gone:
            raise OutcomeUnknown(gone.message) from gone


def _attempt(
    connection: Connection, work: TransactionWork[Any], undo: sa.Transaction
) -> tuple[Any, BaseException | None]:
    noted = changes.noted(connection)
    try:
        result = work(connection)
    except DatabaseError as fault:
        if not isinstance(fault, IntegrityError):
            raise  # a full disk or a broken file concerns the whole transaction
        undo.rollback()
        changes.forget(connection, noted)
        return None, explain(fault, connection.engine)
    except Exception as refused:
        undo.rollback()
        changes.forget(connection, noted)
        return None, refused
    if isinstance(undo, NestedTransaction):
        undo.commit()
    return result, None


def _worth_retrying(fault: DBAPIError) -> bool:
    return getattr(fault.orig, "sqlstate", None) in _RETRY_STATES or fault.connection_invalidated


def explain(fault: BaseException, engine: Engine) -> BaseException:
    """Turn a driver's error into one line that says which database and what to do; leave other errors as they are."""
    if isinstance(fault, PoolExhausted):
        return StoreTrouble("all connections to the database are in use; retry, or raise GNOMON_DATABASE_POOL")
    if not isinstance(fault, DBAPIError):
        return fault
    text = str(fault.orig).strip().splitlines()[0] if str(fault.orig).strip() else type(fault.orig).__name__
    lower, name = text.lower(), public_name(engine.url.render_as_string(hide_password=True))
    if ("full" in lower and ("disk" in lower or "space" in lower)) or "no space left" in lower:
        return StoreTrouble(
            "the disk that holds the database is full; this write was not stored, earlier ones are."
            " Free some space and retry"
        )
    if "not a database" in lower or "malformed" in lower:
        remedy = "put a backup in its place, or name another with --db or GNOMON_DATABASE_URL"
        return StoreTrouble(f"{name} is damaged, or no database of Gnomon ({text}); {remedy}")
    if "locked" in lower:
        return StoreTrouble(f"another process holds the write lock of {name}; nothing was stored. Retry in a moment")
    if "readonly" in lower or "read-only" in lower:
        return StoreTrouble(f"{name} is read-only; nothing was stored. Make the file and its folder writable")
    if getattr(fault.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
        return fault  # a statement that cannot be run is a fault of ours; PostgreSQL's driver has another class for it
    if engine.dialect.name == "sqlite" and isinstance(fault, OperationalError):
        remedy = "is the disk full, or the file system out of reach?"
        return StoreTrouble(f"the database {name} cannot be read or written ({text}); {remedy}")
    if isinstance(fault, OperationalError | InterfaceError):
        return StoreTrouble(f"the database {name} does not answer ({text}); is it running there?")
    return fault
