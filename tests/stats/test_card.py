"""The numbers of a report card: worked examples, what holds always, and whether the slope's interval covers."""

import math
import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.stats.card import (
    FEWEST_ITEMS,
    NO_SPREAD,
    MeasuredScore,
    Repeats,
    agreement_of_repeats,
    difference_of_groups,
    difference_of_repeats,
    length_slope,
    mean_amount,
    mean_over,
    median,
    paired_shift,
    share,
    share_over,
)
from gnomon.stats.interval import interval_over, wilson

NONE = "nothing there"
unit = st.floats(0, 1)


# --- shares, means, medians -----


def test_a_share_has_wilsons_interval_and_nothing_has_a_reason():
    found = share(2, 40, NONE)
    assert found.value == 0.05
    assert found.interval == (wilson(2, 40).low, wilson(2, 40).high)
    assert (share(0, 0, NONE).value, share(0, 0, NONE).reason) == (None, NONE)


def test_a_share_over_items_takes_the_votes_of_one_item_together():
    found = share_over({"a": 3, "b": 0}, {"a": 5, "b": 5, "c": 5}, NONE)
    expected = interval_over([[1.0] * 3 + [0.0] * 2, [0.0] * 5, [0.0] * 5])
    assert found.value == pytest.approx(0.2)
    assert found.interval == pytest.approx((expected.low, expected.high))
    assert share_over({}, {}, NONE).reason == NONE


def test_a_mean_over_items_does_not_depend_on_their_order():
    clusters = [[0.2, 0.4], [1.0], [0.5]]
    assert mean_over(clusters, NONE) == mean_over(clusters[::-1], NONE)
    assert mean_over([], NONE).reason == NONE


def test_an_amounts_interval_is_students_and_never_below_zero():
    found = mean_amount([1.0, 2.0, 3.0], NONE)
    assert found.value == 2.0
    assert found.interval == pytest.approx((0.0, 2 + 4.302652729911275 / math.sqrt(3)))
    assert mean_amount([0.5], NONE).reason == "one value has no spread"
    assert mean_amount([], NONE).reason == NONE


@given(st.floats(0, 1e6), st.integers(2, 40))
def test_equal_amounts_have_no_interval_and_say_why(amount, n):
    """Their next one may be anything: an interval of no width would claim to know it."""
    found = mean_amount([amount] * n, NONE)
    assert (found.interval, found.reason) == (None, NO_SPREAD)
    assert found.value == pytest.approx(amount)


@given(st.lists(st.floats(1e-7, 1e3), min_size=2, max_size=40))
def test_an_amounts_interval_is_never_without_width(amounts):
    found = mean_amount(amounts, NONE)
    assert (found.interval is None) == (found.reason is not None)
    if found.interval is not None:
        assert found.interval[0] < found.interval[1]
        assert found.interval[0] <= found.value <= found.interval[1]


def test_a_median_lies_between_the_tabled_order_statistics():
    """Ranks 1 and 6 of 6, 2 and 9 of 10, 40 and 61 of 100: as every table of the binomial has them."""
    for n, ends in ((6, (1, 6)), (10, (2, 9)), (100, (40, 61))):
        assert median(list(range(1, n + 1)), NONE).interval == ends
    five = median([5, 1, 3, 2, 4], NONE)
    assert (five.value, five.interval) == (3, None)
    assert "takes 6 values" in five.reason


@given(st.lists(st.floats(0, 1e6), min_size=6, max_size=60))
def test_a_median_lies_inside_its_interval(values):
    found = median(values, NONE)
    assert found.interval[0] <= found.value <= found.interval[1]


# --- asked again -----


def test_two_of_three_votes_alike_are_one_pair_of_three():
    assert agreement_of_repeats([Repeats("a", ["x", "x", "y"])], NONE).value == pytest.approx(1 / 3)
    assert difference_of_repeats([Repeats("a", [0.0, 0.5, 1.0])], NONE).value == pytest.approx(2 / 3)


def test_two_answers_each_are_a_share_with_wilsons_interval():
    said = [Repeats(n, [1.0, 1.0 if n < 8 else 0.0]) for n in range(10)]
    found = agreement_of_repeats(said, NONE)
    assert found.value == 0.8
    assert found.interval == (wilson(8, 10).low, wilson(8, 10).high)
    assert difference_of_repeats(said, NONE).value == pytest.approx(0.2)


def test_one_answer_is_no_repeat():
    assert agreement_of_repeats([Repeats("a", [1.0])], NONE).reason == NONE


def test_numbers_that_differ_only_in_rounding_are_the_same_answer():
    assert agreement_of_repeats([Repeats("a", [0.1 + 0.2, 0.3])], NONE).value == 1.0


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=2, max_size=12))
def test_repeats_are_counted_over_all_pairs(answers):
    pairs = list(combinations(answers, 2))
    one = [Repeats("a", answers)]
    assert agreement_of_repeats(one, NONE).value == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))
    apart = math.fsum(abs(a - b) for a, b in pairs) / len(pairs)
    assert difference_of_repeats(one, NONE).value == pytest.approx(apart)


# --- length -----


def scores_of(random_numbers: random.Random, items: int, slope: float) -> list[MeasuredScore]:
    """Two scores an item, which share the item's level."""
    made = []
    for item in range(items):
        doublings, level = random_numbers.gauss(8, 1.5), random_numbers.gauss(0, 0.08)
        for _ in range(2):
            score = 0.5 + slope * (doublings - 8) + level + random_numbers.gauss(0, 0.05)
            made.append(MeasuredScore(item, 2**doublings, score))
    return made


