"""Projects, and how each is doing."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from gnomon.model.budget import Budget, BudgetDraft
from gnomon.model.drift import Drift, DriftWish
from gnomon.model.metadata import MetadataKeys, MetadataKeysDraft
from gnomon.model.page import Page
from gnomon.model.prices import Prices, PricesDraft
from gnomon.model.review import ProjectSummary
from gnomon.model.trace import Project, ProjectDraft
from gnomon.server.desk import Here, Wanted, gives, takes
from gnomon.server.endpoints import needs
from gnomon.service import budgets, drift, metadata, prices, projects

router = APIRouter(prefix="/v1", tags=["projects"])


@router.get("/projects", **gives(Page[Project]))
@needs("read")
def list_projects(desk: Here, wanted: Wanted) -> Response:
    """Newest first. A key that is bound to a project sees that one only."""
    return desk.page("projects", wanted, {}, projects.all_of)


@router.post("/projects", **gives(Project, 201, 409), **takes(ProjectDraft))
@needs("write", also=projects.may_create)
def create_project(desk: Here) -> Response:
    """Make a project. Needs a key that is bound to none."""
    draft = desk.body(ProjectDraft)
    return desk.write(lambda call: projects.create(call, draft), status=201)


@router.get("/projects/{id}", **gives(Project))
@needs("read")
def get_project(id: str, desk: Here) -> Response:
    """One project."""
    return desk.read(lambda call: projects.get(call, id))


@router.get("/projects/{id}/summary", **gives(ProjectSummary, 200))
@needs("read")
def get_project_summary(id: str, desk: Here) -> Response:
    """Traces of the last day and week, experiments by status, and the review queue."""
    return desk.read(lambda call: projects.summary(call, id))


@router.get("/projects/{id}/drift", **gives(Drift, 200, 422))
@needs("read")
def get_drift(
    id: str,
    desk: Here,
    scorer_name: Annotated[str | None, Query(description="All scorers when left out")] = None,
    config_hash: Annotated[str | None, Query(description="The newest when left out; empty for none")] = None,
    reference: Annotated[str | None, Query(description="FROM..TO; the first 7 days with scores when left out")] = None,
    by: Annotated[str | None, Query(description="`model`, or a metadata key of the spans")] = None,
    until: Annotated[str | None, Query(description="Leave out days after this one")] = None,
) -> Response:
    """Has the mean of an online scorer on spans moved since a reference window? False alarms: 5 % over all looks."""
    wish = DriftWish(scorer_name=scorer_name, config_hash=config_hash, reference=reference, by=by, until=until)
    return desk.read(lambda call: drift.drift(call, id, wish))


@router.get("/projects/{id}/budget", **gives(Budget))
@needs("read")
def get_budget(id: str, desk: Here) -> Response:
    """What judges may spend in a day, and what they have spent today."""
    return desk.read(lambda call: budgets.get(call, id))


@router.put("/projects/{id}/budget", **gives(Budget), **takes(BudgetDraft))
@needs("write")
def put_budget(id: str, desk: Here) -> Response:
    """Set what judges may spend in a day; a limit that is left out is none."""
    draft = desk.body(BudgetDraft)
    return desk.write(lambda call: budgets.put(call, id, draft))


@router.get("/projects/{id}/metadata-keys", **gives(MetadataKeys))
@needs("read")
def get_metadata_keys(id: str, desk: Here) -> Response:
    """The keys of metadata that the project has an index of, so that filtering traces by them is quick."""
    return desk.read(lambda call: metadata.get(call, id))


@router.put("/projects/{id}/metadata-keys", **gives(MetadataKeys), **takes(MetadataKeysDraft))
@needs("write")
def put_metadata_keys(id: str, desk: Here) -> Response:
    """Declare which keys of metadata to index, beside those that every project has. Stored spans are indexed by a
    job; until it is done a filter by a new key looks through spans."""
    draft = desk.body(MetadataKeysDraft)
    return desk.write(lambda call: metadata.put(call, id, draft))


@router.get("/projects/{id}/prices", **gives(Prices))
@needs("read")
def get_prices(id: str, desk: Here) -> Response:
    """The project's own prices of models. What is not listed here costs what LiteLLM's price table says."""
    return desk.read(lambda call: prices.get(call, id))


@router.put("/projects/{id}/prices", **gives(Prices), **takes(PricesDraft))
@needs("write")
def put_prices(id: str, desk: Here) -> Response:
    """Replace the project's own prices of models; a model that is left out has none any more."""
    draft = desk.body(PricesDraft)
    return desk.write(lambda call: prices.put(call, id, draft))
