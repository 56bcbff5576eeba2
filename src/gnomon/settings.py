"""All settings, read once from the environment. Flags of `gnomon serve` override them."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, get_args

from gnomon.errors import InvalidInput

DEFAULT_PORT = 8321
OWN_PATHS = frozenset({"v1", "assets", "docs", "openapi.json", "healthz", "readyz", "login", "projects", "share"})
"""First parts of the server's own addresses."""
TransportSetting = Literal["auto", "openai", "litellm"]
Prepare = Literal["auto", "on", "off"]
"""As in `store.engine.Connecting`, which takes longer to load than most commands may."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a Gnomon process needs to know. Each field says which variable sets it."""

    home: Path = field(metadata={"env": "GNOMON_HOME", "help": "Folder for the database file and the admin key"})
    database_url: str = field(
        repr=False,  # it may hold a password
        metadata={"env": "GNOMON_DATABASE_URL", "help": "sqlite:////path/file.db or postgresql://user@host/name"},
    )
    database_pool: int = field(
        default=20, metadata={"env": "GNOMON_DATABASE_POOL", "help": "PostgreSQL connections that a process may open"}
    )
    database_prepare: Prepare = field(
        default="auto",
        metadata={
            "env": "GNOMON_DATABASE_PREPARE",
            "help": "Prepare statements in PostgreSQL: on, off, or auto (unless a pooler such as pgbouncer is found)",
        },
    )
    admin_key: str | None = field(
        default=None,
        repr=False,
        metadata={"env": "GNOMON_ADMIN_KEY", "help": "An unbound admin key of this server, besides the database's own"},
    )
    max_body_mb: float = field(
        default=32, metadata={"env": "GNOMON_MAX_BODY_MB", "help": "Largest request body in megabytes"}
    )
    log_level: str = field(
        default="info", metadata={"env": "GNOMON_LOG_LEVEL", "help": "debug, info, warning or error"}
    )
    url: str | None = field(
        default=None, metadata={"env": "GNOMON_URL", "help": "A server that commands and SDK talk to"}
    )
    api_key: str | None = field(
        default=None, repr=False, metadata={"env": "GNOMON_API_KEY", "help": "The key that commands and SDK use there"}
    )
    project: str | None = field(
        default=None,
        metadata={
            "env": "GNOMON_PROJECT",
            "help": "The SDK's project (default: the key's, else default)",
        },
    )

    public_url: str | None = field(
        default=None,
        metadata={
            "env": "GNOMON_PUBLIC_URL",
            "help": "The server's address as browsers know it, such as https://example.org/gnomon",
        },
    )
    allowed_hosts: tuple[str, ...] | None = field(
        default=None,
        metadata={
            "env": "GNOMON_ALLOWED_HOSTS",
            "help": "Further names by which browsers may call the server, separated by commas",
        },
    )

    judge_concurrency: int = field(
        default=16,
        metadata={"env": "GNOMON_JUDGE_CONCURRENCY", "help": "Calls to models that a worker makes at a time"},
    )
    judge_providers: str | None = field(
        default=None,
        metadata={"env": "GNOMON_JUDGE_PROVIDERS", "help": "Providers that judges may use (default: those with a key)"},
    )
    judge_transport: TransportSetting = field(
        default="auto",
        metadata={
            "env": "GNOMON_JUDGE_TRANSPORT",
            "help": "How models are asked: auto (directly where they speak OpenAI's protocol), openai or litellm",
        },
    )
    judge_timeout: float = field(
        default=60, metadata={"env": "GNOMON_JUDGE_TIMEOUT", "help": "Seconds that a model may take for an answer"}
    )
    lease_seconds: float = field(
        default=30, metadata={"env": "GNOMON_LEASE_SECONDS", "help": "After which a dead worker's jobs are taken over"}
    )
    back_off_seconds: float = field(
        default=1, metadata={"env": "GNOMON_BACK_OFF_SECONDS", "help": "The first wait after a model's fault"}
    )

    @property
    def max_body_bytes(self) -> int:
        return int(self.max_body_mb * 1_000_000)

    def with_database(self, url_or_path: str | None) -> "Settings":
        """The same settings on another database, named by URL or by file."""
        if not url_or_path:
            return self
        if "://" in url_or_path:
            return replace(self, database_url=_database_url(url_or_path, "--db"))
        return replace(self, database_url=f"sqlite:///{Path(url_or_path).expanduser().absolute()}")

    def with_public_url(self, url: str | None) -> "Settings":
        """The same settings for a server that is known by another address."""
        return replace(self, public_url=_public_url(url, "--public-url")) if url else self


