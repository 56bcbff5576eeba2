"""What an operator sees of a server: its log, its health, and what a crash looks like from outside."""

import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import START_SECONDS, Server, start_server
from contract.caller import Api, fresh_project


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A server of this test's own, on a file that it may break."""
    server = start_server(f"sqlite:///{tmp_path / 'own.db'}", tmp_path / "home")
    yield server
    server.stop()


def test_the_log_is_json_and_tells_no_secrets_and_no_payloads(own: Server, tmp_path: Path) -> None:
    api = Api(own.http, own.admin_key, fresh_project())
    api.make("/datasets", {"project_id": api.project, "name": "very-private-words"})
    own.http.get("/v1/datasets?project_id=secret-in-query", headers={"Authorization": f"Bearer {own.admin_key}"})
    own.http.get("/v1/datasets", headers={"Authorization": "Bearer wrong-key", "X-Request-Id": "mine-1"})
    deadline = time.monotonic() + START_SECONDS
    while '"mine-1"' not in own.log.read_text() and time.monotonic() < deadline:  # a visit is noted after its answer
        time.sleep(0.01)
    lines = own.log.read_text().splitlines()
    visits = [json.loads(line) for line in lines if line.startswith("{")]
    created = next(visit for visit in visits if visit.get("method") == "POST")
    assert (created["path"], created["status"], created["key_id"]) == ("/v1/datasets", 201, "admin")
    refused = next(visit for visit in visits if visit.get("request_id") == "mine-1")
    assert (refused["status"], refused["key_id"]) == (401, None)
    for secret in ("very-private-words", "secret-in-query", own.admin_key, "wrong-key"):
        assert secret not in own.log.read_text()


def test_a_crash_shows_the_envelope_and_the_log_has_the_trace(own: Server, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "own.db") as file:
        file.execute("DROP TABLE jobs")
    answer = own.http.get("/v1/jobs?project_id=p", headers={"Authorization": f"Bearer {own.admin_key}"})
    assert answer.status_code == 500
    error = answer.json()["error"]
    assert error["code"] == "INTERNAL"
    assert "Traceback" not in answer.text
    assert answer.headers["x-request-id"]


def test_ready_means_that_the_database_is_ours(own: Server, tmp_path: Path) -> None:
    assert own.http.get("/readyz").status_code == 200
    with sqlite3.connect(tmp_path / "own.db") as file:
        file.execute("INSERT INTO gnomon_schema (version) VALUES (999)")
    assert own.http.get("/readyz").status_code == 503
    assert own.http.get("/healthz").status_code == 200


def test_the_page_takes_everything_from_its_own_server(server_on: Callable[[str], Server]) -> None:
    page = server_on("sqlite").http.get("/", headers={"Accept": "text/html"})
    assert page.headers["content-type"].startswith("text/html")
    assert "//" not in re.sub(r"<!--.*?-->", "", page.text, flags=re.DOTALL)
    assert "style=" not in page.text


def test_no_secret_is_in_the_database_also_when_a_key_is_made_with_an_idempotency_key(
    own: Server, tmp_path: Path
) -> None:
    asked = {"Authorization": f"Bearer {own.admin_key}", "Idempotency-Key": "once"}
    secret = own.http.post("/v1/keys", json={"role": "read"}, headers=asked).json()["key"]
    assert secret.startswith("gn_")
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("own.db*"))  # with what is still in the log
    assert b"remembered_answers" in kept
    assert b"once" in kept
    assert secret.encode() not in kept
    assert own.admin_key.encode() not in kept
