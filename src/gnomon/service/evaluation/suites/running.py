"""Run one declared evaluation: evaluate or re-score it, compare it with its base, and check its gates.

Nothing here raises for what belongs to one evaluation once it has begun: it becomes the problem of its report, so that
the others of a folder still run.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from gnomon.errors import GnomonError, InvalidInput, NotFound
from gnomon.model.backend import Backend, find_experiment
from gnomon.model.experiment import Experiment, Summary
from gnomon.model.gates import DifferenceGate, NotWorseGate, parse_gate
from gnomon.model.score import ScorerSpec
from gnomon.report.evaluation import EvalReport, EvaluationReport
from gnomon.service.analysis.gates import EXIT_CODES, FindBase, check_all
from gnomon.service.analysis.regressions import difference_gates, worst_items
from gnomon.service.evaluation import engine, rescoring
from gnomon.service.evaluation.binding import bind_scorers
from gnomon.service.evaluation.preparing import EvaluationRequest, Surroundings, names_of
from gnomon.service.evaluation.selecting import ItemSelection
from gnomon.service.evaluation.suites.declared import Eval
from gnomon.service.evaluation.suites.gitbase import PREFIX, git_base
from gnomon.service.exchange.experimentreport import failed_runs
from gnomon.shorten import all_of

CANNOT_RUN = EXIT_CODES["cannot"]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How evaluations are run, whatever they are."""

    name: str | None = None
    """Of the experiment, where it is not the evaluation's own."""
    resume: bool = False
    rescore: bool = False
    selection: ItemSelection | None = None


def request_of(plan: Eval, options: RunOptions) -> EvaluationRequest:
    """Build the engine's request from a suite."""
    suite, selection = plan.experiment_name, options.selection
    recorded: dict[str, Any] = {"suite": suite, **({"selection": selection.as_json()} if selection else {})}
    return EvaluationRequest(
        plan.task, plan.data, plan.scorers, options.name or suite, plan.dataset, plan.trials, plan.concurrency,
        plan.timeout, cache=plan.cache, version=plan.version, experiment_scorers=plan.experiment_scorers,
        metadata=plan.metadata, resume=options.resume, selection=selection, columns=plan.columns, recorded=recorded,
    )  # fmt: skip


def check_plans(plans: Sequence[Eval], options: RunOptions) -> None:
    """Refuse what is wrong with evaluations before the first of them runs."""
    if options.name is not None and len(plans) > 1:
        names = ", ".join(plan.experiment_name for plan in plans)
        raise InvalidInput.of("name", f"--name {options.name!r} is for one evaluation, and here are {names}")
    sources: dict[str, Eval] = {}
    for plan in plans:
        other = sources.setdefault(plan.experiment_name, plan)
        if other is not plan:
            both = " and ".join(dict.fromkeys([str(other.source), str(plan.source)]))
            words = f"two evaluations are named {plan.experiment_name!r} ({both})"
            raise InvalidInput.of("name", f"{words}; their experiments could not be told apart, so rename one")
        _check_gates(plan)


def _check_gates(plan: Eval) -> None:
    """Refuse a gate on an unknown scorer, where that can be known before anything runs."""
    bound = bind_scorers(plan.scorers)
    specs = [scorer for scorer in bound if isinstance(scorer, ScorerSpec)]
    known = [name for spec in specs for name in names_of(spec)] if len(specs) == len(bound) else None
    for text in plan.gates:
        try:
            parse_gate(text, known)
        except InvalidInput as bad:
            raise InvalidInput.of("gates", f"{plan.source}: {bad.message}") from None


