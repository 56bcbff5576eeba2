"""A project's front page in one answer."""

from typing import Literal

from pydantic import Field

from gnomon.model.aggregate import Interval
from gnomon.model.dataset import Dataset
from gnomon.model.drift import DriftSeries, DriftStatus
from gnomon.model.experiment import Experiment, Summary
from gnomon.model.fields import Noun
from gnomon.model.moment import Moment
from gnomon.model.review import QueueCounts
from gnomon.model.trace import Project

Window = Literal["24h", "7d", "30d"]


class WindowCost(Noun):
    """What the model calls in some traces cost."""

    usd: float | None = Field(description="Null when a model call has no known price, or when there is none")
    known_usd: float = Field(description="Of the model calls whose price is known")
    unpriced_span_count: int = Field(description="Model calls without a known price")
    reason: str | None = Field(description="Why `usd` is null")


class TraceFigures(Noun):
    """The traces that came in a window of time."""

    count: int
    error_count: int = Field(description="Traces with an error in some span")
    error_rate: float | None = Field(description="Null without traces")
    error_rate_ci_95: Interval | None = Field(description="Wilson's interval")
    timed_count: int = Field(description="Traces whose root span has a duration")
    mean_duration_ms: float | None = Field(description="Of root spans; null when none has a duration")
    mean_duration_ci_95_ms: Interval | None = Field(
        description="Null for fewer than two root spans, or equal durations"
    )
    tokens: int
    cost: WindowCost


class StatusCounts(Noun):
    created_count: int
    running_count: int
    completed_count: int


class LastCompleted(Noun):
    """The experiment that was completed last. Its last gate is the summary's `threshold_result`."""

    experiment: Experiment
    summary: Summary


class DriftAlarms(Noun):
    """What `GET /v1/projects/{id}/drift` says, without the days."""

    status: DriftStatus
    watched_count: int = Field(description="Scorers on spans that were looked at")
    alarms: list[DriftSeries] = Field(description="The scorers whose mean has moved; their `days` are left empty")


class Dashboard(Noun):
    project: Project
    window: Window
    after: Moment = Field(description="Start of the window")
    traces: TraceFigures
    experiments: StatusCounts
    last_completed: LastCompleted | None
    queue: QueueCounts = Field(description="Traces in the review queue, whatever the window")
    datasets: list[Dataset] = Field(description="The five that were changed last, the newest change first")
    drift: DriftAlarms
