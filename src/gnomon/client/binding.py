"""How one description of an operation becomes a method of both clients.

An operation is written once, as a function that builds its request. As an attribute of a client it is a method with the
same parameters: of `Client` one that gives the answer, of `AsyncClient` one to await. Type checkers see both through
the overloads of `__get__`.
"""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from pydantic import BaseModel

from gnomon.client.requests import ListRequest, Request

P = ParamSpec("P")
T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


class Sending:
    """What a client needs to carry out operations."""

    def send(self, request: Request[T]) -> T:
        raise NotImplementedError

    def pages(self, request: ListRequest[M]) -> Iterator[M]:
        raise NotImplementedError


class AsyncSending:
    """The same, to await."""

    async def send(self, request: Request[T]) -> T:
        raise NotImplementedError

    def pages(self, request: ListRequest[M]) -> AsyncIterator[M]:
        raise NotImplementedError


class operation(Generic[P, T]):  # noqa: N801 (used as a decorator)
    """One request and its answer."""

    def __init__(self, build: Callable[Concatenate[Any, P], Request[T]]) -> None:
        self.build = build
        functools.update_wrapper(self, build)  # type: ignore[arg-type]

    @overload
    def __get__(self, client: None, owner: type) -> Self: ...
    @overload
    def __get__(self, client: Sending, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: AsyncSending, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: Any, owner: type) -> Any:
        return self if client is None else _bound(self.build, client, client.send)


class listing(Generic[P, M]):  # noqa: N801 (used as a decorator)
    """A list, page by page as it is read."""

    def __init__(self, build: Callable[Concatenate[Any, P], ListRequest[M]]) -> None:
        self.build = build
        functools.update_wrapper(self, build)  # type: ignore[arg-type]

    @overload
    def __get__(self, client: None, owner: type) -> Self: ...
    @overload
    def __get__(self, client: Sending, owner: type) -> Callable[P, Iterator[M]]: ...
    @overload
    def __get__(self, client: AsyncSending, owner: type) -> Callable[P, AsyncIterator[M]]: ...
    def __get__(self, client: Any, owner: type) -> Any:
        return self if client is None else _bound(self.build, client, client.pages)


def _bound(build: Callable[..., Any], client: Any, carry_out: Callable[[Any], Any]) -> Callable[..., Any]:
    request = MethodType(build, client)

    @functools.wraps(request)
    def method(*args: Any, **kwargs: Any) -> Any:
        return carry_out(request(*args, **kwargs))

    return method
