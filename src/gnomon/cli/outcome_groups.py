"""`gnomon outcome compare` and `gate`: groups of iterations, of a log on this machine or of those that were pushed."""

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, get_args

import click
from click.core import ParameterSource

from gnomon.cli import flags, show
from gnomon.cli.backend import backend_flags, one_project, open_backend, with_backend
from gnomon.cli.flags import GATE_FAILED, OK, UNDECIDED, as_json
from gnomon.cli.outcome_evidence import evidence_flags, log_flag
from gnomon.errors import InvalidInput, NotFound
from gnomon.model.experiment import Bound, Decision
from gnomon.model.gates import BarGate, ParsedGate, parse_gate
from gnomon.model.iterationgroups import (
    ClusterBy,
    GroupBy,
    GroupComparison,
    GroupMetric,
    IterationComparisonOptions,
    IterationOptions,
    IterationSummaryOptions,
    IterationThresholdOptions,
)
from gnomon.report.gate import Gate

if TYPE_CHECKING:
    from gnomon.model.backend import Backend
    from gnomon.outcome import ScorePlan

_OF_PUSHED = ("project", "source", "rubric_version", "label", "url", "key", "db")
_OF_LOG = (
    "plain",
    "log",
    "repo",
    "transcripts",
    "no_transcripts",
    "trunk",
    "path",
    "rubric",
    "profile",
    "ci",
    "test_runner",
)
_NEEDS_PROJECT = "iterations belong to a project"
_EXIT: dict[Decision, int] = {"pass": OK, "fail": GATE_FAILED, "undecided": UNDECIDED}


def _which(command: Callable[..., Any]) -> Callable[..., Any]:
    """Which iterations are meant; the command gets all of it as `options`."""

    @click.option("--project", help="Project of the iterations (needed only where there are several).")
    @click.option("--source", help="Only iterations of this repository.")
    @click.option("--rubric-version", help="Scores of this rubric (default: the last pushed of the default profile).")
    @click.option("--session", "session_id", help="Only iterations of this session.")
    @click.option("--agent", help="Only iterations of this coding agent.")
    @click.option("--model", help="Only iterations whose agent used this model.")
    @click.option("--label", help="Only iterations with this label.")
    @click.option(
        "--cluster-by",
        type=click.Choice(get_args(ClusterBy)),
        help="Cluster iterations by session (default) or by task.",
    )
    @functools.wraps(command)
    def run(**flags: Any) -> Any:
        options = {name: flags.pop(name) for name in (*IterationOptions.model_fields, "cluster_by") if name in flags}
        return command(options=options, **flags)

    return run


