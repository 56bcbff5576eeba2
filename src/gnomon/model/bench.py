"""Results of agent benchmarks of any family: what one run came to, a judge's opinion, and many runs together.

A run yields `success` and named metrics. What a metric is called, what kind of number it is and which direction is
good are data of the benchmark's family (`MetricDefinition`); everything that aggregates, ranks or shows results works
by those definitions and knows no family.

`JudgeDimensionScore`, `JudgeOutput` and `AggregatedScore` are published: their fields stay.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from gnomon.model.fields import FiniteNoun

MetricKind = Literal["rate", "figure", "count", "time", "label", "labels"]
"""What a metric's value in one run is, and so how runs are put together.

rate    true or false → the share of runs
figure  a number from 0 to the definition's `maximum` → the mean
count   a whole number from 0 → the total and the mean per run
time    steps until something happened, null when it never did → median and restricted mean of censored data
label   one of several words → how many runs have each
labels  a list of words → the share of runs that contain each
"""
Direction = Literal["higher", "lower", "neutral"]


def _in_order(ends: tuple[float, float | None]) -> tuple[float, float | None]:
    low, high = ends
    if high is not None and low > high:
        raise ValueError(f"the lower end {low} is above the upper end {high}; give the lower one first")
    return ends


Ends = Annotated[tuple[float, float], AfterValidator(_in_order)]
"""The lower and the upper end of an interval."""
OpenEnds = Annotated[tuple[float, float | None], AfterValidator(_in_order)]
"""The same, where null is an upper end that is not known."""


# --- a judge -----


class JudgeDimensionScore(FiniteNoun):
    """A judge's opinion on one dimension."""

    dimension: str = Field(description="Name of the dimension, as the judge's rubric gives it")
    score: float = Field(ge=0, le=10, description="Score from 0 to 10")
    reasoning: str = Field(description="Why the judge gave that score")


class JudgeOutput(FiniteNoun):
    """A judge's whole opinion on one run."""

    reasoning: str = Field(description="The judge's reasoning before it scored")
    dimension_scores: list[JudgeDimensionScore] = Field(description="One entry per dimension")
    overall_score: float = Field(ge=0, le=10, description="Overall score from 0 to 10")
    overall_assessment: str = Field(description="Summary in words")


# --- what a family measures -----


