"""An even pace for everybody, and a slower one after a refusal. Real waiting, of hundredths of seconds."""

import asyncio
import time
from itertools import pairwise

from gnomon.llm.pace import Pace


def starts(pace: Pace, calls: int) -> list[float]:
    async def all_at_once() -> list[float]:
        async def one() -> float:
            await pace.turn()
            return time.monotonic()

        return sorted(await asyncio.gather(*(one() for _ in range(calls))))

    return asyncio.run(all_at_once())


def gaps(moments: list[float]) -> list[float]:
    return [later - earlier for earlier, later in pairwise(moments)]


def test_without_a_limit_nobody_waits() -> None:
    began = time.monotonic()
    assert starts(Pace(), 200)[-1] - began < 1


def test_calls_a_minute_are_spread_evenly() -> None:
    assert min(gaps(starts(Pace.per_minute(3000), 6))) > 0.015


def test_two_paces_within_one_share_it() -> None:
    async def both() -> list[float]:
        meter = Pace.per_minute(3000)
        paces = [Pace(within=meter) for _ in range(2)]
        moments = []

        async def one(pace: Pace) -> None:
            for _ in range(3):
                await pace.turn()
                moments.append(time.monotonic())

        await asyncio.gather(*map(one, paces))
        return sorted(moments)

    assert min(gaps(asyncio.run(both()))) > 0.015


def test_a_refusal_holds_everybody_as_long_as_was_asked_and_then_slows_them_down() -> None:
    async def refused() -> list[float]:
        pace = Pace()
        for _ in range(50):
            await pace.turn()
        began = time.monotonic()
        pace.refused(0.1)
        pace.refused(0.1)  # of the same swarm
        moments = [began]
        for _ in range(3):
            await pace.turn()
            moments.append(time.monotonic())
        return moments

    waits = gaps(asyncio.run(refused()))
    assert waits[0] >= 0.1
    assert min(waits[1:]) > 0.03, "half of fifty a second"


def test_answers_bring_the_speed_back() -> None:
    async def recovered() -> float:
        pace = Pace()
        await pace.turn()
        pace.refused(None)
        for _ in range(400):
            pace.answered()
        await pace.turn()  # what was decided when it was refused
        began = time.monotonic()
        for _ in range(50):
            await pace.turn()
        return time.monotonic() - began

    assert asyncio.run(recovered()) < 0.5


def test_an_answer_never_makes_it_faster_than_was_allowed() -> None:
    pace = Pace.per_minute(3000)
    for _ in range(100):
        pace.answered()
    assert min(gaps(starts(pace, 4))) > 0.015
