"""An SQLite file that is removed, replaced or cut under a running server.

SQLite would go on writing into a file without a name, and all of it would be gone with the process.
"""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from contract.caller import Api, Refusal, expect, span
from faults.victim import Victim


def remove(file: Path) -> None:
    file.rename(file.with_name("kept.db"))


def put_back(file: Path) -> None:
    file.with_name("kept.db").replace(file)


def replace_by_a_copy(file: Path) -> None:
    copy = file.with_name("copy.db")
    with sqlite3.connect(file) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    copy.replace(file)


def cut_in_half(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def empty(file: Path) -> None:
    os.truncate(file, 0)


def remove_the_log(file: Path) -> None:
    Path(f"{file}-wal").unlink()


def empty_the_log(file: Path) -> None:
    os.truncate(f"{file}-wal", 0)


def remove_the_index(file: Path) -> None:
    Path(f"{file}-shm").unlink()


def ingest(api: Api, trace: str) -> None:
    expect(201, api.post("/traces/ingest", {"project_id": "p", "spans": [span("a", trace)]}))


def assert_refuses_everything(api: Api) -> None:
    for answer in (
        api.post("/traces/ingest", {"project_id": "p", "spans": [span("a", "late")]}),
        api.post("/datasets", {"project_id": "p", "name": "late"}, idempotency_key="k"),
        api.get("/traces", project_id="p"),
    ):
        refused = Refusal.of(answer)
        assert refused.said == (503, "UNAVAILABLE")
        assert "gnomon.db" in refused.message
        assert "\n" not in refused.message
        assert answer.headers["retry-after"].isdigit()
    assert Refusal.of(api.http.get("/readyz")).said == (503, "NOT_READY")
    assert api.http.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    "harm",
    [remove, replace_by_a_copy, cut_in_half, empty, remove_the_log, empty_the_log, remove_the_index],
    ids=lambda harm: harm.__name__,
)
def test_nothing_is_acknowledged_once_the_file_is_not_the_one_that_was_opened(
    harm: Callable[[Path], None], victim, tmp_path: Path
):
    file = tmp_path / "gnomon.db"
    server: Victim = victim(f"sqlite:///{file}", "--no-worker").start()
    with server.api() as api:
        ingest(api, "before")
        harm(file)
        assert_refuses_everything(api)
        assert_refuses_everything(api)  # and goes on to: no new file passes for the old one
    server.stop()
    assert "Traceback" not in server.last_words()


def test_a_file_that_is_put_back_is_used_again_and_holds_what_was_acknowledged(victim, tmp_path: Path):
    file = tmp_path / "gnomon.db"
    server: Victim = victim(f"sqlite:///{file}", "--no-worker").start()
    with server.api() as api:
        ingest(api, "before")
        remove(file)
        assert_refuses_everything(api)
        put_back(file)
        ingest(api, "after")
        assert set(api.ids("/traces", project_id="p")) == {"before", "after"}
    server.kill()
    with server.start().api() as api:
        assert set(api.ids("/traces", project_id="p")) == {"before", "after"}


def test_a_log_that_was_removed_is_still_written_back_when_the_server_is_stopped(victim, tmp_path: Path):
    """What was acknowledged before is only in the log that the server holds open."""
    file = tmp_path / "gnomon.db"
    server: Victim = victim(f"sqlite:///{file}", "--no-worker").start()
    with server.api() as api:
        ingest(api, "before")
        remove_the_log(file)
        assert_refuses_everything(api)
    assert server.stop() == 0
    with server.start().api() as api:
        assert api.ids("/traces", project_id="p") == ["before"]


def test_a_log_that_sqlite_itself_made_shorter_is_no_harm(victim, tmp_path: Path):
    file = tmp_path / "gnomon.db"
    server: Victim = victim(f"sqlite:///{file}", "--no-worker").start()
    with server.api() as api:
        for number in range(5):
            ingest(api, f"before-{number}")
            with sqlite3.connect(file) as other:
                assert other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
            other.close()
            assert Path(f"{file}-wal").stat().st_size == 0
            ingest(api, f"after-{number}")
        assert len(api.ids("/traces", project_id="p")) == 10
        assert api.http.get("/readyz").status_code == 200
    assert server.stop() == 0
