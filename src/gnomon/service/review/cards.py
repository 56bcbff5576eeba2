"""Cards of the review queue as people see them: what was asked, what was answered, and who holds the card."""

from collections.abc import Sequence
from datetime import timedelta

from gnomon.errors import Conflict, NotFound
from gnomon.model import readable
from gnomon.model.cutting import cut
from gnomon.model.jsonvalue import JsonValue
from gnomon.model.moment import iso
from gnomon.model.review import (
    Annotation,
    CardType,
    ClaimDraft,
    QueueItem,
    ReadableChat,
    ReadableText,
    ReviewCard,
    ReviewClaim,
    RootSpan,
)
from gnomon.model.score import Score
from gnomon.service.call import Call, project_in_scope
from gnomon.service.review import annotations, reviewers, settings
from gnomon.service.scoring import scoring
from gnomon.store import reviewcards as store
from gnomon.store import reviews, scores
from gnomon.store.pages import Slice
from gnomon.store.reviewcards import QueuedRunRow
from gnomon.store.reviews import AnnotationFilter
from gnomon.store.rows import ReviewCardRow
from gnomon.store.spanstore import TraceWithRoot

CLAIM = timedelta(minutes=10)
ROW_BYTES, CARD_BYTES = 2_000, 200_000
"""How much of a question and an answer a row of the queue shows, and a card by itself."""
_MOST_SHOWN = 1_000
"""Annotations and scores of one card."""


def get(
    call: Call, target_type: CardType, target_id: str, project_id: str | None, annotator: str | None = None
) -> ReviewCard:
    """One card with its annotations and scores; for who reviews, others' only after their own annotation."""
    own = reviewers.acting_as(call, annotator)
    row = _find(call, target_type, target_id, project_id)
    trace = store.queued_traces(call.db, row.project_id, [target_id]).get(target_id) if target_type == "trace" else None
    run = store.queued_runs(call.db, [target_id]).get(target_id) if target_type == "run" else None
    rules = settings.of_project(call.db, row.project_id)
    reviews_shown, scored = _annotations(call, row), _scores(call, row, trace)
    hidden = own is not None and all(annotation.annotator != own for annotation in reviews_shown)
    if hidden:  # what judges say is held back also where reviewers see each other
        reviews_shown = [] if rules.blind else reviews_shown
        scored = [score for score in scored if score.source == "human" and not rules.blind]
    expected = None if run is None else readable.answer(run.expected_output)
    question = run.input if run else trace.root_input if trace else None
    return ReviewCard(
        **dict(item(call, row, trace, run, rules.reviews_wanted, CARD_BYTES)), annotations=reviews_shown, scores=scored,
        chat=ReadableChat.of(question, CARD_BYTES), expected=ReadableText.of(expected, CARD_BYTES),
        others_hidden=hidden, settings=rules,
    )  # fmt: skip


def _annotations(call: Call, row: ReviewCardRow) -> list[Annotation]:
    of_trace = AnnotationFilter(row.project_id, trace_id=row.target_id)
    only = of_trace if row.target_type == "trace" else AnnotationFilter(row.project_id, run_id=row.target_id)
    rows = reviews.annotations_page(call.db, only, Slice(_MOST_SHOWN))
    return [annotations.noun(annotation) for annotation in rows]


def _scores(call: Call, row: ReviewCardRow, trace: TraceWithRoot | None) -> list[Score]:
    if row.target_type == "trace":
        target_id, kind = trace.root_span_id if trace else None, "span"
    else:
        target_id, kind = row.target_id, "run"
    if target_id is None:
        return []
    rows = scores.page_of_target(
        call.db, target_id, Slice(_MOST_SHOWN), target_type=kind, project_id=row.project_id,
        trace_id=row.target_id if row.target_type == "trace" else None, scorer_name=None,
    )  # fmt: skip
    return [scoring.noun(score) for score in rows]


# --- as rows -----


def items(call: Call, project_id: str, rows: Sequence[ReviewCardRow]) -> list[QueueItem]:
    """Cards of the queue, each cut to what a row shows."""
    traces, runs = _contents(call, project_id, rows)
    wanted = store.reviews_wanted(call.db, project_id)
    return [item(call, row, traces.get(row.target_id), runs.get(row.target_id), wanted, ROW_BYTES) for row in rows]


def contents(call: Call, project_id: str, rows: Sequence[ReviewCardRow]) -> list[list[JsonValue]]:
    """What a search for a text looks at, of each card."""
    traces, runs = _contents(call, project_id, rows)
    values: list[list[JsonValue]] = []
    for row in rows:
        trace, run = traces.get(row.target_id), runs.get(row.target_id)
        if row.target_type == "trace":
            values.append([] if trace is None else [trace.root_name, trace.root_input, trace.root_output])
        else:
            values.append([] if run is None else [run.input, run.output])
    return values


