"""Annotations, and the queue of traces that wait for them."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from gnomon.model.dataset import DatasetItem
from gnomon.model.page import Page
from gnomon.model.review import Annotation, AnnotationDraft, Queued, QueueItem, ToItemDraft
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, ProjectQuery, WantedPage, gives, takes
from gnomon.server.routes.experiments import SearchText
from gnomon.server.routes.traces import OwnProject
from gnomon.service.traces import review

router = APIRouter(prefix="/v1", tags=["review"])

ReviewStatus = Annotated[str | None, Query(json_schema_extra={"enum": ["pending", "annotated"]})]
Annotator = Annotated[str | None, Query(description="Only traces that this person annotated")]


@router.post("/annotations", **gives(Annotation, 201, 409, 422), **takes(AnnotationDraft))
@needs("write")
def annotate(context: Context) -> Response:
    """Say something of a trace, or of one of its spans."""
    draft = context.body(AnnotationDraft)
    return context.write(lambda call: review.annotate(call, draft), status=201)


@router.get("/annotations", **gives(Page[Annotation], 200, 409))
@needs("read")
def list_annotations(
    context: Context,
    wanted: WantedPage,
    trace_id: Annotated[str, Query()],
    span_id: str | None = None,
    project_id: OwnProject = None,
) -> Response:
    """A trace's annotations, newest first."""
    filters = {"trace_id": trace_id, "span_id": span_id, "project_id": project_id}
    return context.page(
        "annotations", wanted, filters,
        lambda call, part: review.of_trace(call, trace_id, span_id, project_id, part),
    )  # fmt: skip


@router.get("/annotations/{id}", **gives(Annotation))
@needs("read")
def get_annotation(id: str, context: Context) -> Response:
    """One annotation."""
    return context.read(lambda call: review.get(call, id))


@router.post("/annotations/{id}/to-dataset-item", **gives(DatasetItem, 201, 422), **takes(ToItemDraft))
@needs("write")
def make_dataset_item(id: str, context: Context) -> Response:
    """Make a dataset item of the root span's input and the annotation's correction."""
    draft = context.body(ToItemDraft)
    return context.write(lambda call: review.to_dataset_item(call, id, draft), status=201)


@router.post("/traces/{id}/queue", **gives(Queued, 200, 409))
@needs("write")
def enqueue_trace(id: str, context: Context, project_id: OwnProject = None) -> Response:
    """Put a trace in the review queue. One that waits already keeps its place."""
    return context.write(lambda call: review.enqueue(call, id, project_id))


@router.delete("/traces/{id}/queue", **gives(Queued, 200, 409))
@needs("write")
def dequeue_trace(id: str, context: Context, project_id: OwnProject = None) -> Response:
    """Take a trace out of the review queue. Its annotations stay."""
    return context.write(lambda call: review.dequeue(call, id, project_id))


@router.get("/queue", **gives(Page[QueueItem]))
@needs("read")
def list_queue(
    context: Context,
    wanted: WantedPage,
    project_id: ProjectQuery = None,
    status: ReviewStatus = None,
    annotator: Annotator = None,
    q: SearchText = None,
) -> Response:
    """Traces in the queue, the longest waiting first.

    `q` leaves those whose root span holds this text in its name, input or output. Traces are looked through for it, so
    many per page: such a page may be short, or empty, with a `next_cursor` all the same.
    """
    filters = {"project_id": project_id, "status": status, "annotator": annotator, "q": q}
    return context.page(
        "queue", wanted, filters, lambda call, part: review.queue(call, project_id, status, annotator, part, q)
    )
