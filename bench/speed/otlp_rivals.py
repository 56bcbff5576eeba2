"""Other tools' servers receive the same OTLP bytes on the loopback interface, as Gnomon does beside them.

Each tool is installed as for `rivals.py` and started as its documentation says, with an SQLite file and one worker.
Batches are sent one after the other on one connection; who answers 503 is sent the batch again, as exporters do. Some
acknowledge what is only in memory, so the time until everything is in the file is measured too. At the end some more
batches are sent; right after the last answer the server and its children are killed with SIGKILL, and the spans in its
file are counted: an acknowledged span that is not there is lost.
"""

import contextlib
import os
import signal
import socket
import sqlite3
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.speed.otlp_spans import BATCH, PROTOBUF, Batches, spans_kept
from bench.speed.rivals import CannotRunError, Tool, python_or_reason
from bench.speed.stand import Caller, Figure, RefusedError, free_port, serving, workplace

BATCHES = {"small": 5, "medium": 20, "full": 40}
BEFORE_THE_KILL = 5
START_SECONDS, STORED_SECONDS, LONGEST_SECONDS = 180, 120, 600


@dataclass(frozen=True)
class Receiver:
    """How a tool's server is started, what its requests need, and how its spans are counted."""

    tool: Tool
    command: Callable[[Path, Path, int], list[str]]
    """Of the folder with its programs, the folder of its data, and the port."""
    environment: Callable[[Path, int], Mapping[str, str]]
    ready: str
    file: str
    headers: Mapping[str, str]


