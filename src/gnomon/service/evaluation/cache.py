"""Outputs of tasks that are known already: a file beside the database, so that another scorer costs no second run.

An output is known by the task (its hash, or its `version`), everything the task was given, and the trial: trials are
there because a task answers differently each time.
"""

import hashlib
import sqlite3
import threading
from pathlib import Path
from typing import Any

from gnomon.errors import StoreTrouble
from gnomon.model import jsonvalue
from gnomon.service.evaluation.scoring import Pair

_MADE_TOGETHER = 200


class TaskCache:
    """Outputs by (task, item, trial). Threads may share one."""

    def __init__(self, file: Path, task_hash: str) -> None:
        self._task = task_hash
        self._lock = threading.Lock()
        self._new: list[tuple[str, str]] = []
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(file, check_same_thread=False, timeout=30)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("CREATE TABLE IF NOT EXISTS outputs (key TEXT PRIMARY KEY, output TEXT) WITHOUT ROWID")
        except (OSError, sqlite3.Error) as fault:
            raise StoreTrouble(f"the cache {file} cannot be used: {fault}; move it away, or leave cache out") from None

    def get(self, pair: Pair) -> Any:
        """The output, or None."""
        with self._lock:
            row = self._db.execute("SELECT output FROM outputs WHERE key = ?", (self._key(pair),)).fetchone()
        return None if row is None else jsonvalue.read(row[0])

    def keep(self, pair: Pair, output: Any) -> None:
        with self._lock:
            self._new.append((self._key(pair), jsonvalue.dump(output)))
            if len(self._new) >= _MADE_TOGETHER:
                self._write()

    def close(self) -> None:
        with self._lock:
            self._write()
            self._db.close()

    def _write(self) -> None:
        with self._db:
            self._db.executemany("INSERT OR REPLACE INTO outputs VALUES (?, ?)", self._new)
        self._new.clear()

    def _key(self, pair: Pair) -> str:
        item = pair.item
        given = [self._task, item.id, item.input, item.expected_output, item.metadata, pair.trial]
        return hashlib.sha256(jsonvalue.canonical(given).encode()).hexdigest()
