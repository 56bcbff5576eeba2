"""Intervals of a mean: the tabled numbers, and what holds for every one of them."""

import math
import random
import statistics
from typing import get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.stats.describe import ClusterTotals, ScoreSums
from gnomon.stats.ends import Interval, MeanMethod
from gnomon.stats.interval import (
    clopper_pearson,
    cluster_wilson,
    cluster_wilson_from,
    effective_n,
    equal_weight_interval,
    interval_over,
    items_fixed_interval,
    jeffreys,
    mean_interval,
    poisson_mean,
    t_clipped,
    wilson,
)
from gnomon.stats.tails import t_critical

binary_clusters = st.lists(st.lists(st.sampled_from([0, 1]), min_size=1, max_size=6), min_size=1, max_size=30)
real_clusters = st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=4), min_size=1, max_size=20)
any_clusters = binary_clusters | real_clusters

FOUR_BY_THREE = [[1, 1, 0], [0, 0, 0], [1, 1, 1], [0, 1, 0]]
FIFTY_BY_FOUR = [0] * 14 + [1] * 12 + [2] * 10 + [3] * 4 + [4] * 10


def ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


def assert_sound(interval: Interval, mean: float) -> None:
    assert 0 <= interval.low <= mean <= interval.high <= 1
    assert interval.low < interval.high


# --- Wilson -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("successes", "n", "expected"),
    [
        (8, 10, (0.49016247153664183, 0.9433178485456247)),
        (0, 10, (0.0, 0.27753279986288926)),
        (10, 10, (0.7224672001371106, 1.0)),
        (3, 5, (0.2307242812760129, 0.8823792257673522)),
        (5, 5, (0.5655175352168252, 1.0)),
        (84, 200, (0.35373599161616726, 0.4892792606041954)),
        (325, 500, (0.6071928710061952, 0.6905198268553391)),
    ],
)
def test_wilson_matches_the_tabled_interval(successes, n, expected):
    assert ends(wilson(successes, n)) == pytest.approx(expected, abs=1e-9)


@given(st.integers(1, 10**6), st.floats(0, 1))
def test_wilson_is_inside_contains_the_mean_and_has_a_width(n, share):
    assert_sound(wilson(share * n, n), share * n / n)


def test_nothing_but_failures_or_successes_reaches_the_end_of_the_scale_exactly():
    assert {wilson(0, n).low for n in range(1, 200)} == {0.0}
    assert {wilson(n, n).high for n in range(1, 200)} == {1.0}


@given(st.integers(1, 1000), st.data())
def test_wilson_of_failures_mirrors_wilson_of_successes(n, data):
    successes = data.draw(st.integers(0, n))
    there, back = wilson(successes, n), wilson(n - successes, n)
    assert ends(there) == pytest.approx((1 - back.high, 1 - back.low), abs=1e-12)


@pytest.mark.parametrize("n", [0, -1, math.nan, math.inf])
def test_wilson_without_a_score_is_refused(n):
    with pytest.raises(InvalidInput, match="at least one score"):
        wilson(0, n)


@pytest.mark.parametrize("successes", [-1, 11, math.nan])
def test_wilson_of_impossible_counts_is_refused(successes):
    with pytest.raises(InvalidInput, match="between 0 and n"):
        wilson(successes, 10)


# --- several trials per item --------------------------------------------------


def test_cluster_wilson_of_four_items_with_three_trials():
    totals = ClusterTotals.of([sum(trials) for trials in FOUR_BY_THREE], [3] * 4)
    assert effective_n(totals) == pytest.approx(5.4, abs=1e-9)
    assert ends(cluster_wilson_from(totals)) == pytest.approx((0.0961930171884191, 0.9038069828115809), abs=1e-9)


def test_cluster_wilson_of_fifty_tasks_with_four_trials():
    assert effective_n(ClusterTotals.of(FIFTY_BY_FOUR, [4] * 50)) == pytest.approx(89.34431137724552, abs=1e-9)
    interval = cluster_wilson(FIFTY_BY_FOUR, [4] * 50)
    assert ends(interval) == pytest.approx((0.3207630017514771, 0.5261562969370002), abs=1e-9)
    assert (interval.method, interval.flags) == ("cluster_wilson", ())