RECEIVERS = (
    Receiver(
        Tool("Phoenix", "arize-phoenix", "", ""),
        lambda programs, folder, port: [str(programs / "phoenix"), "serve"],
        lambda folder, port: {
            "PHOENIX_WORKING_DIR": str(folder), "PHOENIX_HOST": "127.0.0.1", "PHOENIX_PORT": str(port),
            "PHOENIX_GRPC_PORT": str(_any_port()), "PHOENIX_TELEMETRY_ENABLED": "false",
            "PHOENIX_ALLOW_EXTERNAL_RESOURCES": "false",
        },
        "/healthz", "phoenix.db", {},
    ),
    Receiver(
        Tool("MLflow", "mlflow", "", ""),
        lambda programs, folder, port: [
            str(programs / "mlflow"), "server", "--host", "127.0.0.1", "--port", str(port), "--workers", "1",
            "--backend-store-uri", f"sqlite:///{folder}/mlflow.db", "--default-artifact-root",
            str(folder / "artifacts"),
        ],
        lambda folder, port: {"MLFLOW_DISABLE_TELEMETRY": "true"},
        "/health", "mlflow.db", {"x-mlflow-experiment-id": "0"},
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Received:
    """What a server did with the batches."""

    sent: int
    acknowledged_after: float
    stored_after: float | None
    """Seconds until all spans were in its file; None when they were not within two minutes."""
    batch_ms: float
    """The median batch."""
    cpu_per_span: float
    """Seconds, until all was stored."""
    in_all: int
    kept: int


def measure(folder: Path, size: str) -> list[Figure]:
    """Figures of Gnomon, then of each tool that can be run here."""
    figures = [*_figures("Gnomon", _gnomon(BATCHES[size]), "this version, every answer after a flush")]
    for receiver in RECEIVERS:
        name, python = receiver.tool.name, python_or_reason(receiver.tool, folder)
        try:
            if isinstance(python, str):
                raise CannotRunError(python)
            figures += _figures(name, _rival(receiver, python, BATCHES[size]), version_of(receiver, python))
        except (CannotRunError, OSError, SystemExit) as why:
            figures.append(Figure(f"{name}, OTLP until acknowledged", None, "spans/s", note=str(why)[:300]))
    return figures


def _figures(name: str, found: Received, note: str) -> Iterator[Figure]:
    batch = f"{note}; a batch of {BATCH} in {found.batch_ms:.0f} ms, {found.cpu_per_span * 1e6:.0f} µs of CPU per span"
    yield Figure(f"{name}, OTLP until acknowledged", found.sent / found.acknowledged_after, "spans/s", note=batch)
    stored = None if found.stored_after is None else found.sent / found.stored_after
    yield Figure(f"{name}, OTLP until stored", stored, "spans/s")
    told = f"{found.in_all:,} acknowledged, {found.kept:,} kept"
    yield Figure(f"{name}, acknowledged and gone after kill -9", found.in_all - found.kept, "spans", note=told)


def _gnomon(batches: int) -> Received:
    with workplace() as folder:
        url = f"sqlite:///{folder}/gnomon.db"
        with serving(url, folder / "home") as server:

            def kill() -> None:
                server.process.kill()
                server.process.wait(60)

            return _received(Served(server.port, server.cpu_seconds, kill, lambda: spans_kept(url)), batches, {})


def _rival(receiver: Receiver, python: Path, batches: int) -> Received:
    with workplace() as data, running(receiver, python.parent, data) as served:
        return _received(served, batches, receiver.headers)


@dataclass(frozen=True)
class Served:
    """A server that is running, whoever's it is."""

    port: int
    cpu_seconds: Callable[[], float]
    kill: Callable[[], None]
    kept: Callable[[], int]


def _received(served: Served, batches: int, headers: Mapping[str, str]) -> Received:
    made = Batches(6)
    requests = [
        Caller.request("POST", "/traces", made.otlp(number), PROTOBUF, headers)
        for number in range(1 + batches + BEFORE_THE_KILL)
    ]
    try:
        _send(served.port, requests[:1])  # what is loaded and made with the first request
        _stored(served, BATCH)
        cpu, began = served.cpu_seconds(), time.perf_counter()
        took = _send(served.port, requests[1 : batches + 1])
        acknowledged_after = time.perf_counter() - began
        stored = _stored(served, (batches + 1) * BATCH)
        stored_after = max(acknowledged_after, stored - began) if stored else None
        computed = served.cpu_seconds() - cpu
        _send(served.port, requests[batches + 1 :])
    finally:
        served.kill()
    sent, ms = batches * BATCH, statistics.median(took) * 1000
    kept = served.kept()
    return Received(sent, acknowledged_after, stored_after, ms, computed / sent, len(requests) * BATCH, kept)


def _send(port: int, requests: Sequence[bytes]) -> list[float]:
    """Seconds until each was acknowledged. The connection is new: servers close one that was idle for some seconds."""
    took = []
    with contextlib.closing(Caller(port)) as caller:
        for request in requests:
            began = time.perf_counter()
            while not _is_taken(caller, request):
                if time.perf_counter() - began > LONGEST_SECONDS:
                    raise CannotRunError(f"a batch was answered with 503 for {LONGEST_SECONDS} s")
            took.append(time.perf_counter() - began)
    return took


def _is_taken(caller: Caller, request: bytes) -> bool:
    try:
        caller.send(request)
    except RefusedError as refused:
        if refused.status != 503:
            raise
        time.sleep(0.05)
        return False
    return True


def _stored(served: Served, spans: int) -> float | None:
    """When so many spans were in the file; None: not within two minutes."""
    deadline = time.perf_counter() + STORED_SECONDS
    while time.perf_counter() < deadline:
        with contextlib.suppress(sqlite3.OperationalError):  # it is being written
            if served.kept() >= spans:
                return time.perf_counter()
        time.sleep(0.02)
    return None


@contextlib.contextmanager
def running(receiver: Receiver, programs: Path, data: Path) -> Iterator[Served]:
    """Its server, in a group of processes of its own, so that its children end with it."""
    port = free_port()
    environment = {**os.environ, **receiver.environment(data, port)}
    log = data / "server.log"
    with log.open("wb") as written:
        process = subprocess.Popen(
            receiver.command(programs, data, port), env=environment, cwd=data, stdout=written, stderr=written,
            start_new_session=True,
        )  # fmt: skip

    def kill() -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(60)

    try:
        _wait_until_ready(port, receiver.ready, process, log)
        yield Served(port, lambda: _cpu_of_group(process.pid), kill, lambda: _count(data / receiver.file))
    finally:
        kill()


def _cpu_of_group(group: int) -> float:
    """What a process and its children have computed so far, in seconds."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[2]) == group:
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _wait_until_ready(port: int, path: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    asked = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            line.sendall(asked)
            if line.recv(64).startswith(b"HTTP/1.1 200"):
                return
        time.sleep(0.1)
    raise SystemExit(f"its server did not start: {log.read_text('utf-8', 'replace')[-300:]}")


def _count(file: Path) -> int:
    with contextlib.closing(sqlite3.connect(file)) as database:
        return int(database.execute("SELECT count(*) FROM spans").fetchone()[0])


def version_of(receiver: Receiver, python: Path) -> str:
    code = f"import importlib.metadata; print(importlib.metadata.version({receiver.tool.package!r}))"
    done: Any = subprocess.run([python, "-c", code], capture_output=True, text=True)
    return str(done.stdout.strip())


def _any_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


if __name__ == "__main__":
    raise SystemExit("python -m bench.speed.otlp --rivals runs this")
