"""Conversations: traces that name the same conversation, or the same session where none is named."""

from pydantic import Field

from gnomon.model.fields import Noun
from gnomon.model.jsonvalue import AnyJson
from gnomon.model.moment import Moment
from gnomon.model.trace import TraceRow


class Conversation(Noun):
    id: str
    project_id: str
    created_at: Moment = Field(description="When its first span was received")
    updated_at: Moment = Field(description="When its newest span was received")
    started_at: Moment | None = Field(description="When its first span began")
    trace_count: int
    span_count: int
    error_count: int = Field(description="Traces with an error")
    tokens: int
    cost_usd: float | None = Field(description="Null when there is no model call, or one without a known price")
    known_cost_usd: float | None = Field(description="Of the model calls whose price is known")
    unpriced_span_count: int


class ConversationTurn(TraceRow):
    """A trace of a conversation, with what its root span was given and gave."""

    input: AnyJson
    output: AnyJson
