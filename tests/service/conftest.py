"""A store of its own for a test, on each database, where a judge is accepted and nobody answers."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gnomon.store.engine import Store, open_store


@pytest.fixture
def store(
    database: str, tmp_path: Path, new_postgresql: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Store]:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    opened = open_store(new_postgresql() if database == "postgresql" else f"sqlite:///{tmp_path}/gnomon.db")
    yield opened
    opened.close()
