"""Rules on JSON values and numbers."""

import json
import socket
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.scorers import Absent, Failed, Measurement, Sample, Scored, build
from gnomon.scorers.structured import parse_path

YES, NO = Scored(1.0), Scored(0.0)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text("ab1", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab.", max_size=2), inner, max_size=3),
    max_leaves=8,
)


def measure(scorer: str, output: Any, expected: Any = None, **config: Any) -> Measurement:
    return build(scorer, config).score(Sample(output=output, expected_output=expected))


@pytest.mark.parametrize(
    ("output", "expected", "config", "value"),
    [
        ({"a": [1, 2]}, {"a": [1.0, 2]}, {}, 1.0),
        ('{ "b": 1, "a": 2 }', {"a": 2, "b": 1}, {}, 1.0),
        ({"a": 1}, '{"a":1}', {}, 1.0),
        ("not json", {"a": 1}, {}, 0.0),
        ("Paris", "Paris", {}, 1.0),  # a text that holds no JSON is itself
        ('{"a":', {"a": 1}, {}, 0.0),
        ([1, 2], [2, 1], {}, 0.0),
        ({"a": 1}, {"a": 1, "b": 2}, {}, 0.0),
        ({"a": 1, "b": 2}, {"a": 1}, {}, 0.0),
        ({"a": None}, {}, {}, 0.0),
        (True, 1, {}, 0.0),
        ("1", 1, {}, 1.0),
        ({"a": "1"}, {"a": 1}, {}, 0.0),
        ([], {}, {}, 0.0),
        ({"x": 1.04}, {"x": 1}, {"tolerance": 0.05}, 1.0),
        ({"x": 1.1}, {"x": 1}, {"tolerance": 0.1}, 1.0),  # decimal, not binary: 1.1 − 1 is 0.1
        ({"x": 1.06}, {"x": 1}, {"tolerance": 0.05}, 0.0),
        ({"x": True}, {"x": 1}, {"tolerance": 1}, 0.0),
        ({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 9, "d": 3}, {"partial": True}, 1 / 4),
        ([1, 2, 3], [1, 2], {"partial": True}, 2 / 3),
        ({}, {}, {"partial": True}, 1.0),
        ("no", {"a": 1, "b": 2}, {"partial": True}, 0.0),
        ({"a": 1, "at": "now"}, {"a": 1, "at": "then"}, {"ignore": ["at"]}, 1.0),
        ({"a": 1, "at": "now"}, {"a": 1}, {"ignore": ["at"]}, 1.0),
        ({"r": [{"id": 1, "x": 2}]}, {"r": [{"id": 9, "x": 2}]}, {"ignore": ["r[*].id"]}, 1.0),
        ({"r": [{"id": 1}, {"id": 2}]}, {"r": [{"id": 9}, {"id": 2}]}, {"ignore": ["r[0]"]}, 1.0),
        ({"r": [{"id": 1}, {"id": 2}]}, {"r": [{"id": 1}, {"id": 9}]}, {"ignore": ["r[0]"]}, 0.0),
        ({"a": {"t": 1}, "b": {"t": 2}}, {"a": {"t": 3}, "b": {"t": 4}}, {"ignore": ["*.t"]}, 1.0),
        ({"a.b": 1, "c": 2}, {"a.b": 9, "c": 2}, {"ignore": ['["a.b"]']}, 1.0),
        ({"a": 1}, {"a": 2}, {"ignore": ["*"], "partial": True}, 1.0),
    ],
)
def test_json_match(output: Any, expected: Any, config: dict[str, Any], value: float) -> None:
    assert measure("json_match", output, expected, **config) == Scored(value)


def test_json_match_without_something_to_match_is_absent() -> None:
    assert measure("json_match", {"a": 1}) == Absent("no expected_output")
    assert measure("json_match", None, {}) == Absent("no output")


@given(json_values.filter(lambda value: value is not None), json_values)
def test_json_match_agrees_with_itself(value: Any, other: Any) -> None:
    assert measure("json_match", value, [value]) == NO if value != [value] else True
    assert measure("json_match", [value], json.dumps([value])) == YES
    if other is not None:
        whole, share = measure("json_match", [value], [other]), measure("json_match", [value], [other], partial=True)
        assert isinstance(share, Scored)
        assert (whole == YES) == (share.value == 1.0)
        assert measure("json_match", [other], [value], partial=True) == share


def test_a_value_nested_beyond_reason_is_still_measured() -> None:
    deep = "[" * 900 + "]" * 900
    assert measure("json_match", deep, deep) == YES
    assert measure("json_match", "[" * 100_000, {"a": 1}) == NO


@pytest.mark.parametrize("path", ["", "a..b", ".a", "a.", "a[", "a[x]", "a[-1]", "a*", 'a["]', "a b[0", "a[0]b"])
def test_a_path_that_cannot_be_read_is_refused(path: str) -> None:
    with pytest.raises(InvalidInput, match="is not a path") as refused:
        build("json_match", {"ignore": ["fine", path]})
    assert refused.value.problems[0].field == "config.ignore"


