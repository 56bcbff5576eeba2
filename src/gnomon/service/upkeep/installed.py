"""What is installed here: for `gnomon --version`, and for reports of problems."""

import os
import platform
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from gnomon._version import __version__
from gnomon.extras import EXTRAS, clone_folder, missing_packages
from gnomon.service.evaluation.provenance import git_state


@dataclass(frozen=True, slots=True)
class Installed:
    version: str
    commit: str | None
    """Of the clone that it runs from; None where it was installed."""
    changed: bool | None
    """Whether tracked files of the clone differ from the commit."""
    folder: str
    python: str
    sqlite: str
    extras: list[str]
    missing_extras: list[str]
    web_page: bool
    """Whether the web page was built."""


def installed() -> Installed:
    """Look at this process and its packages; no database and no server is asked."""
    package = Path(__file__).parents[2]
    missing = [extra for extra in EXTRAS if missing_packages(extra)]
    commit, changed = _state_of_clone()
    return Installed(
        __version__, commit, changed, str(package), platform.python_version(), sqlite3.sqlite_version,
        [extra for extra in EXTRAS if extra not in missing], missing,
        (package / "server" / "static" / "index.html").is_file(),
    )  # fmt: skip


def _state_of_clone() -> tuple[str | None, bool | None]:
    clone = clone_folder()
    if clone is None or not (clone / ".git").exists():
        return None, None
    state = git_state(clone, os.environ) or {}
    return state.get("commit"), state.get("dirty")
