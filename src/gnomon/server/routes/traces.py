"""Traces: read, list, delete, score."""

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from gnomon.model.job import JobAccepted
from gnomon.model.moment import Moment
from gnomon.model.page import Page
from gnomon.model.rule import ScoreSpansDraft
from gnomon.model.trace import Deleted, Trace, TraceRow
from gnomon.server.desk import Here, ProjectQuery, Wanted, gives, takes
from gnomon.server.endpoints import needs
from gnomon.server.routes.experiments import PREVIEW, DryRun
from gnomon.service import preview, spans, traces
from gnomon.store.spanstore import Filter

router = APIRouter(prefix="/v1", tags=["traces"])

_METADATA = "metadata."
YesNo = Annotated[Literal["true", "false"] | None, Query()]
OwnProject = Annotated[str | None, Query(description="Needed when several projects have this trace id")]


async def _only(
    request: Request,
    after: Annotated[Moment | None, Query(description="Created after this moment")] = None,
    before: Annotated[Moment | None, Query(description="Created before this moment")] = None,
    has_error: YesNo = None,
    in_queue: YesNo = None,
    conversation_id: Annotated[str | None, Query(description="Of this conversation")] = None,
    model: Annotated[str | None, Query(description="With a span of this model")] = None,
) -> Filter:
    return Filter(after, before, _fact(has_error), _fact(in_queue), _metadata(request), conversation_id, model)


@router.get("/traces", **gives(Page[TraceRow]))
@needs("read", query_prefixes=(_METADATA,))
def list_traces(
    desk: Here, wanted: Wanted, only: Annotated[Filter, Depends(_only)], project_id: ProjectQuery = None
) -> Response:
    """Traces without their spans, newest first.

    Any parameter `metadata.KEY=VALUE` leaves the traces of which some span has that metadata,
    compared as text (`42`, `true`, `null`). Keys that the project has an index of (`session.id`, `user.id`,
    `gen_ai.conversation.id` and those that it declares) are looked up. For other keys spans are looked through, so many
    per page: such a page may be short, or empty, with a `next_cursor` all the same.
    """
    filters = {"project_id": project_id, **asdict(only)}
    return desk.page("traces", wanted, filters, lambda call, part: traces.all_of(call, project_id, only, part))


@router.get("/traces/{id}", **gives(Trace, 200, 409))
@needs("read")
def get_trace(id: str, desk: Here, project_id: OwnProject = None) -> Response:
    """One trace with its spans, by start time."""
    return desk.read(lambda call: traces.get(call, id, project_id))


@router.delete("/traces/{id}", **gives(Deleted, 200, 409))
@needs("write")
def delete_trace(id: str, desk: Here, project_id: OwnProject = None) -> Response:
    """Delete a trace with its spans, their scores, its annotations and its place in the queue."""
    return desk.write(lambda call: traces.delete(call, id, project_id))


@router.post("/traces/score", **gives(JobAccepted, 202, 501, also=PREVIEW), **takes(ScoreSpansDraft))
@needs("write")
def score_spans(desk: Here, dry_run: DryRun = False) -> Response:
    """Run built-in scorers over spans that are there already, as a job."""
    draft = desk.body(ScoreSpansDraft)
    plans = desk.plan(lambda: spans.plan_all(draft.scorers))
    if dry_run:
        return desk.read(lambda call: preview.of_spans(call, draft, plans))
    return desk.write(lambda call: spans.accept(call, draft, plans), status=202)


def _fact(told: str | None) -> bool | None:
    return None if told is None else told == "true"


def _metadata(request: Request) -> tuple[tuple[str, str], ...]:
    given = request.query_params.multi_items()
    return traces.metadata_filter(
        (name.removeprefix(_METADATA), value) for name, value in given if name.startswith(_METADATA)
    )
