"""pass@k and pass^k: tabled numbers, laws, and a published table."""

import csv
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.stats.interval import interval_over
from gnomon.stats.passk import pass_at_k, pass_curves, pass_pow_k


@st.composite
def counted(draw):
    runs = draw(st.integers(1, 60))
    return runs, draw(st.integers(0, runs)), draw(st.integers(1, runs))


histograms = st.dictionaries(
    st.integers(1, 12).flatmap(lambda runs: st.tuples(st.just(runs), st.integers(0, runs))),
    st.integers(1, 50),
    min_size=1,
    max_size=8,
)


@pytest.mark.parametrize(
    ("runs", "passed", "k", "some", "every"),
    [
        (5, 3, 1, 0.6, 0.6),
        (5, 3, 2, 0.9, 0.3),
        (5, 3, 5, 1.0, 0.0),
        (10, 3, 5, 0.9166666666666666, 0.0),
        (10, 0, 5, 0.0, 0.0),
        (10, 10, 5, 1.0, 1.0),
        (6, 3, 1, 0.5, 0.5),
        (200, 37, 10, 0.8773745673794602, 1.5515124900677956e-08),
        (200, 37, 100, 0.9999999999998803, 0.0),
        (1000, 1, 100, 0.1, 0.0),
        (4, 2, 3, 1.0, 0.0),
    ],
)
def test_the_tabled_values_are_met_to_the_last_digit(runs, passed, k, some, every):
    assert (pass_at_k(runs, passed, k), pass_pow_k(runs, passed, k)) == (some, every)


def test_more_tries_than_runs_is_too_few_to_say():
    assert pass_at_k(4, 4, 5) is None
    assert pass_pow_k(4, 4, 5) is None


@pytest.mark.parametrize(
    ("runs", "passed", "k", "message"),
    [(0, 0, 1, "runs is 0"), (3, 4, 1, "passed is 4"), (3, -1, 1, "passed is -1"), (3, 1, 0, "k is 0")],
)
def test_impossible_counts_are_refused(runs, passed, k, message):
    for function in (pass_at_k, pass_pow_k):
        with pytest.raises(InvalidInput, match=message):
            function(runs, passed, k)


@given(counted())
def test_with_one_try_both_are_the_share_that_passed(case):
    runs, passed, _ = case
    assert pass_at_k(runs, passed, 1) == pass_pow_k(runs, passed, 1) == passed / runs


@given(counted())
def test_all_of_k_is_no_likelier_than_one_and_one_no_likelier_than_some_of_k(case):
    runs, passed, k = case
    assert pass_pow_k(runs, passed, k) <= passed / runs <= pass_at_k(runs, passed, k)


@given(counted())
def test_some_passing_is_not_all_failing(case):
    runs, passed, k = case
    assert pass_at_k(runs, passed, k) == pytest.approx(1 - pass_pow_k(runs, runs - passed, k), abs=1e-15)


@given(counted())
def test_more_tries_help_some_and_hurt_all(case):
    runs, passed, k = case
    if k < runs:
        assert pass_at_k(runs, passed, k) <= pass_at_k(runs, passed, k + 1)
        assert pass_pow_k(runs, passed, k) >= pass_pow_k(runs, passed, k + 1)


def test_the_curves_of_fifty_tasks_with_four_trials():
    curves = pass_curves({(4, 0): 14, (4, 1): 12, (4, 2): 10, (4, 3): 4, (4, 4): 10})
    assert list(curves.pass_pow_k) == [1, 2, 3, 4]
    assert list(curves.pass_pow_k.values()) == pytest.approx([0.42, 0.2733333333333333, 0.22, 0.2], abs=1e-9)
    assert list(curves.pass_at_k.values()) == pytest.approx([0.42, 0.5666666666666668, 0.66, 0.72], abs=1e-9)


def test_the_published_tau_bench_table_is_reproduced_from_its_trials():
    folder = os.environ.get("GNOMON_TEST_DATA")
    table = Path(folder or ".", "tau_bench_gpt4o_airline_50x4.csv")
    if folder is None or not table.exists():
        pytest.skip("set GNOMON_TEST_DATA to the folder with tau_bench_gpt4o_airline_50x4.csv")
    with table.open(newline="") as rows:
        tasks = [[int(row[f"trial{trial}"]) for trial in range(4)] for row in csv.DictReader(rows)]
    curves = pass_curves(Counter((4, sum(trials)) for trials in tasks))
    assert [f"{value:.3f}" for value in curves.pass_pow_k.values()] == ["0.420", "0.273", "0.220", "0.200"]


