"""A browser's session: its cookie, the scheme that reads it, and how often logging in may fail."""

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from gnomon.errors import TooMany, Unauthorized
from gnomon.model.access import Principal
from gnomon.server.origins import Origins
from gnomon.service.access.shares import opened
from gnomon.service.access.websessions import Held

MAX_FAILURES = 10
WINDOW_SECONDS = 60.0
SHARE_HEADER = "x-gnomon-share"
"""Names the share whose cookie a request comes with."""
_MAX_ADDRESSES = 10_000


@dataclass(frozen=True, slots=True)
class Cookie:
    """The cookie as this server sets it: over https a name that no other host and no plain http can write.

    Below a path it is sent to that path only, which `__Host-` does not allow.
    """

    is_https: bool
    base_path: str = ""
    stem: str = "gnomon_session"

    @classmethod
    def of(cls, request: HTTPConnection, origins: Origins) -> "Cookie":
        return cls(origins.is_https or request.url.scheme == "https", origins.base_path)

    @classmethod
    def of_share(cls, request: HTTPConnection, origins: Origins, share_id: str) -> "Cookie":
        """Each share has its own, beside that of an own login and beside those of other shares."""
        return replace(cls.of(request, origins), stem=f"gnomon_share_{share_id}")

    @property
    def name(self) -> str:
        if not self.is_https:
            return self.stem
        return f"__Secure-{self.stem}" if self.base_path else f"__Host-{self.stem}"

    def set(self, token: str, seconds: int) -> str:
        """The header that begins a session."""
        return self._text(token, seconds)

    def clear(self) -> str:
        return self._text("", 0)

    def _text(self, value: str, seconds: int) -> str:
        secure = "; Secure" if self.is_https else ""
        return f"{self.name}={value}; Path={self.base_path}/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"


@dataclass(frozen=True, slots=True)
class CookieSessions:
    """Authentication by a session cookie. The session is kept in `request.state.session`."""

    origins: Origins
    recall: Callable[[str], Held | None]
    """From memory alone."""
    find: Callable[[str], Held | None]
    """From the database, in a thread."""
    challenge: str | None = None
    remedy: str = "log in at /login"

    async def authenticate(self, request: HTTPConnection) -> Principal | None:
        if "cookie" not in request.headers:
            return None
        token = request.cookies.get(Cookie.of(request, self.origins).name)
        if not token:
            return None
        held = self.recall(token) or await run_in_threadpool(self.find, token)
        if held is None:
            raise Unauthorized(f"this session has ended; log in again at {self.origins.base_path}/login")
        request.state.session = held
        return held.principal


@dataclass(frozen=True, slots=True)
class OpenedShares:
    """Authentication by the cookie of a share, which a request asks for by naming the share.

    A page that shows a share sends that header, and all other pages do not: so a share beside an own login neither
    shows more than it does to others, nor ends that login.
    """

    origins: Origins
    recall: Callable[[str], Held | None]
    find: Callable[[str], Held | None]
    challenge: str | None = None
    remedy: str = "open the link of the share again"

    async def authenticate(self, request: HTTPConnection) -> Principal | None:
        share_id = request.headers.get(SHARE_HEADER)
        if share_id is None:
            return None
        token = request.cookies.get(Cookie.of_share(request, self.origins, share_id).name)
        if not token:
            raise Unauthorized("this share is not open in this browser; open its link again")
        held = opened(self.recall(token) or await run_in_threadpool(self.find, token))
        request.state.session = held
        return held.principal


@dataclass
class Attempts:
    """Logins by address within a minute. One that succeeds does not count."""

    _times: dict[str, deque[float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, address: str) -> None:
        """One more, before it is known how it ends, so that many at once are no way around."""
        now = time.monotonic()
        with self._lock:
            if len(self._times) >= _MAX_ADDRESSES:
                self._times.clear()
            times = self._times.setdefault(address, deque())
            while times and times[0] <= now - WINDOW_SECONDS:
                times.popleft()
            if len(times) >= MAX_FAILURES:
                wait = max(1, math.ceil(times[0] + WINDOW_SECONDS - now))
                raise TooMany(
                    f"{MAX_FAILURES} logins from this address failed within a minute; try again in {wait} s",
                    retry_after=wait,
                )
            times.append(now)

    def forgive(self, address: str) -> None:
        """The last one succeeded."""
        with self._lock:
            times = self._times.get(address)
            if times:
                times.pop()
