"""Bodies: how large, of how many values, and how many of them in memory at a time.

A large body waits on disk until there is memory for it and for what it is decoded into, so that ten clients with the
worst of bodies need no more than one after the other.
"""

import asyncio
import re
import tempfile
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import IO

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import Receive

from gnomon.errors import GnomonError, InvalidInput, TooLarge
from gnomon.model.jsonvalue import most_values
from gnomon.server.inflate import Inflater, comes_as_gzip

MAX_VALUES = 2_000_000
MEMORY = 400_000_000
_LIGHT = 4_000_000
_PER_BYTE, _PER_VALUE = 3, 120
"""Bytes of memory for a byte of a body, and for a value or key in it: measured, with some to spare."""
_BYTES_PER_VALUE = 20
_IN_MEMORY = 1_000_000
DRAIN_FACTOR = 4
_NOT_STRUCTURE = bytes(set(range(256)) - set(b'",:[{'))
_STRING = re.compile(rb'"[^"]*"')


class Gone(GnomonError):
    """The client closed the connection before it had sent the whole body; no response can reach it."""

    status = 400

    def __init__(self) -> None:
        super().__init__("the connection was cut")


class Body:
    """A body that was received, in memory or on disk.

    `problem` is what is wrong with its encoding: refused later, after what is refused before a 400.
    """

    def __init__(self, limit: int, *, is_json: bool = True) -> None:
        self.is_too_large = False
        self.problem: InvalidInput | None = None
        self._limit, self._is_json = limit, is_json
        self._is_gzip: bool | None = None
        self._inflater = Inflater()
        self._chunks: list[bytes] = []
        self._file: IO[bytes] | None = None
        self._size = self._most_values = 0

    async def receive(self, chunk: bytes, headers: Headers) -> None:
        """Take the next bytes as they were sent."""
        if not chunk or self.problem is not None or self.is_too_large:
            return
        try:
            if self._is_gzip is None:
                self._is_gzip = comes_as_gzip(headers)
            if self._is_gzip:
                await run_in_threadpool(self._inflate, chunk)
            else:
                self._take(chunk)
        except InvalidInput as bad:
            self.problem = bad

    def end(self) -> None:
        if self._is_gzip and self.problem is None:
            try:
                self._inflater.end()
            except InvalidInput as bad:
                self.problem = bad

    def _inflate(self, chunk: bytes) -> None:
        for piece in self._inflater.pieces(chunk):
            if self._inflater.size > self._limit:
                self.is_too_large = True
                return
            self._take(piece)

    def _take(self, chunk: bytes) -> None:
        self._size += len(chunk)
        # In another format nothing tells so simply how many values there are; its reader counts them.
        self._most_values += most_values(chunk) if self._is_json else len(chunk) // _BYTES_PER_VALUE
        self._chunks.append(chunk)
        if self._size > _IN_MEMORY:
            self._file = self._file or tempfile.TemporaryFile()  # noqa: SIM115 (closed in `close`)
            self._file.writelines(self._chunks)
            self._chunks.clear()

    @property
    def weight(self) -> int:
        """About how much memory it takes, once decoded."""
        return self._size * _PER_BYTE + self._most_values * _PER_VALUE

    async def load(self) -> bytes:
        """The bytes; refused when they would decode into more values than there may be."""
        if self._file is None:  # too small for so many
            return self._chunks[0] if len(self._chunks) == 1 else b"".join(self._chunks)
        return await run_in_threadpool(self._checked, self._file)

    def _checked(self, file: IO[bytes]) -> bytes:
        file.seek(0)
        loaded = file.read()
        if self._is_json and self._most_values > MAX_VALUES and (values := _values(loaded)) > MAX_VALUES:
            raise TooLarge(
                f"the body holds more than {MAX_VALUES:,} JSON values and keys (about {values:,}); send smaller batches"
            )
        return loaded

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def _values(text: bytes) -> int:
    """Like `most_values`, without what is inside strings."""
    plain = text.replace(rb"\\", b"").replace(rb"\"", b"")
    structure = plain.translate(None, _NOT_STRUCTURE)
    strings = structure.count(b'"') // 2
    return strings if strings > 2 * MAX_VALUES else most_values(_STRING.sub(b"", structure))


async def receive_body(headers: Headers, receive: Receive, limit: int, *, is_json: bool = True) -> Body:
    """The whole body, inflated. One that is too large is drained, so that the client hears the answer."""
    refusal = TooLarge(f"the body is larger than {limit:,} bytes; send smaller batches or raise GNOMON_MAX_BODY_MB")
    declared = headers.get("content-length", "")
    if declared.isdigit() and int(declared) > limit * DRAIN_FACTOR:
        raise refusal
    body, size, more = Body(limit, is_json=is_json), 0, True
    try:
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Gone
            chunk = message.get("body", b"")
            size += len(chunk)
            if size <= limit:
                await body.receive(chunk, headers)
            elif size > limit * DRAIN_FACTOR:
                break
            more = message.get("more_body", False)
        if size > limit or body.is_too_large:
            raise refusal
        body.end()
    except BaseException:
        body.close()
        raise
    return body


class BodyMemory:
    """A budget of bytes for all bodies in work; a request that finds it used up waits in line."""

    def __init__(self, size: int = MEMORY) -> None:
        self._size = self._free = size
        self._line: deque[tuple[int, asyncio.Future[None]]] = deque()

    @asynccontextmanager
    async def hold(self, weight: int) -> AsyncIterator[None]:
        """Light bodies never wait; one that is heavier than all there is waits until it is alone."""
        if weight <= _LIGHT:
            yield
            return
        weight = min(weight, self._size)
        await self._take(weight)
        try:
            yield
        finally:
            self._free += weight
            self._let_in()

    async def _take(self, weight: int) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._line.append((weight, turn))
        self._let_in()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._free += weight
            else:
                self._line.remove((weight, turn))
            self._let_in()
            raise

    def _let_in(self) -> None:
        while self._line and self._line[0][0] <= self._free:
            weight, turn = self._line.popleft()
            self._free -= weight
            turn.set_result(None)
