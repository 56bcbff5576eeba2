"""The review queue: what is put in and taken out, its list, and the card to look at next."""

from collections.abc import Callable, Sequence

from gnomon.errors import Conflict, GnomonError, InvalidInput, NotFound, Problem
from gnomon.model.review import (
    CardType,
    Direction,
    NextCard,
    NextClaimDraft,
    Queued,
    QueueDraft,
    QueuedRun,
    QueuedTargets,
    QueueItem,
    QueueTarget,
    ReviewCounts,
)
from gnomon.service.call import Call, Listing, listing, project_in_scope
from gnomon.service.review import cards, reviewers
from gnomon.service.traces.searching import Effort, says, search
from gnomon.service.traces.traces import hold_trace
from gnomon.store import experiments
from gnomon.store import reviewcards as store
from gnomon.store.pages import Slice
from gnomon.store.reviewcards import CardFilter, NewCard
from gnomon.store.rows import ReviewCardRow

_EFFORT = Effort(200, 5_000)
"""How many a search for a text looks through per page."""


# --- in and out -----


def enqueue_trace(call: Call, trace_id: str, project_id: str | None, reason: str | None = None) -> Queued:
    """Put the trace in the queue; one that waits already keeps its place and its reason."""
    trace = hold_trace(call, trace_id, project_id)
    row = _enqueued(call, trace.project_id, NewCard("trace", trace_id), reason)
    return Queued(trace_id=trace_id, queued=True, queued_at=row.queued_at, reason=row.reason)


def dequeue_trace(call: Call, trace_id: str, project_id: str | None) -> Queued:
    trace = hold_trace(call, trace_id, project_id)
    store.dequeue(call.db, trace.project_id, "trace", trace_id)
    return Queued(trace_id=trace_id, queued=False)


def enqueue_run(call: Call, run_id: str, reason: str | None = None) -> QueuedRun:
    run = _hold_run(call, run_id, None)
    row = _enqueued(call, run.project_id, NewCard("run", run_id, run.experiment_id), reason)
    return QueuedRun(run_id=run_id, queued=True, queued_at=row.queued_at, reason=row.reason)


def dequeue_run(call: Call, run_id: str) -> QueuedRun:
    store.dequeue(call.db, _hold_run(call, run_id, None).project_id, "run", run_id)
    return QueuedRun(run_id=run_id, queued=False)


def enqueue(call: Call, draft: QueueDraft) -> QueuedTargets:
    """Put all of these in the queue, or none. Every one that does not exist is named."""
    project_id = project_in_scope(call.principal, draft.project_id)
    new: dict[tuple[str, str], NewCard] = {}
    problems: list[Problem] = []
    for index, target in enumerate(draft.targets):
        try:
            card = _card(call, project_id, target)
            new[card.target_type, card.target_id] = card
        except GnomonError as refusal:
            problems.append(Problem("target_id", refusal.code, refusal.message, index))
    if problems:
        first = problems[0]
        family = Conflict if first.code == "AMBIGUOUS_TARGET" else NotFound
        raise family(f"targets[{first.index}]: {first.message}", code=first.code, problems=problems)
    in_order = [new[key] for key in sorted(new)]
    queued = store.enqueue(call.db, project_id, in_order, draft.reason, call.clock.now())
    return QueuedTargets(queued=len(queued), already=len(draft.targets) - len(queued))


def _card(call: Call, project_id: str, target: QueueTarget) -> NewCard:
    if target.target_type == "run":
        return NewCard("run", target.target_id, _hold_run(call, target.target_id, project_id).experiment_id)
    if target.target_type == "trace":
        return NewCard("trace", hold_trace(call, target.target_id, project_id).id)
    spans = call.spans.find_span(call.db, target.target_id, project_id, target.trace_id)
    if not spans:
        raise NotFound(f"span {target.target_id!r} does not exist")
    if len(spans) > 1:
        message = f"several traces hold a span {target.target_id!r}; add its `trace_id`"
        raise Conflict(message, code="AMBIGUOUS_TARGET")
    return NewCard("trace", hold_trace(call, spans[0].trace_id, project_id).id)


def _hold_run(call: Call, id: str, project_id: str | None) -> experiments.HeldRun:
    rows = experiments.runs_held(call.db, [id])
    if not rows or not call.principal.sees(rows[0].project_id) or project_id not in (None, rows[0].project_id):
        raise NotFound(f"run {id!r} does not exist")
    return rows[0]


def _enqueued(call: Call, project_id: str, card: NewCard, reason: str | None) -> ReviewCardRow:
    store.enqueue(call.db, project_id, [card], reason, call.clock.now())
    row = store.card(call.db, project_id, card.target_type, card.target_id)
    assert row is not None, "it was just queued"
    return row


