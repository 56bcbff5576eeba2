"""Moments, sums of clusters, and rounding for people."""

import math
import sqlite3
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.stats.describe import ClusterTotals, RunningMoments, ScoreSums, round_shown

finite = st.floats(-1e6, 1e6)
scores = st.floats(0, 1)
clusters_of_scores = st.lists(st.lists(scores, min_size=1, max_size=6), min_size=1, max_size=12)

# What a store would ask its database: group by item, then sum over the items.
ONE_ROW = """
SELECT COUNT(*) AS clusters, SUM(n) AS scores, SUM(s) AS total, SUM(s * s) AS total_squares,
       SUM(s * n) AS total_by_count, SUM(n * n) AS count_squares, SUM(s * s * s) AS total_cubes,
       SUM(s * s * n) AS squares_by_count, SUM(s * n * n) AS total_by_square, SUM(n * n * n) AS count_cubes,
       SUM(CASE WHEN n > 1 THEN n * (q - s * s / n) / (n - 1) ELSE 0 END) AS within,
       SUM(n = 1) AS singles,
       MIN(s / n) AS lowest_cluster_mean, MAX(s / n) AS highest_cluster_mean,
       SUM(q) AS value_squares, MIN(low) AS minimum, MAX(high) AS maximum
FROM (SELECT COUNT(*) AS n, SUM(value) AS s, SUM(value * value) AS q, MIN(value) AS low, MAX(value) AS high
      FROM score GROUP BY item)
"""


def row_from_sqlite(clusters: list[list[float]]) -> ScoreSums:
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    db.execute("CREATE TABLE score (item INTEGER, value REAL)")
    rows = [(item, value) for item, values in enumerate(clusters) for value in values]
    db.executemany("INSERT INTO score VALUES (?, ?)", rows)
    return ScoreSums(**dict(db.execute(ONE_ROW).fetchone()))


# --- rounding -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.75 - 0.80, -0.05),
        (0.1 + 0.2, 0.3),
        (1 / 3, 0.333333333333),
        (2 / 3, 0.666666666667),
        (123456.7890123456, 123456.789012),
        (1e-20, 1e-20),
        (0.0, 0.0),
        (1.0, 1.0),
    ],
)
def test_shown_numbers_have_twelve_significant_digits(value, shown):
    assert round_shown(value) == shown


def test_nothing_is_shown_as_nothing():
    assert round_shown(None) is None


def test_minus_zero_is_shown_as_zero():
    assert str(round_shown(-0.0)) == "0.0"


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_is_not_a_finite_number_is_never_shown(value):
    with pytest.raises(InvalidInput, match="not a finite number"):
        round_shown(value)


# --- moments ------------------------------------------------------------------


def test_moments_of_five_scores():
    moments = RunningMoments.of([0.2, 0.4, 0.4, 0.6, 0.9])
    assert (moments.count, moments.minimum, moments.maximum) == (5, 0.2, 0.9)
    assert moments.mean == pytest.approx(0.5, abs=1e-9)
    assert moments.standard_deviation == pytest.approx(0.2645751311064591, abs=1e-9)
    assert moments.standard_error == pytest.approx(0.11832159566199232, abs=1e-9)


def test_moments_of_five_runs_that_pass_or_fail():
    moments = RunningMoments.of([1, 0, 1, 1, 0])
    assert moments.mean == pytest.approx(0.6, abs=1e-9)
    assert moments.standard_deviation == pytest.approx(0.5477225575051662, abs=1e-9)


def test_moments_of_nothing_are_none():
    empty = RunningMoments()
    assert (empty.count, empty.mean, empty.minimum, empty.maximum) == (0, None, None, None)
    assert empty.standard_deviation is None


def test_a_single_value_has_a_mean_and_no_spread():
    single = RunningMoments.of([0.7])
    assert (single.mean, single.standard_deviation, single.standard_error) == (0.7, None, None)


def test_a_small_spread_around_a_large_mean_keeps_its_digits():
    moments = RunningMoments.of([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16])
    assert moments.standard_deviation == pytest.approx(math.sqrt(30), rel=1e-12)


def test_equal_values_have_no_spread_at_all():
    assert RunningMoments.of([0.1] * 10).standard_deviation == 0.0


def test_a_value_that_is_not_a_number_is_refused_and_not_counted():
    moments = RunningMoments.of([0.5])
    with pytest.raises(InvalidInput, match="value is nan"):
        moments.add(math.nan)
    assert moments.count == 1


@given(st.lists(finite, min_size=2))
def test_moments_are_those_of_the_standard_library(values):
    moments = RunningMoments.of(values)
    assert moments.mean == pytest.approx(statistics.fmean(values), rel=1e-9, abs=1e-6)
    assert moments.standard_deviation == pytest.approx(statistics.stdev(values), rel=1e-6, abs=1e-6)
    assert min(values) <= moments.mean <= max(values)


