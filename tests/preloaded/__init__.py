"""Python processes that need not import anything first.

Loading a server takes two seconds of CPU, and the tests start hundreds of processes. Here everything is imported once,
in one process per test run that does nothing but fork (`server.py`). What it forks is a real process with its own
session, arguments, environment, working directory and standard streams, and it ends as any Python process ends.

- `command(...)` is what to hand to `subprocess` instead of `[sys.executable, ...]`. A small process (`relay.py`) stands
  for the real one: it hands over its streams, passes signals on and ends as the other ended. To kill the real one, send
  `KILL`: of SIGKILL the relay knows nothing, so that the real one would end a moment later than the relay.
- `start(...)` gives the real process: its `pid`, and no other process in between.

Where a test is about the start itself (what is imported when, which packages are missing, options of the interpreter),
or about what a process inherits, it starts Python from nothing: `tests/test_weight.py`, `tests/cli/test_main.py`.
"""

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path

KILL = signal.SIGUSR1
_HERE = Path(__file__).parent
RUN_VARIABLE = "GNOMON_TEST_RUN"


PREFIX = "gnomon-run-"
HELD = "held"
"""The file of a run's folder that is locked as long as one of its processes lives."""


def _run_folder() -> Path:
    """One folder per test run: the first process makes it, and all others inherit its name."""
    if RUN_VARIABLE not in os.environ:
        _remove_what_killed_runs_left()
        os.environ[RUN_VARIABLE] = tempfile.mkdtemp(prefix=PREFIX)
        _hold(Path(os.environ[RUN_VARIABLE]))
    return Path(os.environ[RUN_VARIABLE])


def _hold(folder: Path) -> None:
    file = (folder / f"un{HELD}").open("w")
    fcntl.flock(file, fcntl.LOCK_EX)
    os.rename(file.name, folder / HELD)
    _open_until_the_end.append(file)


def _remove_what_killed_runs_left() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError), (folder / HELD).open() as file:  # another user's, or held by a run
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _end_postgresql(folder)
            shutil.rmtree(folder, ignore_errors=True)


def _end_postgresql(folder: Path) -> None:
    with suppress(OSError, ValueError):
        pid = int((folder / "postgresql" / "postmaster.pid").read_text().partition("\n")[0])
        if str(folder).encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
            os.kill(pid, signal.SIGQUIT)


_open_until_the_end: list[TextIOWrapper] = []
IS_FIRST_PROCESS = RUN_VARIABLE not in os.environ
RUN_FOLDER = _run_folder()
ADDRESS = RUN_FOLDER / "preloaded"
_held_open: list[socket.socket] = []


def remove_run_folder() -> None:
    """At the end of the first process of a test run."""
    if IS_FIRST_PROCESS:
        shutil.rmtree(RUN_FOLDER, ignore_errors=True)


@contextmanager
def locked(name: str) -> Iterator[None]:
    """One process of the test run at a time."""
    with (RUN_FOLDER / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """A file that all processes of the test run read: the first that asks for it makes it."""
    file = RUN_FOLDER / name
    with locked(name):
        if not file.exists():
            unfinished = RUN_FOLDER / f"unfinished-{name}"
            make(unfinished)
            unfinished.rename(file)
    return file


def command(*arguments: object) -> list[str]:
    """A command line that does what `python *arguments` does: `command("-m", "gnomon", "demo")`."""
    _ensure_server()
    return [sys.executable, "-I", "-S", str(_HERE / "relay.py"), str(ADDRESS), *map(str, arguments)]


class Process:
    """A preloaded process, with the part of `subprocess.Popen` that the tests of servers use."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._received = b""
        self.pid = self._next_number(None)
        self.returncode: int | None = None

    def _next_number(self, timeout: float | None) -> int:
        self._connection.settimeout(timeout)
        while b"\n" not in self._received:
            received = self._connection.recv(64)
            if not received:
                raise RuntimeError(f"the process that forks has ended; see {ADDRESS}.log")
            self._received += received
        line, _, self._received = self._received.partition(b"\n")
        return int(line)

    def poll(self) -> int | None:
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """The exit code; negative is the signal that ended it."""
        if self.returncode is None:
            try:
                self.returncode = self._next_number(timeout)
            except (BlockingIOError, TimeoutError):
                raise subprocess.TimeoutExpired("a preloaded process", timeout or 0) from None
            self._connection.close()
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def start(arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> Process:
    """`python *arguments`, without standard input; what it writes is added to the log."""
    _ensure_server()
    connection = _connected()
    fields = {"arguments": list(arguments), "environment": dict(environment), "folder": os.getcwd()}
    with open(os.devnull, "rb") as nothing, log.open("ab") as written:
        streams = [nothing.fileno(), written.fileno(), written.fileno()]
        socket.send_fds(connection, [json.dumps(fields).encode() + b"\n"], streams)
        return Process(connection)


def _connected() -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(str(ADDRESS))
    return connection


def _ensure_server() -> None:
    """Start the process that forks, unless this run has one; it ends with the last test process that asked for it."""
    if _held_open:
        return
    with locked("preloaded"):
        if not ADDRESS.exists():
            _start_server()
        connection = _connected()
        connection.send(b"\n")  # asks for nothing, and is held open
        _held_open.append(connection)


def _start_server() -> None:
    with socket.socket(socket.AF_UNIX) as listener, Path(f"{ADDRESS}.log").open("wb") as log:
        listener.bind(str(ADDRESS))
        listener.listen(128)
        subprocess.Popen(
            [sys.executable, "-P", str(_HERE / "server.py"), str(listener.fileno())],
            pass_fds=[listener.fileno()], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
