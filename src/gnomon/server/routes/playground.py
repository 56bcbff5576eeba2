"""The playground: what can be asked, what it would take, and running it."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from gnomon.model.playground import AskableModels, PlaygroundAccepted, PlaygroundDraft, PlaygroundPreview
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, ProjectQuery, gives, takes
from gnomon.service.playground import accepting, askable, estimating

router = APIRouter(prefix="/v1", tags=["playground"])


@router.get("/playground/models", **gives(AskableModels, 200))
@needs("read")
def list_models(
    context: Context,
    project_id: ProjectQuery = None,
    model: Annotated[str | None, Query(min_length=1, max_length=200, description="A name to ask about")] = None,
) -> Response:
    """Which models this server may ask, by provider, and why not others. Keys and addresses are never told."""
    return context.read(lambda call: askable.askable(call, project_id, model))


@router.post("/playground/preview", **gives(PlaygroundPreview, 200, 422, 501), **takes(PlaygroundDraft))
@needs("write")
def preview_playground(context: Context) -> Response:
    """What a playground run would take, by candidate and judge: nothing is stored, no model is asked."""
    draft = context.body(PlaygroundDraft)
    plans = context.plan(lambda: accepting.check(draft))
    return context.read(lambda call: estimating.preview(call, draft, plans))


@router.post("/playground", **gives(PlaygroundAccepted, 202, 422, 501), **takes(PlaygroundDraft))
@needs("write")
def run_playground(context: Context) -> Response:
    """Ask one to four prompts with their models about some items, as a job that stores an experiment of each.

    Models are asked by a worker, with the keys and addresses of the server's environment. Every answer is a run of its
    candidate's experiment as soon as it is there, with its scores and a trace. Within the project's budget: when that
    is spent the job fails with the reason, and goes on where it stopped when it is retried.
    """
    draft = context.body(PlaygroundDraft)
    plans = context.plan(lambda: accepting.check(draft))
    return context.write(lambda call: accepting.accept(call, draft, plans), status=202)
