"""The published inputs of the `compat` profile. Tests that can build their own do not ask for them."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def published(test_data: Path) -> Path:
    """The folder with the outcome fixtures and hook sidecars."""
    folder = test_data / "outcome"
    if not folder.is_dir():
        pytest.skip(f"{test_data} has no folder `outcome`")
    return folder
