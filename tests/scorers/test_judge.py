"""The judge's configuration: what is asked for, and what is refused before any model is called."""

from typing import Any

import pytest

from gnomon.errors import InvalidInput
from gnomon.scorers import LlmJudge, build, config_hash

TEMPLATE = "Q: {{input}}\nA: {{output}}\nWas it {{expected_output}}?"


def judge(**config: Any) -> LlmJudge:
    scorer = build("llm_judge", {"model": "gpt-4o", "prompt_template": TEMPLATE, **config})
    assert isinstance(scorer, LlmJudge)
    return scorer


def test_what_is_left_out_has_a_default() -> None:
    assert judge().model_dump(exclude={"name", "prompt_template"}) == {
        "model": "gpt-4o",
        "system_prompt": None,
        "score_extraction": "numeric",
        "score_range": {"min": 0.0, "max": 1.0},
        "labels": None,
        "reading": "first_number",
        "temperature": None,
        "samples": 1,
        "fence": True,
        "expected_output": None,
    }


def test_everything_can_be_set() -> None:
    scorer = judge(
        score_range={"min": 0, "max": 10},
        reading="last_number",
        temperature=0,
        samples=25,
        system_prompt="You grade.",
        fence=False,
        expected_output="yes",
    )
    assert (scorer.score_range.max, scorer.samples, scorer.kind) == (10, 25, "numeric")


def test_a_judge_that_answers_with_labels_is_categorical() -> None:
    assert judge(score_extraction="label").kind == "categorical"
    assert judge(score_extraction="label", labels=["good", "bad"]).kind == "categorical"


@pytest.mark.parametrize(
    ("config", "field", "said"),
    [
        ({"model": ""}, "config.model", "at least 1 character"),
        ({"model": "  "}, "config.model", "at least 1 character"),
        ({"model": None}, "config.model", "is required"),
        ({"model": 4}, "config.model", "valid string"),
        ({"prompt_template": "{{input}}"}, "config.prompt_template", "must contain {{output}}"),
        ({"prompt_template": "{{output}}"}, "config.prompt_template", "must contain {{input}}"),
        ({"prompt_template": "{{ input }} {{ output }}"}, "config.prompt_template", "without blanks"),
        ({"prompt_template": ""}, "config.prompt_template", "must contain {{input}} and {{output}}"),
        ({"score_extraction": "stars"}, "config.score_extraction", "'numeric' or 'label'"),
        ({"score_range": {"min": 0}}, "config.score_range.max", "is required"),
        ({"score_range": {"max": 1}}, "config.score_range.min", "is required"),
        ({"score_range": {"min": 1, "max": 1}}, "config.score_range", "min 1 must be less than max 1"),
        ({"score_range": {"min": 2, "max": 1}}, "config.score_range", "must be less"),
        ({"score_range": {"min": 0, "max": float("inf")}}, "config.score_range.max", "finite"),
        ({"score_range": {"min": 0, "max": 1, "step": 1}}, "config.score_range.step", "is not known"),
        ({"score_range": [0, 1]}, "config.score_range", "should be"),
        ({"labels": []}, "config.labels", "at least 1"),
        ({"score_extraction": "label", "labels": ["a", "A "]}, "config.labels", "make them distinct"),
        ({"score_extraction": "label", "labels": ["a", " "]}, "config.labels", "must not be empty"),
        ({"score_extraction": "label", "labels": ["a b", "A  b"]}, "config.labels", "make them distinct"),
        ({"score_extraction": "label", "labels": ["a", "x" * 257]}, "config.labels", "longer than 256 characters"),
        ({"labels": ["a"]}, "config.labels", "only read with score_extraction"),
        ({"reading": "any_number"}, "config.reading", "'first_number', 'last_number' or 'structured'"),
        ({"samples": 0}, "config.samples", "not 0"),
        ({"samples": 26}, "config.samples", "not 26"),
        ({"samples": 1.5}, "config.samples", "valid integer"),
        ({"samples": True}, "config.samples", "valid integer"),
        ({"temperature": -1}, "config.temperature", "not -1"),
        ({"temperature": "hot"}, "config.temperature", "valid number"),
        ({"fence": "no"}, "config.fence", "valid boolean"),
        ({"no_cache": True}, "config.no_cache", "is not known to llm_judge"),
    ],
)
def test_a_wrong_configuration_is_refused_by_key(config: dict[str, Any], field: str, said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        judge(**config)
    assert refused.value.code == "INVALID_SCORER_CONFIG"
    assert refused.value.problems[0].field == field
    assert said in refused.value.message


@pytest.mark.parametrize("missing", ["model", "prompt_template"])
def test_model_and_prompt_are_required(missing: str) -> None:
    config = {"model": "gpt-4o", "prompt_template": TEMPLATE}
    del config[missing]
    with pytest.raises(InvalidInput, match=f"config.{missing} is required"):
        build("llm_judge", config)


def test_the_hash_knows_the_prompt_and_the_model_but_not_the_expected_output() -> None:
    assert config_hash(judge()) == config_hash(judge(expected_output="yes", score_range={"min": 0, "max": 1.0}))
    assert config_hash(judge()) != config_hash(judge(model="gpt-4o-mini"))
    assert config_hash(judge()) != config_hash(judge(prompt_template=TEMPLATE + " "))
