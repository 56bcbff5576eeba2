"""How many more items would decide a gate."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.stats.describe import ScoreSums
from gnomon.stats.forecast import items_to_decide
from gnomon.stats.interval import bounded, wilson


def standard_error(share: float, n: int) -> float:
    return (share * (1 - share) / (n - 1)) ** 0.5


def test_all_passed_needs_as_many_items_as_wilsons_interval_does():
    more = items_to_decide(1.0, 0.0, 10, 0.9)
    assert more is not None
    assert wilson(10 + more, 10 + more).low > 0.9 >= wilson(9 + more, 9 + more).low


def test_the_nearer_the_bar_the_more_items():
    needed = [items_to_decide(0.9, standard_error(0.9, 20), 20, bar) for bar in (0.7, 0.8, 0.85, 0.89)]
    assert None not in needed
    assert needed == sorted(needed)
    assert needed[-1] > 50 * needed[0]


def test_on_the_bar_no_number_decides():
    assert items_to_decide(0.8, 0.05, 20, 0.8) is None
    assert items_to_decide(0.8 + 1e-6, 0.05, 20, 0.8) is None  # more than two million


@pytest.mark.parametrize(("share", "bar"), [(0.9, 0.8), (0.5, 0.6), (0.3, 0.2)])
def test_four_times_in_five_so_many_items_decide_it(share, bar):
    more = items_to_decide(share, standard_error(share, 30), 30, bar)
    assert more is not None
    draw, decided, rounds = random.Random(7), 0, 2000
    for _ in range(rounds):
        passed = sum(draw.random() < share for _ in range(30 + more))
        interval = wilson(passed, 30 + more)
        decided += interval.low > bar if share > bar else interval.high < bar
    assert decided / rounds == pytest.approx(0.8, abs=0.06)


@given(st.floats(0, 1), st.floats(0, 0.5), st.integers(2, 500), st.floats(0, 1))
def test_a_forecast_is_at_least_one_item_or_none(mean, spread, items, bar):
    possible = min(spread, (mean * (1 - mean)) ** 0.5)
    more = items_to_decide(mean, possible / items**0.5, items, bar)
    assert more is None or more >= 1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_sums_of_single_scores_give_the_interval_of_the_scores(scores):
    n, total, squares = len(scores), sum(scores), min(sum(scores), sum(score * score for score in scores))
    own = bounded(ScoreSums.of_single_scores(n, min(total, n), squares, min(scores), max(scores)))
    known = bounded(ScoreSums.of_clusters([[score] for score in scores]))
    assert (own.low, own.high) == pytest.approx((known.low, known.high), abs=1e-6)
    assert (own.method, own.flags) == (known.method, known.flags) or abs(total - squares) < 1e-9
