import itertools
import random
import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.stats.resample import RESAMPLED_UP_TO, bca_ends, bca_ends_from, bca_of

_RANDOM = random.Random(7)
SKEWED = [round(_RANDOM.betavariate(8, 2), 3) for _ in range(RESAMPLED_UP_TO)]


def test_all_256_resamples_of_four_values_give_the_known_ends():
    values = [0.1, 0.3, 0.35, 0.9]
    means = np.array([statistics.fmean(drawn) for drawn in itertools.product(values, repeat=4)])
    low, high = bca_of(means, np.array(values), np.ones(4))
    assert (low, high) == pytest.approx((0.2, 0.7625), abs=1e-9)


def test_seeded_resamples_of_five_values_are_near_those_of_another_library():
    low, high = bca_ends([0.2, 0.4, 0.4, 0.6, 0.9], [1] * 5)
    assert (low, high) == pytest.approx((0.32, 0.74), abs=0.02)


@settings(max_examples=20)
@given(st.lists(st.floats(0, 1), min_size=15, max_size=40), st.randoms(use_true_random=False))
def test_the_order_of_the_items_never_matters(values, rng):
    assert bca_ends(values, [1] * len(values)) == bca_ends(rng.sample(values, len(values)), [1] * len(values))


def test_where_drawing_ends_the_formula_takes_over_without_a_step():
    values = np.array(SKEWED)
    off = values - values.mean()
    skewness = (off**3).mean() / (off**2).mean() ** 1.5
    drawn = bca_ends(SKEWED, [1] * len(SKEWED))
    computed = bca_ends_from(values.mean(), off.std() / len(off) ** 0.5, skewness, len(off))
    width = drawn[1] - drawn[0]
    assert computed == pytest.approx(drawn, abs=0.03 * width)


def test_more_items_than_are_drawn_are_computed():
    many = SKEWED * 4
    low, high = bca_ends(many, [1] * len(many))
    few = bca_ends(SKEWED, [1] * len(SKEWED))
    assert high - low == pytest.approx((few[1] - few[0]) / 2, rel=0.05)
    assert low < statistics.fmean(many) < high


def test_a_long_left_tail_reaches_farther_left():
    mean = statistics.fmean(SKEWED)
    low, high = bca_ends(SKEWED, [1] * len(SKEWED))
    assert mean - low > high - mean


def test_items_of_different_size_are_drawn_whole():
    sums, counts = [float(passed) for passed in range(20)], [20] * 10 + [40] * 10
    low, high = bca_ends(sums, counts)
    assert low < sum(sums) / sum(counts) < high


def test_a_count_for_every_sum():
    with pytest.raises(InvalidInput, match="2 sums and 1 counts"):
        bca_ends([0.1, 0.2], [1])


def test_values_whose_squares_vanish_have_an_interval_too():
    assert bca_ends([0.0] * 14 + [3.5e-158], [1] * 15) == pytest.approx((0.0, 7e-159), abs=1e-157)
    low, high = bca_ends([0.0] * 400 + [3.5e-158], [1] * 401)
    assert low <= high <= 1e-157
