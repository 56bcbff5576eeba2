"""Experiments as rows of a list, each with its scorers in a few numbers."""

from typing import Literal

from pydantic import Field

from gnomon.model.aggregate import Interval, LabelShare
from gnomon.model.experiment import Experiment, ExperimentCost, ThresholdResult
from gnomon.model.fields import Noun

ScorerKind = Literal["numeric", "categorical"]


class TopLabel(LabelShare):
    """The most frequent label; of equally frequent ones the first in the alphabet."""

    label: str


class ScorerBrief(Noun):
    """One scorer of one experiment. Every number is that of the experiment's summary."""

    scorer_name: str
    kind: ScorerKind | None = Field(description="Numeric where there is any number; null where nothing is scored")
    n_total: int = Field(description="Runs")
    n_scored: int
    n_absent: int
    n_failed: int
    n_pending: int
    reasons: dict[str, int] = Field(description="Why runs have no score → how many")
    mean: float | None
    confidence_interval_95: Interval | None
    ci_method: str | None
    flags: list[str] = Field(description="What a reader should know before trusting the interval")
    top_label: TopLabel | None = Field(description="Of a categorical scorer")


class ExperimentBrief(Noun):
    """What a list shows of an experiment's scores."""

    run_count: int
    expected_run_count: int = Field(description="Items of the pinned dataset version × trials")
    failed_run_count: int = Field(description="Runs that ended in an error")
    scorers: list[ScorerBrief] = Field(description="By name")
    threshold_result: ThresholdResult | None = Field(description="The last one evaluated")
    cost: ExperimentCost | None = Field(description="Null when no run's trace has a model call")


class ExperimentRow(Experiment):
    summary: ExperimentBrief | None = Field(default=None, description="Only with `include=summary`")
