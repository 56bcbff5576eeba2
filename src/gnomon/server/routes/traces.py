"""Traces: read, list, count, search, delete, score."""

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from gnomon.model.job import JobAccepted
from gnomon.model.moment import Moment
from gnomon.model.page import CountedPage
from gnomon.model.rule import ScoreSpansDraft
from gnomon.model.trace import Deleted, Trace, TraceRow
from gnomon.model.traceviews import (
    FoundSpans,
    SpanDetail,
    TextSearch,
    TextSearchDraft,
    TraceFacets,
    TraceOrder,
    TraceScores,
    TraceSkeleton,
    TraceTrends,
)
from gnomon.model.trends import Bucket
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, CountedWantedPage, ProjectQuery, gives, takes
from gnomon.server.routes.experiments import PREVIEW, DryRun
from gnomon.server.sharing import in_path
from gnomon.service.scoring import preview, spanjobs
from gnomon.service.traces import textsearch, traces, traceviews
from gnomon.store.spanstore import TraceFilter

router = APIRouter(prefix="/v1", tags=["traces"])

_METADATA = "metadata."
YesNo = Annotated[Literal["true", "false"] | None, Query()]
ScoreBound = Annotated[float | None, Query(allow_inf_nan=False, description="Only with `scorer_name`")]
Length = Annotated[float | None, Query(ge=0, allow_inf_nan=False, description="Of the root span")]

OwnProject = Annotated[str | None, Query(description="Needed when several projects have this trace id")]


async def _only(
    request: Request,
    after: Annotated[Moment | None, Query(description="Created after this moment")] = None,
    before: Annotated[Moment | None, Query(description="Created before this moment")] = None,
    has_error: YesNo = None,
    in_queue: YesNo = None,
    conversation_id: Annotated[str | None, Query(description="Of this conversation")] = None,
    model: Annotated[str | None, Query(description="With a span of this model")] = None,
    min_duration_ms: Length = None,
    max_duration_ms: Length = None,
    scorer_name: Annotated[str | None, Query(description="With a span that has a score of this scorer")] = None,
    min: ScoreBound = None,
    max: ScoreBound = None,
    q: Annotated[str | None, Query(min_length=1, max_length=200, description="Words that the root span holds")] = None,
) -> TraceFilter:
    return traces.checked(
        TraceFilter(
            after=after, before=before, has_error=_fact(has_error), in_queue=_fact(in_queue),
            metadata=_metadata(request), conversation_id=conversation_id, model=model,
            min_duration_ms=min_duration_ms, max_duration_ms=max_duration_ms, scorer_name=scorer_name, min=min, max=max,
            q=q,
        )
    )  # fmt: skip


Only = Annotated[TraceFilter, Depends(_only)]


@router.get("/traces", **gives(CountedPage[TraceRow]))
@needs("read", query_prefixes=(_METADATA,))
def list_traces(
    context: Context,
    wanted: CountedWantedPage,
    only: Only,
    project_id: ProjectQuery = None,
    sort: Annotated[TraceOrder, Query(description="What has no duration or cost comes last")] = "-created_at",
) -> Response:
    """Traces without their spans, newest first unless `sort` says otherwise.

    Any parameter `metadata.KEY=VALUE` leaves the traces of which some span has that metadata,
    compared as text (`42`, `true`, `null`). Keys that the project has an index of (`session.id`, `user.id`,
    `gen_ai.conversation.id` and those that it declares) are looked up. For other keys spans are looked through,
    and scores for `scorer_name`, so many per page: such a page may be short, or empty, with a `next_cursor` all the
    same.

    `q` leaves the traces whose root span holds every word of it: in its name, or in the first 4,096 characters of its
    input's or output's JSON text. A word is letters and digits; upper and lower case are the same; `word*` stands for
    every word that begins so. `min` and `max` bound the scores that `scorer_name` asks for.
    """
    filters = {"project_id": project_id, "sort": sort, **asdict(only)}
    return context.page("traces", wanted, filters, lambda call, part: traces.all_of(call, project_id, only, part, sort))


@router.get("/traces/facets", **gives(TraceFacets))
@needs("read", query_prefixes=(_METADATA,))
def get_trace_facets(context: Context, only: Only, project_id: ProjectQuery = None) -> Response:
    """Counts for filters: errors, queued traces, models, metadata. Takes the filters of `GET /v1/traces`.

    Counted over the newest 10,000 traces of the filter; `total_capped` says when there are more. Metadata is that of
    root spans, so that a filter by one of the values may find more traces, by other spans of theirs.
    """
    return context.read(lambda call: traceviews.facets(call, project_id, only))


