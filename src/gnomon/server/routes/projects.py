"""Projects, and how each is doing."""

from fastapi import APIRouter
from starlette.responses import Response

from gnomon.model.budget import Budget, BudgetDraft
from gnomon.model.page import Page
from gnomon.model.review import ProjectSummary
from gnomon.model.trace import Project, ProjectDraft
from gnomon.server.desk import Here, Wanted, gives, takes
from gnomon.service import budgets, projects

router = APIRouter(prefix="/v1", tags=["projects"])


@router.get("/projects", **gives(Page[Project]))
def list_projects(desk: Here, wanted: Wanted) -> Response:
    """Newest first. A key that is bound to a project sees that one only."""
    return desk.page("projects", wanted, {}, projects.all_of)


@router.post("/projects", **gives(Project, 201, 409), **takes(ProjectDraft))
def create_project(desk: Here) -> Response:
    """Make a project. Needs a key that is bound to none."""
    projects.may_create(desk.who)  # before the body is looked at: who may not is told so first
    draft = desk.body(ProjectDraft)
    return desk.write(lambda call: projects.create(call, draft), status=201)


@router.get("/projects/{id}", **gives(Project))
def get_project(id: str, desk: Here) -> Response:
    """One project."""
    return desk.read(lambda call: projects.get(call, id))


@router.get("/projects/{id}/summary", **gives(ProjectSummary, 200, 501))
def get_project_summary(id: str, desk: Here) -> Response:
    """Traces of the last day and week, experiments by status, and the review queue."""
    return desk.read(lambda call: projects.summary(call, id))


@router.get("/projects/{id}/budget", **gives(Budget))
def get_budget(id: str, desk: Here) -> Response:
    """What judges may spend in a day, and what they have spent today."""
    return desk.read(lambda call: budgets.get(call, id))


@router.put("/projects/{id}/budget", **gives(Budget), **takes(BudgetDraft))
def put_budget(id: str, desk: Here) -> Response:
    """Set what judges may spend in a day; a limit that is left out is none."""
    draft = desk.body(BudgetDraft)
    return desk.write(lambda call: budgets.put(call, id, draft))
