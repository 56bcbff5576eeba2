"""Outputs of tasks that are known already, so that another scorer costs no second run.

An output is known by the task (its hash, or its `version`), everything the task was given, and the trial: trials are
there because a task answers differently each time.
"""

import hashlib
from pathlib import Path
from typing import Any

from gnomon.model import jsonvalue
from gnomon.service.evaluation.scoring import ItemTrial
from gnomon.store.outputs import OutputFile


class TaskCache:
    """Outputs of one task by item and trial. Threads may share one."""

    def __init__(self, file: Path, task_hash: str) -> None:
        self._task, self._file = task_hash, OutputFile(file)

    def get(self, pair: ItemTrial) -> Any:
        """The output, or None."""
        text = self._file.get(self._key(pair))
        return None if text is None else jsonvalue.read(text)

    def keep(self, pair: ItemTrial, output: Any) -> None:
        self._file.keep(self._key(pair), jsonvalue.dump(output))

    def close(self) -> None:
        self._file.close()

    def _key(self, pair: ItemTrial) -> str:
        item = pair.item
        parts = [self._task, item.id, item.input, item.expected_output, item.metadata, pair.trial]
        return hashlib.sha256(jsonvalue.canonical(parts).encode()).hexdigest()
