"""What to do after trouble: one decision for everybody who asks a model, whether they sleep or postpone a job."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from gnomon.llm.answer import Trouble

Chance = Callable[[], float]
"""A number in [0, 1), another one each time."""


@dataclass(frozen=True, slots=True)
class WaitAsTold:
    """Ask again after this many seconds; the provider asked for it, so it uses no attempt."""

    seconds: float


@dataclass(frozen=True, slots=True)
class TryAgain:
    """Ask again after this many seconds, as another attempt."""

    seconds: float


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Do not ask again."""

    reason: str


RetryDecision = WaitAsTold | TryAgain | GiveUp


@dataclass(frozen=True, slots=True)
class AskingPolicy:
    """How often a question is asked, and how long between."""

    attempts: int = 6
    first_pause: float = 1.0
    longest_pause: float = 60.0
    longest_wait: float = 300.0
    """Seconds of a Retry-After that are waited for."""
    gives_up_on_longer_waits: bool = False
    """Whether a provider that asks for more than that is not asked again, instead of sooner than it asked for."""
    waits_for: float = 3600.0
    """Seconds from the first wait on for which waits use no attempt."""
    counts_rate_limits: bool = True
    """Whether "too many requests" without a Retry-After uses an attempt."""

    def after(
        self, trouble: Trouble, attempt: int, waited: float = 0.0, chance: Chance = random.random
    ) -> RetryDecision:
        """What to do after trouble on this attempt (the first is 1), `waited` seconds after the first wait began."""
        if not trouble.retryable or trouble.was_answered:
            return self._give_up(trouble, 1)
        asked_for = trouble.retry_after or 0.0
        if asked_for > self.longest_wait and self.gives_up_on_longer_waits:
            return self._give_up(trouble, attempt)
        seconds = min(asked_for, self.longest_wait)
        is_wait = trouble.retry_after is not None or not self.counts_rate_limits
        if trouble.kind == "rate_limited" and is_wait and waited < self.waits_for:
            return WaitAsTold(seconds)
        if attempt < self.attempts:
            return TryAgain(max(seconds, self._pause(attempt, chance)))
        return self._give_up(trouble, attempt)

    def _pause(self, attempt: int, chance: Chance) -> float:
        """The pause before the next attempt: longer each time, with random jitter."""
        longest = min(self.longest_pause, self.first_pause * 2.0**attempt)
        return self.first_pause + chance() * max(0.0, longest - self.first_pause)

    def _give_up(self, trouble: Trouble, attempts: int) -> GiveUp:
        tries = f" ({attempts} attempts)" if attempts > 1 else ""
        return GiveUp(f"{trouble.kind}: {trouble.message}{tries}")
