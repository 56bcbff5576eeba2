"""One request to an HTTP endpoint and its whole answer. Redirects are not followed: the user named this address."""

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from gnomon.calling import CallFailed, CallTimedOut, in_one_line
from gnomon.loops import PerLoop

if TYPE_CHECKING:
    import httpx2

_IDLE_SECONDS = 4.0
"""For so long an unused connection is kept open: many servers close theirs after five."""


@dataclass(frozen=True, slots=True)
class EndpointAnswer:
    """What came back, whatever its status."""

    status: int
    body: bytes
    content_type: str
    charset: str | None

    def start(self, characters: int) -> str:
        """How the body begins, in one line."""
        return in_one_line(self.body[: 4 * characters].decode("utf-8", "replace"))[:characters] or "nothing"


def is_address(url: str) -> bool:
    """Whether it is an http or https URL with a host."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def has_password(url: str) -> bool:
    parts = urlsplit(url)
    return parts.username is not None or parts.password is not None


def without_password(url: str) -> str:
    netloc = urlsplit(url).netloc
    return url.replace(netloc, netloc.rpartition("@")[2])


def without_query(url: str) -> str:
    """The address for messages, without its query, which may hold a key."""
    return urlsplit(url)._replace(query="", fragment="").geturl()


def new_client(url: str) -> "httpx2.AsyncClient":
    """A client for this address. Deadlines are for `exchange`."""
    import httpx2

    trusted = _certificates() if url.startswith("https:") else False  # without TLS there is nothing to verify
    limits = httpx2.Limits(keepalive_expiry=_IDLE_SECONDS)
    return httpx2.AsyncClient(timeout=None, verify=trusted, limits=limits)


async def shared_client(url: str) -> "httpx2.AsyncClient":
    """The client that all calls of this event loop share. It keeps no cookies: calls know nothing of each other."""
    return await (_TLS if url.startswith("https:") else _PLAIN).get()


def _without_cookies(url: str) -> "httpx2.AsyncClient":
    client = new_client(url)
    client.cookies.jar = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    return client


async def _close(client: "httpx2.AsyncClient") -> None:
    await client.aclose()


_PLAIN = PerLoop(lambda: _without_cookies("http:"), _close)
_TLS = PerLoop(lambda: _without_cookies("https:"), _close)


@cache
def _certificates() -> ssl.SSLContext:
    """Read once for all clients: it takes as long as many calls."""
    import httpx2

    return httpx2.create_ssl_context()


async def exchange(
    client: "httpx2.AsyncClient",
    method: str,
    url: str,
    *,
    content: bytes | None,
    headers: Mapping[str, str],
    timeout: float,
    most_bytes: int,
) -> EndpointAnswer:
    """Send one request and read the whole answer; raises `CallFailed`."""
    import httpx2

    shown = without_query(url)
    try:
        async with asyncio.timeout(timeout), client.stream(method, url, content=content, headers=headers) as answer:
            body = bytearray()
            async for part in answer.aiter_bytes():
                body += part
                if len(body) > most_bytes:
                    raise CallFailed(f"{shown} answered with more than {most_bytes >> 20} MiB")
            return EndpointAnswer(
                answer.status_code, bytes(body), answer.headers.get("content-type", ""), answer.charset_encoding
            )
    except (TimeoutError, httpx2.TimeoutException):
        raise CallTimedOut(f"{shown} did not answer within {timeout:g} s") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as bad:
        why = in_one_line(str(bad)) or type(bad).__name__
        raise CallFailed(f"the connection to {shown} failed: {why}") from None
