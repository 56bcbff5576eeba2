"""Judges whose faults are known, and items whose truth is: what a correction or a report card is tested on.

A mark in an item's text carries the truth through template, fence and transport to the simulated judge, which
answers 1 or 0 with its own rates of error. Every draw follows from the seed and the item, so two runs agree.
"""

import hashlib
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from gnomon.testing.replies import Asked

_MARK = re.compile(r"\[\[(?P<item>[^\[\]|]+)\|(?P<truth>good|bad)\]\]")

PromptReader = Callable[[str], tuple[str, bool] | None]
"""From a prompt to the item that it is about and whether that is truly good; None when it does not say."""


def mark(item: str, good: bool) -> str:
    """A mark in a text that contains the truth for a simulated judge."""
    return f"[[{item}|{'good' if good else 'bad'}]]"


def read_mark(prompt: str) -> tuple[str, bool] | None:
    """The item and the truth of the first mark in a prompt."""
    match = _MARK.search(prompt)
    return (match["item"], match["truth"] == "good") if match else None


@dataclass(frozen=True)
class SimulatedJudge:
    """Says 1 of a good item with the chance `sensitivity`, and 0 of a bad one with the chance `specificity`.

    It is a script for `LoopbackModel`. A steady judge says the same of an item however often it is asked;
    otherwise every asking is a new draw, and asking twice shows how far it agrees with itself.
    """

    sensitivity: float
    specificity: float
    seed: int = 0
    read: PromptReader = read_mark
    steady: bool = True
    _askings: Counter[str] = field(default_factory=Counter, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("sensitivity", "specificity"):
            if not 0 <= (chance := getattr(self, name)) <= 1:
                raise ValueError(f"{name} {chance} is not a chance; give a number from 0 to 1")

    def __call__(self, request: Asked) -> str:
        return self.answer(request.prompt)

    def answer(self, prompt: str) -> str:
        known = self.read(prompt)
        if known is None:
            return "There is no mark in this prompt."
        item, good = known
        if not self.steady:
            self._askings[item] += 1
        right = _chance(self.seed, item, self._askings[item]) < (self.sensitivity if good else self.specificity)
        return "1" if good == right else "0"


def _chance(seed: int, item: str, asking: int) -> float:
    """A number from 0 up to 1 that follows from its arguments."""
    digest = hashlib.sha256(f"{seed}|{asking}|{item}".encode(errors="surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


@dataclass(frozen=True)
class MarkedItem:
    """Something to judge of which the truth is known; `output` carries the mark."""

    item: str
    good: bool
    input: str
    output: str


def marked_items(count: int, *, good: float = 0.5, seed: int = 0) -> list[MarkedItem]:
    """Make so many items, each truly good with that chance."""
    chance = random.Random(seed)
    items = []
    for number in range(1, count + 1):
        item, truth = f"item-{number}", chance.random() < good
        items.append(MarkedItem(item, truth, f"Question {number}", f"Answer {number} {mark(item, truth)}"))
    return items
