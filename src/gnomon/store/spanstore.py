"""What the services ask of the place where spans and traces are kept.

`SpanStore` is a protocol of verbs. `store/sqlspans` implements it on SQLite and PostgreSQL; services name no table of
spans, so that another engine can take its place.

The first argument of each verb is the transaction of the service call: what is added is durable when that is.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol

from sqlalchemy.engine import Connection

from gnomon.model.jsonvalue import JsonValue, dump
from gnomon.model.moment import to_ms
from gnomon.model.score import JsonObject
from gnomon.model.traceviews import TraceOrder
from gnomon.store.conversationrows import (
    EVERY_CONVERSATION,
    ConversationFilter,
    ConversationSums,
    FailedSpan,
    FirstTurn,
    LowestScore,
)
from gnomon.store.pages import PageKey, Slice
from gnomon.store.rows import (
    SpanLogRow,
    SpanRow,
    SpanSourceRow,
    StoredSpan,
    StoredSpanLog,
    TextSearchRow,
    TraceTotals,
)

SpanKey = tuple[str, str]
"""A span of a project: (trace id, span id)."""
OnDuplicate = Literal["refuse", "keep"]
"""`refuse`: all or nothing, as the contract of native ingest. `keep`: what is stored already stays as it is."""
LinkFault = Literal["duplicate", "second_root", "circular", "parent_elsewhere"]

CONVERSATION, SESSION, USER = "gen_ai.conversation.id", "session.id", "user.id"
MODEL = ":model"
"""No key of metadata begins with a colon."""
ALWAYS_INDEXED = (CONVERSATION, SESSION, USER, MODEL)
LONGEST_VALUE = 200
"""Longer values are not in the index; who looks for one looks through the spans."""

LONGEST_START = 400
"""Characters of an input's or output's JSON text that a list of traces has."""


class TraceHead(NamedTuple):
    """What a batch brings to one trace, as the database keeps it."""

    id: str
    project_id: str
    root_span_id: str | None
    span_count: int
    error_count: int
    tokens: int
    model: str | None
    root_duration_ms: float | None
    created_at: int
    started_at: int
    started_ns: int
    updated_at: int
    root_start: int | None
    model_start: int | None
    conversation_id: str | None
    conversation_rank: int | None
    cost_usd: float | None
    unpriced: int


class TraceWithRoot(NamedTuple):
    """A row of `traces`, beside it what lists show of its root span (nulls when there is none)."""

    id: str
    project_id: str
    root_span_id: str | None
    span_count: int
    error_count: int
    tokens: int
    model: str | None
    root_duration_ms: float | None
    annotation_count: int
    queued_at: datetime | None
    created_at: datetime
    started_at: datetime | None
    started_ns: int | None
    updated_at: datetime | None
    root_start: int | None
    model_start: int | None
    conversation_id: str | None
    conversation_rank: int | None
    cost_usd: float | None
    unpriced: int
    root_name: str | None
    root_model: str | None
    root_metadata: JsonObject | None
    root_input: JsonValue
    """Null also where the content was not asked for; so is the output."""
    root_output: JsonValue
    root_input_start: str | None
    """The beginning of its JSON text, where that was asked for; so of the output."""
    root_output_start: str | None


class SpanToFilter(NamedTuple):
    """What a filter looks at. Input and output may be large, so they come only for the spans that are meant."""

    trace_id: str
    id: str
    start_time: datetime
    parent_span_id: str | None
    name: str
    model: str | None
    metadata: JsonObject | None
    error: JsonObject | None


class SpanHead(NamedTuple):
    """A span without what may be large; of input and output the size of their JSON texts in bytes."""

    id: str
    parent_span_id: str | None
    name: str
    start_ns: int
    duration_ms: float | None
    model: str | None
    operation: str | None
    tokens_input: int | None
    tokens_output: int | None
    cost_usd: float | None
    has_error: bool
    input_size: int
    output_size: int


class SpanTexts(NamedTuple):
    """The texts of a span, input and output as JSON."""

    id: str
    start_ns: int
    name: str
    model: str | None
    input: str | None
    output: str | None


class TraceToCount(NamedTuple):
    """What facets count of a trace."""

    error_count: int
    queued_at: datetime | None
    model: str | None
    root_model: str | None
    root_metadata: str | None
    """As JSON text."""


class TracesToCount(NamedTuple):
    """Traces to count, and whether there may be more."""

    rows: list[TraceToCount]
    capped: bool


class TraceToIndex(NamedTuple):
    """A trace that the text search is to find by its root span."""

    id: str
    created_at: int
    root_span_id: str | None


class BucketSums(NamedTuple):
    """Sums over the traces received in one stretch of time: `bucket` is its number since 1970."""

    bucket: int
    traces: int
    error_count: int
    timed: int
    avg_duration_ms: float | None
    squared_ms: float | None
    tokens: int
    cost_usd: float | None
    unpriced: int


class RunCosts(NamedTuple):
    """What the traces of an experiment's runs add up to."""

    experiment_id: str
    traced: int
    known_usd: float | None
    unpriced: int


