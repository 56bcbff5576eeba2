"""Foreign scores: normalised by a known range only, with the raw value beside."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.interop.foreign.bundle import Bundle, ForeignExperiment, ForeignRun, ForeignScore
from gnomon.interop.foreign.scores import scaled, score_of, settle

numbers = st.floats(-1e6, 1e6)


@given(numbers, numbers, numbers, st.sampled_from(["higher", "lower"]))
def test_a_scaled_score_is_in_the_unit_interval_or_absent(raw: float, one: float, other: float, way: Any) -> None:
    low, high = min(one, other), max(one, other)
    if high - low < 1e-6:
        return
    found = scaled("s", raw, low, high, way)
    assert (found.raw, found.low, found.high, found.direction) == (raw, low, high, way)
    if low <= raw <= high:
        assert found.value is not None
        assert 0 <= float(found.value) <= 1
        turned = scaled("s", raw, low, high, "lower" if way == "higher" else "higher")
        assert math.isclose(float(found.value) + float(turned.value or 0), 1, abs_tol=1e-9)
    else:
        assert found.value is None
        assert "outside its range" in (found.absent or "")


@pytest.mark.parametrize(
    ("raw", "value"), [(True, 1.0), (False, 0.0), (0, 0.0), (1, 1.0), (0.25, 0.25), ("good", "good")]
)
def test_booleans_numbers_and_labels_are_taken_as_they_are(raw: Any, value: Any) -> None:
    assert score_of("s", raw).value == value


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (None, "the file has no value"),
        (float("nan"), "the value is nan"),
        ("", "the label is empty"),
        ("x" * 201, "a text of 201 characters is not a label"),
        ([1], "the value is a list"),
        (3, "3 is on a scale that the file does not say"),
    ],
)
def test_what_is_no_score_is_absent_with_its_reason(raw: Any, reason: str) -> None:
    found = score_of("s", raw)
    assert found.value is None
    assert reason in (found.absent or "")


def test_values_beside_one_of_an_unknown_scale_are_not_taken_either() -> None:
    scores = [score_of("rating", 1), score_of("rating", 4), score_of("ok", 1), score_of("rating", True)]
    runs = [ForeignRun("a", "x", scores=scores)]
    (settled,) = settle(Bundle("t", experiments=[ForeignExperiment("e", "d", runs)])).experiments
    assert [score.value for score in settled.runs[0].scores] == [None, None, 1.0, 1.0]
    reason = "1.0 is on a scale that the file does not say; `gnomon import --range rating=WORST..BEST` says it"
    assert settled.runs[0].scores[0] == ForeignScore("rating", absent=reason, raw=1.0)
