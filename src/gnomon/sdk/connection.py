"""Where the SDK works: on the embedded store in GNOMON_HOME, or with a server. The same calls, the same answers.

Nothing is opened before it is needed. A connection belongs to the process that opened it: a forked child opens its own.
"""

import atexit
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from gnomon.client import Client, checked_url
from gnomon.errors import Conflict, Forbidden, InvalidInput, NotFound, Refused
from gnomon.model.backend import Backend
from gnomon.model.trace import ProjectDraft
from gnomon.settings import Settings, from_environment

DEFAULT_PROJECT = "default"


@dataclass(frozen=True, slots=True)
class SdkConnection:
    """A backend, and the project that everything here is about."""

    backend: Backend
    project_id: str
    url: str | None
    """The server's address; None on a database of this machine."""
    settings: Settings
    closed: threading.Event = field(default_factory=threading.Event, repr=False, compare=False)

    def opened(self) -> Backend:
        """The backend. It is refused once it was closed: what is asked later would go to a place that is gone."""
        if self.closed.is_set():
            words = "this came from a connection that `configure` or a fork has closed"
            raise Refused(f"{words}; get it again, by gn.experiment(ID) or gn.dataset(ID), where it is stored")
        return self.backend


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What `configure` was told. What it was not told comes from the environment."""

    url: str | None = None
    api_key: str | None = None
    project: str | None = None
    database: str | None = None
    opening: Any = field(default_factory=threading.RLock, repr=False, compare=False)
    """Held while a connection is opened, which takes as long as a server takes to answer."""


_lock = threading.RLock()
"""Held for a moment, so that nobody waits for a server that another has left."""
_chosen = _Chosen()
_open: SdkConnection | None = None
_before_change: list[Callable[[], Any]] = []


def configure(
    *, url: str | None = None, api_key: str | None = None, project: str | None = None, database: str | None = None
) -> None:
    """Choose where everything goes from here on.

    With `url` and `api_key`, to a server; else to `database`, a file or a URL. What is not given is read from
    GNOMON_URL, GNOMON_API_KEY, GNOMON_PROJECT and GNOMON_DATABASE_URL; without any of them it is the file in
    GNOMON_HOME. A project that does not exist is made.

    >>> gn.configure(database="scores.db", project="capitals")
    """
    if url and database:
        raise InvalidInput.of("url", "url and database name two stores; give one of them")
    _leave(_Chosen(None if url is None else checked_url(url), api_key, project, database))


def connection() -> SdkConnection:
    """The open connection; opened with the first call."""
    while True:
        chosen = _chosen
        with chosen.opening:
            if (opened := _opened(chosen)) is not None:
                return opened


def _opened(chosen: _Chosen) -> SdkConnection | None:
    """None when another place was chosen meanwhile."""
    global _open
    with _lock:
        if chosen is _chosen and _open is not None:
            return _open
    opened = _connect(chosen, from_environment())
    with _lock:
        if chosen is _chosen:
            _open = opened
            return opened
    opened.backend.close()
    return None


def before_change(action: Callable[[], Any]) -> None:
    """Do this before the connection is closed: what waits to be sent belongs to the old one."""
    if action not in _before_change:
        _before_change.append(action)


def close() -> None:
    """Let go of connections and files; the next call opens them again."""
    _leave(replace(_chosen, opening=threading.RLock()))


def _leave(chosen: _Chosen) -> None:
    """Close the open connection; the next one is opened where `chosen` says."""
    global _chosen, _open
    for action in _before_change:  # without the lock: those who act may ask for the connection in another thread
        action()
    with _lock:
        leaving, _open, _chosen = _open, None, chosen
    if leaving is not None:
        leaving.closed.set()
        leaving.backend.close()


def _connect(chosen: _Chosen, settings: Settings) -> SdkConnection:
    url = chosen.url or (None if chosen.database else settings.url)
    backend = _server(url, chosen.api_key or settings.api_key) if url else _database(settings, chosen.database)
    try:
        project_id = _project(backend, chosen.project or settings.project)
    except BaseException:
        backend.close()
        raise
    return SdkConnection(backend, project_id, url.rstrip("/") if url else None, settings.with_database(chosen.database))


def _server(url: str, key: str | None) -> Backend:
    if not key:
        raise InvalidInput.of("api_key", f"there is no key for {url}; set GNOMON_API_KEY, or give api_key to configure")
    return Client(url, key)


def _database(settings: Settings, database: str | None) -> Backend:
    # Loaded here: a program that sends its spans to a server needs no database, and begins half a second sooner.
    from gnomon.service.embedded import Embedded
    from gnomon.service.upkeep.maintenance import make_ready

    address = settings.with_database(database).database_url
    make_ready(address)
    return Embedded(address)


def _project(backend: Backend, name_or_id: str | None) -> str:
    """The project that is named; else `default`, or the only one that the key may use."""
    name = name_or_id or DEFAULT_PROJECT
    try:
        return backend.project(name).id
    except (NotFound, Forbidden):
        pass
    try:
        return backend.create_project(ProjectDraft(id=name)).id
    except Conflict:  # made by another process meanwhile
        return name
    except Forbidden:
        visible = [project.id for project in backend.projects()]
        if name_or_id is None and len(visible) == 1:
            return visible[0]
        words = f"project {name!r} does not exist, and this key may not make one; there are {', '.join(visible)}"
        raise InvalidInput.of("project", words) from None


def _forget() -> None:
    """Forget the connection in a forked child: the parent's sockets and files are not the child's."""
    global _open, _lock, _chosen
    if _open is not None:
        _open.closed.set()
    _open, _lock = None, threading.RLock()
    _chosen = replace(_chosen, opening=threading.RLock())


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_forget)
atexit.register(close)
