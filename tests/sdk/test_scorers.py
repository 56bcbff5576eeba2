"""Built-in scorers as functions: the names and defaults of their configurations, checked when they are called."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gnomon as gn
from gnomon.errors import InvalidInput
from gnomon.model.score import ScorerSpec
from gnomon.scorers import BUILTINS, build, config_keys
from gnomon.sdk import scorers
from gnomon.service.evaluation.binding import bind_scorer

ROOT = Path(__file__).parents[2]
OTHER_NAMES = {"prompt": "prompt_template"}
GIVEN: dict[str, dict[str, Any]] = {
    "regex": {"pattern": "a"},
    "one_of": {"values": ["a"]},
    "contains_all": {"values": ["a"]},
    "contains_any": {"values": ["a"]},
    "json_schema": {"schema": {"type": "object"}},
    "llm_judge": {"model": "m", "prompt": "{{input}} {{output}}"},
    "rubric": {"model": "m", "rubric": str(ROOT / "examples" / "judge_rubric.yaml")},
}
"""What has no default, for each scorer."""


def function(name: str) -> Callable[..., ScorerSpec]:
    found: Callable[..., ScorerSpec] = getattr(scorers, name)
    return found


@pytest.mark.parametrize("name", BUILTINS)
def test_every_built_in_scorer_is_a_function_of_its_configuration(name: str) -> None:
    parameters = [OTHER_NAMES.get(one, one) for one in inspect.signature(function(name)).parameters if one != "name"]
    assert set(parameters) == config_keys(name)


@pytest.mark.parametrize("name", BUILTINS)
def test_the_defaults_are_those_of_the_configuration(name: str) -> None:
    """What is left out is left to the scorer: only what has no default is in the configuration."""
    spec = function(name)(**GIVEN.get(name, {}))
    required = {OTHER_NAMES.get(one, one) for one in GIVEN.get(name, {})}
    assert set(spec.config or {}) == required
    assert (spec.scorer_name, spec.scorer) == (name, None)
    assert build(name, spec.config).name == name


@pytest.mark.parametrize("name", BUILTINS)
def test_a_name_of_its_own_keeps_the_scorer(name: str) -> None:
    spec = function(name)(**GIVEN.get(name, {}), name="mine")
    assert (spec.scorer_name, spec.scorer) == ("mine", name)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: scorers.regex("(?=a)"), "regex: config.pattern: the pattern '(?=a)' needs backtracking"),
        (lambda: scorers.one_of("abc"), "one_of: config.values should be a valid list, not 'abc'"),
        (lambda: scorers.exact_match(case_sensitive="no"), "config.case_sensitive should be a valid boolean"),
        (
            lambda: scorers.llm_judge("m", "Is it good?"),
            "config.prompt_template: must contain {{input}} and {{output}}",
        ),
        (lambda: scorers.llm_judge("m", "{{input}}{{output}}", score_range=(1, 0)), "min 1 must be less than max 0"),
        (lambda: scorers.rubric("none.yaml", model="m"), "none.yaml: No such file or directory; name a rubric file"),
        (lambda: scorers.contains(name=" "), "a scorer is named ' '; use 1 to 256 characters"),
        (lambda: scorers.scorer(3), "3 cannot be called; put @scorer above a function"),
        (lambda: scorers.scorer(name="")(len), "a scorer is named ''"),
    ],
)
def test_a_wrong_configuration_is_refused_when_it_is_written(make: Callable[[], Any], words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        make()
    assert words in refused.value.message
    assert "\n" not in refused.value.message


def test_a_function_is_a_scorer_under_its_own_or_another_name() -> None:
    """A function scorer is named after the function unless the decorator says otherwise."""

    @gn.scorer
    def brief(output: str) -> bool:
        return len(output) < 10

    @gn.scorer(name="long", version="2")
    def other(output: str) -> bool:
        return len(output) > 10

    assert (brief.name, brief.version, other.name, other.version) == ("brief", None, "long", "2")
    assert brief("short") is True
    assert bind_scorer(other).call({"output": "short"}) is False


def test_a_rubric_file_travels_with_the_scorer() -> None:
    spec = scorers.rubric(ROOT / "examples" / "judge_rubric.yaml", model="m")
    assert spec.config is not None
    assert spec.config["rubric"]["dimensions"]
    assert ScorerSpec.model_validate_json(spec.model_dump_json()) == spec


@pytest.mark.parametrize("name", [*BUILTINS, "scorer"])
def test_the_public_names_are_there(name: str) -> None:
    """Every built-in scorer is a public name of the package."""
    assert name in gn.__all__
    assert getattr(gn, name) is getattr(scorers, name)


def test_the_nouns_of_a_scorer_are_public_names() -> None:
    assert gn.Scored(0.5, rationale="half").value == 0.5
    assert gn.Absent("no date").reason == "no date"
    assert gn.Sample(output="a").output == "a"
