"""What calls took: tokens and US dollars, bounded, with one rule for sums.

A sum with an unknown part is unknown (None). What is known of it is kept beside it, for the books and for budgets.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from gnomon.llm.prices import MOST_TOKENS

MOST_USD = 1e6
"""No call costs more US dollars than this; a larger cost is no cost."""
LARGEST_SUM = 2**63 - 1
"""Sums end here: databases and other languages have no larger whole numbers."""

Number = TypeVar("Number", int, float)


class CallUsage(Protocol):
    """The usage of one call. None where it is not reported."""

    @property
    def tokens_input(self) -> int | None: ...
    @property
    def tokens_output(self) -> int | None: ...
    @property
    def cost_usd(self) -> float | None: ...
    @property
    def latency_ms(self) -> float: ...


Took = TypeVar("Took", bound=CallUsage)


def total(parts: Iterable[Number | None]) -> Number | None:
    """The sum, inside 64 bits and finite. A part that is not known makes it unknown."""
    whole: Any = 0
    for part in parts:
        if part is None:
            return None
        whole += part
    if isinstance(whole, int):
        return min(whole, LARGEST_SUM)
    return whole if math.isfinite(whole) else None


def bounded(took: Took) -> Took:
    """The same, with counts and costs that cannot be true as unknown: they are a model's own words."""
    wrong: dict[str, None] = {}
    for name in ("tokens_input", "tokens_output"):
        if not _is_count(getattr(took, name)):
            wrong[name] = None
    if not _is_cost(took.cost_usd):
        wrong["cost_usd"] = None
    return replace(took, **wrong) if wrong else took  # type: ignore[type-var]


def _is_count(tokens: Any) -> bool:
    return tokens is None or (type(tokens) is int and 0 <= tokens <= MOST_TOKENS)


def _is_cost(usd: Any) -> bool:
    return usd is None or (isinstance(usd, int | float) and not isinstance(usd, bool) and 0 <= usd <= MOST_USD)


@dataclass(slots=True)
class Spent:
    """What several calls took together. `calls` were made; those that nothing came back from are no part of the sums.

    `known_tokens` and `known_usd` are the parts that are known, also where the sum is not.
    """

    calls: int = 0
    tokens_input: int | None = 0
    tokens_output: int | None = 0
    cost_usd: float | None = 0.0
    known_tokens: int = 0
    known_usd: float = 0.0

    def add(self, took: CallUsage) -> None:
        self.tokens_input = total((self.tokens_input, took.tokens_input))
        self.tokens_output = total((self.tokens_output, took.tokens_output))
        self.cost_usd = total((self.cost_usd, took.cost_usd))
        self.known_tokens = min(self.known_tokens + (took.tokens_input or 0) + (took.tokens_output or 0), LARGEST_SUM)
        self.known_usd += took.cost_usd or 0.0

    @classmethod
    def of(cls, calls: Iterable[CallUsage]) -> "Spent":
        """What these calls took, all of which came back."""
        spent = cls()
        for took in calls:
            spent.calls += 1
            spent.add(took)
        return spent
