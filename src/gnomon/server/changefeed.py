"""The event streams of one server process: who listens, and the one poller that looks for all of them.

While somebody listens, the poller looks at the database once per second, with one statement for all projects that are
listened to; LISTEN of PostgreSQL would need a connection of its own, and does not pass a pooler. It finds counts
(`store/changes.py`). A stream compares them with those that its listener has seen when it has time to send: however
much changes meanwhile, and however slowly a client reads, nothing but these few numbers is kept for it.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from gnomon.errors import Busy, StoreTrouble, TooMany
from gnomon.model.access import Principal
from gnomon.server.authentication import ADMIN
from gnomon.server.eventstream import KEEP_ALIVE, RETRY, changed, cursor, event, read_cursor
from gnomon.service.changes import ProjectCounts, SeenChanges, StreamHolder, look
from gnomon.service.clock import Clock
from gnomon.store.engine import Store

log = logging.getLogger("gnomon")

TICK_SECONDS = 1.0
TROUBLE_SECONDS = 5.0
"""How long to leave a database alone that cannot be used."""
HOLDER_SECONDS = 2.0
"""How often it is asked whether keys and sessions are still valid."""
KEEP_ALIVE_SECONDS = 15.0
MOST_STREAMS = 500
MOST_PER_KEY = 100
_RETRY_SECONDS = 10


@dataclass(eq=False)
class Listener:
    """One stream: for whom, of which project, and what it has seen."""

    project_id: str
    principal: Principal
    holder: StreamHolder
    sent_cursor: str | None
    """Where an earlier stream stopped, as the caller says."""
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    end_reason: str | None = None

    def end(self, reason: str) -> None:
        self.end_reason = reason
        self.wake.set()


@dataclass
class ChangeFeed:
    """All streams of this process. Everything but `close` runs on the server's event loop."""

    store: Store
    clock: Clock
    _listeners: set[Listener] = field(default_factory=set)
    _counts: dict[str, ProjectCounts] = field(default_factory=dict)
    """The newest counts of each project that somebody listens to."""
    _poller: asyncio.Task[None] | None = None
    _wake_poller: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a project is listened to that was not looked at yet."""
    _loop: asyncio.AbstractEventLoop | None = None
    _is_closed: bool = False

    def stream(
        self, principal: Principal, session_id: str | None, project_id: str, sent_cursor: str | None
    ) -> "EventStream":
        """A new stream, or a refusal when there are too many."""
        self._check_room(principal)
        holder = StreamHolder(None if principal.key_id == ADMIN.key_id else principal.key_id, session_id)
        return EventStream(self, Listener(project_id, principal, holder, sent_cursor))

    def _check_room(self, principal: Principal) -> None:
        if self._is_closed:
            raise Busy("the server is stopping; connect again in a moment")
        streams = sum(listener.principal.key_id == principal.key_id for listener in self._listeners)
        if streams >= MOST_PER_KEY:
            message = f"this key has {streams} event streams open, the most that one may have; close one first"
        elif len(self._listeners) >= MOST_STREAMS:
            message = f"this server has {MOST_STREAMS} event streams open, its most; connect again later"
        else:
            return
        raise TooMany(message, retry_after=_RETRY_SECONDS)

    def join(self, listener: Listener) -> None:
        self._loop = asyncio.get_running_loop()
        self._listeners.add(listener)
        if listener.project_id in self._counts:
            listener.wake.set()
        else:
            self._wake_poller.set()
        if self._poller is None or self._poller.done():
            self._poller = self._loop.create_task(self._poll())

    def leave(self, listener: Listener) -> None:
        self._listeners.discard(listener)
        if not self._listeners:
            self._wake_poller.set()  # the poller sees that nobody is left

    async def messages(self, listener: Listener) -> AsyncIterator[bytes]:
        """What is sent to a listener, until its key or this server ends."""
        yield RETRY
        seen: ProjectCounts | None = None
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(listener.wake.wait(), KEEP_ALIVE_SECONDS)
            if listener.end_reason is not None:
                break
            is_silent = not listener.wake.is_set()
            listener.wake.clear()
            counts = self._counts.get(listener.project_id)
            if is_silent or counts is None:
                yield KEEP_ALIVE
                continue
            if seen is None:
                first, seen = _first(listener, counts)
                yield first
            news, seen = changed(listener.project_id, seen, counts)
            if news:
                yield news
        yield event("end", {"reason": listener.end_reason})

    def close(self) -> None:
        """End all streams; from any thread."""
        self._is_closed = True
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and its streams with it
                self._loop.call_soon_threadsafe(self._end_all)

    def _end_all(self) -> None:
        for listener in self._listeners:
            listener.end("the server is stopping")

    async def _poll(self) -> None:
        looked_at_holders = 0.0
        while self._listeners:
            self._wake_poller.clear()
            pause, now = TICK_SECONDS, time.monotonic()
            asks_holders = now - looked_at_holders >= HOLDER_SECONDS
            try:
                seen = await self._look(asks_holders)
            except StoreTrouble as trouble:  # requests answer with the error; streams stay open
                log.warning("changes cannot be looked for: %s", trouble.message)
                pause = TROUBLE_SECONDS
            except Exception:  # a fault of ours must not leave the streams without a poller
                log.exception("changes cannot be looked for")
                pause = TROUBLE_SECONDS
            else:
                looked_at_holders = now if asks_holders else looked_at_holders
                self._publish(seen)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake_poller.wait(), pause)
        self._counts.clear()

    async def _look(self, asks_holders: bool) -> SeenChanges:
        projects = {listener.project_id for listener in self._listeners}
        holders = {listener.holder for listener in self._listeners} if asks_holders else set()
        now = self.clock.now()
        return await run_in_threadpool(self.store.read, lambda db: look(db, projects, holders, now))

    def _publish(self, seen: SeenChanges) -> None:
        before, self._counts = self._counts, seen.counts
        for listener in self._listeners:
            if listener.holder in seen.ended:
                listener.end("the key was revoked or has expired, or the session has ended")
            elif before.get(listener.project_id) != seen.counts.get(listener.project_id):
                listener.wake.set()


def _first(listener: Listener, counts: ProjectCounts) -> tuple[bytes, ProjectCounts]:
    """How a stream begins: from now on, where an earlier one stopped, or with the word that this place is not known."""
    if listener.sent_cursor is None:
        return event("ready", {"project_id": listener.project_id}, cursor(counts)), counts
    seen = read_cursor(listener.sent_cursor)
    if seen is None:
        return event("reset", {"project_id": listener.project_id}, cursor(counts)), counts
    return event("ready", {"project_id": listener.project_id}, cursor(seen)), seen


class EventStream(StreamingResponse):
    """The answer that a listener reads. It is counted for as long as it is being sent."""

    def __init__(self, feed: ChangeFeed, listener: Listener) -> None:
        # A proxy that collects an answer before it passes it on would keep the events.
        headers = {"X-Accel-Buffering": "no"}
        super().__init__(feed.messages(listener), headers=headers, media_type="text/event-stream")
        self._feed, self._listener = feed, listener

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._feed.join(self._listener)
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._feed.leave(self._listener)
