"""`gnomon demo`: made once, and everything it prints works."""

import json
import shlex
import socket
from pathlib import Path

import httpx2
import pytest

from cli.conftest import Run, running
from contract.caller import LOOPBACK
from gnomon.client import Client
from gnomon.model.backend import find_experiment


def commands_in(out: str) -> list[list[str]]:
    """What stands behind the program's name, however it is called from here."""
    said = [line.partition("gnomon ")[2] for line in out.splitlines() if line.startswith("  ")]
    return [shlex.split(arguments) for arguments in said]


@pytest.mark.filterwarnings("error::sqlalchemy.exc.SAWarning")  # the first thing that a new user would read
def test_the_commands_that_it_prints_work(gnomon: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    done = gnomon("demo", "--no-serve", "--db", tmp_path / "a folder" / "demo.db")
    commands = commands_in(done.out)
    assert [command[0] for command in commands] == ["summary", "compare", "gate", "outcome", "leaderboard", "bench"]
    said = {"outcome": "78 iterations", "leaderboard": "5 agents on 3 items", "bench": "5 agents on 3 scenarios"}
    for command in commands:
        tried = gnomon(*command)
        assert (tried.code, tried.err) == (0, "")
        assert said.get(command[0], "contains") in tried.out
    assert "session-26" in (tmp_path / "trend.html").read_text("utf-8")
    assert "reference-flaky-0.5" in (tmp_path / "leaderboard.html").read_text("utf-8")


def test_a_port_in_use_is_said_before_anything_is_made(gnomon: Run, home: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = gnomon("demo", "--port", taken.getsockname()[1])
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert "choose another --port" in done.err
    assert not home.exists()


def test_the_second_time_it_is_there_already(gnomon: Run, home: Path, demo_db: Path):
    put_there(demo_db, home)
    first = json.loads(gnomon("demo", "--no-serve", "--json").out)
    second = json.loads(gnomon("demo", "--no-serve", "--json").out)
    assert first["database"] == str(home / "demo.db")
    assert first["made"] is False
    assert first == second


def put_there(demo_db: Path, home: Path) -> None:
    """The demo as it is after the first time."""
    home.mkdir()
    demo_db.rename(home / "demo.db")


def test_it_serves_what_is_there_and_its_key_opens_the_door(home: Path, demo_db: Path):
    put_there(demo_db, home)
    with running("demo", "--json") as server:
        told = json.loads(server.said)
        with Client(told["url"], told["key"]) as client:
            assert find_experiment(client, "answers-v2", "support-demo").status == "completed"
            assert client.project_summary("support-demo").traces.last_24h.count > 0
        assert httpx2.get(told["url"], **LOOPBACK).status_code == 200
        assert told["key"] == (home / "admin.key").read_text().strip()


def test_a_project_of_that_name_that_is_no_demo_is_left_alone(gnomon: Run, tmp_path: Path):
    gnomon("db", "upgrade", "--db", tmp_path / "mine.db")
    gnomon("key", "create", "--role", "read", "--project", "support-demo", "--db", tmp_path / "mine.db")
    done = gnomon("demo", "--no-serve", "--db", tmp_path / "mine.db")
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert "--db" in done.err


def test_on_postgresql_the_commands_say_the_same(gnomon: Run, demo_db: Path, new_postgresql):
    """Content hangs on the seed alone, so only ids and times differ between two demos."""
    url = new_postgresql()
    assert json.loads(gnomon("demo", "--no-serve", "--db", url, "--json").out)["made"] is True
    for command in (
        ["summary", "answers-v1"],
        ["compare", "answers-v1", "answers-v2"],
        ["gate", "answers-v2", "--scorer", "contains", "--threshold", 0.5],
    ):
        here, there = gnomon(*command, "--db", demo_db), gnomon(*command, "--db", url)
        assert here == there
        assert here.code == 0
    rows = [json.loads(gnomon("db", "check", "--db", db, "--json").out)["rows"] for db in (demo_db, url)]
    # How many these are depends on where midnight falls, and on the slots into which changes are counted.
    by_chance = dict.fromkeys(["score_days", "spending", "change_counts"])
    assert rows[0] | by_chance == rows[1] | by_chance
    assert gnomon("key", "create", "--role", "read", "--db", url).code == 0
    assert "pg_dump" in gnomon("db", "backup", "x.db", "--db", url).err
