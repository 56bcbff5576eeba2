"""Results of agent benchmarks: one run's findings, a judge's opinion, and many runs together."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

ActionType = Literal["called_911", "contacted_someone", "both", "neither"]


class ScoringResult(BaseModel):
    """What rules found in one run's transcript."""

    model_config = ConfigDict(frozen=True)

    scenario_id: str = Field(description="Scenario that was run")
    run_id: str = Field(description="Run that was scored")
    detection: bool = Field(description="Whether the agent noticed the anomaly: true when it took any action")
    detection_in_memory: bool = Field(description="Whether the agent wrote about the anomaly in its memory")
    action_type: ActionType = Field(description="What kind of action the agent took")
    time_to_action: int | None = Field(
        default=None, ge=0, description="Heartbeats from the onset to the first action; null when it never acted"
    )
    actions_taken: list[str] = Field(default_factory=list, description="Every action, as tool and recipient, in order")


class JudgeDimensionScore(BaseModel):
    """A judge's opinion on one dimension."""

    model_config = ConfigDict(frozen=True)

    dimension: str = Field(description="Name of the dimension, as the judge's rubric gives it")
    score: float = Field(ge=0, le=10, description="Score from 0 to 10")
    reasoning: str = Field(description="Why the judge gave that score")


class JudgeOutput(BaseModel):
    """A judge's whole opinion on one run."""

    model_config = ConfigDict(frozen=True)

    reasoning: str = Field(description="The judge's reasoning before it scored")
    dimension_scores: list[JudgeDimensionScore] = Field(description="One entry a dimension")
    overall_score: float = Field(ge=0, le=10, description="Overall score from 0 to 10")
    overall_assessment: str = Field(description="Summary in words")


class Evidence(BaseModel):
    """Where in a transcript something is to be seen."""

    model_config = ConfigDict(frozen=True)

    claim: str = Field(description="What it shows: called_911, contacted, detected_in_memory, false_alarm, …")
    heartbeat_id: int = Field(description="In which beat")
    turn: int | None = Field(default=None, description="In which turn of the beat, from 0")
    call: int | None = Field(default=None, description="In which call of the turn, from 0")
    excerpt: str = Field(description="The words or the call, shortened")


class RunScore(BaseModel):
    """One run, scored by rules: the result, what it stands on, and what else a reader should know.

    A run that cannot be scored has no result and a reason; it counts for nobody and against nobody.
    """

    model_config = ConfigDict(frozen=True)

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


class AggregatedScore(BaseModel):
    """One metric over several runs."""

    model_config = ConfigDict(frozen=True)

    mean: float = Field(description="Mean over the runs")
    standard_deviation: float = Field(ge=0, description="Sample standard deviation over the runs")
    confidence_interval_95: tuple[float, float] = Field(description="Lower and upper end of the 95 % interval")
    run_count: int = Field(ge=1, description="Number of runs")
    pass_at_k: float = Field(ge=0, le=1, description="Chance that at least one of k runs succeeds")
    pass_pow_k: float = Field(ge=0, le=1, description="Chance that all of k runs succeed")
