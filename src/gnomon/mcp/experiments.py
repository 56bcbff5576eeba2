"""Tools about experiments: which there are, what their scores say, what is missing."""

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any

from pydantic import Field

from gnomon.errors import InvalidInput
from gnomon.mcp.context import ToolContext
from gnomon.mcp.text import short
from gnomon.mcp.tools import At, ExperimentName, Limit, Pieces, ProjectName, ScorerName, Skip, tool
from gnomon.model.aggregate import MissingPolicy
from gnomon.model.experiment import Experiment, ScorerSummary, Summary
from gnomon.model.nearest import nearest
from gnomon.model.score import ScoringState, State
from gnomon.report.text import experiments as words
from gnomon.report.text.drawing import clean, plain_lines, table

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
    limit: Limit = 20,
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
    rows = table("experiment", "id", "status", "runs", "commit", "branch", "created", right=("runs",))
    for one in shown:
        commit, branch = made_at(one)
        rows.add_row(
            short(one.name), one.id, one.status, f"{one.run_count:,}", commit, branch,
            f"{one.created_at:%Y-%m-%d %H:%M}",
        )  # fmt: skip
    yield from plain_lines([rows])
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
    """Say what an experiment's scores say: for each scorer the mean with its 95 % interval, how many runs are scored,
    pass@k, and what is missing and why."""
    found = context.experiment(experiment, project, at)
    yield identified(found)
    yield from plain_lines(words.summary(context.backend.summary(found.id, missing)))


@tool
def scoring_gaps(
    context: ToolContext,
    experiment: ExperimentName = None,
    at: At = None,
    project: ProjectName = None,
    scorer: ScorerName = None,
    target: Annotated[
        str | None, Field(description="Instead of an experiment: the id of one run or span. Default: an experiment.")
    ] = None,
) -> Pieces:
    """Say which runs of an experiment have no score and why (failed, nothing to score, still queued), with counts and
    ids to look at; or the same for one run or span."""
    if target is not None:
        yield from _gaps_of_target(context, target, scorer)
        return
    found = context.experiment(experiment, project, at)
    summary = context.backend.summary(found.id)
    yield f"{identified(found)}: {words.size(summary)}"
    scorers = (
        [summary.scores_by_scorer[checked_scorer(summary, scorer)]] if scorer else summary.scores_by_scorer.values()
    )
    missing = [one for one in scorers if one.n_scored < one.n_total]
    if not missing:
        yield (
            "nothing is missing: every run has a score of every scorer" if summary.scores_by_scorer else words.NO_SCORES
        )
    for one in missing:
        yield from _gaps(context, found, one)


def _gaps(context: ToolContext, found: Experiment, one: ScorerSummary) -> Iterator[str]:
    pending = f", {one.n_pending} pending" if one.n_pending else ""
    yield f"{short(one.scorer_name)}: {one.n_total - one.n_scored} of {one.n_total} runs without a score{pending}"
    for reason, count in sorted(one.reasons.items(), key=lambda row: -row[1]):
        yield f"  {count} × {clean(reason)}"
    groups: dict[tuple[str, str], list[ScoringState]] = {}
    for wanted in _GAPS:
        states = context.backend.scoring_states(experiment_id=found.id, state=wanted, scorer_name=one.scorer_name)
        for state in islice(states, _STATES_READ):
            groups.setdefault((state.state, state.reason or ""), []).append(state)
    for (kind, reason), members in context.fitting(groups.items(), context.limits.rows):
        ids = ", ".join(member.target_id for member in members[:_IDS])
        told = f" ({short(reason)})" if reason else ""
        yield f"  {kind}{told}, for example: {ids}"


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


def identified(found: Experiment) -> str:
    """Name, id and where it was made."""
    commit, branch = made_at(found)
    made = f", made at commit {commit}" if commit else ""
    made += f" on {branch}" if branch else ""
    return f"{short(found.name)} ({found.id}{made})"


def made_at(found: Experiment) -> tuple[str, str]:
    """Short commit (with a + where files were changed) and branch, as the metadata says; empty when it does not."""
    state: Any = (found.metadata or {}).get("gnomon")
    state = state.get("git") if isinstance(state, dict) else None
    if not isinstance(state, dict):
        return "", ""
    commit, branch = state.get("commit"), state.get("branch")
    changed = "+" if state.get("dirty") is True else ""
    return (
        f"{clean(commit)[:10]}{changed}" if isinstance(commit, str) else "",
        short(branch) if isinstance(branch, str) else "",
    )


def checked_scorer(summary: Summary, scorer: str) -> str:
    """The scorer, if the experiment has scores of it."""
    known = summary.scores_by_scorer
    if scorer in known:
        return scorer
    near = nearest(scorer, known)
    there = f"did you mean {near!r}?" if near else f"it has {', '.join(map(repr, known)) or 'none'}"
    raise InvalidInput.of("scorer", f"{summary.name!r} has no scores of scorer {scorer[:60]!r}; {there}")