@router.get("/traces/{id}", **gives(Trace | TraceSkeleton, 200, 409))
@needs("read", shared=in_path("trace"))
def get_trace(
    id: str,
    context: Context,
    project_id: OwnProject = None,
    spans: Annotated[
        Literal["full", "skeleton"], Query(description="`skeleton`: as arrays, without what may be large")
    ] = "full",
) -> Response:
    """One trace with its spans, by start time. With `spans=skeleton` a `TraceSkeleton`: a tenth of the size or less."""
    if spans == "skeleton":
        return context.read(lambda call: traceviews.skeleton(call, id, project_id))
    return context.read(lambda call: traces.get(call, id, project_id))


@router.get("/traces/{id}/spans/{span_id}", **gives(SpanDetail, 200, 409))
@needs("read", shared=in_path("trace"))
def get_span(
    id: str,
    span_id: str,
    context: Context,
    project_id: OwnProject = None,
    max_bytes: Annotated[
        int | None,
        Query(ge=1, le=traceviews.MAX_BYTES, description="Cut longer inputs, outputs and texts of attributes"),
    ] = None,
) -> Response:
    """One span of a trace, whole unless `max_bytes` cuts it."""
    return context.read(lambda call: traceviews.span(call, id, span_id, project_id, max_bytes))


@router.get("/traces/{id}/scores", **gives(TraceScores, 200, 409))
@needs("read", shared=in_path("trace"))
def get_trace_scores(id: str, context: Context, project_id: OwnProject = None) -> Response:
    """The scores of all spans of a trace, and why others have none."""
    return context.read(lambda call: traceviews.scores(call, id, project_id))


@router.get("/traces/{id}/find", **gives(FoundSpans, 200, 409))
@needs("read", shared=in_path("trace"))
def find_spans(
    id: str,
    context: Context,
    q: Annotated[str, Query(min_length=1, max_length=200, description="Upper and lower case are the same")],
    project_id: OwnProject = None,
) -> Response:
    """The spans of a trace whose name, model, input or output holds this text, as a part of it."""
    return context.read(lambda call: traceviews.find(call, id, q, project_id))


@router.get("/projects/{id}/trends/traces", **gives(TraceTrends))
@needs("read")
def get_trace_trends(
    id: str,
    context: Context,
    bucket: Bucket = "day",
    after: Annotated[
        Moment | None, Query(description="7 days (hour) or 30 days (day) before `before` unless said")
    ] = None,
    before: Annotated[Moment | None, Query(description="Now unless said")] = None,
) -> Response:
    """Traces per hour or day: how many, errors, duration and cost, with intervals. At most 1,000 buckets."""
    return context.read(lambda call: traceviews.trends(call, id, bucket, after, before))


@router.get("/projects/{id}/text-search", **gives(TextSearch))
@needs("read")
def get_text_search(id: str, context: Context) -> Response:
    """Whether the project's root spans can be searched by their words."""
    return context.read(lambda call: textsearch.get(call, id))


@router.put("/projects/{id}/text-search", **gives(TextSearch), **takes(TextSearchDraft))
@needs("write")
def put_text_search(id: str, context: Context) -> Response:
    """Switch the text search of a project on or off. A job indexes the traces that are there, or empties the index."""
    draft = context.body(TextSearchDraft)
    return context.write(lambda call: textsearch.put(call, id, draft))


@router.delete("/traces/{id}", **gives(Deleted, 200, 409))
@needs("write")
def delete_trace(id: str, context: Context, project_id: OwnProject = None) -> Response:
    """Delete a trace with its spans, their scores, its annotations and its place in the queue."""
    return context.write(lambda call: traces.delete(call, id, project_id))


@router.post("/traces/score", **gives(JobAccepted, 202, 501, also=PREVIEW), **takes(ScoreSpansDraft))
@needs("write")
def score_spans(context: Context, dry_run: DryRun = False) -> Response:
    """Run built-in scorers over spans that are there already, as a job."""
    draft = context.body(ScoreSpansDraft)
    plans = context.plan(lambda: spanjobs.plan_all(draft.scorers))
    if dry_run:
        return context.read(lambda call: preview.of_spans(call, draft, plans))
    return context.write(lambda call: spanjobs.accept(call, draft, plans), status=202)


def _fact(text: str | None) -> bool | None:
    return None if text is None else text == "true"


def _metadata(request: Request) -> tuple[tuple[str, str], ...]:
    parameters = request.query_params.multi_items()
    return traces.metadata_filter(
        (name.removeprefix(_METADATA), value) for name, value in parameters if name.startswith(_METADATA)
    )
