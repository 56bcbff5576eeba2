"""Tools about what there is: projects, datasets, leaderboards, judges, and iterations of coding agents."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from gnomon.mcp.context import ToolContext
from gnomon.mcp.text import short
from gnomon.mcp.tools import Limit, Pieces, ProjectName, Skip, tool
from gnomon.model.leaderboard import LeaderboardWish
from gnomon.model.outcome import Honesty, Iteration
from gnomon.report.text import card
from gnomon.report.text import leaderboard as ranks
from gnomon.report.text.drawing import interval, number, plain_lines, table


@tool
def list_projects(context: ToolContext, limit: Limit = 20, skip: Skip = 0) -> Pieces:
    """List the projects, with how many traces and experiments each has. Other tools take a project's id."""
    shown, more = context.page(context.backend.projects(), limit, skip)
    if not shown:
        yield "there is no project yet"
        return
    rows = table("project", "name", "traces in 7 days", "experiments", right=("traces in 7 days", "experiments"))
    for one in shown:
        summary = context.backend.project_summary(one.id)
        counts = summary.experiments
        made = counts.created_count + counts.running_count + counts.completed_count
        rows.add_row(one.id, short(one.name), f"{summary.traces.last_7d.count:,}", f"{made:,}")
    yield from plain_lines([rows])
    yield from more


@tool
def list_datasets(context: ToolContext, project: ProjectName = None, limit: Limit = 20, skip: Skip = 0) -> Pieces:
    """List the datasets of a project, with how many items each has."""
    where = context.project(project)
    shown, more = context.page(context.backend.datasets(where), limit, skip)
    if not shown:
        yield f"project {where} has no dataset"
        return
    rows = table("dataset", "id", "items", "version", "description", right=("items", "version"))
    for one in shown:
        rows.add_row(short(one.name), one.id, f"{one.item_count:,}", str(one.version), short(one.description or ""))
    yield from plain_lines([rows])
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
    found = context.dataset(dataset, project)
    yield from plain_lines(ranks.leaderboard(context.backend.leaderboard(found.id, scorer, LeaderboardWish(k=k))))


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
    answers that change when asked again, and a liking for long answers or for its own family, with 95 % intervals."""
    where = context.project(project)
    if scorer is None:
        yield from _judges(context, where)
        return
    found = context.backend.judge_card(scorer, where, config_hash, human)
    label_next = context.backend.to_label(scorer, where, config_hash, human, limit=1).words
    yield from plain_lines(card.card(found, label_next))


def _judges(context: ToolContext, project: str) -> Iterator[str]:
    shown, more = context.page(context.backend.judges(project), context.limits.rows)
    if not shown:
        yield f"project {project} has no judge"
        return
    rows = table("judge", "model", "scores", "config_hash", "last used", right=("scores",))
    for one in shown:
        rows.add_row(
            short(one.scorer_name), short(one.model or "unknown"), f"{one.scores:,}", one.config_hash,
            f"{one.last_used:%Y-%m-%d}",
        )  # fmt: skip
    yield from plain_lines([rows])
    yield from more


@tool
def iterations(
    context: ToolContext,
    source: Annotated[str | None, Field(description="Only of this repository, as it was pushed. Default: all.")] = None,
    session: Annotated[str | None, Field(description="Only of this session of a coding agent. Default: all.")] = None,
    band: Annotated[str | None, Field(description="Only of this band, such as weak. Default: all.")] = None,
    limit: Limit = 20,
    skip: Skip = 0,
    project: ProjectName = None,
) -> Pieces:
    """List iterations of coding agents, newest first: what each was worth (0 to 1), its band, how much evidence that
    stands on, and where more was claimed than is true; then how far claims hold up, with 95 % intervals."""
    where = context.project(project)
    rows = context.backend.iterations(where, source, session_id=session, band=band)
    shown, more = context.page(rows, limit, skip)
    if not shown:
        yield f"project {where} has no such iteration; `gnomon outcome push` sends them"
        return
    drawn = table("iteration", "source", "score", "band", "evidence", "task", "commit", "claimed too much", "id",
                  right=("iteration", "score", "evidence"))  # fmt: skip
    for one in shown:
        band_told = f"{short(one.band)}{' (provisional)' if one.provisional else ''}"
        drawn.add_row(
            str(one.iteration), short(one.source), number(one.value), band_told, f"{one.coverage:.0%}",
            short(one.task_id or ""), short(one.commit or "")[:10], _overclaims(one), one.id,
        )  # fmt: skip
    yield from plain_lines([drawn])
    yield from more
    yield from _honesty(context.backend.honesty(where, source))


def _overclaims(one: Iteration) -> str:
    return ", ".join(
        f"{pair.role} on {short(pair.signal)} {pair.delta:+.2f}" for pair in one.integrity if pair.delta < 0
    )  # fmt: skip


def _honesty(found: Honesty) -> Iterator[str]:
    """Claims against facts, where both are known."""
    for one in found.roles:
        if one.mean_delta is not None:
            ends = one.confidence_interval_95
            around = f"95 % interval {interval(ends)}" if ends else f"no interval: {one.ci_reason or 'not known'}"
            yield (
                f"{one.role} on {short(one.signal)}: observed less claimed {number(one.mean_delta, '+')} ({around}), "
                f"{one.overclaimed} of {one.n} claimed too much"
            )
