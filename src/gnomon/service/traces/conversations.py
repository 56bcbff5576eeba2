"""Conversations: list them, read one, and its turns in order."""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress

import msgspec

from gnomon.errors import Conflict, NotFound
from gnomon.model import readable
from gnomon.model.conversation import Conversation, ConversationTurn, TurnContent, TurnError, WorstScore
from gnomon.model.moment import to_ms
from gnomon.model.review import ReadableText
from gnomon.model.score import Score
from gnomon.service.call import Call, Listing, listing, project_in_scope
from gnomon.service.scoring import scoring
from gnomon.service.traces import textsearch, traces
from gnomon.store.conversationrows import EVERY_CONVERSATION, ConversationFilter, ConversationSums
from gnomon.store.pages import Slice
from gnomon.store.spanstore import USER, TraceWithRoot, as_filter_text

MOST_SCORERS = 20
MOST_SCORES, MOST_ERRORS = 20, 5
"""Of one turn."""
TURN_BYTES = 8_000
"""Of a question or an answer; the trace has the rest."""
_FIRST_WORDS = 200


def checked(only: ConversationFilter) -> ConversationFilter:
    """The filter, when something can be searched by it."""
    if only.q is not None:
        textsearch.check(only.q)
    return only


def all_of(
    call: Call, project_id: str | None, page: Slice, only: ConversationFilter = EVERY_CONVERSATION
) -> Listing[Conversation]:
    """Newest first."""
    scope = project_in_scope(call.principal, project_id)
    if only.q is not None:
        textsearch.need(call, scope)
    rows = call.spans.conversations(call.db, scope, page, only)
    nouns = {shown.id: shown for shown in _nouns(call, scope, rows[: page.limit])}
    return listing(rows, page, lambda row: nouns[row.id], lambda row: (to_ms(row.created_at), row.id))


def get(call: Call, id: str, project_id: str | None) -> Conversation:
    row = find(call, id, project_id)
    return _nouns(call, row.project_id, [row])[0]


def turns(
    call: Call, id: str, project_id: str | None, page: Slice, content: TurnContent = "full"
) -> Listing[ConversationTurn]:
    """The conversation's traces in the order in which they began, each with its scores and errors."""
    project_id = find(call, id, project_id).project_id
    rows = call.spans.turns(call.db, project_id, id, page)
    shown = rows[: page.limit]
    errors = _errors(call, project_id, shown)
    scores = scoring.of_traces(call, project_id, {row.id: row.updated_at for row in shown}, MOST_SCORES)

    def turn(row: TraceWithRoot) -> ConversationTurn:
        return _turn(row, content, scores.get(row.id, []), errors.get(row.id, []))

    return listing(rows, page, turn, lambda row: (row.started_ns, row.id))


def find(call: Call, id: str, project_id: str | None) -> ConversationSums:
    """The one conversation with this id that the key can see."""
    scope = project_id if call.principal.project_id is None else project_in_scope(call.principal, project_id)
    rows = call.spans.find_conversation(call.db, id, scope)
    if not rows:
        raise NotFound(f"conversation {id!r} does not exist")
    if len(rows) > 1:
        raise Conflict(f"several projects have a conversation {id!r}; add its `project_id`", code="AMBIGUOUS_TARGET")
    return rows[0]


def _nouns(call: Call, project_id: str, rows: Sequence[ConversationSums]) -> list[Conversation]:
    """Conversations of one project, with how they began and their worst scores."""
    ids = [row.id for row in rows]
    worst: dict[str, list[WorstScore]] = defaultdict(list)
    for score in call.spans.worst_scores(call.db, project_id, ids) if ids else ():
        worst[score.conversation_id].append(
            WorstScore(
                scorer_name=score.scorer_name, value=score.value, turn=score.turn, trace_id=score.trace_id,
                span_id=score.span_id,
            )
        )  # fmt: skip
    firsts = {first.conversation_id: first for first in call.spans.first_turns(call.db, project_id, ids)} if ids else {}
    nouns = []
    for row in rows:
        first = firsts.get(row.id)
        user = None if first is None else (first.metadata or {}).get(USER)
        nouns.append(
            _noun(row).model_copy(
                update={
                    "first_words": None if first is None else _first_words(first.input_text),
                    "user_id": None if user is None else as_filter_text(user),
                    "worst_scores": worst[row.id][:MOST_SCORERS],
                }
            )
        )
    return nouns


def _first_words(input_text: str | None) -> str | None:
    """What the user asked. Of an input that is too long to be read whole, its beginning."""
    if input_text is None:
        return None
    with suppress(msgspec.DecodeError):
        question = readable.question(msgspec.json.decode(input_text))
        return None if question is None else question.text[:_FIRST_WORDS]
    return traces.preview(input_text)


def _noun(row: ConversationSums) -> Conversation:
    return Conversation(
        id=row.id, project_id=row.project_id, created_at=row.created_at, updated_at=row.updated_at,
        started_at=row.started_at, trace_count=row.trace_count, span_count=row.span_count, error_count=row.error_count,
        tokens=row.tokens, cost_usd=None if row.unpriced else row.cost_usd, known_cost_usd=row.cost_usd,
        unpriced_span_count=row.unpriced,
    )  # fmt: skip


def _errors(call: Call, project_id: str, rows: Sequence[TraceWithRoot]) -> dict[str, list[TurnError]]:
    """Trace id → the first of its spans that failed."""
    failed = [row.id for row in rows if row.error_count > 0]
    errors: dict[str, list[TurnError]] = defaultdict(list)
    for span in call.spans.errors_of(call.db, project_id, failed, MOST_ERRORS) if failed else ():
        message, kind = span.error.get("message"), span.error.get("type")
        errors[span.trace_id].append(TurnError(span_id=span.id, name=span.name, message=message, type=kind))
    return errors


def _turn(
    row: TraceWithRoot, content: TurnContent, span_scores: list[Score], errors: list[TurnError]
) -> ConversationTurn:
    beside = {**dict(traces.noun(row)), "span_scores": span_scores, "errors": errors}
    if content == "full":
        return ConversationTurn(**beside, input=row.root_input, output=row.root_output)
    return ConversationTurn(
        **beside, input=None, output=None,
        question=ReadableText.of(readable.question(row.root_input), TURN_BYTES),
        answer=ReadableText.of(readable.answer(row.root_output), TURN_BYTES),
    )  # fmt: skip
