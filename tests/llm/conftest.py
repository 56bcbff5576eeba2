"""One loop and one LiteLLM for all tests of this room: it takes seconds to load."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from gnomon.llm.ask import close
from gnomon.testing import LoopbackModel, Script

KEY = "sk-loopback-0123456789"


@pytest.fixture(scope="session")
def run() -> Iterator[Callable[[Coroutine[Any, Any, Any]], Any]]:
    """Runs a coroutine to its end, always on the same loop, as a worker does."""
    with asyncio.Runner() as runner:
        yield runner.run
        runner.run(close())


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., LoopbackModel]]:
    """Starts a scripted model and makes it the one that this process's environment names."""
    with ExitStack() as open_models:

        def start(script: Script = "1", **options: Any) -> LoopbackModel:
            model = open_models.enter_context(LoopbackModel(script, **options))
            for name, value in (model.environment() | {"OPENAI_API_KEY": KEY}).items():
                monkeypatch.setenv(name, value)
            return model

        yield start
