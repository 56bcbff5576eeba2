"""Building a scorer by name, being refused, and telling two configurations apart."""

import subprocess
import sys
from typing import Any

import pytest

from gnomon.errors import InvalidInput
from gnomon.model.score import CONFIG_KEYS
from gnomon.scorers import BUILTINS, Sample, Scored, build, config_hash, config_keys, is_builtin

SMALLEST: dict[str, dict[str, Any]] = {
    "exact_match": {},
    "contains": {},
    "regex": {"pattern": "a"},
    "one_of": {"values": ["a"]},
    "contains_all": {"values": ["a"]},
    "contains_any": {"values": ["a"]},
    "similarity": {},
    "f1": {},
    "choice": {},
    "json_match": {},
    "json_schema": {"schema": {}},
    "numeric": {},
    "tool_calls": {},
    "llm_judge": {"model": "gpt-4o", "prompt_template": "{{input}} {{output}}"},
    "rubric": {
        "model": "gpt-4o",
        "rubric": {
            "version": 1,
            "name": "answers",
            "instructions": "Judge the answer.",
            "dimensions": [{"name": "truth", "description": "Is it true?"}],
        },
    },
}
HASHES = {
    "exact_match": "06cc198af604fd28",
    "contains": "a04a6f7ea180bbc3",
    "regex": "48c28d6a77b833cb",
    "one_of": "655b9342dc85a314",
    "contains_all": "7d84ee09324269ef",
    "contains_any": "5879e31731b73641",
    "similarity": "864a387be3ee9a14",
    "f1": "0f1ae89a1bc28336",
    "choice": "3e9b4daed6f32a66",
    "json_match": "05fde980ad836bd9",
    "json_schema": "143c8fbf63086149",
    "numeric": "77c0e9e296eee770",
    "tool_calls": "4429a7769d62eb50",
    "llm_judge": "0be62e66c8efc9cc",
    "rubric": "f12d532ac40d451a",
}


def test_the_keys_that_are_refused_outside_of_config_are_those_of_the_scorers() -> None:
    assert frozenset().union(*map(config_keys, BUILTINS)) == CONFIG_KEYS


def test_the_built_ins_are_known_by_name() -> None:
    assert set(BUILTINS) == set(SMALLEST)
    assert all(is_builtin(name) for name in SMALLEST)
    assert not is_builtin("my_own")


@pytest.mark.parametrize("name", BUILTINS)
def test_each_says_its_name_version_and_kind(name: str) -> None:
    scorer = build(name, SMALLEST[name])
    assert (scorer.name, scorer.version, scorer.kind) == (name, 1, "numeric")


@pytest.mark.parametrize("name", BUILTINS)
def test_a_hash_never_changes_without_a_new_version(name: str) -> None:
    """Stored scores carry these. If one moves, raise the scorer's `version` on purpose and note the change."""
    assert config_hash(build(name, SMALLEST[name])) == HASHES[name]


def test_a_default_that_is_written_out_changes_no_hash() -> None:
    assert config_hash(build("exact_match", {"case_sensitive": True})) == config_hash(build("exact_match"))
    assert config_hash(build("exact_match", None)) == config_hash(build("exact_match", {}))
    assert config_hash(build("numeric", {"abs_tol": 0})) == config_hash(build("numeric"))


def test_what_is_compared_with_is_no_part_of_the_hash() -> None:
    assert config_hash(build("contains", {"expected_output": "x"})) == config_hash(build("contains"))


def test_a_rule_that_differs_has_another_hash() -> None:
    configs: list[tuple[str, dict[str, Any]]] = [
        ("exact_match", {}),
        ("exact_match", {"case_sensitive": False}),
        ("contains", {}),
        ("similarity", {}),
        ("regex", {"pattern": "a"}),
        ("regex", {"pattern": "a", "flags": "i"}),
        ("regex", {"pattern": "b"}),
    ]
    assert len({config_hash(build(name, config)) for name, config in configs}) == len(configs)


def test_the_order_of_flags_is_no_difference() -> None:
    hashes = {config_hash(build("regex", {"pattern": "a", "flags": flags})) for flags in ("im", "mi", "mim")}
    assert len(hashes) == 1


@pytest.mark.parametrize("name", BUILTINS)
@pytest.mark.parametrize("key", ["nonsense", "name", "kind", "version", "ÄÖÜ"])
def test_an_unknown_key_is_refused_by_name(name: str, key: str) -> None:
    with pytest.raises(InvalidInput, match=f"config.{key} is not known to {name}; it takes ") as refused:
        build(name, {**SMALLEST[name], key: 1})
    assert refused.value.code == "INVALID_SCORER_CONFIG"
    assert [problem.field for problem in refused.value.problems] == [f"config.{key}"]


