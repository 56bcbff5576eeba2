"""pgbouncer in transaction mode before PostgreSQL: each transaction may be on another connection."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
import sqlalchemy as sa

from contract.caller import expect, span
from faults.victim import PATIENCE, Victim, eventually, free_port, give_back
from gnomon.service.upkeep.doctor import examine
from gnomon.store.engine import Connecting, Store, open_store

CALLERS, CALLS = 8, 30


@pytest.fixture
def direct(new_postgresql: Callable[[], str]) -> str:
    return new_postgresql()


@pytest.fixture
def pooled(direct: str) -> Iterator[str]:
    """The same database through a pgbouncer that gives its few connections to one transaction after the other."""
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.skip("pgbouncer is not installed (Debian: apt-get install pgbouncer): what it breaks was NOT tested")
    parts = urlsplit(direct)
    port, folder = free_port(), parse_qs(parts.query)["host"][0]
    private = tempfile.TemporaryDirectory(prefix="pgbouncer")  # pytest's own folders let nobody else in
    settings = Path(private.name) / "pgbouncer.ini"
    settings.write_text(f"""
[databases]
* = host={folder} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
ignore_startup_parameters = extra_float_digits
""")
    process = subprocess.Popen(
        [program, str(settings)], stderr=subprocess.DEVNULL, **_as_owner_of(Path(folder), settings)
    )
    try:
        eventually(lambda: _listens(port), "pgbouncer to listen")
        yield f"postgresql://postgres@127.0.0.1:{port}{parts.path}"
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        give_back(port)
        private.cleanup()


def _as_owner_of(folder: Path, settings: Path) -> dict[str, Any]:
    """pgbouncer refuses to run as root, and only its owner may look into the folder with PostgreSQL's socket."""
    owner = folder.stat().st_uid
    if os.geteuid() == owner:
        return {}
    for place in (settings, settings.parent):
        place.chmod(0o755)
    return {"user": owner, "group": pwd.getpwuid(owner).pw_gid, "cwd": "/"}


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
    except OSError:
        return False
    return True


def ask_often(store: Store) -> list[BaseException | None]:
    """Different questions in many threads, each often enough to be prepared; what went wrong."""

    def ask(number: int) -> BaseException | None:
        question = sa.text(f"SELECT {number % 7}, CAST(:given AS TEXT) AS given")
        try:
            answer = store.read(lambda db: db.execute(question, {"given": str(number)}).one())
            assert answer == (number % 7, str(number))
        except Exception as fault:
            return fault
        return None

    with ThreadPoolExecutor(CALLERS) as threads:
        return list(threads.map(ask, range(CALLERS * CALLS)))


@pytest.mark.parametrize("prepare", ["auto", "off"])
def test_every_question_is_answered_through_a_pooler(pooled: str, prepare: Any):
    with closing(open_store(pooled, connecting=Connecting(CALLERS, prepare))) as store:
        assert [fault for fault in ask_often(store) if fault is not None] == []


def test_preparing_in_spite_of_a_pooler_does_break(pooled: str):
    """Why there is a setting. Without this the test above would prove nothing."""
    with closing(open_store(pooled, connecting=Connecting(CALLERS, "on"))) as store:
        assert any(ask_often(store))


@pytest.mark.parametrize(("prepare", "are_prepared"), [("auto", True), ("on", True), ("off", False)])
def test_statements_are_prepared_where_no_pooler_is(direct: str, prepare: Any, are_prepared: bool):
    with closing(open_store(direct, connecting=Connecting(2, prepare))) as store:
        ask = sa.text("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%pg_prepared_statements%'")
        counts = [store.read(lambda db: db.execute(ask).scalar_one()) for _ in range(8)]
    assert any(counts) == are_prepared


def test_servers_work_through_a_pooler_as_they_come(pooled: str, victim):
    """No setting is needed: a server finds out by itself."""
    servers: list[Victim] = [victim(pooled, "--no-worker").launch() for _ in range(2)]
    for server in servers:
        server.await_ready()

    def write(caller: int) -> None:
        with servers[caller % 2].api() as api:
            for number in range(CALLS):
                name = f"{caller}-{number}"
                expect(201, api.post("/traces/ingest", {"project_id": "p", "spans": [span(name, name)]}))
                expect(200, api.get(f"/traces/{name}", project_id="p"))

    with ThreadPoolExecutor(CALLERS) as threads:
        for done in [threads.submit(write, caller) for caller in range(CALLERS)]:
            done.result(PATIENCE)
    with servers[0].api() as api:
        assert len(api.ids("/traces", project_id="p")) == CALLERS * CALLS


@pytest.mark.parametrize(
    ("prepare", "state", "says"),
    [("on", "warn", "set GNOMON_DATABASE_PREPARE=off"), ("auto", "ok", "statements are not prepared")],
)
def test_the_doctor_sees_a_pooler(pooled: str, tmp_path: Path, prepare: str, state: str, says: str):
    open_store(pooled).close()
    (found,) = [one for one in examine(tmp_path, pooled, 1024, prepare) if one.about == "pooler"]
    assert found.state == state
    assert "pgbouncer" in found.found
    assert says in f"{found.found}; {found.remedy}"


def test_the_doctor_sees_that_there_is_none(direct: str, tmp_path: Path):
    open_store(direct).close()
    (found,) = [one for one in examine(tmp_path, direct, 1024, "on") if one.about == "pooler"]
    assert (found.state, found.found) == ("ok", "connected to PostgreSQL directly")


def test_a_process_opens_no_more_connections_than_its_pool(direct: str):
    most = 3
    with closing(open_store(direct, connecting=Connecting(most))) as store, ThreadPoolExecutor(CALLERS) as threads:
        list(threads.map(lambda _: store.read(lambda db: db.execute(sa.text("SELECT pg_sleep(0.01)"))), range(40)))
        with psycopg.connect(direct, autocommit=True) as other:
            mine = (
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            counted = other.execute(mine).fetchone()
    assert counted is not None
    assert 1 <= counted[0] <= most