def test_the_slope_is_least_squares_and_its_error_leaves_each_item_out_once():
    rows = scores_of(random.Random(1), 12, 0.03)

    def fitted(points):
        x, y = [math.log2(one.length) for one in points], [one.value for one in points]
        middle, level = math.fsum(x) / len(x), math.fsum(y) / len(y)
        return math.fsum((a - middle) * (b - level) for a, b in zip(x, y, strict=True)) / math.fsum(
            (a - middle) ** 2 for a in x
        )

    found = length_slope(rows, NONE)
    without = [fitted([one for one in rows if one.item != item]) for item in range(12)]
    center = math.fsum(without) / 12
    error = math.sqrt(11 / 12 * math.fsum((one - center) ** 2 for one in without))
    assert found.value == pytest.approx(fitted(rows))
    assert found.standard_error == pytest.approx(error)
    assert found.interval == pytest.approx((found.value - 2.2009852 * error, found.value + 2.2009852 * error))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.1, 10), st.floats(-0.2, 0.2))
def test_units_of_length_order_of_rows_a_shift_and_copies_do_not_change_the_slope(seed, unit_length, shift):
    rows = scores_of(random.Random(seed), 12, 0.02)
    changed = [MeasuredScore(item, 1e6 * unit_length * length, value + shift) for item, length, value in rows]
    shuffled = random.Random(seed).sample([*changed, *changed], 2 * len(rows))
    found, other = length_slope(rows, NONE), length_slope(shuffled, NONE)
    assert other.value == pytest.approx(found.value, abs=1e-9)
    assert other.interval == pytest.approx(found.interval, abs=1e-9)


def test_the_slopes_interval_covers():
    """600 repeats: 95 % less or more three standard errors."""
    chance, covered = random.Random(3), 0
    for _ in range(600):
        low, high = length_slope(scores_of(chance, 20, 0.02), NONE).interval
        covered += low <= 0.02 <= high
    assert 0.923 <= covered / 600 <= 0.977


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], NONE),
        (
            [MeasuredScore(n, 2**n, 0.1) for n in range(9)],
            f"9 items are too few for a slope; it needs at least {FEWEST_ITEMS}",
        ),
        ([MeasuredScore(n, 100, n / 20) for n in range(12)], "all outputs have the same length"),
        ([MeasuredScore(n, 2**n, 0.7) for n in range(12)], "every score is the same"),
    ],
)
def test_a_slope_that_cannot_be_said_says_why(rows, reason):
    found = length_slope(rows, NONE)
    assert (found.value, found.interval) == (None, None)
    assert reason in found.reason


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([MeasuredScore(n, 200 if n else 100, n / 20) for n in range(12)], "all outputs but one"),
        ([MeasuredScore(n, 2**n, n / 20) for n in range(12)], "on a line"),
    ],
)
def test_a_slope_without_a_spread_has_no_interval(rows, reason):
    found = length_slope(rows, NONE)
    assert found.value is not None
    assert found.interval is None
    assert reason in found.reason


def test_an_empty_output_is_as_short_as_one_character():
    rows = [MeasuredScore(n, n, 0.3 + 0.02 * (n % 3)) for n in range(12)]
    assert length_slope(rows, NONE).value == length_slope([rows[1]._replace(item=0, value=0.3), *rows[1:]], NONE).value


# --- groups and pairs -----


def test_two_shares_are_compared_as_newcombe_does():
    """56 of 70 against 48 of 80: Newcombe (1998), method 10: 0.0524 to 0.3339."""
    ours = {n: [float(n < 56)] for n in range(70)}
    others = {n: [float(n < 48)] for n in range(80)}
    found = difference_of_groups(ours, others)
    assert found.value == pytest.approx(0.2)
    assert found.interval == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_groups_turned_turn_the_difference():
    ours, others = {n: [n / 10] for n in range(10)}, {n: [n / 20, 0.5] for n in range(6)}
    one, other = difference_of_groups(ours, others), difference_of_groups(others, ours)
    assert one.value == pytest.approx(-other.value)
    assert one.interval == pytest.approx((-other.interval[1], -other.interval[0]))


def test_signed_numbers_keep_their_scale():
    ours, others = {n: [0.2 + n / 100] for n in range(20)}, {n: [-0.1 - n / 100] for n in range(20)}
    found = difference_of_groups(ours, others, signed=True)
    assert found.value == pytest.approx(0.49)
    assert found.interval[0] < 0.49 < found.interval[1] < 0.7


def test_groups_that_are_too_small_or_empty_are_not_compared():
    many, few = {n: [1.0] for n in range(9)}, {n: [1.0] for n in range(4)}
    assert "4 items of the judge's own family are too few" in difference_of_groups(few, many).reason
    assert "0 items of other families are too few" in difference_of_groups(many, {}).reason


@given(st.lists(unit, min_size=5, max_size=20), st.lists(unit, min_size=5, max_size=20))
@settings(max_examples=25, deadline=None)
def test_a_difference_of_groups_lies_inside_an_interval_with_a_width(ours, others):
    found = difference_of_groups(*({n: [value] for n, value in enumerate(group)} for group in (ours, others)))
    assert -1 <= found.interval[0] <= found.value <= found.interval[1] <= 1
    assert found.interval[0] < found.interval[1]


def test_a_shift_is_after_less_before_and_no_change_is_not_certainty():
    found = paired_shift([(0.0, 1.0)] * 3 + [(0.0, 0.0)] * 7, NONE)
    assert found.value == pytest.approx(0.3)
    assert found.interval[0] < 0.3 < found.interval[1]
    still = paired_shift([(0.4, 0.4)] * 10, NONE)
    assert still.value == 0.0
    assert still.interval[0] < 0 < still.interval[1]
    assert paired_shift([], NONE).reason == NONE
