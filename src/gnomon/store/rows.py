"""One row type per table: its columns, in the table's order, with the types that a reader gets.

A test compares them with `schema`. Queries that return other columns have small types of their own beside them.

Five tables are written in bulk. Their rows are written as the database keeps them (`Stored…`: JSON as text, times as
milliseconds) and read as Python values (`…Row`). The columns are listed once for both, generic in what differs.
"""

from datetime import datetime
from typing import Generic, Literal, NamedTuple, TypeVar

from gnomon.model.access import Role
from gnomon.model.experiment import Status
from gnomon.model.job import JobStatus
from gnomon.model.jsonvalue import JsonValue
from gnomon.model.outcome import Profile
from gnomon.model.review import CardType
from gnomon.model.rule import RuleTarget
from gnomon.model.score import JsonObject, Source, State, TargetType
from gnomon.model.share import SharedKind

_Value = TypeVar("_Value")
_Object = TypeVar("_Object")
_Moment = TypeVar("_Moment")


# --- projects and keys -----


class ProjectRow(NamedTuple):
    id: str
    name: str
    created_at: datetime


class RetentionRow(NamedTuple):
    """How long a project keeps its traces, and how far the worker is with deleting older ones."""

    project_id: str
    days: int | None
    keep_scored: int
    due_at: datetime
    position: str
    """Where the pass that is under way goes on, as JSON; empty between passes."""


RemovalKind = Literal["experiment", "dataset", "project"]


class RemovalRow(NamedTuple):
    """Something that is deleted, of which parts are still stored."""

    kind: RemovalKind
    id: str
    project_id: str
    created_at: datetime


class ApiKeyRow(NamedTuple):
    id: str
    name: str | None
    role: Role
    project_id: str | None
    secret_hash: str
    created_at: datetime
    expires_at: datetime | None = None


class WebSessionRow(NamedTuple):
    token_hash: str
    id: str
    key_id: str
    created_at: datetime
    expires_at: datetime


class LoginCodeRow(NamedTuple):
    code_hash: str
    key_id: str
    expires_at: datetime


class ShareRow(NamedTuple):
    id: str
    project_id: str
    kind: SharedKind
    object_ids: list[str]
    path: str
    token_hash: str
    created_at: datetime
    expires_at: datetime


class SettingRow(NamedTuple):
    name: str
    value: str


class RememberedAnswerRow(NamedTuple):
    key_id: str
    path: str
    idempotency_key: str
    body_hash: str
    status: int
    answer: str
    created_at: datetime


# --- traces -----


class TraceTotals(NamedTuple):
    """A row of `traces`: what its spans add up to."""

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
    """When the first of its spans began."""
    started_ns: int | None
    updated_at: datetime | None
    """When the newest of its spans was received."""
    root_start: int | None
    """When its root span began, in nanoseconds: of several roots, the earliest is the trace's."""
    model_start: int | None
    """When the span began whose model is the trace's."""
    conversation_id: str | None
    conversation_rank: int | None
    """0 where a span names a conversation, 1 where only a session is named."""
    cost_usd: float | None
    """The sum of what is known; null when nothing is."""
    unpriced: int
    """How many spans have tokens and no price."""


class SpanTableColumns(NamedTuple, Generic[_Value, _Object, _Moment]):
    project_id: str
    trace_id: str
    id: str
    parent_span_id: str | None
    name: str
    input: _Value
    output: _Value
    start_time: _Moment
    end_time: _Moment | None
    duration_ms: float | None
    tokens_input: int | None
    tokens_output: int | None
    model: str | None
    metadata: _Object
    error: _Object
    operation: str | None
    cost_usd: float | None
    source_id: str | None
    """Which resource and scope it came from, in `span_sources`."""
    otlp: bytes | None
    """All that OpenTelemetry said of it; null for a span that was ingested natively."""
    start_ns: int
    """When it began, in nanoseconds: many spans begin in one millisecond, and are shown in their order."""


class SpanRow(SpanTableColumns[JsonValue, JsonObject | None, datetime]):
    __slots__ = ()


class StoredSpan(SpanTableColumns[str | None, str | None, int]):
    __slots__ = ()


class SpanSourceRow(NamedTuple):
    project_id: str
    id: str
    body: bytes


