"""What a scorer function may return, and that nothing it does ends an evaluation."""

import asyncio
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.model.score import InlineScoreDraft
from gnomon.scorers import Absent, Failed, Scored
from gnomon.service.evaluation.measured import measured, raised


def only(returned: Any) -> Any:
    ((name, measurement),) = measured("style", returned)
    assert name == "style"
    return measurement


@pytest.mark.parametrize(
    ("returned", "value"),
    [
        (0.5, 0.5), (1, 1.0), (True, 1.0), (False, 0.0), ("good", "good"), (Scored(0.25), 0.25),
        (Scored("good"), "good"), (Scored(True), 1.0),
        (np.float32(0.5), 0.5), (np.int64(1), 1.0), (np.bool_(True), 1.0), (np.array(0.5), 0.5),
        (Fraction(1, 2), 0.5), (Decimal("0.5"), 0.5), (-0.0, 0.0),
    ],
)  # fmt: skip
def test_numbers_bools_and_labels_are_scores(returned: Any, value: float | str) -> None:
    measurement = only(returned)
    assert measurement == Scored(value)
    assert type(measurement.value) in (float, str)
    assert math.copysign(1, measurement.value) == 1 if isinstance(value, float) else True


def test_a_rationale_is_kept() -> None:
    assert only(Scored(0.5, rationale="half of it")) == Scored(0.5, "half of it")


def test_none_is_absent_and_what_says_so_itself_stays() -> None:
    assert only(None) == Absent("the scorer returned None")
    assert only(Absent("no date in it")) == Absent("no date in it")
    assert only(Failed("no server")) == Failed("no server")
    assert only(Absent("")) == Absent("the scorer gave no reason")


@pytest.mark.parametrize(
    ("returned", "reason"),
    [
        (math.nan, "the scorer returned NaN; return None where there is nothing to score"),
        (np.float64("nan"), "the scorer returned NaN; return None where there is nothing to score"),
        (Scored(math.nan), "the scorer returned NaN; return None where there is nothing to score"),
        (2.0, "the scorer returned 2.0, which is outside [0, 1]; divide by your scale first"),
        (-1, "the scorer returned -1, which is outside [0, 1]; divide by your scale first"),
        (math.inf, "the scorer returned inf, which is outside [0, 1]; divide by your scale first"),
        ("", "the scorer returned an empty label; name it, or return None"),
    ],
)
def test_values_that_are_no_score_are_failures_with_the_remedy(returned: Any, reason: str) -> None:
    assert only(returned) == Failed(reason)


@pytest.mark.parametrize("returned", [[1], (1,), object(), b"good", 1j, Scored, np.array([1.0]), {"a"}, lambda: 1])
def test_other_values_are_failures_that_name_the_type_and_what_may_be_returned(returned: Any) -> None:
    reason = only(returned).reason
    assert f"of type {type(returned).__name__}; return a number in [0, 1], a bool, a label" in reason
    assert len(reason) < 250


def test_a_coroutine_that_nobody_awaited_is_a_failure() -> None:
    async def later() -> float:
        return 1.0

    forgotten = later()
    assert "of type coroutine" in only(forgotten).reason
    assert asyncio.run(forgotten) == 1.0


def test_a_dict_is_several_scores_named_after_scorer_and_key() -> None:
    """A dict of several scores; a rubric's dimensions have names of the same form."""
    assert measured("style", {"tone": 0.5, "kind": "letter", "date": None, "size": 7, "deep": {"a": 1}}) == [
        ("style.tone", Scored(0.5)),
        ("style.kind", Scored("letter")),
        ("style.date", Absent("the scorer returned None")),
        ("style.size", Failed("the scorer returned 7, which is outside [0, 1]; divide by your scale first")),
        ("style.deep", only_failed({"a": 1})),
    ]
    assert only({}) == Absent("the scorer returned no scores")


def only_failed(value: Any) -> Failed:
    kinds = "return a number in [0, 1], a bool, a label, Scored(...), a dict of these, or None"
    return Failed(f"the scorer returned {value!r} of type {type(value).__name__}; {kinds}")


@pytest.mark.parametrize("key", [1, "", " ", None, "x" * 300, "\0"])
def test_a_key_that_is_no_name_fails_and_the_other_scores_stay(key: Any) -> None:
    scores = dict(measured("style", {key: 1, "tone": 0.5}))
    assert scores.pop("style.tone") == Scored(0.5)
    assert "name each score by 1 to 256 characters" in scores.pop("style").reason
    assert not scores


def test_an_exception_is_a_failure_with_type_and_message() -> None:
    assert raised(ValueError("no date\nin it")) == Failed("ValueError: no date in it")
    assert raised(KeyError()) == Failed("KeyError")
    assert len(raised(ValueError("x" * 10_000)).reason) < 350


class Hostile:
    """Whatever is asked of it, it raises."""

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return Hostile
        raise RuntimeError("no")

    def __repr__(self) -> str:
        raise RuntimeError("no")


class HostileError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no")


def test_values_that_raise_when_they_are_looked_at_are_failures() -> None:
    assert only(Hostile()) == Failed("RuntimeError: no")
    assert dict(measured("style", {"a": Hostile(), "b": 1}))["style.b"] == Scored(1.0)
    assert raised(HostileError()) == Failed("HostileError: a HostileError that cannot be shown")


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.binary() | st.decimals()
    | st.text(st.characters()) | st.builds(Scored, st.floats() | st.text(), st.none() | st.text())
    | st.builds(Hostile) | st.builds(Absent, st.text()) | st.builds(np.float64, st.floats()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.integers(), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(anything)
def test_nothing_that_is_returned_raises_and_every_score_can_be_stored(returned: Any) -> None:
    measurements = measured("style", returned)
    assert measurements
    assert len({name for name, _ in measurements}) == len(measurements)
    for name, measurement in measurements:
        assert isinstance(measurement, Scored | Absent | Failed)
        if isinstance(measurement, Scored):
            draft = InlineScoreDraft(scorer_name=name, value=measurement.value, rationale=measurement.rationale)
            assert draft.model_dump_json()
            assert not isinstance(measurement.value, float) or 0 <= measurement.value <= 1
        else:
            assert measurement.reason
            assert "\0" not in measurement.reason.encode().decode()
