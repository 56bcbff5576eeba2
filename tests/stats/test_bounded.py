"""The Beta interval of bounded scores: what it is for yes and no, and that interval and p-value agree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.stats.bounded import difference_ends, mean_ends
from gnomon.stats.describe import ClusterTotals
from gnomon.stats.interval import clopper_pearson


def totals(scores: list[float]) -> ClusterTotals:
    return ClusterTotals.of(scores, [1] * len(scores))


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_scores_of_0_and_1_get_the_exact_interval(case):
    passed, n = case
    exact = clopper_pearson(passed, n)
    ends = mean_ends(totals([1.0] * passed + [0.0] * (n - passed)))
    assert ends == pytest.approx((exact.low, exact.high), abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_the_ends_hold_the_mean_between_them_and_are_apart(scores):
    found = totals(scores)
    low, high = mean_ends(found)
    assert 0 <= low <= found.mean <= high <= 1
    assert low < high


@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_more_items_like_these_narrow_the_interval(scores):
    (low, high), (lower, higher) = mean_ends(totals(scores * 4)), mean_ends(totals(scores))
    assert high - low < higher - lower


def test_a_million_equal_scores_have_a_narrow_interval_that_is_not_a_point():
    million = ClusterTotals(
        clusters=10**6, scores=10**6, total=9e5, total_squares=8.1e5, total_by_count=9e5, count_squares=10**6
    )
    low, high = mean_ends(million)
    assert low < 0.9 < high
    assert high - low < 1e-5


# --- differences ------------------------------------------------------------------

differences = st.lists(st.floats(-1, 1), min_size=1, max_size=60)


@given(differences)
def test_the_p_value_is_below_5_percent_exactly_where_the_interval_leaves_0_out(values):
    (low, high), p = difference_ends(values)
    if abs(low) > 1e-9 and abs(high) > 1e-9:
        assert (p < 0.05) == (low > 0 or high < 0)


@given(differences)
def test_swapping_the_two_experiments_mirrors_the_interval(values):
    (low, high), p = difference_ends(values)
    (mirrored_low, mirrored_high), same_p = difference_ends([-value for value in values])
    assert (low, high) == pytest.approx((-mirrored_high, -mirrored_low), abs=1e-9)
    assert p == pytest.approx(same_p, abs=1e-9)


@given(st.integers(1, 500))
def test_no_change_at_all_is_no_proof_that_nothing_changes(items):
    (low, high), p = difference_ends([0.0] * items)
    assert low == pytest.approx(-high, abs=1e-12)
    assert low < 0 < high
    assert p == pytest.approx(1.0, abs=1e-9)