def test_one_trial_per_item_is_plain_wilson():
    assert cluster_wilson([1, 0, 1, 1, 0], [1] * 5) == wilson(3, 5)


def test_items_that_all_tie_count_once_each():
    tied = ClusterTotals.of([1] * 10, [3] * 10)
    assert effective_n(tied) == 10
    assert ends(cluster_wilson_from(tied)) == pytest.approx(ends(wilson(10 / 3, 10, t_critical(9))), abs=1e-12)


def test_ties_are_seen_exactly_where_floats_would_leave_a_residue():
    """A third has no exact float; Σ(s − n/3)² computed in floats is not zero here."""
    counts = [3 * size for size in range(1, 40)]
    assert effective_n(ClusterTotals.of([count // 3 for count in counts], counts)) == len(counts)


@pytest.mark.parametrize(("score", "mean"), [(0, 0.0), (1, 1.0)])
def test_items_that_always_pass_or_always_fail_still_have_a_width(score, mean):
    interval = cluster_wilson([score * 5] * 20, [5] * 20)
    assert_sound(interval, mean)
    assert interval.method == "cluster_wilson"


def test_one_item_is_worth_one_score_however_often_it_ran():
    interval = cluster_wilson([60], [100])
    assert ends(interval) == ends(wilson(0.6, 1))
    assert (interval.method, interval.flags) == ("wilson", ("one_item",))


def test_a_lone_run_has_an_interval_and_a_flag():
    interval = cluster_wilson([1], [1])
    assert ends(interval) == ends(wilson(1, 1))
    assert interval.flags == ("single_run",)


def test_cluster_wilson_refuses_scores_other_than_0_and_1():
    with pytest.raises(InvalidInput, match="t_clipped"):
        cluster_wilson([0.5, 1], [1, 1])


@given(binary_clusters)
def test_sums_say_the_same_as_the_scores_themselves(clusters):
    """Against the definition, written out over single scores."""
    count, values = len(clusters), [value for trials in clusters for value in trials]
    assume(count > 1 and len(values) > count)
    n, mean = len(values), statistics.fmean(values)
    residuals = sum(math.fsum(value - mean for value in trials) ** 2 for trials in clusters)
    variance = residuals / n**2 * count / (count - 1)
    expected_n = count if variance < 1e-12 else min(mean * (1 - mean) / variance, n)
    expected = wilson(mean * expected_n, expected_n, t_critical(count - 1))
    direct = cluster_wilson([sum(trials) for trials in clusters], [len(trials) for trials in clusters])
    assert ends(direct) == pytest.approx(ends(expected), abs=1e-9)
    assert mean_interval(ScoreSums.of_clusters(clusters), method="cluster_wilson") == direct


@given(any_clusters)
def test_the_same_trials_again_make_no_item_count_for_more(clusters):
    twice = ScoreSums.of_clusters([trials * 2 for trials in clusters])
    often = ScoreSums.of_clusters([trials * 10 for trials in clusters])
    assert ends(mean_interval(twice)) == pytest.approx(ends(mean_interval(often)), abs=1e-9)


# --- real values --------------------------------------------------------------


def test_t_of_five_real_scores():
    interval = t_clipped(0.5, 0.2645751311064591, 5)
    assert ends(interval) == pytest.approx((0.17148658488506896, 0.828513415114931), abs=1e-9)
    assert (interval.method, interval.flags) == ("t_clipped", ("small_n",))


def test_t_is_clipped_where_it_would_leave_the_scale():
    assert ends(t_clipped(0.6, 0.5477225575051662, 5)) == (0.0, 1.0)


@pytest.mark.parametrize(("n", "flags"), [(2, ("small_n",)), (14, ("small_n",)), (15, ()), (500, ())])
def test_fewer_than_fifteen_real_scores_are_flagged(n, flags):
    assert t_clipped(0.5, 0.1, n).flags == flags


def test_equal_real_scores_get_wilson_on_the_mean():
    assert t_clipped(0.5, 0.0, 20) == wilson(10, 20)


def test_a_spread_too_small_to_show_gets_wilson_too():
    assert_sound(t_clipped(0.5, 1e-300, 20), 0.5)


def test_a_lone_real_score_gets_wilson_and_a_flag():
    interval = t_clipped(0.7, None, 1)
    assert ends(interval) == ends(wilson(0.7, 1))
    assert interval.flags == ("single_run",)


@pytest.mark.parametrize(
    ("mean", "deviation", "n", "message"),
    [
        (0.5, 0.1, 0, "n is 0"),
        (1.5, 0.1, 5, "mean is 1.5"),
        (math.nan, 0.1, 5, "mean is nan"),
        (0.5, None, 5, "standard_deviation is None"),
        (0.5, -0.1, 5, "standard_deviation is -0.1"),
        (0.5, math.nan, 5, "standard_deviation is nan"),
    ],
)
def test_t_of_impossible_numbers_is_refused(mean, deviation, n, message):
    with pytest.raises(InvalidInput, match=message):
        t_clipped(mean, deviation, n)


@given(st.floats(0, 1), st.floats(0, 1), st.integers(1, 10_000))
def test_t_is_inside_contains_the_mean_and_has_a_width(mean, deviation, n):
    assert_sound(t_clipped(mean, deviation, n), mean)


# --- choosing -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("clusters", "method", "flags"),
    [
        ([[1], [0], [1]], "wilson", ()),
        ([[1]], "wilson", ("single_run",)),
        ([[0.4]], "wilson", ("single_run",)),
        ([[1, 0, 1]], "wilson", ("one_item",)),
        ([[0.4, 0.6]], "wilson", ("one_item",)),
        ([[1, 0], [1, 1]], "beta_moments", ()),
        ([[1, 0], [1]], "beta_moments", ()),
        ([[1, 1], [0, 0]], "wilson", ()),
        ([[0.4], [0.6]], "beta_moments", ("small_n",)),
        ([[0.4], [0.6]] * 8, "beta_moments", ()),
        ([[0.4, 0.5], [0.6]], "beta_moments", ("small_n",)),
        ([[0.4], [0.4]], "beta_moments", ("small_n",)),
        ([[0.4]] * 15, "beta_moments", ()),
        ([[0.1, 0.7], [0.7, 0.1]] * 8, "beta_moments", ()),
    ],
)
def test_the_method_follows_from_the_scores(clusters, method, flags):
    interval = mean_interval(ScoreSums.of_clusters(clusters))
    assert (interval.method, interval.flags) == (method, flags)


@given(any_clusters)
def test_every_interval_is_inside_contains_the_mean_and_has_a_width(clusters):
    sums = ScoreSums.of_clusters(clusters)
    assert_sound(mean_interval(sums), sums.mean)
    assert_sound(interval_over(clusters), sums.mean)
    assert_sound(equal_weight_interval(clusters), statistics.fmean(map(statistics.fmean, clusters)))


@given(any_clusters, st.randoms(use_true_random=False))
def test_the_order_of_items_and_trials_never_matters(clusters, rng: random.Random):
    shuffled = [rng.sample(trials, len(trials)) for trials in rng.sample(clusters, len(clusters))]
    for method in (interval_over, equal_weight_interval):
        there, back = method(clusters), method(shuffled)
        assert (there.method, there.flags) == (back.method, back.flags)
        assert ends(there) == pytest.approx(ends(back), abs=1e-9)


@given(st.integers(1, 4), st.lists(st.floats(0, 1), min_size=8, max_size=40))
def test_with_equal_trials_real_scores_are_their_item_means(trials, values):
    clusters = [values[start : start + trials] for start in range(0, len(values) - trials + 1, trials)]
    means = [statistics.fmean(cluster) for cluster in clusters]
    assert ends(interval_over(clusters)) == pytest.approx(ends(interval_over([[mean] for mean in means])), abs=1e-7)


NAMED = [
    # scores, by name, what is used, flags
    ([[1], [0], [1]], "clopper_pearson", "clopper_pearson", ()),
    ([[1], [0], [1]], "jeffreys", "jeffreys", ()),
    ([[1], [0], [1]], "beta_moments", "beta_moments", ()),
    ([[1, 0], [1, 1]], "cluster_wilson", "cluster_wilson", ()),
    ([[1, 0], [1, 1]], "wilson", "beta_moments", ("other_method",)),
    ([[1, 0], [1, 1]], "clopper_pearson", "beta_moments", ("other_method",)),
    ([[0.4], [0.6]], "t_clipped", "t_clipped", ("small_n",)),
    ([[0.4], [0.6]] * 8, "bca", "bca", ()),
    ([[0.4], [0.6]] * 8, "wilson", "beta_moments", ("other_method",)),
    ([[0.4], [0.4]], "bca", "wilson", ("small_n",)),
]


@pytest.mark.parametrize(("clusters", "named", "used", "flags"), NAMED)
def test_a_method_is_taken_by_name_where_it_fits_and_told_where_it_does_not(clusters, named, used, flags):
    interval = interval_over(clusters, named)
    assert (interval.method, interval.flags) == (used, flags)


@given(any_clusters, st.sampled_from(get_args(MeanMethod)))
def test_every_named_interval_has_a_width_and_stays_inside(clusters, method):
    interval = interval_over(clusters, method)
    assert 0 <= interval.low < interval.high <= 1


# --- one method without a step ------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([0.9] * 40, (0.833, 0.907)),
        ([0.9] * 39 + [0.8], (0.831, 0.906)),
        ([1.0] * 40, (0.912, 1.0)),
        ([1.0] * 39 + [0.99], (0.912, 1.0)),
        ([0.5] * 40, (0.464, 0.536)),
        ([0.9] * 5, (0.466, 0.942)),
    ],
)
def test_scores_that_agree_are_not_certain_and_worse_ones_are_not_surer(scores, expected):
    """Forty times 0.9 must not be less sure of 0.85 than thirty-nine times 0.9 and one 0.8."""
    assert ends(interval_over([[score] for score in scores])) == pytest.approx(expected, abs=6e-4)


