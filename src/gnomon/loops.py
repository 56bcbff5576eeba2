"""Things that belong to one event loop, such as open connections."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class PerLoop(Generic[T]):
    """One object for each event loop, made with its first use and closed when the loop ends."""

    def __init__(self, make: Callable[[], T], close: Callable[[T], Awaitable[None]]) -> None:
        self._make, self._close = make, close
        self._made: dict[asyncio.AbstractEventLoop, tuple[T, AsyncGenerator[None, None]]] = {}

    async def get(self) -> T:
        loop = asyncio.get_running_loop()
        if entry := self._made.get(loop):
            return entry[0]
        for closed in [other for other in list(self._made) if other.is_closed()]:
            self._made.pop(closed, None)
        value = self._make()
        keeper = self._until_the_loop_ends(loop, value)
        self._made[loop] = value, keeper
        await anext(keeper)
        return value

    async def close(self) -> None:
        """Close this loop's; the next use makes another."""
        if entry := self._made.get(asyncio.get_running_loop()):
            await entry[1].aclose()

    async def _until_the_loop_ends(self, loop: asyncio.AbstractEventLoop, value: T) -> AsyncGenerator[None, None]:
        """`asyncio.run` ends every generator that was started in its loop."""
        try:
            yield
        finally:
            self._made.pop(loop, None)
            await self._close(value)
