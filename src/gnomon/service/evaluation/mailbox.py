"""Where workers leave what they finished for the one thread that stores it."""

import threading
import time
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")

_MOST_WAITING = 5_000
_WORTH_TAKING = 500
_GATHER_SECONDS = 0.02


class Mailbox(Generic[T]):
    """Many put in, one takes out. Appending to a deque needs no lock, which a queue would take for every item."""

    def __init__(self) -> None:
        self._waiting: deque[T] = deque()
        self._something = threading.Event()
        self._room = threading.Event()
        self._room.set()

    @property
    def is_full(self) -> bool:
        return len(self._waiting) >= _MOST_WAITING

    def put(self, item: T) -> None:
        self._waiting.append(item)
        if not self._something.is_set():
            self._something.set()
        if self.is_full:
            self._room.clear()

    def wait_for_room(self) -> None:
        """Hold up a worker while storing does not keep up, so that outputs do not fill the memory."""
        if not self._room.is_set():
            self._room.wait(1.0)

    def take(self, seconds: float) -> list[T]:
        """Everything that is there; waits for the first up to so long."""
        if self._something.wait(seconds) and seconds and len(self._waiting) < _WORTH_TAKING:
            time.sleep(_GATHER_SECONDS)  # to wake up for each one would take the processor from those who run them
        self._something.clear()  # before taking: what is put in from here on sets it again
        taken = []
        while self._waiting:
            taken.append(self._waiting.popleft())
        self._room.set()
        return taken
