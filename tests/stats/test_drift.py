"""A stream of scores against its reference: laws that hold for any stream, and what the test is for."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.stats.drift import DaySums, reference_ends, watch

scores = st.lists(st.floats(0, 1), min_size=1, max_size=30)
streams = st.lists(scores, min_size=1, max_size=12)


def sums(values: list[float]) -> DaySums:
    return DaySums(len(values), math.fsum(values), math.fsum(x * x for x in values))


def share(passed: int, n: int) -> DaySums:
    return DaySums(n, float(passed), float(passed))


WEEK = [share(passed, 50) for passed in (45, 44, 46, 45, 47, 43, 45)]
GOOD, BAD = share(45, 50), share(30, 50)


@given(st.data(), streams, streams)
def test_the_order_within_a_day_does_not_matter(data, before, since):
    def shuffled(days: list[list[float]]) -> list[DaySums]:
        return [sums(data.draw(st.permutations(day))) for day in days]

    assert watch(shuffled(before), shuffled(since)) == watch([*map(sums, before)], [*map(sums, since)])


@given(st.lists(scores, min_size=1, max_size=7), st.integers(1, 40))
def test_a_stream_that_repeats_the_mean_of_its_reference_never_alarms(before, length):
    every = sums([x for day in before for x in day])
    assert watch([*map(sums, before)], [every] * length).status != "alarm"


@given(streams, streams, streams)
def test_an_alarm_stays_and_keeps_its_day_as_the_stream_grows(before, since, more):
    reference, first = [*map(sums, before)], [*map(sums, since)]
    early = watch(reference, first)
    late = watch(reference, [*first, *map(sums, more)])
    if early.status == "alarm":
        assert (late.status, late.alarm_at, late.began_at) == ("alarm", early.alarm_at, early.began_at)


@given(streams, streams)
def test_a_rise_is_a_fall_of_what_is_missing(before, since):
    def mirrored(days: list[list[float]]) -> list[DaySums]:
        return [sums([1 - x for x in day]) for day in days]

    one, other = watch([*map(sums, before)], [*map(sums, since)]), watch(mirrored(before), mirrored(since))
    assert one.effect == pytest.approx(-other.effect, abs=1e-9)
    assert one.effect_ends == pytest.approx((-other.effect_ends[1], -other.effect_ends[0]), abs=1e-6)


@given(streams, streams, st.sampled_from([0.05, 0.01, 0.001]))
def test_the_interval_of_the_change_holds_the_change_and_an_alarm_is_clear_of_none_on_its_day(before, since, alpha):
    reference, days = [*map(sums, before)], [*map(sums, since)]
    found = watch(reference, days, alpha)
    low, high = found.effect_ends
    assert -1 <= low <= found.effect + 1e-12
    assert found.effect - 1e-12 <= high <= 1
    if found.status == "alarm":
        low, high = watch(reference, days[: found.alarm_at + 1], alpha).effect_ends
        assert high < 1e-9 if found.direction == "down" else low > -1e-9


@given(streams, st.floats(0.001, 0.05))
def test_a_smaller_chance_of_a_false_alarm_widens_the_reference(days, alpha):
    reference = [*map(sums, days)]
    narrow, wide = reference_ends(reference, 0.05), reference_ends(reference, alpha)
    assert 0 <= wide[0] <= narrow[0] + 1e-9
    assert narrow[1] - 1e-9 <= wide[1] <= 1


def test_a_reference_alone_is_too_few():
    assert watch(WEEK, []).status == "too_few"


def test_scores_that_could_not_raise_an_alarm_whatever_they_were_are_too_few():
    assert watch(WEEK, [share(1, 1)]).status == "too_few"
    assert watch(WEEK, [share(0, 1)]).status == "too_few"
    assert watch(WEEK, [GOOD]).status == "quiet"


def test_a_change_is_noticed_dated_and_measured():
    found = watch(WEEK, [GOOD] * 20 + [BAD] * 10)
    assert (found.status, found.direction, found.began_at) == ("alarm", "down", 20)
    assert 20 < found.alarm_at <= 25
    assert found.effect == pytest.approx(-0.3)
    assert found.effect_ends[0] < -0.3 < found.effect_ends[1] < 0


def test_a_rise_is_noticed_too():
    low = [share(passed, 50) for passed in (10, 9, 11, 10, 12, 8, 10)]
    found = watch(low, [share(10, 50)] * 5 + [share(25, 50)] * 10)
    assert (found.status, found.direction, found.began_at) == ("alarm", "up", 5)


def test_days_that_differ_by_themselves_are_held_against_a_change():
    """Twenty points up and down from day to day are no drift, though each day alone is far from the mean."""
    noisy = [share(passed, 500) for passed in (450, 350) * 40]
    assert watch(noisy[:8], noisy[8:]).status == "quiet"


def test_a_few_scores_more_than_a_million_give_the_same_as_their_sums():
    found = watch([share(900_000, 1_000_000)] * 7, [share(900_000, 1_000_000)] * 400)
    assert found.status == "quiet"
    assert found.effect == pytest.approx(0, abs=1e-12)
