"""Tools that show examples: what got worse between two experiments, and what an experiment failed at."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any

from pydantic import Field

from gnomon.errors import InvalidInput
from gnomon.mcp.context import ToolContext
from gnomon.mcp.experiments import checked_scorer, identified
from gnomon.mcp.tools import At, ExperimentName, OneScorerName, Pieces, ProjectName, tool
from gnomon.model.experiment import (
    Experiment,
    ExperimentComparison,
    ItemComparison,
    Run,
    RunError,
    ScorerComparison,
    Summary,
)
from gnomon.model.score import Score
from gnomon.report.evaluation import ErrorGroup
from gnomon.report.text import experiments as words
from gnomon.report.text.drawing import clean, number, plain_lines
from gnomon.report.text.inventory import short
from gnomon.report.text.values import cut, difference, written
from gnomon.shorten import counted, list_some

_RUNS_READ = 5_000
"""So many runs of an experiment are read to find examples."""
_CANDIDATES = 100
"""Among so many equally bad items those are looked for that are soon found in the other experiment too."""
_SCORES = 10
"""So many scores of one run are shown."""
_HAIR = 1e-9


# --- what got worse -----


@tool
def compare_experiments(
    context: ToolContext,
    experiment: ExperimentName = None,
    against: Annotated[
        str | None,
        Field(
            description="Name or id of the experiment to compare with, which is the one before. "
            "Default: the experiment of the same name before this one."
        ),
    ] = None,
    at: Annotated[
        str | None,
        Field(
            description="Which experiment of the name in `against`: ~1, or 7 or more hex digits of a commit, such as "
            "what `git rev-parse main` prints. Default: the newest other one."
        ),
    ] = None,
    scorer: Annotated[
        str | None, Field(description="Show examples by this scorer. Default: the one that most surely got worse.")
    ] = None,
    examples: Annotated[int, Field(ge=0, description="At most so many items that got worse, the worst first.")] = 3,
    min_effect: Annotated[
        float | None, Field(ge=0, le=1, description="The smallest difference that matters. Default: any.")
    ] = None,
    project: ProjectName = None,
) -> Pieces:
    """Answer "what got worse since main, and show me examples": compare an experiment with an earlier one, item by
    item. Gives for each scorer a verdict (better, worse, no difference, not decided) with the 95 % interval of the
    difference, and the items that got worse most, with input, expected output, both outputs, a diff, and scores."""
    after = context.experiment(experiment, project)
    before = context.experiment(against or after.name, project or after.project_id, at, other_than=after.id)
    if before.id == after.id:
        raise InvalidInput.of("against", f"both are experiment {after.id!r}; name another one with `against` or `at`")
    comparison = context.backend.compare(before.id, after.id, min_effect)
    yield f"before: {identified(before)}"
    yield f"now: {identified(after)}"
    yield from plain_lines(words.comparison(comparison, before.name, after.name))
    chosen = _scorer_with_examples(comparison, scorer)
    if chosen is not None and examples:
        yield from _worse(context, comparison, chosen, examples)


def _scorer_with_examples(comparison: ExperimentComparison, scorer: str | None) -> ScorerComparison | None:
    known = {
        scorer_comparison.scorer_name: scorer_comparison for scorer_comparison in comparison.scorer_comparisons
    }  # the strongest evidence of regression first
    if scorer is None:
        return next(
            (scorer_comparison for scorer_comparison in known.values() if scorer_comparison.regressed_count), None
        )
    if scorer not in known:
        names = ", ".join(map(repr, known)) or "none"
        raise InvalidInput.of("scorer", f"neither experiment has scores of scorer {scorer[:60]!r}; there is {names}")
    return known[scorer]


def _worse(
    context: ToolContext, comparison: ExperimentComparison, chosen: ScorerComparison, examples: int
) -> Iterator[str]:
    comparisons = _changed_items(comparison, chosen.scorer_name)
    if not comparisons:
        yield f"no item got worse by {short(chosen.scorer_name)}"
        return
    most = min(examples, context.limits.rows)
    pairs = _pairs(context, comparison, comparisons, most)
    change = "worse" if chosen.regressed_count else "changed"
    yield f"{counted(len(comparisons), 'item')} {change} by {short(chosen.scorer_name)}; the worst {len(pairs)}:"
    changes = _changes(comparison, {pair.now.dataset_item_id for pair in pairs})
    for at, pair in enumerate(pairs, 1):
        yield _example(context, at, pair, changes[pair.now.dataset_item_id])
    if len(comparisons) > len(pairs):
        yield f"… {len(comparisons) - len(pairs):,} more (ask with examples={min(2 * most + 4, len(comparisons))})"
    for other in comparison.scorer_comparisons:
        if other.regressed_count and other.scorer_name != chosen.scorer_name:
            worse = counted(other.regressed_count, "item")
            yield f"… {worse} worse by scorer {short(other.scorer_name)} (ask with that scorer)"


class _ItemInBoth:
    """An item in both experiments."""

    def __init__(self, now: Run, before: Run | None) -> None:
        self.now, self.before = now, before


def _changed_items(comparison: ExperimentComparison, scorer: str) -> list[ItemComparison]:
    """The items that got worse, the worst first; with labels, the items that changed."""
    rows = [row for row in comparison.per_item_results if row["scorer_name"] == scorer]
    worse = [row for row in rows if row["delta"] is not None and row["delta"] < 0]
    if worse:
        return sorted(worse, key=lambda row: row["delta"] or 0.0)
    return [row for row in rows if row["delta"] is None and _both(row) and row["base_score"] != row["compare_score"]]


def _both(row: ItemComparison) -> bool:
    return row["base_score"] is not None and row["compare_score"] is not None


def _pairs(
    context: ToolContext, comparison: ExperimentComparison, comparisons: Sequence[ItemComparison], most: int
) -> list[_ItemInBoth]:
    """The runs of the worst items. Among equally bad ones those are taken whose runs are soon found in both."""
    last = comparisons[min(most, len(comparisons)) - 1]["delta"]
    enough = [row for row in comparisons if last is None or (row["delta"] or 0.0) <= last]
    now = _runs_of(context, comparison.compare_experiment_id, enough, "compare_score", max(most, _CANDIDATES))
    rows = [row for row in enough if row["dataset_item_id"] in now]
    before = _runs_of(context, comparison.base_experiment_id, rows, "base_score", most)
    chosen = sorted(rows, key=lambda row: row["dataset_item_id"] not in before)[:most]
    items = [row["dataset_item_id"] for row in rows if row in chosen]
    return [_ItemInBoth(now[item], before.get(item)) for item in items]


def _runs_of(
    context: ToolContext, experiment_id: str, rows: Sequence[ItemComparison], side: str, most: int
) -> dict[str, Run]:
    """One run per item, found without reading more than needed: its score tells where to look."""
    items = {row["dataset_item_id"] for row in rows}
    values: list[Any] = [dict(row)[side] for row in rows]
    options: dict[str, Any] = {"sort": "created_at"}
    if values and all(isinstance(value, float | int) for value in values):
        options = {"scorer_name": rows[0]["scorer_name"], "sort": "score"}
        options |= {"max": max(values) + _HAIR} if side == "compare_score" else {"min": min(values) - _HAIR}
    runs: dict[str, Run] = {}
    for run in islice(context.backend.runs(experiment_id, **options), _RUNS_READ):
        if run.dataset_item_id in items:
            runs.setdefault(run.dataset_item_id, run)
        if len(runs) == min(most, len(items)):
            break
    return runs


def _changes(comparison: ExperimentComparison, items: set[str]) -> Mapping[str, list[str]]:
    """What scorers say of these items, before and now, where that differs."""
    changes: dict[str, list[str]] = {item: [] for item in items}
    for row in comparison.per_item_results:
        if row["dataset_item_id"] in items and row["base_score"] != row["compare_score"]:
            delta = "" if row["delta"] is None else f" ({number(row['delta'], '+')})"
            change = f"{_value(row['base_score'])} → {_value(row['compare_score'])}{delta}"
            changes[row["dataset_item_id"]].append(f"{short(row['scorer_name'])} {change}")
    return changes


def _example(context: ToolContext, at: int, pair: _ItemInBoth, changes: Sequence[str]) -> str:
    now, before = pair.now, pair.before
    fields = _input_fields(now)
    if before is None:
        missing = f"\n   the run before was not among the {_RUNS_READ:,} that were read"
    else:
        missing = ""
        fields |= _answered(before, " before")
    fields |= _answered(now, " now")
    if before is not None and now.error is None and before.error is None:
        diff = difference(before.output, now.output, context.limits.value)
        fields |= {"diff": diff} if diff else {}
    fields |= _rationales(now.scores)
    message = f"{at}. item {now.dataset_item_id}: {_several(changes)}\n   now {_run(now)}"
    message += "" if before is None else f"; before {_run(before)}"
    return f"{message}{missing}\n{context.data(fields)}"


# --- what an experiment failed at -----


@tool
def failures(
    context: ToolContext,
    experiment: ExperimentName = None,
    at: At = None,
    project: ProjectName = None,
    scorer: OneScorerName = None,
    below: Annotated[float, Field(gt=0, le=1, description="Only runs whose score is below this.")] = 1.0,
    limit: Annotated[int, Field(ge=1, description="At most so many examples for each scorer and for errors.")] = 3,
    skip: Annotated[int, Field(ge=0, description="With `scorer`: leave out so many runs, to read on.")] = 0,
) -> Pieces:
    """Show an experiment's failures: runs that ended in an error, grouped by type, and the runs with the lowest
    scores, with input, expected output, output, scores and the scorer's rationale."""
    stored = context.experiment(experiment, project, at)
    summary = context.backend.summary(stored.id)
    yield f"{identified(stored)}: {words.size(summary)}"
    shown: set[str] = set()
    if scorer is None:
        yield from _errors(context, stored, summary, limit)
        scorers = [
            scorer_summary.scorer_name
            for scorer_summary in summary.scores_by_scorer.values()
            if scorer_summary.mean is not None
        ]
    else:
        scorers = [checked_scorer(summary, scorer)]
    if not summary.scores_by_scorer:
        yield words.NO_SCORES
    for scorer_name in scorers:
        yield from _lowest(context, stored, scorer_name, below, limit, skip if scorer else 0, shown)


