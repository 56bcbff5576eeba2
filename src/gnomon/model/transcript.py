"""What an agent did, in any runner: steps, each with its input and the turns that answered it.

A step is what one message to the agent sets off: an update of a benchmark, or a user's message in a conversation. How
files of the first published format are read and written is in `firstformat.py`.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

from gnomon.model.tools import Data

Status = Literal["ok", "aborted", "error"]
StopReason = Literal["final_text", "max_turns", "error"]
NO_MODEL = "none"
"""How a model that a run does not use is written."""


class RunConfig(BaseModel):
    """How a run is made. Sampling settings belong into `model_params`, a family's own into `settings`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    agent_model: str = Field(description="The agent: a model's name or another agent specification")
    user_sim_model: str = Field(description="Who answers for the user: none, scripted, or a model's name")
    judge_model: str = Field(description="Who judges: none, or a model's name")
    model_params: dict[str, Any] = Field(default_factory=dict, description="Passed to the agent's model")
    max_tool_turns: int = Field(default=10, ge=1, description="Rounds of tool calls in a step")
    settings: dict[str, Any] = Field(default_factory=dict, description="Settings of the benchmark's family")

    @model_validator(mode="before")
    @classmethod
    def _sampling_goes_elsewhere(cls, fields: Any, info: ValidationInfo) -> Any:
        if isinstance(fields, dict) and cls.model_config.get("extra") == "forbid":
            for key in fields:
                if key not in cls.model_fields:
                    raise PydanticCustomError(
                        "unknown_key",
                        "{key} is not known here; sampling settings such as temperature belong into model_params",
                        {"key": key},
                    )
        return fields


class RecordedConfig(RunConfig):
    """A run's configuration as a transcript holds it: whatever else is there is kept."""

    model_config = ConfigDict(frozen=True, extra="allow")


class Usage(Data):
    """Tokens; null where the count is not known."""

    input: int | None = None
    output: int | None = None


class ToolCall(Data):
    tool: str = Field(description="Name of the tool, dots and all")
    args: dict[str, Any] = Field(description="Its arguments")
    result: dict[str, Any] = Field(description="What came back")
    routed_to: str = Field(description="What answered it, or none")
    id: str | None = None
    ok: bool | None = Field(default=None, description="False when it came back as an error")
    duration_ms: float | None = None


class Turn(Data):
    agent_text: str | None = Field(default=None, description="What the agent wrote")
    tool_calls: list[ToolCall] = Field(description="What it called, in order")


class MemoryOp(Data):
    op: Literal["read", "write", "list"] = Field(description="What was done")
    key: str | None = Field(default=None, description="With which file")
    content: str | None = Field(default=None, description="What was written")


class UserSimInteraction(Data):
    type: Literal["message", "call"] = Field(description="How the user was reached")
    agent_sent: str = Field(description="What the agent said")
    user_response: str | None = Field(default=None, description="What the user said; null for silence")


class ContextSent(Data):
    system_prompt_tokens: int = Field(description="Size of the system prompt")
    user_message_tokens: int = Field(description="Size of the step's message")


class Step(Data):
    step_id: int = Field(description="Which step, in ascending order")
    timestamp: str = Field(default="", description="Simulated time")
    scenario_hash: str = Field(default="", description="Content hash of the scenario")
    context_sent: ContextSent | None = Field(default=None, description="How much the agent was given")
    turns: list[Turn] = Field(description="What the agent said and did")
    memory_ops: list[MemoryOp] = Field(default_factory=list, description="Its use of memory")
    user_sim_interactions: list[UserSimInteraction] = Field(default_factory=list, description="With the user")
    user_message: str | None = Field(default=None, description="What the agent was given")
    usage: Usage | None = None
    cost_usd: float | None = None
    latency_ms: float | None = None
    stop_reason: StopReason | None = None
    error: str | None = Field(default=None, description="Why the step ended without the agent's last word")
    truncated_calls: list[str] | None = Field(default=None, description="Tools asked for after the last round")
    served_model: str | None = None


class RunHeader(Data):
    """The first line of a transcript: all that is known before the first step."""

    schema_version: int = 2
    family: str = Field(default="", description="Family of the benchmark; empty where it was not recorded")
    scenario_id: str
    run_id: str
    run_config: RecordedConfig
    agent_id: str
    run_number: int = 1
    content_hash: str = ""
    package_hash: str = ""
    tools_hash: str = ""
    prompt_hash: str = ""
    system_prompt: str | None = None
    harness_version: str = ""
    started_at: str = ""
    planned_steps: int | None = Field(default=None, description="Steps that a whole run has; null: not known ahead")
    start_step: int = Field(default=0, description="The first step that was played")


class RunEnd(Data):
    """The last line: how the run ended and what it took. A transcript without one was cut short."""

    status: Status
    reason: str | None = None
    finished_at: str = ""
    steps: int = 0
    usage: Usage | None = None
    cost_usd: float | None = None
    latency_ms: float | None = None
    served_model: str | None = None
    memory: dict[str, str] = Field(default_factory=dict, description="Memory at the end: key → content")
    state: Any = Field(default=None, description="The world at the end, where its family keeps one; JSON")


class Transcript(Data):
    """One run. `end` is null where the file says nothing of how it ended."""

    scenario_id: str = Field(description="Scenario or task")
    run_id: str = Field(description="Which run")
    run_config: RecordedConfig | None = Field(default=None, description="How it was run")
    steps: list[Step] = Field(description="The steps that were played, in order")
    header: RunHeader | None = None
    end: RunEnd | None = None
    source: str = Field(default="gnomon", description="Format it was read from")
    metadata: dict[str, Any] = Field(default_factory=dict, description="What its source says besides")

    @property
    def is_cut(self) -> bool:
        """Whether our own runner began it and never ended it."""
        return self.header is not None and self.end is None

    def calls(self) -> list[ToolCall]:
        return [call for step in self.steps for turn in step.turns for call in turn.tool_calls]

    def final_text(self) -> str | None:
        """The last thing that the agent said."""
        texts = [turn.agent_text for step in self.steps for turn in step.turns if turn.agent_text]
        return texts[-1] if texts else None
