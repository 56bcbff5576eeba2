"""Random numbers that are the same on every machine and with every Python: SHA-256 of a counter.

A stream is named by the seed and a path such as ("wearable",). Streams know nothing of each other, so a module
draws the same numbers whether or not others are drawn beside it.
"""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")
_WORD = 1 << 64
_FRACTION = 1 << 53


class Stream:
    """Draws one after the other. Only whole numbers and + - * / on floats are used, never a function of libm."""

    def __init__(self, seed: int, *path: str) -> None:
        self._name = "/".join(("gnomon", str(seed), *path))
        self._blocks = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            digest = hashlib.sha256(f"{self._name}#{self._blocks}".encode()).digest()
            self._blocks += 1
            self._words = [int.from_bytes(digest[at : at + 8], "big") for at in (24, 16, 8, 0)]
        return self._words.pop()

    def whole(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + (self._word() * (high - low + 1) // _WORD)

    def real(self, low: float, high: float) -> float:
        return low + (high - low) * ((self._word() >> 11) / _FRACTION)

    def bell(self, spread: float) -> float:
        """Roughly normal around 0 with this standard deviation, at most 3.5 of them: the sum of four uniform draws."""
        word = self._word()
        total = (word & 0xFFFF) + (word >> 16 & 0xFFFF) + (word >> 32 & 0xFFFF) + (word >> 48)
        return spread * ((total - 131_070) / 37_837)

    def chance(self, permille: int) -> bool:
        return self.whole(0, 999) < permille

    def pick(self, items: Sequence[Item]) -> Item:
        return items[self.whole(0, len(items) - 1)]

    def some(self, items: Sequence[Item], count: int) -> list[Item]:
        """That many of the items, none twice, in the order in which they were given."""
        left = list(range(len(items)))
        taken = [left.pop(self.whole(0, len(left) - 1)) for _ in range(min(count, len(items)))]
        return [items[index] for index in sorted(taken)]
