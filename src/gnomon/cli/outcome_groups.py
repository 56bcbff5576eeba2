"""`gnomon outcome compare` and `gate`: groups of iterations that were pushed."""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, get_args

import click

from gnomon.cli import flags, show
from gnomon.cli.backend import one_project, with_backend
from gnomon.cli.flags import GATE_FAILED, OK, UNDECIDED, as_json
from gnomon.errors import InvalidInput
from gnomon.model.experiment import Bound, Decision
from gnomon.model.gates import BarGate, ParsedGate, parse_gate
from gnomon.model.iterationgroups import (
    ClusterBy,
    GroupBy,
    GroupMetric,
    IterationComparisonOptions,
    IterationOptions,
    IterationSummaryOptions,
    IterationThresholdOptions,
)
from gnomon.report.gate import Gate

if TYPE_CHECKING:
    from gnomon.model.backend import Backend

_NEEDS_PROJECT = "iterations belong to a project"
_EXIT: dict[Decision, int] = {"pass": OK, "fail": GATE_FAILED, "undecided": UNDECIDED}


def _which(command: Callable[..., Any]) -> Callable[..., Any]:
    """Which iterations are meant; the command gets all of it as `options`."""

    @click.option("--project", help="Their project (not needed when there is one only).")
    @click.option("--source", help="Only iterations of this repository.")
    @click.option("--rubric-version", help="Scores of this rubric (default: the last pushed of the default profile).")
    @click.option("--session", "session_id", help="Only iterations of this session.")
    @click.option("--agent", help="Only iterations of this agent's program.")
    @click.option("--model", help="Only iterations whose agent used this model.")
    @click.option("--label", help="Only iterations with this label.")
    @click.option(
        "--cluster-by",
        type=click.Choice(get_args(ClusterBy)),
        help="What varies: iterations of one session (default) or task stand together.",
    )
    @functools.wraps(command)
    def run(**flags: Any) -> Any:
        options = {name: flags.pop(name) for name in (*IterationOptions.model_fields, "cluster_by") if name in flags}
        return command(options=options, **flags)

    return run


@click.command(short_help="Compare two groups of iterations.")
@click.argument("base", required=False)
@click.argument("other", required=False)
@click.option(
    "--by", type=click.Choice(get_args(GroupBy)), required=True, help="What the iterations of a group have in common."
)
@click.option("--scorer", "scorer_name", help="Only these scores; `outcome` is the total (default: all).")
@click.option("--min-effect", type=click.FloatRange(0, 1), help="The smallest difference that matters.")
@_which
@with_backend
@as_json
def compare(
    backend: "Backend", base: str | None, other: str | None, by: GroupBy, scorer_name: str | None,
    min_effect: float | None, project: str | None, options: dict[str, Any], as_json: bool,
) -> None:  # fmt: skip
    """Compare two groups of iterations that were pushed: is OTHER better than BASE?

    Groups are sessions, agents, models, labels, rubric versions or periods (FROM..TO). BASE and OTHER may be left out
    where there are just two; the older one is the base. Iterations on little evidence are left out and counted.

    \b
    gnomon outcome compare --by model
    gnomon outcome compare --by period ..2026-01-31 2026-02-01.. --min-effect 0.05
    """
    from gnomon.cli.show.outcome import compared

    project = one_project(backend, project, _NEEDS_PROJECT)
    comparison_options = IterationComparisonOptions(
        a=base, b=other, scorer_name=scorer_name, min_effect=min_effect,
        **{name: value for name, value in options.items() if value is not None},
    )  # fmt: skip
    comparison = backend.compare_iterations(by, project, comparison_options)
    show.json(comparison.model_dump(mode="json")) if as_json else compared(comparison)


@click.command(short_help="Hold a group of iterations against a bar.")
@click.argument("bar", metavar="GATE")
@click.option(
    "--bound",
    type=click.Choice(get_args(Bound)),
    help="Hold the whole 95 % interval against the bar, or the value alone (default: ci where there is one).",
)
@click.option("--min-n", type=click.IntRange(1), help="Fewest sessions to decide on (default: 5 for ci, 1 for point).")
@flags.missing
@flags.interval
@_which
@with_backend
@as_json
@click.pass_context
def gate(
    ctx: click.Context, /, backend: "Backend", bar: str, bound: Bound | None, project: str | None,
    options: dict[str, Any], as_json: bool, **thresholds: Any,
) -> None:  # fmt: skip
    """Exit with 0 when the iterations pass GATE, with 1 when they fail, with 4 when their scores cannot tell yet.

    \b
    gnomon outcome gate 'outcome >= 0.7' --model small
    gnomon outcome gate 'outcome.landed.ci_low >= 0.5'
    """
    project = one_project(backend, project, _NEEDS_PROJECT)
    which = {name: value for name, value in options.items() if value is not None}
    known = backend.iteration_summary(project, IterationSummaryOptions(**which)).scores_by_scorer
    parsed, metric = _bar(parse_gate(bar, known or None))
    threshold_options = IterationThresholdOptions(
        comparison=parsed.comparison, bound=bound or ("ci" if parsed.metric == "mean" else "point"), **which,
        **{name: value for name, value in thresholds.items() if value is not None},
    )  # fmt: skip
    result = backend.iteration_threshold(parsed.scorer_name, metric, parsed.threshold, project, threshold_options)
    if as_json:
        show.json(result.model_dump(mode="json"))
    else:
        show.decision(Gate.of(project, result, result.reason), None)
    ctx.exit(_EXIT[result.decision])


def _bar(parsed: ParsedGate) -> tuple[BarGate, GroupMetric]:
    """The gate as one that iterations can have."""
    if not isinstance(parsed, BarGate):
        raise InvalidInput.of("gate", "groups of iterations are compared by `gnomon outcome compare`; give a bar here")
    for metric in get_args(GroupMetric):
        if parsed.metric == metric or (parsed.metric, metric) == ("point", "mean"):
            return parsed, metric
    raise InvalidInput.of("gate", f"{parsed.metric_words} needs trials of one item, which iterations have not")
