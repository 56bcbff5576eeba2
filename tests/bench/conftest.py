"""A small scenario package on disk, for everything that runs, scores or reads one."""

from pathlib import Path

import pytest

from bench.small import small_package, write_small
from gnomon.bench.noticing.scenario import ScenarioPackage


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the small package. It is shared: read it, and write a copy of your own to change it."""
    return write_small(tmp_path_factory.mktemp("scenarios"))


@pytest.fixture
def own_small(tmp_path: Path) -> Path:
    """Folder of a small package that a test may damage."""
    return write_small(tmp_path)


@pytest.fixture(scope="session")
def package() -> ScenarioPackage:
    """The small package in memory."""
    return small_package()
