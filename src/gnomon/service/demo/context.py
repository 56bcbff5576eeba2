"""What every part of the demo is made with: one transaction, clocks in the past, and random numbers of its own."""

from dataclasses import dataclass
from random import Random

from gnomon.model.access import Principal
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.scoring.measuring import AtOnce
from gnomon.store.engine import Transaction

PROJECT = "support-demo"
SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
ADMIN = Principal("demo", "admin")


class PastClock(Clock):
    """A clock that stands still until it is moved on."""

    def __init__(self, ms: int) -> None:
        super().__init__()
        self.ms = ms

    def now_ms(self) -> int:
        return self.ms


class LateClock(Clock):
    """A clock that is so many milliseconds behind, and goes on."""

    def __init__(self, behind: int) -> None:
        super().__init__()
        self.behind = behind

    def now_ms(self) -> int:
        return super().now_ms() - self.behind


@dataclass(frozen=True, slots=True)
class Context:
    """The transaction that the whole project is written in, and the moment at which the demo is made."""

    db: Transaction
    now: int
    seed: int

    def call(self, clock: Clock) -> Call:
        return Call(self.db, ADMIN, clock, AtOnce())

    def at(self, age: int) -> Call:
        """A call so many milliseconds ago."""
        return self.call(PastClock(self.now - age))

    def random(self, subject: str) -> Random:
        """Numbers of one subject, so that a change of another one does not move them."""
        return Random(f"{self.seed} {subject}")