class SpanLogColumns(NamedTuple, Generic[_Moment]):
    project_id: str
    trace_id: str
    span_id: str
    id: str
    record: bytes
    source_id: str
    created_at: _Moment


class SpanLogRow(SpanLogColumns[datetime]):
    __slots__ = ()


class StoredSpanLog(SpanLogColumns[int]):
    __slots__ = ()


class TraceValueRow(NamedTuple):
    """A value that some span of a trace gives to an indexed key."""

    project_id: str
    key: str
    value: str
    created_at: int
    trace_id: str


class PendingTextRow(NamedTuple):
    """A trace that the text search finds by reading its root span, until it is indexed."""

    project_id: str
    created_at: int
    trace_id: str
    span_id: str


class TraceTextRow(NamedTuple):
    """A trace that the text search finds in its index."""

    doc: int | None
    """Its number in SQLite's index; null on PostgreSQL."""
    project_id: str
    created_at: int
    trace_id: str
    span_id: str
    """The root span whose words they are."""
    words: str | None
    """On PostgreSQL; on SQLite they are in the index only."""


class TextSearchRow(NamedTuple):
    project_id: str
    enabled: int
    ready: int
    job_id: str | None
    """The last job that filled or emptied the project's part of the index."""


class QuietTargetRow(NamedTuple):
    """A trace or conversation that a rule scores when nothing has come for a while; no `due_at` when it has."""

    rule_id: str
    target_id: str
    project_id: str
    due_at: datetime | None


class AnnotationRow(NamedTuple):
    id: str
    project_id: str
    trace_id: str | None
    run_id: str | None
    span_id: str | None
    annotator: str
    label: str | None
    correction: JsonValue
    notes: str | None
    created_at: datetime
    updated_at: datetime | None
    scores: list[JsonObject] | None
    """What it scores, in the order in which it was sent."""
    score_target_id: str | None
    """The run or span that has these scores."""


class ReviewCardRow(NamedTuple):
    project_id: str
    target_type: CardType
    target_id: str
    experiment_id: str | None
    queued_at: datetime
    reason: str | None
    annotation_count: int
    reviewer_count: int
    """Different people that annotated it."""
    claimed_by: str | None
    claimed_until: datetime | None


class ReviewSettingsRow(NamedTuple):
    project_id: str
    labels: list[JsonObject]
    scorer_name: str
    free_labels: int
    reviews_wanted: int
    blind: int
    updated_at: datetime


# --- datasets and experiments -----


class DatasetTableRow(NamedTuple):
    id: str
    project_id: str
    name: str
    description: str | None
    version: int
    item_count: int
    created_at: datetime
    updated_at: datetime


class DatasetVersionRow(NamedTuple):
    dataset_id: str
    version: int
    created_at: datetime | None
    item_count: int
    added: int
    removed: int
    changed: int


class DatasetItemColumns(NamedTuple, Generic[_Value, _Object, _Moment]):
    id: str
    dataset_id: str
    input: _Value
    expected_output: _Value
    metadata: _Object
    added_version: int
    removed_version: int | None
    created_at: _Moment
    key: str | None


class DatasetItemRow(DatasetItemColumns[JsonValue, JsonObject | None, datetime]):
    __slots__ = ()


class StoredDatasetItem(DatasetItemColumns[str | None, str | None, int]):
    __slots__ = ()


class ExperimentTableRow(NamedTuple):
    id: str
    project_id: str
    name: str
    dataset_id: str
    dataset_version: int
    trials: int
    auto_complete: int
    status: Status
    metadata: JsonObject | None
    run_count: int
    failed_run_count: int
    pinned_run_count: int
    expected_run_count: int
    repeated_scorers: list[str] | None
    threshold_result: JsonObject | None
    created_at: datetime
    completed_at: datetime | None
    stopping: JsonObject | None
    metrics: JsonObject | None
    holder: str | None
    held_until: datetime | None


class ThresholdResultRow(NamedTuple):
    id: str
    experiment_id: str
    result: JsonObject
    created_at: datetime


class RunColumns(NamedTuple, Generic[_Value, _Object, _Moment]):
    id: str
    project_id: str
    experiment_id: str
    dataset_item_id: str
    trial: int
    output: _Value
    error: _Object
    trace_id: str | None
    created_at: _Moment
    attempts: int


