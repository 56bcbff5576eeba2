"""The time and new ids. Services are handed one, so that tests and demo data can bring their own.

Ids are UUIDv7: the first 48 bits are the millisecond of creation, so they sort by age. Within
a process they only grow, also inside one millisecond and when the clock is set back.
"""

import os
import threading
import time
from datetime import datetime

from gnomon.model import moment

_COUNTER_BITS = 42  # of the 74 that are free after time, version and variant


class Clock:
    """Real time, and ids that grow with it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ms = 0
        self._counter = 0

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def now(self) -> datetime:
        return moment.from_ms(self.now_ms())

    def new_id(self) -> str:
        return self.new_ids(1)[0]

    def new_ids(self, count: int) -> list[str]:
        """So many new ids, in growing order."""
        with self._lock:
            now = self.now_ms()
            if now > self._ms:
                # Start anywhere in the lower half: two processes rarely meet, and there is room to grow.
                self._ms, self._counter = now, int.from_bytes(os.urandom(6)) >> (48 - _COUNTER_BITS + 1)
            elif (self._counter + count) >> _COUNTER_BITS:
                self._ms, self._counter = self._ms + 1, 0
            stamp, start = f"{self._ms:012x}", self._counter
            self._counter += count
        noise = os.urandom(4 * count).hex()
        heads = _Heads(f"{stamp[:8]}-{stamp[8:]}-7")
        return [
            f"{heads[number >> 16]}{number & 0xFFFF:04x}{noise[at : at + 8]}"
            for number, at in zip(range(start, start + count), range(0, 8 * count, 8), strict=True)
        ]


class _Heads(dict[int, str]):
    """The part of an id that changes only every 65,536 ids, made when it is first asked for."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def __missing__(self, upper: int) -> str:
        self[upper] = head = f"{self._prefix}{upper >> 14:03x}-{0x8000 | upper & 0x3FFF:04x}-"
        return head


def created_ms(id: str) -> int:
    """The millisecond in which an id was made."""
    return int(id[:8] + id[9:13], 16)