@click.command(short_help="Compare two groups of iterations.")
@click.argument("base", required=False)
@click.argument("other", required=False)
@click.option("--by", type=click.Choice(get_args(GroupBy)), required=True, help="What defines a group.")
@click.option("--scorer", "scorer_name", help="Only these scores; `outcome` is the total (default: all).")
@click.option("--min-effect", type=click.FloatRange(0, 1), help="Smallest difference that matters.")
@click.option("--from-git", "plain", is_flag=True, help="Compare plain history: each commit of the trunk's own line.")
@_which
@log_flag
@evidence_flags
@backend_flags
@as_json
@click.pass_context
def compare(
    ctx: click.Context, /, plan: "ScorePlan", base: str | None, other: str | None, by: GroupBy,
    scorer_name: str | None, min_effect: float | None, plain: bool, project: str | None, options: dict[str, Any],
    url: str | None, key: str | None, db: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Compare two groups of iterations: is OTHER better than BASE?

    Groups are sessions, agents, models, rules files, labels, rubric versions or periods (FROM..TO). BASE and OTHER may
    be left out where there are just two; the older one is the base. Iterations on little evidence are left out and
    counted.

    In a repository with a log, the log is compared, and no server is needed. What was pushed is compared by label and
    by rubric, and with --project, --source, --rubric-version, --url or --db.

    \b
    gnomon outcome compare --by model
    gnomon outcome compare --by rules-file
    gnomon outcome compare --by period ..2026-01-31 2026-02-01.. --min-effect 0.05
    """
    from gnomon.cli.show.outcome import compared

    _check_groups(by, base, other)
    wanted = IterationComparisonOptions(
        a=base, b=other, scorer_name=scorer_name, min_effect=min_effect,
        **{name: value for name, value in options.items() if value is not None},
    )  # fmt: skip
    comparison: GroupComparison
    if _is_of_log(ctx, plan, by):
        comparison = _of_log(plan, by, wanted, plain=plain, quiet=as_json)
    else:
        with _pushed(ctx, plan, url, key, db) as backend:
            comparison = backend.compare_iterations(by, one_project(backend, project, _NEEDS_PROJECT), wanted)
    show.json(comparison.model_dump(mode="json")) if as_json else compared(comparison)


def _check_groups(by: GroupBy, base: str | None, other: str | None) -> None:
    """Say what is wrong with the groups in the words of this command."""
    if by == "period":
        for name, period in (("BASE", base), ("OTHER", other)):
            if period is None or ".." not in period:
                words = "--by period takes two, such as ..2026-05-31 2026-06-01.."
                raise InvalidInput.of(name.lower(), f"{name} {period!r} is not a period; {words}" if period else words)
    if base is not None and base == other:
        raise InvalidInput.of("other", f"BASE and OTHER are both {base!r}; name two groups")


def _is_of_log(ctx: click.Context, plan: "ScorePlan", by: GroupBy) -> bool:
    """Whether a log is compared: one that is named, or the one around here unless something says what was pushed."""
    pushed = [name for name in _OF_PUSHED if ctx.params.get(name) is not None]
    local = [name for name in _OF_LOG if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE]
    if pushed and local:
        flags = [_flag(name) for name in (pushed[0], local[0])]
        words = f"{flags[0]} compares what was pushed, {flags[1]} a log on this machine; give one of them"
        raise InvalidInput.of(pushed[0], words)
    return bool(local) or (not pushed and by not in ("label", "rubric") and plan.log.is_dir())


@contextmanager
def _pushed(
    ctx: click.Context, plan: "ScorePlan", url: str | None, key: str | None, db: str | None
) -> "Iterator[Backend]":
    """The pushed iterations. Without a log and without flags for pushed ones, the refusal says how to begin."""
    with ExitStack() as stack:
        try:
            backend = stack.enter_context(open_backend(url, key, db))
        except NotFound:
            if plan.log.is_dir() or any(ctx.params.get(name) is not None for name in _OF_PUSHED):
                raise
            begin = "`gnomon outcome install` begins one, --from-git compares plain history"
            raise NotFound(f"{plan.log} is not a log, and nothing was pushed; {begin}") from None
        yield backend


def _flag(name: str) -> str:
    return "--from-git" if name == "plain" else f"--{name.replace('_', '-')}"


def _of_log(
    plan: "ScorePlan", by: GroupBy, wanted: IterationComparisonOptions, *, plain: bool, quiet: bool
) -> GroupComparison:
    from dataclasses import replace

    from gnomon.outcome.pipeline import NO_LOG, score_history, score_log
    from gnomon.service.outcome.grouping import Question
    from gnomon.service.outcome.localgroups import check_log_has, compare_log

    check_log_has(by)
    with show.progress("reading sessions", in_bytes=True, quiet=quiet) as progress:
        if plain:
            report = score_history(replace(plan, log=plan.repo / NO_LOG), on_progress=progress)
        else:
            report = score_log(plan, on_progress=progress)
    if not report.iterations:
        raise NotFound(f"{plan.log} has no iterations to compare; `gnomon outcome init` begins a log")
    question = Question(by, wanted.a, wanted.b, wanted.cluster_by, wanted.scorer_name, wanted.min_effect)
    return compare_log(report, wanted, question)


@click.command(short_help="Check a group of iterations against a gate.")
@click.argument("bar", metavar="GATE")
@click.option(
    "--bound",
    type=click.Choice(get_args(Bound)),
    help="Check the whole 95 % interval, or the value alone (default: ci where there is one).",
)
@click.option(
    "--min-n",
    type=click.IntRange(1),
    help="Fewest sessions that are enough to decide (default: 5 for ci, 1 for point).",
)
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
    """Check whether a group of iterations passes GATE.

    Exit code: 0 they pass, 1 they fail, 4 their scores do not decide yet.

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
        raise InvalidInput.of(
            "gate", "groups of iterations are compared by `gnomon outcome compare`; give a threshold here"
        )
    for metric in get_args(GroupMetric):
        if parsed.metric == metric or (parsed.metric, metric) == ("point", "mean"):
            return parsed, metric
    raise InvalidInput.of("gate", f"{parsed.metric_words} needs trials of one item, which iterations do not have")
