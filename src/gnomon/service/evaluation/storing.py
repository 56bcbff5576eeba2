"""Finished runs become stored ones, in batches. Nothing that has run is lost.

When the server does not answer, runs are kept in a file (`Unsent`) and sent by the next evaluation of that experiment.
"""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from io import FileIO
from pathlib import Path

from gnomon.client import UNREACHABLE
from gnomon.errors import Busy, GnomonError, InvalidInput, StoreTrouble, TooLarge
from gnomon.model.backend import Backend
from gnomon.model.checks import build, read_back
from gnomon.model.experiment import RunDraft, RunError
from gnomon.service.evaluation.scoring import Finished
from gnomon.shorten import counted

_MOST_RUNS = 1000
"""In one request."""
_MOST_WAITING = 5000
_MOST_CHARACTERS = 8_000_000
_LONGEST_WAIT = 1.0
_ASK_AGAIN_SECONDS = 10.0


class Unsent:
    """Runs in a file, one per line, that wait for the server of their experiment."""

    def __init__(self, folder: Path, experiment_id: str) -> None:
        self.file = folder / f"{experiment_id}.jsonl"

    def keep(self, runs: Iterable[RunDraft]) -> None:
        """All of them or none: a line that was cut would join the next one."""
        lines = [run.model_dump_json(exclude_unset=True).encode() + b"\n" for run in runs]
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("ab", buffering=0) as file:
                _append(file, b"".join(lines))
        except OSError as fault:
            raise StoreTrouble(
                f"cannot keep {counted(len(lines), 'run')} in {self.file}: {fault.strerror or fault};"
                " free some space and run the same call again"
            ) from None

    def read(self) -> Iterator[RunDraft]:
        """The runs; the last line may be half written, when the process was killed."""
        if not self.file.exists():
            return
        with self.file.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield read_back(RunDraft, line)

    def clear(self) -> None:
        self.file.unlink(missing_ok=True)


def _append(file: FileIO, content: bytes) -> None:
    end, rest = file.seek(0, os.SEEK_END), memoryview(content)
    try:
        while rest:
            rest = rest[file.write(rest) :]
    except BaseException:
        file.truncate(end)
        raise


class RunStore:
    """Takes finished runs and stores them together: so many, so large, or so often."""

    def __init__(self, backend: Backend, experiment_id: str, unsent: Unsent, *, replace_failed: bool) -> None:
        self._backend, self._experiment_id, self._unsent = backend, experiment_id, unsent
        self._replace_failed = replace_failed
        self._runs: list[RunDraft] = []
        self._characters = 0
        self._last = time.monotonic()
        self._ask_again_at = 0.0
        self.trouble: GnomonError | None = None
        """Why runs wait in a file, if they do."""
        self.duplicates = 0
        """Runs that another process had stored already."""

    def add(self, finished: Iterable[Finished]) -> None:
        for run in finished:
            self._runs.append(_run(run))
            self._characters += run.size
            if len(self._runs) >= _MOST_WAITING or self._characters > _MOST_CHARACTERS:
                self.flush()
        if time.monotonic() - self._last > _LONGEST_WAIT:
            self.flush()

    def flush(self) -> None:
        runs, self._runs, self._characters = self._runs, [], 0
        try:
            while runs:
                self._store_or_keep(runs[:_MOST_RUNS])
                del runs[:_MOST_RUNS]
        except BaseException:  # Ctrl-C: whether they are stored is not known, and to store them again does no harm
            self._runs = [*runs, *self._runs]
            raise
        self._last = time.monotonic()

    def finish(self) -> None:
        """Store the rest, also what waits in the file; say what could not be."""
        self.flush()
        if self.trouble is not None:
            self._ask_again_at = 0.0
        self.send_unsent()
        if self.trouble is not None:
            waiting = sum(1 for _ in self._unsent.read())
            why = self.trouble.message
            why = why if why.endswith(("?", ".")) else f"{why}."
            raise StoreTrouble(
                f"{why} {counted(waiting, 'run')} are kept in {self._unsent.file}; run the same call again "
                "when it answers: they are sent first, and only what is missing is run"
            )

    def send_unsent(self) -> None:
        """Send what an evaluation before could not."""
        waiting = list(self._unsent.read())
        try:
            for start in range(0, len(waiting), _MOST_RUNS // 4):
                self._store(waiting[start : start + _MOST_RUNS // 4])
        except GnomonError as fault:
            if not _is_passing(fault):
                raise
            self.trouble = fault
            return
        self.trouble = None
        self._unsent.clear()

    def _store_or_keep(self, runs: list[RunDraft]) -> None:
        if time.monotonic() < self._ask_again_at:
            self._unsent.keep(runs)
            return
        try:
            self._store(runs)
        except GnomonError as fault:
            if not _is_passing(fault):
                raise
            self.trouble, self._ask_again_at = fault, time.monotonic() + _ASK_AGAIN_SECONDS
            self._unsent.keep(runs)

    def _store(self, runs: Sequence[RunDraft]) -> None:
        """All of them: too many at once are halved, refused ones become failed runs, stored ones are left out."""
        while runs:
            try:
                self._backend.add_runs(self._experiment_id, runs, replace_failed=self._replace_failed)
                return
            except TooLarge as refusal:
                if len(runs) == 1:
                    runs = [_refused(runs[0], refusal.message)]
                    continue
                self._store(runs[: len(runs) // 2])
                runs = runs[len(runs) // 2 :]
            except GnomonError as refusal:
                runs = self._without_refused(runs, refusal)

    def _without_refused(self, runs: Sequence[RunDraft], refusal: GnomonError) -> list[RunDraft]:
        bad = {problem.index: problem for problem in refusal.problems if problem.index is not None}
        doubled = [index for index, problem in bad.items() if problem.code == "DUPLICATE_RUN"]
        wrong = isinstance(refusal, InvalidInput) and all(runs[index].error is None for index in bad)
        if not bad or not (doubled or wrong):
            raise refusal
        self.duplicates += len(doubled)
        return [
            run if index not in bad else _refused(run, bad[index].message)
            for index, run in enumerate(runs)
            if index not in doubled
        ]


def _run(finished: Finished) -> RunDraft:
    pair = finished.pair
    return build(
        RunDraft, dataset_item_id=pair.item_id, trial=pair.trial, output=finished.output, error=finished.error,
        trace_id=finished.trace_id, scores=finished.scores or None,
    )  # fmt: skip


def _refused(run: RunDraft, message: str) -> RunDraft:
    error = RunError(message=f"the output could not be stored: {message}", type="OutputRefused")
    return run.model_copy(update={"output": None, "error": error, "scores": None})


def _is_passing(fault: GnomonError) -> bool:
    """Whether it may work later."""
    return isinstance(fault, StoreTrouble | Busy) or fault.code == UNREACHABLE
