"""Outcome scores of a coding agent's iterations: pushed, listed, by session, by role, and as a page."""

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from starlette.responses import HTMLResponse, Response

from gnomon.model.checks import build
from gnomon.model.experiment import Bound, Comparison, ThresholdDraft, ThresholdResult
from gnomon.model.fields import LARGEST_COUNT
from gnomon.model.iterationgroups import (
    ClusterBy,
    GroupBy,
    GroupMetric,
    IterationComparison,
    IterationFacets,
    IterationSummary,
)
from gnomon.model.iterationviews import MOST_POINTS, POINTS, IterationContext, IterationTrend, IterationTrendOptions
from gnomon.model.outcome import Honesty, Iteration, IterationBatchDraft, IterationsAccepted, OutcomeSession
from gnomon.model.page import Page
from gnomon.report import outcomes as report
from gnomon.report.rendering import plot_policy
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import (
    Context,
    IntervalChoice,
    Missing,
    ProjectQuery,
    ReplyWithStatus,
    RequestContext,
    WantedPage,
    gives,
    gives_page,
    takes,
)
from gnomon.server.sharing import in_path
from gnomon.service.analysis import summarize
from gnomon.service.call import Call
from gnomon.service.outcome import groups, iterationviews, outcomes
from gnomon.service.outcome.grouping import Question
from gnomon.store.iterations import Filter

router = APIRouter(prefix="/v1", tags=["outcomes"])

RepositorySource = Annotated[str | None, Query(description="Only iterations of this repository")]
RubricVersion = Annotated[str | None, Query(description="Only scores by this rubric version")]
OfAgent = Annotated[str | None, Query(description="Only iterations of this agent's program")]
OfModel = Annotated[str | None, Query(description="Only iterations whose agent used this model")]
WithLabel = Annotated[str | None, Query(description="Only iterations with this label")]
WithRulesFile = Annotated[str | None, Query(description="Only iterations with this rules file, as the facets list it")]
_UPDATED = {200: {"model": IterationsAccepted, "description": "all of them were stored before, and are up to date now"}}


async def _only(
    source: RepositorySource = None,
    rubric_version: RubricVersion = None,
    session_id: str | None = None,
    band: str | None = None,
    provisional: Annotated[Literal["true", "false"] | None, Query(description="Stands on little evidence")] = None,
    agent: OfAgent = None,
    model: OfModel = None,
    label: WithLabel = None,
    rules_file: WithRulesFile = None,
) -> Filter:
    return Filter(
        source, rubric_version, session_id, band, None if provisional is None else provisional == "true", agent, model,
        label, rules_file,
    )  # fmt: skip


async def _group(
    source: RepositorySource = None,
    rubric_version: RubricVersion = None,
    session_id: str | None = None,
    band: str | None = None,
    agent: OfAgent = None,
    model: OfModel = None,
    label: WithLabel = None,
    rules_file: WithRulesFile = None,
) -> Filter:
    return Filter(source, rubric_version, session_id, band, None, agent, model, label, rules_file)


Group = Annotated[Filter, Depends(_group)]
Clusters = Annotated[ClusterBy, Query(description="What varies: iterations of one of these stand together")]


@router.post(
    "/iterations", **gives(IterationsAccepted, 201, 409, 422, also=_UPDATED), **takes(IterationBatchDraft)
)  # fmt: skip
@needs("write")
def push_iterations(context: Context) -> Response:
    """Keep scored iterations, all of them or none; 201 when some are new.

    An iteration is known by its project, source, number and rubric version. Pushing it again updates it.
    """
    batch = context.body(IterationBatchDraft)

    def push(call: Call) -> ReplyWithStatus:
        accepted = outcomes.push(call, batch)
        return ReplyWithStatus(accepted, 201 if accepted.created else 200)

    return context.write(push)


@router.get("/iterations", **gives(Page[Iteration]))
@needs("read")
def list_iterations(
    context: Context, wanted: WantedPage, only: Annotated[Filter, Depends(_only)], project_id: ProjectQuery = None
) -> Response:
    """A project's iterations, the highest number first; where several have it, the last stored first."""
    filters = {"project_id": project_id, **asdict(only)}
    return context.page("iterations", wanted, filters, lambda call, part: outcomes.all_of(call, project_id, only, part))


@router.get("/iterations/facets", **gives(IterationFacets, 200))
@needs("read")
def get_iteration_facets(context: Context, only: Group, project_id: ProjectQuery = None) -> Response:
    """What iterations can be filtered and compared by: sources, rubric versions, sessions, agents, models, labels."""
    return context.read(lambda call: groups.facets(call, project_id, only))


@router.get("/iterations/trend", **gives(IterationTrend, 200))
@needs("read")
def get_iteration_trend(
    context: Context,
    only: Annotated[Filter, Depends(_only)],
    project_id: ProjectQuery = None,
    before: Annotated[
        int | None, Query(ge=0, le=LARGEST_COUNT, description="Only iterations with a lower number")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_POINTS, description="At most so many, the newest")] = POINTS,
) -> Response:
    """Values over time: the newest iterations of one source by one rubric version in brief, with their sessions.

    They are the source and the rubric version that are asked for, else those last pushed, the default profile first.
    Each iteration says what its value stands on, and which signal kept it down most.
    """
    options = IterationTrendOptions(**asdict(only), before=before, limit=limit)
    return context.read(lambda call: iterationviews.trend(call, project_id, options))


