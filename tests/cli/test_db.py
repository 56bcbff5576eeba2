"""`gnomon db`: upgrade, backup while others write, check."""

import json
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import httpx2
import pytest

from cli.conftest import Run, running
from contract.caller import LOOPBACK


def test_an_upgrade_makes_a_database_and_the_next_one_finds_it_up_to_date(gnomon: Run, home: Path):
    first = json.loads(gnomon("db", "upgrade", "--json").out)
    assert (home / "gnomon.db").exists()
    assert first["before"] == 0
    assert first["after"] >= 1
    assert "up to date" in gnomon("db", "upgrade").out


def test_a_check_counts_every_table_and_finds_nothing_wrong(gnomon: Run, demo_db: Path):
    done = gnomon("db", "check", "--db", demo_db)
    assert done.code == 0
    assert "No problems found." in done.out
    told = json.loads(gnomon("db", "check", "--db", demo_db, "--json").out)
    assert told["problems"] == []
    assert told["schema_version"] == told["newest_version"]
    with closing(sqlite3.connect(demo_db)) as db:
        for table in ("runs", "dataset_items"):
            (count,) = db.execute(f"SELECT count(*) FROM {table}").fetchone()
            assert told["rows"][table] == count > 0


def test_a_damaged_file_is_found_out(gnomon: Run, demo_db: Path):
    with demo_db.open("r+b") as file:
        file.seek(demo_db.stat().st_size // 2)
        file.write(b"\x5a" * 20_000)
    done = gnomon("db", "check", "--db", demo_db)
    assert done.code == 3
    assert done.err.count("\n") <= 1
    assert "problem: " in done.out or "malformed" in done.err


def test_a_database_of_a_newer_gnomon_is_refused_with_the_remedy(gnomon: Run, demo_db: Path):
    with closing(sqlite3.connect(demo_db)) as db, db:
        db.execute("INSERT INTO gnomon_schema (version) VALUES (999)")
    done = gnomon("db", "check", "--db", demo_db)
    assert done.code == 3
    assert "999" in done.out
    assert "upgrade Gnomon" in done.out
    for command in (["db", "upgrade"], ["summary", "answers-v1"]):
        refused = gnomon(*command, "--db", demo_db)
        assert (refused.code, refused.out, refused.err.count("\n")) == (3, "", 1)
        assert "999" in refused.err
        assert "; upgrade Gnomon" in refused.err


def test_a_backup_is_the_database(gnomon: Run, demo_db: Path, tmp_path: Path):
    copy = tmp_path / "copy.db"
    done = gnomon("db", "backup", copy, "--db", demo_db, "--json")
    assert json.loads(done.out) == {"file": str(copy), "bytes": copy.stat().st_size}
    for command in (["summary", "answers-v1"], ["compare", "answers-v1", "answers-v2"], ["db", "check", "--json"]):
        one, other = gnomon(*command, "--db", demo_db), gnomon(*command, "--db", copy)
        assert one.out.replace(str(demo_db), str(copy)) == other.out


def test_a_backup_taken_while_a_server_writes_is_whole(gnomon: Run, demo_db: Path, tmp_path: Path):
    """Every import adds 20 items in one transaction: a copy never holds a part of one."""
    with running("serve", "--db", str(demo_db), GNOMON_ADMIN_KEY="k") as server:
        http = httpx2.Client(base_url=server.url, headers={"Authorization": "Bearer k"}, **LOOPBACK)
        made = http.post("/v1/datasets", json={"project_id": "p", "name": "growing"}).json()["id"]
        lines, enough = b'{"input": 1}\n' * 20, threading.Event()
        sent: list[int] = []

        def write() -> None:
            while not enough.is_set():
                sent.append(http.post(f"/v1/datasets/{made}/items/import", content=lines,
                                      headers={"Content-Type": "application/x-ndjson"}).status_code)  # fmt: skip

        writer = threading.Thread(target=write)
        writer.start()
        try:
            copies = [tmp_path / f"copy-{number}.db" for number in range(5)]
            for copy in copies:
                assert gnomon("db", "backup", copy, "--db", demo_db).code == 0
        finally:
            enough.set()
            writer.join()
        http.close()
    assert set(sent) == {200}
    sizes = []
    for copy in copies:
        with closing(sqlite3.connect(copy)) as db:
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            (told,) = db.execute("SELECT item_count FROM datasets WHERE id = ?", [made]).fetchone()
            (there,) = db.execute("SELECT count(*) FROM dataset_items WHERE dataset_id = ?", [made]).fetchone()
        assert told == there
        assert told % 20 == 0
        sizes.append(told)
    assert sizes == sorted(sizes)


def test_a_backup_of_an_idle_database_changes_nothing_of_it(gnomon: Run, demo_db: Path, tmp_path: Path):
    before = demo_db.read_bytes()
    assert gnomon("db", "backup", tmp_path / "copy.db", "--db", demo_db).code == 0
    assert demo_db.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "demo.db"]


@pytest.mark.parametrize("name", ["demo.db", "there.db", "", "nowhere/copy.db"])
def test_a_backup_does_not_overwrite_by_accident(gnomon: Run, demo_db: Path, tmp_path: Path, name):
    (tmp_path / "there.db").write_text("precious")
    done = gnomon("db", "backup", tmp_path / name, "--db", demo_db)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert (tmp_path / "there.db").read_text() == "precious"


def test_a_backup_overwrites_when_told_to(gnomon: Run, demo_db: Path, tmp_path: Path):
    (tmp_path / "there.db").write_text("old")
    assert gnomon("db", "backup", tmp_path / "there.db", "--db", demo_db, "--overwrite").code == 0
    assert gnomon("db", "check", "--db", tmp_path / "there.db").code == 0


def test_a_backup_that_fails_leaves_nothing_behind(gnomon: Run, tmp_path: Path):
    (tmp_path / "letter.db").write_text("Dear reader\n" * 100)
    done = gnomon("db", "backup", tmp_path / "copy.db", "--db", tmp_path / "letter.db")
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["letter.db"]


def test_postgresql_is_backed_up_by_its_own_tool(gnomon: Run, tmp_path: Path):
    done = gnomon("db", "backup", tmp_path / "copy.db", "--db", "postgresql://nobody:secret@127.0.0.1:1/x")
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert "pg_dump" in done.err


@pytest.mark.parametrize("command", [["check"], ["backup", "copy.db"]])
def test_a_database_that_is_not_there_is_not_made(gnomon: Run, tmp_path: Path, command):
    done = gnomon("db", *command, "--db", tmp_path / "missing.db")
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert "missing.db" in done.err
    assert not (tmp_path / "missing.db").exists()
