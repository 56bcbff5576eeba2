"""How fast everybody in this process may ask: an even pace, and a slower one after a model has had too much.

The worker keeps the same in the store for all its processes (`limits.py`); a benchmark's runs share one loop, and
this is theirs. Waiting is all it does: asking again is for whoever asks.
"""

import asyncio
import time
from collections import deque

LONGEST_PAUSE = 300.0
_WINDOW = 10.0
_AT_FIRST = 0.5
"""Seconds between calls after the first refusal, where calls were few: they were not refused for being many."""
_SLOWEST, _FASTEST = 4.0, 0.001
_SLOW_DOWN, _SPEED_UP = 2.0, 1.02


class Pace:
    """Calls begin one by one, at least `interval` seconds apart. `within` is a pace that others share too."""

    def __init__(self, interval: float = 0.0, within: "Pace | None" = None) -> None:
        self._least, self._within = interval, within
        self._interval = interval
        self._next = 0.0
        self._slowed_at = -_WINDOW
        self._started: deque[float] = deque()
        self._queue = asyncio.Lock()

    @classmethod
    def per_minute(cls, calls: int | None) -> "Pace":
        return cls(60.0 / calls if calls else 0.0)

    async def turn(self) -> None:
        """Wait until the next call may begin. Who came first goes first."""
        async with self._queue:
            while (wait := self._next - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            now = time.monotonic()
            self._next = max(self._next, now + self._interval)
            self._started.append(now)
            while self._started[0] < now - _WINDOW:
                self._started.popleft()
        if self._within is not None:
            await self._within.turn()

    def refused(self, retry_after: float | None) -> None:
        """The model has had too much: half as fast for everybody, and not before it said so."""
        now = time.monotonic()
        self._next = max(self._next, now + min(retry_after or 0.0, LONGEST_PAUSE))
        # Refusals come in swarms: the calls that were already on their way slow down once, not each.
        if now - self._slowed_at >= 1:
            self._slowed_at = now
            before = self._interval or min(self._seen(now), _AT_FIRST / _SLOW_DOWN)
            self._interval = min(_SLOWEST, max(self._least, before * _SLOW_DOWN))
            self._next = max(self._next, now + self._interval)

    def answered(self) -> None:
        """A little faster again."""
        if self._interval > self._least:
            faster = self._interval / _SPEED_UP
            self._interval = max(self._least, faster) if faster > _FASTEST else self._least

    def _seen(self, now: float) -> float:
        """Seconds between the calls of late."""
        return max(1.0, now - self._started[0]) / len(self._started) if self._started else _SLOWEST
