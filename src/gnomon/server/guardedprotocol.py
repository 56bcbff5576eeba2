"""A connection: what uvicorn leaves open about clients that are slow, endless or malformed.

A client has ten seconds for the head of a request, which is at most 64 KiB and 100 headers. A body may take as long as
it likes and be as long as it likes (imports are streamed), as long as it comes on: at least 1 KiB per second, looked at
every ten seconds, and only while the server is reading. Whatever is refused here is refused in the usual envelope.
"""

import asyncio
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import httptools
import uvicorn
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from gnomon.server.errors import envelope
from gnomon.server.guards import GUARDS

HEAD_SECONDS = 10.0
MAX_HEAD_BYTES = 65_536
MAX_HEADERS = 100
LOOK_SECONDS = 10.0
LEAST_PER_SECOND = 1024
_GUARDS = b"".join(b"%s: %s\r\n" % guard for guard in GUARDS)


class Server(uvicorn.Server):
    """A server that runs a function in a thread when it is asked to stop."""

    def __init__(self, config: uvicorn.Config, on_stop: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_stop = on_stop

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            threading.Thread(target=self._on_stop, name="gnomon-stop", daemon=True).start()
        super().handle_exit(sig, frame)


class GuardedProtocol(HttpToolsProtocol):
    """uvicorn's protocol with limits on the head of a request and on how slowly a body may come."""

    _head_bytes = 0
    _in_head = True
    _received = 0
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        if self._in_head:
            if self._timer is None:  # the first byte of another request on this connection
                self._await_head()
            if self._head_bytes > MAX_HEAD_BYTES:  # a head that does not end calls nothing below
                self.send_400_response("")
                return
            self._head_bytes += len(data)
        super().data_received(data)

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if self._head_is_too_long():
            raise _HeadIsTooLong

    def on_headers_complete(self) -> None:
        self._in_head, self._head_bytes = False, 0
        self._stop_timer()
        super().on_headers_complete()
        self._await_body()

    def on_message_complete(self) -> None:
        self._stop_timer()
        self._in_head = True
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        if self._head_bytes > MAX_HEAD_BYTES or self._head_is_too_long():
            message = f"a request has at most {MAX_HEADERS} headers and {MAX_HEAD_BYTES:,} bytes before its body"
            self._refuse(431, "HEADERS_TOO_LARGE", f"{message}; send fewer or shorter ones")
        else:
            self._refuse(400, "INVALID_REQUEST", "this is not HTTP/1.1 as the server can read it")

    def _head_is_too_long(self) -> bool:
        headers: list[tuple[bytes, bytes]] = self.headers or []  # None before the first request
        return len(headers) > MAX_HEADERS or sum(len(name) + len(value) for name, value in headers) > MAX_HEAD_BYTES

    def _await_head(self) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(HEAD_SECONDS, self._head_is_late)

    def _head_is_late(self) -> None:
        message = f"the head of the request did not come within {HEAD_SECONDS:g} s; send it at once"
        self._refuse(408, "REQUEST_TIMEOUT", message)

    def _await_body(self) -> None:
        self._received = 0
        self._timer = self.loop.call_later(LOOK_SECONDS, self._look_at_body)

    def _look_at_body(self) -> None:
        """A client that the server does not read from, because it is busy, is not a slow one."""
        if not self.flow.read_paused and self._received < LOOK_SECONDS * LEAST_PER_SECOND:
            message = f"the body comes with less than {LEAST_PER_SECOND:,} bytes per second; nothing was stored"
            self._refuse(408, "REQUEST_TIMEOUT", message)
        else:
            self._await_body()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, status: int, code: str, message: str) -> None:
        """Say why and hang up; a request that is under way learns that its client is gone."""
        self._stop_timer()
        cycle: RequestResponseCycle | None = self.cycle
        answering = cycle is not None and cycle.response_started and not cycle.response_complete
        if not answering and not self.transport.is_closing():
            body = bytes(envelope(status, code, message).body)
            head = b"content-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n" % len(body)
            self.transport.write(STATUS_LINE[status] + head + _GUARDS + b"\r\n" + body)
        self.transport.close()


class _HeadIsTooLong(httptools.HttpParserError):
    """Ends the parser; `send_400_response` says why."""


def configured(app: Any) -> uvicorn.Config:
    return uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=30, lifespan="off",
        http=GuardedProtocol,
    )  # fmt: skip