class RunRow(RunColumns[JsonValue, JsonObject | None, datetime]):
    __slots__ = ()


class StoredRun(RunColumns[str | None, str | None, int]):
    __slots__ = ()


# --- scores -----


class ScoreColumns(NamedTuple, Generic[_Object, _Moment]):
    id: str
    project_id: str
    target_type: TargetType
    target_id: str
    trace_id: str | None
    experiment_id: str | None
    dataset_item_id: str | None
    scorer_name: str
    value: float | None
    label: str | None
    rationale: str | None
    source: Source
    scorer: str | None
    config: _Object
    config_hash: str | None
    metadata: _Object
    created_at: _Moment
    author: str | None = None


class ScoreRow(ScoreColumns[JsonObject | None, datetime]):
    __slots__ = ()


class StoredScore(ScoreColumns[str | None, int]):
    __slots__ = ()


class ScoringStateColumns(NamedTuple, Generic[_Moment]):
    target_id: str
    target_type: TargetType
    trace_id: str
    scorer_name: str
    config_hash: str
    project_id: str
    experiment_id: str | None
    state: State
    reason: str | None
    job_id: str | None
    updated_at: _Moment


class ScoringStateRow(ScoringStateColumns[datetime]):
    __slots__ = ()


class StoredScoringState(ScoringStateColumns[int]):
    __slots__ = ()


class ScoreDayRow(NamedTuple):
    project_id: str
    scorer_name: str
    config_hash: str
    model: str
    day: int
    n: int
    total: float
    squares: float
    lowest: float
    highest: float


# --- jobs and judges -----


class JobRow(NamedTuple):
    id: str
    project_id: str
    kind: str
    status: JobStatus
    payload: JsonObject
    experiment_id: str | None
    score_id: str | None
    reason: str | None
    attempts: int
    total: int
    counts: dict[str, int]
    position: str | None
    due_at: datetime
    lease_owner: str | None
    lease_until: datetime | None
    created_at: datetime
    updated_at: datetime
    parent_id: str | None
    model: str | None
    target_type: TargetType | None
    target_id: str | None
    trace_id: str | None
    scorer_name: str | None
    config_hash: str | None
    evidence: str | None
    cost_usd: float | None
    patient_until: datetime | None


class ModelAnswerRow(NamedTuple):
    cache_key: str
    project_id: str
    model: str
    answer: str
    tokens_input: int | None
    tokens_output: int | None
    cost_usd: float | None
    created_at: datetime


class ModelLimitRow(NamedTuple):
    model: str
    per_second: float | None
    permits: float
    failures: int
    open_until: datetime
    updated_at: datetime


class BudgetRow(NamedTuple):
    project_id: str
    usd_per_day: float | None
    tokens_per_day: int | None
    updated_at: datetime


class ModelPriceRow(NamedTuple):
    project_id: str
    model: str
    input_usd_per_million: float
    output_usd_per_million: float
    cached_input_usd_per_million: float | None
    updated_at: datetime
    since: str
    """The day from which on it holds (YYYY-MM-DD); empty: always."""


class SpendingRow(NamedTuple):
    project_id: str
    day: str
    model: str
    calls: int
    tokens: int
    usd: float


class ScoringRuleRow(NamedTuple):
    id: str
    project_id: str
    name: str
    span_filter: JsonObject
    scorer: JsonObject
    sampling_rate: float
    enabled: int
    created_at: datetime
    updated_at: datetime
    target: RuleTarget


class JudgeCardRow(NamedTuple):
    id: str
    project_id: str
    scorer_name: str
    config_hash: str
    card: JsonObject
    created_at: datetime


# --- outcome -----


class IterationRow(NamedTuple):
    id: str
    project_id: str
    source: str
    iteration: int
    rubric_version: str
    profile: Profile
    value: float | None
    band: str
    coverage: float
    provisional: int
    session_id: str | None
    date: str | None
    task_id: str | None
    commit_id: str | None
    created_at: datetime
    updated_at: datetime
    integrity: list[JsonObject]
    objectives: dict[str, JsonObject]
    breakdown: list[JsonObject]
    agent: str | None
    model: str | None
    labels: list[str] | None
    rules_files: list[str] | None
    repository_url: str | None
