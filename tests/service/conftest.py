"""A store of its own for a test, on each database, where a judge is accepted and nobody answers."""

from collections.abc import Iterator

import pytest

from gnomon.store.engine import Store, open_store


@pytest.fixture
def store(url_with_schema: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    opened = open_store(url_with_schema)
    yield opened
    opened.close()
