"""The models of benchmark results keep their contract: frozen, described, constrained, finite.

Four of them (`ScoringResult`, `JudgeDimensionScore`, `JudgeOutput`, `AggregatedScore`) are published as they are:
others read their JSON, and a judge is shown their descriptions.
"""

import ast
import inspect
import math
import re
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

import gnomon.bench
from gnomon.bench.aggregate import aggregated
from gnomon.bench.noticing import result
from gnomon.bench.noticing.result import ScoringResult
from gnomon.model import bench
from gnomon.model.bench import (
    AggregatedScore,
    JudgeDimensionScore,
    JudgeOutput,
    MeanOverRuns,
    MetricValue,
    RunScore,
    Share,
    TimeToEvent,
)

PUBLISHED = [ScoringResult, JudgeDimensionScore, JudgeOutput, AggregatedScore]
MODELS = [
    found
    for module in (bench, result)
    for _, found in inspect.getmembers(module, inspect.isclass)
    if issubclass(found, BaseModel) and found.__module__ == module.__name__ and found.model_fields
]
RESULT: dict[str, Any] = {
    "scenario_id": "s", "run_id": "r", "detection": True, "detection_in_memory": False, "action_type": "neither",
}  # fmt: skip
DIMENSION: dict[str, Any] = {"dimension": "d", "reasoning": "r", "score": 5}
OPINION: dict[str, Any] = {
    "reasoning": "r", "dimension_scores": [DIMENSION], "overall_score": 5, "overall_assessment": "a",
}  # fmt: skip
TOTAL: dict[str, Any] = {
    "mean": 0.5, "standard_deviation": 0.1, "confidence_interval_95": (0.4, 0.6), "run_count": 5, "pass_at_k": 1.0,
    "pass_pow_k": 0.0,
}  # fmt: skip
RUN: dict[str, Any] = {
    "family": "noticing", "scenario_id": "s", "run_id": "r", "scorable": True, "result": RESULT, "success": False,
    "metrics": {"composite": {"value": 0.5}}, "scorer_version": 1,
}  # fmt: skip
SHARE: dict[str, Any] = {"count": 1, "run_count": 2, "share": 0.5, "confidence_interval_95": (0.1, 0.9)}
FIGURE: dict[str, Any] = {
    "mean": 0.5, "standard_deviation": 0.1, "confidence_interval_95": (0.4, 0.6), "ci_method": "wilson", "run_count": 2,
}  # fmt: skip
TIME: dict[str, Any] = {
    "median": 1.0, "median_interval_95": (0.0, None), "restricted_mean": 2.0, "confidence_interval_95": (1.0, 3.0),
    "ci_method": "bca", "happened": 3, "censored": 1, "limit": 5,
}  # fmt: skip
WHOLE = {
    ScoringResult: RESULT, JudgeDimensionScore: DIMENSION, JudgeOutput: OPINION, AggregatedScore: TOTAL, RunScore: RUN,
    Share: SHARE, MetricValue: {"value": 0.5}, MeanOverRuns: FIGURE, TimeToEvent: TIME,
}  # fmt: skip


def descriptions(model: type[BaseModel]) -> str:
    """All that a reader of the schema is told in words."""
    return " ".join([model.__doc__ or "", *(field.description or "" for field in model.model_fields.values())])


# What the models say about themselves


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        (ScoringResult, ["scenario_id", "run_id", "detection", "detection_in_memory", "action_type", "time_to_action",
                         "actions_taken"]),
        (JudgeDimensionScore, ["dimension", "score", "reasoning"]),
        (JudgeOutput, ["reasoning", "dimension_scores", "overall_score", "overall_assessment"]),
        (AggregatedScore, ["mean", "standard_deviation", "confidence_interval_95", "run_count", "pass_at_k",
                           "pass_pow_k"]),
    ],
)  # fmt: skip
def test_a_published_model_has_exactly_its_fields(model: type[BaseModel], fields: list[str]) -> None:
    assert list(model.model_fields) == fields


@pytest.mark.parametrize("model", MODELS)
def test_every_field_is_described(model: type[BaseModel]) -> None:
    """Every field of every model has a description, because descriptions may end up in the schema of a tool."""
    assert [name for name, field in model.model_fields.items() if not (field.description or "").strip()] == []


@pytest.mark.parametrize("model", MODELS)
def test_no_description_names_an_emergency_number(model: type[BaseModel]) -> None:
    """No description names a number to call. The values of `action_type` do, and they are given."""
    assert not re.search(r"911|112|999", descriptions(model))