@router.get("/iterations/summary", **gives(IterationSummary, 200))
@needs("read")
def get_iteration_summary(
    context: Context,
    only: Group,
    project_id: ProjectQuery = None,
    cluster_by: Clusters = "session",
    missing: Missing = "drop",
    interval: IntervalChoice = None,
) -> Response:
    """Every scorer of a group of iterations: mean with interval, what is missing and why.

    The group is of one rubric version, and provisional iterations are left out and counted.
    """
    reading = summarize.Reading(missing, interval=interval)
    return context.read(lambda call: groups.summary(call, project_id, only, cluster_by, reading))


@router.get("/iterations/threshold", **gives(ThresholdResult, 200, 422))
@needs("read")
def try_iteration_threshold(
    context: Context,
    only: Group,
    scorer_name: Annotated[str, Query(description="Whose numbers; `outcome` is the total")],
    metric: GroupMetric,
    threshold: Annotated[float, Query(allow_inf_nan=False, description="The bar")],
    project_id: ProjectQuery = None,
    comparison: Comparison = "gte",
    bound: Annotated[Bound, Query(description="Hold the value against the bar, or its interval")] = "point",
    min_n: Annotated[int | None, Query(ge=1, le=1_000_000_000, description="Fewest sessions to decide on")] = None,
    cluster_by: Clusters = "session",
    missing: Missing = "drop",
    interval: IntervalChoice = None,
) -> Response:
    """Check one metric of a group of iterations against a threshold, as for an experiment. Nothing is stored."""
    draft = build(
        ThresholdDraft, scorer_name=scorer_name, metric=metric, threshold=threshold, comparison=comparison, bound=bound,
        min_n=min_n, missing=missing, interval=interval,
    )  # fmt: skip
    return context.read(lambda call: groups.threshold(call, project_id, only, draft, cluster_by))


@router.get("/iterations/compare", **gives(IterationComparison, 200, 422))
@needs("read")
def compare_iterations(
    context: Context,
    only: Group,
    by: Annotated[GroupBy, Query(description="What the iterations of a group have in common")],
    a: Annotated[str | None, Query(description="The base, needed unless there are two. A period: FROM..TO")] = None,
    b: Annotated[str | None, Query(description="What is compared with it")] = None,
    project_id: ProjectQuery = None,
    cluster_by: Annotated[
        ClusterBy | None, Query(description="What varies: `session` unless said; `task` when sessions are compared")
    ] = None,
    scorer_name: Annotated[str | None, Query(description="All scorers when left out")] = None,
    min_effect: Annotated[
        float | None, Query(ge=0, le=1, allow_inf_nan=False, description="The smallest difference that matters")
    ] = None,
) -> Response:
    """Two groups of iterations, scorer by scorer: the difference of their means, unpaired, with a verdict.

    Sessions or tasks are what varies. Both groups are of one rubric version, and provisional iterations are left out
    and counted.
    """
    question = Question(by, a, b, cluster_by, scorer_name, min_effect)
    return context.read(lambda call: groups.compare(call, project_id, only, question))


@router.get("/iterations/{id}", **gives(Iteration))
@needs("read", shared=in_path("iteration"))
def get_iteration(id: str, context: Context) -> Response:
    """One iteration: its score, the rows that explain it, and claims against facts."""
    return context.read(lambda call: outcomes.get(call, id))


@router.get("/iterations/{id}/context", **gives(IterationContext))
@needs("read")
def get_iteration_context(id: str, context: Context) -> Response:
    """The context of one iteration: the ones before and after it, its session, other rubrics, its traces."""
    return context.read(lambda call: iterationviews.context(call, id))


@router.get("/sessions", **gives(Page[OutcomeSession], 200))
@needs("read")
def list_sessions(
    context: Context,
    wanted: WantedPage,
    project_id: ProjectQuery = None,
    source: RepositorySource = None,
    rubric_version: RubricVersion = None,
) -> Response:
    """The mean of each session with its interval, the newest session first.

    Rubric versions are never mixed: a session that was scored by two of them is there twice. Iterations that name no
    session are in none.
    """
    only = Filter(source, rubric_version)
    filters = {"project_id": project_id, **asdict(only)}
    return context.page("sessions", wanted, filters, lambda call, part: outcomes.sessions(call, project_id, only, part))


@router.get("/integrity", **gives(Honesty, 200))
@needs("read")
def get_integrity(
    context: Context,
    project_id: ProjectQuery = None,
    source: RepositorySource = None,
    rubric_version: RubricVersion = None,
    session_id: str | None = None,
    agent: OfAgent = None,
    model: OfModel = None,
    label: WithLabel = None,
    rules_file: WithRulesFile = None,
) -> Response:
    """How far each role's claims agree with the facts, by one rubric version: the last pushed of the default profile.

    `rubric_versions` has all that are stored; name one with `rubric_version`.
    """
    only = Filter(source, rubric_version, session_id, agent=agent, model=model, label=label, rules_file=rules_file)
    return context.read(lambda call: outcomes.honesty(call, project_id, only))


@router.get("/outcomes/page", **gives_page())
@needs("read")
def get_outcomes_page(
    context: Context,
    project_id: ProjectQuery = None,
    source: RepositorySource = None,
    rubric_version: RubricVersion = None,
) -> Response:
    """Values over time, sessions and honesty as one page of HTML that fetches nothing.

    It shows one source by one rubric version: those that are asked for, else those last stored.
    """
    page = report.page(*_trend(context, project_id, source, rubric_version))
    return HTMLResponse(page, headers={"Content-Security-Policy": plot_policy()})


def _trend(context: RequestContext, *selection: str | None) -> tuple[Any, ...]:
    shown = context.app_state.store.read(
        lambda db: outcomes.trend(Call(db, context.principal, context.app_state.clock), *selection)
    )
    return shown.iterations, shown.sessions, shown.honesty, shown.notes
