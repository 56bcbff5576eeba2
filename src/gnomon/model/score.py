"""Scores: a number in [0, 1] or a label, attached to a run, a span, an iteration or a conversation.

What could not be scored has no score but a `ScoringState` that says why.
"""

import math
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from gnomon.model.fields import ClientId, Draft, Name, Noun, ProjectId, Reason
from gnomon.model.jsonvalue import not_too_deep
from gnomon.model.moment import Moment
from gnomon.shorten import shorten_repr

TargetType = Literal["run", "span", "iteration", "conversation"]
Source = Literal["api", "builtin", "judge", "human"]
State = Literal["queued", "running", "scored", "absent", "failed", "sampled_out", "cancelled"]

MAX_SCORES = 1000
"""In one batch."""
CONFIG_KEYS = frozenset(
    {"abs_tol", "args", "case_sensitive", "choices", "expected", "expected_output", "extract", "fence", "flags",
     "ignore", "labels", "lowercase", "mode", "model", "partial", "pattern", "prompt_template", "reading", "rel_tol",
     "rubric", "samples", "schema", "score_extraction", "score_range", "strip_punctuation", "strip_whitespace",
     "system_prompt", "temperature", "tolerance", "values"}
)  # fmt: skip
"""Every key that some built-in scorer's configuration has. Scorers are a layer above: a test holds this to theirs."""


def _score_value(value: Any) -> Any:
    """The contract has two codes: a value of the wrong kind or range, and a label without text."""
    if value is None or (isinstance(value, str) and value):
        return value
    if value == "" and isinstance(value, str):
        raise PydanticCustomError("INVALID_REQUEST", "a label must not be empty; name it, or leave `value` out")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError(
            "INVALID_SCORE_VALUE",
            "a score is a number in [0, 1] or a non-empty label, not {kind}",
            {"kind": _kind(value)},
        )
    if not (math.isfinite(value) and 0 <= value <= 1):
        raise PydanticCustomError(
            "INVALID_SCORE_VALUE",
            "score {value} is outside [0, 1]; divide by your scale first",
            {"value": shorten_repr(value, 30)},
        )
    return float(value)


def _kind(value: Any) -> str:
    return {bool: "a boolean", list: "a list", dict: "an object"}.get(type(value), type(value).__name__)


ScoreValue = Annotated[
    float | str | None,
    BeforeValidator(_score_value),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": 0, "maximum": 1},
                {"type": "string", "minLength": 1},
                {"type": "null"},
            ]
        }
    ),
]
JsonObject = Annotated[dict[str, Any], AfterValidator(not_too_deep)]


class ScorerSpec(Draft):
    """A scorer, by name and configuration."""

    scorer_name: Name
    scorer: Name | None = Field(default=None, description="The built-in to run; `scorer_name` unless said")
    config: JsonObject | None = Field(
        default=None, description="The scorer's own keys, such as `expected_output`; beside it they are refused"
    )

    @model_validator(mode="before")
    @classmethod
    def _no_configuration_outside(cls, fields: Any) -> Any:
        """Unknown fields are ignored, but ignoring these would silently make another score, or none."""
        if isinstance(fields, dict) and not CONFIG_KEYS.isdisjoint(fields):
            foreign = CONFIG_KEYS - cls.model_fields.keys()
            outside = [key for key in fields if key in foreign and fields[key] is not None]
            if outside:
                words = "a scorer's configuration belongs in `config`; move {keys} there"
                raise PydanticCustomError("INVALID_REQUEST", words, {"keys": ", ".join(outside), "field": outside[0]})
        return fields


class InlineScoreDraft(ScorerSpec):
    """A score inside a run or a span: its value, or why there is none; with neither a built-in computes it."""

    value: ScoreValue = None
    absent: Reason | None = Field(
        default=None, description="Why there is nothing to score: kept as a scoring state, without a score"
    )
    failed: Reason | None = Field(
        default=None, description="Why scoring failed: kept as a scoring state, without a score"
    )
    rationale: str | None = None
    metadata: JsonObject | None = None
    source: Source | None = Field(default=None, description="Only `human` is taken from a caller")

    @model_validator(mode="after")
    def _one_result(self) -> "InlineScoreDraft":
        if self.absent is not None or self.failed is not None:
            results = [name for name in ("value", "absent", "failed") if getattr(self, name) is not None]
            if len(results) > 1:
                words = "{names} contradict each other; send one of `value`, `absent` and `failed`, or none"
                names = " and ".join(f"`{name}`" for name in results)
                raise PydanticCustomError("INVALID_REQUEST", words, {"names": names, "field": results[1]})
        return self

    @property
    def is_computed(self) -> bool:
        """Whether a built-in is to find out, since the caller says nothing."""
        return self.value is None and self.absent is None and self.failed is None

    def part(self, name: str) -> "InlineScoreDraft":
        """The draft of one of a scorer's parts. The configuration stands on the score of the whole."""
        return self.model_copy(update={"scorer_name": name, "config": None})


class ScoreDraft(InlineScoreDraft):
    target_id: Annotated[str, Field(min_length=1)]
    target_type: TargetType
    trace_id: ClientId | None = Field(
        default=None, description="Needed for a span of OpenTelemetry's, and when several traces hold that span id"
    )
    project_id: ProjectId | None = Field(
        default=None,
        description="Needed when several projects have a conversation of that id, or a span of that id and `trace_id`",
    )


class ScoreBatchDraft(Draft):
    scores: Annotated[list[ScoreDraft], Field(min_length=1, max_length=MAX_SCORES)]


class Score(Noun):
    id: str
    project_id: str
    target_id: str
    target_type: TargetType
    trace_id: str | None = Field(description="For a span's score")
    scorer_name: str
    value: float | str
    rationale: str | None
    source: Source
    scorer: str | None = Field(description="The built-in that computed it")
    config: dict[str, Any] | None
    config_hash: str | None
    metadata: dict[str, Any] | None
    created_at: Moment
    stale: bool = Field(
        default=False, description="A score of a whole trace or conversation to which something came later"
    )
    author: str | None = Field(default=None, description="Who gave it, where it came with an annotation")


class ScoresAccepted(Noun):
    accepted: int
    score_ids: list[str | None] = Field(description="One each, in order; null where the result is absent")
    job_ids: list[str]


class ScoringState(Noun):
    """Why a target has, or has not, a score of one scorer."""

    target_id: str
    target_type: TargetType
    trace_id: str | None
    scorer_name: str
    config_hash: str | None
    state: State
    reason: str | None
    job_id: str | None
    updated_at: Moment
