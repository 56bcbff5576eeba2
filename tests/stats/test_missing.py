import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.stats.describe import NO_SCORES, ItemSums, ScoreSums
from gnomon.stats.interval import interval_over
from gnomon.stats.missing import bracket_interval, filled_interval, missing_bracket

items = st.lists(st.tuples(st.lists(st.floats(0, 1), max_size=4), st.integers(0, 3)), min_size=1, max_size=12)


def rows(given_items):
    return [(ItemSums.of(scores) if scores else NO_SCORES, missing) for scores, missing in given_items]


def test_six_of_eight_passed_and_two_are_missing():
    assert missing_bracket(6, 8, 2) == (0.6, 0.8)


def test_with_nothing_missing_the_bracket_is_the_mean():
    assert missing_bracket(3, 4, 0) == (0.75, 0.75)


def test_without_any_score_the_bracket_is_all_there_is():
    assert missing_bracket(0, 0, 5) == (0, 1)
    assert missing_bracket(0, 0, 0) is None


def test_a_count_below_zero_is_refused():
    with pytest.raises(InvalidInput, match="missing is -1"):
        missing_bracket(1, 2, -1)


@given(items)
def test_filling_is_the_same_as_having_had_those_scores(given_items):
    clusters = [scores + [0.0] * missing for scores, missing in given_items]
    found = filled_interval(rows(given_items), 0.0)
    if not any(clusters):
        assert found is None
        return
    sums, interval = found
    assert sums.mean == pytest.approx(ScoreSums.of_clusters(clusters).mean, abs=1e-12)
    expected = interval_over(clusters)
    assert interval.method == expected.method
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


@given(items)
def test_the_bracket_holds_every_way_of_filling(given_items):
    bracket = bracket_interval(lambda: rows(given_items))
    for value in (0.0, 1.0):
        found = filled_interval(rows(given_items), value)
        if found is None:
            assert bracket is None
        else:
            assert bracket.low - 1e-9 <= found[0].mean <= bracket.high + 1e-9


def test_a_bracket_says_that_it_is_one():
    assert "bracketed" in bracket_interval(lambda: rows([([1.0], 1), ([0.0], 0)])).flags
