"""The extras of the package: what each brings, which are installed, and how to install one here."""

import json
import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit


@dataclass(frozen=True, slots=True)
class Extra:
    """An entry of `[project.optional-dependencies]`."""

    packages: Sequence[str]
    """The modules that it brings and that Gnomon imports."""
    gives: str


EXTRAS = {
    "server": Extra(("fastapi", "uvicorn"), "`gnomon serve`: the HTTP API and the web page"),
    "analytics": Extra(("polars", "pyarrow", "zstandard"), "Parquet files, Inspect logs and faster scoring of files"),
    "judge": Extra(("aiohttp", "litellm", "instructor", "openai"), "judges that ask models of any provider"),
    "postgres": Extra(("psycopg",), "PostgreSQL as the database"),
    "grpc": Extra(("grpc",), "OTLP over gRPC: `gnomon serve --otlp-grpc PORT`"),
    "mcp": Extra(("mcp",), "`gnomon mcp`: results for a coding agent"),
}
"""Extra → what it brings. The extra `all` is all of them."""


def missing_packages(extra: str) -> list[str]:
    """The modules of an extra that are not installed; empty where it is."""
    return [package for package in EXTRAS[extra].packages if find_spec(package) is None]


def install_command(extra: str) -> str:
    """The command that installs an extra beside this Gnomon, whether it came from a clone or from an index."""
    clone = clone_folder()
    if clone is not None:
        source = "." if clone == Path.cwd() else str(clone)
        return f"pip install -e {shlex.quote(f'{source}[{extra}]')}"
    source = _installed_from() or "gnomon"
    return f"pip install {shlex.quote(f'{source}[{extra}]')}"


def clone_folder() -> Path | None:
    """The clone that this Gnomon runs from; None when it was installed."""
    root = Path(__file__).resolve().parents[2]
    return root if (root / "pyproject.toml").is_file() and (root / "src" / "gnomon").is_dir() else None


def _installed_from() -> str | None:
    """The folder or the archive that it was installed from, where that was no index and is still there."""
    try:
        record = distribution("gnomon").read_text("direct_url.json")
        url = urlsplit(json.loads(record or "{}").get("url", ""))
    except (PackageNotFoundError, ValueError):
        return None
    path = unquote(url.path)
    return path if url.scheme == "file" and os.path.exists(path) else None
