"""An async client that is waited for, so that what holds for the sync one can be tried with both."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from gnomon.client import AsyncClient


class Awaited:
    """Its methods give what awaiting those of the client gives; lists are read to their end."""

    def __init__(self, client: AsyncClient, runner: asyncio.Runner) -> None:
        self._client, self._runner = client, runner

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._client, name)

        def call(*given: Any, **named: Any) -> Any:
            async def waited() -> Any:
                answer = method(*given, **named)
                return [item async for item in answer] if isinstance(answer, AsyncIterator) else await answer

            return self._runner.run(waited())

        return call


@contextmanager
def awaited(*given: Any, **named: Any) -> Iterator[Any]:
    """What makes an `AsyncClient`, made into one that is waited for."""
    with asyncio.Runner() as runner:
        client = AsyncClient(*given, **named)
        try:
            yield Awaited(client, runner)
        finally:
            runner.run(client.aclose())
