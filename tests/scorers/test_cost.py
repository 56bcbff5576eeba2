"""Scorers count what they spend, and stop at the bound."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.scorers import Failed, Sample, Scored, build
from gnomon.scorers.cost import INLINE, Bound, Meter, TooCostlyError, metered, rounded

NUMBERS = st.integers(-3, 3) | st.sampled_from([0.0, -0.0, 1.0, 0.5, 1e18, 10**18])
PLAIN = st.none() | st.booleans() | NUMBERS | st.text("ab1", max_size=2)
JSON = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
)


@given(st.lists(JSON, max_size=5))
def test_unique_items_are_told_apart_as_the_library_tells_them(items: list[Any]):
    from jsonschema import Draft202012Validator

    ours = build("json_schema", {"schema": {"uniqueItems": True}}).score(Sample(output=items))
    assert ours == Scored(float(Draft202012Validator({"uniqueItems": True}).is_valid(items)))


@given(st.integers(0, 200_000), st.integers(0, 200_000))
def test_a_meter_never_gives_more_than_its_bound(first: int, second: int):
    meter = Meter(Bound("a test", 100_000, 50_000, "less"))
    taken = 0
    for steps in (first, second):
        try:
            meter.spend(steps, "some", unbroken=True)
            taken += steps
        except TooCostlyError:
            assert steps > 50_000 or taken + steps > 100_000
    assert taken <= 100_000
    assert meter.left == 100_000 - taken


@pytest.mark.parametrize(
    ("scorer", "output", "config"),
    [
        ("similarity", "a" * 20_000, {"expected_output": "b" * 20_000}),
        ("f1", "word " * 400_000, {"expected_output": "word"}),
        ("numeric", "1 " * 2_000_000, {"expected_output": 1, "extract": True}),
        ("contains_all", "x" * 300_000, {"values": ["x" * 9 + "y"] * 1000}),
        ("choice", "A" * 3_000_000, {"expected_output": "A"}),
        ("regex", "ab" * 300_000, {"pattern": "a[ab]{900}c"}),
        ("json_match", "[" + "{}," * 400_000 + "{}]", {"expected_output": []}),
        ("tool_calls", [{"name": "f", "args": {"a": n}} for n in range(1500)],
         {"expected": [{"name": "f", "args": {"a": n}} for n in range(1500)], "mode": "any_order"}),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 20 else "",
)  # fmt: skip
def test_each_scorer_is_stopped_by_the_bound_of_a_request(scorer, output, config):
    with metered(Meter(INLINE)):
        found = build(scorer, config).score(Sample(output=output))
    assert isinstance(found, Failed)
    assert found.reason.startswith("too costly: ")
    assert INLINE.remedy in found.reason


def test_counts_in_reasons_are_rounded_so_that_reasons_can_be_counted():
    assert [rounded(count) for count in (0, 7, 42, 99_999, 123_456)] == ["0", "7", "42", "100,000", "120,000"]
