"""Evaluations in files, as `gnomon eval` runs them: YAML suites and Python files, with the SDK's connection.

Scorers and tasks of a suite are made by the functions that Python programs call (`gn.regex(…)`, `gn.http(…)`), so they
take the same settings.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gnomon.errors import InvalidInput
from gnomon.interop.rows import short
from gnomon.model.gates import parse_gate
from gnomon.model.nearest import did_you_mean, not_a_field
from gnomon.model.suite import Suite, SuiteCommandTask, SuiteHttpTask
from gnomon.model.weblinks import experiment_page
from gnomon.model.yamltree import Node
from gnomon.report.evaluation import EvalReport
from gnomon.scorers import BUILTINS
from gnomon.sdk import scorers, tasks
from gnomon.sdk.connection import SdkConnection, connection
from gnomon.sdk.evaluating import surroundings
from gnomon.service.evaluation.data import names_file
from gnomon.service.evaluation.suites import preview, reading, running
from gnomon.service.evaluation.suites.declared import Eval, EvalSource
from gnomon.service.evaluation.suites.loading import YAML_SUFFIXES, evals_of, function_of
from gnomon.service.evaluation.suites.preview import EvalPreview
from gnomon.service.evaluation.suites.running import RunOptions
from gnomon.shorten import counted


def evals_in(path: Path) -> list[Eval]:
    """The evaluations that a file declares."""
    return [suite_in(path)] if path.suffix.lower() in YAML_SUFFIXES else evals_of(path)


def suite_in(path: Path) -> Eval:
    """The evaluation in a YAML file. What is wrong with a part of it is told with that part's line."""
    try:
        content = path.read_bytes()
    except OSError as bad:
        raise InvalidInput(f"{path} cannot be read: {bad.strerror or bad}") from None
    suite = reading.read_suite(content, str(path))
    tree = reading.read_tree(content, str(path))
    assert tree is not None  # it was read as a suite
    return _SuiteBuilder(path, suite, tree).built()


