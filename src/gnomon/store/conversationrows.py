"""What the place where spans are kept says of conversations, and what it is asked for."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from gnomon.model.score import JsonObject


@dataclass(frozen=True, slots=True)
class ConversationFilter:
    """Which conversations of a project are wanted; None leaves a question out."""

    user_id: str | None = None
    """This user took part in some turn."""
    after: datetime | None = None
    before: datetime | None = None
    has_error: bool | None = None
    """Some turn has an error, or none has."""
    q: str | None = None
    """Words that the root span of some turn holds, each of them."""


EVERY_CONVERSATION = ConversationFilter()


class ConversationSums(NamedTuple):
    """A conversation, and what its traces add up to."""

    project_id: str
    id: str
    created_at: datetime
    updated_at: datetime
    trace_count: int
    span_count: int
    error_count: int
    tokens: int
    cost_usd: float | None
    unpriced: int
    started_at: datetime | None


class FirstTurn(NamedTuple):
    """The root span of the first turn of a conversation."""

    conversation_id: str
    input_text: str | None
    """The beginning of the JSON text of its input."""
    metadata: JsonObject | None


class LowestScore(NamedTuple):
    """The lowest number of a scorer in a conversation. The last three are None where the conversation itself has it."""

    conversation_id: str
    scorer_name: str
    value: float
    turn: int | None
    trace_id: str | None
    span_id: str | None


class FailedSpan(NamedTuple):
    """A span of a trace with what went wrong in it."""

    trace_id: str
    id: str
    name: str
    error: JsonObject
