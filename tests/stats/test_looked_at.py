"""Intervals of scores that were looked at while they came in: the betting mixture wherever it is asked for by name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.stats.describe import round_shown
from gnomon.stats.interval import interval_over, share_interval
from gnomon.stats.paired import holm, more_items, paired_binary, paired_difference, verdict
from gnomon.stats.passk import pass_curves
from gnomon.stats.rank import rank
from gnomon.stats.sequence import betting_mixture

scores = st.floats(0, 1, allow_nan=False)
items = st.lists(st.lists(scores, min_size=1, max_size=4), min_size=1, max_size=12)
differences = st.lists(st.floats(-1, 1, allow_nan=False), min_size=1, max_size=30)


@given(items)
def test_every_item_has_one_vote_and_the_mean_is_inside(clusters):
    interval = interval_over(clusters, "betting_mixture")
    alone = betting_mixture([min(1.0, sum(each) / len(each)) for each in clusters])
    values = [score for each in clusters for score in each]
    mean = sum(values) / len(values)
    assert interval.method == "betting_mixture"
    assert interval.low == pytest.approx(min(alone.low, mean), abs=1e-9)
    assert interval.high == pytest.approx(max(alone.high, mean), abs=1e-9)


@given(differences)
def test_the_p_value_of_a_difference_agrees_with_its_interval(values):
    found = paired_difference(values, "betting_mixture")
    assert found.interval.low <= found.delta <= found.interval.high
    if abs(found.p_value - 0.05) > 1e-6:
        assert (found.p_value < 0.05) == (found.interval.low > 0 or found.interval.high < 0)


@given(differences)
def test_swapping_the_two_experiments_mirrors_the_interval(values):
    one, other = (
        paired_difference(values, "betting_mixture"),
        paired_difference([-v for v in values], "betting_mixture"),
    )
    assert one.interval.low == pytest.approx(-other.interval.high, abs=1e-6)
    assert one.p_value == pytest.approx(other.p_value)


def test_nothing_changed_is_no_evidence_and_asks_for_no_forecast():
    found = paired_binary(0, 0, 40, "betting_mixture")
    assert (found.delta, found.p_value, verdict(found, *holm([found.p_value]))) == (0.0, 1.0, "inconclusive")
    assert more_items(paired_binary(6, 2, 40, "betting_mixture"), 0.5) is None


def test_shares_and_pass_curves_are_means_of_items_too():
    share = share_interval([2, 0, 1, 3], [3, 3, 3, 3], "betting_mixture")
    assert share == betting_mixture([2 / 3, 0, 1 / 3, 1])
    curves = pass_curves({(3, 3): 4, (3, 1): 2}, "betting_mixture")
    one_of_two = betting_mixture([1.0] * 4 + [2 / 3] * 2)
    assert curves.pass_at_k_intervals[2].low == pytest.approx(one_of_two.low)
    assert curves.pass_at_k_intervals[2].method == "betting_mixture"


def test_an_agent_that_could_stop_early_has_its_interval_and_nobody_resampled_ranks():
    agents = {"a": {f"{n}": [1.0] for n in range(9)}, "b": {f"{n}": [n % 2 * 1.0] for n in range(12)}}
    found = rank(agents, stopped=["a"])
    first, second = found.standings
    assert (first.agent, first.interval) == ("a", betting_mixture([1.0] * 9))
    assert second.interval.method == "wilson"
    assert [one.rank_interval_marginal for one in found.standings] == [None, None]
    (pair,) = found.pairs
    assert pair.difference.interval == paired_difference([1.0, 0.0] * 4 + [1.0], "betting_mixture").interval
    assert round_shown(rank(agents).standings[0].mean) == round_shown(first.mean)
    assert rank(agents).standings[0].rank_interval_marginal is not None
