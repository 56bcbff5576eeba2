"""`gnomon serve`: how it starts, what it refuses, how it stops."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest

import preloaded
from cli.conftest import Run, running
from conftest import START_SECONDS
from contract.caller import LOOPBACK
from gnomon.extras import install_command


def items_of(url: str, key: str, dataset_id: str) -> int:
    headers = {"Authorization": f"Bearer {key}"}
    answer = httpx2.get(f"{url}/v1/datasets/{dataset_id}", headers=headers, **LOOPBACK)
    return int(answer.json()["item_count"])


def stopped(process: subprocess.Popen[str], how: signal.Signals = signal.SIGTERM) -> int:
    process.send_signal(how)
    return process.wait(timeout=START_SECONDS)


def test_a_server_that_is_stopped_as_soon_as_it_greets_stops(home: Path):
    command = preloaded.command("-m", "gnomon", "serve", "--port", "0")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "listens on" in process.stdout.readline()
        assert stopped(process) == 0


def test_the_first_start_makes_an_admin_key_and_shows_it_once(home: Path):
    file = home / "admin.key"
    with running("serve") as first:
        rest = first.out.readline()
        key = file.read_text().strip()
        assert key in rest
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        headers = {"Authorization": f"Bearer {key}"}
        assert httpx2.get(f"{first.url}/v1/keys", headers=headers, **LOOPBACK).status_code == 200
        assert stopped(first.process) == 0
    with running("serve") as second:
        assert stopped(second.process) == 0
        assert key not in second.said + second.out.read()


def test_two_first_starts_at_once_agree_on_one_key(home: Path):
    with ThreadPoolExecutor(2) as pool, ExitStack() as stack:
        servers = list(pool.map(stack.enter_context, [running("serve", "--json"), running("serve", "--json")]))
        key = (home / "admin.key").read_text().strip()
        for server in servers:
            headers = {"Authorization": f"Bearer {key}"}
            assert httpx2.get(f"{server.url}/v1/keys", headers=headers, **LOOPBACK).status_code == 200
        shown = [json.loads(server.said)["admin_key"] for server in servers]
        assert sorted(map(str, shown)) == sorted([str(None), key])


def test_json_tells_the_address_and_the_new_key(home: Path):
    with running("serve", "--json") as server:
        told = json.loads(server.said)
        assert told["url"] == server.url
        assert told["admin_key"] == (home / "admin.key").read_text().strip()


def test_a_configured_key_is_neither_shown_nor_written(home: Path):
    with running("serve", GNOMON_ADMIN_KEY="my-own-key") as server:
        stopped(server.process)
        assert "my-own-key" not in server.said + server.out.read()
    assert not (home / "admin.key").exists()


def test_sigterm_finishes_what_was_accepted():
    """Half of an upload is there when the signal comes; the rest still gets in, and is kept."""
    key = {"Authorization": "Bearer k"}
    with running("serve", GNOMON_ADMIN_KEY="k") as server:
        made = httpx2.post(
            f"{server.url}/v1/datasets", headers=key, json={"project_id": "p", "name": "d"}, **LOOPBACK
        ).json()["id"]

        def body() -> Iterator[bytes]:
            yield b'{"input": "before the signal"}\n'
            server.process.send_signal(signal.SIGTERM)
            until_nobody_listens(server.url)
            yield b'{"input": "after the signal"}\n'

        answer = httpx2.post(
            f"{server.url}/v1/datasets/{made}/items/import", content=body(), **LOOPBACK,
            headers={**key, "Content-Type": "application/x-ndjson"},
        )  # fmt: skip
        assert answer.json()["imported_count"] == 2
        assert server.process.wait(timeout=START_SECONDS) == 0
    with running("serve", GNOMON_ADMIN_KEY="k") as again:
        assert items_of(again.url, "k", made) == 2


def until_nobody_listens(url: str) -> None:
    host, port = url.removeprefix("http://").split(":")
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            socket.create_connection((host, int(port))).close()
        except OSError:
            return
        time.sleep(0.02)
    raise AssertionError("it went on listening")


def test_ctrl_c_ends_it_quietly():
    with running("serve") as server:
        assert stopped(server.process, signal.SIGINT) == 0
        assert "Traceback" not in server.err.read()


def test_a_port_in_use_is_one_line_and_nothing_is_made(gnomon: Run, home: Path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = gnomon("serve", "--port", port)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith(f"gnomon: cannot listen on 127.0.0.1:{port}: Address already in use; choose another")
    assert done.err.count("\n") == 1
    assert not home.exists()


def test_a_grpc_port_in_use_is_one_line_and_nothing_is_made(gnomon: Run, home: Path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = gnomon("serve", "--port", 0, "--otlp-grpc", port)
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert f"cannot listen on 127.0.0.1:{port}: Address already in use; choose another --otlp-grpc" in done.err
    assert not home.exists()


def test_without_grpcio_it_is_said_what_to_install(home: Path):
    start = "from gnomon.__main__ import main\nmain(['serve', '--port', '0', '--otlp-grpc', '0'])"
    code = f"import sys\nsys.modules['grpc'] = None\n{start}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr == f"gnomon: OTLP over gRPC needs the extra `grpc`; run: {install_command('grpc')}\n"


def test_the_address_for_grpc_is_told_and_its_server_stops_with_the_other():
    with running("serve", "--otlp-grpc", "0") as server:
        said = server.out.readline()
        assert said.startswith("OTLP over gRPC: http://127.0.0.1:")
        port = int(said.split()[3].rpartition(":")[2])
        socket.create_connection(("127.0.0.1", port)).close()
        assert stopped(server.process, signal.SIGTERM) == 0
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))


@pytest.mark.parametrize("host", ["no.such.host.invalid", "a" * 70 + ".invalid"])
def test_a_host_that_is_none_is_one_line(gnomon: Run, host):
    done = gnomon("serve", "--port", 0, "--host", host)
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert host in done.err


def test_a_file_that_is_no_database_is_one_line_and_no_key_is_wasted(gnomon: Run, home: Path, tmp_path: Path):
    file = tmp_path / "picture.db"
    file.write_bytes(os.urandom(10_000))
    before = file.read_bytes()
    done = gnomon("serve", "--port", 0, "--db", file)
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert "not a database" in done.err
    assert file.read_bytes() == before
    assert not (home / "admin.key").exists()


def test_a_home_that_cannot_be_written_is_one_line(gnomon: Run, tmp_path: Path, monkeypatch):
    (tmp_path / "a-file").write_text("")
    monkeypatch.setenv("GNOMON_HOME", str(tmp_path / "a-file"))
    done = gnomon("serve", "--port", 0, "--db", tmp_path / "x.db")
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert "GNOMON_HOME" in done.err


def test_an_emptied_key_file_is_said(gnomon: Run, home: Path):
    home.mkdir()
    (home / "admin.key").write_text("\n")
    done = gnomon("serve", "--port", 0)
    assert (done.code, done.err.count("\n")) == (3, 1)
    assert "admin.key is empty" in done.err
