"""Annotations, and how a project reviews."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from gnomon.model.dataset import DatasetItem
from gnomon.model.moment import Moment
from gnomon.model.page import Page
from gnomon.model.review import (
    Annotation,
    AnnotationChange,
    AnnotationDraft,
    ReviewAgreement,
    ReviewSettings,
    ReviewSettingsDraft,
    ToItemDraft,
)
from gnomon.model.trace import Deleted
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, ProjectQuery, WantedPage, gives, takes
from gnomon.server.routes.traces import OwnProject
from gnomon.server.sharing import in_query
from gnomon.service.review import agreement, annotations, settings
from gnomon.store.reviews import AnnotationFilter

router = APIRouter(prefix="/v1", tags=["review"])


@router.post("/annotations", **gives(Annotation, 201, 409, 422), **takes(AnnotationDraft))
@needs("write", reviewer=True)
def annotate(context: Context) -> Response:
    """Annotate a trace, one of its spans, or a run, with scores that are stored together with the annotation.

    A label to which the project's label set gives a number is a human score too, unless `score` is false. It takes the
    place of what the same annotator scored before under that name. Scores of a trace sit on its root span.
    """
    draft = context.body(AnnotationDraft)
    return context.write(lambda call: annotations.annotate(call, draft), status=201)


@router.get("/annotations", **gives(Page[Annotation], 200, 403, 409))
@needs("read", reviewer=True, shared=in_query("trace", "trace_id"))
def list_annotations(
    context: Context,
    wanted: WantedPage,
    trace_id: str | None = None,
    run_id: str | None = None,
    experiment_id: Annotated[str | None, Query(description="Those of its runs")] = None,
    span_id: str | None = None,
    annotator: str | None = None,
    label: str | None = None,
    after: Annotated[Moment | None, Query(description="Only those made after this time")] = None,
    project_id: OwnProject = None,
) -> Response:
    """Annotations, newest first: of a trace, a run or an experiment's runs, by an annotator, or with a label.

    A reviewer sees only its own.
    """
    only = AnnotationFilter(project_id, trace_id, run_id, experiment_id, span_id, annotator, label, after)
    filters = {**only._asdict(), "after": None if after is None else after.isoformat(), "who": context.principal.key_id}
    return context.page("annotations", wanted, filters, lambda call, part: annotations.page(call, only, part))


@router.get("/annotations/{id}", **gives(Annotation, 200, 403))
@needs("read", reviewer=True)
def get_annotation(id: str, context: Context) -> Response:
    """One annotation."""
    return context.read(lambda call: annotations.get(call, id))


@router.put("/annotations/{id}", **gives(Annotation, 200, 422), **takes(AnnotationChange))
@needs("write", reviewer=True)
def correct_annotation(id: str, context: Context) -> Response:
    """Replace an annotation's label, correction, notes and scores. A reviewer corrects only its own."""
    draft = context.body(AnnotationChange)
    return context.write(lambda call: annotations.correct(call, id, draft))


@router.delete("/annotations/{id}", **gives(Deleted, 200))
@needs("write", reviewer=True)
def undo_annotation(id: str, context: Context) -> Response:
    """Delete an annotation and the scores that it gave; its annotator's previous annotation counts again."""
    return context.write(lambda call: annotations.undo(call, id))


@router.post("/annotations/{id}/to-dataset-item", **gives(DatasetItem, 201, 422), **takes(ToItemDraft))
@needs("write")
def make_dataset_item(id: str, context: Context) -> Response:
    """Make a dataset item from the input (of the root span, or the run's item) and the correction."""
    draft = context.body(ToItemDraft)
    return context.write(lambda call: annotations.to_dataset_item(call, id, draft), status=201)


@router.get("/projects/{id}/review-settings", **gives(ReviewSettings))
@needs("read", reviewer=True)
def get_review_settings(id: str, context: Context) -> Response:
    """A project's label set, how many reviews a card needs, and whether reviewers see each other's."""
    return context.read(lambda call: settings.get(call, id))


@router.put("/projects/{id}/review-settings", **gives(ReviewSettings), **takes(ReviewSettingsDraft))
@needs("write")
def put_review_settings(id: str, context: Context) -> Response:
    """Set them; what is left out gets its default. Scores that are stored already stay as they are."""
    draft = context.body(ReviewSettingsDraft)
    return context.write(lambda call: settings.put(call, id, draft))


@router.get("/review/agreement", **gives(ReviewAgreement))
@needs("read")
def get_agreement(
    context: Context,
    project_id: ProjectQuery = None,
    scorer_name: Annotated[str | None, Query(description="Whose numbers; default: those that labels give")] = None,
) -> Response:
    """Whether reviewers agree: Krippendorff's α of labels and of numbers, pair by pair, and where they differ most."""
    return context.read(lambda call: agreement.of_project(call, project_id, scorer_name))
