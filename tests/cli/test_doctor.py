"""`gnomon doctor`: each line says what it found, and what to do."""

import json
import re
import socket
import tomllib
from pathlib import Path

from cli.conftest import Run
from gnomon import extras
from gnomon.extras import EXTRAS


def states(out: str) -> dict[str, str]:
    return {finding["about"]: finding["state"] for finding in json.loads(out)}


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def test_a_healthy_machine_is_all_ok_and_nothing_is_made(gnomon: Run, home: Path):
    port = free_port()
    done = gnomon("doctor", "--port", port)
    assert done.code == 0
    assert set(states(gnomon("doctor", "--port", port, "--json").out).values()) == {"ok"}
    assert {line.split()[0] for line in done.out.splitlines()} == {"ok"}
    assert not home.exists()
    assert not list(home.parent.iterdir())


def test_a_database_that_is_there_is_told_with_its_version(gnomon: Run, demo_db: Path):
    assert f"{demo_db}, schema version" in gnomon("doctor", "--db", demo_db).out


def test_a_home_that_is_a_file_fails_with_a_remedy(gnomon: Run, tmp_path: Path, monkeypatch):
    (tmp_path / "a-file").write_text("")
    monkeypatch.setenv("GNOMON_HOME", str(tmp_path / "a-file"))
    done = gnomon("doctor", "--port", free_port())
    assert (done.code, done.err) == (3, "")
    assert "set GNOMON_HOME to another folder" in " ".join(done.out.split())  # long paths wrap


def test_a_broken_database_fails(gnomon: Run, tmp_path: Path):
    (tmp_path / "letter.db").write_text("Dear reader\n" * 100)
    done = gnomon("doctor", "--db", tmp_path / "letter.db", "--json")
    assert done.code == 3
    assert states(done.out)["database"] == "fail"


def test_a_postgresql_that_is_away_fails_and_its_password_stays_secret(gnomon: Run):
    done = gnomon("doctor", "--db", "postgresql://somebody:hush@127.0.0.1:1/x")
    assert done.code == 3
    assert "hush" not in done.out + done.err


def test_a_port_in_use_is_a_warning(gnomon: Run):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = gnomon("doctor", "--port", taken.getsockname()[1], "--json")
    assert done.code == 0
    assert states(done.out)["port"] == "warn"


def test_every_extra_of_the_package_is_known_with_what_it_brings():
    declared = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    named = declared["project"]["optional-dependencies"]
    assert set(EXTRAS) == set(named) - {"all"}
    assert set(re.findall(r"\w+", named["all"][0])) - {"gnomon"} == set(EXTRAS)


def test_an_extra_that_is_missing_is_told_with_what_it_would_give(gnomon: Run, monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name in ("mcp", "uvicorn") else object())
    done = gnomon("doctor", "--port", free_port(), "--json")
    found = {finding["about"]: finding for finding in json.loads(done.out)}
    assert (done.code, found["extra server"]["state"], found["extra mcp"]["state"]) == (3, "fail", "warn")
    assert found["extra mcp"]["found"] == "without mcp; it gives `gnomon mcp`: results for a coding agent"
    assert found["extra mcp"]["remedy"] == extras.install_command("mcp")
    assert found["extra judge"]["state"] == "ok"


def test_the_install_command_works_from_where_gnomon_came(monkeypatch, tmp_path: Path):
    clone = Path(__file__).parents[2]
    monkeypatch.chdir(clone)
    assert extras.install_command("judge") == "pip install -e '.[judge]'"
    monkeypatch.chdir(tmp_path)
    assert extras.install_command("judge") == f"pip install -e '{clone}[judge]'"
    monkeypatch.setattr(extras, "__file__", str(tmp_path / "site-packages" / "gnomon" / "extras.py"))
    monkeypatch.setattr(extras, "_installed_from", lambda: None)
    assert extras.install_command("judge") == "pip install 'gnomon[judge]'"
    monkeypatch.setattr(extras, "_installed_from", lambda: "/srv/gnomon")
    assert extras.install_command("judge") == "pip install '/srv/gnomon[judge]'"
