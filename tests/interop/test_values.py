"""Any Python value becomes JSON text that every store takes."""

import dataclasses
import doctest
import math
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from gnomon.interop import jsontext
from gnomon.interop.jsontext import LONGEST_REPR, LONGEST_VALUE, json_text, plain
from gnomon.model import jsonvalue


@dataclasses.dataclass
class Point:
    x: float
    y: Any = None


class City(BaseModel):
    name: str


class Mute:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**1100), 2**1100), st.floats(), st.binary(max_size=20),
    st.text(st.characters(codec=None), max_size=20), st.dates(), st.decimals(), st.builds(Mute), st.complex_numbers(),
)  # fmt: skip
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(st.text(max_size=5), st.integers(), st.none(), st.dates()), inner, max_size=4),
        st.builds(Point, st.floats(), inner),
        st.tuples(inner, inner),
    ),
    max_leaves=10,
)


@given(anything)
def test_every_value_becomes_json_that_stores_take(value: Any) -> None:
    read = jsonvalue.read(json_text(value))
    assert json_text(read) == json_text(plain(value))


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False),
              st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(st.characters(
        exclude_categories=["Cs"], exclude_characters="\0"), max_size=5), inner, max_size=4)),
    max_leaves=10,
)  # fmt: skip


@given(json_values)
def test_what_is_json_already_stays_what_it_is(value: Any) -> None:
    assert plain(value) == value


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (Point(1.5, [math.inf]), {"x": 1.5, "y": ["inf"]}),
        (City(name="Rome"), {"name": "Rome"}),
        ({"when": date(2026, 2, 21), "cost": Decimal("1.10")}, {"when": "2026-02-21", "cost": "1.10"}),
        ({(1, 2): "pair"}, {"(1, 2)": "pair"}),
        ({"raw": b"\x00\xff"}, {"raw": "b'\\x00\\xff'"}),
        ({"bad": Mute(), "good": 1}, {"bad": "a Mute that cannot be shown", "good": 1}),
        ([None, float("nan")], [None, "nan"]),
        (2**2000, hex(2**2000)),
    ],
)
def test_what_stands_for_a_value_that_json_does_not_know(value: Any, kept: Any) -> None:
    assert plain(value) == kept


def test_numbers_of_numpy_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    assert plain({"a": numpy.float32(0.5), "b": numpy.int64(3)}) == {"a": 0.5, "b": 3}


def test_long_values_are_cut_with_a_mark() -> None:
    mark = f"… cut at {LONGEST_VALUE} characters"
    assert plain("x" * (LONGEST_VALUE + 1)) == "x" * LONGEST_VALUE + mark
    assert plain("x" * LONGEST_VALUE) == "x" * LONGEST_VALUE
    assert plain(["x" * LONGEST_VALUE]) == '["' + "x" * (LONGEST_VALUE - 2) + mark
    assert plain(b"x" * 20_000).endswith(f"… cut at {LONGEST_REPR} characters")


def test_what_nests_too_deep_is_said_to_do_so() -> None:
    value: Any = None
    for _ in range(150):
        value = [value]
    assert plain({"deep": value, "flat": 1}) == {"deep": "nested deeper than 100 levels", "flat": 1}


def test_the_examples_in_the_documentation_run() -> None:
    assert doctest.testmod(jsontext).failed == 0