# --- looked at -----


def page(
    call: Call,
    project_id: str | None,
    part: Slice,
    *,
    status: str | None = None,
    annotator: str | None = None,
    mine: bool | None = None,
    target_type: CardType | None = None,
    text: str | None = None,
) -> Listing[QueueItem]:
    """The longest waiting first. `annotator` filters by who annotated; with `mine` it names the caller."""
    if status not in (None, "pending", "annotated"):
        message = f"status {status!r} is neither `pending` nor `annotated`"
        raise InvalidInput.of("status", message, code="INVALID_QUEUE_STATUS")
    scope = project_in_scope(call.principal, project_id)
    own = _who_asks(call, annotator, mine)
    wanted = store.reviews_wanted(call.db, scope)
    only = CardFilter(
        reviews_wanted=wanted, annotated=None if status is None else status == "annotated",
        by=own if mine is not False else None, not_by=own if mine is False else None, target_type=target_type,
    )  # fmt: skip

    def read(some: Slice) -> list[ReviewCardRow]:
        return store.page(call.db, scope, only, some)

    rows = listing(read(part), part, _same, store.key_of) if text is None else _search(call, scope, part, read, text)
    return Listing(cards.items(call, scope, rows.items), rows.next_key)


def _who_asks(call: Call, annotator: str | None, mine: bool | None) -> str | None:
    if mine is not None:
        return reviewers.needed(call, annotator)
    return None if annotator is None else reviewers.acting_as(call, annotator)


def _same(row: ReviewCardRow) -> ReviewCardRow:
    return row


def _search(
    call: Call, project_id: str, part: Slice, read: Callable[[Slice], list[ReviewCardRow]], text: str
) -> Listing[ReviewCardRow]:
    folded = text.casefold()

    def matches(rows: Sequence[ReviewCardRow]) -> list[bool]:
        return [says(values, folded) for values in cards.contents(call, project_id, rows)]

    return search(part, read, store.key_of, matches, _EFFORT)


def counts(call: Call, project_id: str | None, annotator: str | None) -> ReviewCounts:
    scope = project_in_scope(call.principal, project_id)
    return _counts(call, scope, reviewers.acting_as(call, annotator))


def _counts(call: Call, project_id: str, own: str | None) -> ReviewCounts:
    row = store.counts(call.db, project_id, store.reviews_wanted(call.db, project_id), own)
    return ReviewCounts(pending=row.pending, annotated=row.annotated, mine=row.mine, left_for_me=row.left)


def next_card(
    call: Call, project_id: str | None, after: str | None, direction: Direction, annotator: str | None
) -> NextCard:
    """The next card that the caller has not annotated and nobody else holds; none at the end of the queue."""
    scope, own = project_in_scope(call.principal, project_id), reviewers.acting_as(call, annotator)
    return _shown(call, scope, own, _next_row(call, scope, own, after, direction))


def claim_next(call: Call, draft: NextClaimDraft) -> NextCard:
    """The same card, held for the caller from now on.

    Choosing it and holding it are one transaction. Between two, somebody else could open the card, annotate it and
    give it back, and it would be done twice.
    """
    scope, own = project_in_scope(call.principal, draft.project_id), reviewers.needed(call, draft.annotator)
    row = _next_row(call, scope, own, draft.after, draft.direction, lock=True)
    return _shown(call, scope, own, None if row is None else cards.held(call, row, own))


def _next_row(
    call: Call, project_id: str, own: str | None, after: str | None, direction: Direction, *, lock: bool = False
) -> ReviewCardRow | None:
    only = CardFilter(reviews_wanted=store.reviews_wanted(call.db, project_id), annotated=False, not_by=own)
    return store.next_card(
        call.db, project_id, only, _position(call, project_id, after), call.clock.now(), holder=own,
        backwards=direction == "previous", lock=lock,
    )  # fmt: skip


def _shown(call: Call, project_id: str, own: str | None, row: ReviewCardRow | None) -> NextCard:
    items = [] if row is None else cards.items(call, project_id, [row])
    return NextCard(card=items[0] if items else None, counts=_counts(call, project_id, own))


def _position(call: Call, project_id: str, after: str | None) -> ReviewCardRow | None:
    """The card with this address, TYPE/ID. One that left the queue has no place in it: the walk begins anew."""
    if after is None:
        return None
    kind, slash, id = after.partition("/")
    if kind not in ("trace", "run") or not slash or not id:
        raise InvalidInput.of("after", f"after is {after!r}; name a card as trace/ID or run/ID")
    return store.card(call.db, project_id, "trace" if kind == "trace" else "run", id)