def test_paths_name_keys_indices_and_anything() -> None:
    assert parse_path("a.b[0].c") == ("a", "b", 0, "c")
    assert parse_path('*.x[*]["k.\\"e"]') == (None, "x", None, 'k."e')
    assert parse_path("[3].a b") == (3, "a b")


@pytest.mark.parametrize(
    ("output", "expected", "config", "result"),
    [
        (42, 42.0, {}, YES),
        ("42", 42, {}, YES),
        (" 42.0\n", "42", {}, YES),
        ("1,234.5", 1234.5, {}, YES),
        ("1e3", 1000, {}, YES),
        ("-.5", -0.5, {}, YES),
        (1.1, 1.0, {"abs_tol": 0.1}, YES),
        (1.11, 1.0, {"abs_tol": 0.1}, NO),
        (101, 100, {"rel_tol": 0.01}, YES),
        (102, 100, {"rel_tol": 0.01}, NO),
        (-101, -100, {"rel_tol": 0.01}, YES),
        (9007199254740993, 9007199254740992, {}, NO),  # exact beyond what a double holds
        ("9" * 5000, "9" * 5000, {}, YES),
        ("1e999999999999", 1, {}, NO),
        ("1e999999999999999999999", 1, {}, NO),
        ("1e-999999999999", 0, {"abs_tol": 1e-9}, YES),
        ("forty-two", 42, {}, NO),
        ("42 apples", 42, {}, NO),
        ("42 apples", 42, {"extract": True}, YES),
        ("6 × 7 = 42", 42, {"extract": True}, YES),
        ("It costs $1,234.50.", 1234.5, {"extract": True}, YES),
        ("80 %", 80, {"extract": True}, YES),
        ("from −3 to -4", -4, {"extract": True}, YES),
        ("gpt-4", 4, {"extract": True}, NO),
        ("version 1.5.2", 1.5, {"extract": True}, NO),
        ("x2", 2, {"extract": True}, NO),
        ("no number", 0, {"extract": True}, NO),
        (42, 42, {"extract": True}, YES),
        (True, 1, {}, NO),
        ([42], 42, {"extract": True}, NO),
        (42, None, {"expected_output": "42"}, YES),
        (42, None, {}, Absent("no expected_output")),
        (42, "many", {}, Failed("expected_output is not a number", "'many'")),
        (42, True, {}, Failed("expected_output is not a number", "True")),
    ],
)
def test_numeric(output: Any, expected: Any, config: dict[str, Any], result: Measurement) -> None:
    assert measure("numeric", output, expected, **config) == result


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers())
def test_a_number_equals_its_own_text(number: float, whole: int) -> None:
    assert measure("numeric", repr(number), number) == YES
    assert measure("numeric", f"about {whole:,} or so", whole, extract=True) == YES


@pytest.mark.parametrize(
    ("scorer", "config", "field"),
    [
        ("numeric", {"abs_tol": -0.1}, "config.abs_tol"),
        ("numeric", {"rel_tol": float("nan")}, "config.rel_tol"),
        ("numeric", {"abs_tol": float("inf")}, "config.abs_tol"),
        ("numeric", {"abs_tol": True}, "config.abs_tol"),
        ("numeric", {"abs_tol": "0.1"}, "config.abs_tol"),
        ("numeric", {"extract": 1}, "config.extract"),
        ("numeric", {"expected_output": "many"}, "config.expected_output"),
        ("json_match", {"tolerance": -1}, "config.tolerance"),
        ("json_match", {"ignore": "a"}, "config.ignore"),
        ("json_match", {"ignore": [1]}, "config.ignore.0"),
        ("json_match", {"partial": "yes"}, "config.partial"),
        ("json_schema", {}, "config.schema"),
        ("json_schema", {"schema": {}, "definition": {}}, "config.definition"),
    ],
)
def test_a_wrong_configuration_names_its_key(scorer: str, config: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        build(scorer, config)
    assert [problem.field for problem in refused.value.problems] == [field]


PERSON = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string", "pattern": "^[A-Z]"}, "age": {"$ref": "#/$defs/age"}},
    "patternProperties": {"^x-": {"type": "integer"}},
    "additionalProperties": False,
    "$defs": {"age": {"type": "integer", "minimum": 0}},
}


@pytest.mark.parametrize(
    ("output", "result"),
    [
        ({"name": "Ada"}, YES),
        ('{"name": "Ada", "age": 36}', YES),
        ({"name": "Ada", "x-rank": 1}, YES),
        ({"name": "Ada", "x-rank": "one"}, NO),
        ({"name": "Ada", "rank": 1}, NO),
        ({"name": "a new user"}, NO),
        ({"name": "Ada", "age": -1}, NO),
        ({}, NO),
        ("Ada", NO),
        ("", NO),
        (None, Absent("no output")),
    ],
)
def test_json_schema(output: Any, result: Measurement) -> None:
    assert measure("json_schema", output, schema=PERSON) == result


