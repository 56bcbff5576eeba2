"""A proxy that serves a server below a path, as https://example.org/gnomon/."""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2

from contract.caller import LOOPBACK

BASE = "/gnomon"


class PrefixProxy(ThreadingHTTPServer):
    """Cuts the path off and passes the rest on; anything else is not its business (404)."""

    daemon_threads = True
    target = ""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.own: dict[str, Callable[[], None]] = {}
        """Paths that a test answers itself, by a function."""
        self.url = f"http://127.0.0.1:{self.server_port}{BASE}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class _Passing(BaseHTTPRequestHandler):
    server: PrefixProxy

    def _pass_on(self) -> None:
        if not self.path.startswith(f"{BASE}/"):
            self.send_error(404)
            return
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {**{name.lower(): value for name, value in self.headers.items()}, "accept-encoding": "identity"}
        path = self.path.removeprefix(BASE)
        if path in self.server.own:
            self.server.own[path]()
            self.send_response(204)
            self.end_headers()
            return
        url = self.server.target + path
        try:
            with httpx2.stream(self.command, url, headers=headers, content=body, timeout=600, **LOOPBACK) as answer:
                self._answer(answer)
        except (httpx2.TransportError, OSError):  # the server or the client is gone
            self.close_connection = True

    def _answer(self, answer: httpx2.Response) -> None:
        self.send_response(answer.status_code)
        for name, value in answer.headers.multi_items():
            if name not in ("content-length", "transfer-encoding", "connection", "date", "server"):
                self.send_header(name, value)
        if answer.headers.get("content-type", "").startswith("text/event-stream"):
            self.end_headers()
            for part in answer.iter_raw():
                self.wfile.write(part)
            return
        content = answer.read()
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = _pass_on  # noqa: N815  as the base class calls them

    def log_message(self, *_: Any) -> None: ...
