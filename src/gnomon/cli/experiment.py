"""`gnomon summary`, `compare` and `gate`: what experiments say, on a server or in a file here."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from pydantic import ValidationError

from gnomon.cli import flags, regression, show
from gnomon.cli.backend import backend_flags, find, server_of, with_backend
from gnomon.cli.flags import CANNOT_RUN, GATE_FAILED, OK, UNDECIDED, as_json, in_project
from gnomon.cli.regression import bases_of, fail_flags
from gnomon.cli.reports import STDOUT, check_reports, report_flags, write_reports
from gnomon.cli.resultfiles import file_flags, is_file, open_experiments, two_of_one_file
from gnomon.cli.share import check_share, share_flag, shared
from gnomon.errors import InvalidInput
from gnomon.model.aggregate import IntervalMethod, MissingPolicy
from gnomon.model.experiment import Decision, ThresholdDraft, ThresholdResult
from gnomon.model.gates import parse_gate
from gnomon.model.nearest import did_you_mean
from gnomon.model.weblinks import comparison_page, experiment_page
from gnomon.report.gate import Gate, markdown
from gnomon.service.analysis.gates import why_nothing

if TYPE_CHECKING:
    from gnomon.model.backend import Backend
    from gnomon.model.experiment import Experiment, Summary


@click.command()
@click.argument("experiment")
@in_project
@flags.at
@flags.missing
@flags.pass_threshold
@flags.cluster_by
@flags.interval
@with_backend
@as_json
def summary(
    backend: "Backend", experiment: str, project: str | None, at: str | None, missing: MissingPolicy,
    pass_threshold: float, cluster_by: str | None, interval: IntervalMethod | None, as_json: bool,
) -> None:  # fmt: skip
    """Summarise the scores of EXPERIMENT (a name or an id): means with their intervals, and what is missing."""
    named = find(backend, experiment, project, at)
    scores = backend.summary(named.id, missing, pass_threshold, cluster_by, interval)
    url = experiment_page(server_of(backend), named.project_id, named.id)
    show.json(_with_url(scores, url)) if as_json else show.summary(scores, url)


@click.command()
@click.argument("base")
@click.argument("other", required=False)
@in_project
@click.option(
    "--at", help="BASE of that name to use: ~1 for the one before the newest, or 7 or more hex digits of a commit."
)
@click.option("--min-effect", type=click.FloatRange(0, 1), help="Smallest difference that matters.")
@flags.missing
@flags.interval
@fail_flags
@report_flags
@share_flag
@file_flags
@backend_flags
@as_json
@click.pass_context
def compare(
    ctx: click.Context, /, base: str, other: str | None, project: str | None, at: str | None, min_effect: float | None,
    missing: MissingPolicy, interval: IntervalMethod | None, fail_on: regression.FailOn | None,
    scorer_name: str | None, shown_items: int, markdown_file: Path | None, junit_file: Path | None,
    files: tuple[Path, ...], columns: str | None, url: str | None, key: str | None, db: str | None, as_json: bool,
    share_days: int | None,
) -> None:  # fmt: skip
    """Compare OTHER with BASE (names, ids or files) item by item; the surest regressions come first.

    A file (.csv, .jsonl, .json or .parquet) has one score per row: an item and a value, perhaps input, output and
    expected output. A file with a column of agents may hold both: give --file and their names, or
    the file alone.

    With --fail-on the exit code is 1 when OTHER fails, 3 when everything failed, 4 when no item is in both.
    """
    if scorer_name is not None and fail_on is None:
        raise InvalidInput("--scorer needs --fail-on; add it, or leave --scorer out")
    check_reports(markdown_file, junit_file, as_json=as_json)
    if other is None:
        if not is_file(base):
            raise click.UsageError("name two experiments, or a file that has two")
        files = (Path(base),)
        base, other = two_of_one_file(files[0], columns)
    connection = {"url": url, "key": key, "db": db, "project": project, "at": at}
    with open_experiments([base, other], files, columns, quiet=as_json, **connection) as backend:
        server = server_of(backend)
        check_share(share_days, server)
        after = find(backend, other, project)
        before = find(backend, base, project, at, other_than=after.id)
        comparison = backend.compare(before.id, after.id, min_effect, missing, interval)
        report, code = regression.compared(
            backend, before, after, comparison, shown_items, missing, fail_on, scorer_name
        )
        page = comparison_page(server, after.project_id, before.id, after.id)
        report = shared(report, backend, server, share_days)
    base_name = before.name if at is None else f"{before.name} at {at}"
    in_text = regression.write(report, "gnomon compare", markdown_file, junit_file)
    if as_json:
        show.json(regression.comparison_json(report, code if fail_on else None, page))
    elif in_text:
        regression.show_comparison(report, base_name, page)
    ctx.exit(code)


def _with_url(result: "Summary | ThresholdResult", url: str | None) -> dict[str, Any]:
    """The noun as JSON, with the address of its page where a server shows it."""
    return {**result.model_dump(mode="json"), **({} if url is None else {"url": url})}


_EXIT: dict[Decision, int] = {"pass": OK, "fail": GATE_FAILED, "undecided": UNDECIDED}


@click.command()
@click.argument("experiment")
@click.argument("texts", metavar="[GATE]...", nargs=-1)
@in_project
@flags.at
@click.option("--scorer", "scorer_name", help="Scorer whose scores are checked.")
@click.option(
    "--metric",
    type=click.Choice(["mean", "min", "max", "ci_low", "pass_at_k", "pass_pow_k"]),
    default="mean",
    show_default=True,
    help="Metric to check.",
)
@click.option("--threshold", type=click.FloatRange(0, 1), help="Value that the metric must reach.")
@click.option(
    "--comparison",
    type=click.Choice(["gte", "gt", "lte", "lt"]),
    default="gte",
    show_default=True,
    help="How the metric must compare with the threshold.",
)
@click.option("--k", type=click.IntRange(1), help="k of pass_at_k and pass_pow_k.")
@click.option(
    "--bound",
    type=click.Choice(["ci", "point"]),
    help="Check the whole 95 % interval, or the value alone (default: ci where there is one).",
)
@click.option(
    "--min-n", type=click.IntRange(1), help="Fewest items that are enough to decide (default: 5 for ci, 1 for point)."
)
@click.option("--sequential", is_flag=True, help="Use an interval that stays valid however often you look.")
@click.option("--against", help="Instead of a threshold: no scorer worse than in this experiment (or file).")
@click.option(
    "--margin", type=click.FloatRange(0, 1, max_open=True), help="With --against: largest loss that still passes."
)
@flags.missing
@flags.cluster_by
@flags.interval
@report_flags
@file_flags
@backend_flags
@as_json
@click.pass_context
def gate(
    ctx: click.Context, /, experiment: str, texts: tuple[str, ...], project: str | None, at: str | None,
    against: str | None, margin: float | None, as_json: bool, markdown_file: Path | None, junit_file: Path | None,
    files: tuple[Path, ...], columns: str | None, url: str | None, key: str | None, db: str | None, **bar: Any,
) -> None:  # fmt: skip
    """Check whether EXPERIMENT (a name, an id or a file) passes its gates.

    Exit code: 0 it passes, 1 it fails, 4 its scores do not decide yet, 3 everything failed.

    A GATE is 'exact_match >= 0.8', 'helpful.ci_low >= 0.6' or 'exact_match not worse than main by 0.02'. Flags define
    a single gate. Of several gates, exit code 3 beats 1, and 1 beats 4. In a GitHub job the summary is also added to
    the job's page.
    """
    flags_used = [name for name in (*bar, "against", "margin") if _on_command_line(ctx, name)]
    in_words = _in_words(texts, flags_used, against, margin)
    draft = None if in_words else _draft(**bar)
    check_reports(markdown_file, junit_file, as_json=as_json)
    connection = {"url": url, "key": key, "db": db, "project": project, "at": at}
    names = [experiment, *([against] if against else []), *bases_of(texts)]
    with open_experiments(names, files, columns, quiet=as_json, **connection) as backend:
        run = find(backend, experiment, project, at)
        page = experiment_page(server_of(backend), run.project_id, run.id)
        if draft is None:
            reading = {} if texts else {"missing": bar["missing"], "interval": bar["interval"]}
            report, results = regression.checked(backend, run, texts, against, bar["scorer_name"], margin, **reading)
            ctx.exit(regression.tell_gates(report, results, page, markdown_file, junit_file, as_json))
        result = backend.threshold(run.id, draft)
        seen, code = _by_flags(backend, run, result)
    write_reports(lambda: markdown([seen]), [seen], "gnomon gate", markdown_file, junit_file)
    if as_json:
        show.json(_with_url(result, page))
    elif markdown_file != STDOUT:
        show.decision(seen, page)
    ctx.exit(code)


def _on_command_line(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _in_words(texts: Sequence[str], flags_used: Sequence[str], against: str | None, margin: float | None) -> bool:
    """Whether gates are named in words, or by --against; else a bar is named by flags."""
    flags = ", ".join(f"--{name.removesuffix('_name').replace('_', '-')}" for name in flags_used)
    if texts:
        if flags_used:
            raise InvalidInput(f"a gate in words is complete; leave out {flags}")
        for text in texts:
            parse_gate(text)  # refuse a misspelt gate before anything is opened
        return True
    if against is None:
        if margin is not None:
            raise InvalidInput("--margin goes with --against, the experiment to compare with")
        return False
    if set(flags_used) - {"scorer_name", "against", "margin", "missing", "interval"}:
        raise InvalidInput(f"--against goes with --scorer, --margin, --missing and --interval; there is {flags}")
    return True


def _by_flags(backend: "Backend", experiment: "Experiment", result: ThresholdResult) -> tuple[Gate, int]:
    """One bar that was named by flags, for people, and its exit code."""
    if result.actual_value is not None:
        return Gate.of(experiment.name, result, result.reason), _EXIT[result.decision]
    summary = backend.summary(experiment.id)
    nothing = why_nothing(summary, result.scorer_name)
    reason = nothing or _other_scorers(summary, result) or result.reason
    return Gate.of(experiment.name, result, reason), CANNOT_RUN if nothing else _EXIT[result.decision]


def _draft(metric: str, bound: str | None, **fields: Any) -> ThresholdDraft:
    if fields["scorer_name"] is None or fields["threshold"] is None:
        raise click.UsageError("name a gate, as in 'exact_match >= 0.8', or give --scorer and --threshold")
    bound = bound or ("point" if metric in ("min", "max", "ci_low") else "ci")
    try:
        return ThresholdDraft.model_validate({"metric": metric, "bound": bound, **fields})
    except ValidationError as bad:
        first = bad.errors()[0]
        field = first.get("ctx", {}).get("field") or ".".join(map(str, first["loc"]))
        raise InvalidInput(f"--{field}: {first['msg']}") from None


def _other_scorers(summary: "Summary", result: ThresholdResult) -> str | None:
    """A misspelt scorer should not take an hour to find."""
    known = summary.scores_by_scorer
    if result.k is not None or result.scorer_name in known:
        return None
    near = did_you_mean(result.scorer_name, known, f"the scorers here are {', '.join(known) or 'none'}")
    return f"there are no scores of {result.scorer_name!r}; {near}"
