"""How scores moved over time: from experiment to experiment, and on the spans of a project."""

from typing import Literal

from pydantic import Field

from gnomon.model.aggregate import Interval
from gnomon.model.fields import Noun
from gnomon.model.moment import Moment

Bucket = Literal["hour", "day"]
TrendOrder = Literal["completed_at", "-completed_at"]


class ScorerPoint(Noun):
    """One scorer in one experiment: the same figures as in the experiment's summary."""

    scorer_name: str
    mean: float | None
    confidence_interval_95: Interval | None
    ci_method: str | None
    flags: list[str] = Field(description="What a reader should know before trusting the interval")
    n: int = Field(description="Runs with a score")
    n_items: int = Field(description="Items with a number")
    reason: str | None = Field(description="Why there is no mean")


class ExperimentPoint(Noun):
    """A completed experiment as a point of a trend."""

    experiment_id: str
    name: str
    dataset_id: str
    dataset_version: int
    completed_at: Moment
    run_count: int
    failed_run_count: int
    expected_run_count: int
    scorers: list[ScorerPoint] = Field(description="By name; only the scorer that was asked for, where one was")


class ScoreBucket(Noun):
    """The numbers that one scorer gave to the spans which began in an hour or on a day (UTC)."""

    start: Moment
    n: int = Field(description="Scores")
    mean: float
    confidence_interval_95: Interval
    ci_method: str
    flags: list[str] = Field(description="What a reader should know before trusting the interval")
    config_hashes: list[str | None] = Field(
        description="Configurations of the scorer that are in it; null for scores that were sent as they are"
    )


class ScoreSeries(Noun):
    scorer_name: str
    points: list[ScoreBucket] = Field(description="Oldest first; a bucket without scores is left out")


class ScoreTrends(Noun):
    """Mean scores of spans over time. Every score counts as one, also where several are on one trace."""

    project_id: str
    bucket: Bucket
    after: Moment = Field(description="Start of the first bucket")
    before: Moment = Field(description="End of the last bucket")
    series: list[ScoreSeries] = Field(description="By name of the scorer")
    notes: list[str] = Field(description="What is not in the figures, and why")
