"""Connections that are cut, and clients that are slow: nothing is stored by half, and nobody else waits."""

import json
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest

from contract.caller import Api, expect, fresh_project, span
from faults.victim import KEY, PATIENCE, Victim, eventually

SLOW_CLIENTS = 80
"""More than there are threads for work and connections to the database."""
ATTEMPTS = 10
"""On a very busy machine the slow clients' ten seconds may be over before twenty calls are."""


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Victim]:
    home = tmp_path_factory.mktemp("lines")
    server = Victim(f"sqlite:///{home}/gnomon.db", home).start()
    yield server
    server.clear_away()


@pytest.fixture
def api(server: Victim) -> Iterator[Api]:
    with server.api() as api:
        yield replace(api, project=fresh_project()).with_key("admin")


def hang_up(line: socket.socket) -> None:
    line.close()


def reset(line: socket.socket) -> None:
    """Close with an error in place of a farewell, as a crashed client's machine does."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


def fall_silent_first(line: socket.socket) -> None:
    """End our half, so that the server reads an end in the middle of the body."""
    line.shutdown(socket.SHUT_WR)
    line.settimeout(PATIENCE)
    line.recv(1 << 16)
    line.close()


def open_line(server: Victim) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)


def head(path: str, kind: str, *framing: str) -> bytes:
    lines = [f"POST /v1{path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {KEY}", f"Content-Type: {kind}"]
    return "\r\n".join([*lines, *framing, "", ""]).encode()


def half(body: bytes) -> Callable[[str, str], bytes]:
    """A request that announces its whole body and brings half of it."""
    return lambda path, kind: head(path, kind, f"Content-Length: {len(body)}") + body[: len(body) // 2]


def half_in_chunks(body: bytes) -> Callable[[str, str], bytes]:
    """The same without an announcement: whole lines have come, the end has not."""
    part = body[: len(body) // 2]
    chunk = f"{len(part):x}\r\n".encode() + part + b"\r\n"
    return lambda path, kind: head(path, kind, "Transfer-Encoding: chunked") + chunk


@pytest.mark.parametrize("ending", [hang_up, reset, fall_silent_first])
@pytest.mark.parametrize("cut", [half, half_in_chunks])
def test_a_batch_that_is_cut_stores_nothing(server, api, cut, ending):
    spans = [span(f"s{n}", f"t{n}") for n in range(200)]
    body = json.dumps({"project_id": api.project, "spans": spans}).encode()
    line = open_line(server)
    line.sendall(cut(body)("/traces/ingest", "application/json"))
    ending(line)
    _settled(server, api)
    assert api.ids("/traces") == []


@pytest.mark.parametrize("ending", [hang_up, reset, fall_silent_first])
@pytest.mark.parametrize("cut", [half, half_in_chunks])
def test_an_import_that_is_cut_stores_nothing(server, api, cut, ending):
    dataset = api.dataset()
    body = b'{"input": "a question"}\n' * 50_000
    line = open_line(server)
    line.sendall(cut(body)(f"/datasets/{dataset.id}/items/import", "application/x-ndjson"))
    ending(line)
    _settled(server, api)
    told = api.read(f"/datasets/{dataset.id}")
    assert (told["version"], told["item_count"]) == (1, 0)


def _settled(server: Victim, api: Api) -> None:
    """Until the server has let go of every line but ours, and still answers."""
    eventually(lambda: _open_lines(server) <= 1, "the server to notice that the line is cut")
    expect(200, api.get("/datasets", project_id=api.project))


def _open_lines(server: Victim) -> int:
    """Established connections on the server's side, as the kernel counts them."""
    here, established = f":{server.port:04X}", "01"
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(here) and row[3] == established for row in rows)


def test_a_client_that_leaves_before_the_answer_has_its_batch_stored_whole(server, api):
    body = json.dumps({"project_id": api.project, "spans": [span(f"s{n}", f"t{n}") for n in range(200)]}).encode()
    line = open_line(server)
    line.sendall(head("/traces/ingest", "application/json", f"Content-Length: {len(body)}") + body)
    line.close()
    eventually(lambda: len(api.ids("/traces")) == 200, "the batch to be there")


def is_open(line: socket.socket) -> bool:
    """Whether the server has neither answered nor hung up."""
    line.setblocking(False)
    try:
        line.recv(1)
    except BlockingIOError:
        return True
    return False


def test_slow_clients_keep_nobody_waiting(server, api):
    """Behind them, a quick call would be answered only after the server had hung up on them."""
    body = json.dumps({"project_id": api.project, "name": "slow"}).encode()
    began = head("/datasets", "application/json", f"Content-Length: {len(body)}") + body[:10]
    for attempt in range(1, ATTEMPTS + 1):
        with ExitStack() as stack:
            slow = [stack.enter_context(closing(open_line(server))) for _ in range(SLOW_CLIENTS)]
            for line in slow:
                line.sendall(began)
            for number in range(20):
                api.make("/datasets", {"name": f"quick {attempt} {number}"})
            if all(map(is_open, slow)):
                break
    else:
        pytest.fail("every time the server hung up on slow clients before it answered the others")
    assert len(api.ids("/datasets")) == 20 * attempt


def test_a_client_that_does_not_read_its_answer_keeps_nobody_waiting(server, api):
    """The answer is far larger than what fits between the two."""
    trace = api.trace(
        *[span(f"s{n}", input="x" * 20_000, **({"parent_span_id": "s0"} if n else {})) for n in range(500)]
    )
    asked = (
        f"GET /v1/traces/{trace}?project_id={api.project} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {KEY}\r\n\r\n"
    )
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(closing(open_line(server))).sendall(asked.encode())
        for number in range(20):
            api.make("/datasets", {"name": f"quick {number}"})
        assert len(api.ids("/datasets")) == 20


def test_what_is_not_http_is_refused_and_forgotten(server, api):
    for noise in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500), b"hello\r\n\r\n", b"\x00" * 1000):
        with closing(open_line(server)) as line:
            line.sendall(noise)
            line.shutdown(socket.SHUT_WR)
            answer = line.recv(1 << 16)
        assert answer == b"" or answer.startswith(b"HTTP/1.1 400")
    api.dataset()
