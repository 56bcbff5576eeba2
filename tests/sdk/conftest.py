"""The SDK without a server, and with one: a test that asks for `place` runs in both."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import Server
from contract.caller import fresh_project
from databases import new_sqlite_with_schema
from gnomon.sdk import connection

PLACES = ["embedded", "server"]


@pytest.fixture(params=PLACES)
def place(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    server_on: Callable[[str], Server],
) -> Iterator[str]:
    """Where the SDK works from here on: a new file, or a project of its own on a server."""
    forget_the_environment(monkeypatch, tmp_path)
    if request.param == "server":
        server = server_on("sqlite")
        connection.configure(url=server.url, api_key=server.admin_key, project=fresh_project())
    else:
        make_file(tmp_path)
        connection.configure()
    yield str(request.param)
    connection.configure()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The SDK on a new file, for what does not depend on the place."""
    forget_the_environment(monkeypatch, tmp_path)
    make_file(tmp_path)
    connection.configure()
    yield tmp_path / "home"
    connection.configure()


def make_file(folder: Path) -> None:
    """As the first call would make it, which takes longer than most tests run."""
    (folder / "home").mkdir(mode=0o700)
    new_sqlite_with_schema(folder / "home" / "gnomon.db")


def forget_the_environment(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    for name in ("GNOMON_URL", "GNOMON_API_KEY", "GNOMON_PROJECT", "GNOMON_DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GNOMON_HOME", str(folder / "home"))
    monkeypatch.chdir(folder)
