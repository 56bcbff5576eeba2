"""Times until something happened, some of them unknown."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.stats.survival import Wait, median_ends, median_wait, restricted_mean, survival_curve

TIMES = st.lists(st.none() | st.integers(0, 5), min_size=1, max_size=40)


def waits(times: list[int | None], horizon: int = 6) -> list[Wait]:
    return [Wait(horizon, False) if time is None else Wait(time, True) for time in times]


def test_the_curve_of_kaplan_and_meier_with_censoring_in_the_middle():
    # Freireich's remission times under 6-MP (Cox and Oakes 1984, table 1.1); the curve is the published one.
    events = [6, 6, 6, 7, 10, 13, 16, 22, 23]
    censored = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
    both = [Wait(time, True) for time in events] + [Wait(time, False) for time in censored]
    published = {6: 0.857, 7: 0.807, 10: 0.753, 13: 0.690, 16: 0.627, 22: 0.538, 23: 0.448}
    assert {time: round(share, 3) for time, share in survival_curve(both)} == published
    assert median_wait(both) == 23


def test_the_median_is_null_when_fewer_than_half_had_it_happen():
    assert median_wait(waits([0, 1, None, 2])) == 1
    assert median_wait(waits([0, None, None])) is None
    assert median_wait(waits([None])) is None


def test_the_restricted_mean_counts_the_censored_at_the_horizon():
    mean, ends = restricted_mean([0, 1, None, 2], 6)
    assert mean == 2.25
    assert 0 <= ends.low < 2.25 < ends.high <= 6
    assert restricted_mean([None, None], 6)[0] == 6
    assert restricted_mean([9], 6)[0] == 6


@given(TIMES)
def test_without_censoring_in_between_the_curve_is_the_share_still_waiting(times: list[int | None]):
    for time, share in survival_curve(waits(times)):
        assert share == sum(one is None or one > time for one in times) / len(times)


@given(TIMES)
def test_the_intervals_hold_their_figures_and_have_a_width(times: list[int | None]):
    mean, interval = restricted_mean(times, 6)
    assert 0 <= interval.low <= mean <= interval.high <= 6
    assert interval.low < interval.high
    ends, median = median_ends(waits(times)), median_wait(waits(times))
    assert ends.low <= (6 if median is None else median)
    assert ends.high is None or (median is not None and median <= ends.high)


@given(TIMES)
def test_acting_later_never_lowers_mean_or_median(times: list[int | None]):
    later = [None if time is None or time == 5 else time + 1 for time in times]
    assert restricted_mean(later, 6)[0] >= restricted_mean(times, 6)[0]
    assert (median_wait(waits(later)) or math.inf) >= (median_wait(waits(times)) or 0)


def test_the_interval_of_the_median_is_that_of_order_statistics():
    assert median_ends(waits([0, 1, 2, 3, 4])) == (0.0, None)
    assert median_ends([Wait(time, True) for time in range(1, 11)]) == (2, 9)
    assert median_ends(waits([None] * 10)) == (6, None)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: restricted_mean([], 6), "no time"),
        (lambda: restricted_mean([1], 0), "horizon is 0"),
        (lambda: restricted_mean([-1], 6), "below 0"),
        (lambda: survival_curve([]), "no time"),
        (lambda: survival_curve([Wait(math.nan, True)]), "not a time"),
    ],
)
def test_what_is_no_time_is_refused_in_words(wrong, words: str):
    with pytest.raises(InvalidInput, match=words):
        wrong()
