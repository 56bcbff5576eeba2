"""Several server processes on one database, and how one of them leaves."""

import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import httpx2

from contract.caller import expect, span
from faults.victim import KEY, PATIENCE, Victim, eventually
from gnomon.store.engine import open_store
from gnomon.store.migrations import STEPS

STARTERS = 4
WRITES = 40


def test_servers_that_start_at_once_on_a_new_database_all_come_up(new_url, victim):
    """The schema is made once, whoever is first."""
    servers: list[Victim] = [victim(new_url, "--no-worker").launch() for _ in range(STARTERS)]
    for server in servers:
        server.await_ready()
    for number, server in enumerate(servers):
        with server.api() as api:
            api.make("/datasets", {"project_id": "p", "name": f"of server {number}"})
            assert len(api.ids("/datasets", project_id="p")) == number + 1
    assert [server.stop() for server in servers] == [0] * STARTERS
    store = open_store(new_url)
    reached = store.read(lambda db: db.exec_driver_sql("SELECT version FROM gnomon_schema ORDER BY 1").scalars().all())
    store.close()
    assert reached == list(range(1, len(STEPS) + 1))


def test_two_processes_write_to_one_database_and_nothing_is_refused_or_lost(new_url, victim):
    servers: list[Victim] = [victim(new_url, "--no-worker").launch() for _ in range(2)]
    for server in servers:
        server.await_ready()

    def write(server: Victim, writer: str) -> None:
        with server.api() as api:
            for number in range(WRITES):
                body = {"project_id": "p", "spans": [span(f"{writer}-{number}", f"{writer}-{number}")]}
                expect(201, api.post("/traces/ingest", body))

    with ThreadPoolExecutor() as threads:
        names = [(server, f"{side}{number}") for side, server in zip("ab", servers, strict=True) for number in range(3)]
        for done in [threads.submit(write, server, name) for server, name in names]:
            done.result(PATIENCE)
    for server in servers:
        with server.api() as api:
            assert len(set(api.ids("/traces", project_id="p"))) == len(names) * WRITES
        assert server.stop() == 0


def test_what_one_process_was_told_the_other_one_shows(new_url, victim):
    """No process remembers what another has changed since."""
    one, two = (victim(new_url, "--no-worker").launch() for _ in range(2))
    for server in (one, two):
        server.await_ready()
    with one.api() as first, two.api() as second:
        dataset = first.dataset([{"input": "q"}])
        assert second.read(f"/datasets/{dataset.id}")["item_count"] == 1
        second.delete(f"/datasets/{dataset.id}")
        assert first.get(f"/datasets/{dataset.id}").status_code == 404
        page = expect(200, first.get("/traces", project_id="p", limit=1))
        assert page["items"] == []


def test_a_cursor_of_one_process_holds_at_the_other(new_url, victim):
    one, two = (victim(new_url, "--no-worker").launch() for _ in range(2))
    for server in (one, two):
        server.await_ready()
    with one.api() as first, two.api() as second:
        made = [first.make("/datasets", {"project_id": "p", "name": f"d{number}"})["id"] for number in range(3)]
        page = expect(200, first.get("/datasets", project_id="p", limit=2))
        rest = expect(200, second.get("/datasets", project_id="p", limit=2, cursor=page["next_cursor"]))
        assert [row["id"] for row in page["items"] + rest["items"]] == made[::-1]


def test_sigterm_in_the_middle_of_load_loses_nothing_that_was_acknowledged(new_url, victim):
    server: Victim = victim(new_url, "--no-worker").start()
    told: list[str] = []
    enough = threading.Event()

    def write(writer: int) -> None:
        with server.api() as api:
            for number in range(10_000):
                name = f"{writer}-{number}"
                try:
                    answer = api.post("/traces/ingest", {"project_id": "p", "spans": [span(name, name)]})
                except httpx2.TransportError:
                    return  # the line was closed before the request was taken
                expect(201, answer)  # what is taken is finished: no refusal on the way out
                told.append(name)
                if len(told) > 50:
                    enough.set()

    with ThreadPoolExecutor() as threads:
        writers = [threads.submit(write, writer) for writer in range(4)]
        assert enough.wait(PATIENCE)
        assert server.stop() == 0
        for writer in writers:
            writer.result(PATIENCE)
    with server.start().api() as api:
        assert set(told) <= set(api.ids("/traces", project_id="p"))


def test_a_request_whose_body_is_under_way_at_sigterm_is_finished(new_url, victim):
    server: Victim = victim(new_url, "--no-worker").start()
    body = json.dumps({"project_id": "p", "name": "just in time"}).encode()
    asked = (
        f"POST /v1/datasets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {KEY}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)) as line:
        line.sendall(asked.encode() + body[:5])
        with server.api() as api:
            api.ids("/datasets", project_id="p")  # answered after ours was begun
        server.process.terminate()
        eventually(lambda: _refuses(server.port), "it to stop listening")
        line.sendall(body[5:])
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 201")
    assert server.ended() == 0
    with server.start().api() as api:
        assert len(api.ids("/datasets", project_id="p")) == 1


def _refuses(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
    except OSError:
        return True
    return False
