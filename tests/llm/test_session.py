"""An asking session: retries, places for calls at a time, a budget and books, on a clock that is set forward."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

from gnomon.llm.answer import Answer, Trouble
from gnomon.llm.limits import MemoryLimits
from gnomon.llm.retry import AskingPolicy
from gnomon.llm.session import AskingSession, within


class SetForward:
    def __init__(self) -> None:
        self.at = datetime(2026, 5, 1, tzinfo=UTC)
        self.slept: list[float] = []

    def now(self) -> datetime:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += timedelta(seconds=seconds)
        await asyncio.sleep(0)


def said(text: str = "1", tokens: int | None = 10, cost: float | None = 0.5) -> Answer:
    return Answer(text, "m", tokens, tokens, cost, 1.0)


class Replies:
    """Answers and faults, one after the other."""

    def __init__(self, *replies: Answer | Trouble) -> None:
        self._replies = iter(replies)
        self.calls = 0

    async def __call__(self) -> tuple[str, Answer]:
        self.calls += 1
        reply = next(self._replies)
        if isinstance(reply, Trouble):
            raise reply
        return reply.text, reply


def asked(session: AskingSession, replies: Replies) -> Any:
    return asyncio.run(session.ask("m", replies))


def test_trouble_is_waited_for_and_what_it_took_is_in_the_books() -> None:
    clock = SetForward()
    session = AskingSession(clock=clock, chance=lambda: 0.0)
    lost = Trouble("unreadable", "no choices", spent=said(cost=0.25))
    found = asked(session, Replies(Trouble("rate_limited", "slow", retry_after=7), lost, said()))
    assert (found.answer, found.trouble, len(found.took)) == ("1", None, 2)
    assert clock.slept == [7, 1]
    spent = session.spent
    assert (spent.calls, spent.tokens_input, spent.cost_usd) == (3, 20, 0.75)


def test_a_question_is_asked_as_often_as_the_policy_says() -> None:
    replies = Replies(*[Trouble("overloaded", "on fire")] * 9)
    found = asked(AskingSession(AskingPolicy(attempts=3), clock=SetForward()), replies)
    assert (replies.calls, found.answer, found.gave_up) == (3, None, "overloaded: on fire (3 attempts)")


def test_waits_that_are_asked_for_end_after_their_time() -> None:
    replies = Replies(*[Trouble("rate_limited", "slow", retry_after=60)] * 99)
    found = asked(AskingSession(AskingPolicy(attempts=2, waits_for=600), clock=SetForward()), replies)
    assert found.gave_up == "rate_limited: slow (2 attempts)"
    assert replies.calls == 10 + 2, "for ten minutes of a minute each, and then two attempts"


def test_an_unknown_cost_makes_the_sum_unknown_and_what_is_known_stays_known() -> None:
    session = AskingSession(clock=SetForward())
    asked(session, Replies(said(cost=0.5)))
    asked(session, Replies(said(cost=None, tokens=None)))
    spent = session.spent
    assert (spent.cost_usd, spent.tokens_output) == (None, None)
    assert (spent.known_usd, spent.known_tokens, spent.calls) == (0.5, 20, 2)


def test_a_budget_stops_the_next_call_and_says_so() -> None:
    session = AskingSession(clock=SetForward(), budget=within(1.0, None))
    replies = Replies(*[said(cost=0.5)] * 3)
    found = [asked(session, replies) for _ in range(3)]
    assert [one.answer for one in found] == ["1", "1", None]
    assert found[2].trouble.kind == "refused"
    assert found[2].trouble.message.startswith("budget: the 1 USD that were left are spent")
    assert replies.calls == 2


def test_a_budget_of_tokens_stops_too() -> None:
    session = AskingSession(clock=SetForward(), budget=within(None, 20))
    assert [asked(session, Replies(said())).answer for _ in range(2)] == ["1", None]


def test_no_more_calls_than_there_are_places_are_on_their_way_and_sleepers_take_none() -> None:
    at_once, most = 0, 0
    clock = SetForward()

    async def all_of_them() -> None:
        session = AskingSession(concurrency=3, clock=clock, limits=MemoryLimits(clock))

        async def call() -> tuple[None, Answer]:
            nonlocal at_once, most
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0)
            at_once -= 1
            return None, said()

        await asyncio.gather(*(session.ask("m", call) for _ in range(20)))

    asyncio.run(all_of_them())
    assert most == 3


def test_a_known_answer_is_not_asked_for_and_a_new_one_is_kept() -> None:
    class Shelf(dict[str, Answer]):
        keep = dict.__setitem__

    shelf, calls = Shelf(known=said("0")), 0

    async def call() -> Answer:
        nonlocal calls
        calls += 1
        return said("1")

    async def both() -> list[str]:
        session = AskingSession()
        return [(await session.answer("m", call, key, shelf)).text for key in ("known", "new", "new")]

    assert asyncio.run(both()) == ["0", "1", "1"]
    assert (calls, sorted(shelf)) == (1, ["known", "new"])
