"""What keeps other sites away from a session: its cookie, where a request began, the server's names, and how often
logging in may fail."""

import socket
import sqlite3
import time
from pathlib import Path

import httpx2
import pytest

from conftest import START_SECONDS
from contract.caller import Refusal
from gnomon.server.sessions import MAX_FAILURES, Attempts

KEY = {"Authorization": "Bearer the-admin-key"}
OWN_PAGE = {"Sec-Fetch-Site": "same-origin", "X-Gnomon": "1"}
DATASET = {"name": "d", "project_id": "p"}


def logged_in(client: httpx2.Client) -> httpx2.Client:
    """The client, which sends the cookie from now on."""
    assert client.post("/v1/session", json={"key": "the-admin-key"}, headers=OWN_PAGE).status_code == 201
    return client


# --- where a request began ---


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Gnomon": "1"},
        {"X-Gnomon": "0", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "same-site", "X-Gnomon": "1"},
        {"Sec-Fetch-Site": "cross-site", "X-Gnomon": "1"},
        {"Sec-Fetch-Site": "none", "X-Gnomon": "1"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://HERE", "X-Gnomon": "1"},
        {"Origin": "http://evil.example", "X-Gnomon": "1"},
        {"Origin": "null", "X-Gnomon": "1"},
        {"Origin": "http://127.0.0.1:1", "X-Gnomon": "1"},
        {"Origin": "http://HERE"},
    ],
    ids=str,
)
def test_writing_with_a_session_must_come_from_its_own_page(serve, headers):
    client = logged_in(serve())
    here = client.base_url.netloc.decode()
    sent = {name: text.replace("HERE", here) for name, text in headers.items()}
    refused = Refusal.of(client.post("/v1/datasets", json=DATASET, headers=sent))
    assert refused.said == (403, "CSRF")
    assert "header Authorization" in refused.message
    assert Refusal.of(client.delete("/v1/session", headers=sent)).said == (403, "CSRF")
    assert client.get("/v1/datasets?project_id=p").json()["items"] == []


def test_it_may_say_so_by_its_site_or_by_its_origin(serve):
    client = logged_in(serve())
    assert client.post("/v1/datasets", json=DATASET, headers=OWN_PAGE).status_code == 201
    by_origin = {"Origin": str(client.base_url).rstrip("/"), "X-Gnomon": "1"}
    assert client.post("/v1/datasets", json={**DATASET, "name": "e"}, headers=by_origin).status_code == 201


def test_behind_a_proxy_the_origin_is_that_of_the_public_url(serve):
    client = serve(changed={"public_url": "http://gnomon.example.org"})
    headers = {"Origin": "http://gnomon.example.org", "X-Gnomon": "1"}
    assert client.post("/v1/session", json={"key": "the-admin-key"}, headers=headers).status_code == 201
    assert client.post("/v1/datasets", json=DATASET, headers=headers).status_code == 201