def _contents(
    call: Call, project_id: str, rows: Sequence[ReviewCardRow]
) -> tuple[dict[str, TraceWithRoot], dict[str, QueuedRunRow]]:
    trace_ids = [row.target_id for row in rows if row.target_type == "trace"]
    run_ids = [row.target_id for row in rows if row.target_type == "run"]
    traces = store.queued_traces(call.db, project_id, trace_ids) if trace_ids else {}
    return traces, store.queued_runs(call.db, run_ids) if run_ids else {}


def item(
    call: Call, row: ReviewCardRow, trace: TraceWithRoot | None, run: QueuedRunRow | None, wanted: int, most: int
) -> QueueItem:
    question, answer = (
        (run.input, run.output) if run else (trace.root_input, trace.root_output) if trace else (None,) * 2
    )
    if run is not None and run.error is not None:
        answer = run.error.get("message")
    is_trace, is_held = row.target_type == "trace", _is_held(call, row)
    return QueueItem(
        target_type=row.target_type, target_id=row.target_id,
        trace_id=row.target_id if is_trace else run.trace_id if run else None,
        run_id=None if is_trace else row.target_id, experiment_id=row.experiment_id,
        experiment_name=run.experiment_name if run else None, queued_at=row.queued_at, reason=row.reason,
        status="annotated" if row.reviewer_count >= wanted else "pending", annotation_count=row.annotation_count,
        reviewer_count=row.reviewer_count, reviews_wanted=wanted, claimed_by=row.claimed_by if is_held else None,
        claimed_until=row.claimed_until if is_held else None, root_span=_root(trace, most) if trace else None,
        question=ReadableText.of(readable.question(question), most),
        answer=ReadableText.of(readable.answer(answer), most),
    )  # fmt: skip


def _root(trace: TraceWithRoot, most: int) -> RootSpan | None:
    if trace.root_span_id is None:
        return None
    input, output = cut(trace.root_input, most), cut(trace.root_output, most)
    return RootSpan(
        id=trace.root_span_id, name=trace.root_name, input=input.value, output=output.value,
        duration_ms=trace.root_duration_ms, input_size=input.size, output_size=output.size,
        truncated=[name for name, cut in (("input", input), ("output", output)) if cut.truncated],
    )  # fmt: skip


# --- who holds a card -----


def claim(call: Call, target_type: CardType, target_id: str, draft: ClaimDraft, project_id: str | None) -> ReviewClaim:
    """Hold it for ten minutes, or for ten minutes more."""
    annotator = reviewers.needed(call, draft.annotator)
    row = held(call, _hold(call, target_type, target_id, project_id, annotator), annotator)
    return ReviewClaim(
        target_type=target_type, target_id=target_id, claimed_by=annotator, claimed_until=row.claimed_until
    )


def held(call: Call, row: ReviewCardRow, annotator: str) -> ReviewCardRow:
    """The card, which the caller has locked, held for this person from now on."""
    until = call.clock.now() + CLAIM
    store.claim(call.db, row, annotator, until)
    return row._replace(claimed_by=annotator, claimed_until=until)


def release(
    call: Call, target_type: CardType, target_id: str, annotator: str | None, project_id: str | None
) -> ReviewClaim:
    """Give it back before the time is over."""
    row = _hold(call, target_type, target_id, project_id, reviewers.needed(call, annotator))
    store.claim(call.db, row, None, None)
    return ReviewClaim(target_type=target_type, target_id=target_id, claimed_by=None, claimed_until=None)


def _hold(call: Call, target_type: CardType, target_id: str, project_id: str | None, annotator: str) -> ReviewCardRow:
    """The card, locked, unless somebody else holds it."""
    known = _find(call, target_type, target_id, project_id)
    row = store.hold_card(call.db, known.project_id, target_type, target_id)
    if row is None:
        raise _not_queued(target_type, target_id)
    if row.claimed_until is not None and _is_held(call, row) and row.claimed_by != annotator:
        words = f"{row.claimed_by} holds this {target_type} until {iso(row.claimed_until)}; take the next one"
        raise Conflict(words, code="CLAIMED")
    return row


def _is_held(call: Call, row: ReviewCardRow) -> bool:
    """A claim that has run out is nobody's."""
    return row.claimed_until is not None and row.claimed_until > call.clock.now()


def _find(call: Call, target_type: CardType, target_id: str, project_id: str | None) -> ReviewCardRow:
    """The card in the queue that the caller sees. Several projects may have a trace of one id."""
    if project_id is not None or call.principal.project_id is not None:
        projects = [project_in_scope(call.principal, project_id)]
    else:
        projects = store.projects_of(call.db, target_type, target_id)
    if len(projects) > 1:
        words = f"several projects have a trace {target_id!r} in their queue; add its `project_id`"
        raise Conflict(words, code="AMBIGUOUS_TARGET")
    row = store.card(call.db, projects[0], target_type, target_id) if projects else None
    if row is None:
        raise _not_queued(target_type, target_id)
    return row


def _not_queued(target_type: CardType, target_id: str) -> NotFound:
    return NotFound(f"{target_type} {target_id!r} is not in the review queue")