def test_without_items_the_curves_are_empty():
    assert pass_curves({}) == ({}, {}, {}, {}, {})


def test_a_count_of_no_items_is_refused():
    with pytest.raises(InvalidInput, match="items is 0"):
        pass_curves({(4, 2): 0})


@given(histograms)
def test_the_curves_are_means_over_items_up_to_the_smallest_number_of_runs(histogram):
    curves = pass_curves(histogram)
    items = sum(histogram.values())
    assert list(curves.pass_at_k) == list(range(1, min(runs for runs, _ in histogram) + 1))
    for k in curves.pass_at_k:
        some = sum(pass_at_k(runs, passed, k) * many for (runs, passed), many in histogram.items())
        every = sum(pass_pow_k(runs, passed, k) * many for (runs, passed), many in histogram.items())
        assert curves.pass_at_k[k] == pytest.approx(some / items, abs=1e-12)
        assert curves.pass_pow_k[k] == pytest.approx(every / items, abs=1e-12)


@given(histograms)
def test_the_curves_are_monotone_and_do_not_depend_on_the_order_of_items(histogram):
    some, every = (list(curve.values()) for curve in pass_curves(histogram)[:2])
    assert some == sorted(some)
    assert every == sorted(every, reverse=True)
    assert pass_curves(dict(reversed(histogram.items()))) == pass_curves(histogram)


# --- intervals over items ---------------------------------------------------------


@given(histograms)
def test_every_point_of_a_curve_has_an_interval_around_it(histogram):
    curves = pass_curves(histogram)
    for values, intervals in (
        (curves.pass_at_k, curves.pass_at_k_intervals),
        (curves.pass_pow_k, curves.pass_pow_k_intervals),
    ):
        assert values.keys() == intervals.keys()
        for k, interval in intervals.items():
            assert 0 <= interval.low <= values[k] + 1e-12
            assert values[k] - 1e-12 <= interval.high <= 1
            assert interval.low < interval.high


TAU = {(4, 0): 14, (4, 1): 12, (4, 2): 10, (4, 3): 4, (4, 4): 10}


def test_where_an_item_passes_always_or_never_its_interval_is_wilson_s():
    found = pass_curves(TAU).pass_pow_k_intervals
    assert {k: interval.method for k, interval in found.items()} == {
        1: "beta_moments", 2: "beta_moments", 3: "beta_moments", 4: "wilson"}  # fmt: skip


def test_pass_1_carries_the_interval_of_the_mean():
    """One number, one interval: at k = 1 both curves are the mean."""
    clusters = [[1.0] * passed + [0.0] * (4 - passed) for (_, passed), items in TAU.items() for _ in range(items)]
    found, mean = pass_curves(TAU), interval_over(clusters)
    assert found.pass_at_k_intervals[1] == found.pass_pow_k_intervals[1]
    assert (found.pass_pow_k_intervals[1].low, found.pass_pow_k_intervals[1].high) == pytest.approx(
        (mean.low, mean.high), abs=1e-12
    )


@pytest.mark.parametrize("method", ["cluster_wilson", "t_clipped", "bca"])
def test_pass_1_carries_the_interval_of_the_mean_by_any_name(method):
    clusters = [[1.0] * passed + [0.0] * (4 - passed) for (_, passed), items in TAU.items() for _ in range(items)]
    found, mean = pass_curves(TAU, method).pass_pow_k_intervals[1], interval_over(clusters, method)
    assert (found.low, found.high, found.method) == pytest.approx((mean.low, mean.high, method))


def test_a_k_beyond_the_fewest_trials_is_over_the_items_that_have_as_many():
    found = pass_curves({(4, 2): 10, (2, 2): 5}, up_to=4)
    assert found.items == {1: 15, 2: 15, 3: 10, 4: 10}
    assert found.pass_at_k[3] == pass_at_k(4, 2, 3)
    assert pass_curves({(4, 2): 10, (2, 2): 5}).items == {1: 15, 2: 15}


def test_a_long_curve_has_an_interval_for_every_k():
    assert len(pass_curves({(200, 10): 10, (200, 150): 10}).pass_at_k_intervals) == 200
