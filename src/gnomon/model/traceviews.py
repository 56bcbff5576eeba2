"""Traces as pages show them: without what may be large, counted, and over time."""

from typing import Literal

from pydantic import Field

from gnomon.model.aggregate import Interval
from gnomon.model.fields import Draft, Noun
from gnomon.model.moment import Moment
from gnomon.model.score import Score, ScoringState
from gnomon.model.trace import Span, TraceRow
from gnomon.model.trends import Bucket

TraceOrder = Literal["-created_at", "created_at", "-duration", "duration", "-tokens", "-cost"]
CuttableField = Literal["input", "output", "attributes", "events"]


class SpanColumns(Noun):
    """The spans of a trace by start time, one array per field: position `i` of each array is the same span.

    Names, models and operations repeat, so that their arrays hold positions in `names`, `models` and `operations`.
    """

    id: list[str]
    parent: list[int | None] = Field(
        description="Position of the parent span; null for a span without one, and where it is not stored"
    )
    orphans: dict[int, str] = Field(
        description="Position of a span → id of its parent, for the spans whose parent is not stored"
    )
    names: list[str] = Field(description="The distinct names")
    name: list[int] = Field(description="Positions in `names`")
    start_ms: list[float] = Field(description="Milliseconds since `start_time_unix_nano`, to 3 decimals")
    duration_ms: list[float | None] = Field(description="To 3 decimals; null when it is not known")
    models: list[str] = Field(description="The distinct models")
    model: list[int | None] = Field(description="Positions in `models`")
    operations: list[str] = Field(
        description="The distinct operations: model_call, embedding, tool, agent, retrieval, chain"
    )
    operation: list[int | None] = Field(description="Positions in `operations`")
    tokens_input: list[int | None]
    tokens_output: list[int | None]
    cost_usd: list[float | None]
    has_error: list[bool]
    score_count: list[int]
    input_size: list[int] = Field(description="Bytes of the input's JSON text; 0 when there is none")
    output_size: list[int] = Field(description="Bytes of the output's JSON text; 0 when there is none")


class TraceSkeleton(Noun):
    """A trace with its spans, without what may be large: inputs, outputs, metadata, attributes."""

    trace: TraceRow
    start_time_unix_nano: str | None = Field(description="When its first span began; null when it has no spans")
    spans: SpanColumns


class SpanDetail(Span):
    """One span with its scores, annotations and details.

    With `max_bytes`, an input or output that is longer is cut and named in `truncated`: a string is then the beginning
    of itself, and anything else the beginning of its JSON text. So are `attributes` and `events` in which a string was
    cut.
    """

    input_size: int = Field(description="Bytes of the whole input's JSON text; 0 when there is none")
    output_size: int = Field(description="Bytes of the whole output's JSON text; 0 when there is none")
    truncated: list[CuttableField] = Field(description="Which fields are not whole")


class TraceScores(Noun):
    """The scores of all spans of a trace, and the scoring states of spans without a score."""

    trace_id: str
    scores: list[Score] = Field(description="Newest first, at most 2,000")
    states: list[ScoringState] = Field(description="Without a score: absent, failed, queued, …; at most 2,000")
    capped: bool = Field(description="True when there are more scores or states than are listed")


class FacetValue(Noun):
    value: str
    count: int


class FacetKey(Noun):
    """A key of the root spans' metadata, with its most frequent values."""

    key: str
    count: int = Field(description="Traces whose root span has this key")
    indexed: bool = Field(description="Whether a filter by this key is looked up; for others spans are looked through")
    values: list[FacetValue] = Field(description="The 10 most frequent, as a filter writes them")
    distinct: int = Field(description="How many different values it has")


class TraceFacets(Noun):
    """What the traces of a filter have in common. Counted over the newest 10,000 of them."""

    total: int = Field(description="Traces, at most 10,000")
    total_capped: bool = Field(description="True when there may be more than `total`")
    error_count: int = Field(description="Traces with an error")
    queued_count: int = Field(description="Traces in the review queue")
    models: list[FacetValue] = Field(description="By the model that a list shows for a trace, the 20 most frequent")
    metadata: list[FacetKey] = Field(description="The 20 most frequent keys")


class TraceBucket(Noun):
    """The traces that were first received in one hour or day."""

    start: Moment
    count: int
    error_count: int
    error_rate: float | None = Field(description="Null when there are no traces")
    error_rate_ci_95: Interval | None
    avg_duration_ms: float | None = Field(description="Of root spans")
    avg_duration_ci_95_ms: Interval | None = Field(description="Null for fewer than two root spans, or equal durations")
    tokens: int
    cost_usd: float | None = Field(description="Of the model calls whose price is known; null when there is none")
    unpriced_span_count: int = Field(description="Model calls without a known price")


class TraceTrends(Noun):
    """Traces over time, in UTC. A bucket without traces is listed too, with a count of 0."""

    project_id: str
    bucket: Bucket
    after: Moment = Field(description="Where the first bucket begins")
    before: Moment = Field(description="Where the last bucket ends")
    buckets: list[TraceBucket]


class FoundSpans(Noun):
    """The spans of a trace that hold a text."""

    span_ids: list[str] = Field(description="By start time, at most 1,000")
    searched: int = Field(description="How many spans were looked through")
    capped: bool = Field(description="True when the search stopped early: 1,000 found, or 32 MB looked through")


class TextSearchDraft(Draft):
    enabled: bool


class TextSearch(Noun):
    """Whether the root spans of a project are searched by their words."""

    project_id: str
    enabled: bool
    ready: bool = Field(description="False while traces that were there before are being indexed")
    job_id: str | None = Field(default=None, description="The job that indexes them, or that empties the index")
