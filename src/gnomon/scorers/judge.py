"""The LLM judge's configuration. Asking a model is another room's work."""

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from gnomon.model.jsonvalue import AnyJson
from gnomon.scorers.protocol import Kind, WrongKeyError

PLACEHOLDERS = ("{{input}}", "{{output}}")
MOST_SAMPLES = 25

Finite = Annotated[float, Field(allow_inf_nan=False)]


class ScoreRange(BaseModel):
    """The scale that the judge is asked to use."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    min: Finite
    max: Finite

    @model_validator(mode="after")
    def _ascending(self) -> "ScoreRange":
        if self.min >= self.max:
            raise ValueError(f"min {self.min:g} must be less than max {self.max:g}")
        return self


class LlmJudge(BaseModel):
    """A model's opinion on one output, as a number or a label."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    version: ClassVar[int] = 1
    name: Literal["llm_judge"] = "llm_judge"
    model: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    prompt_template: str
    system_prompt: str | None = None
    score_extraction: Literal["numeric", "label"] = "numeric"
    score_range: ScoreRange = ScoreRange(min=0, max=1)
    labels: Annotated[list[str], Field(min_length=1)] | None = None
    reading: Literal["first_number", "last_number", "structured"] = "first_number"
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    samples: Annotated[int, Field(ge=1, le=MOST_SAMPLES)] = 1
    fence: bool = True
    expected_output: AnyJson = None

    @property
    def kind(self) -> Kind:
        return "categorical" if self.score_extraction == "label" else "numeric"

    @field_validator("prompt_template")
    @classmethod
    def _has_placeholders(cls, template: str) -> str:
        if missing := [placeholder for placeholder in PLACEHOLDERS if placeholder not in template]:
            raise ValueError(f"must contain {' and '.join(missing)}, written without blanks")
        return template

    @field_validator("labels")
    @classmethod
    def _distinct(cls, labels: list[str] | None) -> list[str] | None:
        folded = [label.strip().casefold() for label in labels or ()]
        if not all(folded):
            raise ValueError("a label must not be empty")
        if len(set(folded)) < len(folded):
            raise ValueError("two labels are the same when case is ignored; make them distinct")
        return labels

    @model_validator(mode="after")
    def _labels_are_asked_for(self) -> "LlmJudge":
        if self.labels is not None and self.score_extraction != "label":
            raise WrongKeyError("labels", 'they are only read with score_extraction "label"; set it, or leave them out')
        return self
