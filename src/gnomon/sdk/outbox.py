"""A bounded queue whose items a background thread delivers in batches, with one warning for all trouble.

Adding never waits and never raises. What does not fit is dropped and counted. A batch that cannot be delivered now is
tried again, later and later; meanwhile the queue fills up.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

log = logging.getLogger("gnomon.tracing")

MOST_WAITING = 20_000
MOST_WAITING_BYTES = 64_000_000
BATCH = 512
BATCH_BYTES = 4_000_000
_BATCH_SECONDS = 1.0
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0


class Outbox(Generic[T]):
    """Things on their way to `deliver`, which returns how many of a batch were refused for good, or raises."""

    def __init__(self, deliver: Callable[[Sequence[T]], int], noun: str) -> None:
        self._deliver, self._noun = deliver, noun
        self.start_anew()

    def start_anew(self) -> None:
        """Forget everything. In a forked child waiting items belong to the parent, and there is no thread."""
        # Reentrant: the garbage collector may end a span, and so add it, wherever something is made.
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._waiting: deque[tuple[T, int]] = deque()
        self._bytes = 0
        self._since = 0.0  # when the first of those that wait was added
        self._batch: list[T] = []  # what is being delivered, or could not be
        self._added = self._done = self._wanted = 0
        self._dropped = 0  # what did not fit and was not warned of yet
        self._lost = 0  # dropped or refused since the last flush
        self._attempts = self._last_failure = 0
        self._trouble = self._hurry = False
        self._thread: threading.Thread | None = None

    def add(self, entry: T, size: int) -> None:
        with self._lock:
            if len(self._waiting) >= MOST_WAITING or self._bytes + size > MOST_WAITING_BYTES:
                self._dropped += 1
                self._lost += 1
                return
            self._waiting.append((entry, size))
            self._added += 1
            self._bytes += size
            if len(self._waiting) == 1:
                self._since = time.monotonic()
                self._wake()
            elif len(self._waiting) == BATCH or self._bytes >= BATCH_BYTES:
                self._wake()

    def flush(self, timeout: float) -> bool:
        """Deliver all that was added before; whether all of it arrived. Ends with the first failure."""
        with self._lock:
            target, attempt = self._added, self._attempts + 1
            self._wanted, self._hurry = max(self._wanted, target), True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._done >= target or self._last_failure >= attempt, timeout)
            arrived = self._done >= target and not self._lost
            self._lost = 0
        self._report_dropped()
        return arrived

    def wait_for_room(self, timeout: float) -> None:
        """Wait until half of the queue is free or delivery is in trouble, for callers that must not lose items."""
        if len(self._waiting) > MOST_WAITING // 2 or self._bytes > MOST_WAITING_BYTES // 2:
            with self._lock:
                self._changed.wait_for(self._has_room, timeout)

    def is_late(self) -> bool:
        """Whether something waits although there is no trouble."""
        return self._done < self._added and not self._trouble

    def discard(self) -> int:
        """Drop the waiting items, and the thread that may be stuck with them; return how many were dropped."""
        with self._lock:
            lost, warned = len(self._waiting) + len(self._batch), self._trouble
            self._done += lost
            self._waiting.clear()
            self._batch, self._bytes = [], 0
            self._thread, self._trouble = None, False
            self._changed.notify_all()
        if lost and not warned:
            log.warning("Gnomon gave up %d %s: they could not be stored in time", lost, self._noun)
        return lost

    def _has_room(self) -> bool:
        free = len(self._waiting) <= MOST_WAITING // 2 and self._bytes <= MOST_WAITING_BYTES // 2
        return free or self._trouble

    def _wake(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=f"gnomon-{self._noun}", daemon=True)
            try:
                self._thread.start()
            except RuntimeError:  # the interpreter is ending
                self._thread = None
        else:
            self._changed.notify_all()

    # In the thread

    def _work(self) -> None:
        pause = 0.0
        while batch := self._next_batch(pause):
            pause = 0.0 if self._try(batch) else min(max(2 * pause, _FIRST_PAUSE), _LONGEST_PAUSE)

    def _next_batch(self, pause: float) -> list[T]:
        """Wait until a batch is due, or until the pause after a failure is over; a flush shortens both.

        Nothing for a thread that was given up.
        """
        pause_ends = time.monotonic() + pause
        with self._lock:
            while self._is_mine() and ((left := self._seconds_left(pause_ends)) is None or left > 0):
                self._changed.wait(left)
            if not self._is_mine():
                return []
            if not self._batch:
                self._take()
            self._attempts += 1
            self._hurry = False
            return self._batch

    def _is_mine(self) -> bool:
        return self._thread is threading.current_thread()

    def _seconds_left(self, pause_ends: float) -> float | None:
        """Seconds until the next batch is due; None to wait until something is added."""
        if not self._batch and not self._waiting:
            return None
        if self._hurry:
            return 0.0
        if self._batch:
            return pause_ends - time.monotonic()
        if self._wanted > self._done or len(self._waiting) >= BATCH or self._bytes >= BATCH_BYTES:
            return 0.0
        return self._since + _BATCH_SECONDS - time.monotonic()

    def _take(self) -> None:
        batch: list[T] = []
        taken = 0
        while self._waiting and len(batch) < BATCH and taken < BATCH_BYTES:
            entry, size = self._waiting.popleft()
            batch.append(entry)
            taken += size
        self._batch = batch
        self._bytes -= taken
        self._since = time.monotonic()

    def _try(self, batch: list[T]) -> bool:
        try:
            refused = self._deliver(batch)
        except Exception as trouble:
            if self._is_mine():
                self._note_failure(trouble)
            return False
        if not self._is_mine():
            return True
        recovered, self._trouble = self._trouble, False
        if recovered:
            log.warning("Gnomon can store %s again", self._noun)
        if not self._waiting:
            self._report_dropped()
        with self._lock:  # last, so that whoever flushes returns after the warnings
            if self._batch is batch:  # else it was given up meanwhile
                self._batch = []
                self._done += len(batch)
            self._lost += refused
            self._changed.notify_all()
        return True

    def _note_failure(self, trouble: Exception) -> None:
        first, self._trouble = not self._trouble, True
        if first:
            why = " ".join(str(trouble).split()) or type(trouble).__name__
            why = why if why.endswith(("?", ".")) else f"{why}."
            log.warning(
                "Gnomon cannot store %s: %s The program goes on; they are tried again, and lost if it ends first.",
                self._noun,
                why,
            )
        with self._lock:
            self._last_failure = self._attempts
            self._changed.notify_all()

    def _report_dropped(self) -> None:
        if self._trouble:  # which was warned of
            return
        with self._lock:
            dropped, self._dropped = self._dropped, 0
        if dropped:
            log.warning("Gnomon dropped %d %s: they came faster than they could be stored", dropped, self._noun)
