"""How long a project keeps its traces, and how much it holds."""

from typing import Annotated

from pydantic import Field

from gnomon.model.fields import Draft, Noun

LONGEST_DAYS = 36_500
"""A hundred years: more is for ever."""

RetentionDays = Annotated[int, Field(strict=True, ge=1, le=LONGEST_DAYS)]


class RetentionDraft(Draft):
    retention_days: RetentionDays | None = Field(default=None, description="Null or left out: for ever")
    keep_scored: bool = Field(default=False, description="Keep every trace that has a score")


class Retention(Noun):
    """After how many days without a new span a trace is deleted. What runs, dataset items, annotations, people's scores
    or the review queue refer to stays."""

    project_id: str
    retention_days: int | None = Field(description="Null: for ever")
    keep_scored: bool


class ProjectContents(Noun):
    """How much a project holds: what is deleted with it."""

    project_id: str
    traces: int
    spans: int
    datasets: int
    dataset_items: int = Field(description="Of the newest versions")
    experiments: int
    runs: int
    iterations: int
    rules: int
    keys: int = Field(description="API keys that are bound to the project")
