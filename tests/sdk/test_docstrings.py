"""Every public name says what it is, with an example that runs as a user would type it after `import gnomon as gn`."""

import doctest
import importlib
import inspect
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

import gnomon as gn
from conftest import Server
from gnomon.sdk import connection
from sdk.conftest import forget_the_environment

NAMES = [name for name in gn.__all__ if name != "__version__"]
OF_A_SERVER = ("AsyncClient", "Client")


def declared(name: str) -> Any:
    """The object itself: `gnomon.model` is also a package."""
    return getattr(importlib.import_module(gn._WHERE[name]), name)


@pytest.fixture
def surroundings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server_on: Callable[[str], Server], name: str
) -> Iterator[None]:
    """A store of its own, a provider of models that nobody asks, and for the clients a server."""
    forget_the_environment(monkeypatch, tmp_path)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    if name in OF_A_SERVER:
        server = server_on("sqlite")
        monkeypatch.setenv("GNOMON_URL", server.url)
        monkeypatch.setenv("GNOMON_API_KEY", server.admin_key)
    connection.configure()
    yield
    connection.configure()


@pytest.mark.usefixtures("surroundings")
@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_has_an_example_that_runs(name: str) -> None:
    """The whole public surface has docstrings whose examples run."""
    found = doctest.DocTestFinder(recurse=False).find(declared(name), name, globs={"gn": gn})
    examples = [example for test in found for example in test.examples]
    assert examples, f"the docstring of {name} has no example"
    assert not any(doctest.SKIP in example.options for example in examples)
    runner, written = doctest.DocTestRunner(), list[str]()
    for test in found:
        runner.run(test, out=written.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(written)


@pytest.mark.parametrize("name", [name for name in NAMES if inspect.isclass(declared(name))])
def test_public_methods_of_a_public_class_say_what_they_do(name: str) -> None:
    for method, value in vars(declared(name)).items():
        if not method.startswith("_") and (inspect.isfunction(value) or isinstance(value, property | cached_property)):
            assert value.__doc__ or method in ("close", "aclose", "id", "name"), f"{name}.{method} has no docstring"