@given(st.lists(st.lists(finite)))
def test_merging_parts_equals_taking_all_at_once(parts):
    merged, at_once = RunningMoments(), RunningMoments.of([value for part in parts for value in part])
    for part in parts:
        merged.merge(RunningMoments.of(part))
    assert (merged.count, merged.minimum, merged.maximum) == (at_once.count, at_once.minimum, at_once.maximum)
    if at_once.count:
        assert merged.mean == pytest.approx(at_once.mean, rel=1e-9, abs=1e-6)
    if at_once.count > 1:
        assert merged.standard_deviation == pytest.approx(at_once.standard_deviation, rel=1e-6, abs=1e-6)


# --- sums of clusters ---------------------------------------------------------


def test_the_clustered_standard_error_of_four_items_with_three_trials():
    sums = ScoreSums.of_clusters([[1, 1, 0], [0, 0, 0], [1, 1, 1], [0, 1, 0]])
    assert sums.mean == 0.5
    assert sums.standard_error == pytest.approx(0.2151657414559676, abs=1e-9)


def test_the_clustered_standard_error_of_fifty_tasks_with_four_trials():
    passed = [0] * 14 + [1] * 12 + [2] * 10 + [3] * 4 + [4] * 10
    variance = ClusterTotals.of(passed, [4] * 50).variance_of_mean
    assert math.sqrt(variance) == pytest.approx(0.05221619109284876, abs=1e-9)


def test_with_unequal_clusters_the_error_is_that_of_a_ratio():
    sums = ScoreSums.of_clusters([[0.2, 0.4, 0.6], [0.9], [0.5, 0.7]])
    mean = 3.3 / 6
    residuals = [1.2 - 3 * mean, 0.9 - mean, 1.2 - 2 * mean]
    assert sums.mean == pytest.approx(mean, abs=1e-12)
    assert sums.standard_error == pytest.approx(math.sqrt(sum(r * r for r in residuals) / 36 * 3 / 2), abs=1e-12)


@given(st.lists(scores, min_size=2, max_size=30))
def test_one_score_per_cluster_gives_the_usual_standard_error(values):
    sums = ScoreSums.of_clusters([[value] for value in values])
    usual = statistics.stdev(values)
    assert sums.standard_deviation == pytest.approx(usual, rel=1e-6, abs=1e-7)
    assert sums.standard_error == pytest.approx(usual / math.sqrt(len(values)), rel=1e-6, abs=1e-7)


@given(clusters_of_scores)
def test_a_row_of_sqlite_is_the_same_row_as_that_of_python(clusters):
    ours, theirs = ScoreSums.of_clusters(clusters), row_from_sqlite(clusters)
    assert (theirs.clusters, theirs.scores, theirs.count_squares) == (
        ours.clusters,
        ours.scores,
        ours.count_squares,
    )
    assert (theirs.minimum, theirs.maximum) == (ours.minimum, ours.maximum)
    assert theirs.mean == pytest.approx(ours.mean, abs=1e-12)
    assert theirs.standard_deviation == pytest.approx(ours.standard_deviation, abs=1e-7)
    assert theirs.standard_error == pytest.approx(ours.standard_error, abs=1e-7)


@given(st.lists(st.lists(st.sampled_from([0, 1, 0.001, 0.5, 0.999]), min_size=1), min_size=1))
def test_scores_are_binary_when_each_is_0_or_1(clusters):
    expected = all(value in (0, 1) for cluster in clusters for value in cluster)
    assert ScoreSums.of_clusters(clusters).all_binary == row_from_sqlite(clusters).all_binary == expected


def test_one_cluster_has_a_mean_and_no_standard_error():
    sums = ScoreSums.of_clusters([[0.2, 0.4]])
    assert (sums.mean, sums.standard_error) == (pytest.approx(0.3), None)
    assert sums.standard_deviation == pytest.approx(statistics.stdev([0.2, 0.4]))


def test_equal_cluster_means_have_no_error_whatever_rounding_left_in_the_sums():
    sums = ScoreSums.of_clusters([[0.1, 0.7], [0.7, 0.1], [0.4, 0.4], [0.3, 0.5]] * 100)
    assert sums.standard_error == 0.0


def test_the_mean_of_equal_scores_is_that_score():
    assert ScoreSums.of_clusters([[0.1]] * 3).mean == 0.1


def test_clusters_without_a_score_are_left_out():
    assert ScoreSums.of_clusters([[], [1.0], []]) == ScoreSums.of_clusters([[1.0]])


@pytest.mark.parametrize(
    ("clusters", "message"),
    [
        ([], "no score"),
        ([[]], "no score"),
        ([[0.5, 1.5]], "1.5 is outside"),
        ([[math.nan]], "nan is outside"),
    ],
)
def test_scores_that_are_none_are_refused_in_a_sentence(clusters, message):
    with pytest.raises(InvalidInput, match=message):
        ScoreSums.of_clusters(clusters)


@pytest.mark.parametrize(
    ("sums", "counts", "message"),
    [
        ([], [], "clusters is 0"),
        ([1, 0], [1], "2 sums and 1 counts"),
        ([0, 0], [1, 0], "leave empty ones out"),
        ([5], [3], "total is 5.0 over 3 scores"),
    ],
)
def test_totals_that_cannot_be_are_refused_in_a_sentence(sums, counts, message):
    with pytest.raises(InvalidInput, match=message):
        ClusterTotals.of(sums, counts)
