"""What rules found in one run, as it was first published: these fields stay, with their names and constraints."""

from typing import Literal

from pydantic import Field

from gnomon.model.fields import FiniteNoun

ActionType = Literal["called_911", "contacted_someone", "both", "neither"]


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
