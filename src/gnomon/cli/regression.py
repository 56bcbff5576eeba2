"""Did it get worse? What `gnomon compare --fail-on` and `gnomon gate --against` check, show and write."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from gnomon.cli import show
from gnomon.cli.flags import CANNOT_RUN, OK
from gnomon.cli.reports import STDOUT, write_reports
from gnomon.errors import Refused
from gnomon.model.gates import DifferenceGate, NotWorseGate, parse_gate
from gnomon.report.evaluation import EvalReport, EvaluationReport
from gnomon.report.gate import Gate
from gnomon.report.pullrequest import pull_request
from gnomon.service.analysis.gates import GateResults, check_all, compared_once, newest_other
from gnomon.service.analysis.regressions import SHOWN_WORSE, difference_gates, worst_items

if TYPE_CHECKING:
    from gnomon.model.aggregate import MissingPolicy
    from gnomon.model.backend import Backend
    from gnomon.model.experiment import Experiment, ExperimentComparison

FailOn = Literal["worse", "not-better"]
_WHOLE = "`gnomon compare --json` has all of it"


def fail_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give `compare` the flags that make a gate of it."""
    fail_on = click.option(
        "--fail-on", type=click.Choice(["worse", "not-better"]),
        help="Exit with 1 when a scorer got certainly worse, or unless every one got certainly better.",
    )  # fmt: skip
    scorer = click.option("--scorer", "scorer_name", help="With --fail-on: the only scorer that decides.")
    shown = click.option(
        "--show", "shown_items", type=click.IntRange(0, 1000), default=SHOWN_WORSE, show_default=True, metavar="N",
        help="Show the N items that lost most, with their texts.",
    )  # fmt: skip
    return fail_on(scorer(shown(command)))


def compared(
    backend: "Backend", base: "Experiment", other: "Experiment", comparison: "ExperimentComparison", shown_items: int,
    missing: "MissingPolicy", fail_on: FailOn | None, scorer_name: str | None,
) -> tuple[EvalReport, int]:  # fmt: skip
    """What changed, with the items that lost most and the gates that `--fail-on` asks for; and the exit code."""
    summary, worse = backend.summary(other.id), worst_items(backend, comparison, shown_items, missing)
    report = EvalReport(other.name, EvaluationReport(summary), other, base=base, comparison=comparison, worse=worse)
    if fail_on is None:
        return report, OK
    gates = difference_gates(summary, base.name, scorer_name=scorer_name, better=fail_on == "not-better")
    if not gates:
        return replace(report, problem=_nothing_to_compare(summary.run_count, summary.failed_run_count)), CANNOT_RUN
    results = check_all(backend, other, gates, find_base=lambda _: base, compare=lambda _: comparison)
    return replace(report, gates=list(results)), results.exit_code


def _nothing_to_compare(runs: int, failed: int) -> str:
    if not runs:
        return "the experiment has no runs"
    return f"all {runs:,} runs failed" if runs == failed else "no scorer gives numbers, so nothing can get worse"


def bases_of(texts: Sequence[str]) -> list[str]:
    """The experiments that gates in words compare with."""
    parsed = map(parse_gate, texts)
    return [gate.experiment for gate in parsed if isinstance(gate, NotWorseGate)]


def checked(
    backend: "Backend", experiment: "Experiment", texts: Sequence[str], against: str | None, scorer_name: str | None,
    margin: float | None, **reading: Any,
) -> tuple[EvalReport, GateResults]:  # fmt: skip
    """Gates in words or those that `against` means, and what changed since their base (of one that missed, if any)."""
    summary = backend.summary(experiment.id)
    gates: Sequence[str | DifferenceGate] = texts
    if against is not None:
        gates = difference_gates(summary, against, scorer_name=scorer_name, margin=margin)
        if not gates:
            raise Refused(_nothing_to_compare(summary.run_count, summary.failed_run_count))
    bases: dict[str, Experiment] = {}

    def find_base(name: str) -> "Experiment":
        base = newest_other(backend, experiment)(name)
        return bases.setdefault(base.id, base)

    compare = compared_once(backend, experiment, **reading)
    results = check_all(backend, experiment, gates, find_base=find_base, compare=compare)
    report = EvalReport(experiment.name, EvaluationReport(summary), experiment, list(results))
    about = [gate for gate in results if gate.value is not None and gate.against_id is not None]
    shown = min(about, key=lambda gate: gate.decision == "pass", default=None)
    if shown is None or shown.against_id is None:
        return report, results
    base = bases[shown.against_id]
    comparison = compare(base)
    worse = worst_items(backend, comparison, SHOWN_WORSE, reading.get("missing"))
    return replace(report, base=base, comparison=comparison, worse=worse), results


def write(report: EvalReport, command: str, markdown_file: Path | None, junit_file: Path | None) -> bool:
    """Write the reports; whether stdout is free for the text."""
    gates = [Gate.of_result(gate) for gate in report.gates]
    if report.problem is not None:
        gates.append(Gate.of_problem(report.name, report.problem))
    write_reports(lambda: pull_request([report], _WHOLE), gates, command, markdown_file, junit_file)
    return markdown_file != STDOUT


def show_comparison(report: EvalReport, base_name: str, url: str | None) -> None:
    """The comparison, the items that lost most, and a line per gate."""
    assert report.comparison is not None
    show.comparison(report.comparison, base_name, report.name)
    show.worse_items(report)
    show.gates(report.gates)
    if report.problem is not None:
        show.cannot_run(report.problem)
    show.page(url)
    show.shared_link(report)


def comparison_json(report: EvalReport, code: int | None, url: str | None) -> dict[str, Any]:
    """The comparison for programs; with `--fail-on` also the gates and the exit code."""
    assert report.comparison is not None
    fields: dict[str, Any] = {**report.comparison.model_dump(mode="json"), "worse": show.worse_json(report)}
    if code is not None:
        gates = [gate.model_dump(mode="json") for gate in report.gates]
        fields |= {"exit_code": code, "gates": gates, "problem": report.problem}
    if report.link is not None:
        fields["share_url"] = report.link.url
    return fields if url is None else {**fields, "url": url}


def tell_gates(
    report: EvalReport, results: GateResults, url: str | None, markdown_file: Path | None, junit_file: Path | None,
    as_json: bool,
) -> int:  # fmt: skip
    """A line per gate, and the items that lost most where a comparison did not pass. Gives the exit code."""
    in_text = write(report, "gnomon gate", markdown_file, junit_file)
    if as_json:
        show.json(gates_json(report, results, url))
    elif in_text:
        show.gates(results)
        if results.exit_code != OK:
            show.worse_items(report)
        show.page(url)
    return results.exit_code


def gates_json(report: EvalReport, results: GateResults, url: str | None) -> dict[str, Any]:
    gates = [result.model_dump(mode="json") for result in results]
    fields = {"exit_code": results.exit_code, "results": gates, "worse": show.worse_json(report)}
    return fields if url is None else {**fields, "url": url}
