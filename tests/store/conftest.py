"""A store on each database, empty for every test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gnomon.store.engine import Store, open_store


@pytest.fixture
def new_url(database: str, tmp_path: Path, new_postgresql: Callable[[], str]) -> str:
    return new_postgresql() if database == "postgresql" else f"sqlite:///{tmp_path}/gnomon.db"


@pytest.fixture
def store(url_with_schema: str) -> Iterator[Store]:
    store = open_store(url_with_schema)
    yield store
    store.close()


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(f"sqlite:///{tmp_path}/only.db")
    yield store
    store.close()