@pytest.mark.parametrize("site", ["same-site", "cross-site"])
def test_another_port_of_this_machine_reads_nothing_with_the_session(serve, site):
    client = logged_in(serve())
    assert Refusal.of(client.get("/v1/projects", headers={"Sec-Fetch-Site": site})).said == (403, "CSRF")
    for own in ({"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}, {}):
        assert client.get("/v1/projects", headers=own).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"}],
    ids=str,
)
def test_no_other_site_logs_a_browser_in(serve, headers):
    answer = serve().post("/v1/session", json={"key": "the-admin-key"}, headers=headers)
    assert Refusal.of(answer).said == (403, "CSRF")
    assert "set-cookie" not in answer.headers


def test_the_refusal_comes_in_its_place(serve):
    """401, 413, 404 and 405, the role, then this, then what is wrong with the request."""
    client = serve()
    reader = client.post("/v1/keys", json={"role": "read", "project_id": "p"}, headers=KEY).json()["key"]
    ended = {"Cookie": "gnomon_session=ended"}
    assert Refusal.of(client.post("/v1/datasets", json=DATASET, headers=ended)).said == (401, "UNAUTHORIZED")
    logged_in(client)
    assert Refusal.of(client.post("/v1/datasets", content=b" " * 33_000_000)).said[0] == 413
    assert Refusal.of(client.post("/v1/nowhere")).said == (404, "NOT_FOUND")
    assert Refusal.of(client.post("/v1/experiments/x")).said == (405, "METHOD_NOT_ALLOWED")
    assert Refusal.of(client.post("/v1/datasets?unknown=1", content=b"{")).said == (403, "CSRF")
    assert Refusal.of(client.post("/v1/datasets?unknown=1", content=b"{", headers=OWN_PAGE)).said[0] == 400
    client.cookies.clear()
    client.post("/v1/session", json={"key": reader}, headers=OWN_PAGE)
    assert Refusal.of(client.post("/v1/datasets", json=DATASET)).said == (403, "FORBIDDEN")


def test_no_answer_invites_other_sites(serve):
    client = serve()
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for answer in (
        client.options("/v1/session", headers=asked),
        client.get("/v1/projects", headers={**KEY, **asked}),
        client.get("/", headers=asked),
    ):
        assert not [name for name in answer.headers if name.startswith("access-control-")]


# --- the cookie ---


def test_over_https_the_cookie_is_one_that_only_https_can_set(serve):
    client = serve()
    behind_proxy = {**OWN_PAGE, "X-Forwarded-Proto": "https"}
    answer = client.post("/v1/session", json={"key": "the-admin-key"}, headers=behind_proxy)
    name, _, rest = answer.headers["set-cookie"].partition("=")
    token, _, attributes = rest.partition("; ")
    assert name == "__Host-gnomon_session"
    assert attributes == "Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure"
    for sent, status in ((name, 200), ("gnomon_session", 401)):
        asked = {"Cookie": f"{sent}={token}", "X-Forwarded-Proto": "https"}
        assert client.get("/v1/session", headers=asked).status_code == status


def test_a_session_ends_by_itself_and_is_removed(serve, tmp_path: Path):
    client = logged_in(serve())
    client.post("/v1/session/codes", headers=KEY)
    with sqlite3.connect(tmp_path / "gnomon.db") as file:
        ((created, expires),) = file.execute("SELECT created_at, expires_at FROM web_sessions").fetchall()
        assert expires - created == 43_200_000
        file.execute("UPDATE web_sessions SET expires_at = ?", (time.time_ns() // 1_000_000,))
        file.execute("UPDATE login_codes SET expires_at = ?", (time.time_ns() // 1_000_000,))
    deadline = time.monotonic() + START_SECONDS
    while client.get("/v1/session").status_code == 200 and time.monotonic() < deadline:  # remembered for two seconds
        time.sleep(0.1)
    assert Refusal.of(client.get("/v1/session")).said == (401, "UNAUTHORIZED")
    logged_in(client)
    with sqlite3.connect(tmp_path / "gnomon.db") as file:
        assert file.execute("SELECT count(*) FROM web_sessions").fetchone() == (1,)
        assert file.execute("SELECT count(*) FROM login_codes").fetchone() == (0,)


def test_a_code_that_is_too_old_is_none(serve, tmp_path: Path):
    client = serve()
    code = client.post("/v1/session/codes", headers=KEY).json()["code"]
    with sqlite3.connect(tmp_path / "gnomon.db") as file:
        file.execute("UPDATE login_codes SET expires_at = ?", (time.time_ns() // 1_000_000,))
    assert Refusal.of(client.post("/v1/session", json={"code": code})).said == (401, "UNAUTHORIZED")


def test_the_database_holds_no_token_and_no_code(serve, tmp_path: Path):
    client = logged_in(serve())
    code = client.post("/v1/session/codes", headers={**KEY, "Idempotency-Key": "once"}).json()["code"]
    again = client.post("/v1/session/codes", headers={**KEY, "Idempotency-Key": "once"}).json()["code"]
    token, files = client.cookies["gnomon_session"], list(tmp_path.glob("gnomon.db*"))
    assert code != again
    for file in files:
        content = file.read_bytes()
        for secret in (code, again, token, "the-admin-key"):
            assert secret.encode() not in content, file


# --- the server's names ---


def asked_as(client: httpx2.Client, host: str, path: str = "/docs", **headers: str) -> httpx2.Response:
    return client.get(path, headers={"Host": host, **headers})


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8321", "127.0.0.1:1", "[::1]:8321", "localhost.", "gnomon.local", "a.example:443"]
)
def test_a_server_answers_to_its_names(serve, host):
    client = serve(changed={"public_url": "https://a.example", "allowed_hosts": ("gnomon.local",)})
    assert asked_as(client, host).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8321", "localhost.evil.example", "10.1.2.3", "127.0.0.1.evil.example", ""]
)
def test_it_answers_to_no_other(serve, host):
    client = serve()
    for path in ("/", "/docs", "/openapi.json", "/nowhere", "/v1/projects", "/v1/nowhere"):
        answer = asked_as(client, host, path)
        refused = Refusal.of(answer)
        assert refused.said == (421, "MISDIRECTED"), path
        assert "--public-url" in refused.message
        assert answer.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"


def test_nor_with_a_session_nor_to_log_in(serve):
    client = logged_in(serve())
    foreign = {**OWN_PAGE, "Host": "evil.example"}
    assert Refusal.of(client.get("/v1/projects", headers=foreign)).said == (421, "MISDIRECTED")
    login = client.post("/v1/session", json={"key": "the-admin-key"}, headers={**foreign, **KEY})
    assert Refusal.of(login).said == (421, "MISDIRECTED")


def test_a_call_with_a_key_and_a_probe_of_its_health_may_use_any_name(serve):
    client = serve()
    assert asked_as(client, "gnomon:8321", "/v1/projects", **KEY).status_code == 200
    assert Refusal.of(asked_as(client, "gnomon:8321", "/v1/projects", Authorization="Bearer x")).said[0] == 401
    assert asked_as(client, "10.1.2.3:8321", "/healthz").status_code == 200
    assert asked_as(client, "10.1.2.3:8321", "/readyz").status_code == 200


def test_one_that_listens_beyond_this_machine_goes_by_any_address_and_by_the_machines_name(serve):
    client = serve(host="0.0.0.0")
    for host in ("10.1.2.3:8321", "[2001:db8::1]:8321", socket.gethostname(), "localhost", "0.0.0.0:8321"):
        assert asked_as(client, host).status_code == 200, host
    assert Refusal.of(asked_as(client, "evil.example")).said == (421, "MISDIRECTED")


def test_one_that_listens_on_one_name_goes_by_it(serve):
    assert asked_as(serve(host="192.0.2.7"), "192.0.2.7:8321").status_code == 200


# --- how often ---


def test_after_ten_failures_within_a_minute_an_address_must_wait(serve):
    client = serve()
    for n in range(MAX_FAILURES):
        logged_in(client)
        wrong = {"key": "wrong"} if n % 2 else {"code": "wrong"}
        assert Refusal.of(client.post("/v1/session", json=wrong)).said == (401, "UNAUTHORIZED")
    for body in ({"key": "wrong"}, {"key": "the-admin-key"}):
        answer = client.post("/v1/session", json=body, headers=OWN_PAGE)
        assert Refusal.of(answer).said == (429, "TOO_MANY_REQUESTS")
        assert 1 <= int(answer.headers["retry-after"]) <= 60
        assert f"{answer.headers['retry-after']} s" in Refusal.of(answer).message
    assert client.get("/v1/session", headers=OWN_PAGE).status_code == 200
    elsewhere = {**OWN_PAGE, "X-Forwarded-For": "192.0.2.7"}
    assert client.post("/v1/session", json={"key": "the-admin-key"}, headers=elsewhere).status_code == 201


def test_a_malformed_login_is_no_attempt(serve):
    client = serve()
    for _ in range(MAX_FAILURES + 1):
        assert Refusal.of(client.post("/v1/session", json={})).said[0] == 400
    logged_in(client)


def test_addresses_are_forgotten_before_they_fill_the_memory(monkeypatch):
    monkeypatch.setattr("gnomon.server.sessions._MAX_ADDRESSES", 3)
    attempts = Attempts()
    for n in range(10):
        attempts.count(f"192.0.2.{n}")
    assert len(attempts._times) <= 3
