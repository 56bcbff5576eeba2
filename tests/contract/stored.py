"""What a database holds of one project, read past the server: cheaper than asking for every list, and nothing hides.

It knows the tables from the database itself: those with a `project_id`, and those that hang on a dataset or an
experiment.
"""

import functools
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psycopg

_database_of: dict[str, str] = {}

WRITTEN_LATER = {
    "pending_texts", "trace_texts", "text_search", "quiet_targets", "conversations", "trace_values", "indexed_keys",
    "score_days", "spending", "model_answers", "judge_cards", "retention",
}  # fmt: skip
"""A worker writes these when it comes to it, whatever a test does meanwhile."""
ONLY_IDS = {"jobs"}
"""A worker takes them, and goes on with them."""
OWNERS = {"dataset_id": "datasets", "experiment_id": "experiments"}


def note_database(server: str, database_url: str) -> None:
    """A server at this address keeps its data there."""
    _database_of[server.rstrip("/")] = database_url


def rows_of(server: str, project_id: str) -> list[tuple[object, ...]] | None:
    """Every row that belongs to the project, as (table, its values); None for a server that nobody has noted."""
    url = _database_of.get(server.rstrip("/"))
    if url is None:
        return None
    reader = _read_sqlite if url.startswith("sqlite") else _read_postgresql
    return sorted(reader(url, project_id), key=repr)


def _conditions(columns: dict[str, set[str]]) -> Iterator[tuple[str, str, str]]:
    """Per table: its name, what is read of it, and the condition that `PROJECT` stands in."""
    for table, names in sorted(columns.items()):
        what = "id" if table in ONLY_IDS else "*"
        owner = next((column for column in OWNERS if column in names), None)
        if table in WRITTEN_LATER:
            continue
        if "project_id" in names:
            yield table, what, "project_id = PROJECT"
        elif owner is not None:
            yield table, what, f"{owner} IN (SELECT id FROM {OWNERS[owner]} WHERE project_id = PROJECT)"
    yield "projects", "*", "id = PROJECT"


@functools.cache
def _sqlite(url: str) -> tuple[sqlite3.Connection, list[tuple[str, str]]]:
    path = url.removeprefix("sqlite:///")
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns = {name: {row[1] for row in connection.execute(f"PRAGMA table_info({name})")} for name in tables}
    questions = [
        (table, f"SELECT {what} FROM {table} WHERE {condition.replace('PROJECT', '?')}")
        for table, what, condition in _conditions(columns)
    ]
    return connection, questions


def _read_sqlite(url: str, project_id: str) -> Iterator[tuple[object, ...]]:
    connection, questions = _sqlite(url)
    with closing(connection.cursor()) as cursor:
        for table, question in questions:
            for row in cursor.execute(question, (project_id,)):
                yield (table, *row)


@functools.cache
def _postgresql(url: str) -> tuple["psycopg.Connection", str]:
    import psycopg

    connection = psycopg.connect(url, autocommit=True)
    columns: dict[str, set[str]] = {}
    for table, column in connection.execute(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
    ):
        columns.setdefault(table, set()).add(column)
    parts = [
        f"SELECT '{table}', {'id' if what == 'id' else f'{table}::text'} FROM {table}"
        f" WHERE {condition.replace('PROJECT', '%(project)s')}"
        for table, what, condition in _conditions(columns)
    ]
    return connection, " UNION ALL ".join(parts)


def _read_postgresql(url: str, project_id: str) -> Iterator[tuple[object, ...]]:
    connection, question = _postgresql(url)
    yield from connection.execute(question.encode(), {"project": project_id})
