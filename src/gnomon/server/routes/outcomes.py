"""Outcome scores of a coding agent's iterations: pushed, listed, by session, by role, and as a page."""

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from starlette.responses import HTMLResponse, Response

from gnomon.model.outcome import Honesty, Iteration, IterationBatchDraft, IterationsAccepted, OutcomeSession
from gnomon.model.page import Page
from gnomon.report import outcomes as report
from gnomon.server.desk import ALWAYS, REFUSALS, Desk, Here, ProjectQuery, Reply, Wanted, gives, takes
from gnomon.server.endpoints import needs
from gnomon.service import outcomes
from gnomon.service.call import Call
from gnomon.store.iterations import Filter

router = APIRouter(prefix="/v1", tags=["outcomes"])

Source = Annotated[str | None, Query(description="Only iterations of this repository")]
Version = Annotated[str | None, Query(description="Only scores by this rubric version")]
_UPDATED = {200: {"model": IterationsAccepted, "description": "all of them were there, and are up to date now"}}
_REFUSED: dict[int | str, dict[str, Any]] = {
    code: {
        "description": REFUSALS[code],
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorAnswer"}}},
    }
    for code in ALWAYS
}


async def _only(
    source: Source = None,
    rubric_version: Version = None,
    session_id: str | None = None,
    band: str | None = None,
    provisional: Annotated[Literal["true", "false"] | None, Query(description="Stands on little evidence")] = None,
) -> Filter:
    return Filter(source, rubric_version, session_id, band, None if provisional is None else provisional == "true")


@router.post(
    "/iterations", **gives(IterationsAccepted, 201, 409, 422, also=_UPDATED), **takes(IterationBatchDraft)
)  # fmt: skip
@needs("write")
def push_iterations(desk: Here) -> Response:
    """Keep scored iterations, all of them or none; 201 when some are new.

    An iteration is known by its project, source, number and rubric version. Pushed again it is brought up to date.
    """
    batch = desk.body(IterationBatchDraft)

    def push(call: Call) -> Reply:
        accepted = outcomes.push(call, batch)
        return Reply(accepted, 201 if accepted.created else 200)

    return desk.write(push)


@router.get("/iterations", **gives(Page[Iteration]))
@needs("read")
def list_iterations(
    desk: Here, wanted: Wanted, only: Annotated[Filter, Depends(_only)], project_id: ProjectQuery = None
) -> Response:
    """A project's iterations, the highest number first; where several have it, the last stored first."""
    filters = {"project_id": project_id, **asdict(only)}
    return desk.page("iterations", wanted, filters, lambda call, part: outcomes.all_of(call, project_id, only, part))


@router.get("/iterations/{id}", **gives(Iteration))
@needs("read")
def get_iteration(id: str, desk: Here) -> Response:
    """One iteration: its score, the rows that explain it, and claims against facts."""
    return desk.read(lambda call: outcomes.get(call, id))


@router.get("/sessions", **gives(Page[OutcomeSession], 200))
@needs("read")
def list_sessions(
    desk: Here, wanted: Wanted, project_id: ProjectQuery = None, source: Source = None, rubric_version: Version = None
) -> Response:
    """The mean of each session with its interval, the newest session first.

    Rubric versions are never mixed: a session that was scored by two of them is there twice. Iterations that name no
    session are in none.
    """
    only = Filter(source, rubric_version)
    filters = {"project_id": project_id, **asdict(only)}
    return desk.page("sessions", wanted, filters, lambda call, part: outcomes.sessions(call, project_id, only, part))


@router.get("/integrity", **gives(Honesty, 200, 409))
@needs("read")
def get_integrity(
    desk: Here, project_id: ProjectQuery = None, source: Source = None, rubric_version: Version = None
) -> Response:
    """How far each role's claims are borne out. Where several rubric versions are stored, one must be named."""
    return desk.read(lambda call: outcomes.honesty(call, project_id, Filter(source, rubric_version)))


@router.get("/outcomes/page", response_class=HTMLResponse, responses=_REFUSED)
@needs("read")
def get_outcomes_page(
    desk: Here, project_id: ProjectQuery = None, source: Source = None, rubric_version: Version = None
) -> Response:
    """Values over time, sessions and honesty as one page of HTML that fetches nothing.

    It shows one source by one rubric version: those that are asked for, else those last stored.
    """
    page = report.page(*_trend(desk, project_id, source, rubric_version))
    return HTMLResponse(page, headers={"Content-Security-Policy": report.POLICY})


def _trend(desk: Desk, *asked: str | None) -> tuple[Any, ...]:
    shown = desk.house.store.read(lambda db: outcomes.trend(Call(db, desk.who, desk.house.clock), *asked))
    return shown.iterations, shown.sessions, shown.honesty, shown.notes
