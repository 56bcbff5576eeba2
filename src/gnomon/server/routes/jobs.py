"""Jobs: watch, retry, cancel."""

from fastapi import APIRouter
from starlette.responses import Response

from gnomon.model.job import Job, JobsSummary
from gnomon.model.page import Page
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, ProjectQuery, WantedPage, gives
from gnomon.service.jobs import jobs

router = APIRouter(prefix="/v1", tags=["jobs"])


@router.get("/jobs", **gives(Page[Job]))
@needs("read")
def list_jobs(
    context: Context, wanted: WantedPage, project_id: ProjectQuery = None, status: str | None = None
) -> Response:
    """A project's jobs, newest first."""
    filters = {"project_id": project_id, "status": status}
    return context.page("jobs", wanted, filters, lambda call, part: jobs.all_of(call, project_id, status, part))


@router.get("/jobs/summary", **gives(JobsSummary))
@needs("read")
def get_jobs_summary(context: Context, project_id: ProjectQuery = None) -> Response:
    """How many jobs a project has by status and kind, and what they cost."""
    return context.read(lambda call: jobs.summary(call, project_id))


@router.get("/jobs/{id}", **gives(Job))
@needs("read")
def get_job(id: str, context: Context) -> Response:
    """One job, with its progress and, if it failed, the reason."""
    return context.read(lambda call: jobs.get(call, id))


@router.post("/jobs/{id}/retry", **gives(Job, 200, 422))
@needs("write")
def retry_job(id: str, context: Context) -> Response:
    """Queue a failed or cancelled job again; it goes on where it stopped."""
    answer = context.write(lambda call: jobs.retry(call, id))
    context.app_state.work_arrived.set()
    return answer


@router.post("/jobs/{id}/cancel", **gives(Job, 200, 422))
@needs("write")
def cancel_job(id: str, context: Context) -> Response:
    """Stop an open job; what it has stored stays."""
    return context.write(lambda call: jobs.cancel(call, id))
