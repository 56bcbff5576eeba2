"""The web application as it was built: its page for every address that a browser opens, and its assets.

The page decides by itself what an address means, so that any address outside the API shows the same page. Files are
known by name from one look at the folder, which is repeated when the page was built anew: no path of a request is ever
joined to the folder's.
"""

import gzip
import hashlib
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from gnomon.server.compression import LEAST_BYTES, takes_gzip
from gnomon.server.endpoints import Endpoint, Rules
from gnomon.server.guards import APP_GUARDS
from gnomon.settings import OWN_PATHS

STATIC = Path(__file__).with_name("static")
_RESERVED = OWN_PATHS - {"login", "projects", "share"}
_READING = frozenset({"GET", "HEAD"})
_KINDS = {
    ".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8", ".json": "application/json", ".map": "application/json",
    ".png": "image/png", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json", ".woff2": "font/woff2",
}  # fmt: skip
_COMPRESSIBLE = frozenset({".css", ".html", ".js", ".json", ".map", ".svg", ".txt", ".webmanifest"})
_HTML_TAG = re.compile(rb"<html\b([^>]*)>", re.IGNORECASE)
_THEME = re.compile(rb"""\s+data-theme=(?:"[^"]*"|'[^']*'|[^\s>]*)""", re.IGNORECASE)
_RELATIVE = re.compile(rb"""((?:src|href)=")\./""")
THEMES = ("light", "dark")


@dataclass
class WebFile:
    """A file of the built page, read when it is first asked for."""

    path: Path
    is_immutable: bool
    """Its name changes with its content."""

    @cached_property
    def content(self) -> bytes:
        return self.path.read_bytes()

    @cached_property
    def zipped(self) -> bytes | None:
        """The file that the build left beside it, else compressed once; None where that saves nothing."""
        beside = self.path.with_name(self.path.name + ".gz")
        if beside.is_file():
            return beside.read_bytes()
        if self.path.suffix not in _COMPRESSIBLE or len(self.content) < LEAST_BYTES:
            return None
        return gzip.compress(self.content, 6, mtime=0)

    @cached_property
    def tag(self) -> str:
        return etag(self.content)

    @property
    def headers(self) -> dict[str, str]:
        forever = "public, max-age=31536000, immutable"
        return {
            "Content-Type": _KINDS.get(self.path.suffix, "application/octet-stream"),
            "Cache-Control": forever if self.is_immutable else "no-cache",
            "ETag": self.tag,
            "Vary": "Accept-Encoding",
            **APP_GUARDS,
        }


@dataclass
class Site:
    """The folder of the built page, which may be absent or built anew while the server runs."""

    folder: Path
    base_path: str = ""
    """The path that a proxy serves the page below, such as "/gnomon"."""
    _built: int | None = None
    _files: dict[str, WebFile] = field(default_factory=dict)

    @property
    def is_built(self) -> bool:
        self._look()
        return self._built is not None

    def file(self, path: str) -> WebFile | None:
        """The file at this path of the server."""
        self._look()
        return self._files.get(path)

    def page(self, request: Request) -> Response:
        """`index.html`, with the theme that the reader chose and the path that it is below written into it."""
        index = self._files["/index.html"]
        theme = request.cookies.get("theme")
        content = at_base(index.content, self.base_path)
        if theme in THEMES:
            content = with_theme(content, theme)
        headers = {**index.headers, "ETag": etag(content), "Vary": "Accept-Encoding, Cookie"}
        return conditional(request.headers, content, headers)

    def asset(self, request: Request, file: WebFile) -> Response:
        if _is_known(request.headers, file.tag):
            return Response(None, 304, file.headers)
        if file.zipped is not None and takes_gzip(request.headers):
            return Response(file.zipped, 200, {**file.headers, "Content-Encoding": "gzip"})
        return Response(file.content, 200, file.headers)

    def _look(self) -> None:
        """Find the files, again only when `index.html` is another one than before."""
        try:
            built = (self.folder / "index.html").stat().st_mtime_ns
        except OSError:
            built = None
        if built != self._built:
            self._files = {} if built is None else _files_in(self.folder)
            self._built = built


class WebRoute(BaseRoute):
    """Every address of the page and its files; anything else is left to be not found."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if not self.site.is_built:
            return Match.NONE, {}
        file = self.site.file(scope["path"])
        if file is not None or _is_for_page(scope):
            return Match.FULL, {"web_file": file}
        return Match.NONE, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await run_in_threadpool(self._answer, Request(scope), scope["web_file"])
        await response(scope, receive, send)

    def _answer(self, request: Request, file: WebFile | None) -> Response:
        if file is None or file.path.name == "index.html":
            return self.site.page(request)
        return self.site.asset(request, file)


def web_endpoint(site: Site) -> Endpoint:
    """The page and its files, for everybody: what they show comes from the API, which asks for a key."""
    return Endpoint(WebRoute(site), Rules(None, "unread"), _READING)


def etag(content: bytes) -> str:
    """Weak, since the same content may leave compressed."""
    return f'W/"{hashlib.sha256(content).hexdigest()[:32]}"'


def conditional(request_headers: Headers, content: bytes, headers: dict[str, str]) -> Response:
    """The content, or 304 for a reader who has it. `headers` hold its ETag."""
    if _is_known(request_headers, headers["ETag"]):
        return Response(None, 304, headers)
    return Response(content, 200, headers)


def with_theme(page: bytes, theme: str) -> bytes:
    """The page with `data-theme` at its root: the policy lets no script set it before the first paint."""

    def tag(html: re.Match[bytes]) -> bytes:
        return b"<html" + _THEME.sub(b"", html[1]) + b' data-theme="' + theme.encode() + b'">'

    return _HTML_TAG.sub(tag, page, count=1)


def at_base(page: bytes, base_path: str) -> bytes:
    """The page with absolute addresses, since it is shown at any depth, and `data-base` for its scripts."""
    base = base_path.encode()
    page = _RELATIVE.sub(rb"\g<1>" + base + b"/", page)
    return _HTML_TAG.sub(rb'<html\g<1> data-base="' + base + b'">', page, count=1) if base else page


def _is_known(request_headers: Headers, tag: str) -> bool:
    known = [known_tag.strip().removeprefix("W/") for known_tag in request_headers.get("if-none-match", "").split(",")]
    return "*" in known or tag.removeprefix("W/") in known


def _is_for_page(scope: Scope) -> bool:
    if scope["method"] not in _READING or scope["path"].split("/", 2)[1] in _RESERVED:
        return False
    return "text/html" in Headers(scope=scope).get("accept", "").lower()


def _files_in(folder: Path) -> dict[str, WebFile]:
    return {
        f"/{path.relative_to(folder).as_posix()}": WebFile(path, path.parent.name == "assets")
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".gz" and not path.name.startswith(".")
    }
