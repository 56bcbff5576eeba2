"""The last item of a marked function: it stores what the cases returned as an experiment, and decides the gates."""

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from gnomon.errors import GnomonError
from gnomon.model import jsonvalue
from gnomon.pytest_plugin.cases import (
    CaseGroup,
    announce_waiting,
    groups_of,
    missing,
    others_may_record,
    records,
    worker_id,
)
from gnomon.report.evaluation import EvalReport
from gnomon.report.text import experiments as text
from gnomon.report.text.drawing import as_text
from gnomon.sdk.connection import connection
from gnomon.sdk.evaluating import surroundings
from gnomon.sdk.suites import scorer_of
from gnomon.service.evaluation.data import EvaluationItem
from gnomon.service.evaluation.identity import task_identity
from gnomon.service.evaluation.suites.declared import Eval, EvalSource
from gnomon.service.evaluation.suites.running import RunOptions, check_plans, exit_code, run

_PAUSE = 0.05
_PASSED, _UNDECIDED = 0, 4


class GateError(Exception):
    """A gate failed, or could not be decided."""


class GateItem(pytest.Item):
    """`test_answers[gate]`."""

    def __init__(self, *, function: pytest.Function, **given: Any) -> None:
        super().__init__(**given)
        self._function = function
        self.gnomon_report: dict[str, Any] | None = None

    def runtest(self) -> None:
        group = groups_of(self.config)[self._function.nodeid.partition("[")[0]]
        recorded = self._recorded(group)
        report = self._evaluated(group, recorded)
        code = exit_code([report])
        lines = _lines(report)
        self.gnomon_report = {"decision": "undecided" if code == _UNDECIDED else str(code), "lines": lines}
        if code == _PASSED:
            return
        reasons = [text.gate(gate) for gate in report.gates if gate.decision != "pass"]
        words = "\n".join([*reasons, *([report.problem] if report.problem else [])])
        if code == _UNDECIDED and not self.config.getoption("--gnomon-strict"):
            raise pytest.xfail.Exception(words)
        raise GateError(words)

    def _recorded(self, group: CaseGroup) -> dict[tuple[int, int], dict[str, Any]]:
        """What every case returned. With xdist, other workers may still be at it; without all of them: skipped."""
        announce_waiting(self.config)
        while True:
            others = others_may_record(self.config)  # before looking, so that what they wrote last is seen
            recorded = records(self.config, group)
            left = missing(recorded, group)
            if not left:
                return recorded
            if not others:
                ran = f"{group.size - len(left):,} of {group.size:,} cases ran here"
                pytest.skip(f"{ran}, so nothing is decided or stored; run all of them")
            time.sleep(_PAUSE)

    def _evaluated(self, group: CaseGroup, recorded: Mapping[tuple[int, int], dict[str, Any]]) -> EvalReport:
        arguments = group.arguments
        gates = arguments.get("gate") or ()
        scorers = [
            scorer_of(scorer, group.folder) if isinstance(scorer, str | dict) else scorer
            for scorer in arguments.get("scorers", ())
        ]
        plan = Eval(
            arguments.get("name") or group.nodeid, task=_Replay(group, recorded), data=[*map(_row, group.data.items)],
            dataset=group.data.name, scorers=scorers, trials=group.trials, concurrency=1,
            gates=[gates] if isinstance(gates, str) else gates, against=arguments.get("against"),
            version=task_identity(self._function.obj).hash, metadata={"pytest": self._origin(group)},
        ).changed(source=EvalSource(path=self.path, folder=group.folder))  # fmt: skip
        check_plans([plan], RunOptions())
        return run(plan, surroundings(connection(), traces=False, progress=False), RunOptions())

    def _origin(self, group: CaseGroup) -> dict[str, str]:
        """Which run of pytest it was; the commit is recorded as for every evaluation."""
        run_id = os.environ.get("PYTEST_XDIST_TESTRUNUID") or f"{os.getpid()}-{int(time.time())}"
        return {"test": group.nodeid, "run": run_id, "worker": worker_id(self.config)}

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        bad = excinfo.value
        if isinstance(bad, GateError):
            return str(bad)
        if isinstance(bad, GnomonError):
            return f"{self._function.originalname}: {bad.message}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        path, line, _ = self._function.reportinfo()
        return path, line, self.name


class _Replay:
    """The task whose outputs are known. Trials of an item come in their order, since runs are made one at a time."""

    __name__ = "replay"

    def __init__(self, group: CaseGroup, recorded: Mapping[tuple[int, int], dict[str, Any]]) -> None:
        self._left: dict[str, list[dict[str, Any]]] = {}
        for (position, _), record in sorted(recorded.items(), key=lambda entry: entry[0][::-1]):
            self._left.setdefault(_key(group.data.items[position].as_json()), []).append(record)

    def __call__(self, item: Mapping[str, Any]) -> Any:
        record = self._left[_key(item)].pop(0)
        if "error" in record:
            error = record["error"]
            raise type(error["type"], (Exception,), {})(error["message"])
        return record["output"]


def _key(item: Mapping[str, Any]) -> str:
    return jsonvalue.canonical(dict(item))


def _row(item: EvaluationItem) -> dict[str, Any]:
    return {key: value for key, value in item.as_json().items() if value is not None}


def _lines(report: EvalReport) -> Sequence[str]:
    assert report.evaluation is not None  # it has run
    lines = as_text(text.evaluation(report.evaluation)).splitlines()
    if report.comparison is not None and report.base is not None:
        lines += as_text(text.comparison(report.comparison, report.base.name, report.name)).splitlines()
    lines += [text.gate(gate) for gate in report.gates]
    return [*lines, ""]
