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


class AggregatedScore(BaseModel):
    """One metric over several runs."""

    model_config = ConfigDict(frozen=True)

    mean: float = Field(description="Mean over the runs")
    standard_deviation: float = Field(ge=0, description="Sample standard deviation over the runs")
    confidence_interval_95: tuple[float, float] = Field(description="Lower and upper end of the 95 % interval")
    run_count: int = Field(ge=1, description="Number of runs")
    pass_at_k: float = Field(ge=0, le=1, description="Chance that at least one of k runs succeeds")
    pass_pow_k: float = Field(ge=0, le=1, description="Chance that all of k runs succeed")