@pytest.mark.parametrize("model", PUBLISHED)
def test_a_published_model_is_not_framed_as_health_or_safety(model: type[BaseModel]) -> None:
    """Neither the names nor the descriptions speak of health, emergencies or safety: they are about scoring."""
    words = " ".join([model.__name__, *model.model_fields, descriptions(model)]).lower()
    assert not re.search(r"health|medic|patient|emergenc|safe|crisis|danger|rescue|urgen|alarm|alert|threat", words)


def test_detection_says_what_counts_as_noticing() -> None:
    """Detection is any action, or a memory note or a text that marks the anomaly; the description says all three."""
    words = ScoringResult.model_fields["detection"].description or ""
    assert re.search(r"any action", words)
    assert re.search(r"memory note", words)
    assert re.search(r"text", words)


def test_pass_rates_say_which_k_they_are_for() -> None:
    """The aggregate has one number for each of the two pass rates; k is the number of runs, and is stated."""
    for name in ("pass_at_k", "pass_pow_k"):
        assert "k = run_count" in (AggregatedScore.model_fields[name].description or "")


def test_the_deviation_of_a_single_run_is_described_and_so() -> None:
    """One run has a standard deviation of 0.0 in this model, and the description says so."""
    assert "0.0 for a single run" in (AggregatedScore.model_fields["standard_deviation"].description or "")
    assert aggregated([1.0]).standard_deviation == 0.0


def published_classes() -> list[ast.ClassDef]:
    names = {model.__name__ for model in PUBLISHED}
    trees = [ast.parse(inspect.getsource(module)) for module in (bench, result)]
    return [node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef) and node.name in names]


def test_published_models_hold_data_and_compute_nothing() -> None:
    """They are contracts for data: scoring, aggregation and ranking are done elsewhere."""
    classes = published_classes()
    assert len(classes) == len(PUBLISHED)
    for node in classes:
        doc, *rest = node.body
        assert isinstance(doc, ast.Expr)
        assert all(isinstance(one, ast.AnnAssign) for one in rest), f"{node.name} has more than fields"


def test_models_are_written_for_pydantic_2_and_their_annotations_are_evaluated() -> None:
    """No `class Config` of the first version, and no postponed annotations, which validators cannot see."""
    source = inspect.getsource(bench) + inspect.getsource(result)
    assert "class Config" not in source
    assert "from __future__ import annotations" not in source


def test_published_models_are_importable_from_the_bench_package() -> None:
    """Researchers import the four models from `gnomon.bench`; they are the ones that the scorer makes."""
    for model in PUBLISHED:
        assert getattr(gnomon.bench, model.__name__) is model


# What they refuse


@pytest.mark.parametrize("model", MODELS)
def test_models_are_frozen(model: type[BaseModel]) -> None:
    assert model.model_config["frozen"] is True


def test_a_result_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        ScoringResult(**RESULT).detection = False  # type: ignore[misc]


@pytest.mark.parametrize("beats", [None, 0, 7])
def test_time_to_action_is_absent_or_not_negative(beats: int | None) -> None:
    assert ScoringResult(**RESULT, time_to_action=beats).time_to_action == beats


@pytest.mark.parametrize("kind", ["called_911", "contacted_someone", "both", "neither"])
def test_an_action_is_one_of_four_kinds(kind: str) -> None:
    assert ScoringResult(**{**RESULT, "action_type": kind}).action_type == kind


def test_a_result_without_actions_has_an_empty_list() -> None:
    assert ScoringResult(**RESULT).actions_taken == []


@pytest.mark.parametrize("name", ["clarity", "asked back before acting", "Ruhe"])
def test_a_dimension_may_have_any_name(name: str) -> None:
    """The judge's rubric names the dimensions; the model has no list of them."""
    assert JudgeDimensionScore(**{**DIMENSION, "dimension": name}).dimension == name


