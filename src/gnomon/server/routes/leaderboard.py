"""The leaderboard of the experiments over one dataset."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from gnomon.model.aggregate import MissingPolicy
from gnomon.model.leaderboard import Leaderboard, LeaderboardOptions
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, IntervalChoice, gives
from gnomon.service.analysis import leaderboard

router = APIRouter(prefix="/v1", tags=["leaderboard"])

ShareParameter = Annotated[float, Query(ge=0, le=1, allow_inf_nan=False)]


@router.get("/leaderboard", **gives(Leaderboard, 200, 422))
@needs("read")
def get_leaderboard(
    context: Context,
    dataset_id: str,
    scorer_name: str,
    missing: Annotated[MissingPolicy, Query(description="What a run without a number counts as")] = "drop",
    k: Annotated[int | None, Query(ge=1, description="pass@k and pass^k up to this k")] = None,
    pass_threshold: ShareParameter = 1.0,
    min_effect: Annotated[float | None, Query(ge=0, le=1, allow_inf_nan=False)] = None,
    interval: IntervalChoice = None,
) -> Response:
    """Agents over one dataset by one scorer, an agent being an experiment's `metadata.agent`, else its name."""
    options = LeaderboardOptions(
        missing=missing, k=k, pass_threshold=pass_threshold, min_effect=min_effect, interval=interval
    )
    return context.read(lambda call: leaderboard.of_dataset(call, dataset_id, scorer_name, options))
