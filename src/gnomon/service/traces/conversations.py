"""Conversations: list them, read one, and its turns in order."""

from gnomon.errors import Conflict, NotFound
from gnomon.model.conversation import Conversation, ConversationTurn
from gnomon.model.moment import to_ms
from gnomon.service.call import Call, Listing, listing, project_in_scope
from gnomon.service.traces import traces
from gnomon.store.pages import Slice
from gnomon.store.spanstore import ConversationSums, TraceWithRoot


def all_of(call: Call, project_id: str | None, user_id: str | None, page: Slice) -> Listing[Conversation]:
    """Newest first."""
    rows = call.spans.conversations(call.db, project_in_scope(call.who, project_id), page, user_id)
    return listing(rows, page, noun, lambda row: (to_ms(row.created_at), row.id))


def get(call: Call, id: str, project_id: str | None) -> Conversation:
    return noun(find(call, id, project_id))


def turns(call: Call, id: str, project_id: str | None, page: Slice) -> Listing[ConversationTurn]:
    """Its traces in the order in which they began."""
    row = find(call, id, project_id)
    rows = call.spans.turns(call.db, row.project_id, id, page)
    return listing(rows, page, _turn, lambda row: (row.started_ns, row.id))


def find(call: Call, id: str, project_id: str | None) -> ConversationSums:
    """The one conversation with this id that the key can see."""
    scope = project_id if call.who.project_id is None else project_in_scope(call.who, project_id)
    rows = call.spans.find_conversation(call.db, id, scope)
    if not rows:
        raise NotFound(f"conversation {id!r} does not exist")
    if len(rows) > 1:
        raise Conflict(f"several projects have a conversation {id!r}; add its `project_id`", code="AMBIGUOUS_TARGET")
    return rows[0]


def noun(row: ConversationSums) -> Conversation:
    return Conversation(
        id=row.id, project_id=row.project_id, created_at=row.created_at, updated_at=row.updated_at,
        started_at=row.started_at, trace_count=row.trace_count, span_count=row.span_count, error_count=row.error_count,
        tokens=row.tokens, cost_usd=None if row.unpriced else row.cost_usd, known_cost_usd=row.cost_usd,
        unpriced_span_count=row.unpriced,
    )  # fmt: skip


def _turn(row: TraceWithRoot) -> ConversationTurn:
    return ConversationTurn(**dict(traces.noun(row)), input=row.root_input, output=row.root_output)
