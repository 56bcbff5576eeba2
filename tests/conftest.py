"""A real server on SQLite and on PostgreSQL, and a small client that speaks with it.

A test that asks for `api` runs once per database, in a project of its own, with a key bound to that project.
Servers start once per test process (`processes`), in processes that were forked after everything was
imported (`preloaded`), and are stopped by their own process id. One PostgreSQL serves all processes of a run.
Nothing here knows how the server is built: it is started as a user starts it and spoken to over HTTP.
"""

import functools
import gc
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from hypothesis import HealthCheck, settings

import preloaded
import processes
from contract.caller import LOOPBACK, Api, fresh_project
from contract.document import Document
from contract.stored import note_database
from processes import pytest_addoption, pytest_runtestloop  # noqa: F401 - pytest finds hooks by their names

if TYPE_CHECKING:
    from databases import PostgreSQL

DATABASES = ["sqlite", "postgresql"]
STOP_SECONDS = 20
"""Until a server that was told to stop is killed."""
START_SECONDS = 600
"""Until a test gives up on a server that must become ready. It is long, so that a busy machine fails no test."""

# No clock decides about an example, and the same code meets the same examples, so that more of them would find little
# more; `make hunt` looks for new ones, and for many.
_UNTIMED: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("steady", derandomize=True, max_examples=40, **_UNTIMED)
settings.register_profile("quick", derandomize=True, max_examples=10, **_UNTIMED)
settings.register_profile("hunt", print_blob=True, max_examples=200, **_UNTIMED)
settings.load_profile("steady")

# Hundreds of processes start from the same sources: they keep what the first of them has compiled, also where Python is
# told not to, since compiling is a third of a start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Four processes share the cores already: a second thread of linear algebra would mostly wait for the first, and spin.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

processes.take_home()


@dataclass(frozen=True)
class Server:
    """A running `gnomon serve`: where it listens, its unbound admin key, and what it wrote to stderr."""

    url: str
    admin_key: str
    http: httpx2.Client
    process: preloaded.Process
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
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start_server(database_url: str, home: Path, *flags: str, **environment: str) -> Server:
    """Start one on a free port and wait until it says that it is ready. It knows no provider of models by itself."""
    admin_key = "admin-" + secrets.token_hex(16)
    foreign = ("GNOMON_", "OPENAI_", "ANTHROPIC_")
    own = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    own |= {"GNOMON_DATABASE_URL": database_url, "GNOMON_HOME": str(home), "GNOMON_ADMIN_KEY": admin_key}
    server = start_gnomon(["serve", *flags], own | environment, home)
    _hold_to_its_document(server)
    note_database(server.url, database_url)
    return server


def start_gnomon(arguments: list[str], environment: dict[str, str], home: Path) -> Server:
    """Start `gnomon serve` or `gnomon demo`, and wait until it is ready. It picks its port itself, so nobody else can
    take it in between."""
    home.mkdir(parents=True, exist_ok=True)
    log = home / "server.log"
    log.unlink(missing_ok=True)
    process = preloaded.start(["-m", "gnomon", *arguments, "--port", "0"], environment, log)
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if url := re.search(r"http://127\.0\.0\.1:\d+", log.read_text(errors="replace")):
            http = httpx2.Client(base_url=url.group(), timeout=START_SECONDS, **LOOPBACK)
            http.get("/healthz").raise_for_status()  # its socket listens already, so this waits until it answers
            return Server(url.group(), environment["GNOMON_ADMIN_KEY"], http, process, log)
        time.sleep(0.02)
    ended = process.poll()
    process.kill()
    what = f"was not ready after {START_SECONDS} s" if ended is None else f"ended with exit code {ended}"
    raise RuntimeError(f"the server {what}; its last words:\n{log.read_text(errors='replace')[-4000:]}")


def _hold_to_its_document(server: Server) -> None:
    """From now on an answer that the OpenAPI document does not know fails the test that gets it."""
    document = Document.of(server.http.get("/openapi.json").json())
    server.http.event_hooks = {"response": [document.check]}


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def pytest_configure(config: pytest.Config) -> None:
    if "GNOMON_COVERAGE" in os.environ:
        import line_coverage

        line_coverage.register(config)


def pytest_unconfigure() -> None:
    preloaded.remove_run_folder()


LONGEST_FILES = (
    "test_browser_views.py", "test_browser.py", "test_pages.py", "test_bombs.py", "test_plugin.py", "test_openapi.py",
    "test_slow_clients.py", "test_otlp.py", "test_judge_workers.py", "test_round_trip.py", "test_demo.py",
    "test_new_user.py", "test_outcomes.py", "test_shares.py", "test_strictness.py", "test_scoring.py", "test_rules.py",
    "test_eval.py", "test_export.py", "test_rubric_workers.py", "test_cards.py", "test_outcome.py",
    "test_browser_playground.py", "test_itemresponse.py", "test_evaluate.py", "test_text_search.py",
    "test_tracing_processes.py", "test_bench_items.py", "test_columns.py", "test_backend.py", "test_judge.py",
    "test_ask.py", "test_correction.py", "test_evaluate_faults.py", "test_docs.py",
)  # fmt: skip
"""Begun last, one of them would keep one process busy while the others have nothing left to do."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files come first; the others keep their order."""
    place = {name: number for number, name in enumerate(LONGEST_FILES)}
    items.sort(key=lambda item: place.get(item.path.name, len(LONGEST_FILES)))


def pytest_collection() -> None:
    gc.disable()


def pytest_collection_finish() -> None:
    """What was loaded and collected stays until the end: looking through it again and again for what could go would be
    a tenth of the run."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def postgresql() -> Iterator["PostgreSQL"]:
    """The PostgreSQL of this test run. It starts with the first database."""
    from databases import PostgreSQL

    instance = PostgreSQL()
    yield instance
    instance.close()


@pytest.fixture(scope="session")
def new_postgresql(postgresql: "PostgreSQL") -> Callable[[], str]:
    """Makes an empty PostgreSQL database and gives its URL."""
    return postgresql.new_database


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def url_with_schema(database: str, tmp_path: Path, postgresql: "PostgreSQL") -> Iterator[str]:
    """The URL of a database of this test's own that has our schema and nothing in it."""
    from databases import new_sqlite_with_schema

    if database == "sqlite":
        yield new_sqlite_with_schema(tmp_path / "gnomon.db")
    else:
        with postgresql.database_with_schema() as url:
            yield url


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
