"""The pytest plugin: evaluations as tests.

`@pytest.mark.gnomon(data=…, scorers=[…], trials=…, gate=…)` makes of a test function one pytest item per data item and
trial, and a last item, `[gate]`, which stores everything as an experiment and decides the gates. The fixture `gnomon`
scores single outputs in ordinary tests.

cases.py    the items of a marked function, and what they returned
gates.py    the last item
scores.py   the fixture

This file is loaded by every run of pytest: it imports nothing of Gnomon before a test asks for it.
"""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from gnomon.pytest_plugin.scores import SampleScores

_MARKER = (
    "gnomon(data, scorers=(), trials=1, gate=None, against=None, name=None, dataset=None, columns=None): "
    "run this test once per data item and trial, score what it returns, and decide the gates at the end."
)
REPORT = "gnomon"
"""The attribute of a report that holds what the plugin has to say about it, as JSON."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("gnomon", "evaluations")
    group.addoption("--gnomon-strict", action="store_true", help="Gates that are undecided fail (default: as xfail).")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _MARKER)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of xdist where all workers keep what tests returned."""
    from gnomon.pytest_plugin.cases import records_folder

    node.workerinput["gnomon_folder"] = str(records_folder(node.config))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.definition.get_closest_marker("gnomon") is not None:
        from gnomon.pytest_plugin.cases import parametrize

        parametrize(metafunc)


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, name: str) -> Generator[None, Any, Any]:
    """Add the item of the gates to those of a marked function."""
    collected = yield
    first = collected[0] if isinstance(collected, list) and collected else None
    if not isinstance(first, pytest.Function) or first.get_closest_marker("gnomon") is None:
        return collected
    from gnomon.pytest_plugin.gates import GateItem

    return [*collected, GateItem.from_parent(collector, name=f"{name}[gate]", function=first)]


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, None, None]:
    """Gates come last: they are about items that other workers may run."""
    yield
    last = [item for item in items if _is_gate(item)]
    if last:
        from gnomon.pytest_plugin.cases import announce_worker

        items[:] = [item for item in items if not _is_gate(item)] + last
        announce_worker(config)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if pyfuncitem.get_closest_marker("gnomon") is None:
        return None
    from gnomon.pytest_plugin.cases import run_case

    run_case(pyfuncitem)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """What was measured travels with the report, also from a worker of xdist."""
    report = yield
    gate_report = getattr(item, "gnomon_report", None)
    if gate_report is not None and call.when == "call":
        setattr(report, REPORT, gate_report)
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: Any) -> tuple[str, str, str] | None:
    gate_report = getattr(report, REPORT, None)
    if gate_report and gate_report.get("decision") == "undecided" and report.when == "call" and report.skipped:
        return "undecided", "u", "UNDECIDED"
    return None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Figures with their intervals, and a line per gate."""
    reports = [
        test_report
        for kind in terminalreporter.stats.values()
        for test_report in kind
        if getattr(test_report, REPORT, None)
    ]
    if not reports:
        return
    terminalreporter.section("gnomon")
    for report in sorted(reports, key=lambda test_report: test_report.nodeid):
        for line in getattr(report, REPORT)["lines"]:
            terminalreporter.write_line(line)


def pytest_sessionfinish(session: pytest.Session) -> None:
    import sys

    if "gnomon.pytest_plugin.cases" in sys.modules:
        from gnomon.pytest_plugin.cases import end_session

        end_session(session.config)


@pytest.fixture
def gnomon(request: pytest.FixtureRequest) -> "SampleScores":
    """Score outputs in an ordinary test: `assert gnomon.score("similarity", output, expected_output="…") >= 0.8`."""
    from gnomon.pytest_plugin.scores import SampleScores

    return SampleScores(request.node)


def _is_gate(item: pytest.Item) -> bool:
    return type(item).__name__ == "GateItem" and type(item).__module__ == "gnomon.pytest_plugin.gates"