@pytest.mark.parametrize(
    ("model", "good", "bad"),
    [
        (ScoringResult, RESULT, {"time_to_action": -1}),
        (ScoringResult, RESULT, {"action_type": "called_police"}),
        (JudgeDimensionScore, {**DIMENSION, "score": 0}, {"score": 10.1}),
        (JudgeDimensionScore, {**DIMENSION, "score": 10}, {"score": -0.1}),
        (JudgeOutput, {**OPINION, "overall_score": 0}, {"overall_score": 10.1}),
        (JudgeOutput, {**OPINION, "overall_score": 10}, {"overall_score": -0.1}),
        (AggregatedScore, TOTAL, {"standard_deviation": -0.01}),
        (AggregatedScore, {**TOTAL, "run_count": 1}, {"run_count": 0}),
        (AggregatedScore, TOTAL, {"pass_at_k": 1.1}),
        (AggregatedScore, TOTAL, {"pass_at_k": -0.1}),
        (AggregatedScore, TOTAL, {"pass_pow_k": 1.1}),
        (AggregatedScore, TOTAL, {"pass_pow_k": -0.1}),
    ],
)  # fmt: skip
def test_constraints_hold(model: type[BaseModel], good: dict[str, Any], bad: dict[str, Any]) -> None:
    model(**good)
    with pytest.raises(ValidationError):
        model(**{**good, **bad})


NUMBERS = [
    (JudgeDimensionScore, "score"), (JudgeOutput, "overall_score"), (AggregatedScore, "mean"),
    (AggregatedScore, "standard_deviation"), (AggregatedScore, "pass_at_k"), (AggregatedScore, "pass_pow_k"),
    (MetricValue, "value"), (Share, "share"), (MeanOverRuns, "mean"), (MeanOverRuns, "standard_deviation"),
    (TimeToEvent, "median"), (TimeToEvent, "restricted_mean"),
]  # fmt: skip
INTERVALS = [
    (AggregatedScore, "confidence_interval_95"), (Share, "confidence_interval_95"),
    (MeanOverRuns, "confidence_interval_95"), (TimeToEvent, "confidence_interval_95"),
    (TimeToEvent, "median_interval_95"),
]  # fmt: skip


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf], ids=str)
@pytest.mark.parametrize(("model", "field"), NUMBERS)
def test_a_number_is_finite(model: type[BaseModel], field: str, bad: float) -> None:
    """NaN and infinities are refused wherever a number is expected, when written and when read."""
    with pytest.raises(ValidationError, match="finite number"):
        model.model_validate({**WHOLE[model], field: bad})


@pytest.mark.parametrize("bad", ["NaN", "Infinity", "-Infinity", "1e999"])
@pytest.mark.parametrize(("model", "field"), NUMBERS)
def test_a_number_read_from_json_is_finite(model: type[BaseModel], field: str, bad: str) -> None:
    whole = model.model_validate(WHOLE[model]).model_dump_json()
    text, changed = re.subn(rf'"{field}":[-0-9.e]+', f'"{field}":{bad}', whole, count=1)
    assert changed == 1
    with pytest.raises(ValidationError, match="finite number"):
        model.model_validate_json(text)


@pytest.mark.parametrize("bad", [(0.6, 0.4), (math.nan, 0.6), (0.4, math.inf), (0.4,), (0.1, 0.2, 0.3)], ids=str)
@pytest.mark.parametrize(("model", "field"), INTERVALS)
def test_the_ends_of_an_interval_are_two_finite_numbers_in_order(
    model: type[BaseModel], field: str, bad: tuple[float, ...]
) -> None:
    """An interval has a lower and an upper end, in this order."""
    with pytest.raises(ValidationError, match=field):
        model.model_validate({**WHOLE[model], field: bad})


def test_ends_out_of_order_are_refused_with_the_remedy() -> None:
    with pytest.raises(ValidationError, match=r"lower end 0\.6 is above the upper end 0\.4; give the lower one first"):
        AggregatedScore(**{**TOTAL, "confidence_interval_95": (0.6, 0.4)})


def test_both_ends_of_an_interval_may_be_the_same() -> None:
    assert AggregatedScore(**{**TOTAL, "confidence_interval_95": (0.5, 0.5)}).confidence_interval_95 == (0.5, 0.5)


# What they look like as JSON


@pytest.mark.parametrize("model", WHOLE)
def test_a_model_survives_a_round_trip_through_json(model: type[BaseModel]) -> None:
    """Every scoring model is written as JSON for a leaderboard, and reads back as the same value."""
    value = model.model_validate(WHOLE[model])
    assert model.model_validate_json(value.model_dump_json()) == value


def test_the_interval_is_a_list_of_two_in_json() -> None:
    assert '"confidence_interval_95":[0.4,0.6]' in AggregatedScore(**TOTAL).model_dump_json()
