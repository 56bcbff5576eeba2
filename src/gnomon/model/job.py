"""Jobs: work that was accepted and will be finished, whatever dies in between."""

from typing import Literal

from pydantic import Field

from gnomon.model.fields import Noun
from gnomon.model.moment import Moment

JobStatus = Literal["queued", "running", "done", "failed", "cancelled"]


class Job(Noun):
    id: str
    project_id: str
    kind: str = Field(description="score_experiment, score_spans, probe_judge, playground, …; judge for one target")
    status: JobStatus
    experiment_id: str | None
    score_id: str | None
    reason: str | None = Field(description="Why it failed")
    attempts: int
    total: int = Field(description="Pieces of work in it")
    counts: dict[str, int] = Field(description="Pieces by what became of them: scored, absent, failed, queued, …")
    parent_id: str | None = Field(default=None, description="The job that this one is a part of")
    target_type: str | None = None
    target_id: str | None = None
    trace_id: str | None = Field(default=None, description="The trace of a target that is a span or a trace")
    scorer_name: str | None = None
    model: str | None = None
    cost_usd: float | None = None
    evidence: str | None = Field(default=None, description="What the model answered, where no score could be read")
    created_at: Moment
    updated_at: Moment


class JobAccepted(Noun):
    job_id: str


class JobKindSummary(Noun):
    """Jobs of one kind."""

    kind: str
    counts: dict[JobStatus, int] = Field(description="Every status → how many jobs")
    cost_usd: float = Field(description="What is known of it")
    unpriced_count: int = Field(description="Jobs that asked a model to the end and whose cost is not known")


class JobsSummary(Noun):
    """A project's jobs by status. A job's parts (`kind` judge) are jobs too, as in the list."""

    project_id: str
    counts: dict[JobStatus, int] = Field(description="Every status → how many jobs")
    cost_usd: float = Field(description="What is known of it")
    unpriced_count: int = Field(description="Jobs that asked a model to the end and whose cost is not known")
    by_kind: list[JobKindSummary]
