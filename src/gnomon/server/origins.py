"""Which names this server goes by, and which requests come from its own page.

A site that lets its own name point to this machine (DNS rebinding) is refused by its Host header; a site that makes a
browser send our cookie is refused by what the browser says about where the request began.
"""

import socket
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from gnomon.errors import Forbidden, Misdirected

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_HEADER = "x-gnomon"
_LONGEST_SHOWN = 100


@dataclass(frozen=True)
class Origins:
    """Where this server listens and how it is called from outside."""

    host: str = "127.0.0.1"
    public_url: str | None = None
    more_names: tuple[str, ...] = ()
    names: frozenset[str] = field(init=False)
    takes_addresses: bool = field(init=False)
    """Whether any IP address will do as a Host: no name was resolved for it, so none can have been rebound."""

    def __post_init__(self) -> None:
        listens_beyond = not _is_loopback(self.host)
        public = None if self.public_url is None else urlsplit(self.public_url).hostname
        own = (self.host, public, *self.more_names, *((socket.gethostname(),) if listens_beyond else ()))
        object.__setattr__(self, "names", LOOPBACK_NAMES | {name.lower().strip("[]") for name in own if name})
        object.__setattr__(self, "takes_addresses", listens_beyond)

    @property
    def base_path(self) -> str:
        """The path below which a proxy serves everything, such as "/gnomon"; "" for none."""
        return "" if self.public_url is None else urlsplit(self.public_url).path.rstrip("/")

    @property
    def is_https(self) -> bool:
        return self.public_url is not None and self.public_url.startswith("https://")

    def check_host(self, headers: Headers) -> None:
        """Refuse a name that is not ours. Every browser sends one; a program that sends none is let in."""
        host_header = headers.get("host")
        if host_header is None:
            return
        name = _without_port(host_header)
        if name in self.names or (self.takes_addresses and _is_address(name)):
            return
        raise Misdirected(
            f"this server is not known by the name {name[:_LONGEST_SHOWN]!r}; start it with --public-url, or add the"
            " name to GNOMON_ALLOWED_HOSTS"
        )

    def check_session_request(self, method: str, headers: Headers) -> None:
        """Refuse a request that came with our cookie and not from our page."""
        if method in SAFE_METHODS:
            # The cookie is never sent across sites. Another port of the same host is the same site, though.
            if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
                raise _forged("a session is good for requests of Gnomon's own page only")
            return
        if not self._is_own_page(headers, otherwise=False):
            raise _forged(f"{method} with a session must come from Gnomon's own page")
        if headers.get(OWN_HEADER) != "1":
            raise _forged(f"{method} with a session needs the header X-Gnomon: 1")

    def check_login(self, headers: Headers) -> None:
        """Refuse that another site logs a browser in, into a session of its choice. Programs say nothing of a site."""
        if not self._is_own_page(headers, otherwise=True):
            raise _forged("logging in must come from Gnomon's own page")

    def _is_own_page(self, headers: Headers, *, otherwise: bool) -> bool:
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site is not None:
            return site == "same-origin"
        if origin is None:
            return otherwise
        return origin == _origin(self.public_url) or urlsplit(origin).netloc == headers.get("host", "")


def _forged(message: str) -> Forbidden:
    return Forbidden(f"{message}; with a key in the header Authorization there is no such condition", code="CSRF")


def _origin(url: str | None) -> str | None:
    if url is None:
        return None
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _without_port(host: str) -> str:
    name = host.rpartition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    return name.lower().rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)
