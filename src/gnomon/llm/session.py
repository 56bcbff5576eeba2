"""Asking models: how often, how fast, how many at a time and for how much, the same for everybody who asks.

`AskingSession.ask` asks until there is an answer or it is given up, and sleeps in between. Who cannot sleep (a worker
that holds a job) makes one `attempt` and postpones the job by the same decision (`retry.py`). The call itself is
handed in, as are the clock, chance, the limits (`limits.py`: in memory, or rows for all workers), what is known
already, and who says that there is no money left.
"""

import asyncio
import random
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from gnomon.llm.answer import Answer, Trouble
from gnomon.llm.limits import LoopClock, MemoryLimits, RateLimits, SleepingClock
from gnomon.llm.retry import AskingPolicy, Chance, GiveUp, WaitAsTold
from gnomon.llm.spent import CallUsage, Spent, bounded

T = TypeVar("T")
U = TypeVar("U", bound=CallUsage)
ModelCall = Callable[[], Awaitable[tuple[T, U]]]
"""One call to a model: its answer, and what that took. Raises `Trouble`."""
SpendingCheck = Callable[[Spent], str | None]
"""Why no further call may be made after so much was spent; None when one may."""
PATIENT = AskingPolicy(attempts=5, longest_pause=30.0, gives_up_on_longer_waits=True)
"""For interactive commands."""
_APART = 0.5
"""Calls begin this far apart, as a part of the even pace. Begun at once they would be answered at once, and read and
begun again all together: a model of half a second then stands idle for up to a fifth of the time."""


class AnswerCache(Protocol):
    """Answers that are known already."""

    def get(self, key: str) -> Answer | None: ...
    def keep(self, key: str, answer: Answer) -> None: ...


@dataclass(frozen=True, slots=True)
class AskResult(Generic[T, U]):
    """What came of a question: its answer, or the trouble because of which it was given up.

    `took` is what came back, also from tries that could not be used; the answer's own is the last.
    """

    answer: T | None
    trouble: Trouble | None
    took: tuple[U | Answer, ...]
    gave_up: str = ""
    """Why it was given up, with the number of attempts."""


class AskingSession:
    """Everybody who shares one shares its limits, its places for calls at a time, and its books."""

    def __init__(
        self,
        policy: AskingPolicy = PATIENT,
        *,
        concurrency: int | None = None,
        limits: RateLimits | None = None,
        budget: SpendingCheck = lambda spent: None,
        clock: SleepingClock | None = None,
        chance: Chance = random.random,
    ) -> None:
        self.policy, self.concurrency, self.spent = policy, concurrency, Spent()
        self._clock: SleepingClock = clock or LoopClock()
        self.limits: RateLimits = limits or MemoryLimits(self._clock)
        self._budget, self._chance = budget, chance
        self._slots: AbstractAsyncContextManager[None] = (
            nullcontext() if concurrency is None else asyncio.Semaphore(concurrency)
        )
        self._spread = None if concurrency is None else _Spread(concurrency)

    async def ask(self, model: str, call: ModelCall[T, U]) -> AskResult[T, U]:
        """Ask until there is an answer, or as long as the policy allows."""
        took: list[U | Answer] = []
        attempt, first_wait = 1, None
        while True:
            try:
                answer, usage = await self.attempt(model, call)
            except Trouble as trouble:
                took += [] if trouble.spent is None else [trouble.spent]
                now = self._clock.now()
                waited = 0.0 if first_wait is None else (now - first_wait).total_seconds()
                decision = self.policy.after(trouble, attempt, waited, self._chance)
                if isinstance(decision, GiveUp):
                    return AskResult(None, trouble, tuple(took), decision.reason)
                if isinstance(decision, WaitAsTold):
                    first_wait = first_wait or now
                else:
                    attempt += 1
                await self._clock.sleep(decision.seconds)
            else:
                return AskResult(answer, None, (*took, usage))

    async def attempt(self, model: str, call: ModelCall[T, U]) -> tuple[T, U]:
        """One call, when its turn has come. Its trouble is noted in the limits, and what it took in the books."""
        async with self._slots:
            if (reason := self._budget(self.spent)) is not None:
                raise Trouble("refused", reason)
            await self.limits.turn(model)
            if self._spread is not None:
                await self._spread.turn(self._clock)
            self.spent.calls += 1
            try:
                answer, usage = await call()
            except Trouble as trouble:
                if trouble.spent is not None:
                    trouble.spent = bounded(trouble.spent)
                    self.spent.add(trouble.spent)
                await self.limits.note_trouble(model, trouble)
                raise
            if self._spread is not None:
                self._spread.note(usage.latency_ms / 1000)
        usage = bounded(usage)
        self.spent.add(usage)
        self.limits.note_answer(model)
        return answer, usage

    async def answer(self, model: str, call: Callable[[], Awaitable[Answer]], key: str, cache: AnswerCache) -> Answer:
        """The answer that is known under this key, or else that of one attempt, which is kept."""
        if (known := cache.get(key)) is not None:
            return known

        async def both() -> tuple[None, Answer]:
            return None, await call()

        _, answer = await self.attempt(model, both)
        cache.keep(key, answer)
        return answer


class _Spread:
    """Keeps calls from beginning together, once it is known how long one takes at the least."""

    def __init__(self, concurrency: int) -> None:
        self._concurrency = concurrency
        self._seconds: deque[float] = deque([0.0], maxlen=concurrency)
        self._next = 0.0

    async def turn(self, clock: SleepingClock) -> None:
        now = clock.now().timestamp()
        start = max(now, self._next)
        self._next = start + min(self._seconds) / self._concurrency * _APART
        if start > now:
            await clock.sleep(start - now)

    def note(self, seconds: float) -> None:
        self._seconds.append(seconds)


def within(usd: float | None, tokens: int | None) -> SpendingCheck:
    """A budget of so much; None is no limit."""

    def refusal(spent: Spent) -> str | None:
        if usd is not None and spent.known_usd >= usd:
            return f"budget: the {usd:.4g} USD that were left are spent; raise the budget, or ask tomorrow"
        if tokens is not None and spent.known_tokens >= tokens:
            return f"budget: the {tokens:,} tokens that were left are used; raise the budget, or ask tomorrow"
        return None

    return refusal
