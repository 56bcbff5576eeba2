"""A server process that a test may hurt: kill it, stop it, start it again on the same database.

It runs the command that a user runs. Waiting is always for a fact, with a deadline.
"""

import fcntl
import os
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import httpx2

import preloaded
from contract.caller import LOOPBACK, Api

KEY = "fault-tests-key"
PORTS = range(8450, 8500)
_claims: dict[int, IO[str]] = {}
PATIENCE = 600.0
"""Seconds until a test gives up on something that must happen. It is long, so that a busy machine fails no test."""


@dataclass
class Victim:
    """One place to listen and one database; processes come and go."""

    database_url: str
    home: Path
    options: tuple[str, ...] = ()
    port: int = field(default_factory=lambda: free_port())
    _process: preloaded.Process | None = None

    @property
    def log(self) -> Path:
        return self.home / "server.log"

    @property
    def process(self) -> preloaded.Process:
        assert self._process is not None, "it was never launched"
        return self._process

    @property
    def pid(self) -> int:
        return self.process.pid

    def launch(self) -> "Victim":
        """Start the process without waiting for it."""
        self.home.mkdir(parents=True, exist_ok=True)
        arguments = ["-m", "gnomon", "serve", "--port", str(self.port), *self.options]
        self._process = preloaded.start(arguments, self.environment(), self.log)
        return self

    def environment(self) -> dict[str, str]:
        return environment(self.database_url, self.home)

    def start(self) -> "Victim":
        self.launch()
        self.await_ready()
        return self

    def await_ready(self) -> None:
        eventually(self._answers, f"the server at port {self.port} to be ready")

    def _answers(self) -> bool:
        if (code := self.process.poll()) is not None:
            raise AssertionError(f"the server ended with {code}; its last words:\n{self.last_words()}")
        try:
            return httpx2.get(f"http://127.0.0.1:{self.port}/healthz", **LOOPBACK).status_code == 200
        except httpx2.TransportError:
            return False

    def last_words(self) -> str:
        return self.log.read_text(errors="replace")[-4000:]

    def kill(self) -> None:
        """As a power cut would, its worker included: no handler runs, no buffer is written."""
        os.killpg(self.pid, signal.SIGKILL)
        self.ended()

    def stop(self) -> int:
        self.process.terminate()
        return self.ended()

    def ended(self) -> int:
        """How it ended, once it has."""
        return self.process.wait(PATIENCE)

    def clear_away(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self.ended()
        give_back(self.port)

    @contextmanager
    def api(self) -> Iterator[Api]:
        """A caller with connections of its own: they do not outlive the server."""
        with httpx2.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=PATIENCE, **LOOPBACK) as http:
            yield Api(http, KEY, "p", bound=False)


def environment(database_url: str, home: Path) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("GNOMON_")}
    return own | {"GNOMON_DATABASE_URL": database_url, "GNOMON_HOME": str(home), "GNOMON_ADMIN_KEY": KEY}


def free_port() -> int:
    """One that nobody uses, and that no other test process picks until this one ends.

    A server binds its port a second after it is started: a look alone would give two of them the same.
    """
    for port in PORTS:
        claim = (Path(tempfile.gettempdir()) / f"gnomon-port-{port}.lock").open("w")
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as found:
                found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                found.bind(("127.0.0.1", port))
        except OSError:
            claim.close()
            continue
        _claims[port] = claim
        return port
    raise AssertionError(f"no port of {PORTS[0]} to {PORTS[-1]} is free")


def give_back(port: int) -> None:
    if claim := _claims.pop(port, None):
        claim.close()


def eventually(found: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
    """Ask until the answer is true, and return it."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if answer := found():
            return answer
        time.sleep(0.01)
    raise AssertionError(f"waited {patience:.0f} s for {what}")