@given(st.lists(st.floats(0, 1) | st.sampled_from([0.0, 1.0]), min_size=2, max_size=40), st.data())
def test_moving_one_score_a_little_moves_no_end_by_much(values, data):
    """Also from all 0 and 1 to nearly so, and from constant to nearly constant."""
    place, step = data.draw(st.integers(0, len(values) - 1)), data.draw(st.floats(1e-6, 0.02))
    moved = [*values[:place], values[place] + (step if values[place] < 0.5 else -step), *values[place + 1 :]]
    before, after = (interval_over([[value] for value in each]) for each in (values, moved))
    assert abs(before.low - after.low) <= 3 * step
    assert abs(before.high - after.high) <= 3 * step


@given(any_clusters)
def test_turning_the_scale_over_turns_the_interval_over(clusters):
    there, back = interval_over(clusters), interval_over([[1 - score for score in trials] for trials in clusters])
    assert ends(there) == pytest.approx((1 - back.high, 1 - back.low), abs=1e-9)


# --- the exact and the Bayesian one, by name ------------------------------------

SHARES = [
    # passed, n, Clopper–Pearson, Jeffreys
    (8, 10, (0.4439045376923585, 0.9747892736731666), (0.4972255035600069, 0.9559405864473692)),
    (0, 10, (0.0, 0.30849710781876083), (4.7890433157581876e-05, 0.2171962675092106)),
    (10, 10, (0.6915028921812392, 1.0), (0.7828037324907894, 0.9999521095668424)),
    (3, 5, (0.14663279963467313, 0.9472550494736831), (0.20941666407600484, 0.905609672655656)),
    (5, 5, (0.4781762498950185, 1.0), (0.6206228577009606, 0.9999065793999604)),
    (84, 200, (0.350743857791056, 0.49166382512261975), (0.35315162852260795, 0.48914514454872415)),
    (325, 500, (0.6064011333593087, 0.6918131012593911), (0.6074226875635105, 0.6908463948257197)),
]


