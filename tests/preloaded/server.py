"""The process that forks: it imports what most processes of the tests need, and then waits for requests.

A connection is one process. It sends one line of JSON and three file descriptors, and gets the process id at once and
the exit code at the end. When the other side closes the connection first, the process is killed. A connection that
sends an empty line keeps this server alive; it ends with the last of them.
"""

import atexit
import contextlib
import gc
import importlib
import io
import json
import os
import runpy
import selectors
import signal
import socket
import sys
import threading
import time
import types
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PRELOADED = [
    "gnomon", "gnomon.cli.main", "gnomon.cli.serve", "gnomon.cli.demo", "gnomon.cli.mcp", "gnomon.mcp.server",
    "gnomon.server.app", "gnomon.server.logs", "gnomon.service.embedded", "gnomon.sdk.evaluating", "scipy.special",
    "psycopg", "rich.console", "rich.table", "uvicorn.lifespan.on", "uvicorn.loops.auto",
    "uvicorn.protocols.http.auto", "uvloop",
]  # fmt: skip
LARGEST_REQUEST = 1 << 20


@dataclass(eq=False)
class Connection:
    socket: socket.socket
    received: bytes = b""
    descriptors: list[int] = field(default_factory=list)
    pid: int | None = None
    keeps_alive: bool = False


class Forked(BaseException):
    """Raised in the child, so that it leaves the loop below and ends as a process of its own."""

    def __init__(self, request: dict[str, Any], descriptors: list[int]) -> None:
        self.request, self.descriptors = request, descriptors


class ForkServer:
    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._selector = selectors.DefaultSelector()
        self._connections: set[Connection] = set()
        self._woken, waking = socket.socketpair()
        for end in (self._woken, waking):
            end.setblocking(False)
        self._waking = waking
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
        self._selector.register(listener, selectors.EVENT_READ)
        self._selector.register(self._woken, selectors.EVENT_READ)

    def run(self) -> None:
        was_asked = False
        while not was_asked or any(connection.keeps_alive for connection in self._connections):
            for key, _ in self._selector.select():
                if key.fileobj is self._listener:
                    self._accept()
                elif key.fileobj is self._woken:
                    self._report_ended()
                else:
                    self._read(key.data)
            was_asked = was_asked or any(connection.keeps_alive for connection in self._connections)
        for connection in list(self._connections):
            self._close(connection)

    def _accept(self) -> None:
        accepted, _ = self._listener.accept()
        connection = Connection(accepted)
        self._connections.add(connection)
        self._selector.register(accepted, selectors.EVENT_READ, connection)

    def _read(self, connection: Connection) -> None:
        try:
            data, descriptors, _, _ = socket.recv_fds(connection.socket, LARGEST_REQUEST, 3)
        except ConnectionError:
            data, descriptors = b"", []
        connection.received += data
        connection.descriptors += descriptors
        if not data:
            self._close(connection)
        elif connection.received == b"\n":
            connection.keeps_alive = True
        elif connection.received.endswith(b"\n"):
            self._fork(connection)

    def _fork(self, connection: Connection) -> None:
        request = json.loads(connection.received)
        pid = os.fork()
        if pid == 0:
            self._leave()
            raise Forked(request, connection.descriptors)
        for descriptor in connection.descriptors:
            os.close(descriptor)
        connection.pid = pid
        self._tell(connection, pid)

    def _leave(self) -> None:
        """What a child does not share with this server."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._selector.close()
        for end in (
            self._listener,
            self._woken,
            self._waking,
            *(_connection.socket for _connection in self._connections),
        ):
            end.close()

    def _report_ended(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._woken.recv(4096)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            for connection in [_connection for _connection in self._connections if _connection.pid == pid]:
                connection.pid = None
                self._tell(connection, os.waitstatus_to_exitcode(status))

    @staticmethod
    def _tell(connection: Connection, number: int) -> None:
        with contextlib.suppress(ConnectionError):
            connection.socket.sendall(f"{number}\n".encode())

    def _close(self, connection: Connection) -> None:
        self._connections.discard(connection)
        self._selector.unregister(connection.socket)
        connection.socket.close()
        if connection.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(connection.pid, signal.SIGKILL)


def become(request: dict[str, Any], descriptors: list[int]) -> None:
    """Be the process that was asked for: `python -m module …`, `python -c code …` or `python script …`."""
    gc.freeze()  # a walk through what was loaded would copy every page of it
    os.setsid()
    for stream, descriptor in enumerate(descriptors):
        os.dup2(descriptor, stream)
    for descriptor in descriptors:
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    os.chdir(request["folder"])
    _open_streams()
    first, *rest = request["arguments"]
    search = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    if first == "-m":
        sys.path[:0] = [os.getcwd(), *search]
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif first == "-c":
        sys.path[:0] = ["", *search]
        sys.argv = ["-c", *rest[1:]]
        _run_as_main(compile(rest[0], "<string>", "exec"))
    else:
        sys.path[:0] = [os.path.dirname(os.path.realpath(first)), *search]
        sys.argv = [first, *rest]
        with io.open_code(first) as script:
            _run_as_main(compile(script.read(), first, "exec"), first)


def _run_as_main(code: types.CodeType, file: str | None = None) -> None:
    module = types.ModuleType("__main__")
    if file is not None:
        module.__file__ = file
    sys.modules["__main__"] = module
    exec(code, module.__dict__)


def _open_streams() -> None:
    """As an interpreter opens them when it starts."""
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    sys.stdout = sys.__stdout__ = _writer(1, "strict")  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _writer(2, "backslashreplace")  # type: ignore[misc]


def _writer(descriptor: int, errors: str) -> io.TextIOWrapper:
    is_line_buffered = descriptor == 2 or os.isatty(descriptor)
    raw = open(descriptor, "wb", closefd=False)  # noqa: SIM115
    return io.TextIOWrapper(raw, "utf-8", errors, line_buffering=is_line_buffered)


def measure_lines() -> None:
    """For `make coverage`: what is forked goes on measuring, and writes what it has run when it ends."""
    sys.path.append(str(Path(__file__).parents[1]))
    from line_coverage import new_coverage

    lines = new_coverage(suffix=True)
    atexit.register(lines.save)
    atexit.register(lines.stop)  # what is registered last is called first
    lines.start()


def main() -> None:
    listener = socket.socket(fileno=int(sys.argv[1]))
    if os.environ.get("GNOMON_COVERAGE") == "all":
        measure_lines()
    for name in PRELOADED:
        importlib.import_module(name)
    if threading.active_count() != 1:
        sys.exit(f"one of the preloaded modules started a thread: {threading.enumerate()}")
    gc.collect()
    try:
        ForkServer(listener).run()
    except Forked as child:
        request, descriptors = child.request, child.descriptors
    else:
        return
    become(request, descriptors)


if __name__ == "__main__":
    main()
