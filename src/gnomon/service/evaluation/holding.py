"""Holds an experiment while this process evaluates into it, so that another process begins its own."""

import contextlib
import itertools
import os
import platform
import threading
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from gnomon.errors import Conflict, GnomonError
from gnomon.model.backend import Backend
from gnomon.model.hold import HoldDraft

_LEASE_SECONDS = 30
_numbers = itertools.count(1)
_active: set[str] = set()
"""Holders in this process. One that could not let go, because the server was away, is none any more."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A process, known on its machine by its number and when it began: numbers are used again."""

    host: str
    pid: int
    began: str

    @classmethod
    def of_this_process(cls) -> "Holder":
        return cls(platform.node() or "this machine", os.getpid(), _began(os.getpid()))

    @classmethod
    def read(cls, text: str) -> "Holder | None":
        """None when another program wrote it."""
        host, _, rest = text.partition(" process ")
        parts = rest.split(" ")
        return cls(host, int(parts[0]), parts[1]) if len(parts) >= 2 and parts[0].isdecimal() else None

    def named(self, number: int) -> str:
        return f"{self.host} process {self.pid} {self.began} evaluation {number}"

    @property
    def is_dead(self) -> bool:
        """Known to have ended; of a process on another machine nothing is known."""
        if self.host != Holder.of_this_process().host:
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except OSError:  # it lives, and belongs to another user
            return False
        return _began(self.pid) != self.began


def _began(pid: int) -> str:
    try:  # Linux: the 22nd field, in ticks since the machine started; the second may hold spaces
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return "-"


class HeldExperiment:
    """The experiment is ours until the end of the `with`; renewed in the background, gone soon when we die."""

    def __init__(self, backend: Backend, experiment_id: str) -> None:
        self._backend, self._experiment_id = backend, experiment_id
        self.holder = Holder.of_this_process().named(next(_numbers))
        self._ended = threading.Event()

    def take(self, experiment_holder: str | None = None) -> None:
        """Raises `Conflict` when another live process has it."""
        try:
            self._ask(_LEASE_SECONDS, instead_of=experiment_holder)
            _active.add(self.holder)
        except Conflict as refusal:
            other = _named_in(refusal)
            if experiment_holder is not None or not _is_gone(other):
                raise
            self.take(other)

    def __enter__(self) -> Self:
        threading.Thread(target=self._renew, name="gnomon-hold", daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self._ended.set()
        _active.discard(self.holder)
        with contextlib.suppress(GnomonError):  # it ends by itself
            self._ask(0)

    def _renew(self) -> None:
        while not self._ended.wait(_LEASE_SECONDS / 3):
            try:
                self._ask(_LEASE_SECONDS)
            except GnomonError:  # the server may be away; runs are kept meanwhile
                continue

    def _ask(self, seconds: int, instead_of: str | None = None) -> None:
        draft = HoldDraft(holder=self.holder, seconds=seconds, instead_of=instead_of)
        self._backend.hold(self._experiment_id, draft)


def _is_gone(name: str) -> bool:
    holder = Holder.read(name)
    if holder is None:
        return False
    return name not in _active if holder == Holder.of_this_process() else holder.is_dead


def _named_in(refusal: Conflict) -> str:
    """The holder that a refusal names."""
    return next((problem.message for problem in refusal.problems if problem.field == "holder"), "")
