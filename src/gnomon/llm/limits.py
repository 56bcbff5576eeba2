"""How fast a model may be called: slower after each refusal, not at all while it is down, faster as it recovers.

`Limit` is pure arithmetic over one row per model. Workers keep the rows in the store, so that they hold for all of
them; `MemoryLimits` keeps them in memory, for the questions of one process.
"""

import asyncio
import math
from collections import defaultdict, deque
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Protocol

from gnomon.llm.answer import Trouble

FAULTS_TO_OPEN = 8
"""So many faults in a row, and the model is taken to be down."""
_FIRST_PAUSE, _LONGEST_PAUSE = 5.0, 300.0
_SLOWEST, _FASTEST = 0.25, 1_000.0
_UNHURRIED = 2.0
"""Who asks less often than this a second was not refused for that: then the first rate is this."""
_SLOW_DOWN, _SPEED_UP = 0.5, 1.02
_ROUNDING = 1e-4
"""Of a permit: times are whole microseconds."""
_WINDOW = 10.0
"""Seconds over which calls are counted to say how many there are per second."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How fast a model may be asked. Without a rate it is asked as fast as there is work."""

    per_second: float | None
    permits: float
    failures: int
    open_until: datetime
    updated_at: datetime
    most_permits: float = math.inf
    """How many calls may begin together after a pause; 1 spreads them evenly."""
    fastest: float | None = None
    """A rate that is never exceeded, however well it goes."""
    slowed_at: datetime | None = None
    """When the rate was halved last; where that is not kept, `updated_at` has to do."""

    @classmethod
    def none(cls, now: datetime) -> "Limit":
        return cls(None, 1.0, 0, now, now)

    @classmethod
    def even(cls, now: datetime, per_second: float | None = None) -> "Limit":
        """Calls one by one; with a rate never faster than that."""
        return cls(per_second, 1.0, 0, now, now, most_permits=1.0, fastest=per_second)

    def closed_at(self, now: datetime) -> bool:
        """Whether it may not be asked at all."""
        return self.open_until > now

    def probing(self) -> bool:
        """Whether it was down and one call is to show whether it is back."""
        return self.failures >= FAULTS_TO_OPEN

    def refilled(self, now: datetime) -> "Limit":
        """The limit with what was gained since. A worker whose clock is behind must not set the time back."""
        now = max(now, self.updated_at)
        if self.per_second is None:
            return replace(self, updated_at=now)
        gained = self.per_second * (now - self.updated_at).total_seconds()
        most = min(self.most_permits, max(1.0, self.per_second))
        return replace(self, permits=min(most, self.permits + gained), updated_at=now)

    def seconds_to_wait(self, now: datetime) -> float:
        """Seconds until a call may start; 0 when it may start now. Call it after `refilled`."""
        if self.closed_at(now):
            return (self.open_until - now).total_seconds()
        if self.per_second is None or self.permits >= 1 - _ROUNDING:
            return 0.0
        return (1 - self.permits) / self.per_second

    def available_calls(self) -> int | None:
        """How many calls may start now; None for as many as one likes."""
        if self.probing():
            return 1
        return None if self.per_second is None else int(self.permits)

    def taken(self, calls: int) -> "Limit":
        return self if self.per_second is None else replace(self, permits=self.permits - calls)

    def after_success(self) -> "Limit":
        rate = None if self.per_second is None else self.per_second * _SPEED_UP
        if rate is not None and self.fastest is not None:
            rate = min(rate, self.fastest)
        return replace(self, failures=0, per_second=None if rate is not None and rate > _FASTEST else rate)

    def after(self, trouble: Trouble, now: datetime, seen_per_second: float) -> "Limit":
        """What this trouble says of the model. A question that it refuses, or answers badly, says nothing."""
        if trouble.kind == "rate_limited":
            return self.after_refusal(now, seen_per_second, trouble.retry_after)
        return self.after_fault(now) if trouble.kind in ("overloaded", "timeout", "connection") else self

    def after_refusal(self, now: datetime, seen_per_second: float, retry_after: float | None) -> "Limit":
        """After too many requests: half the rate, and not before the time that the model named."""
        if self.per_second is None:
            rate = max(_UNHURRIED, _SLOW_DOWN * seen_per_second)
        else:
            rate = max(_SLOWEST, _SLOW_DOWN * self.per_second)
        wait = now + timedelta(seconds=min(retry_after or 0.0, _LONGEST_PAUSE))
        # Refusals come in swarms: the calls that were already on their way halve the rate once, not each.
        slowed_at = self.slowed_at or self.updated_at
        recent = self.per_second is not None and (now - slowed_at).total_seconds() < 1
        return replace(
            self, per_second=self.per_second if recent else rate, permits=0.0,
            open_until=max(self.open_until, wait), updated_at=now, slowed_at=slowed_at if recent else now,
        )  # fmt: skip

    def after_fault(self, now: datetime) -> "Limit":
        failures = self.failures + 1
        if failures < FAULTS_TO_OPEN:
            return replace(self, failures=failures)
        pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(failures - FAULTS_TO_OPEN, 10))
        return replace(self, failures=failures, open_until=now + timedelta(seconds=pause))


