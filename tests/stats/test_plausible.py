"""What printed numbers can and cannot have come from."""

from fractions import Fraction
from statistics import fmean, pstdev, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.stats.interval import clopper_pearson, jeffreys, wilson
from gnomon.stats.plausible import (
    Printed,
    deviation_too_large,
    error_too_large,
    errors_agree,
    greatest_deviation,
    is_symmetric,
    matching_method,
    nearest_counts,
    possible_counts,
    possible_deviation,
    zero_hides_error,
    zero_hides_interval,
)

read = Printed.read


@pytest.mark.parametrize(
    ("text", "top", "value", "half"),
    [
        ("0.85", 1, Fraction(85, 100), Fraction(5, 1000)),
        ("0.850", 1, Fraction(85, 100), Fraction(5, 10000)),
        ("85.3", 100, Fraction(853, 1000), Fraction(5, 10000)),
        ("85.3%", 1, Fraction(853, 1000), Fraction(5, 10000)),
        ("8.5e-1", 1, Fraction(85, 100), Fraction(5, 1000)),
        ("0.8500000000000001", 1, Fraction(8500000000000001, 10**16), Fraction(1, 10**9)),
    ],
)
def test_a_printed_number_stands_for_all_that_round_to_it(text, top, value, half):
    found = read(text, top)
    assert found.value == value
    assert float(found.high - found.value) == pytest.approx(float(half), rel=1e-6)
    assert found.value - found.low == found.high - found.value


@pytest.mark.parametrize(
    ("mean", "n", "possible"),
    [
        ("5.19", 28, False),  # Brown and Heathers (2017), the paper's example
        ("5.18", 28, True),
        ("5.21", 28, True),
        ("5.93", 49, False),  # The Economist, "Come again", 18 June 2016
        ("3.48", 20, False),  # a die rolled 20 times, in encyclopedias
        ("3.45", 20, True),
        ("5.27", 43, False),  # scrutiny's documentation
        ("11.09", 21, False),  # grim_test's documentation
    ],
)
def test_published_examples_of_grim(mean, n, possible):
    assert bool(possible_counts(read(mean), n)) is possible


def test_a_mean_that_rounds_either_way_is_possible_both_ways():
    assert possible_counts(read("1.12"), 8)  # 9 / 8 = 1.125
    assert possible_counts(read("1.13"), 8)


def test_the_counts_beside_an_impossible_mean_are_named():
    assert nearest_counts(read("0.87"), 19) == (16, 17)


def test_the_published_example_of_grimmer_is_impossible_by_parity():
    """Mean 3.44 and SD 2.47 of 18 answers from 1 to 7 (Allard 2018): 317 squares, but an even sum."""
    mean, deviation = read("3.44", 7), read("2.47", 7)
    assert possible_counts(mean, 18, 7)
    assert not possible_deviation(deviation, mean, 18, 7)
    assert possible_deviation(read("2.48", 7), mean, 18, 7)


@pytest.mark.parametrize(("text", "possible"), [("0.51", True), ("0.50", True), ("0.52", False), ("0.49", False)])
def test_half_of_twenty_passes_have_one_standard_deviation_by_either_divisor(text, possible):
    assert possible_deviation(read(text), read("0.50"), 20) is possible


counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))
digits = st.integers(0, 6)


@given(counts, digits, st.booleans())
def test_a_mean_that_was_counted_is_never_called_impossible(counted, places, percent):
    n, passed = counted
    share = 100 * passed / n if percent else passed / n
    assert passed in possible_counts(read(f"{share:.{places}f}", 100 if percent else 1), n)


@given(st.integers(1, 10).flatmap(lambda s: st.tuples(st.just(s), st.lists(st.integers(0, s), min_size=2))), digits)
def test_a_deviation_that_was_computed_from_steps_is_never_called_impossible(given_steps, places):
    steps, marks = given_steps
    mean = read(f"{fmean(marks):.{places}f}", steps)
    for deviation in (stdev(marks), pstdev(marks)):
        assert possible_deviation(read(f"{deviation:.{places}f}", steps), mean, len(marks), steps)


@given(st.lists(st.floats(0, 1), min_size=2), digits)
def test_spreads_that_were_computed_from_scores_are_never_called_impossible(scores, places):
    n, mean = len(scores), read(f"{fmean(scores):.{places}f}")
    for deviation in (stdev(scores), pstdev(scores)):
        printed = read(f"{deviation:.{places}f}")
        error = read(f"{deviation / n**0.5:.{places}f}")
        assert not deviation_too_large(printed, mean, n)
        assert not error_too_large(error, mean, n)
        assert errors_agree(error, printed, n)
    assert stdev(scores) <= greatest_deviation(mean, n) + 1e-9


def test_scores_cannot_spread_beyond_the_ends():
    assert greatest_deviation(read("0.9"), 1) is None
    assert greatest_deviation(read("0.900"), 10) == pytest.approx((0.8995 * 0.1005 * 10 / 9) ** 0.5)
    assert deviation_too_large(read("0.45"), read("0.900"), 10)
    assert error_too_large(read("0.45"), read("0.900"), 10)
    assert not deviation_too_large(read("0.31"), read("0.900"), 10)


def test_an_error_of_zero_is_hidden_by_rounding_only_when_n_is_large():
    assert not zero_hides_error(read("0.00"), read("0.50"), 100)
    assert zero_hides_error(read("0.00"), read("0.50"), 100_000)
    assert zero_hides_error(read("0.00"), read("1.00"), 100)


def test_a_bare_zero_has_as_many_digits_as_its_mean():
    assert not zero_hides_error(read("0"), read("0.850"), 20)


def test_an_interval_without_width_is_hidden_by_rounding_only_when_n_is_large():
    assert not zero_hides_interval(read("0.80"), read("0.80"), 100)
    assert zero_hides_interval(read("0.80"), read("0.80"), 100_000)


def test_an_error_that_is_the_deviation_again_does_not_agree_with_it():
    assert errors_agree(read("0.04"), read("0.40"), 100)
    assert not errors_agree(read("0.40"), read("0.40"), 100)


@given(counts, st.integers(2, 6), st.sampled_from([wilson, clopper_pearson, jeffreys]))
def test_an_interval_made_by_a_known_method_is_recognised(counted, places, method):
    n, passed = counted
    made = method(passed, n)
    low, mean, high = (read(f"{x:.{places}f}") for x in (made.low, passed / n, made.high))
    if len(possible_counts(mean, n)) == 1:
        assert matching_method(low, mean, high, n) is not None


def test_an_interval_about_its_mean_is_symmetric_and_a_lopsided_one_has_no_method():
    assert is_symmetric(read("0.70"), read("0.80"), read("0.90"))
    assert is_symmetric(read("0.70"), read("0.90"), read("1.00"))
    assert not is_symmetric(read("0.60"), read("0.80"), read("0.85"))
    assert matching_method(read("0.60"), read("0.80"), read("0.85"), 100) is None
