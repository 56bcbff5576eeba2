"""Measures which lines of the package the tests run, and prints it at the end. `GNOMON_COVERAGE` says for which tests.

Tracing doubles the CPU time of what it traces on Python 3.11. So `make test` (`part`) traces the tests in `PACKAGES`,
which need no other process, without those marked slow and without laws, whose examples run the same lines again and
again, and reports on the packages of the same names. `make coverage` (`all`) traces every test and the processes that
are forked from the preloaded one, and reports on every package. A process that starts from nothing or that is killed is
not measured.
"""

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from coverage import Coverage

from preloaded import RUN_FOLDER

PACKAGES = ("agentlogs", "bench", "model", "report", "scorers", "stats")
TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "gnomon"
IS_ON = os.environ.get("GNOMON_COVERAGE") in ("part", "all")
MEASURES_ALL = os.environ.get("GNOMON_COVERAGE") == "all"


def new_coverage(suffix: bool) -> Coverage:
    """With a suffix each process writes a file of its own."""
    return Coverage(data_file=str(RUN_FOLDER / "lines"), data_suffix=suffix, source=[str(SOURCE)], config_file=False)


class Tracing:
    """Traces imports while tests are collected, and then the tests that are to be measured."""

    def __init__(self) -> None:
        self._coverage = new_coverage(suffix=True)
        self._is_running = False
        self._run(True)

    def _run(self, wanted: bool) -> None:
        if wanted != self._is_running:
            (self._coverage.start if wanted else self._coverage.stop)()
        self._is_running = wanted

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        folder = item.path.relative_to(TESTS).parts[0]
        is_long = item.get_closest_marker("slow") is not None or _is_law(item)
        self._run(MEASURES_ALL or (folder in PACKAGES and not is_long))
        return (yield)

    def pytest_sessionfinish(self) -> None:
        self._run(False)
        self._coverage.save()


def _is_law(item: pytest.Item) -> bool:
    """Whether hypothesis makes its examples."""
    return bool(getattr(getattr(item, "obj", None), "is_hypothesis_test", False))


class Report:
    """Prints the lines that all processes together have run, in percent."""

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        measured = new_coverage(suffix=False)
        measured.combine([str(RUN_FOLDER)])
        names = sorted(path.name for path in SOURCE.iterdir() if path.is_dir()) if MEASURES_ALL else PACKAGES
        part = f"tests/{{{','.join(names)}}}, without slow ones and laws"
        what = "all tests, servers included" if MEASURES_ALL else part
        terminalreporter.section(f"lines of these packages that are run by {what}")
        for name in names:
            terminalreporter.write_line(f"{name:<10} {self._percent(measured, [f'{SOURCE}/{name}/*']):6.1f} %")
        together = [f"{SOURCE}/*"] if MEASURES_ALL else [f"{SOURCE}/{name}/*" for name in names]
        terminalreporter.write_line(f"{'together':<10} {self._percent(measured, together):6.1f} %")

    @staticmethod
    def _percent(measured: Coverage, include: list[str]) -> float:
        with open(os.devnull, "w") as nowhere:
            return measured.report(include=include, file=nowhere)


def register(config: pytest.Config) -> None:
    if IS_ON:
        config.pluginmanager.register(Report())
        config.pluginmanager.register(Tracing())
