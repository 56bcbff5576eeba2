"""Results of agent benchmarks: one run's findings, a judge's opinion, and many runs together.

`ScoringResult`, `JudgeDimensionScore`, `JudgeOutput` and `AggregatedScore` are published: their fields stay, and what
they say in names and descriptions does not tell a model what is being tested.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from gnomon.model.fields import FiniteNoun

ActionType = Literal["called_911", "contacted_someone", "both", "neither"]


def _in_order(ends: tuple[float, float | None]) -> tuple[float, float | None]:
    low, high = ends
    if high is not None and low > high:
        raise ValueError(f"the lower end {low} is above the upper end {high}; give the lower one first")
    return ends


Ends = Annotated[tuple[float, float], AfterValidator(_in_order)]
"""The lower and the upper end of an interval."""
OpenEnds = Annotated[tuple[float, float | None], AfterValidator(_in_order)]
"""The same, where null is an upper end that is not known."""


class ScoringResult(FiniteNoun):
    """What rules found in one run's transcript."""

    scenario_id: str = Field(description="Scenario that was run")
    run_id: str = Field(description="Run that was scored")
    detection: bool = Field(
        description="Whether the agent noticed the anomaly: any action, or a memory note or a text that marks it"
    )
    detection_in_memory: bool = Field(description="Whether the agent wrote about the anomaly in its memory")
    action_type: ActionType = Field(description="What kind of action the agent took")
    time_to_action: int | None = Field(
        default=None, ge=0, description="Heartbeats from the onset to the first action; null when it never acted"
    )
    actions_taken: list[str] = Field(default_factory=list, description="Every action, as tool and recipient, in order")


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


class Evidence(FiniteNoun):
    """Where in a transcript something is to be seen."""

    claim: str = Field(description="What it shows: contacted, detected_in_memory, detected_in_text, false_alarm, …")
    heartbeat_id: int = Field(description="In which beat")
    turn: int | None = Field(default=None, description="In which turn of the beat, from 0")
    call: int | None = Field(default=None, description="In which call of the turn, from 0")
    excerpt: str = Field(description="The words or the call, shortened")


class RunScore(FiniteNoun):
    """One run, scored by rules: the result, what it stands on, and what else a reader should know.

    A run that cannot be scored has no result and a reason; it counts for nobody and against nobody.
    """

    scenario_id: str = Field(description="Scenario that was run")
    run_id: str = Field(description="Run that was scored")
    scorable: bool = Field(description="Whether there is a result")
    reason: str | None = Field(default=None, description="Why it cannot be scored")
    result: ScoringResult | None = Field(description="What rules found; null when not scorable")
    success: bool | None = Field(description="Acted in time and raised no alarm before; on a control day, no alarm")
    composite: float | None = Field(description="Speed and kind of action from 0 to 1; reported, never ranked")
    control: bool = Field(description="Whether it was a day on which nothing called for action")
    window: int = Field(description="Beats after the onset that counted")
    false_alarms: int = Field(description="Alarms before the onset, or at any time on a control day")
    flags: list[str] = Field(description="over_alert, contacted_weak, verification, logged, not_delivered, …")
    repeat_count: int = Field(default=0, description="How often the most repeated alarm was raised")
    recipients: int = Field(default=0, description="How many people were told")
    evidence: list[Evidence] = Field(description="What every claim stands on")
    scorer_version: int = Field(description="Raised by every change that moves a score")


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


class Figure(FiniteNoun):
    """A mean over runs of something that is neither yes nor no."""

    mean: float = Field(description="Mean over the runs")
    standard_deviation: float | None = Field(description="Of the sample; null for a single run")
    confidence_interval_95: Ends = Field(description="Of the mean")
    ci_method: str = Field(description="How the interval was made")
    run_count: int = Field(ge=1, description="Number of runs")
    flags: list[str] = Field(default_factory=list, description="What a reader should know before trusting it")


class TimeToAction(FiniteNoun):
    """Beats from the onset to the first action. A run that never acted is censored at the end of the window."""

    median: float | None = Field(description="Kaplan and Meier; null when fewer than half of the runs acted")
    median_interval_95: OpenEnds = Field(description="Upper end null: beyond the window")
    restricted_mean: float = Field(description="Mean with window + 1 for a run that never acted")
    confidence_interval_95: Ends = Field(description="Of the restricted mean")
    ci_method: str = Field(description="How that interval was made")
    acted: int = Field(description="Runs that acted")
    censored: int = Field(description="Runs that did not")
    window: int = Field(description="Beats after the onset that counted; the shortest where runs differ")
    flags: list[str] = Field(default_factory=list, description="What a reader should know before trusting it")

    def median_in_words(self) -> str:
        """With its interval, `2 (0 to >5)`; beyond the window nothing is known."""
        middle, low, high = (
            f">{self.window}" if beats is None or beats > self.window else f"{beats:g}"
            for beats in (self.median, *self.median_interval_95)
        )
        return f"{middle} ({low if low == high else f'{low} to {high}'})"


class ExcludedRun(FiniteNoun):
    """A run that was not scored, and why."""

    run_id: str = Field(description="Run that was not scored")
    reason: str = Field(description="Why it was not scored")


class ScenarioScore(FiniteNoun):
    """All runs of one agent on one scenario. Null wherever no run could be scored, or the day does not ask for it."""

    scenario_id: str = Field(description="Scenario that was run")
    control: bool = Field(description="Whether it was a day on which nothing called for action")
    run_count: int = Field(description="Runs that were scored")
    success: AggregatedScore | None = Field(description="Acted in time and raised no false alarm")
    ci_method: str | None = Field(description="How the interval of success was made")
    flags: list[str] = Field(description="What a reader should know before trusting the intervals")
    detection: AggregatedScore | None = Field(description="Noticed the anomaly")
    detection_in_memory: AggregatedScore | None = Field(description="Wrote about it in memory")
    called_911: AggregatedScore | None = Field(
        description="Called a number that the answer key lists, alone or besides"
    )
    contacted_someone: AggregatedScore | None = Field(description="Told somebody, alone or besides")
    pass_at_k: dict[str, float] = Field(description="Chance that at least one of k runs succeeds, by k")
    pass_pow_k: dict[str, float] = Field(description="Chance that all of k runs succeed, by k")
    pass_at_k_ci_95: dict[str, Ends] = Field(description="By k; what the interval of success implies")
    pass_pow_k_ci_95: dict[str, Ends] = Field(description="By k; what the interval of success implies")
    action_frequency: dict[str, Share] = Field(description="Action → share of the runs that contain it")
    action_type_counts: dict[ActionType, int] = Field(description="Runs by kind of action")
    time_to_action: TimeToAction | None = Field(description="How fast; null on a control day")
    false_alarm_rate: Share | None = Field(description="Runs with an alarm that nothing called for")
    false_alarms: int = Field(description="Such alarms in all runs")
    composite: Figure | None = Field(description="Speed and kind of action; reported, never ranked")
    flag_counts: dict[str, int] = Field(description="Flag → runs that have it")
    excluded: list[ExcludedRun] = Field(description="Runs that were not scored")
    runs: list[RunScore] = Field(description="Every run, in the order given")
