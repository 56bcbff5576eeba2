"""Agreement of judges with human labels."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from gnomon.model.calibration import Calibration
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, ProjectQuery, gives
from gnomon.service.judges import calibration

router = APIRouter(prefix="/v1", tags=["calibration"])


@router.get("/calibration", **gives(Calibration, 200, 422))
@needs("read")
def get_calibration(
    context: Context,
    judge: Annotated[str, Query(description="The scorer to check")],
    human: Annotated[str, Query(description="The scorer that people's scores have")],
    project_id: ProjectQuery = None,
    config_hash: Annotated[str | None, Query(description="Only the judge's scores of this configuration")] = None,
) -> Response:
    """How well a judge agrees with people, and its mean corrected by them."""
    return context.read(lambda call: calibration.calibrate(call, project_id, judge, human, config_hash))