@dataclass(frozen=True, slots=True)
class _SuiteBuilder:
    path: Path
    suite: Suite
    tree: Node

    def built(self) -> Eval:
        suite, folder = self.suite, self.path.parent
        name = self.path.stem.removesuffix(".suite") if suite.name is None else suite.name
        for at, gate in enumerate(suite.gates):
            self._at(("gates", at), parse_gate, gate)
        built = [self._at(("scorers", at), scorer_of, entry, folder) for at, entry in enumerate(suite.scorers)]
        data, dataset = self._data(folder)
        return Eval(
            name, task=self._at(("task",), _task, suite.task, folder), data=data, scorers=built, dataset=dataset,
            columns={str(key): value for key, value in (suite.columns or {}).items()} or None, trials=suite.trials,
            concurrency=suite.concurrency, timeout=suite.timeout, gates=suite.gates, against=suite.against,
            cache=suite.cache, version=suite.version, metadata=suite.metadata,
        ).changed(source=EvalSource(path=self.path, folder=folder))  # fmt: skip

    def _data(self, folder: Path) -> tuple[Any, str | None]:
        """The data as `evaluate` takes it: a file, a list, or the name of a stored dataset."""
        data, dataset = self.suite.data, self.suite.dataset
        if data is None:
            return dataset, None
        if isinstance(data, list):
            return data, dataset
        if not names_file(data):
            words = f"data is {short(data)}, which is not a file; a stored dataset is named with dataset: {data}"
            raise self._refusal(("data",), words)
        return folder / data, dataset

    def _at(self, location: tuple[str | int, ...], make: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return make(*arguments)
        except InvalidInput as bad:
            raise self._refusal(location, bad.message) from None

    def _refusal(self, location: tuple[str | int, ...], words: str) -> InvalidInput:
        line = reading.line_of(self.tree, location)
        return InvalidInput(f"{self.path}, line {line}: {words}", code="INVALID_SUITE")


def scorer_of(entry: str | Mapping[str, Any], folder: Path) -> Any:
    """The scorer that a suite names, alone or with its settings; files are looked for in this folder."""
    settings: Any = {}
    if isinstance(entry, str):
        name = entry
    elif len(entry) == 1:
        name, options = next(iter(entry.items()))
        settings = {} if options is None else options
        if not isinstance(settings, dict):
            raise InvalidInput.of(
                "scorers", f"the settings of {name} are {short(settings)}; write them as {{key: value}}"
            )
    else:
        keys = f"{counted(len(entry), 'key')} ({', '.join(entry) or 'none'})"
        words = f"a scorer has {keys}; write its name and its settings below"
        raise InvalidInput.of("scorers", words)
    if name in BUILTINS:
        return _with_settings(getattr(scorers, name), name, _located(settings, folder))
    if ":" in name:
        function = function_of(name, folder, "scorer")
        if settings.keys() - {"name"}:
            raise InvalidInput.of("scorers", f"scorer {name!r} is a function of yours; it takes name alone")
        return scorers.scorer(**settings)(function) if settings else function
    others = f"there are {', '.join(BUILTINS)}; a function is named file.py:function"
    raise InvalidInput.of("scorers", f"there is no scorer {name!r}; {did_you_mean(name, BUILTINS, others)}")


def _located(settings: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A rubric's file is beside the suite."""
    rubric = settings.get("rubric")
    return {**settings, "rubric": folder / rubric} if isinstance(rubric, str) else settings


def _task(task: Any, folder: Path) -> Any:
    if isinstance(task, str):
        return function_of(task, folder)
    settings = {key: value for key, value in task.model_dump(exclude_unset=True).items() if value is not None}
    if isinstance(task, SuiteHttpTask):
        return tasks.http(settings.pop("http"), **settings)
    if isinstance(task, SuiteCommandTask):
        cwd = folder / settings.pop("cwd", ".")
        return tasks.command(settings.pop("command"), cwd=cwd, **settings)
    return tasks.model(settings.pop("model"), settings.pop("prompt"), **settings)


def _with_settings(make: Callable[..., Any], name: str, settings: Mapping[str, Any]) -> Any:
    known = inspect.signature(make).parameters
    for key in settings:
        if key not in known:
            raise InvalidInput.of("scorers", f"{name}: {key} {not_a_field(key, list(known))}")
    required = [
        key for key, parameter in known.items() if parameter.default is inspect.Parameter.empty and key not in settings
    ]
    if required:
        raise InvalidInput.of("scorers", f"{name} needs {required[0]}; write {name}: {{{required[0]}: …}}")
    return make(**settings)


# Running


def run_evals(
    plans: Sequence[Eval], options: RunOptions, *, progress: bool | None, on_report: Callable[[EvalReport], None]
) -> list[EvalReport]:
    """Run them one after the other; each is reported as soon as it has ended."""
    running.check_plans(plans, options)
    where = connection()
    reports: list[EvalReport] = []
    for plan in plans:
        report = _run_one(plan, options, where, progress, alone=len(plans) == 1)
        on_report(report)
        reports.append(report)
    return reports


def _run_one(
    plan: Eval, options: RunOptions, where: SdkConnection, progress: bool | None, *, alone: bool
) -> EvalReport:
    around = surroundings(where, traces=True, progress=progress)
    try:
        report = running.run(plan, around, options)
    except InvalidInput as bad:
        if alone:
            raise
        return EvalReport(plan.experiment_name, problem=bad.message)
    return report


def preview_evals(plans: Sequence[Eval], options: RunOptions) -> list[EvalPreview]:
    """What `run_evals` would do."""
    running.check_plans(plans, options)
    around = surroundings(connection(), traces=False, progress=False)
    return [preview.preview(plan, around, options) for plan in plans]


def page_of(report: EvalReport) -> str | None:
    """The experiment's page in the web application; None without a server."""
    if report.experiment is None:
        return None
    return experiment_page(connection().url, report.experiment.project_id, report.experiment.id)
