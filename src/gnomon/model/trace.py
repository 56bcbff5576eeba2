"""Traces and spans: what an application did, as it reported it.

A span is sent once and never changes. A trace is what its spans add up to.
"""

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from gnomon.model.fields import ClientId, Count, Draft, FlatMap, Milliseconds, Name, Noun, ProjectId, known_fields
from gnomon.model.jsonvalue import AnyJson
from gnomon.model.moment import Moment
from gnomon.model.score import InlineScoreDraft

MAX_BATCH = 1000
SpanStatusCode = Literal["unset", "ok", "error"]
_MILLISECOND = timedelta(milliseconds=1)


def lasting(start: datetime, end: datetime | None, duration: float | None) -> float | None:
    """A duration as reported, unless the two times contradict it by more than a millisecond."""
    if end is None:
        return duration
    measured = float((end - start) // _MILLISECOND)
    return measured if duration is None or abs(duration - measured) > 1 else duration


class SpanError(Draft):
    message: str
    type: str | None = None
    stack: str | None = None


class SpanDraft(Draft):
    id: ClientId
    trace_id: ClientId
    parent_span_id: ClientId | None = None
    name: Annotated[str, Field(min_length=1)]
    input: AnyJson = None
    output: AnyJson = None
    start_time: Moment
    end_time: Moment | None = None
    duration_ms: Milliseconds | None = None
    tokens_input: Count | None = None
    tokens_output: Count | None = None
    model: str | None = None
    metadata: FlatMap | None = None
    error: SpanError | None = None
    scores: list[InlineScoreDraft] | None = None

    @model_validator(mode="after")
    def _ends_after_it_starts(self) -> "SpanDraft":
        if self.end_time is not None and self.end_time < self.start_time:
            raise PydanticCustomError("INVALID_SPAN", "end_time is before start_time", {"field": "end_time"})
        return self

    @property
    def duration(self) -> float | None:
        return lasting(self.start_time, self.end_time, self.duration_ms)


class IngestDraft(Draft):
    """A batch of spans. They may come in any order, and over many batches."""

    spans: Annotated[list[SpanDraft], Field(min_length=1, max_length=MAX_BATCH)]
    project_id: ProjectId | None = None


class Ingested(Noun):
    accepted: int
    trace_ids: list[str] = Field(description="Distinct, in order of first appearance")
    job_ids: list[str] = Field(
        default_factory=list, description="Jobs started by inline scores of a judge, or by rules"
    )


class SpanStatus(Noun):
    code: SpanStatusCode
    message: str | None


class SpanEvent(Noun):
    """Something that happened at one moment of a span."""

    name: str
    time_unix_nano: str | None
    attributes: dict[str, Any]
    dropped_attributes_count: int = 0


class SpanLink(Noun):
    trace_id: str
    span_id: str
    trace_state: str | None
    attributes: dict[str, Any]
    flags: int = 0
    dropped_attributes_count: int = 0


class SpanScope(Noun):
    """The instrumentation that made a span."""

    name: str | None
    version: str | None
    attributes: dict[str, Any]
    dropped_attributes_count: int = 0


class Span(Noun):
    """A span. What follows `error` is what OpenTelemetry says of it, null for a span that was ingested natively."""

    id: str
    trace_id: str
    parent_span_id: str | None
    name: str
    input: AnyJson
    output: AnyJson
    start_time: Moment
    end_time: Moment | None
    duration_ms: Milliseconds | None
    tokens_input: int | None
    tokens_output: int | None
    model: str | None
    metadata: FlatMap | None
    error: Annotated[SpanError, known_fields(SpanError)] | None
    operation: str | None = Field(
        default=None, description="What it did: model_call, embedding, tool, agent, retrieval, chain"
    )
    cost_usd: float | None = Field(default=None, description="Null when it has no tokens, or its model no known price")
    conversation_id: str | None = Field(default=None, description="`gen_ai.conversation.id`, else `session.id`")
    session_id: str | None = None
    user_id: str | None = None
    start_time_unix_nano: str | None = None
    end_time_unix_nano: str | None = None
    kind: str | None = None
    status: SpanStatus | None = None
    attributes: dict[str, Any] | None = Field(default=None, description="All of them, with their types")
    events: list[SpanEvent] | None = None
    links: list[SpanLink] | None = None
    scope: SpanScope | None = None
    resource: dict[str, Any] | None = None
    trace_state: str | None = None
    flags: int | None = None
    dropped: dict[str, int] | None = Field(default=None, description="What its exporter left out: kind → how many")


class TraceScorer(Noun):
    """What the scores of one scorer on the spans of a trace come to."""

    scorer_name: str
    count: int
    mean: float | None = Field(description="Of the numbers; null when there are only labels")
    labels: dict[str, int] = Field(description="Label → how many, the 5 most frequent; empty when there are none")


class TraceRow(Noun):
    """A trace in a list: what its spans add up to, without them."""

    id: str
    project_id: str
    root_span_id: str | None
    span_count: int
    created_at: Moment = Field(description="When the first span was received")
    metadata: FlatMap | None = Field(description="The root span's")
    name: str | None = Field(description="The root span's")
    duration_ms: Milliseconds | None = Field(description="The root span's")
    model: str | None = Field(description="The root span's, or the first that any span named")
    tokens: int = Field(description="Input and output tokens of all spans")
    has_error: bool
    in_queue: bool
    annotation_count: int = 0
    conversation_id: str | None = None
    started_at: Moment | None = Field(default=None, description="When its first span began")
    updated_at: Moment | None = Field(default=None, description="When its newest span was received")
    cost_usd: float | None = Field(
        default=None, description="Of all model calls; null when there is none, or one without a known price"
    )
    known_cost_usd: float | None = Field(default=None, description="Of the model calls whose price is known")
    unpriced_span_count: int = Field(default=0, description="Model calls without a known price")
    scores: list[TraceScorer] | None = Field(
        default=None, description="Of all spans, by scorer, at most 20 of them; only in lists of traces"
    )
    input_preview: str | None = Field(
        default=None, description="The first 200 characters of the root span's input; only in lists of traces"
    )
    output_preview: str | None = Field(
        default=None, description="The first 200 characters of the root span's output; only in lists of traces"
    )


class Trace(TraceRow):
    spans: list[Span] = Field(description="By start time")


class Deleted(Noun):
    deleted: bool = True
    id: str


class ProjectDraft(Draft):
    id: ProjectId
    name: Name | None = None


class Project(Noun):
    id: str
    name: str
    created_at: Moment