@pytest.mark.parametrize(
    ("schema", "output", "result"),
    [
        (True, "anything", YES),
        (False, "anything", NO),
        ({"enum": ["yes", "no"]}, "yes", YES),
        ({"type": "integer"}, "42", YES),
        ({"additionalProperties": {"type": "integer"}}, {"a": 1, "b": "x"}, NO),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}, ["x", 1], YES),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [{"type": "string"}]}, [1], NO),
        ({"$ref": "https://json-schema.org/draft/2020-12/schema"}, {"type": "string"}, YES),
        ({"$ref": "https://json-schema.org/draft/2020-12/schema"}, {"type": "text"}, NO),
        (
            {"$ref": "#/$defs/tree", "$defs": {"tree": {"items": {"$ref": "#/$defs/tree"}, "type": "array"}}},
            [[], [[]]],
            YES,
        ),
        ({"$ref": "#/$defs/any", "$defs": {"any": True}}, 1, YES),
        (
            {"properties": {"pattern": {"type": "string"}, "$schema": {"type": "string"}}},
            {"pattern": "(", "$schema": ""},
            YES,
        ),
    ],
)
def test_schemas_of_several_kinds(schema: Any, output: Any, result: Measurement) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert measure("json_schema", output, schema=schema) == result


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "text"}, r"not a JSON Schema: \$\.type"),
        ({"minimum": "0"}, "not a JSON Schema"),
        ("object", "an object, or true or false"),
        (None, "is required"),
        ({"$schema": "https://example.org/mine"}, "not a known draft"),
        ({"$schema": 7}, "not a known draft"),
        ({"$ref": "https://example.org/other.json"}, "nothing is fetched"),
        ({"$ref": "file:///etc/passwd"}, "nothing is fetched"),
        ({"$ref": "#/$defs/nowhere"}, "not in the schema"),
        ({"$ref": "#/examples/0", "examples": [{"pattern": "("}]}, "is not a schema"),
        ({"properties": {"a": {"$schema": "http://json-schema.org/draft-07/schema#"}}}, "only at the top"),
        ({"properties": {"a": {"$id": "https://example.org/a"}}}, "only at the top"),
        ({"pattern": "(?=a)"}, "RE2's dialect"),
        (
            {"items": [{"patternProperties": {"(": {}}}], "$schema": "http://json-schema.org/draft-07/schema#"},
            "RE2's dialect",
        ),
        ({"patternProperties": {"a": {}}, "unevaluatedProperties": False}, "cannot be used together"),
    ],
)
def test_a_schema_that_cannot_be_trusted_is_refused_when_it_is_built(schema: Any, said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as refused:
        build("json_schema", {"schema": schema})
    assert refused.value.problems[0].field == "config.schema"


def test_no_schema_reaches_for_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def reach_out(*_: Any, **__: Any) -> None:
        raise AssertionError("a schema opened a connection")

    monkeypatch.setattr(socket.socket, "connect", reach_out)
    with pytest.raises(InvalidInput):
        build("json_schema", {"schema": {"$ref": "http://127.0.0.1:9/schema.json"}})


def doubling(times: int) -> dict[str, Any]:
    parts = {f"s{n}": {"allOf": [{"$ref": f"#/$defs/s{n - 1}"}] * 2} for n in range(1, times)}
    return {"$ref": f"#/$defs/s{times - 1}", "$defs": {"s0": {"type": "integer"}, **parts}}


@pytest.mark.slow
def test_a_schema_whose_references_multiply_is_stopped() -> None:
    result = measure("json_schema", 1, schema=doubling(60))
    assert isinstance(result, Failed)
    assert "too costly" in result.reason
    assert measure("json_schema", 1, schema=doubling(4)) == YES


def test_a_schema_that_only_refers_to_itself_fails_with_a_reason() -> None:
    assert isinstance(measure("json_schema", 1, schema={"$ref": "#"}), Failed)


@pytest.mark.parametrize("stack", range(0, 300, 7))
def test_it_does_so_wherever_it_is_called_from(stack: int) -> None:
    """Where Python's limit is reached inside a compiled part of the library, that panics: no `Exception` at all."""

    def called_from(frames: int) -> object:
        return called_from(frames - 1) if frames else measure("json_schema", 1, schema={"allOf": [{"$ref": "#"}]})

    assert isinstance(called_from(stack), Failed)


def test_many_places_may_follow_one_reference() -> None:
    schema = {"items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"type": "integer"}}}
    assert measure("json_schema", list(range(5000)), schema=schema) == YES


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": "^(a+)+$"},
        {"patternProperties": {"^(a+)+$": {}}},
        {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": True},
        {"propertyNames": {"pattern": "^(a+)+$"}},
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "anyOf": [{"pattern": "^(a+)+$"}, {"$ref": "#/anyOf/0"}],
        },
        {"not": {"pattern": "^(a+)+$"}},
    ],
)
def test_no_pattern_in_a_schema_can_run_away(schema: Any) -> None:
    bomb = "a" * 5000 + "!"
    assert isinstance(measure("json_schema", bomb, schema=schema), Scored)
    assert isinstance(measure("json_schema", {bomb: 1}, schema=schema), Scored)
