"""Runs pairs many at a time: a task that is a coroutine in an event loop, any other in threads."""

import asyncio
import contextvars
import queue
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Protocol, Self

from gnomon.service.evaluation.mailbox import Mailbox
from gnomon.service.evaluation.scoring import Finished, ItemTrial
from gnomon.service.evaluation.work import Work, fail_late

_LOOK_EVERY = 0.25
_MOST_SCORING = 8
_STOPPING_SECONDS = 2.0


class Running:
    """Pairs on their way. Take what has finished until all have; leaving the `with` stops what has not begun."""

    def __init__(self, work: Work, pairs: Sequence[ItemTrial], concurrency: int) -> None:
        self._box: Mailbox[Finished] = Mailbox()
        self._crew: _Crew = (_Coroutines if work.is_async else _Threads)(work, pairs, concurrency, self._box)
        self._left = len(pairs)

    def __enter__(self) -> Self:
        self._crew.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def stop(self) -> None:
        """Begin nothing more. Coroutines are cancelled; a call in a thread goes on unattended."""
        self._crew.stop()

    @property
    def is_done(self) -> bool:
        return self._left <= 0

    def take(self, seconds: float = _LOOK_EVERY) -> list[Finished]:
        """What has finished since the last time, which may be nothing."""
        done = [*self._box.take(seconds), *self._crew.late()]
        self._left -= len(done)
        return done


class _Crew(Protocol):
    def start(self) -> None: ...
    def stop(self) -> None: ...
    def late(self) -> list[Finished]: ...


class _PendingCall:
    """A call on its way. Whoever settles it first, its thread or the clock, decides how it ended."""

    def __init__(self, pair: ItemTrial) -> None:
        self.pair, self.began = pair, time.monotonic()
        self._lock = threading.Lock()

    def settle(self) -> bool:
        return self._lock.acquire(blocking=False)


class _Threads:
    """Threads that take pairs until there are none. A thread whose call takes too long is left behind: Python cannot
    end it, and another takes its place."""

    def __init__(self, work: Work, pairs: Sequence[ItemTrial], concurrency: int, box: Mailbox[Finished]) -> None:
        self._work, self._box = work, box
        self._pairs, self._taking = iter(pairs), threading.Lock()
        self._count = min(concurrency, len(pairs))
        self._stopped = False
        self._calls: set[_PendingCall] = set()

    def start(self) -> None:
        for _ in range(self._count):
            self._start_one()

    def _start_one(self) -> None:
        context = contextvars.copy_context()
        threading.Thread(target=context.run, args=(self._serve,), name="gnomon-task", daemon=True).start()

    def stop(self) -> None:
        self._stopped = True

    def late(self) -> list[Finished]:
        timeout, late = self._work.timeout, []
        if timeout is None:
            return []
        for call in [*self._calls]:
            if time.monotonic() - call.began > timeout and call.settle():
                self._calls.discard(call)
                finished = Finished(call.pair)
                fail_late(finished, timeout)
                late.append(self._work.scoring.scored(finished, None))
                self._start_one()
        return late

    def _serve(self) -> None:
        timed = self._work.timeout is not None
        while (pair := self._next()) is not None:
            if not timed:
                self._box.put(self._work.call(pair))
            else:
                call = _PendingCall(pair)
                self._calls.add(call)
                finished = self._work.call(pair)
                if not call.settle():
                    return
                self._calls.discard(call)
                self._box.put(finished)
            self._box.wait_for_room()

    def _next(self) -> ItemTrial | None:
        with self._taking:
            return None if self._stopped else next(self._pairs, None)


class _Coroutines:
    """As many coroutines as may run at a time, each taking pairs until there are none. Scorers run in threads, so that
    a slow one does not hold up the loop."""

    def __init__(self, work: Work, pairs: Sequence[ItemTrial], concurrency: int, box: Mailbox[Finished]) -> None:
        self._work, self._box = work, box
        self._pairs = iter(pairs)
        self._count = min(concurrency, len(pairs))
        self._scoring: queue.SimpleQueue[tuple[Finished, Any] | None] = queue.SimpleQueue()
        self._scorers = min(self._count, _MOST_SCORING) if work.scoring.scorers else 0
        self._running: Future[Any] | None = None

    def start(self) -> None:
        for _ in range(self._scorers):
            context = contextvars.copy_context()
            threading.Thread(target=context.run, args=(self._score,), name="gnomon-scorer", daemon=True).start()
        self._running = self._work.scoring.loop.start(self._main())

    def stop(self) -> None:
        for _ in range(self._scorers):
            self._scoring.put(None)
        if self._running is not None and not self._running.done():
            self._running.cancel()
            ended = threading.Event()
            self._running.add_done_callback(lambda _: ended.set())
            ended.wait(_STOPPING_SECONDS)

    def late(self) -> list[Finished]:
        return []  # the loop ends them itself

    async def _main(self) -> None:
        await asyncio.gather(*(self._serve() for _ in range(self._count)))

    async def _serve(self) -> None:
        for pair in self._pairs:
            finished, span = await self._work.acall(pair)
            if self._scorers:
                self._scoring.put((finished, span))
            else:
                self._box.put(self._work.scoring.scored(finished, span))
            while self._box.is_full:
                await asyncio.sleep(0.01)

    def _score(self) -> None:
        while (waiting := self._scoring.get()) is not None:
            self._box.put(self._work.scoring.scored(*waiting))
