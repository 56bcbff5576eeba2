"""New databases and servers that are cleared away, whatever a test did to them."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from faults.victim import Victim


@pytest.fixture(autouse=True)
def _on_linux() -> None:
    if sys.platform != "linux":
        pytest.skip("limits, mounts and open lines are asked of the Linux kernel")


@pytest.fixture
def new_url(database: str, tmp_path: Path, new_postgresql: Callable[[], str]) -> str:
    """A database that does not exist yet (SQLite) or is empty (PostgreSQL); the test runs once on each."""
    return new_postgresql() if database == "postgresql" else f"sqlite:///{tmp_path}/gnomon.db"


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Callable[..., Victim]]:
    """Makes servers: `victim(url)`. Each has a home of its own and ends with the test."""
    results: list[Victim] = []

    def make(url: str, *options: str, **more: Any) -> Victim:
        results.append(Victim(url, tmp_path / f"home-{len(results)}", options, **more))
        return results[-1]

    yield make
    for each in results:
        each.clear_away()
