"""A file of its own with outputs of tasks by key, beside the database: it may be deleted at any time."""

import sqlite3
import threading
from pathlib import Path

from gnomon.errors import StoreTrouble

_WRITTEN_TOGETHER = 200


class OutputFile:
    """Texts by key. Threads may share one."""

    def __init__(self, file: Path) -> None:
        self._lock = threading.Lock()
        self._new: list[tuple[str, str]] = []
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(file, check_same_thread=False, timeout=30)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("CREATE TABLE IF NOT EXISTS outputs (key TEXT PRIMARY KEY, output TEXT) WITHOUT ROWID")
        except (OSError, sqlite3.Error) as fault:
            raise StoreTrouble(f"the cache {file} cannot be used: {fault}; move it away, or leave cache out") from None

    def get(self, key: str) -> str | None:
        with self._lock:
            row = self._db.execute("SELECT output FROM outputs WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def keep(self, key: str, output: str) -> None:
        with self._lock:
            self._new.append((key, output))
            if len(self._new) >= _WRITTEN_TOGETHER:
                self._write()

    def close(self) -> None:
        with self._lock:
            self._write()
            self._db.close()

    def _write(self) -> None:
        with self._db:
            self._db.executemany("INSERT OR REPLACE INTO outputs VALUES (?, ?)", self._new)
        self._new.clear()