class MetricDefinition(FiniteNoun):
    """One metric of a family: its name, and how it is put together and shown."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,63}$", description="Key in `metrics`, e.g. false_alarm")
    label: str = Field(description="Heading of its column")
    description: str = Field(description="What it means, in a sentence")
    kind: MetricKind = Field(description="What its value in one run is")
    direction: Direction = Field(description="Which values are good; neutral where neither is")
    group: str = Field(description="Group of leaderboard columns that it is shown in")
    maximum: float = Field(default=1.0, gt=0, description="Of a figure: its largest value")
    unit: str = Field(default="steps", description="Of a time: what is counted, in the plural")
    labels: list[str] = Field(default_factory=list, description="Of a label: all that it can be, in order")
    headline: bool = Field(default=False, description="Whether the short table in the terminal has it")


class MetricGroup(FiniteNoun):
    """Metrics that are shown together."""

    name: str = Field(description="What `MetricDefinition.group` refers to")
    label: str = Field(description="Heading of the section")
    description: str = Field(description="What a reader has to know to read these columns")


class FamilyMetrics(FiniteNoun):
    """Everything that a family measures, as data."""

    family: str = Field(description="Name of the benchmark's family")
    success: str = Field(description="What it takes for a run to succeed, in a sentence")
    groups: list[MetricGroup] = Field(description="Sections of a leaderboard, in order")
    metrics: list[MetricDefinition] = Field(description="Columns, in order")

    def definition(self, name: str) -> MetricDefinition:
        return next(metric for metric in self.metrics if metric.name == name)


# --- one run -----


class Evidence(FiniteNoun):
    """Where in a transcript something is to be seen."""

    claim: str = Field(description="What it shows, e.g. false_alarm")
    step_id: int = Field(description="In which step")
    turn: int | None = Field(default=None, description="In which turn of the step, from 0")
    call: int | None = Field(default=None, description="In which call of the turn, from 0")
    excerpt: str = Field(description="The words or the call, shortened")


class MetricValue(FiniteNoun):
    """One metric of one run: a value, or the reason why there is none.

    A `time` without a value and without a reason is censored: nothing happened up to `limit`.
    """

    value: bool | int | float | str | list[str] | None = Field(description="As the metric's kind has it")
    reason: str | None = Field(default=None, description="Why the metric does not apply to this run")
    limit: int | None = Field(default=None, ge=0, description="Of a time: the last step that counted")
    evidence: list[int] = Field(default_factory=list, description="Places in the run's `evidence` that show it")

    @property
    def is_absent(self) -> bool:
        return self.reason is not None


class RunScore(FiniteNoun):
    """One run, scored by its family's rules: success, metrics, and the evidence for them.

    A run that cannot be scored has a reason instead, and is left out of rates and means.
    """

    schema_version: Literal[2] = Field(default=2, description="Of this format")
    family: str = Field(description="Family of the benchmark")
    scenario_id: str = Field(description="Scenario that was run")
    run_id: str = Field(description="Run that was scored")
    scorable: bool = Field(description="Whether there is a result")
    reason: str | None = Field(default=None, description="Why it cannot be scored")
    success: bool | None = Field(description="Whether the run did what its scenario asks for; null when not scorable")
    metrics: dict[str, MetricValue] = Field(default_factory=dict, description="By metric; empty when not scorable")
    result: dict[str, Any] | None = Field(default=None, description="The family's own record of the run, as JSON")
    settings: dict[str, Any] = Field(default_factory=dict, description="Settings that the score depends on")
    flags: list[str] = Field(default_factory=list, description="What else a reader should know of the run")
    evidence: list[Evidence] = Field(default_factory=list, description="What the claims stand on")
    scorer_version: int = Field(description="Of the family's rules; raised by every change that moves a score")

    def value(self, metric: str) -> Any:
        """A metric's value; None where the run has none."""
        value = self.metrics.get(metric)
        return None if value is None else value.value


# --- several runs -----


class AggregatedScore(FiniteNoun):
    """One metric over several runs."""

    mean: float = Field(description="Mean over the runs")
    standard_deviation: float = Field(
        ge=0, description="Sample standard deviation over the runs (n - 1); 0.0 for a single run"
    )
    confidence_interval_95: Ends = Field(description="Lower and upper end of the 95 % interval of the mean")
    run_count: int = Field(ge=1, description="Number of runs")
    pass_at_k: float = Field(
        ge=0, le=1, description="Probability that at least one of k runs succeeds, estimated for k = run_count"
    )
    pass_pow_k: float = Field(
        ge=0, le=1, description="Probability that all of k runs succeed, estimated for k = run_count"
    )


class Share(FiniteNoun):
    """In how many of the runs something is so."""

    count: int = Field(ge=0, description="Runs in which it is so")
    run_count: int = Field(ge=1, description="Runs")
    share: float = Field(description="count / run_count")
    confidence_interval_95: Ends = Field(description="Of the share, by Wilson")


class MeanOverRuns(FiniteNoun):
    """A mean over runs, or over scenarios."""

    mean: float = Field(description="Mean over the runs")
    standard_deviation: float | None = Field(description="Of the sample; null for a single run")
    confidence_interval_95: Ends = Field(description="Of the mean")
    ci_method: str = Field(description="How the interval was made")
    run_count: int = Field(ge=1, description="Number of runs")
    flags: list[str] = Field(default_factory=list, description="What a reader should know before trusting it")


class TimeToEvent(FiniteNoun):
    """Steps until something happened. A run in which it never did is censored at the limit."""

    median: float | None = Field(description="Kaplan and Meier; null when it happened in fewer than half of the runs")
    median_interval_95: OpenEnds = Field(description="Upper end null: beyond the limit")
    restricted_mean: float = Field(description="Mean with limit + 1 for a run in which it never happened")
    confidence_interval_95: Ends = Field(description="Of the restricted mean")
    ci_method: str = Field(description="How that interval was made")
    happened: int = Field(description="Runs in which it happened")
    censored: int = Field(description="Runs in which it did not")
    limit: int = Field(description="The last step that counted; the earliest where runs differ")
    flags: list[str] = Field(default_factory=list, description="What a reader should know before trusting it")

    def median_in_words(self) -> str:
        """The median with its interval, as in `2 (0 to >5)`; beyond the limit nothing is known."""
        middle, low, high = (
            f">{self.limit}" if steps is None or steps > self.limit else f"{steps:g}"
            for steps in (self.median, *self.median_interval_95)
        )
        return f"{middle} ({low if low == high else f'{low} to {high}'})"