def from_environment(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the environment; refuse what makes no sense, by name."""
    home = Path(environ.get("GNOMON_HOME") or "~/.gnomon").expanduser().absolute()
    url = environ.get("GNOMON_DATABASE_URL") or f"sqlite:///{home / 'gnomon.db'}"
    return Settings(
        home=home,
        database_url=_database_url(url, "GNOMON_DATABASE_URL"),
        database_pool=int(_number(environ, "GNOMON_DATABASE_POOL", 20, 2, 1000)),
        database_prepare=_prepare(environ.get("GNOMON_DATABASE_PREPARE") or "auto"),
        admin_key=environ.get("GNOMON_ADMIN_KEY") or None,
        max_body_mb=_megabytes(environ.get("GNOMON_MAX_BODY_MB") or "32"),
        log_level=(environ.get("GNOMON_LOG_LEVEL") or "info").lower(),
        url=environ.get("GNOMON_URL") or None,
        api_key=environ.get("GNOMON_API_KEY") or None,
        project=environ.get("GNOMON_PROJECT") or None,
        public_url=_public_url(environ.get("GNOMON_PUBLIC_URL"), "GNOMON_PUBLIC_URL"),
        allowed_hosts=_names(environ.get("GNOMON_ALLOWED_HOSTS") or ""),
        judge_concurrency=int(_number(environ, "GNOMON_JUDGE_CONCURRENCY", 16, 1, 1000)),
        judge_providers=environ.get("GNOMON_JUDGE_PROVIDERS") or None,
        judge_transport=_transport(environ.get("GNOMON_JUDGE_TRANSPORT") or "auto"),
        judge_timeout=_number(environ, "GNOMON_JUDGE_TIMEOUT", 60, 1, 3600),
        lease_seconds=_number(environ, "GNOMON_LEASE_SECONDS", 30, 1, 3600),
        back_off_seconds=_number(environ, "GNOMON_BACK_OFF_SECONDS", 1, 0.01, 60),
    )


def _number(environ: Mapping[str, str], name: str, usual: float, least: float, most: float) -> float:
    text = environ.get(name) or str(usual)
    try:
        value = float(text)
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        raise InvalidInput(f"{name} is {text!r}; it is a number from {least:g} to {most:g}, such as {usual:g}")
    return value


_AFTER_USER = re.compile(r"(?:[^:/]*(?::[^@]*)?@)?(.*)", re.DOTALL)
_PAIR = "[^&=]+=[^&]*"
_HOST = re.compile(rf"(?:\[[^/?@\]]+\]|[^/:?@]*)(?::[0-9]*)?(?:/[^?@]*)?(?:\?(?:{_PAIR}(?:&{_PAIR})*)?)?")
"""What stands behind `user:password@`: a host, a port, a database's name, parameters."""


def _prepare(text: str) -> Prepare:
    for known in get_args(Prepare):
        if text.lower() == known:
            return known  # type: ignore[no-any-return]
    raise InvalidInput(f"GNOMON_DATABASE_PREPARE is {text!r}; it is auto, on or off")


def _transport(text: str) -> TransportSetting:
    for known in get_args(TransportSetting):
        if text.lower() == known:
            return known  # type: ignore[no-any-return]
    raise InvalidInput(f"GNOMON_JUDGE_TRANSPORT is {text!r}; it is auto, openai or litellm")


def _database_url(url: str, said_by: str) -> str:
    """Refuse what is not a database's URL, without repeating what may be a password."""
    kind, separator, rest = url.partition("://")
    if kind == "postgres":  # as many hosts write it
        kind = "postgresql"
    if kind not in ("sqlite", "postgresql"):
        shown = f"begins with {kind}://" if separator and re.fullmatch(r"[\w.+-]{1,20}", kind) else "is not a URL"
        raise InvalidInput(f"{said_by} {shown}; it begins with sqlite:/// or postgresql://")
    after_user = _AFTER_USER.fullmatch(rest)
    if kind == "postgresql" and not (after_user and _HOST.fullmatch(after_user[1])):
        words = "write @, :, / and ? in a name or a password as %40, %3A, %2F and %3F"
        raise InvalidInput(f"{said_by} cannot be read as postgresql://user:password@host:port/name; {words}")
    return f"{kind}://{rest}"


def _public_url(url: str | None, said_by: str) -> str | None:
    if not url:
        return None
    match = re.fullmatch(r"https?://[^/?#@\s]+((?:/[\w.~-]+)*)/?", url, re.ASCII)
    if not match:
        raise InvalidInput(
            f"{said_by} is {url!r}; write http:// or https://, a host and, if needed, a path, such as"
            " https://gnomon.example.org or https://example.org/gnomon"
        )
    first = match[1].split("/")[1:2]
    if first and (first[0] in OWN_PATHS or first[0] in (".", "..")):
        raise InvalidInput(f"{said_by} is {url!r}, and /{first[0]} is a path of the server itself; choose another path")
    return url.rstrip("/")


def _names(text: str) -> tuple[str, ...] | None:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        if not re.fullmatch(r"[A-Za-z0-9._-]+|\[?[0-9A-Fa-f:]+\]?", name):
            raise InvalidInput(
                f"GNOMON_ALLOWED_HOSTS has {name!r}; write host names without a port, such as gnomon.local"
            )
    return names or None


def _megabytes(text: str) -> float:
    try:
        size = float(text)
    except ValueError:
        size = 0.0
    if not 0 < size <= 10_000:
        raise InvalidInput(f"GNOMON_MAX_BODY_MB is {text!r}; it is a number of megabytes above 0, such as 32")
    return size
