"""Clients that are slow, endless or malformed: they are told so in the usual envelope, and hung up on.

Requirement: a head has ten seconds, 64 KiB and 100 headers; a body may take as long as it comes on.
"""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

import pytest

from faults.victim import KEY, PATIENCE, Victim

SERVED = b"HTTP/1.1 200"


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Victim]:
    home = tmp_path_factory.mktemp("slow")
    server = Victim(f"sqlite:///{home}/gnomon.db", home, ("--no-worker",)).start()
    yield server
    server.clear_away()


def line_to(server: Victim) -> Any:
    return closing(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE))


def heard(line: socket.socket) -> tuple[int, str]:
    """Status and code of the refusal, once the server has hung up."""
    answer = b""
    while chunk := line.recv(1 << 16):
        answer += chunk
    head, _, body = answer.partition(b"\r\n\r\n")
    error = json.loads(body)["error"]
    assert error.keys() == {"code", "message", "details"}
    assert b"connection: close" in head.lower()
    assert b"x-content-type-options: nosniff" in head.lower()
    return int(head.split()[1]), error["code"]


def test_a_connection_that_says_nothing_is_closed(server):
    with line_to(server) as line:
        assert heard(line) == (408, "REQUEST_TIMEOUT")


def test_a_head_of_one_byte_at_a_time_is_not_waited_for(server):
    with line_to(server) as line:
        trickle(line, b"GET /healthz HTTP/1.1\r\nX-Slow: " + b"a" * 1000)
        assert heard(line) == (408, "REQUEST_TIMEOUT")


def test_a_body_of_one_byte_at_a_time_is_not_waited_for(server):
    with line_to(server) as line:
        line.sendall(post("/v1/datasets", 1000))
        trickle(line, b'{"project_id": "p", "name": "' + b"a" * 1000)
        assert heard(line) == (408, "REQUEST_TIMEOUT")


def trickle(line: socket.socket, data: bytes) -> None:
    """One byte at a time until the server has had enough."""
    line.settimeout(0.2)
    for byte in data:
        try:
            line.sendall(bytes([byte]))
            if line.recv(1, socket.MSG_PEEK) is not None:
                break
        except TimeoutError:
            continue
        except OSError:
            break
    line.settimeout(PATIENCE)


def post(path: str, length: int, kind: str = "application/json") -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {KEY}\r\nContent-Type: {kind}\r\n"
    return f"{head}Content-Length: {length}\r\n\r\n".encode()


def test_a_slow_upload_that_comes_on_is_taken_however_long_it_takes(server):
    """Longer than any of the time limits, at eight times the least rate, so that a busy machine does not fall below."""
    with server.api() as api:
        dataset = api.make("/datasets", {"project_id": "p", "name": "slow"})["id"]
    row = json.dumps({"input": "x" * 8000}).encode() + b"\n"
    rows = 25
    path = f"/v1/datasets/{dataset}/items/import"
    with line_to(server) as line:
        line.sendall(post(path, len(row) * rows, "application/x-ndjson"))
        for _ in range(rows):
            line.sendall(row)
            time.sleep(1)
        assert line.recv(1 << 16).startswith((SERVED, b"HTTP/1.1 201"))


@pytest.mark.parametrize(
    "head",
    [
        b"GET /healthz HTTP/1.1\r\n" + b"".join(b"X-%d: a\r\n" % n for n in range(200)) + b"\r\n",
        b"GET /healthz HTTP/1.1\r\nX-Long: " + b"a" * 100_000 + b"\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nX-Endless: " + b"a" * 1_000_000,
    ],
    ids=["many", "long", "endless"],
)
def test_a_head_that_is_too_large_is_refused(server, head):
    hung_up_before_it_was_all_sent = suppress(ConnectionResetError, BrokenPipeError)
    with line_to(server) as line, hung_up_before_it_was_all_sent:
        line.sendall(head)
        assert heard(line) == (431, "HEADERS_TOO_LARGE")


@pytest.mark.parametrize(
    "nonsense", [b"\x16\x03\x01\x02\x00\x01\x00", b"GET / HTTP/9.9\r\n\r\n", b"hello there\r\n\r\n"], ids=range(3)
)
def test_what_is_not_http_is_answered_in_the_envelope(server, nonsense):
    with line_to(server) as line:
        line.sendall(nonsense)
        assert heard(line) == (400, "INVALID_REQUEST")


def test_a_client_that_waits_between_requests_is_served_again(server):
    """The limits are for requests; a quiet connection is closed by its own, as ever."""
    with line_to(server) as line:
        for _ in range(3):
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            answer = b""
            while not answer.endswith(b"}"):  # head and body may come one after the other
                answer += line.recv(1 << 16)
            assert answer.startswith(SERVED)
            time.sleep(1)


def test_hundreds_of_silent_clients_keep_nobody_waiting(server):
    lines = [socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) for _ in range(200)]
    try:
        for line in lines:
            line.sendall(post("/v1/datasets", 1_000_000) + b"{")
        with server.api() as api:
            api.make("/datasets", {"project_id": "p", "name": "meanwhile"})
    finally:
        for line in lines:
            line.close()
