"""The four models of benchmark results keep their contract: frozen, described, constrained."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from gnomon.model.bench import AggregatedScore, JudgeDimensionScore, JudgeOutput, ScoringResult

MODELS = [ScoringResult, JudgeDimensionScore, JudgeOutput, AggregatedScore]
RESULT: dict[str, Any] = {
    "scenario_id": "s", "run_id": "r", "detection": True, "detection_in_memory": False, "action_type": "neither",
}  # fmt: skip
TOTAL: dict[str, Any] = {
    "mean": 0.5, "standard_deviation": 0.1, "confidence_interval_95": (0.4, 0.6), "run_count": 5, "pass_at_k": 1.0,
    "pass_pow_k": 0.0,
}  # fmt: skip


@pytest.mark.parametrize("model", MODELS)
def test_every_field_is_described(model: type[BaseModel]) -> None:
    assert all(field.description for field in model.model_fields.values())


@pytest.mark.parametrize("model", MODELS)
def test_models_are_frozen(model: type[BaseModel]) -> None:
    assert model.model_config["frozen"] is True


def test_a_result_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        ScoringResult(**RESULT).detection = False  # type: ignore[misc]


@pytest.mark.parametrize("beats", [None, 0, 7])
def test_time_to_action_is_absent_or_not_negative(beats: int | None) -> None:
    assert ScoringResult(**RESULT, time_to_action=beats).time_to_action == beats


def test_a_result_without_actions_has_an_empty_list() -> None:
    assert ScoringResult(**RESULT).actions_taken == []


@pytest.mark.parametrize(
    ("model", "good", "bad"),
    [
        (ScoringResult, RESULT, {"time_to_action": -1}),
        (ScoringResult, RESULT, {"action_type": "called_police"}),
        (JudgeDimensionScore, {"dimension": "d", "reasoning": "r", "score": 0}, {"score": 10.1}),
        (JudgeDimensionScore, {"dimension": "d", "reasoning": "r", "score": 10}, {"score": -0.1}),
        (JudgeOutput, {"reasoning": "r", "dimension_scores": [], "overall_score": 5, "overall_assessment": "a"},
         {"overall_score": 11}),
        (AggregatedScore, TOTAL, {"standard_deviation": -0.01}),
        (AggregatedScore, TOTAL, {"run_count": 0}),
        (AggregatedScore, TOTAL, {"pass_at_k": 1.1}),
        (AggregatedScore, TOTAL, {"pass_pow_k": -0.1}),
    ],
)  # fmt: skip
def test_constraints_hold(model: type[BaseModel], good: dict[str, Any], bad: dict[str, Any]) -> None:
    model(**good)
    with pytest.raises(ValidationError):
        model(**{**good, **bad})


def test_the_interval_is_a_list_of_two_in_json() -> None:
    assert '"confidence_interval_95":[0.4,0.6]' in AggregatedScore(**TOTAL).model_dump_json()
