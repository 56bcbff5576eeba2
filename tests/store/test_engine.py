"""One transaction each: durable when told, whole or not at all, and no neighbour is disturbed."""

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.errors import Conflict, StoreTrouble
from gnomon.store.engine import Store, explain, open_store
from gnomon.store.schema import insert_rows, settings

LAB = sa.create_engine("sqlite:////var/lib/lab.db")

PATIENCE = 600


def put(name: str, value: str = "v") -> Callable[[Connection], str]:
    def work(db: Connection) -> str:
        insert_rows(db, settings, [(name, value)])
        return name

    return work


def names(store: Store) -> set[str]:
    return set(store.read(lambda db: db.execute(sa.select(settings.c.name)).scalars().all()))


def test_what_write_returned_another_connection_sees(store: Store):
    assert store.write(put("a")) == "a"
    assert names(store) == {"a"}


def test_a_work_that_raises_stores_nothing_and_its_own_error_comes_out(store: Store):
    def work(db: Connection) -> None:
        put("a")(db)
        raise Conflict("changed my mind")

    with pytest.raises(Conflict, match="changed my mind"):
        store.write(work)
    assert names(store) == set()


def test_a_read_sees_one_moment(store: Store):
    """A write that ends between two questions of one reader is not seen by the second."""

    def work(db: Connection) -> list[int]:
        count = sa.select(sa.func.count()).select_from(settings)
        before = db.execute(count).scalar_one()
        store.write(put("meanwhile"))
        return [before, db.execute(count).scalar_one()]

    assert store.read(work) == [0, 0]
    assert names(store) == {"meanwhile"}


class Gate:
    """Holds the writer inside one work, so that others gather behind it and are committed together."""

    def __init__(self) -> None:
        self.inside, self.open = threading.Event(), threading.Event()

    def __call__(self, db: Connection) -> None:
        self.inside.set()
        assert self.open.wait(PATIENCE)


def together(store: Store, works: list[Callable[[Connection], Any]]) -> list[Any]:
    """Hand all of them to the writer at once; the answer, or the error, of each."""
    writer, gate = store._writer, Gate()
    assert writer is not None
    writer.submit(gate)
    assert gate.inside.wait(PATIENCE)
    promises = [writer.submit(work) for work in works]
    gate.open.set()
    return [promise.exception(PATIENCE) or promise.result() for promise in promises]


def refuse(db: Connection) -> None:
    put("of the refused one")(db)
    raise Conflict("no")


def test_a_refused_work_does_not_disturb_its_neighbours(sqlite_store: Store):
    one, refused, twice, other = together(sqlite_store, [put("one"), refuse, put("one"), put("other")])
    assert (one, other) == ("one", "other")
    assert isinstance(refused, Conflict)
    assert isinstance(twice, sa.exc.IntegrityError)
    assert names(sqlite_store) == {"one", "other"}


def test_those_who_wait_together_share_one_commit(sqlite_store: Store):
    writer = sqlite_store._writer
    assert writer is not None
    commits: list[Connection] = []
    sa.event.listen(writer._engine, "commit", commits.append)
    together(sqlite_store, [put(f"n{number}") for number in range(50)])
    assert len(commits) == 2, "one for the work that held the others up, one for all of them"


def test_a_commit_waits_for_the_disk(sqlite_store: Store):
    """What only a power cut would show: the settings that make SQLite flush before it answers."""
    pragma = lambda name: sqlite_store.write(lambda db: db.exec_driver_sql(f"PRAGMA {name}").scalar())  # noqa: E731
    full = 2
    assert (pragma("journal_mode"), pragma("synchronous")) == ("wal", full)


def test_neighbours_see_each_other_in_the_order_in_which_they_came(sqlite_store: Store):
    count = lambda db: db.execute(sa.select(sa.func.count()).select_from(settings)).scalar_one()  # noqa: E731
    assert together(sqlite_store, [count, put("a"), count, put("b"), count]) == [0, "a", 1, "b", 2]


def test_a_commit_that_fails_fails_all_and_the_next_one_works(sqlite_store: Store):
    """The transaction is ended behind the writer's back, so that its commit has nothing to commit."""

    def pull_the_rug(db: Connection) -> None:
        db.exec_driver_sql("ROLLBACK")

    answers = together(sqlite_store, [put("before"), pull_the_rug, put("after")])
    assert all(isinstance(answer, Exception) for answer in answers), answers
    assert names(sqlite_store) == set()
    assert sqlite_store.write(put("next")) == "next"
    assert names(sqlite_store) == {"next"}


def test_a_disk_that_fails_in_one_work_fails_the_whole_group(sqlite_store: Store):
    """A full disk concerns the transaction, not the one whose row met it first."""

    def full(db: Connection) -> None:
        raise sa.exc.OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))

    answers = together(sqlite_store, [put("before"), full, put("after")])
    assert {type(answer) for answer in answers} == {StoreTrouble}
    assert names(sqlite_store) == set()


def test_nobody_is_told_before_the_commit(sqlite_store: Store):
    """When a work is answered, a stranger who opens the file finds its row."""
    path = sqlite_store.engine.url.database
    assert path is not None

    def write(name: str) -> bool:
        sqlite_store.write(put(name))
        stranger = sqlite3.connect(path)
        try:
            return stranger.execute("SELECT count(*) FROM settings WHERE name = ?", (name,)).fetchone() == (1,)
        finally:
            stranger.close()

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(write, [f"n{number}" for number in range(100)]))


