"""Spans that came from OpenTelemetry, put into requests of its protocol: they are stored as if they were sent."""

from gnomon.interop.foreign.bundle import Bundle
from gnomon.interop.otlp.encoding import request_of

MOST_SPANS = 512
MOST_BYTES = 4_000_000
"""Of a request of several spans; one by itself may be as large as a span may be."""


class Requests:
    """Fills `Bundle.otlp`."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._waiting: list[tuple[bytes, bytes]] = []
        self._size = 0

    def add(self, span: bytes, source: bytes) -> None:
        """A span and where it comes from, as protobuf."""
        if len(self._waiting) == MOST_SPANS or (self._waiting and self._size + len(span) > MOST_BYTES):
            self.finish()
        self._waiting.append((span, source))
        self._size += len(span)

    def finish(self) -> None:
        if self._waiting:
            self._bundle.otlp.append(request_of(self._waiting))
        self._waiting, self._size = [], 0