class Recently:
    """How many calls there are per second, of late."""

    def __init__(self) -> None:
        self._began: deque[float] = deque()

    def add(self, now: datetime) -> None:
        self._began.append(now.timestamp())
        self._forget(now)

    def per_second(self, now: datetime) -> float:
        self._forget(now)
        return len(self._began) / _WINDOW

    def _forget(self, now: datetime) -> None:
        while self._began and self._began[0] < now.timestamp() - _WINDOW:
            self._began.popleft()


class SleepingClock(Protocol):
    """The time, and waiting for it to pass."""

    def now(self) -> datetime: ...
    async def sleep(self, seconds: float) -> None: ...


class LoopClock:
    """The time of the running event loop, which never goes back."""

    def now(self) -> datetime:
        return _EPOCH + timedelta(seconds=asyncio.get_running_loop().time())

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


class RateLimits(Protocol):
    """Where limits are kept, and how a call waits for its turn."""

    async def turn(self, model: str) -> None:
        """Return when a call of this model may begin."""
        ...

    async def note_trouble(self, model: str, trouble: Trouble) -> None: ...

    def note_answer(self, model: str) -> None: ...


class MemoryLimits:
    """Rate limits in memory, shared by all users of this object; waiting calls go first come, first served.

    With `per_minute` all models together are asked at most that often, evenly.
    """

    def __init__(self, clock: SleepingClock | None = None, per_minute: int | None = None) -> None:
        self._clock: SleepingClock = clock or LoopClock()
        self._per_minute = per_minute
        self._limits: dict[str, Limit] = {}
        self._recent: defaultdict[str, Recently] = defaultdict(Recently)
        self._queues: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def turn(self, model: str) -> None:
        await self._pass(model, None)
        if self._per_minute is not None:
            await self._pass("", self._per_minute / 60)  # no model has this name

    async def _pass(self, name: str, per_second: float | None) -> None:
        async with self._queues[name]:
            while True:
                now = self._clock.now()
                limit = self._limits.get(name) or Limit.even(now, per_second)
                limit = self._limits[name] = limit.refilled(now)
                if (seconds := limit.seconds_to_wait(now)) <= 0:
                    break
                await self._clock.sleep(seconds)
            self._limits[name] = limit.taken(1)
            self._recent[name].add(now)

    async def note_trouble(self, model: str, trouble: Trouble) -> None:
        now = self._clock.now()
        limit = self._limits.get(model) or Limit.even(now)
        self._limits[model] = limit.after(trouble, now, self._recent[model].per_second(now))

    def note_answer(self, model: str) -> None:
        if (limit := self._limits.get(model)) is not None:
            self._limits[model] = limit.after_success()
