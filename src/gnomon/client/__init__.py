"""Typed clients of Gnomon's HTTP contract: `Client`, and `AsyncClient` for programs that run an event loop.

    with Client("http://127.0.0.1:8321", key) as client:
        for experiment in client.experiments("support"):
            print(client.summary(experiment.id))

Without arguments both read GNOMON_URL and GNOMON_API_KEY. They decide nothing: that is the callers' work.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2
from pydantic import BaseModel

from gnomon.client.binding import AsyncSending, Sending
from gnomon.client.operations import Operations
from gnomon.client.requests import JSON, UNREACHABLE, ListRequest, Request, RetryPolicy
from gnomon.errors import GnomonError, InvalidInput
from gnomon.settings import from_environment

__all__ = ["UNREACHABLE", "AsyncClient", "Client", "RetryPolicy"]

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

_BUSY = {429, 502, 503, 504}
_NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)


class _Connected:
    """A server and a key."""

    def __init__(
        self, url: str | None = None, key: str | None = None, *, timeout: float = 60.0, retry: RetryPolicy | None = None
    ) -> None:
        self.url, key = _server_and_key(url, key)
        self._retry = retry or RetryPolicy()
        self._connect(
            base_url=self.url,
            # Strict: a server refuses fields that it does not know, instead of ignoring them.
            headers={"Authorization": f"Bearer {key}", "Accept": JSON, "Prefer": "handling=strict"},
            timeout=httpx2.Timeout(timeout, connect=min(timeout, 10.0)),
        )

    def _connect(self, **options: Any) -> None:
        raise NotImplementedError


class Client(_Connected, Operations, Sending):
    """A server and a key. Use it in a `with`, or close it. Threads may share one.

    Without arguments they are read from GNOMON_URL and GNOMON_API_KEY. Every operation of the HTTP API is a method.

    >>> with gn.Client() as client:
    ...     projects = [project.id for project in client.projects()]
    """

    def _connect(self, **options: Any) -> None:
        self._http = httpx2.Client(**options)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def send(self, request: Request[T]) -> T:
        """Ask, and ask again while that is safe and may help."""
        attempts = _Attempts(request, self._retry, self.url)
        while True:
            pause: float | None
            try:
                answer = self._http.request(**attempts.arguments)
            except httpx2.RequestError as fault:
                pause = attempts.pause_after_fault(fault)
            else:
                pause = attempts.pause_after_answer(answer)
                if pause is None:
                    return request.read(answer.status_code, answer.content)
            time.sleep(pause)

    def pages(self, request: ListRequest[M]) -> Iterator[M]:
        """Every item of a list; a page is fetched when it is needed."""
        cursor: str | None = None
        while True:
            page = self.send(request.page(cursor))
            yield from page.items
            if (cursor := page.next_cursor) is None:
                return


class AsyncClient(_Connected, Operations, AsyncSending):
    """The same operations, to await; lists are read with `async for`. Use it in an `async with`, or `aclose` it.

    >>> async def projects():
    ...     async with gn.AsyncClient() as client:
    ...         return [project.id async for project in client.projects()]
    >>> import asyncio
    >>> ids = asyncio.run(projects())
    """

    def _connect(self, **options: Any) -> None:
        self._http = httpx2.AsyncClient(**options)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._http.aclose()

    async def send(self, request: Request[T]) -> T:
        """Ask, and ask again while that is safe and may help."""
        attempts = _Attempts(request, self._retry, self.url)
        while True:
            pause: float | None
            try:
                answer = await self._http.request(**attempts.arguments)
            except httpx2.RequestError as fault:
                pause = attempts.pause_after_fault(fault)
            else:
                pause = attempts.pause_after_answer(answer)
                if pause is None:
                    return request.read(answer.status_code, answer.content)
            await asyncio.sleep(pause)

    async def pages(self, request: ListRequest[M]) -> AsyncIterator[M]:
        """Every item of a list; a page is fetched when it is needed."""
        cursor: str | None = None
        while True:
            page = await self.send(request.page(cursor))
            for item in page.items:
                yield item
            if (cursor := page.next_cursor) is None:
                return


class _Attempts:
    """One request on its way: what is sent each time, and how long to wait after what happened."""

    def __init__(self, request: Request[Any], retry: RetryPolicy, url: str) -> None:
        self.arguments: dict[str, Any] = {
            "method": request.method, "url": f"/v1{request.path}", "params": dict(request.query),
            "content": request.body, "headers": request.headers(),
        }  # fmt: skip
        self._may_repeat, self._retry, self._url = request.may_repeat, retry, url
        self._number = 0

    def pause_after_fault(self, fault: httpx2.RequestError) -> float:
        """There was no answer. Raises when asking again is not safe, or was tried often enough."""
        self._number += 1
        safe = self._may_repeat or isinstance(fault, _NEVER_SENT)
        pause = self._retry.pause(self._number) if safe else None
        if pause is None:
            why = " ".join(str(fault).split()) or type(fault).__name__
            words = f"cannot reach {self._url}: {why}; is the server running there?"
            raise GnomonError(words, code=UNREACHABLE) from None
        return pause

    def pause_after_answer(self, answer: httpx2.Response) -> float | None:
        """None when this answer is the last."""
        self._number += 1
        busy = answer.status_code in _BUSY and (self._may_repeat or answer.status_code == 429)
        return self._retry.pause(self._number, _retry_after(answer)) if busy else None


def _server_and_key(url: str | None, key: str | None) -> tuple[str, str]:
    if url is None or key is None:
        settings = from_environment()
        url, key = settings.url if url is None else url, settings.api_key if key is None else key
    if url is None:
        raise InvalidInput.of("url", "no server is named; set GNOMON_URL and GNOMON_API_KEY, or give url and key")
    url = checked_url(url)
    if key is None:
        raise InvalidInput.of("key", f"there is no key for {url}; set GNOMON_API_KEY, or give key")
    return url, _checked_key(key)


def checked_url(url: str) -> str:
    """The address without a slash at its end; `InvalidInput` where it is none."""
    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL:
        parsed = httpx2.URL("")
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise InvalidInput.of("url", f"the server's address is {url!r}; write it like http://127.0.0.1:8321")
    return url.rstrip("/")


def _checked_key(key: str) -> str:
    key = key.strip()
    if not key or not key.isascii() or not key.isprintable():
        raise InvalidInput.of("key", "the key is empty or has characters that no key has; copy it again")
    return key


def _retry_after(answer: httpx2.Response) -> float | None:
    seconds = answer.headers.get("retry-after", "")
    return float(seconds) if seconds.isdigit() else None
