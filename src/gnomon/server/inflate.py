"""Bodies that come as gzip, inflated piece by piece: a small body never becomes a large one in memory."""

import zlib
from collections.abc import Iterator
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import Message, Receive

from gnomon.errors import InvalidInput, TooLarge

PIECE = 262_144
STREAM_FACTOR = 100
"""A streamed body may inflate to this many times what has arrived, beyond the first bytes that every body may have."""
_SLICE = 4096  # what is left of a slice is copied at the end of each member, so slices are short
_GZIP = zlib.MAX_WBITS | 16
_SPARE_MEMBERS = 10_000
_BYTES_PER_MEMBER = 1000


def comes_as_gzip(headers: Headers) -> bool:
    """Whether the body has to be inflated; an encoding that is not known here is refused."""
    named = ",".join(headers.getlist("content-encoding"))
    encodings = [name for part in named.split(",") if (name := part.strip().lower()) not in ("", "identity")]
    if encodings in (["gzip"], ["x-gzip"]):
        return True
    if encodings:
        message = f"a body comes plain or as gzip, once; {named[:60]!r} is not known here"
        raise InvalidInput.of("Content-Encoding", message)
    return False


class Inflater:
    """gzip data of one or several members, as RFC 1952 has them one after the other."""

    def __init__(self) -> None:
        self.size = 0
        self._member: Any = None
        self._members = 0
        self._inside = False

    def pieces(self, chunk: bytes) -> Iterator[bytes]:
        """What the next bytes inflate to. Nothing is inflated before it is asked for."""
        for start in range(0, len(chunk), _SLICE):
            yield from self._slice(chunk[start : start + _SLICE])

    def end(self) -> None:
        if self._inside:
            raise InvalidInput.of("body", "the gzip data of the body ends too early; send all of it")

    def _slice(self, rest: bytes) -> Iterator[bytes]:
        is_full = False
        while rest or is_full:
            if not self._inside:
                self._member, self._inside = zlib.decompressobj(_GZIP), True
            try:
                piece = self._member.decompress(rest, PIECE)
            except zlib.error as bad:
                raise InvalidInput.of("body", f"the body is not gzip data, or not all of it: {bad}") from None
            is_full = len(piece) == PIECE
            self.size += len(piece)
            rest = self._member.unconsumed_tail
            if self._member.eof:
                rest, is_full = self._member.unused_data, False
                self._end_member()
            if piece:
                yield piece

    def _end_member(self) -> None:
        self._inside = False
        self._members += 1
        if self._members > _SPARE_MEMBERS + self.size // _BYTES_PER_MEMBER:
            message = f"the gzip data has {self._members:,} members with hardly anything in them; compress it in one go"
            raise InvalidInput.of("body", message)


class InflatedStream:
    """The `receive` of a streamed body: plain pieces of what arrives as gzip."""

    def __init__(self, receive: Receive, spare: int, drain: int) -> None:
        self._receive, self._spare, self._drain = receive, spare, drain
        self._arrived = 0
        self._more = True
        self._inflater = Inflater()
        self._pieces: Iterator[bytes] = iter(())

    async def __call__(self) -> Message:
        while (piece := await run_in_threadpool(next, self._pieces, None)) is None:
            if not self._more:
                self._inflater.end()
                return {"type": "http.request", "body": b"", "more_body": False}
            message = await self._receive()
            if message["type"] != "http.request":
                return message
            self._take(message)
        if self._inflater.size > self._spare + STREAM_FACTOR * self._arrived:
            await self._hear_out()
            raise TooLarge(
                f"the body inflates to more than {STREAM_FACTOR} times its size ({self._arrived:,} bytes so far); "
                "send it plain"
            )
        return {"type": "http.request", "body": piece, "more_body": True}

    def _take(self, message: Message) -> None:
        chunk = message.get("body", b"")
        self._arrived += len(chunk)
        self._more = message.get("more_body", False)
        self._pieces = self._inflater.pieces(chunk)

    async def _hear_out(self) -> None:
        """Let the client finish, within a bound, so that it hears the answer."""
        received = 0
        while self._more and received <= self._drain:
            message = await self._receive()
            received += len(message.get("body", b""))
            self._more = message.get("more_body", False)
