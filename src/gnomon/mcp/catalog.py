"""Tools about what there is: projects, datasets, leaderboards, judges, and iterations of coding agents."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from gnomon.mcp.context import ToolContext
from gnomon.mcp.tools import Pieces, ProjectName, RowLimit, Skip, tool
from gnomon.model.leaderboard import LeaderboardOptions
from gnomon.model.outcome import Honesty
from gnomon.report.text import card, inventory
from gnomon.report.text import leaderboard as ranks
from gnomon.report.text.drawing import interval, number, plain_lines
from gnomon.report.text.inventory import short


@tool
def list_projects(context: ToolContext, limit: RowLimit = 20, skip: Skip = 0) -> Pieces:
    """List the projects, with how many traces and experiments each has. Other tools take a project's id."""
    shown, more = context.page(context.backend.projects(), limit, skip)
    if not shown:
        yield "there is no project yet"
        return
    summaries = {project.id: context.backend.project_summary(project.id) for project in shown}
    yield from plain_lines([inventory.projects(shown, summaries)])
    yield from more


@tool
def list_datasets(context: ToolContext, project: ProjectName = None, limit: RowLimit = 20, skip: Skip = 0) -> Pieces:
    """List the datasets of a project, with how many items each has."""
    where = context.project(project)
    shown, more = context.page(context.backend.datasets(where), limit, skip)
    if not shown:
        yield f"project {where} has no dataset"
        return
    yield from plain_lines([inventory.datasets(shown)])
    yield from more


@tool
def leaderboard(
    context: ToolContext,
    dataset: Annotated[str, Field(description="Name or id of the dataset.")],
    scorer: Annotated[str, Field(description="Name of the scorer whose numbers rank.")],
    k: Annotated[
        int | None, Field(ge=1, description="Also pass@k and pass^k up to this k. Default: what fits.")
    ] = None,
    project: ProjectName = None,
) -> Pieces:
    """Rank the experiments over a dataset by one scorer: means with 95 % intervals, which ranks are possible, and which
    neighbours cannot be told apart."""
    stored = context.dataset(dataset, project)
    yield from plain_lines(ranks.leaderboard(context.backend.leaderboard(stored.id, scorer, LeaderboardOptions(k=k))))


@tool
def judge_card(
    context: ToolContext,
    scorer: Annotated[str | None, Field(description="Name of the judge. Default: list the judges there are.")] = None,
    config_hash: Annotated[
        str | None, Field(description="Which configuration of it. Default: the one that was used last.")
    ] = None,
    human: Annotated[
        str | None,
        Field(description="Name of the scorer that people's scores have. Default: the one with most of its targets."),
    ] = None,
    project: ProjectName = None,
) -> Pieces:
    """Say how far a judge (a scorer that asks a model) can be trusted: agreement with people, unreadable answers,
    answers that change when asked again, and a bias towards long answers or its own family of models, with 95 %
    intervals."""
    where = context.project(project)
    if scorer is None:
        yield from _judges(context, where)
        return
    report = context.backend.judge_card(scorer, where, config_hash, human)
    label_next = context.backend.to_label(scorer, where, config_hash, human, limit=1).words
    yield from plain_lines(card.card(report, label_next))


def _judges(context: ToolContext, project: str) -> Iterator[str]:
    shown, more = context.page(context.backend.judges(project), context.limits.rows)
    if not shown:
        yield f"project {project} has no judge"
        return
    yield from plain_lines([inventory.judges([(project, judge) for judge in shown])])
    yield from more


@tool
def iterations(
    context: ToolContext,
    source: Annotated[str | None, Field(description="Only of this repository, as it was pushed. Default: all.")] = None,
    session: Annotated[str | None, Field(description="Only of this session of a coding agent. Default: all.")] = None,
    band: Annotated[str | None, Field(description="Only of this band, such as weak. Default: all.")] = None,
    limit: RowLimit = 20,
    skip: Skip = 0,
    project: ProjectName = None,
) -> Pieces:
    """List iterations of coding agents, newest first: what each was worth (0 to 1), its band, how much evidence
    there is, and where more was claimed than is true; then how far claims hold, with 95 % intervals."""
    where = context.project(project)
    rows = context.backend.iterations(where, source, session_id=session, band=band)
    shown, more = context.page(rows, limit, skip)
    if not shown:
        yield f"project {where} has no such iteration; `gnomon outcome push` sends them"
        return
    yield from plain_lines([inventory.iterations(shown)])
    yield from more
    yield from _honesty(context.backend.honesty(where, source))


def _honesty(honesty: Honesty) -> Iterator[str]:
    """Claims against facts, where both are known."""
    for role in honesty.roles:
        if role.mean_delta is not None:
            ends = role.confidence_interval_95
            around = f"95 % interval {interval(ends)}" if ends else f"no interval: {role.ci_reason or 'not known'}"
            yield (
                f"{role.role} on {short(role.signal)}: observed less claimed {number(role.mean_delta, '+')} "
                f"({around}), "
                f"{role.overclaimed} of {role.n} claimed too much"
            )
