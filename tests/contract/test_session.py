"""Sessions: a browser logs in with a key or a login link, and its cookie is good for its own page only."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import httpx2
import pytest

from conftest import Server
from contract.caller import LOOPBACK, Refusal, expect

OWN_PAGE = {"Sec-Fetch-Site": "same-origin", "X-Gnomon": "1"}
COOKIE = re.compile(r"gnomon_session=([\w-]{43}); Path=/; Max-Age=43200; HttpOnly; SameSite=Strict")


@dataclass(frozen=True)
class Browser:
    """A client that keeps cookies and speaks as the page does."""

    http: httpx2.Client

    def log_in(self, **by: str) -> httpx2.Response:
        return self.http.post("/v1/session", json=by, headers=OWN_PAGE)

    def call(self, method: str, path: str, **more: object) -> httpx2.Response:
        return self.http.request(method, f"/v1{path}", **{"headers": OWN_PAGE, **more})  # type: ignore[arg-type]

    @property
    def token(self) -> str:
        return str(self.http.cookies["gnomon_session"])


@pytest.fixture
def browser(server: Server) -> Iterator[Browser]:
    with httpx2.Client(base_url=server.url, timeout=600, **LOOPBACK) as http:
        http.event_hooks = server.http.event_hooks
        yield Browser(http)


def new_key(root, role: str = "read", **fields: str) -> dict[str, str]:
    made: dict[str, str] = root.make("/keys", {"role": role, **fields})
    return made


# --- who is calling ---


def test_a_key_learns_what_it_may_do(root):
    key = new_key(root, "write", project_id=root.project, name="of the build")
    assert replace(root, key=key["key"]).read("/session") == {
        "role": "write",
        "project_id": root.project,
        "key_id": key["id"],
        "key_name": "of the build",
        "expires_at": None,
        "share": None,
    }


def test_so_does_the_key_that_the_server_was_started_with(root):
    who = root.read("/session")
    assert (who["role"], who["project_id"], who["key_name"]) == ("admin", None, None)


def test_nobody_is_told_nothing(server):
    assert Refusal.of(server.http.get("/v1/session")).said == (401, "UNAUTHORIZED")


# --- logging in with a key ---


def test_a_key_is_exchanged_for_a_cookie_that_no_script_can_read(root, browser):
    key = new_key(root, "write", project_id=root.project, name="mine")
    answer = browser.log_in(key=key["key"])
    assert COOKIE.fullmatch(answer.headers["set-cookie"])
    session = expect(201, answer)
    assert (session["role"], session["project_id"], session["key_id"]) == ("write", root.project, key["id"])
    assert session["key_name"] == "mine"
    assert key["key"] not in answer.text
    assert browser.token not in answer.text
    assert expect(200, browser.call("GET", "/session")) == session
    made = browser.call("POST", "/datasets", json={"name": "from the page"})
    assert expect(201, made)["project_id"] == root.project


def test_the_servers_own_key_logs_in_too(root, browser):
    assert expect(201, browser.log_in(key=root.key))["role"] == "admin"
    assert expect(200, browser.call("GET", "/keys"))["limit"]


def test_a_session_may_do_what_its_key_may(root, browser):
    browser.log_in(key=new_key(root, project_id=root.project)["key"])
    expect(200, browser.call("GET", "/datasets"))
    assert Refusal.of(browser.call("POST", "/datasets", json={"name": "d"})).said == (403, "FORBIDDEN")


def test_every_login_is_a_session_of_its_own(root, browser):
    key = new_key(root)["key"]
    browser.log_in(key=key)
    first = browser.token
    browser.log_in(key=key)
    assert browser.token != first


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({}, 400, "a `key`, the `code` of a login link or the token of a `share`"),
        ({"key": "a", "code": "b"}, 400, "one of them"),
        ({"key": 5}, 400, "string"),
        ({"key": "x" * 600}, 400, "512"),
        ({"key": "gn_wrong"}, 401, "this key is not valid"),
        ({"key": ""}, 401, "this key is not valid"),
        ({"code": "wrong"}, 401, "this login link is not valid any more"),
    ],
    ids=str,
)
def test_a_login_that_is_not_good_sets_no_cookie(browser, body, status, words):
    answer = browser.http.post("/v1/session", json=body, headers=OWN_PAGE)
    refused = Refusal.of(answer)
    assert refused.said[0] == status
    assert words in refused.message
    assert "set-cookie" not in answer.headers


# --- the end of a session ---


def test_logging_out_ends_the_session_and_clears_the_cookie(root, browser):
    key = new_key(root)["key"]
    browser.log_in(key=key)
    token = browser.token
    answer = browser.call("DELETE", "/session")
    assert expect(200, answer)["deleted"] is True
    assert answer.headers["set-cookie"].startswith("gnomon_session=; Path=/; Max-Age=0;")
    kept = browser.http.get("/v1/session", headers={"Cookie": f"gnomon_session={token}"})
    assert Refusal.of(kept).said == (401, "UNAUTHORIZED")
    assert "log in again" in Refusal.of(kept).message
    expect(200, replace(root, key=key).get("/session"))


def test_a_key_has_no_session_to_end(root):
    assert Refusal.of(root.delete("/session")).said == (404, "NOT_FOUND")


def test_revoking_the_key_ends_its_sessions_and_its_login_links(root, browser):
    key = new_key(root)
    browser.log_in(key=key["key"])
    code = replace(root, key=key["key"]).make("/session/codes", None)["code"]
    expect(200, root.delete(f"/keys/{key['id']}"))
    assert Refusal.of(browser.call("GET", "/session")).said == (401, "UNAUTHORIZED")
    assert Refusal.of(browser.log_in(code=code)).said == (401, "UNAUTHORIZED")


def test_a_token_that_was_never_given_is_refused(browser):
    answer = browser.http.get("/v1/session", headers={"Cookie": "gnomon_session=invented"})
    assert Refusal.of(answer).said == (401, "UNAUTHORIZED")


def test_the_header_wins_over_the_cookie(root, browser):
    browser.log_in(key=root.key)
    reading = {"Authorization": f"Bearer {new_key(root)['key']}"}
    assert expect(200, browser.call("GET", "/session", headers=reading))["role"] == "read"
    wrong = {"Authorization": "Bearer wrong"}
    assert Refusal.of(browser.call("GET", "/session", headers=wrong)).said == (401, "UNAUTHORIZED")


def test_a_call_with_a_key_needs_nothing_of_what_a_session_needs(root, browser):
    browser.log_in(key=root.key)
    with_key = {"Authorization": f"Bearer {root.key}", "Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    expect(201, browser.call("POST", "/datasets", json={"name": "d", "project_id": root.project}, headers=with_key))


# --- login links ---


def test_a_code_logs_in_once_as_the_key_that_made_it(root, browser):
    key = new_key(root, "write", project_id=root.project)
    made = replace(root, key=key["key"]).make("/session/codes", None)
    assert set(made) == {"code", "key_id", "expires_at"}
    assert made["key_id"] == key["id"]
    session = expect(201, browser.log_in(code=made["code"]))
    assert (session["role"], session["key_id"], session["project_id"]) == ("write", key["id"], root.project)
    again = browser.log_in(code=made["code"])
    assert Refusal.of(again).said == (401, "UNAUTHORIZED")
    assert "works once" in Refusal.of(again).message


def test_the_servers_own_key_makes_codes_too(root, browser):
    made = root.make("/session/codes", None)
    assert made["key_id"] == "admin"
    assert expect(201, browser.log_in(code=made["code"]))["role"] == "admin"


def test_a_session_makes_no_codes(root, browser):
    browser.log_in(key=root.key)
    assert Refusal.of(browser.call("POST", "/session/codes")).said == (403, "FORBIDDEN")


def test_a_code_is_no_key_and_no_token(root, browser):
    code = root.make("/session/codes", None)["code"]
    assert Refusal.of(replace(root, key=code).get("/session")).said == (401, "UNAUTHORIZED")
    cookie = {"Cookie": f"gnomon_session={code}"}
    assert Refusal.of(browser.http.get("/v1/session", headers=cookie)).said == (401, "UNAUTHORIZED")
