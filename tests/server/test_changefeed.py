"""One poller for all streams of a process, bounds on how many there are, and no work for nobody."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from databases import new_sqlite_with_schema
from gnomon.errors import Busy, TooMany
from gnomon.model.access import Principal
from gnomon.server import changefeed
from gnomon.server.authentication import ADMIN
from gnomon.server.changefeed import ChangeFeed, EventStream
from gnomon.server.eventstream import changed, cursor, read_cursor
from gnomon.service.clock import Clock
from gnomon.store import changes, projects
from gnomon.store.engine import Store, open_store

AWAITED = 600


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(new_sqlite_with_schema(tmp_path / "gnomon.db"))
    store.write(lambda db: projects.ensure(db, "p", Clock().now()))
    yield store
    store.close()


@pytest.fixture
def feed(store: Store) -> ChangeFeed:
    return ChangeFeed(store, Clock())


@pytest.fixture
def looks(store: Store) -> list[str]:
    """The statements by which the database was asked for changes."""
    statements: list[str] = []

    @sa.event.listens_for(store.engine, "before_cursor_execute")
    def _note(_connection, _cursor, statement, *_):
        if statement.startswith("SELECT") and "change_counts" in statement:
            statements.append(statement)

    return statements


class Reader:
    """Reads one stream as a server would send it."""

    def __init__(
        self, feed: ChangeFeed, principal: Principal = ADMIN, after: str | None = None, session: str | None = None
    ):
        self.stream: EventStream = feed.stream(principal, session, "p", after)
        self._feed, self._listener = feed, self.stream._listener
        feed.join(self._listener)
        self._messages = feed.messages(self._listener)

    async def next(self) -> str:
        """The next message that has an event in it."""
        while "event:" not in (message := (await asyncio.wait_for(anext(self._messages), AWAITED)).decode()):
            pass
        return message

    def leave(self) -> None:
        self._feed.leave(self._listener)


def test_many_listeners_are_one_question_to_the_database(feed, looks, monkeypatch):
    monkeypatch.setattr(changefeed, "TICK_SECONDS", AWAITED)

    async def listen() -> None:
        readers = [Reader(feed) for _ in range(20)]
        for reader in readers:
            assert (await reader.next()).startswith("event: ready")
        late = Reader(feed)
        assert (await late.next()).startswith("event: ready")

    asyncio.run(listen())
    assert len(looks) == 1


def test_nobody_is_asked_when_nobody_listens(feed, looks, monkeypatch):
    monkeypatch.setattr(changefeed, "TICK_SECONDS", 2 * AWAITED)

    async def listen() -> None:
        reader = Reader(feed)
        await reader.next()
        poller = feed._poller
        reader.leave()
        await asyncio.wait_for(poller, AWAITED)
        await Reader(feed).next()  # who comes later is heard again

    asyncio.run(listen())
    assert len(looks) == 2


def test_who_reads_late_is_told_once(feed, store, monkeypatch):
    monkeypatch.setattr(changefeed, "TICK_SECONDS", 0.001)

    async def listen() -> tuple[str, str]:
        slow, quick = Reader(feed), Reader(feed)
        await slow.next()
        await quick.next()
        for _ in range(30):
            store.write(lambda db: changes.note(db, "p", "run"))
            await quick.next()
        return await slow.next(), cursor(feed._counts["p"])

    told, newest = asyncio.run(listen())
    assert told == f'event: changed\ndata: {{"kind":"run","project_id":"p","changes":30}}\nid: {newest}\n\n'


def test_a_key_and_a_server_have_so_many_streams_and_no_more(feed, monkeypatch):
    monkeypatch.setattr(changefeed, "MOST_PER_KEY", 2)
    monkeypatch.setattr(changefeed, "MOST_STREAMS", 3)

    async def listen() -> None:
        first, _ = Reader(feed), Reader(feed)
        with pytest.raises(TooMany, match=r"this key has 2 event streams open") as refused:
            Reader(feed)
        assert refused.value.retry_after > 0
        Reader(feed, Principal("other", "read", "p"))
        with pytest.raises(TooMany, match="this server has 3 event streams open"):
            Reader(feed, Principal("third", "read", "p"))
        first.leave()
        Reader(feed)

    asyncio.run(listen())


def test_a_closed_feed_ends_its_streams_and_takes_no_more(feed):
    async def listen() -> None:
        reader = Reader(feed)
        await reader.next()
        await asyncio.to_thread(feed.close)
        assert "the server is stopping" in await reader.next()
        with pytest.raises(StopAsyncIteration):
            await reader.next()
        with pytest.raises(Busy):
            Reader(feed)

    asyncio.run(listen())


@pytest.mark.parametrize("holder", [(Principal("no such key", "read", "p"), None), (ADMIN, "no such session")])
def test_a_key_or_session_that_is_gone_ends_its_stream(feed, holder):
    async def listen() -> str:
        principal, session = holder
        return await Reader(feed, principal, session=session).next()

    assert asyncio.run(listen()).startswith("event: end")


def test_a_database_that_cannot_be_used_ends_no_stream(feed, store, monkeypatch):
    """Whoever asks for something is told; the stream goes on when the database does."""
    monkeypatch.setattr(changefeed, "TROUBLE_SECONDS", 0.001)
    monkeypatch.setattr(changefeed, "TICK_SECONDS", 0.001)

    async def listen() -> None:
        reader = Reader(feed)
        await reader.next()
        with store.engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE change_counts RENAME TO away")
        while not feed_is_in_trouble:
            await asyncio.sleep(0.001)
        with store.engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE away RENAME TO change_counts")
        store.write(lambda db: changes.note(db, "p", "job"))
        assert "job" in await reader.next()

    feed_is_in_trouble: list[object] = []
    monkeypatch.setattr(changefeed.log, "exception", feed_is_in_trouble.append)
    asyncio.run(listen())


def test_a_cursor_is_read_as_it_was_written():
    assert read_cursor(cursor({"run": 3, "trace": 12, "job": 0})) == {"run": 3, "trace": 12}
    assert read_cursor(cursor({})) == {}


def test_a_kind_that_this_version_does_not_know_is_left_out():
    assert read_cursor("1,run=3,wish=4") == {"run": 3}


def test_each_event_names_the_place_up_to_itself():
    """A connection that breaks between two events loses none of them."""
    news, seen = changed("p", {"job": 1}, {"job": 2, "run": 5})
    ids = [line for line in news.decode().splitlines() if line.startswith("id: ")]
    assert ids == ["id: 1,job=2", "id: 1,job=2,run=5"]
    assert seen == {"job": 2, "run": 5}


def test_a_count_that_went_down_is_a_change():
    """The project was deleted and made again, or the database is an older copy."""
    news, seen = changed("p", {"run": 9}, {"run": 2})
    assert b'"changes":1' in news
    assert seen == {"run": 2}