class RunTrace(NamedTuple):
    """The stored trace of an experiment's run, and what it took. A trace that several runs name is there for each."""

    experiment_id: str
    run_id: str
    trace_id: str
    cost_usd: float | None
    unpriced: int
    tokens: int
    root_duration_ms: float | None


class RemovedTraces(NamedTuple):
    """How much was removed."""

    traces: int
    spans: int


class FaultyLink(NamedTuple):
    """A span of a batch that cannot be where it says."""

    position: int
    fault: LinkFault


class Indexed(NamedTuple):
    """A value that a span gives to an indexed key."""

    trace_id: str
    key: str
    value: str


def indexed_values(
    keys: Iterable[str], trace_id: str, model: str | None, metadata: Mapping[str, Any] | None
) -> list[Indexed]:
    """What a span gives to the indexed keys of its project."""
    values = []
    if model is not None and len(model) <= LONGEST_VALUE:
        values.append(Indexed(trace_id, MODEL, model))
    if metadata:
        for key in keys:
            if key in metadata:
                value = metadata[key]
                text = value if type(value) is str else as_filter_text(value)
                if len(text) <= LONGEST_VALUE:
                    values.append(Indexed(trace_id, key, text))
    return values


def as_filter_text(value: Any) -> str:
    """A value as a filter writes it: a string as it is, all else as JSON."""
    return value if isinstance(value, str) else dump(value)


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Spans of one project that came together."""

    project_id: str
    spans: Sequence[StoredSpan]
    values: Sequence[Collection[Indexed]]
    """What each of the spans gives to indexed keys."""
    now_ms: int


class Added(NamedTuple):
    """What became of a batch."""

    stored: Sequence[StoredSpan]
    """Those that are new."""
    faults: Sequence[FaultyLink]
    """Whatever is wrong; then nothing was stored."""


@dataclass(frozen=True, slots=True)
class TraceFilter:
    """Which traces of a project are wanted; None leaves a question out."""

    after: datetime | None = None
    before: datetime | None = None
    has_error: bool | None = None
    in_queue: bool | None = None
    metadata: tuple[tuple[str, str], ...] = ()
    """Pairs of key and value as text. Each must be said by some span of the trace."""
    conversation_id: str | None = None
    model: str | None = None
    min_duration_ms: float | None = None
    max_duration_ms: float | None = None
    scorer_name: str | None = None
    """Some span has a score of this scorer, between `min` and `max` where they are given."""
    min: float | None = None
    max: float | None = None
    q: str | None = None
    """Words that the root span holds, each of them."""


NO_DURATION = {"-duration": -1.0, "duration": 1e300}
"""What stands for an unknown duration, so that it comes last; so for costs."""
NO_COST = -1.0


def trace_key(row: TraceWithRoot, sort: TraceOrder) -> PageKey:
    """Where a trace stands in a list of this order."""
    if sort in NO_DURATION:
        return (NO_DURATION[sort] if row.root_duration_ms is None else row.root_duration_ms, row.id)
    if sort == "-tokens":
        return (row.tokens, row.id)
    if sort == "-cost":
        return (NO_COST if row.cost_usd is None else row.cost_usd, row.id)
    return (to_ms(row.created_at), row.id)


class TracePage(NamedTuple):
    """Traces of a page. `resume` is set where the search stopped early, having looked through enough for one call."""

    rows: list[TraceWithRoot]
    resume: PageKey | None


class SpanStore(Protocol):
    """Spans, the traces that they make up, and what is found by them."""

    # --- arriving -----

    def add(self, db: Connection, arrivals: Arrivals, on_duplicate: OnDuplicate) -> Added: ...
    def add_sources(self, db: Connection, rows: Sequence[SpanSourceRow]) -> None: ...
    def add_logs(self, db: Connection, rows: Sequence[StoredSpanLog]) -> None: ...
    def change_view(self, db: Connection, row: SpanRow) -> None: ...

    # --- reading -----

    def page(
        self,
        db: Connection,
        project_id: str,
        only: TraceFilter,
        wanted: Slice,
        indexed: Collection[str],
        sort: TraceOrder = "-created_at",
    ) -> TracePage: ...
    def to_count(
        self, db: Connection, project_id: str, only: TraceFilter, indexed: Collection[str], most: int
    ) -> TracesToCount: ...
    def sums_by_time(
        self, db: Connection, project_id: str, width_ms: int, after: datetime, before: datetime
    ) -> list[BucketSums]: ...
    def find(self, db: Connection, id: str, project_id: str | None) -> list[TraceWithRoot]: ...
    def heads(self, db: Connection, project_id: str, ids: Iterable[str]) -> dict[str, TraceTotals]: ...
    def hold(self, db: Connection, id: str, project_id: str | None) -> list[TraceTotals]: ...
    def spans_of(self, db: Connection, project_id: str, trace_id: str) -> list[SpanRow]: ...
    def span_heads(self, db: Connection, project_id: str, trace_id: str) -> list[SpanHead]: ...
    def texts_of(
        self, db: Connection, project_id: str, trace_id: str, after: tuple[int, str] | None, limit: int
    ) -> list[SpanTexts]: ...
    def sources(self, db: Connection, project_id: str, ids: Collection[str]) -> dict[str, bytes]: ...
    def logs_of(
        self, db: Connection, project_id: str, trace_ids: Collection[str], *, lock: bool = False
    ) -> list[SpanLogRow]: ...
    def find_span(self, db: Connection, id: str, project_id: str | None, trace_id: str | None) -> list[SpanRow]: ...
    def by_id(
        self, db: Connection, wanted: Collection[tuple[str, str, str]]
    ) -> dict[tuple[str, str, str], SpanRow]: ...
    def at(
        self, db: Connection, project_id: str, keys: Collection[SpanKey], *, lock: bool = False
    ) -> list[SpanRow]: ...
    def walk(self, db: Connection, project_id: str, after: SpanKey | None, limit: int) -> list[SpanToFilter]: ...
    def to_filter(self, db: Connection, project_id: str, trace_ids: Collection[str]) -> list[SpanToFilter]: ...
    def count(self, db: Connection, project_id: str) -> int: ...
    def count_traces(self, db: Connection, project_id: str) -> int: ...
    def known(
        self, db: Connection, project_id: str, scorer_name: str, config_hash: str, keys: Collection[SpanKey]
    ) -> set[SpanKey]: ...

    def costs_of_runs(
        self, db: Connection, project_id: str, experiment_ids: Collection[str]
    ) -> dict[str, RunCosts]: ...
    def traces_of_runs(self, db: Connection, project_id: str, experiment_ids: Collection[str]) -> list[RunTrace]: ...

    # --- conversations -----

    def conversations(
        self, db: Connection, project_id: str, wanted: Slice, only: ConversationFilter = EVERY_CONVERSATION
    ) -> list[ConversationSums]: ...
    def first_turns(self, db: Connection, project_id: str, ids: Collection[str]) -> list[FirstTurn]: ...
    def worst_scores(self, db: Connection, project_id: str, ids: Collection[str]) -> list[LowestScore]: ...
    def errors_of(self, db: Connection, project_id: str, trace_ids: Collection[str], most: int) -> list[FailedSpan]: ...
    def find_conversation(self, db: Connection, id: str, project_id: str | None) -> list[ConversationSums]: ...
    def turns(self, db: Connection, project_id: str, id: str, wanted: Slice) -> list[TraceWithRoot]: ...

    def last_change(self, db: Connection, project_id: str, target_id: str, trace_id: str | None) -> datetime | None: ...

    # --- the index of metadata -----

    def indexed_keys(self, db: Connection, project_id: str) -> Mapping[str, bool]: ...
    def declare_keys(self, db: Connection, project_id: str, keys: Collection[str], now: datetime) -> list[str]: ...
    def index_values(self, db: Connection, project_id: str, values: Collection[Indexed]) -> None: ...
    def keys_ready(self, db: Connection, project_id: str, keys: Collection[str]) -> None: ...

    # --- the text search -----

    def text_search_of(self, db: Connection, project_id: str) -> TextSearchRow | None: ...
    def set_text_search(self, db: Connection, row: TextSearchRow) -> None: ...
    def traces_to_index(
        self, db: Connection, project_id: str, after: tuple[int, str] | None, limit: int
    ) -> list[TraceToIndex]: ...
    def index_traces(self, db: Connection, project_id: str, rows: Sequence[TraceToIndex]) -> None: ...
    def forget_some(self, db: Connection, project_id: str, limit: int) -> int: ...
    def texts_are_pending(self, db: Connection, at_least: int = 1) -> bool: ...
    def fold_texts(self, db: Connection, limit: int) -> int: ...

    # --- removing -----

    def remove(self, db: Connection, project_id: str, ids: Collection[str]) -> RemovedTraces: ...
