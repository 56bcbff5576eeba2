"""What scoring may cost, counted in steps of about ten nanoseconds.

A scorer says what it is about to spend, before it spends it, from the sizes of what it was given (a JSON Schema, whose
cost nobody can tell beforehand, counts as it goes). Beyond the bound there is no score but a reason. Counting steps and
not seconds makes the answer the same on every machine, however busy it is.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


class TooCostlyError(ValueError):
    """Raised inside a scorer that would take more steps than it has; `measure` turns it into `Failed`."""


@dataclass(frozen=True, slots=True)
class Bound:
    """How many steps there are."""

    name: str
    steps: int
    unbroken: int
    """For a part during which no other thread of this process can run, such as one edit distance."""
    remedy: str


INLINE = Bound(
    "a request", 200_000_000, 2_000_000,
    "score it by a job (POST /v1/experiments/{id}/score or /v1/traces/score), send fewer scores per request, or make it"
    " smaller",
)  # fmt: skip
"""For scores that a request waits for: all of them together."""

CONFIGURATION = Bound("the configurations of a request", 200_000_000, 200_000_000, "make them smaller")
"""For building scorers: a JSON Schema is looked through, a pattern is compiled."""

JOB = Bound("a score", 1_000_000_000, 250_000_000, "make it smaller, or score it in parts")
"""For each score of a job, of a command and of the library."""


class Meter:
    """Counts steps until there are none left."""

    def __init__(self, bound: Bound = JOB, on_spend: Callable[[int], None] | None = None) -> None:
        self.bound, self.left = bound, bound.steps
        self._on_spend = on_spend
        """Told, before each part, how many steps were taken so far with it."""

    def renew(self) -> None:
        """Begin again with all steps, for the next score."""
        self.left = self.bound.steps

    def spend(self, steps: int, sizes: str, unbroken: bool = False) -> None:
        bound = self.bound
        if unbroken and steps > bound.unbroken:
            raise TooCostlyError(
                f"too costly: {sizes} take about {rounded(steps)} steps, and {bound.name} may take"
                f" {bound.unbroken:,} without a break; {bound.remedy}"
            )
        if steps > self.left:
            raise TooCostlyError(
                f"too costly: {sizes} take more than the {bound.steps:,} steps of {bound.name}; {bound.remedy}"
            )
        self.left -= steps
        if self._on_spend is not None:
            self._on_spend(bound.steps - self.left)


_current: ContextVar[Meter | None] = ContextVar("the meter of the score that is being computed", default=None)


@contextmanager
def metered(meter: Meter) -> Iterator[Meter]:
    """Count what scorers spend in this block with this meter."""
    before = _current.set(meter)
    try:
        yield meter
    finally:
        _current.reset(before)


def current() -> Meter:
    """The meter of this block; outside of one, a new one with the bound of a job."""
    return _current.get() or Meter()


def spend(steps: int, sizes: str, *, unbroken: bool = False) -> None:
    """Take these steps, or raise `TooCostlyError` with the sizes that make it too costly."""
    current().spend(steps, sizes, unbroken)


def rounded(count: int) -> str:
    """Two digits of a count: reasons are counted, so they should not differ for every sample."""
    size = 10 ** max(len(str(count)) - 2, 0)
    return f"{round(count / size) * size:,}"
