"""When files have changed: their times and sizes, looked at again and again."""

import os
import threading
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from gnomon.service.evaluation.suites.loading import files_below

_SUFFIXES = {".py", ".yaml", ".yml", ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".txt", ".md"}
_PAUSE = 0.3

State = Mapping[Path, tuple[int, int]]


def state_of(folders: Iterable[Path]) -> State:
    """Time and size of every file that an evaluation may read."""
    state: dict[Path, tuple[int, int]] = {}
    for folder in folders:
        for path in files_below(folder):
            if path.suffix.lower() in _SUFFIXES:
                try:
                    status = os.stat(path)
                except OSError:  # removed meanwhile
                    continue
                state[path] = status.st_mtime_ns, status.st_size
    return state


def changed_files(before: State, after: State) -> list[Path]:
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def wait_for_change(
    folders: Iterable[Path], before: State, stop: threading.Event, without: Collection[Path] = ()
) -> list[Path]:
    """Wait until watched files change and return them; return none when `stop` is set."""
    folders = list(folders)
    while not stop.wait(_PAUSE):
        changed = changed_files(before, state_of(folders))
        if counted := [path for path in changed if path not in without]:
            return counted
    return []
