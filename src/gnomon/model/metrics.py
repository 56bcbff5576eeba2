"""Metrics of a whole experiment that are not means of scores: corpus BLEU, a calibration error."""

import math
from typing import Annotated, Any, LiteralString

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from gnomon.model.aggregate import Interval
from gnomon.model.fields import NAME_LIMIT, Count, Draft, Name, Noun, Reason

MOST_METRICS = 100
_Finite = Annotated[float, Field(allow_inf_nan=False)]
_Ends = Annotated[tuple[_Finite, _Finite], Field(strict=False)]  # JSON has lists only


def _bad(field: str, words: LiteralString) -> PydanticCustomError:
    return PydanticCustomError("INVALID_REQUEST", words, {"field": field})


def _metric_value(value: Any) -> Any:
    if isinstance(value, bool) or not (value is None or isinstance(value, int | float | str)):
        raise PydanticCustomError("INVALID_REQUEST", "a metric is a finite number, a label or null")
    if isinstance(value, str):
        if not 1 <= len(value) <= NAME_LIMIT or not value.strip():
            words = "a label has 1 to {most} characters that are not all blank"
            raise PydanticCustomError("INVALID_REQUEST", words, {"most": NAME_LIMIT})
        return value
    if value is not None and not math.isfinite(value):
        raise PydanticCustomError("INVALID_REQUEST", "a metric is finite; send null and a reason instead")
    return None if value is None else float(value)


MetricValue = Annotated[
    float | str | None,
    BeforeValidator(_metric_value),
    WithJsonSchema(
        {"anyOf": [{"type": "number"}, {"type": "string", "minLength": 1, "maxLength": NAME_LIMIT}, {"type": "null"}]}
    ),
]


class MetricDraft(Draft):
    """One number (or label) about a whole experiment; without one, why there is none."""

    value: MetricValue = None
    confidence_interval_95: _Ends | None = None
    ci_method: Name | None = None
    reason: Reason | None = Field(default=None, description="Why there is no value, or no interval")
    n: Count | None = Field(default=None, description="How many runs it is over")

    @model_validator(mode="after")
    def _fits_together(self) -> "MetricDraft":
        ends = self.confidence_interval_95
        if self.value is None and self.reason is None:
            raise _bad("reason", "a metric without a value says why there is none")
        if ends is not None and not isinstance(self.value, float):
            raise _bad("confidence_interval_95", "only a number has an interval")
        if ends is not None and ends[0] > ends[1]:
            raise _bad("confidence_interval_95", "the low end comes first")
        if self.ci_method is not None and ends is None:
            raise _bad("ci_method", "there is no interval that it made; leave `ci_method` out")
        return self


class MetricsDraft(Draft):
    """All metrics of an experiment: one that is left out is deleted."""

    metrics: Annotated[dict[Name, MetricDraft], Field(max_length=MOST_METRICS)]


class ExperimentMetric(Noun):
    """One number (or label) about a whole experiment."""

    value: float | str | None
    confidence_interval_95: Interval | None
    ci_method: str | None
    reason: str | None = Field(description="Why there is no value, or no interval")
    n: int | None = Field(description="How many runs it is over")


class Metrics(Noun):
    experiment_id: str
    metrics: dict[str, ExperimentMetric] = Field(description="By name")