def test_writers_in_many_threads_lose_nothing(store: Store):
    with ThreadPoolExecutor(8) as threads:
        done = list(threads.map(lambda number: store.write(put(f"n{number}")), range(200)))
    assert names(store) == set(done) == {f"n{number}" for number in range(200)}


def test_the_same_key_from_two_threads_is_stored_once(store: Store):
    """On PostgreSQL the loser is run again; a work that looks first then finds the winner's row."""

    def claim(db: Connection) -> str:
        if db.execute(sa.select(settings.c.name).where(settings.c.name == "seat")).first():
            return "taken"
        return put("seat")(db)

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: store.write(claim), range(8)))
    assert sorted(answers) == ["seat"] + ["taken"] * 7


def test_closing_finishes_what_was_accepted(sqlite_store: Store):
    writer, gate = sqlite_store._writer, Gate()
    assert writer is not None
    writer.submit(gate)
    assert gate.inside.wait(PATIENCE)
    promises = [writer.submit(put(f"n{number}")) for number in range(200)]
    closing = threading.Thread(target=sqlite_store.close)
    closing.start()
    gate.open.set()
    closing.join(PATIENCE)
    assert [promise.result(0) for promise in promises] == [f"n{number}" for number in range(200)]
    with pytest.raises(StoreTrouble, match="closed"):
        sqlite_store.write(put("late"))
    sqlite_store.close()  # a second time is fine


def test_foreign_and_odd_urls_are_refused_in_words(tmp_path: Path):
    for url in ("sqlite://", "sqlite:///:memory:"):
        with pytest.raises(StoreTrouble, match="names no file"):
            open_store(url)
    with pytest.raises(StoreTrouble, match="is a directory"):
        open_store(f"sqlite:///{tmp_path}")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("database or disk is full", "the disk that holds the database is full"),
        ("could not extend file: No space left on device", "the disk that holds the database is full"),
        ("file is not a database", "lab.db is damaged, or no database of Gnomon"),
        ("database disk image is malformed", "lab.db is damaged, or no database of Gnomon"),
        ("database is locked", "another process holds the write lock of /var/lib/lab.db"),
        ("attempt to write a readonly database", "/var/lib/lab.db is read-only"),
        ("disk I/O error", "/var/lib/lab.db cannot be read or written (disk I/O error); is the disk full"),
    ],
)
def test_a_drivers_error_becomes_one_line_with_a_remedy(said, shown):
    told = explain(sa.exc.OperationalError("SELECT 1", {}, sqlite3.OperationalError(said)), LAB)
    assert isinstance(told, StoreTrouble)
    assert shown in told.message
    assert "\n" not in told.message


def test_a_server_that_is_away_is_told_from_a_file_that_cannot_be_read():
    server = sa.create_engine("postgresql+psycopg://lab@127.0.0.1/gnomon")
    refused = sqlite3.OperationalError("connection refused\n\tIs the server running?")
    told = explain(sa.exc.OperationalError("SELECT 1", {}, refused), server)
    assert isinstance(told, StoreTrouble)
    assert told.message.endswith("does not answer (connection refused); is it running there?")


def test_connections_that_are_all_in_use_are_said():
    told = explain(sa.exc.TimeoutError("QueuePool limit of size 2 overflow 0 reached"), LAB)
    assert isinstance(told, StoreTrouble)
    assert "raise GNOMON_DATABASE_POOL" in told.message


def test_an_error_that_is_not_the_databases_is_left_alone():
    fault = ValueError("x")
    assert explain(fault, LAB) is fault


@pytest.mark.parametrize(("cut", "times"), [("in the work", 2), ("at the commit", 1)])
def test_a_work_is_run_again_only_when_it_cannot_have_been_stored(new_postgresql, cut: str, times: int):
    """Real sessions of a real server, ended from another connection, once."""
    store = open_store(new_postgresql())
    tries: list[int] = []

    def end_this_session(db: Connection) -> None:
        session = db.exec_driver_sql("SELECT pg_backend_pid()").scalar()
        with store.engine.connect() as other:
            other.exec_driver_sql(f"SELECT pg_terminate_backend({session}, 5000)")

    def work(db: Connection) -> None:
        tries.append(1)
        insert_rows(db, settings, [("x", "v")])
        if len(tries) == 1:
            end_this_session(db)
        if cut == "in the work":
            db.exec_driver_sql("SELECT 1")

    try:
        if cut == "in the work":
            store.write(work)
            assert names(store) == {"x"}
        else:
            with pytest.raises(StoreTrouble, match="during the commit"):
                store.write(work)
        assert len(tries) == times
    finally:
        store.close()


def test_many_first_openings_of_one_file_at_once_all_succeed(tmp_path: Path):
    """SQLite does not wait by itself when a new file is turned to WAL by several at once."""
    for attempt in range(40):
        url = f"sqlite:///{tmp_path / str(attempt)}.db"
        with ThreadPoolExecutor(4) as pool:
            for opened in pool.map(open_store, [url] * 4):
                assert names(opened) == set()
                opened.close()
