"""Spans come in."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import ValidationError
from starlette.responses import Response

from gnomon.errors import InvalidInput, Problem
from gnomon.model import quickspan
from gnomon.model.problems import from_pydantic, problems_of, refusal_of
from gnomon.model.reading import look_through
from gnomon.model.trace import MAX_BATCH, IngestDraft, Ingested, SpanDraft
from gnomon.server.endpoints import needs
from gnomon.server.otlp import answered, encoding_for, store_logs, store_traces
from gnomon.server.requestcontext import Context, RequestContext, gives, gives_otlp, takes, takes_otlp
from gnomon.service.traces import ingest

router = APIRouter(prefix="/v1", tags=["traces"])

Meant = Annotated[
    str | None, Query(description="Where the key is bound to no project: wins over what the resources say")
]


@router.post("/traces/ingest", **gives(Ingested, 201, 409, 501), **takes(IngestDraft))
@needs("write")
def ingest_spans(context: Context) -> Response:
    """Store a batch of spans, all of it or nothing."""
    project_id, batch, malformed = _parse(context)
    planned = context.plan(lambda: ingest.plan_scores(batch))
    return context.write(lambda call: ingest.ingest(call, project_id, batch, malformed, planned), status=201)


@router.post("/traces", **gives_otlp("ExportTraceServiceResponse"), **takes_otlp("ExportTraceServiceRequest"))
@needs("write", speaks="otlp")
def receive_otlp_traces(context: Context, project_id: Meant = None) -> Response:
    """The standard OTLP/HTTP path for spans, as protobuf or JSON, plain or as gzip.

    A span that is stored already is accepted again and changes nothing. What cannot be stored is counted in
    `partial_success` with the reasons; the rest is stored.
    """
    encoding = encoding_for(context.request.headers)
    return answered(
        store_traces(context.app_state, context.principal, context.request.state.body, encoding, project_id), encoding
    )


@router.post("/logs", **gives_otlp("ExportLogsServiceResponse"), **takes_otlp("ExportLogsServiceRequest"))
@needs("write", speaks="otlp")
def receive_otlp_logs(context: Context, project_id: Meant = None) -> Response:
    """The standard OTLP/HTTP path for log records: evaluation results become scores of their spans, prompts and
    completions join their spans. Other records are counted in `partial_success` as not taken."""
    encoding = encoding_for(context.request.headers)
    return answered(
        store_logs(context.app_state, context.principal, context.request.state.body, encoding, project_id), encoding
    )


def _parse(context: RequestContext) -> tuple[str | None, ingest.Batch, list[Problem]]:
    """The well-formed spans by position, and what is wrong with the others.

    The whole batch is decoded at once; only a bad one is looked at span by span.
    """
    quick = quickspan.decode(context.request.state.body)
    if quick is not None:
        if quick.has_unknown:
            context.ignore(look_through(IngestDraft, context.json())[1])
        return quick.project_id, dict(enumerate(quick.spans)), []
    body, unknown = look_through(IngestDraft, context.json())
    try:
        draft = IngestDraft.model_validate(body, extra="ignore")
    except ValidationError as bad:
        envelope = [error for error in bad.errors() if len(error["loc"]) < 2]
        if envelope:
            raise InvalidInput(str(from_pydantic(bad)), problems=problems_of(envelope)) from None
    else:
        context.ignore(unknown)
        return draft.project_id, dict(enumerate(draft.spans)), []
    batch, malformed = _span_by_span(body["spans"][:MAX_BATCH])
    if unfit := context.problems_with(unknown):
        raise refusal_of([*malformed, *unfit])
    return body.get("project_id"), batch, malformed


def _span_by_span(spans: list[Any]) -> tuple[ingest.Batch, list[Problem]]:
    batch: dict[int, SpanDraft] = {}
    malformed: list[Problem] = []
    for index, span in enumerate(spans):
        try:
            batch[index] = SpanDraft.model_validate(span, extra="ignore")
        except ValidationError as bad:
            malformed += problems_of(bad.errors(), default="INVALID_SPAN", index=index)
    return batch, malformed
