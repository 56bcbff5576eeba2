"""The review queue: cards of traces and runs, who holds one, and the next one."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from gnomon.model.page import Page
from gnomon.model.review import (
    CardType,
    ClaimDraft,
    Direction,
    NextCard,
    NextClaimDraft,
    Queued,
    QueueDraft,
    QueuedRun,
    QueuedTargets,
    QueueItem,
    QueueReasonDraft,
    ReviewCard,
    ReviewClaim,
    ReviewCounts,
)
from gnomon.server.endpoints import needs
from gnomon.server.requestcontext import Context, ProjectQuery, WantedPage, gives, takes
from gnomon.server.routes.experiments import SearchText
from gnomon.server.routes.traces import OwnProject
from gnomon.service.review import cards, queue

router = APIRouter(prefix="/v1", tags=["review"])

ReviewStatus = Annotated[str | None, Query(json_schema_extra={"enum": ["pending", "annotated"]})]
Annotator = Annotated[str | None, Query(description="Who reviews; a key of the role reviewer does in its own name")]

CardAnnotator = Annotated[
    str | None,
    Query(description="Who reviews; empty: somebody who has annotated nothing. Left out: nothing is held back"),
]


@router.post("/traces/{id}/queue", **gives(Queued, 200, 409), **takes(QueueReasonDraft, optional=True))
@needs("write")
def enqueue_trace(id: str, context: Context, project_id: OwnProject = None) -> Response:
    """Put a trace in the review queue. If it is there already, it keeps its place and its reason."""
    draft = context.optional_body(QueueReasonDraft)
    return context.write(lambda call: queue.enqueue_trace(call, id, project_id, draft.reason))


@router.delete("/traces/{id}/queue", **gives(Queued, 200, 409))
@needs("write")
def dequeue_trace(id: str, context: Context, project_id: OwnProject = None) -> Response:
    """Take a trace out of the review queue. Its annotations stay."""
    return context.write(lambda call: queue.dequeue_trace(call, id, project_id))


@router.post("/runs/{id}/queue", **gives(QueuedRun, 200), **takes(QueueReasonDraft, optional=True))
@needs("write")
def enqueue_run(id: str, context: Context) -> Response:
    """Put a run of an experiment in the review queue. If it is there already, it keeps its place and its reason."""
    draft = context.optional_body(QueueReasonDraft)
    return context.write(lambda call: queue.enqueue_run(call, id, draft.reason))


@router.delete("/runs/{id}/queue", **gives(QueuedRun, 200))
@needs("write")
def dequeue_run(id: str, context: Context) -> Response:
    """Take a run out of the review queue. Its annotations stay."""
    return context.write(lambda call: queue.dequeue_run(call, id))


@router.post("/queue", **gives(QueuedTargets, 200, 409), **takes(QueueDraft))
@needs("write")
def enqueue_targets(context: Context) -> Response:
    """Put up to 1,000 traces, runs and spans in the review queue, all of them or none. Of a span its trace waits."""
    draft = context.body(QueueDraft)
    return context.write(lambda call: queue.enqueue(call, draft))


@router.get("/queue", **gives(Page[QueueItem], 200, 403))
@needs("read", reviewer=True)
def list_queue(
    context: Context,
    wanted: WantedPage,
    project_id: ProjectQuery = None,
    status: ReviewStatus = None,
    annotator: Annotated[
        str | None, Query(description="Only what this person annotated; with `mine`, the caller")
    ] = None,
    mine: Annotated[bool | None, Query(description="Only what the caller has annotated, or has not")] = None,
    target_type: CardType | None = None,
    q: SearchText = None,
) -> Response:
    """Cards of the queue, the longest waiting first; question and answer are cut at 2 KB.

    A card is pending until `reviews_wanted` different people have annotated it. `q` leaves those whose root span holds
    this text in its name, input or output, or whose run in what was asked and answered. Cards are looked through for
    it, so many per page: such a page may be short, or empty, with a `next_cursor` all the same.
    """
    filters = {
        "project_id": project_id, "status": status, "annotator": annotator, "mine": mine, "target_type": target_type,
        "q": q, "as": context.principal.name if context.principal.is_reviewer else None,
    }  # fmt: skip
    return context.page(
        "queue", wanted, filters,
        lambda call, part: queue.page(
            call, project_id, part, status=status, annotator=annotator, mine=mine, target_type=target_type, text=q
        ),
    )  # fmt: skip


@router.get("/queue/counts", **gives(ReviewCounts, 200, 403))
@needs("read", reviewer=True)
def count_queue(context: Context, project_id: ProjectQuery = None, annotator: Annotator = None) -> Response:
    """How many cards are pending and annotated, and how many of them the reviewer has done."""
    return context.read(lambda call: queue.counts(call, project_id, annotator))


@router.get("/queue/next", **gives(NextCard, 200, 403))
@needs("read", reviewer=True)
def next_card(
    context: Context,
    project_id: ProjectQuery = None,
    after: Annotated[str | None, Query(description="The card that is looked at now: trace/ID or run/ID")] = None,
    direction: Direction = "next",
    annotator: Annotator = None,
) -> Response:
    """The next card that the reviewer has not annotated and nobody else holds; null at the end of the queue."""
    return context.read(lambda call: queue.next_card(call, project_id, after, direction, annotator))


@router.post("/queue/next", **gives(NextCard, 200), **takes(NextClaimDraft, optional=True))
@needs("write", reviewer=True)
def claim_next_card(context: Context) -> Response:
    """Choose the next card and hold it for ten minutes, in one step; null at the end of the queue."""
    draft = context.optional_body(NextClaimDraft)
    return context.write(lambda call: queue.claim_next(call, draft))


@router.get("/queue/{target_type}/{target_id}", **gives(ReviewCard, 200, 403, 409))
@needs("read", reviewer=True)
def get_card(
    target_type: CardType,
    target_id: str,
    context: Context,
    annotator: CardAnnotator = None,
    project_id: OwnProject = None,
) -> Response:
    """One card in full, with annotations and scores.

    Whoever reviews sees what judges scored, and in a blind project what others said, only after their own annotation:
    a key of the role reviewer always, other keys when they name the `annotator`.
    """
    return context.read(lambda call: cards.get(call, target_type, target_id, project_id, annotator))


@router.post(
    "/queue/{target_type}/{target_id}/claim", **gives(ReviewClaim, 200, 409), **takes(ClaimDraft, optional=True)
)
@needs("write", reviewer=True)
def claim_card(target_type: CardType, target_id: str, context: Context, project_id: OwnProject = None) -> Response:
    """Hold a card for ten minutes, or for ten more. While somebody else holds it: 409 `CLAIMED`, with who and until."""
    draft = context.optional_body(ClaimDraft)
    return context.write(lambda call: cards.claim(call, target_type, target_id, draft, project_id))


@router.delete("/queue/{target_type}/{target_id}/claim", **gives(ReviewClaim, 200, 409))
@needs("write", reviewer=True)
def release_card(
    target_type: CardType,
    target_id: str,
    context: Context,
    annotator: Annotator = None,
    project_id: OwnProject = None,
) -> Response:
    """Give a card back before the ten minutes are over."""
    return context.write(lambda call: cards.release(call, target_type, target_id, annotator, project_id))
