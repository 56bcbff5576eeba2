"""What people say of traces: annotations, and the queue of traces that wait for them."""

from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from gnomon.model.aggregate import Interval
from gnomon.model.fields import ClientId, Draft, Milliseconds, Name, Noun, ProjectId
from gnomon.model.jsonvalue import AnyJson
from gnomon.model.moment import Moment

QueueStatus = Literal["pending", "annotated"]


class AnnotationDraft(Draft):
    project_id: ProjectId | None = None
    trace_id: ClientId
    span_id: ClientId | None = None
    annotator: Name
    label: Name | None = None
    correction: AnyJson = None
    notes: str | None = None

    @model_validator(mode="after")
    def _says_something(self) -> "AnnotationDraft":
        if self.label is None and self.correction is None and not self.notes:
            raise PydanticCustomError(
                "EMPTY_ANNOTATION", "provide at least a label, a correction or notes", {"field": "label"}
            )
        return self


class Annotation(Noun):
    id: str
    project_id: str
    trace_id: str
    span_id: str | None
    annotator: str
    label: str | None
    correction: AnyJson
    notes: str | None
    created_at: Moment


class ToItemDraft(Draft):
    dataset_id: Annotated[str, Field(min_length=1)]


class Queued(Noun):
    trace_id: str
    queued: bool
    queued_at: Moment | None = None


class RootSpan(Noun):
    """As much of a root span as a reviewer needs in a list."""

    id: str
    name: str
    input: AnyJson
    output: AnyJson
    duration_ms: Milliseconds | None


class QueueItem(Noun):
    trace_id: str
    queued_at: Moment
    status: QueueStatus
    annotation_count: int
    root_span: RootSpan | None


class TraceWindow(Noun):
    count: int
    error_count: int
    error_rate: float = Field(description="To 3 decimals; 0 when there are no traces")
    error_rate_ci_95: Interval | None
    avg_duration_ms: float | None = Field(description="Of root spans")
    avg_duration_ci_95_ms: Interval | None = Field(description="Null for fewer than two root spans, or equal durations")


class TraceWindows(Noun):
    last_24h: TraceWindow
    last_7d: TraceWindow


class CompletedExperiment(Noun):
    id: str
    name: str
    completed_at: Moment
    mean_by_scorer: dict[str, float]
    ci_95_by_scorer: dict[str, Interval]


class ExperimentCounts(Noun):
    created_count: int
    running_count: int
    completed_count: int
    most_recent_completed: CompletedExperiment | None


class QueueCounts(Noun):
    pending_count: int
    annotated_count: int


class ProjectSummary(Noun):
    project_id: str
    traces: TraceWindows
    experiments: ExperimentCounts
    queue: QueueCounts