def test_a_misspelt_key_or_scorer_is_answered_with_the_nearest() -> None:
    with pytest.raises(InvalidInput, match=r"config.Case_sensitive is not known to contains; did you mean 'case_sens"):
        build("contains", {"Case_sensitive": False})
    with pytest.raises(InvalidInput, match=r"'exact_mach' is not a built-in scorer; did you mean 'exact_match'\?"):
        build("exact_mach")


@pytest.mark.parametrize(
    "name", ["exact_match", "contains", "similarity", "f1", "json_match", "numeric", "choice", "llm_judge", "rubric"]
)
def test_every_scorer_that_compares_takes_an_expected_output(name: str) -> None:
    assert "expected_output" in config_keys(name)


OPTIONAL = [(name, key) for name in BUILTINS for key in sorted(config_keys(name) - SMALLEST[name].keys())]


@pytest.mark.parametrize(("name", "key"), OPTIONAL)
def test_null_in_an_optional_key_is_as_if_the_key_were_not_there(name: str, key: str) -> None:
    """Absent and null are the same in every optional field: the same scorer, with the same hash."""
    scorer = build(name, {**SMALLEST[name], key: None})
    assert scorer == build(name, SMALLEST[name])
    assert config_hash(scorer) == HASHES[name]


@pytest.mark.parametrize(("name", "key"), [(name, key) for name, config in SMALLEST.items() for key in config])
def test_null_in_a_required_key_is_a_key_that_is_missing(name: str, key: str) -> None:
    with pytest.raises(InvalidInput, match=rf"config\.{key} is required") as refused:
        build(name, {**SMALLEST[name], key: None})
    assert [problem.field for problem in refused.value.problems] == [f"config.{key}"]


@pytest.mark.parametrize("name", BUILTINS)
def test_null_in_an_unknown_key_is_still_an_unknown_key(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"config\.nonsense is not known"):
        build(name, {**SMALLEST[name], "nonsense": None})


def test_null_inside_a_value_is_not_as_absent() -> None:
    for name, config in [
        ("one_of", {"values": ["a", None]}),
        ("choice", {"choices": ["A", None]}),
        ("llm_judge", {**SMALLEST["llm_judge"], "score_range": {"min": None, "max": 1}}),
    ]:
        with pytest.raises(InvalidInput):
            build(name, config)


@pytest.mark.parametrize(
    ("name", "config", "fields"),
    [
        (
            "exact_match",
            {"case_sensitive": "yes", "strip_whitespace": 1},
            ["config.case_sensitive", "config.strip_whitespace"],
        ),
        ("contains", {"expected_output": [[]] * 2, "case_sensitive": 0}, ["config.case_sensitive"]),
        ("contains", {1: 2}, ["config.1"]),
        ("contains", {"values": ["a"]}, ["config.values"]),
        ("f1", {"lowercase": "true"}, ["config.lowercase"]),
    ],
)
def test_a_wrong_type_is_refused_by_key(name: str, config: dict[Any, Any], fields: list[str]) -> None:
    with pytest.raises(InvalidInput) as refused:
        build(name, config)
    assert sorted(problem.field for problem in refused.value.problems) == sorted(fields)
    assert {problem.code for problem in refused.value.problems} == {"INVALID_SCORER_CONFIG"}


def test_a_value_nested_beyond_the_limit_is_refused() -> None:
    deep: Any = []
    for _ in range(101):
        deep = [deep]
    for name, key in [("exact_match", "expected_output"), ("json_schema", "schema")]:
        with pytest.raises(InvalidInput, match="nested deeper than 100 levels"):
            build(name, {key: deep})


def test_a_huge_value_is_not_repeated_in_the_message() -> None:
    with pytest.raises(InvalidInput) as refused:
        build("exact_match", {"case_sensitive": "x" * 1_000_000})
    assert len(refused.value.message) < 300


@pytest.mark.parametrize("config", ["{}", [], 7])
def test_a_configuration_that_is_no_object_is_refused(config: Any) -> None:
    with pytest.raises(InvalidInput, match="config must be an object"):
        build("exact_match", config)


def test_an_unknown_scorer_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match=r"'bleu' is not a built-in scorer; there are exact_match, ") as refused:
        build("bleu")
    assert refused.value.problems[0].field == "scorer"


def test_a_scorer_does_not_change() -> None:
    scorer = build("exact_match")
    with pytest.raises(ValueError, match="frozen"):
        scorer.case_sensitive = False  # type: ignore[union-attr, misc]


def test_measuring_leaves_a_scorer_equal_to_a_fresh_one() -> None:
    scorer = build("json_schema", {"schema": {"type": "integer"}})
    assert scorer.score(Sample(output=1)) == Scored(1.0)  # type: ignore[union-attr]
    assert scorer == build("json_schema", {"schema": {"type": "integer"}})


def test_importing_the_scorers_loads_nothing_heavy() -> None:
    code = "import sys, gnomon.scorers; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert not loaded & {"polars", "pyarrow", "numpy", "scipy", "jsonschema", "rapidfuzz"}
