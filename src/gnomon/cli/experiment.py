"""`gnomon summary`, `compare` and `gate`: what experiments say, on a server or in a file here."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from pydantic import ValidationError

from gnomon.cli import flags, show
from gnomon.cli.backend import backend_flags, find, open_backend, server_of, with_backend
from gnomon.cli.flags import CANNOT_RUN, GATE_FAILED, OK, UNDECIDED, as_json, in_project
from gnomon.errors import InvalidInput
from gnomon.model.aggregate import IntervalMethod, MissingPolicy
from gnomon.model.experiment import Decision, ThresholdDraft, ThresholdResult
from gnomon.model.gates import NotWorseGate, ParsedGate, parse_gate
from gnomon.model.weblinks import comparison_page, experiment_page
from gnomon.report.gate import Gate, junit, markdown
from gnomon.service.gates import GateResults, check_all, why_nothing

if TYPE_CHECKING:
    from gnomon.model.backend import Backend
    from gnomon.model.experiment import Experiment, ExperimentComparison, Summary


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
    """What the scores of EXPERIMENT (a name or an id) say: means with their intervals, and what is missing."""
    named = find(backend, experiment, project, at)
    found = backend.summary(named.id, missing, pass_threshold, cluster_by, interval)
    url = experiment_page(server_of(backend), named.project_id, named.id)
    show.json(_with_url(found, url)) if as_json else show.summary(found, url)


@click.command()
@click.argument("base")
@click.argument("other")
@in_project
@click.option(
    "--at", help="Which BASE of that name: ~1 for the one before the newest, or 7 or more hex digits of a commit."
)
@click.option("--min-effect", type=click.FloatRange(0, 1), help="The smallest difference that matters.")
@flags.missing
@flags.interval
@with_backend
@as_json
def compare(
    backend: "Backend", base: str, other: str, project: str | None, at: str | None, min_effect: float | None,
    missing: MissingPolicy, interval: IntervalMethod | None, as_json: bool,
) -> None:  # fmt: skip
    """How OTHER differs from BASE (names or ids), paired item by item; what got worse most surely comes first."""
    after = find(backend, other, project)
    before = find(backend, base, project, at, other_than=after.id)
    found = backend.compare(before.id, after.id, min_effect, missing, interval)
    base_name = before.name if at is None else f"{before.name} at {at}"
    url = comparison_page(server_of(backend), after.project_id, before.id, after.id)
    show.json(_with_url(found, url)) if as_json else show.comparison(found, base_name, after.name, url)


def _with_url(found: "Summary | ExperimentComparison | ThresholdResult", url: str | None) -> dict[str, Any]:
    """As JSON, with the address of its page where a server shows it."""
    return {**found.model_dump(mode="json"), **({} if url is None else {"url": url})}


_EXIT: dict[Decision, int] = {"pass": OK, "fail": GATE_FAILED, "undecided": UNDECIDED}


@click.command()
@click.argument("experiment")
@click.argument("texts", metavar="[GATE]...", nargs=-1)
@in_project
@flags.at
@click.option("--scorer", "scorer_name", help="Whose numbers.")
@click.option(
    "--metric",
    type=click.Choice(["mean", "min", "max", "ci_low", "pass_at_k", "pass_pow_k"]),
    default="mean",
    show_default=True,
    help="Which number.",
)
@click.option("--threshold", type=click.FloatRange(0, 1), help="The bar.")
@click.option(
    "--comparison",
    type=click.Choice(["gte", "gt", "lte", "lt"]),
    default="gte",
    show_default=True,
    help="On which side of the bar the number must be.",
)
@click.option("--k", type=click.IntRange(1), help="For pass_at_k and pass_pow_k.")
@click.option(
    "--bound",
    type=click.Choice(["ci", "point"]),
    help="Hold the whole 95 % interval against the bar, or the value alone (default: ci where there is one).",
)
@click.option("--min-n", type=click.IntRange(1), help="Fewest items to decide on (default: 5 for ci, 1 for point).")
@click.option("--sequential", is_flag=True, help="Use an interval that holds however often you look meanwhile.")
@click.option("--against", help="Instead of a bar: not worse than this experiment (a name or an id).")
@click.option(
    "--margin", type=click.FloatRange(0, 1, max_open=True), help="With --against: how much worse is good enough."
)
@flags.missing
@flags.cluster_by
@flags.interval
@click.option("--markdown", "markdown_file", type=click.Path(path_type=Path), help="Write a summary for people here.")
@click.option("--junit", "junit_file", type=click.Path(path_type=Path), help="Write JUnit XML here.")
@backend_flags
@as_json
@click.pass_context
def gate(
    ctx: click.Context, /, experiment: str, texts: tuple[str, ...], project: str | None, at: str | None,
    against: str | None, margin: float | None, as_json: bool, markdown_file: Path | None, junit_file: Path | None,
    url: str | None, key: str | None, db: str | None, **wanted: Any,
) -> None:  # fmt: skip
    """Exit with 0 when EXPERIMENT (a name or an id) passes, with 1 when it fails, with 4 when its scores cannot tell
    yet, with 3 when everything failed.

    A GATE is 'exact_match >= 0.8', 'helpful.ci_low >= 0.6' or 'exact_match not worse than main by 0.02'; of several, 3
    beats 1 beats 4. Or name one by flags. In a GitHub job the summary is also added to the job's page.
    """
    given = [name for name in (*wanted, "against", "margin") if _on_command_line(ctx, name)]
    gates = _in_words(texts, given, wanted["scorer_name"], against, margin)
    draft = None if gates else _draft(**wanted)
    with open_backend(url, key, db) as backend:
        found = find(backend, experiment, project, at)
        page = experiment_page(server_of(backend), found.project_id, found.id)
        if draft is None:
            results = check_all(backend, found, gates)
            _write_reports(list(map(Gate.of_result, results)), markdown_file, junit_file)
            show.json(_as_json(results, page)) if as_json else show.gates(results, page)
            ctx.exit(results.exit_code)
        result = backend.threshold(found.id, draft)
        seen, code = _by_flags(backend, found, result)
    _write_reports([seen], markdown_file, junit_file)
    show.json(_with_url(result, page)) if as_json else show.decision(seen, page)
    ctx.exit(code)


def _on_command_line(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _in_words(
    texts: Sequence[str], given: Sequence[str], scorer_name: str | None, against: str | None, margin: float | None
) -> "Sequence[str | ParsedGate]":
    """The gates in words; none when a bar is named by flags."""
    flags = ", ".join(f"--{name.removesuffix('_name').replace('_', '-')}" for name in given)
    if texts:
        if given:
            raise InvalidInput(f"a gate in words says everything by itself; leave out {flags}")
        for text in texts:
            parse_gate(text)  # what is misspelt is said before anything is opened
        return texts
    if against is None:
        if margin is not None:
            raise InvalidInput("--margin goes with --against, the experiment to compare with")
        return ()
    if scorer_name is None or set(given) - {"scorer_name", "against", "margin"}:
        raise InvalidInput(f"--against goes with --scorer and --margin, not with others; there is {flags}")
    return [NotWorseGate(scorer_name, against, margin)]


def _as_json(found: GateResults, url: str | None) -> dict[str, Any]:
    results = [result.model_dump(mode="json") for result in found]
    return {"exit_code": found.exit_code, "results": results, **({} if url is None else {"url": url})}


def _by_flags(backend: "Backend", experiment: "Experiment", result: ThresholdResult) -> tuple[Gate, int]:
    """One bar that was named by flags, for people, and its exit code."""
    if result.actual_value is not None:
        return Gate.of(experiment.name, result, result.reason), _EXIT[result.decision]
    summary = backend.summary(experiment.id)
    nothing = why_nothing(summary, result.scorer_name)
    reason = nothing or _other_scorers(summary, result) or result.reason
    return Gate.of(experiment.name, result, reason), CANNOT_RUN if nothing else _EXIT[result.decision]


def _draft(metric: str, bound: str | None, **given: Any) -> ThresholdDraft:
    if given["scorer_name"] is None or given["threshold"] is None:
        raise click.UsageError("name a gate, as in 'exact_match >= 0.8', or give --scorer and --threshold")
    bound = bound or ("point" if metric in ("min", "max", "ci_low") else "ci")
    try:
        return ThresholdDraft.model_validate({"metric": metric, "bound": bound, **given})
    except ValidationError as bad:
        first = bad.errors()[0]
        field = first.get("ctx", {}).get("field") or ".".join(map(str, first["loc"]))
        raise InvalidInput(f"--{field}: {first['msg']}") from None


def _other_scorers(summary: "Summary", result: ThresholdResult) -> str | None:
    """A misspelt scorer should not take an hour to find."""
    known = summary.scores_by_scorer
    if result.k is not None or result.scorer_name in known:
        return None
    return f"there are no scores of {result.scorer_name!r}; the scorers here are {', '.join(known) or 'none'}"


def _write_reports(gates: Sequence[Gate], markdown_file: Path | None, junit_file: Path | None) -> None:
    job_page = os.environ.get("GITHUB_STEP_SUMMARY")
    for path, mode, text in (
        (markdown_file, "w", markdown),
        (junit_file, "w", junit),
        (Path(job_page) if job_page else None, "a", markdown),
    ):
        if path is None:
            continue
        try:
            with path.open(mode, encoding="utf-8") as file:
                file.write(text(gates))
        except OSError as refused:
            raise InvalidInput(f"{path} cannot be written ({refused.strerror}); name another file") from None
