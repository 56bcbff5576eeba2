"""Authentication of the caller: an ordered list of schemes, each an object.

The first scheme that finds its credentials in a request decides, also when they are wrong. A request in which no
scheme finds any is refused with what the first one asks for.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from gnomon.errors import Unauthorized
from gnomon.model.access import Principal

Identify = Callable[[str], Principal | None]
ADMIN = Principal("admin", "admin")
"""The holder of the key that a server's environment names."""


_BEARER = re.compile(r"bearer(?: |%20)(.*)", re.IGNORECASE | re.DOTALL)


def bearer_token(credentials: str) -> str | None:
    """The key after `Bearer`. Some exporters send the blank as %20, as environment variables have it."""
    match = _BEARER.fullmatch(credentials)
    return None if match is None else match[1].strip() or None


class Authenticator(Protocol):
    """One way to say who is calling."""

    @property
    def challenge(self) -> str | None:
        """What `WWW-Authenticate` says of it; None for a scheme that has no name there, such as a cookie."""

    @property
    def remedy(self) -> str:
        """The `WWW-Authenticate` challenge for a caller without credentials."""

    async def authenticate(self, request: HTTPConnection) -> Principal | None:
        """The caller; None without credentials of this scheme; raises `Unauthorized` when they are not valid."""


@dataclass(frozen=True, slots=True)
class BearerKeys:
    """Keys in the header `Authorization: Bearer <key>`."""

    recall: Identify
    """From memory alone."""
    identify: Identify
    """From the database, in a thread."""
    challenge: str | None = "Bearer"
    remedy: str = "send the header Authorization: Bearer <key>"

    async def authenticate(self, request: HTTPConnection) -> Principal | None:
        token = bearer_token(request.headers.get("authorization", ""))
        if token is None:
            return None
        return _valid(self.recall(token) or await run_in_threadpool(self.identify, token))

    def holder(self, token: str | None) -> Principal:
        """The same for a caller that needs a key and has only this one, in a thread that may wait."""
        if token is None:
            raise Unauthorized(f"no key was given; {self.remedy}")
        return _valid(self.recall(token) or self.identify(token))


def _valid(principal: Principal | None) -> Principal:
    if principal is None:
        raise Unauthorized("this key is not valid; make one with `gnomon key create`")
    return principal


async def authenticate(authenticators: Sequence[Authenticator], request: HTTPConnection) -> Principal:
    for authenticator in authenticators:
        principal = await authenticator.authenticate(request)
        if principal is not None:
            return principal
    raise Unauthorized(f"no key was given; {authenticators[0].remedy}")


def challenges(authenticators: Sequence[Authenticator]) -> dict[str, str]:
    """The header of a 401."""
    named = [authenticator.challenge for authenticator in authenticators if authenticator.challenge is not None]
    return {"WWW-Authenticate": ", ".join(named)} if named else {}