def _errors(context: ToolContext, experiment: Experiment, summary: Summary, limit: int) -> Iterator[str]:
    if not summary.failed_run_count:
        return
    runs = islice(context.backend.runs(experiment.id, sort="created_at"), _RUNS_READ)
    failed = [(run, run.error) for run in runs if run.error is not None]
    counts = Counter(error.type or "an error" for _, error in failed)
    for kind, count in counts.most_common(context.limits.rows):
        yield f"{ErrorGroup(short(kind), count, '').words}"
    if len(failed) < summary.failed_run_count:
        yield f"({len(failed)} of {summary.failed_run_count} failed runs are among the {_RUNS_READ:,} that were read)"
    for run, error in context.fitting(_one_of_each(failed), limit):
        data = context.data(_input_fields(run) | {"error": _error(error)})
        yield f"failed: item {run.dataset_item_id}, {_run(run)}\n{data}"


def _one_of_each(failed: Sequence[tuple[Run, RunError]]) -> list[tuple[Run, RunError]]:
    """Ordered so that the first examples have different types of errors."""
    seen: Counter[str | None] = Counter()
    order = []
    for at, (run, error) in enumerate(failed):
        order.append((seen[error.type], at, run, error))
        seen[error.type] += 1
    return [(run, error) for _, _, run, error in sorted(order, key=lambda row: row[:2])]


