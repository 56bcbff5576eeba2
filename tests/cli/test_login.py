"""Login links: printed by servers and by `gnomon key login-link`, good once, and in no log."""

import json
import re
import time
from pathlib import Path

import httpx2
import pytest

from cli.conftest import Run, running
from conftest import START_SECONDS
from contract.caller import LOOPBACK, Refusal

LINK = re.compile(r"(http\S+)/login#code=([\w-]{43})")


def log_in(url: str, code: str) -> httpx2.Response:
    return httpx2.post(f"{url}/v1/session", json={"code": code}, **LOOPBACK)


def link_in(text: str) -> tuple[str, str]:
    """The server and the code of the one link that is there."""
    ((server, code),) = LINK.findall(text)
    return server, code


def test_a_server_prints_a_link_that_logs_in_once_as_its_admin_key(home: Path):
    with running("serve", "--json") as server:
        told = json.loads(server.said)
        url, code = link_in(told["login_url"])
        assert url == server.url
        answer = log_in(url, code)
        assert (answer.status_code, answer.json()["role"], answer.json()["project_id"]) == (201, "admin", None)
        assert answer.json()["key_name"] == "admin key of a server"
        assert Refusal.of(log_in(url, code)).said == (401, "UNAUTHORIZED")
        assert (home / "admin.key").read_text().strip() not in told["login_url"]


def test_in_words_it_says_how_long_the_link_works():
    with running("serve") as server:
        words = server.said + server.out.readline() + server.out.readline()
        assert "Log in from a browser (works once, for ten minutes): " in words
        assert log_in(*link_in(words)).status_code == 201


def test_a_key_from_the_environment_has_a_link_too_and_its_sessions_end_with_it(home: Path):
    with running("serve", "--json", GNOMON_ADMIN_KEY="my-own-key") as server:
        answer = log_in(*link_in(json.loads(server.said)["login_url"]))
        cookie = {"Cookie": f"gnomon_session={answer.cookies['gnomon_session']}"}
        assert httpx2.get(f"{server.url}/v1/session", headers=cookie, **LOOPBACK).json()["key_id"] == "admin"
    with running("serve", "--json", GNOMON_ADMIN_KEY="my-own-key") as again:
        assert httpx2.get(f"{again.url}/v1/session", headers=cookie, **LOOPBACK).status_code == 200
    with running("serve", "--json", GNOMON_ADMIN_KEY="another-key") as other:
        ended = httpx2.get(f"{other.url}/v1/session", headers=cookie, **LOOPBACK)
        assert Refusal.of(ended).said == (401, "UNAUTHORIZED")
    assert b"my-own-key" not in (home / "gnomon.db").read_bytes()


def test_the_demo_prints_one(demo_db: Path):
    with running("demo", "--json", "--db", str(demo_db)) as server:
        assert log_in(*link_in(json.loads(server.said)["login_url"])).status_code == 201


def test_a_link_names_the_address_that_browsers_know():
    with running("serve", "--json", "--public-url", "https://gnomon.example.org/") as server:
        url, code = link_in(json.loads(server.said)["login_url"])
        assert url == "https://gnomon.example.org"
        answer = log_in(server.url, code)
        assert answer.headers["set-cookie"].startswith("__Host-gnomon_session=")
        assert answer.headers["set-cookie"].endswith("; Secure")


def test_a_server_on_all_addresses_prints_a_link_that_can_be_opened():
    with running("serve", "--json", "--host", "0.0.0.0") as server:
        told = json.loads(server.said)
        assert told["url"].startswith("http://0.0.0.0:")
        assert told["login_url"].startswith("http://127.0.0.1:")
        assert log_in(*link_in(told["login_url"])).status_code == 201


def test_a_browser_is_opened_on_request(tmp_path: Path):
    script, opened = tmp_path / "browser", tmp_path / "opened"
    script.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}.part && mv {opened}.part {opened}\n')
    script.chmod(0o755)
    with running("serve", "--json", "--open", BROWSER=f"{script} %s") as server:
        deadline = time.monotonic() + START_SECONDS
        while not opened.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert opened.read_text() == json.loads(server.said)["login_url"]


# --- a new link ---


def test_a_new_link_for_a_running_server_is_made_in_its_database(gnomon: Run, home: Path):
    with running("serve") as server:
        done = gnomon("key", "login-link", "--public-url", server.url)
        assert done.code == 0
        url, code = link_in(done.out)
        assert log_in(url, code).json()["role"] == "admin"
        default = json.loads(gnomon("key", "login-link", "--json").out)
        assert set(default) == {"login_url", "key_id", "expires_at"}
        assert link_in(default["login_url"])[0] == "http://127.0.0.1:8321"


def test_through_a_server_it_is_for_the_key_that_is_used(gnomon: Run, demo_db: Path):
    key = json.loads(
        gnomon("key", "create", "--role", "read", "--project", "support-demo", "--db", demo_db, "--json").out
    )
    with running("serve", "--db", str(demo_db)) as server:
        done = gnomon("key", "login-link", "--url", server.url, "--key", key["key"])
        session = log_in(*link_in(done.out)).json()
        assert (session["role"], session["project_id"], session["key_id"]) == ("read", "support-demo", key["id"])


def test_without_an_admin_key_there_is_no_link(gnomon: Run, demo_db: Path):
    done = gnomon("key", "login-link", "--db", demo_db)
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert "gnomon key create --role admin" in done.err


@pytest.mark.parametrize("url", ["gnomon.example.org", "ftp://x", "https://user@host", "https://host/pa th"])
def test_an_address_that_is_none_is_one_line(gnomon: Run, url: str):
    done = gnomon("serve", "--public-url", url)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "--public-url" in done.err


# --- logs ---


def test_no_key_no_code_and_no_token_is_in_the_log(home: Path):
    with running("serve", "--json") as server:
        _, code = link_in(json.loads(server.said)["login_url"])
        key = (home / "admin.key").read_text().strip()
        token = log_in(server.url, code).cookies["gnomon_session"]
        httpx2.post(f"{server.url}/v1/session", json={"key": key}, **LOOPBACK)
        httpx2.post(f"{server.url}/v1/session", json={"key": "wrong-secret"}, **LOOPBACK)
        httpx2.get(f"{server.url}/login?code=typed-into-the-query", **LOOPBACK)
        last = {"Cookie": f"gnomon_session={token}", "X-Request-Id": "the-last"}
        httpx2.get(f"{server.url}/v1/session", headers=last, **LOOPBACK)
        log, deadline = "", time.monotonic() + START_SECONDS
        while "the-last" not in log and time.monotonic() < deadline:
            log += server.err.read()
        assert log.count('"path": "/v1/session"') == 4
        for secret in (code, key, token, "wrong-secret", "typed-into-the-query"):
            assert secret not in log
