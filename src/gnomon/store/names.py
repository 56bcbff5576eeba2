"""Names in an SQLite file, for completion in a shell: without SQLAlchemy, which takes longer to load than one waits."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Literal

NameKind = Literal["projects", "datasets", "experiments", "scorers"]

MOST = 100
_SECONDS = 0.3
_INSTRUCTIONS = 5_000
_STATEMENTS: dict[NameKind, str] = {
    "projects": "SELECT id FROM projects WHERE substr(id, 1, length(:begin)) = :begin ORDER BY id",
    "datasets": "SELECT name FROM datasets WHERE substr(name, 1, length(:begin)) = :begin GROUP BY name ORDER BY name",
    "experiments": (
        "SELECT name FROM experiments WHERE substr(name, 1, length(:begin)) = :begin GROUP BY name"
        " ORDER BY max(created_at) DESC"
    ),
    "scorers": (
        "SELECT DISTINCT scorer_name FROM scores WHERE experiment_id IN"
        " (SELECT id FROM experiments ORDER BY created_at DESC LIMIT 20)"
        " AND substr(scorer_name, 1, length(:begin)) = :begin ORDER BY scorer_name"
    ),
}


def names_in(file: Path, kind: NameKind, begin: str) -> list[str]:
    """Names that begin so, at most a hundred. None where there is no such database, or where it takes too long."""
    deadline = time.monotonic() + _SECONDS
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=_SECONDS)) as connection:
            connection.set_progress_handler(lambda: time.monotonic() > deadline, _INSTRUCTIONS)
            rows = connection.execute(f"{_STATEMENTS[kind]} LIMIT {MOST}", {"begin": begin}).fetchall()
    except sqlite3.Error:
        return []
    return [name for (name,) in rows if isinstance(name, str)]
