"""Tools about experiments: which there are, what their scores say, what is missing."""

from collections.abc import Iterator
from itertools import islice
from typing import Annotated

from pydantic import Field

from gnomon.errors import InvalidInput
from gnomon.mcp.context import ToolContext
from gnomon.mcp.tools import At, ExperimentName, OneScorerName, Pieces, ProjectName, RowLimit, Skip, tool
from gnomon.model.aggregate import MissingPolicy
from gnomon.model.experiment import Experiment, ScorerSummary, Summary
from gnomon.model.nearest import did_you_mean
from gnomon.model.score import ScoringState, State
from gnomon.report.text import experiments as words
from gnomon.report.text import inventory
from gnomon.report.text.drawing import clean, plain_lines
from gnomon.report.text.inventory import short
from gnomon.shorten import counted

_GAPS: tuple[State, ...] = ("failed", "absent", "queued", "running", "sampled_out", "cancelled")
_STATES_READ = 2_000
_IDS = 3


@tool
def list_experiments(
    context: ToolContext,
    project: ProjectName = None,
    name: Annotated[str | None, Field(description="Only experiments of exactly this name. Default: all.")] = None,
    dataset: Annotated[
        str | None, Field(description="Only those over this dataset (name or id). Default: all.")
    ] = None,
    limit: RowLimit = 20,
    skip: Skip = 0,
) -> Pieces:
    """List experiments, newest first, with ids, how many runs they have, and the git commit and branch that they were
    made at where that is known. Compare two of them with compare_experiments."""
    where = context.project(project)
    dataset_id = None if dataset is None else context.dataset(dataset, where).id
    shown, more = context.page(context.backend.experiments(where, dataset_id, name), limit, skip)
    if not shown:
        yield f"there is no such experiment in project {where}"
        return
    yield from plain_lines([inventory.experiments(shown, from_newest=not skip and dataset is None)])
    yield from more


@tool
def experiment_summary(
    context: ToolContext,
    experiment: ExperimentName = None,
    at: At = None,
    project: ProjectName = None,
    missing: Annotated[
        MissingPolicy,
        Field(
            description="Runs without a score: drop leaves them out, zero counts them as 0, bracket shows both ends."
        ),
    ] = "drop",
) -> Pieces:
    """Summarise an experiment's scores: for each scorer the mean with its 95 % interval, how many runs are scored,
    pass@k, and what is missing and why."""
    stored = context.experiment(experiment, project, at)
    yield identified(stored)
    yield from plain_lines(words.summary(context.backend.summary(stored.id, missing)))


@tool
def scoring_gaps(
    context: ToolContext,
    experiment: ExperimentName = None,
    at: At = None,
    project: ProjectName = None,
    scorer: OneScorerName = None,
    target: Annotated[
        str | None, Field(description="Instead of an experiment: the id of one run or span. Default: an experiment.")
    ] = None,
) -> Pieces:
    """List which runs of an experiment have no score and why (failed, nothing to score, still queued), with counts and
    ids to look at; or the same for one run or span."""
    if target is not None:
        yield from _gaps_of_target(context, target, scorer)
        return
    stored = context.experiment(experiment, project, at)
    summary = context.backend.summary(stored.id)
    yield f"{identified(stored)}: {words.size(summary)}"
    scorers = (
        [summary.scores_by_scorer[checked_scorer(summary, scorer)]] if scorer else summary.scores_by_scorer.values()
    )
    missing = [gaps for gaps in scorers if gaps.n_scored < gaps.n_total]
    if not missing:
        yield (
            "nothing is missing: every run has a score of every scorer" if summary.scores_by_scorer else words.NO_SCORES
        )
    for scorer_summary in missing:
        yield from _gaps(context, stored, scorer_summary)


def _gaps(context: ToolContext, experiment: Experiment, summary: ScorerSummary) -> Iterator[str]:
    pending = f", {summary.n_pending} pending" if summary.n_pending else ""
    missing = summary.n_total - summary.n_scored
    yield f"{short(summary.scorer_name)}: {missing} of {counted(summary.n_total, 'run')} without a score{pending}"
    for reason, count in sorted(summary.reasons.items(), key=lambda row: -row[1]):
        yield f"  {count} × {clean(reason)}"
    groups: dict[tuple[str, str], list[ScoringState]] = {}
    for wanted in _GAPS:
        states = context.backend.scoring_states(
            experiment_id=experiment.id, state=wanted, scorer_name=summary.scorer_name
        )
        for state in islice(states, _STATES_READ):
            groups.setdefault((state.state, state.reason or ""), []).append(state)
    for (kind, reason), members in context.fitting(groups.items(), context.limits.rows):
        ids = ", ".join(member.target_id for member in members[:_IDS])
        message = f" ({short(reason)})" if reason else ""
        yield f"  {kind}{message}, for example: {ids}"


def _gaps_of_target(context: ToolContext, target: str, scorer: str | None) -> Iterator[str]:
    states = context.backend.scoring_states(target_id=target, scorer_name=scorer)
    shown, more = context.page(states, context.limits.rows)
    if not shown:
        yield f"no scorer was asked about {clean(target)}"
    for state in shown:
        why = f": {short(state.reason)}" if state.reason else ""
        job = f" (job {state.job_id})" if state.job_id else ""
        yield f"{short(state.scorer_name)}: {state.state}{why}{job}"
    yield from more


# --- what other tools use too -----


def identified(experiment: Experiment) -> str:
    """Name, id and where it was made."""
    commit, branch = inventory.made_at(experiment)
    origin = f", made at commit {commit}" if commit else ""
    origin += f" on {branch}" if branch else ""
    return f"{short(experiment.name)} ({experiment.id}{origin})"


def checked_scorer(summary: Summary, scorer: str) -> str:
    """The scorer, if the experiment has scores of it."""
    known = summary.scores_by_scorer
    if scorer in known:
        return scorer
    hint = did_you_mean(scorer, known, f"it has {', '.join(map(repr, known)) or 'none'}")
    raise InvalidInput.of("scorer", f"{summary.name!r} has no scores of scorer {scorer[:60]!r}; {hint}")
