"""JSON as Gnomon takes it, keeps it and compares it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from gnomon.errors import InvalidInput
from gnomon.model import jsonvalue
from gnomon.model.dataset import ItemDraft

numbers = st.integers(-(10**25), 10**25) | st.floats(allow_nan=False, allow_infinity=False)
text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
values = st.recursive(
    st.none() | st.booleans() | numbers | text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize(
    "body",
    ["", "{", "nope", "NaN", "[Infinity]", "1e400", "1" + "0" * 400, '"\\u0000"', '{"\\u0000": 1}', '"\\ud800"',
     '["\\u0000", ' + "9" * 400 + "]", '{"a": [{"b": "x\\u0000"}]}', "[" * 100_000 + "]" * 100_000],
)  # fmt: skip
def test_what_two_databases_would_store_differently_is_refused(body: str) -> None:
    with pytest.raises(InvalidInput):
        jsonvalue.read(body)


def test_bytes_that_are_not_utf8_are_refused() -> None:
    with pytest.raises(InvalidInput):
        jsonvalue.read(b'"\xff"')


def test_words_about_nul_and_long_numbers_inside_strings_are_taken() -> None:
    said = {"escaped": "\\\\u0000", "digits": "7" * 400, "large": 10**300}
    assert jsonvalue.read(jsonvalue.dump(said)) == said


def test_a_value_may_be_nested_a_hundred_levels_and_no_more() -> None:
    for levels, fits in ((100, True), (101, False)):
        deep = jsonvalue.read('{"input": ' + "[" * levels + "]" * levels + "}")
        if fits:
            assert jsonvalue.depth(ItemDraft.model_validate(deep).input) == levels
        else:
            with pytest.raises(ValidationError, match="deeper than 100"):
                ItemDraft.model_validate(deep)


@given(values)
def test_what_was_stored_is_read_back(value: object) -> None:
    assert jsonvalue.read(jsonvalue.dump(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (42.0, "42"),
        (-0.0, "0"),
        (1e20, "100000000000000000000"),
        (0.1, "0.1"),
        ({"b": 1, "a": [1.0, "x"]}, '{"a":[1,"x"],"b":1}'),
        ("é", '"é"'),
        (True, "true"),
        (None, "null"),
    ],
)
def test_canonical_text(value: object, text: str) -> None:
    assert jsonvalue.canonical(value) == text


@given(values)
def test_canonical_text_is_json_of_an_equal_value(value: object) -> None:
    assert json.loads(jsonvalue.canonical(value)) == value


@given(st.dictionaries(text, values, max_size=5), st.randoms())
def test_canonical_text_does_not_depend_on_the_order_of_keys(value: dict[str, object], random: object) -> None:
    keys = list(value)
    random.shuffle(keys)  # type: ignore[attr-defined]
    assert jsonvalue.canonical({key: value[key] for key in keys}) == jsonvalue.canonical(value)


def test_a_string_is_compared_as_it_is_and_all_else_as_json() -> None:
    assert jsonvalue.as_text("42") == jsonvalue.as_text(42) == jsonvalue.as_text(42.0) == "42"


@pytest.mark.parametrize(("value", "levels"), [(1, 0), ([], 1), ([[]], 2), ({"a": [{}]}, 3)])
def test_depth_counts_containers_inside_each_other(value: object, levels: int) -> None:
    assert jsonvalue.depth(value) == levels


@pytest.mark.parametrize("before", [0, 1, 57, 99, 100, 250])
@pytest.mark.parametrize("digits", [308, 309, 350])
def test_a_number_beyond_a_double_is_suspected_wherever_it_stands(before: int, digits: int) -> None:
    text = b"[" + b" " * before + b"7" * digits + b"]"
    assert jsonvalue.is_suspicious(text) == (digits >= 309)


def test_a_nul_is_suspected_and_another_backslash_is_not() -> None:
    assert jsonvalue.is_suspicious(rb'"a\u0000"')
    assert not jsonvalue.is_suspicious(rb'"a\n\u0001"')
