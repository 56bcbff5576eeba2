"""`gnomon key`: made, listed and revoked, in a file and through a server."""

import json
from pathlib import Path

import httpx2
import pytest

from cli.conftest import Run, running
from contract.caller import LOOPBACK


def test_a_key_made_in_the_file_opens_the_server_on_it_and_a_revoked_one_does_not(gnomon: Run, demo_db: Path):
    made = json.loads(gnomon("key", "create", "--role", "read", "--name", "ci", "--db", demo_db, "--json").out)
    with running("serve", "--db", str(demo_db)) as server:
        here = ("--url", server.url, "--key", made["key"])
        assert gnomon("summary", "answers-v1", *here).code == 0
        refused = gnomon("gate", "answers-v1", "--scorer", "contains", "--threshold", 0.1, *here)
        assert (refused.code, refused.err.count("\n")) == (3, 1)
        assert "`read`" in refused.err
        assert gnomon("key", "list", *here).code == 3
    assert gnomon("key", "revoke", made["id"], "--db", demo_db).code == 0
    with running("serve", "--db", str(demo_db)) as server:
        headers = {"Authorization": f"Bearer {made['key']}"}
        assert httpx2.get(f"{server.url}/v1/projects", headers=headers, **LOOPBACK).status_code == 401


def test_a_secret_is_shown_once(gnomon: Run, demo_db: Path):
    made = json.loads(gnomon("key", "create", "--role", "write", "--db", demo_db, "--json").out)
    assert set(made) == {"id", "name", "role", "project_id", "created_at", "expires_at", "key"}
    listed = gnomon("key", "list", "--db", demo_db)
    assert made["id"] in listed.out
    assert made["key"] not in listed.out
    as_json = gnomon("key", "list", "--db", demo_db, "--json")
    assert [key["id"] for key in json.loads(as_json.out)] == [made["id"]]
    assert made["key"] not in as_json.out


def test_a_new_key_in_words(gnomon: Run, demo_db: Path):
    done = gnomon("key", "create", "--role", "write", "--project", "support-demo", "--db", demo_db)
    assert "key (shown once): gn_" in done.out
    assert "role write, project support-demo" in done.out


def test_a_script_gets_the_key_alone(gnomon: Run, demo_db: Path):
    done = gnomon("key", "create", "--role", "read", "--quiet", "--db", demo_db)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("gn_")
    assert len(done.out.split()) == 1


def test_a_review_link_shows_a_reviewer_the_queue_alone(gnomon: Run, demo_db: Path):
    made = gnomon("key", "review-link", "--project", "support-demo", "--name", "Ana", "--db", demo_db)
    assert (made.code, made.out.count("\n")) == (0, 2)
    assert "http://127.0.0.1:8321/login#code=" in made.out
    link = json.loads(gnomon("key", "review-link", "--project", "support-demo", "--name", "Bo", "--days", 2,
                             "--db", demo_db, "--json").out)  # fmt: skip
    with running("serve", "--db", str(demo_db)) as server, httpx2.Client(base_url=server.url, **LOOPBACK) as browser:
        begun = browser.post("/v1/session", json={"code": link["review_url"].partition("=")[2]})
        assert (begun.status_code, begun.json()["role"], begun.json()["key_name"]) == (201, "reviewer", "Bo")
        assert browser.get("/v1/queue/next").status_code == 200
        assert browser.get("/v1/traces").status_code == 403
    refused = gnomon("key", "create", "--role", "reviewer", "--project", "support-demo", "--db", demo_db)
    assert (refused.code, "--name" in refused.err) == (2, True)


def test_no_keys_is_said_and_not_an_empty_table(gnomon: Run, demo_db: Path):
    assert "no keys" in gnomon("key", "list", "--db", demo_db).out
    assert json.loads(gnomon("key", "list", "--db", demo_db, "--json").out) == []


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["create", "--role", "owner"], 2, "--role"),
        (["create", "--role", "read", "--project", "not a project!"], 2, "--project"),
        (["create", "--role", "read", "--name", "x" * 300], 2, "--name"),
        (["revoke", "nobody"], 3, "key 'nobody' does not exist"),
    ],
)
def test_what_is_wrong_is_one_line(gnomon: Run, demo_db: Path, arguments, code, words):
    done = gnomon("key", *arguments, "--db", demo_db)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert words in done.err
