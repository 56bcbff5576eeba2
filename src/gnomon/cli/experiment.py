"""`gnomon summary`, `compare` and `gate`: what experiments say, on a server or in a file here."""

from typing import Any

import click
from pydantic import ValidationError

from gnomon.cli import show
from gnomon.cli.flags import GATE_FAILED, OK, as_json, in_project
from gnomon.cli.place import Place, at_a_place, find
from gnomon.errors import InvalidInput
from gnomon.model.experiment import ThresholdDraft, ThresholdResult


@click.command()
@click.argument("experiment")
@in_project
@at_a_place
@as_json
def summary(place: Place, experiment: str, project: str | None, as_json: bool) -> None:
    """What the scores of EXPERIMENT (a name or an id) say: means with their intervals, and what is missing."""
    found = place.summary(find(place, experiment, project).id)
    show.json(found) if as_json else show.summary(found)


@click.command()
@click.argument("base")
@click.argument("other")
@in_project
@click.option("--min-effect", type=click.FloatRange(0, 1), help="The smallest difference that matters.")
@at_a_place
@as_json
def compare(place: Place, base: str, other: str, project: str | None, min_effect: float | None, as_json: bool) -> None:
    """How OTHER differs from BASE (names or ids), paired item by item."""
    before, after = find(place, base, project), find(place, other, project)
    found = place.compare(before.id, after.id, min_effect)
    show.json(found) if as_json else show.comparison(found, before.name, after.name)


@click.command()
@click.argument("experiment")
@in_project
@click.option("--scorer", "scorer_name", required=True, help="Whose numbers.")
@click.option(
    "--metric",
    type=click.Choice(["mean", "min", "max", "ci_low", "pass_at_k", "pass_pow_k"]),
    help="Which number (default: ci_low, the lower end of the mean's 95 % interval).",
)
@click.option("--threshold", type=float, required=True, help="The bar.")
@click.option(
    "--comparison",
    type=click.Choice(["gte", "gt", "lte", "lt"]),
    default="gte",
    show_default=True,
    help="On which side of the bar the number must be.",
)
@click.option("--k", type=click.IntRange(1), help="For pass_at_k and pass_pow_k.")
@at_a_place
@as_json
@click.pass_context
def gate(
    ctx: click.Context, /, place: Place, experiment: str, project: str | None, as_json: bool, **wanted: Any
) -> None:
    """Exit with 0 when EXPERIMENT (a name or an id) clears the bar, with 1 when it does not."""
    draft = _draft(**wanted)
    found = find(place, experiment, project)
    result = place.threshold(found.id, draft)
    reason = _why_no_value(place, found.id, result) if result.actual_value is None else None
    show.json(result) if as_json else show.decision(result, found.name, reason)
    ctx.exit(OK if result.passed else GATE_FAILED)


def _draft(metric: str | None, comparison: str, **given: Any) -> ThresholdDraft:
    if metric is None:
        if comparison in ("lte", "lt"):
            raise InvalidInput(f"--comparison {comparison} needs a --metric; the default, ci_low, is a lower bound")
        metric = "ci_low"
    try:
        return ThresholdDraft.model_validate({"metric": metric, "comparison": comparison, **given})
    except ValidationError as bad:
        first = bad.errors()[0]
        field = first.get("ctx", {}).get("field") or ".".join(map(str, first["loc"]))
        raise InvalidInput(f"--{field}: {first['msg']}") from None


def _why_no_value(place: Place, experiment_id: str, result: ThresholdResult) -> str:
    """A gate without a number fails; a misspelt scorer should not take an hour to find."""
    known = place.summary(experiment_id).scores_by_scorer
    if result.scorer_name not in known:
        return f"there are no scores of {result.scorer_name!r}; the scorers here are {', '.join(known) or 'none'}"
    if result.k is not None:
        most = max(map(int, known[result.scorer_name].pass_at_k or {}), default=0)
        return f"{result.metric} is known up to k = {most}, the fewest scored trials that an item has"
    return f"{result.scorer_name!r} has no numbers here"
