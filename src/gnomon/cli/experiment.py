"""`gnomon summary`, `compare` and `gate`: what experiments say, on a server or in a file here."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from pydantic import ValidationError

from gnomon.cli import flags, show
from gnomon.cli.backend import find, with_backend
from gnomon.cli.flags import GATE_FAILED, OK, UNDECIDED, as_json, in_project
from gnomon.errors import InvalidInput
from gnomon.model.aggregate import IntervalMethod, MissingPolicy
from gnomon.model.experiment import Decision, ThresholdDraft, ThresholdResult
from gnomon.report.gate import Gate, junit, markdown

if TYPE_CHECKING:
    from gnomon.model.backend import Backend


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
    id = find(backend, experiment, project, at).id
    found = backend.summary(id, missing, pass_threshold, cluster_by, interval)
    show.json(found) if as_json else show.summary(found)


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
    before, after = find(backend, base, project, at), find(backend, other, project)
    found = backend.compare(before.id, after.id, min_effect, missing, interval)
    base_name = before.name if at is None else f"{before.name} at {at}"
    show.json(found) if as_json else show.comparison(found, base_name, after.name)


_EXIT: dict[Decision, int] = {"pass": OK, "fail": GATE_FAILED, "undecided": UNDECIDED}


@click.command()
@click.argument("experiment")
@in_project
@flags.at
@click.option("--scorer", "scorer_name", required=True, help="Whose numbers.")
@click.option(
    "--metric",
    type=click.Choice(["mean", "min", "max", "ci_low", "pass_at_k", "pass_pow_k"]),
    default="mean",
    show_default=True,
    help="Which number.",
)
@click.option("--threshold", type=click.FloatRange(0, 1), required=True, help="The bar.")
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
@flags.missing
@flags.cluster_by
@flags.interval
@click.option("--markdown", "markdown_file", type=click.Path(path_type=Path), help="Write a summary for people here.")
@click.option("--junit", "junit_file", type=click.Path(path_type=Path), help="Write JUnit XML here.")
@with_backend
@as_json
@click.pass_context
def gate(
    ctx: click.Context, /, backend: "Backend", experiment: str, project: str | None, at: str | None, as_json: bool,
    markdown_file: Path | None, junit_file: Path | None, **wanted: Any,
) -> None:  # fmt: skip
    """Exit with 0 when EXPERIMENT (a name or an id) clears the bar, with 1 when it does not, with 4 when its
    scores cannot tell yet. In a GitHub job the summary is also added to the job's page."""
    draft = _draft(**wanted)
    found = find(backend, experiment, project, at)
    result = backend.threshold(found.id, draft)
    reason = _other_scorers(backend, found.id, result) or result.reason
    seen = Gate.of(found.name, result, reason)
    _write_reports(seen, markdown_file, junit_file)
    show.json(result) if as_json else show.decision(seen)
    ctx.exit(_EXIT[result.decision])


def _draft(metric: str, bound: str | None, **given: Any) -> ThresholdDraft:
    bound = bound or ("point" if metric in ("min", "max", "ci_low") else "ci")
    try:
        return ThresholdDraft.model_validate({"metric": metric, "bound": bound, **given})
    except ValidationError as bad:
        first = bad.errors()[0]
        field = first.get("ctx", {}).get("field") or ".".join(map(str, first["loc"]))
        raise InvalidInput(f"--{field}: {first['msg']}") from None


def _other_scorers(backend: "Backend", experiment_id: str, result: ThresholdResult) -> str | None:
    """A misspelt scorer should not take an hour to find."""
    if result.actual_value is not None or result.k is not None:
        return None
    known = backend.summary(experiment_id).scores_by_scorer
    if result.scorer_name in known:
        return None
    return f"there are no scores of {result.scorer_name!r}; the scorers here are {', '.join(known) or 'none'}"


def _write_reports(seen: Gate, markdown_file: Path | None, junit_file: Path | None) -> None:
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
                file.write(text([seen]))
        except OSError as refused:
            raise InvalidInput(f"{path} cannot be written ({refused.strerror}); name another file") from None