def run(plan: Eval, around: Surroundings, options: RunOptions) -> EvalReport:
    """Evaluate, compare and check. What is refused before anything ran is raised."""
    around = replace(around, folder=plan.source.folder)
    notes: Sequence[str]
    if options.rescore:
        experiment, notes = _rescored(plan, around, options)
    else:
        evaluated = engine.evaluate(request_of(plan, options), around)
        experiment, notes = evaluated.experiment, evaluated.notes
    summary = around.backend.summary(experiment.id)
    errors, _ = failed_runs(around.backend, summary)
    evaluation = EvaluationReport(summary, errors, list(notes))
    report = EvalReport(plan.experiment_name, evaluation, experiment)
    find_base = _base_finder(plan, around, experiment)
    report = _compared(report, plan, around.backend, find_base)
    return _gated(report, plan, summary, around.backend, find_base)


def _rescored(plan: Eval, around: Surroundings, options: RunOptions) -> tuple[Experiment, list[str]]:
    name = options.name or plan.experiment_name
    try:
        experiment = find_experiment(around.backend, name, around.project_id)
    except NotFound:
        raise InvalidInput.of("rescore", f"there is no experiment {name!r} to score again; run it first") from None
    around.progress.begin(experiment.name, experiment.run_count, 0)
    try:
        notes = rescoring.rescore(experiment, plan.scorers, around, plan.concurrency)
    finally:
        around.progress.end()
    return around.backend.experiment(experiment.id), notes


def _base_finder(plan: Eval, around: Surroundings, experiment: Experiment) -> FindBase:
    @cache
    def find(name: str) -> Experiment:
        if name.startswith(PREFIX):
            folder = plan.source.folder
            return git_base(
                around.backend, plan.experiment_name, name, folder, around.project_id, other_than=experiment.id
            )
        try:
            return find_experiment(around.backend, name, around.project_id, other_than=experiment.id)
        except NotFound as missing:
            raise NotFound(f"{missing.message} (evaluate it first, or name another one)") from None

    return find


def _compared(report: EvalReport, plan: Eval, backend: Backend, find_base: FindBase) -> EvalReport:
    """The report with what changed since the base, or why that cannot be said."""
    name = plan.against or next(_bases_of_gates(plan), None)
    if name is None or report.experiment is None:
        return report
    try:
        base = find_base(name)
        comparison = backend.compare(base.id, report.experiment.id, items="none")
    except GnomonError as refusal:
        return replace(report, no_base=refusal.message)
    worse = worst_items(backend, comparison)
    return replace(report, base=base, comparison=comparison, worse=worse)


def _bases_of_gates(plan: Eval) -> Iterator[str]:
    return (gate.experiment for gate in map(parse_gate, plan.gates) if isinstance(gate, NotWorseGate))


def _gated(report: EvalReport, plan: Eval, summary: Summary, backend: Backend, find_base: FindBase) -> EvalReport:
    experiment = report.experiment
    assert experiment is not None  # it has run
    try:
        gates = [*plan.gates, *_implied(plan, summary)]
        if gates:
            return replace(report, gates=list(check_all(backend, experiment, gates, find_base=find_base)))
    except InvalidInput as bad:
        return replace(report, problem=bad.message)
    nothing = summary.run_count and summary.failed_run_count == summary.run_count
    return replace(report, problem=f"{all_of(summary.run_count, 'run')} failed") if nothing else report


def _implied(plan: Eval, summary: Summary) -> Iterator[DifferenceGate]:
    """The gates that `against` implies: no scorer is worse, except those that a gate of the suite compares."""
    if plan.against is None:
        return
    parsed = [parse_gate(text, summary.scores_by_scorer or None) for text in plan.gates]
    compared = {gate.scorer_name for gate in parsed if isinstance(gate, NotWorseGate)}
    yield from (gate for gate in difference_gates(summary, plan.against) if gate.scorer_name not in compared)


def exit_code(reports: Sequence[EvalReport]) -> int:
    """The exit code of all evaluations: 3 (cannot run or decide) beats 1 (failed) beats 4 (undecided) beats 0."""
    if any(report.problem for report in reports):
        return CANNOT_RUN
    decisions = {gate.decision for report in reports for gate in report.gates}
    return next((code for decision, code in EXIT_CODES.items() if decision in decisions), 0)
