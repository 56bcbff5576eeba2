"""Projects, and how each is doing."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from gnomon.model.budget import Budget, BudgetDraft
from gnomon.model.drift import Drift, DriftOptions
from gnomon.model.metadata import MetadataKeys, MetadataKeysDraft
from gnomon.model.page import Page
from gnomon.model.prices import Prices, PricesDraft
from gnomon.model.retention import ProjectContents, Retention, RetentionDraft
from gnomon.model.review import ProjectSummary
from gnomon.model.trace import Deleted, Project, ProjectDraft
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, WantedPage, gives, takes
from gnomon.service.access import projects
from gnomon.service.analysis import drift
from gnomon.service.judges import budgets, prices
from gnomon.service.traces import metadata
from gnomon.service.upkeep import retention

router = APIRouter(prefix="/v1", tags=["projects"])


@router.get("/projects", **gives(Page[Project]))
@needs("read")
def list_projects(context: Context, wanted: WantedPage) -> Response:
    """Newest first. A key that is bound to a project sees that one only."""
    return context.page("projects", wanted, {}, projects.all_of)


@router.post("/projects", **gives(Project, 201, 409), **takes(ProjectDraft))
@needs("write", also=projects.may_create)
def create_project(context: Context) -> Response:
    """Make a project. Needs a key that is bound to none."""
    draft = context.body(ProjectDraft)
    return context.write(lambda call: projects.create(call, draft), status=201)


@router.get("/projects/{id}", **gives(Project))
@needs("read")
def get_project(id: str, context: Context) -> Response:
    """One project."""
    return context.read(lambda call: projects.get(call, id))


@router.delete("/projects/{id}", **gives(Deleted))
@needs("admin")
def delete_project(
    id: str,
    context: Context,
    confirm: Annotated[str | None, Query(description="The project's id once more")] = None,
) -> Response:
    """Delete a project with everything in it: traces, datasets, experiments, iterations, settings and its keys.

    It is gone at once; what is large leaves the database in batches, the last of them by a worker.
    """
    answer = context.delete(lambda call: projects.delete(call, id, confirm))
    context.app_state.forget_keys()
    return answer


@router.get("/projects/{id}/contents", **gives(ProjectContents))
@needs("read")
def get_project_contents(id: str, context: Context) -> Response:
    """How much the project holds: what is deleted with it."""
    return context.read(lambda call: retention.contents(call, id))


@router.get("/projects/{id}/retention", **gives(Retention))
@needs("read")
def get_retention(id: str, context: Context) -> Response:
    """How long the project keeps its traces."""
    return context.read(lambda call: retention.get(call, id))


@router.put("/projects/{id}/retention", **gives(Retention), **takes(RetentionDraft))
@needs("write")
def put_retention(id: str, context: Context) -> Response:
    """Set how long the project keeps its traces; without `retention_days`, for ever.

    A worker deletes older ones soon after, and every hour from then on. Traces that runs, dataset items, annotations,
    people's scores or the review queue refer to stay.
    """
    draft = context.body(RetentionDraft)
    answer = context.write(lambda call: retention.put(call, id, draft))
    context.app_state.work_arrived.set()
    return answer


@router.get("/projects/{id}/summary", **gives(ProjectSummary, 200))
@needs("read")
def get_project_summary(id: str, context: Context) -> Response:
    """Traces of the last day and week, experiments by status, and the review queue."""
    return context.read(lambda call: projects.summary(call, id))


@router.get("/projects/{id}/drift", **gives(Drift, 200, 422))
@needs("read")
def get_drift(
    id: str,
    context: Context,
    scorer_name: Annotated[str | None, Query(description="All scorers when left out")] = None,
    config_hash: Annotated[str | None, Query(description="The newest when left out; empty for none")] = None,
    reference: Annotated[str | None, Query(description="FROM..TO; the first 7 days with scores when left out")] = None,
    by: Annotated[str | None, Query(description="`model`, or a metadata key of the spans")] = None,
    until: Annotated[str | None, Query(description="Leave out days after this one")] = None,
) -> Response:
    """Has the mean of an online scorer on spans moved since a reference window? False alarms: 5 % over all looks."""
    options = DriftOptions(scorer_name=scorer_name, config_hash=config_hash, reference=reference, by=by, until=until)
    return context.read(lambda call: drift.drift(call, id, options))


@router.get("/projects/{id}/budget", **gives(Budget))
@needs("read")
def get_budget(id: str, context: Context) -> Response:
    """What judges may spend in a day, and what they have spent today."""
    return context.read(lambda call: budgets.get(call, id))


@router.put("/projects/{id}/budget", **gives(Budget), **takes(BudgetDraft))
@needs("write")
def put_budget(id: str, context: Context) -> Response:
    """Set what judges may spend in a day; a limit that is left out means no limit."""
    draft = context.body(BudgetDraft)
    return context.write(lambda call: budgets.put(call, id, draft))


@router.get("/projects/{id}/metadata-keys", **gives(MetadataKeys))
@needs("read")
def get_metadata_keys(id: str, context: Context) -> Response:
    """The keys of metadata that the project has an index of, so that filtering traces by them is quick."""
    return context.read(lambda call: metadata.get(call, id))


@router.put("/projects/{id}/metadata-keys", **gives(MetadataKeys), **takes(MetadataKeysDraft))
@needs("write")
def put_metadata_keys(id: str, context: Context) -> Response:
    """Declare which keys of metadata to index, beside those that every project has. Stored spans are indexed by a
    job; until it is done a filter by a new key looks through spans."""
    draft = context.body(MetadataKeysDraft)
    return context.write(lambda call: metadata.put(call, id, draft))


@router.get("/projects/{id}/prices", **gives(Prices))
@needs("read")
def get_prices(id: str, context: Context) -> Response:
    """The project's own prices of models. Other models have the price of LiteLLM's price table."""
    return context.read(lambda call: prices.get(call, id))


@router.put("/projects/{id}/prices", **gives(Prices), **takes(PricesDraft))
@needs("write")
def put_prices(id: str, context: Context) -> Response:
    """Replace the project's own prices of models; a model that is left out loses its price."""
    draft = context.body(PricesDraft)
    return context.write(lambda call: prices.put(call, id, draft))
