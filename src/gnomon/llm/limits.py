"""How fast a model may be asked: slower after each refusal, not at all while it is down, faster as it recovers.

Pure arithmetic over one row a model; the row itself lives in the store, so that it holds for all workers.
"""

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

FAULTS_TO_OPEN = 8
"""So many faults in a row, and the model is taken to be down."""
_FIRST_PAUSE, _LONGEST_PAUSE = 5.0, 300.0
_SLOWEST, _FASTEST = 0.25, 1_000.0
_UNHURRIED = 2.0
"""Who asks less often than this a second was not refused for that: then the first rate is this."""
_SLOW_DOWN, _SPEED_UP = 0.5, 1.02


@dataclass(frozen=True, slots=True)
class Limit:
    """What is known of a model's patience. Without a rate it is asked as fast as there is work."""

    per_second: float | None
    permits: float
    failures: int
    open_until: datetime
    updated_at: datetime

    @classmethod
    def none(cls, now: datetime) -> "Limit":
        return cls(None, 1.0, 0, now, now)

    def closed_at(self, now: datetime) -> bool:
        """Whether it may not be asked at all."""
        return self.open_until > now

    def probing(self) -> bool:
        """Whether it was down and one call is to show whether it is back."""
        return self.failures >= FAULTS_TO_OPEN

    def refilled(self, now: datetime) -> "Limit":
        """With what was gained since. A worker whose clock is behind must not set the time back: others gained it."""
        now = max(now, self.updated_at)
        if self.per_second is None:
            return replace(self, updated_at=now)
        gained = self.per_second * (now - self.updated_at).total_seconds()
        return replace(self, permits=min(max(1.0, self.per_second), self.permits + gained), updated_at=now)

    def room(self) -> int | None:
        """How many calls may start now; None for as many as one likes."""
        if self.probing():
            return 1
        return None if self.per_second is None else int(self.permits)

    def taken(self, calls: int) -> "Limit":
        return self if self.per_second is None else replace(self, permits=self.permits - calls)

    def after_success(self) -> "Limit":
        rate = None if self.per_second is None else self.per_second * _SPEED_UP
        return replace(self, failures=0, per_second=None if rate is not None and rate > _FASTEST else rate)

    def after_refusal(self, now: datetime, seen_per_second: float, retry_after: float | None) -> "Limit":
        """Too many requests: half of what was asked for, and not before the model said so."""
        if self.per_second is None:
            rate = max(_UNHURRIED, _SLOW_DOWN * seen_per_second)
        else:
            rate = max(_SLOWEST, _SLOW_DOWN * self.per_second)
        wait = now + timedelta(seconds=min(retry_after or 0.0, _LONGEST_PAUSE))
        # Refusals come in swarms: the calls that were already on their way halve the rate once, not each.
        recent = self.per_second is not None and (now - self.updated_at).total_seconds() < 1
        return replace(
            self, per_second=self.per_second if recent else rate, permits=0.0,
            open_until=max(self.open_until, wait), updated_at=now,
        )  # fmt: skip

    def after_fault(self, now: datetime) -> "Limit":
        failures = self.failures + 1
        if failures < FAULTS_TO_OPEN:
            return replace(self, failures=failures)
        pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(failures - FAULTS_TO_OPEN, 10))
        return replace(self, failures=failures, open_until=now + timedelta(seconds=pause))


def back_off(attempt: int, least: float, most: float) -> float:
    """Seconds until the next try: longer each time, and never the same for two jobs."""
    return least + random.uniform(0, max(0.0, min(most, least * 2.0**attempt) - least))