def _lowest(
    context: ToolContext, experiment: Experiment, scorer: str, below: float, limit: int, skip: int, shown: set[str]
) -> Iterator[str]:
    runs = context.backend.runs(experiment.id, scorer_name=scorer, max=below - _HAIR, sort="score")
    lowest, more = context.page(runs, limit, skip)
    if not lowest:
        yield f"no run has a score below {below:g} by {short(scorer)}"
        return
    yield f"lowest by {short(scorer)}:"
    for run in lowest:
        scores = _several([f"{short(score.scorer_name)} {_value(score.value)}" for score in run.scores])
        message = f"item {run.dataset_item_id}, {_run(run)}: {scores}"
        if run.id in shown:
            yield f"{message} (shown above)"
            continue
        shown.add(run.id)
        yield f"{message}\n{context.data(_input_fields(run) | _answered(run) | _rationales(run.scores))}"
    yield from (line.replace("ask with", f"ask with scorer={scorer!r},") for line in more)


# --- a run in words -----


def _input_fields(run: Run) -> dict[str, Any]:
    expected = {} if run.expected_output is None else {"expected": run.expected_output}
    return {"input": run.input, **expected}


def _answered(run: Run, when: str = "") -> dict[str, Any]:
    return {f"output{when}": run.output} if run.error is None else {f"error{when}": _error(run.error)}


def _error(error: RunError) -> str:
    return f"{error.type}: {error.message}" if error.type else error.message


def _rationales(scores: Sequence[Score]) -> dict[str, str]:
    return {f"rationale of {short(score.scorer_name)}": score.rationale for score in scores if score.rationale}


def _run(run: Run) -> str:
    trace = f", trace {clean(run.trace_id)}" if run.trace_id else ""
    return f"run {run.id} (trial {run.trial}{trace})"


def _several(lines: Sequence[str]) -> str:
    return list_some(lines, _SCORES)


def _value(value: float | str | None) -> str:
    return number(value) if not isinstance(value, str) else cut(written(value).replace("\n", " "), 40)
