"""Conversations: traces that name the same conversation, or the same session where none is named."""

from typing import Literal

from pydantic import Field

from gnomon.model.fields import Noun
from gnomon.model.jsonvalue import AnyJson
from gnomon.model.moment import Moment
from gnomon.model.review import ReadableText
from gnomon.model.score import Score
from gnomon.model.trace import TraceRow

TurnContent = Literal["full", "readable"]


class WorstScore(Noun):
    """The lowest number that a scorer gave in a conversation: to a span of one of its turns, or to the whole."""

    scorer_name: str
    value: float
    turn: int | None = Field(description="Which turn, from 1; null for a score of the whole conversation")
    trace_id: str | None
    span_id: str | None


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
    first_words: str | None = Field(
        default=None, description="What the user asked in the first turn, at most 200 characters"
    )
    user_id: str | None = Field(default=None, description="`user.id` of the first turn's root span")
    worst_scores: list[WorstScore] = Field(
        default_factory=list, description="By scorer, the lowest first, at most 20 of them; labels have no order"
    )


class TurnError(Noun):
    """A span of a turn that failed."""

    span_id: str
    name: str
    message: str | None
    type: str | None


class ConversationTurn(TraceRow):
    """A trace of a conversation, with what its root span was given and gave."""

    input: AnyJson = Field(description="Null with `content=readable`; so is the output")
    output: AnyJson
    question: ReadableText | None = Field(
        default=None, description="The input as a person reads it; only with `content=readable`"
    )
    answer: ReadableText | None = Field(default=None, description="The output as a person reads it, likewise")
    span_scores: list[Score] = Field(
        default_factory=list, description="Of all spans of the trace, the newest first, at most 20"
    )
    errors: list[TurnError] = Field(default_factory=list, description="The first 5 spans that failed")
