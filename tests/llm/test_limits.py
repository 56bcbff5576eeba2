"""An even pace for everybody, and a slower one after a refusal, on a clock that is set forward and not waited for."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.llm.answer import Trouble
from gnomon.llm.limits import FAULTS_TO_OPEN, Limit, MemoryLimits

START = datetime(2026, 5, 1, tzinfo=UTC)


class SetForward:
    """A clock on which waiting takes no time: sleepers wake in their order, each at its moment."""

    def __init__(self) -> None:
        self.at = START

    def now(self) -> datetime:
        return self.at

    async def sleep(self, seconds: float) -> None:
        until = self.at + timedelta(seconds=seconds)
        await asyncio.sleep(0)
        self.at = max(self.at, until)

    @property
    def seconds(self) -> float:
        return (self.at - START).total_seconds()


def moments(calls: int, *, per_minute: int | None = None, models: tuple[str, ...] = ("m",)) -> list[float]:
    """When each of so many calls of every model began."""
    clock = SetForward()
    limits = MemoryLimits(clock, per_minute)
    began: list[float] = []

    async def one(model: str) -> None:
        await limits.turn(model)
        began.append(clock.seconds)

    async def all_at_once() -> None:
        await asyncio.gather(*(one(model) for model in models for _ in range(calls)))

    asyncio.run(all_at_once())
    return began


def gaps(began: list[float]) -> list[float]:
    return [later - earlier for earlier, later in pairwise(began)]


def on_a_clock(work: Callable[[MemoryLimits, SetForward], Coroutine[Any, Any, Any]]) -> Any:
    clock = SetForward()
    return asyncio.run(work(MemoryLimits(clock), clock))


def test_without_a_limit_nobody_waits() -> None:
    assert moments(200)[-1] == 0


@pytest.mark.parametrize("models", [("m",), ("one", "other")])
def test_calls_per_minute_are_spread_evenly_over_all_models(models: tuple[str, ...]) -> None:
    assert gaps(moments(6, per_minute=3000, models=models)) == pytest.approx([0.02] * (6 * len(models) - 1), rel=0.01)


def test_a_refusal_holds_everybody_as_long_as_was_asked_and_then_slows_them_down() -> None:
    async def refused(limits: MemoryLimits, clock: SetForward) -> list[float]:
        for _ in range(50):
            await limits.turn("m")
        await limits.note_trouble("m", Trouble("rate_limited", "slow", retry_after=7))
        await limits.note_trouble("m", Trouble("rate_limited", "slow", retry_after=7))  # of the same swarm
        began = [0.0]
        for _ in range(3):
            await limits.turn("m")
            began.append(clock.seconds)
        return gaps(began)

    first, *others = on_a_clock(refused)
    assert first == 7
    assert others == pytest.approx([0.4, 0.4], rel=0.01), "half of fifty in ten seconds"


def test_a_model_is_slowed_down_alone() -> None:
    async def refused(limits: MemoryLimits, clock: SetForward) -> float:
        await limits.note_trouble("one", Trouble("rate_limited", "slow", retry_after=7))
        await limits.turn("other")
        return clock.seconds

    assert on_a_clock(refused) == 0


def test_a_later_refusal_slows_down_further() -> None:
    async def refused_twice(limits: MemoryLimits, clock: SetForward) -> float:
        for _ in range(2):
            await limits.note_trouble("m", Trouble("rate_limited", "slow"))
            await clock.sleep(5)
            await limits.turn("m")
        before = clock.seconds
        await limits.turn("m")
        return clock.seconds - before

    assert on_a_clock(refused_twice) == pytest.approx(1.0, rel=0.01), "two per second, and then one"


def test_answers_bring_the_speed_back() -> None:
    async def recovered(limits: MemoryLimits, clock: SetForward) -> float:
        await limits.note_trouble("m", Trouble("rate_limited", "slow"))
        for _ in range(400):
            limits.note_answer("m")
        before = clock.seconds
        for _ in range(50):
            await limits.turn("m")
        return clock.seconds - before

    assert on_a_clock(recovered) < 0.1


def test_an_answer_never_makes_it_faster_than_was_allowed() -> None:
    limit = Limit.even(START, per_second=50)
    for _ in range(100):
        limit = limit.after_success()
    assert limit.per_second == 50


def test_a_model_that_is_down_is_left_alone() -> None:
    async def down(limits: MemoryLimits, clock: SetForward) -> float:
        for _ in range(FAULTS_TO_OPEN):
            await limits.note_trouble("m", Trouble("overloaded", "on fire"))
        await limits.turn("m")
        return clock.seconds

    assert on_a_clock(down) == 5


@given(st.sampled_from(["refused", "unreadable"]), st.floats(0, 1e4))
def test_what_is_wrong_with_a_question_says_nothing_of_the_model(kind: Any, seen: float) -> None:
    limit = Limit.even(START)
    assert limit.after(Trouble(kind, "no"), START, seen) == limit
