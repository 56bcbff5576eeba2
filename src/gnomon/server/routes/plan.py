"""What planning starts from: where the variance of an experiment's scores comes from."""

from fastapi import APIRouter
from starlette.responses import Response

from gnomon.model.plan import Variance
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, gives
from gnomon.service.experiments import plan

router = APIRouter(prefix="/v1", tags=["experiments"])


@router.get("/experiments/{id}/variance", **gives(Variance, 200, 422))
@needs("read")
def get_variance(id: str, context: Context, scorer_name: str, against: str | None = None) -> Response:
    """The variance between items, within items and of the judge; with `against`, also of the items' differences."""
    return context.read(lambda call: plan.variance(call, id, scorer_name, against))
