"""A log line that may be due many times per second, written once per second at most."""

import math
from collections.abc import Callable, Mapping


class ThrottledLine:
    """Writes one of many alike events; each line says how many others were held back since the line before."""

    def __init__(self, write: Callable[[Mapping[str, object]], None], seconds: float = 1.0) -> None:
        self._write, self._seconds = write, seconds
        self._free_at = -math.inf
        self._latest: Mapping[str, object] | None = None
        self._held_back = 0

    def note(self, event: Mapping[str, object], now: float) -> None:
        """Write the event, or hold it back until its second is over or a later one takes its place."""
        self._held_back += self._latest is not None
        self._latest = event
        self.flush(now)

    def flush(self, now: float) -> None:
        """Write the held-back lines when they are due. Call it about once per second."""
        if self._latest is not None and now >= self._free_at:
            self._write({**self._latest, "held_back": self._held_back})
            self._latest, self._held_back, self._free_at = None, 0, now + self._seconds
