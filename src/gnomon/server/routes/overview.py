"""What pages need before anything is chosen: the dashboard, trends, the scorers that there are, and words for codes."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from gnomon.model.dashboard import Dashboard, Window
from gnomon.model.moment import Moment
from gnomon.model.page import Page
from gnomon.model.scorerlist import ScorerInUse
from gnomon.model.trends import Bucket, ExperimentPoint, ScoreTrends, TrendOrder
from gnomon.model.wording import WORDS, Words
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, ProjectQuery, WantedPage, gives, show
from gnomon.server.sharing import in_query
from gnomon.service.analysis import dashboard, trends
from gnomon.service.scoring import scorerlist

router = APIRouter(prefix="/v1", tags=["overview"])

ScorerName = Annotated[str | None, Query(description="All scorers when left out")]


@router.get("/projects/{id}/dashboard", **gives(Dashboard, 200))
@needs("read")
def get_dashboard(
    id: str,
    context: Context,
    window: Annotated[Window, Query(description="How far back the figures of traces go")] = "24h",
) -> Response:
    """A project's front page: traces of a window, experiments, the last completed one, queue, datasets, drift."""
    return context.read(lambda call: dashboard.of_project(call, id, window))


@router.get("/projects/{id}/trends", **gives(Page[ExperimentPoint]))
@needs("read")
def list_trends(
    id: str,
    context: Context,
    wanted: WantedPage,
    scorer_name: ScorerName = None,
    dataset_id: Annotated[str | None, Query(description="Only experiments on this dataset")] = None,
    after: Annotated[Moment | None, Query(description="Completed after this moment")] = None,
    before: Annotated[Moment | None, Query(description="Completed before this moment")] = None,
    sort: Annotated[TrendOrder, Query(description="Oldest first, or with - newest first")] = "completed_at",
) -> Response:
    """Completed experiments with mean and interval per scorer, oldest first: the same figures as in their summaries."""
    only = trends.TrendFilter(scorer_name, dataset_id, after, before, sort == "-completed_at")
    filters = {
        "id": id, "scorer_name": scorer_name, "dataset_id": dataset_id, "after": after, "before": before, "sort": sort,
    }  # fmt: skip
    return context.page("trends", wanted, filters, lambda call, part: trends.of_experiments(call, id, only, part))


@router.get("/projects/{id}/trends/scores", **gives(ScoreTrends, 200))
@needs("read")
def get_score_trends(
    id: str,
    context: Context,
    scorer_name: ScorerName = None,
    bucket: Annotated[Bucket, Query(description="UTC")] = "day",
    after: Annotated[
        Moment | None, Query(description="Of spans that began after this moment; the last 30 days or 48 hours if not")
    ] = None,
    before: Annotated[Moment | None, Query(description="Of spans that began before this moment")] = None,
) -> Response:
    """Mean scores of spans by hour or day, with intervals. At most 1,000 buckets."""
    return context.read(lambda call: trends.of_spans(call, id, scorer_name, bucket, after, before))


@router.get("/scorers", **gives(Page[ScorerInUse]))
@needs("read", shared=in_query("leaderboard", "dataset_id"))
def list_scorers(
    context: Context,
    wanted: WantedPage,
    project_id: ProjectQuery = None,
    dataset_id: Annotated[str | None, Query(description="Only scores in experiments on this dataset")] = None,
) -> Response:
    """The scorers that have scores in a project, by name."""
    filters = {"project_id": project_id, "dataset_id": dataset_id}
    return context.page(
        "scorers", wanted, filters, lambda call, part: scorerlist.all_of(call, project_id, dataset_id, part)
    )


@router.get("/words", **gives(Words))
@needs("read")
def get_words(context: Context) -> Response:
    """Plain words for the codes in answers: methods of intervals, flags, verdicts, decisions, reasons of absence."""
    return show(WORDS)