class RateSummary(AggregatedScore):
    """A rate over the runs of one scenario."""

    kind: Literal["rate"] = Field(default="rate", description="Of the metric")


class MeanSummary(MeanOverRuns):
    """A figure over runs; over several scenarios, also a rate: every scenario counts the same."""

    kind: Literal["rate", "figure"] = Field(description="Of the metric")


class CountSummary(FiniteNoun):
    kind: Literal["count"] = Field(default="count", description="Of the metric")
    total: int = Field(description="Over all runs")
    run_count: int = Field(ge=1, description="Runs that have a value")
    mean: float = Field(description="Per run")
    confidence_interval_95: Ends = Field(description="Of the mean")
    ci_method: str = Field(description="How the interval was made: t, or poisson where all runs have the same count")
    flags: list[str] = Field(default_factory=list, description="What a reader should know before trusting it")


class TimeSummary(TimeToEvent):
    kind: Literal["time"] = Field(default="time", description="Of the metric")


class LabelSummary(FiniteNoun):
    kind: Literal["label"] = Field(default="label", description="Of the metric")
    counts: dict[str, int] = Field(description="Label → runs that have it")
    run_count: int = Field(ge=1, description="Runs that have a value")


class LabelsSummary(FiniteNoun):
    """Over the runs of one scenario."""

    kind: Literal["labels"] = Field(default="labels", description="Of the metric")
    shares: dict[str, Share] = Field(description="Label → share of the runs that contain it, the most frequent first")
    run_count: int = Field(ge=1, description="Runs that have a value")


class LabelMeansSummary(FiniteNoun):
    """Over several scenarios, each of which counts the same."""

    kind: Literal["labels"] = Field(default="labels", description="Of the metric")
    means: dict[str, MeanOverRuns] = Field(
        description="Label → share of the runs that contain it, the most frequent first"
    )


ScenarioMetric = Annotated[
    RateSummary | MeanSummary | CountSummary | TimeSummary | LabelSummary | LabelsSummary, Field(union_mode="smart")
]
"""A metric over the runs of one scenario."""
AgentMetric = Annotated[
    MeanSummary | CountSummary | TimeSummary | LabelSummary | LabelMeansSummary, Field(union_mode="smart")
]
"""A metric over several scenarios."""


class ExcludedRun(FiniteNoun):
    """A run that was not scored, and why."""

    run_id: str = Field(description="Run that was not scored")
    reason: str = Field(description="Why it was not scored")


class ScenarioScore(FiniteNoun):
    """All runs of one agent on one scenario. A metric that no run has a value for is not in `metrics`."""

    scenario_id: str = Field(description="Scenario that was run")
    family: str = Field(description="Family of the benchmark")
    run_count: int = Field(description="Runs that were scored")
    success: AggregatedScore | None = Field(description="Share of the runs that succeed; null when none was scored")
    ci_method: str | None = Field(description="How the interval of success was made")
    flags: list[str] = Field(description="What a reader should know before trusting the intervals")
    pass_at_k: dict[str, float] = Field(description="Chance that at least one of k runs succeeds, by k")
    pass_pow_k: dict[str, float] = Field(description="Chance that all of k runs succeed, by k")
    pass_at_k_ci_95: dict[str, Ends] = Field(description="By k; what the interval of success implies")
    pass_pow_k_ci_95: dict[str, Ends] = Field(description="By k; what the interval of success implies")
    metrics: dict[str, ScenarioMetric] = Field(description="By metric")
    flag_counts: dict[str, int] = Field(description="Flag → runs that have it")
    excluded: list[ExcludedRun] = Field(description="Runs that were not scored")
    runs: Sequence[RunScore] = Field(description="Every run, in the order given")
