"""What belongs to an event loop is made once for it and closed with it."""

import asyncio

from gnomon.loops import PerLoop


class Kept:
    """Counts what happens to it."""

    def __init__(self) -> None:
        self.closed = 0

    async def close(self) -> None:
        self.closed += 1


def test_a_loop_has_one_and_closes_it_when_it_ends() -> None:
    per_loop = PerLoop(Kept, Kept.close)

    async def used() -> list[Kept]:
        return [await per_loop.get(), *await asyncio.gather(per_loop.get(), per_loop.get())]

    first, second = asyncio.run(used()), asyncio.run(used())
    assert len(set(first)) == len(set(second)) == 1
    assert first[0] is not second[0]
    assert (first[0].closed, second[0].closed) == (1, 1)


def test_what_was_closed_by_hand_is_made_anew_and_closed_once() -> None:
    per_loop = PerLoop(Kept, Kept.close)

    async def used() -> tuple[Kept, Kept]:
        before = await per_loop.get()
        await per_loop.close()
        await per_loop.close()
        return before, await per_loop.get()

    before, after = asyncio.run(used())
    assert before is not after
    assert (before.closed, after.closed) == (1, 1)


def test_a_loop_that_ended_without_a_word_is_forgotten() -> None:
    per_loop = PerLoop(Kept, Kept.close)
    loop = asyncio.new_event_loop()
    kept = loop.run_until_complete(per_loop.get())
    loop.close()
    assert asyncio.run(per_loop.get()) is not kept
    assert kept.closed == 0
