"""Which backend a command works with: a server, or a database of this machine. Commands do not know which.

Flags choose: `--url` a server, `--db` a file, and without either GNOMON_URL, else the database in GNOMON_HOME.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from gnomon.errors import InvalidInput
from gnomon.settings import from_environment

if TYPE_CHECKING:  # the nouns take a while to build, and --help needs none of them
    from gnomon.model.backend import Backend
    from gnomon.model.experiment import Experiment

_LISTED = 10
_MOST_PROJECTS = 50


def with_backend(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flags that choose a backend, and hand it that backend as its first argument."""

    @backend_flags
    @functools.wraps(command)
    def run(url: str | None, key: str | None, db: str | None, **options: Any) -> Any:
        with open_backend(url, key, db) as backend:
            return command(backend, **options)

    return run


def backend_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """The flags alone, for a command that opens its backend only sometimes."""
    url = click.option("--url", help="Use this server (default: GNOMON_URL).")
    key = click.option("--key", help="API key for that server (default: GNOMON_API_KEY).")
    db = click.option("--db", help="Use this database file or URL instead of a server.")
    return url(key(db(command)))


@contextmanager
def open_backend(url: str | None, key: str | None, db: str | None, *, make: bool = False) -> Iterator[Backend]:
    """The backend that the flags name, closed afterwards. With `make` a database file that is not there is made."""
    backend = _choose_backend(url, key, db, make)
    try:
        yield backend
    finally:
        backend.close()


def _choose_backend(url: str | None, key: str | None, db: str | None, make: bool) -> Backend:
    if url and db:
        raise InvalidInput("--url and --db name two stores; give one of them")
    settings = from_environment()
    server = url or (None if db else settings.url)
    if server:
        return _server(server, key or settings.api_key)
    return _database(settings.with_database(db).database_url, make)


def _server(url: str, key: str | None) -> Backend:
    from gnomon.client import Client

    if not key:
        raise InvalidInput(f"there is no key for {url}; set GNOMON_API_KEY or give --key")
    return Client(url, key)


def _database(url: str, make: bool) -> Backend:
    from gnomon.service.embedded import Embedded
    from gnomon.service.upkeep.maintenance import make_ready

    if make:
        make_ready(url)
    return Embedded(url)


def server_of(backend: Backend) -> str | None:
    """The address of the server that is asked; None for a database of this machine."""
    return getattr(backend, "url", None)


def find(
    backend: Backend, name_or_id: str, project_id: str | None, at: str | None = None, other_than: str | None = None
) -> Experiment:
    """The experiment. Its project need not be said where only one has that name."""
    from gnomon.model.backend import find_experiment

    try:
        return find_experiment(backend, name_or_id, project_id, at=at, other_than=other_than)
    except InvalidInput as bad:
        if bad.code != "PROJECT_REQUIRED":
            raise
        raise InvalidInput(
            f"there are too many projects to look for {name_or_id!r}; name its project with --project"
        ) from None


def chosen_projects(backend: Backend, project_id: str | None) -> list[str]:
    """The project that is named, which must exist, else all of them."""
    from gnomon.model.backend import find_project

    if project_id is not None:
        return [find_project(backend, project_id).id]
    every = [project.id for project in islice(backend.projects(), _MOST_PROJECTS + 1)]
    if len(every) > _MOST_PROJECTS:
        raise InvalidInput(f"there are more than {_MOST_PROJECTS} projects; name one with --project")
    return every


def one_project(backend: Backend, project_id: str | None, why: str) -> str:
    """The project that is named, which must exist, else the only one. `why` says what makes it needed."""
    from gnomon.model.backend import find_project

    if project_id is not None:
        return find_project(backend, project_id).id
    known = [project.id for project in islice(backend.projects(), _LISTED)]
    if len(known) == 1:
        return known[0]
    choices = f"there are {', '.join(known)}" if known else "there are none yet"
    raise InvalidInput(f"{why}; name its project with --project ({choices})")


def refusal_of_flags(refusal: InvalidInput, **flags: tuple[str, str | None]) -> InvalidInput:
    """The refusal in the words of the command, where the field that is wrong was given as a flag."""
    first = refusal.problems[0] if refusal.problems else None
    if first is None or first.index is not None or first.field not in flags:
        return refusal
    flag, value = flags[first.field]
    return InvalidInput.of(flag, f"--{flag} {value!r}: {first.message}")