@pytest.mark.parametrize(("passed", "n", "exact", "bayes"), SHARES)
def test_the_exact_and_the_bayesian_interval(passed, n, exact, bayes):
    assert ends(clopper_pearson(passed, n)) == pytest.approx(exact, abs=1e-9)
    assert ends(jeffreys(passed, n)) == pytest.approx(bayes, abs=1e-9)


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_exact_interval_contains_the_mean_and_is_wider_than_the_bayesian_one(case):
    passed, n = case
    exact, bayes = clopper_pearson(passed, n), jeffreys(passed, n)
    assert_sound(exact, passed / n)
    assert exact.low <= bayes.low < bayes.high <= exact.high


@pytest.mark.parametrize(
    ("events", "tabled"),
    [
        (0, (0.0, 3.6889)),
        (1, (0.0253, 5.5716)),
        (3, (0.6187, 8.7673)),
        (10, (4.7954, 18.3904)),
        (100, (81.3640, 121.6268)),
    ],
)
def test_the_exact_interval_of_a_count_is_the_tabled_one(events, tabled):
    assert ends(poisson_mean(events, 1)) == pytest.approx(tabled, abs=1e-4)


@given(st.integers(0, 5_000), st.integers(1, 500))
def test_the_exact_interval_of_a_count_contains_it_and_narrows_with_runs(events, runs):
    exact, more = poisson_mean(events, runs), poisson_mean(2 * events, 2 * runs)
    assert exact.low <= events / runs < exact.high
    assert exact.low <= more.low <= more.high < exact.high


