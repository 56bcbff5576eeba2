"""The leaderboard of the experiments over one dataset: as numbers, and as a page to keep."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import HTMLResponse, Response

from gnomon.model.aggregate import MissingPolicy
from gnomon.model.leaderboard import Leaderboard, LeaderboardOptions
from gnomon.report import leaderboard as report
from gnomon.report.rendering import plot_policy
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, IntervalChoice, gives, gives_page
from gnomon.server.sharing import in_query
from gnomon.service.bench import rankedexperiments
from gnomon.service.call import Call

router = APIRouter(prefix="/v1", tags=["leaderboard"])

ShareParameter = Annotated[float, Query(ge=0, le=1, allow_inf_nan=False)]


def _options(
    missing: Annotated[MissingPolicy, Query(description="What a run without a number counts as")] = "drop",
    k: Annotated[int | None, Query(ge=1, description="pass@k and pass^k up to this k")] = None,
    pass_threshold: ShareParameter = 1.0,
    min_effect: Annotated[float | None, Query(ge=0, le=1, allow_inf_nan=False)] = None,
    interval: IntervalChoice = None,
) -> LeaderboardOptions:
    return LeaderboardOptions(
        missing=missing, k=k, pass_threshold=pass_threshold, min_effect=min_effect, interval=interval
    )


Options = Annotated[LeaderboardOptions, Depends(_options)]


@router.get("/leaderboard", **gives(Leaderboard, 200, 422))
@needs("read", shared=in_query("leaderboard", "dataset_id"))
def get_leaderboard(context: Context, dataset_id: str, scorer_name: str, options: Options) -> Response:
    """Agents over one dataset by one scorer, an agent being an experiment's `metadata.agent`, else its name."""
    return context.read(lambda call: rankedexperiments.of_dataset(call, dataset_id, scorer_name, options))


@router.get("/leaderboard/page", **gives_page(422))
@needs("read")
def get_leaderboard_page(context: Context, dataset_id: str, scorer_name: str, options: Options) -> Response:
    """The leaderboard as one file of HTML that fetches nothing, to be kept, mailed or put on any web server."""
    board = context.app_state.store.read(
        lambda db: rankedexperiments.of_dataset(
            Call(db, context.principal, context.app_state.clock), dataset_id, scorer_name, options
        )
    )
    return HTMLResponse(report.page(board), headers={"Content-Security-Policy": plot_policy()})