def test_the_exact_interval_of_a_count_covers_95_percent_at_every_mean():
    """Exactly, by adding up the chances of the counts whose interval contains the true mean."""
    intervals = [poisson_mean(events, 1) for events in range(80)]
    for mean in (0.05, 0.3, 1.0, 2.5, 3.6, 5.0, 12.0, 30.0):
        covered = math.fsum(
            math.exp(events * math.log(mean) - mean - math.lgamma(events + 1))
            for events, interval in enumerate(intervals)
            if interval.low <= mean <= interval.high
        )
        assert covered >= 0.95 - 1e-9


def test_a_count_that_cannot_be_is_refused():
    for events, runs in ((-1, 3), (0, 0)):
        with pytest.raises(InvalidInput):
            poisson_mean(events, runs)


# --- other questions about the same scores --------------------------------------


def test_items_with_more_trials_have_no_more_votes_where_items_are_equal():
    clusters = [[1.0] * 8, [0.0, 0.0], [1.0, 0.0]]
    interval = equal_weight_interval(clusters)
    assert interval.method == "beta_moments"
    assert_sound(interval, 0.5)
    assert interval != interval_over(clusters)


def test_with_equal_trials_equal_weight_changes_nothing():
    clusters = [[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]
    assert equal_weight_interval(clusters) == interval_over(clusters)


def test_the_same_items_again_vary_less_than_other_items_would():
    passed_of_four = {0: 14, 1: 12, 2: 10, 3: 4, 4: 10}
    clusters = [[1.0] * c + [0.0] * (4 - c) for c, items in passed_of_four.items() for _ in range(items)]
    sums = ScoreSums.of_clusters(clusters)
    assert sums.within_item_error == pytest.approx(0.027080128015453196, abs=1e-9)
    again = items_fixed_interval(sums.mean, sums.within_item_error, sums.scores - sums.clusters)
    assert again.flags == ("items_fixed",)
    assert_sound(again, sums.mean)
    others = mean_interval(sums)
    assert again.high - again.low < others.high - others.low


def test_one_score_an_item_shows_no_spread_within_items():
    assert ScoreSums.of_clusters([[1.0], [0.0]]).within_item_error is None


def test_items_that_never_waver_still_get_a_width():
    sums = ScoreSums.of_clusters([[1.0, 1.0], [1.0, 1.0]])
    assert_sound(items_fixed_interval(1.0, sums.within_item_error, 2), 1.0)


@pytest.mark.parametrize("items", [2, 14, 15, 40, 301, 2_000])
@pytest.mark.parametrize("tiny", [5e-324, 3.5e-158, 1e-100, 1e-30])
def test_one_tiny_score_among_zeros_is_no_trouble(items: int, tiny: float):
    assert_sound(interval_over([[0.0]] * (items - 1) + [[tiny]]), tiny / items)
