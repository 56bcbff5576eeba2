"""Confidence sequences: the tabled evidence, what holds for every one, and that looking often is legal."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import special

from gnomon.errors import InvalidInput
from gnomon.stats.interval import wilson
from gnomon.stats.sequence import (
    REJECTED,
    CountedScores,
    bernstein_looks,
    beta_mixture,
    beta_mixture_e_value,
    betting_mixture,
    empirical_bernstein,
    sequence_over,
)

LOOKS = 500
scores = st.lists(st.floats(0, 1), min_size=1, max_size=60)
counts = st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def most_misses(repeats: int, chance: float = 0.05, slack: float = 1e-4) -> int:
    """What a sequence that misses with this chance exceeds in one of ten thousand simulations."""
    return next(k for k in range(repeats + 1) if special.bdtrc(k, repeats, chance) < slack)


# --- scores of 0 and 1 --------------------------------------------------------


@pytest.mark.parametrize(
    ("passed", "failed", "p", "expected"),
    [(9, 1, 0.5, 9.309090909090914), (18, 2, 0.5, 262.80100250626555), (60, 40, 0.5, 0.9130497784875727)],
)
def test_evidence_matches_the_tabled_e_values(passed, failed, p, expected):
    assert beta_mixture_e_value(passed, failed, p) == pytest.approx(expected, abs=1e-9)


def test_a_share_that_the_counts_rule_out_has_infinite_evidence_against_it():
    assert beta_mixture_e_value(1, 0, 0.0) == math.inf
    assert beta_mixture_e_value(0, 1, 1.0) == math.inf
    assert beta_mixture_e_value(0, 5000, 0.9) == math.inf


@given(st.integers(1, 40), st.floats(0.01, 0.99))
def test_evidence_against_the_truth_is_one_on_average(n, p):
    """What makes looking legal: before the data, no share can be expected to lose."""
    expected = sum(
        math.comb(n, passed) * p**passed * (1 - p) ** (n - passed) * beta_mixture_e_value(passed, n - passed, p)
        for passed in range(n + 1)
    )
    assert expected == pytest.approx(1, abs=1e-9)


@given(counts)
def test_the_beta_mixture_ends_where_the_evidence_reaches_twenty(passed_of):
    passed, n = passed_of
    found = beta_mixture(passed, n)
    for end in {found.low, found.high} - {0.0, 1.0}:
        assert beta_mixture_e_value(passed, n - passed, end) == pytest.approx(REJECTED, rel=1e-6)


@given(counts)
def test_the_beta_mixture_is_inside_contains_the_mean_and_has_a_width(passed_of):
    passed, n = passed_of
    found = beta_mixture(passed, n)
    assert 0 <= found.low <= passed / n <= found.high <= 1
    assert found.low < found.high
    assert (found.low == 0, found.high == 1) == (passed == 0, passed == n)


@given(counts)
def test_the_beta_mixture_of_failures_mirrors_that_of_successes(passed_of):
    passed, n = passed_of
    there, back = beta_mixture(passed, n), beta_mixture(n - passed, n)
    assert (there.low, there.high) == pytest.approx((1 - back.high, 1 - back.low), abs=1e-12)


@given(counts)
def test_ten_times_the_data_make_the_beta_mixture_narrower_and_never_as_narrow_as_wilson(passed_of):
    passed, n = passed_of
    small, large, fixed = beta_mixture(passed, n), beta_mixture(10 * passed, 10 * n), wilson(10 * passed, 10 * n)
    assert large.high - large.low < small.high - small.low
    assert fixed.high - fixed.low < large.high - large.low


# --- real scores --------------------------------------------------------------


@given(scores)
def test_empirical_bernstein_is_inside_contains_the_mean_and_has_a_width(values):
    found = empirical_bernstein(values)
    assert 0 <= found.low < found.high <= 1
    assert found.low <= math.fsum(values) / len(values) + 1e-12
    assert found.high >= math.fsum(values) / len(values) - 1e-12


@given(scores)
def test_empirical_bernstein_of_mirrored_scores_is_mirrored(values):
    there, back = empirical_bernstein(values), empirical_bernstein([1 - value for value in values])
    assert (there.low, there.high) == pytest.approx((1 - back.high, 1 - back.low), abs=1e-9)


@given(st.floats(0, 1), st.integers(1, 300))
def test_equal_scores_still_have_a_width(value, n):
    found = empirical_bernstein([value] * n)
    assert found.low <= value <= found.high
    assert found.low < found.high


@given(st.floats(0.1, 0.9), st.floats(0, 0.1))
def test_more_scores_narrow_the_sequence_in_the_long_run(middle, off):
    widths = [
        found.high - found.low
        for found in (empirical_bernstein([middle - off, middle + off] * n) for n in (25, 250, 2500))
    ]
    assert widths[0] > 2 * widths[1] > 4 * widths[2]


def test_less_spread_makes_a_narrower_sequence():
    calm, wild = empirical_bernstein([0.45, 0.55] * 250), empirical_bernstein([0.0, 1.0] * 250)
    assert (calm.high - calm.low) < (wild.high - wild.low) / 2


def test_a_mean_that_moved_on_the_way_is_flagged_and_leaves_an_interval():
    found = empirical_bernstein([0.01] * 500 + [0.99] * 500)
    assert found.flags == ("drifting",)
    assert found.low < 0.5 <= found.high


def test_a_steady_mean_is_not_flagged():
    assert empirical_bernstein([0.4, 0.6] * 500).flags == ()


# --- a mixture of fixed bets ----------------------------------------------------


@given(counts)
def test_the_betting_mixture_of_scores_of_0_and_1_is_the_beta_mixture(passed_of):
    passed, n = passed_of
    betting, beta = betting_mixture([1.0] * passed + [0.0] * (n - passed)), beta_mixture(passed, n)
    assert (betting.low, betting.high) == pytest.approx((beta.low, beta.high), abs=2e-8)


@given(st.floats(0, 1), st.floats(0.01, 0.99))
def test_the_evidence_of_one_score_is_what_the_integral_gives(score, mean):
    expected = (score / mean + (1 - score) / (1 - mean)) / 2
    assert math.exp(CountedScores([score]).log_evidence(mean)) == pytest.approx(expected, rel=1e-9)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0.05, 1)), min_size=2, max_size=3), st.integers(1, 5))
def test_betting_on_the_true_mean_gains_nothing_on_average(weighted, n):
    """What makes looking legal, for any distribution: here the average over all rows of n scores, exactly."""
    whole = sum(weight for _, weight in weighted)
    chances = [(value, weight / whole) for value, weight in weighted]
    mean = math.fsum(value * chance for value, chance in chances)
    assume(1e-6 < mean < 1 - 1e-6)
    expected = math.fsum(
        math.prod(chance for _, chance in row) * math.exp(CountedScores([value for value, _ in row]).log_evidence(mean))
        for row in itertools.product(chances, repeat=n)
    )
    assert expected == pytest.approx(1, rel=1e-6)


@given(st.lists(st.integers(-1, 1), min_size=1, max_size=100))
def test_evidence_against_no_difference_comes_from_the_items_that_changed(differences):
    """McNemar's question at every look: of the changed items, as many better as worse?"""
    evidence = CountedScores([(1 + d) / 2 for d in differences]).log_evidence(0.5)
    expected = beta_mixture_e_value(differences.count(1), differences.count(-1), 0.5)
    assert math.exp(evidence) == pytest.approx(expected, rel=1e-9)


@given(scores, st.randoms())
def test_the_order_of_scores_does_not_move_the_betting_mixture(values, random):
    shuffled = random.sample(values, len(values))
    assert betting_mixture(shuffled) == betting_mixture(values)


@given(scores)
def test_the_betting_mixture_is_inside_contains_the_mean_and_has_a_width(values):
    found = betting_mixture(values)
    assert 0 <= found.low <= math.fsum(values) / len(values) + 1e-12
    assert math.fsum(values) / len(values) - 1e-12 <= found.high <= 1
    assert found.low < found.high


@given(scores)
def test_the_betting_mixture_of_mirrored_scores_is_mirrored(values):
    there, back = betting_mixture(values), betting_mixture([1 - value for value in values])
    assert (there.low, there.high) == pytest.approx((1 - back.high, 1 - back.low), abs=1e-7)


@given(scores, st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_evidence_is_convex_in_the_mean(values, one, other, share):
    """So what is not rejected is one interval."""
    counted = CountedScores(values)
    between = counted.log_evidence(share * one + (1 - share) * other)
    assert between <= max(counted.log_evidence(one), counted.log_evidence(other)) + 1e-9


def test_the_betting_mixture_is_narrower_than_empirical_bernstein_for_few_scores():
    values = np.random.default_rng(4).beta(8, 2, 50).tolist()
    betting, bernstein = betting_mixture(values), empirical_bernstein(values)
    assert betting.high - betting.low < (bernstein.high - bernstein.low) / 2


# --- choosing and refusing ----------------------------------------------------


def test_the_sequence_follows_from_the_scores():
    assert sequence_over([1, 0, 1.0]) == beta_mixture(2, 3)
    assert sequence_over([1, 0, 0.5]) == empirical_bernstein([1, 0, 0.5])
    assert (sequence_over([1]).method, sequence_over([0.5]).method) == ("beta_mixture", "empirical_bernstein")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: sequence_over([]), "at least one"),
        (lambda: empirical_bernstein([]), "at least one"),
        (lambda: empirical_bernstein([0.5, 1.5]), "score 1.5 is outside"),
        (lambda: betting_mixture([]), "at least one"),
        (lambda: betting_mixture([0.5, math.nan]), "score nan is outside"),
        (lambda: sequence_over([math.nan]), "score nan is outside"),
        (lambda: beta_mixture(0, 0), "n is 0"),
        (lambda: beta_mixture(3, 2), "failed is -1"),
        (lambda: beta_mixture_e_value(-1, 2, 0.5), "passed is -1"),
        (lambda: beta_mixture_e_value(1, 2, 1.5), "p is 1.5"),
    ],
)
def test_impossible_scores_are_refused(ask, message):
    with pytest.raises(InvalidInput, match=message):
        ask()


# --- looking often ------------------------------------------------------------


@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
@pytest.mark.slow
def test_looking_after_every_score_is_legal_with_the_beta_mixture_and_not_with_wilson(p):
    repeats = 2000
    passed = np.cumsum(np.random.default_rng(1).random((repeats, LOOKS)) < p, axis=1)
    looks = np.arange(1, LOOKS + 1)
    rejects = np.array(
        [[s <= n and beta_mixture_e_value(s, n - s, p) >= REJECTED for s in range(LOOKS + 1)] for n in looks]
    )
    outside = np.array(
        [[s <= n and not (fixed := wilson(s, n)).low <= p <= fixed.high for s in range(n + 1)] + [False] * (LOOKS - n)
         for n in looks.tolist()]
    )  # fmt: skip
    misses = int(rejects[looks - 1, passed].any(axis=1).sum())
    assert misses <= most_misses(repeats)
    assert outside[looks - 1, passed].any(axis=1).mean() > 0.25


@pytest.mark.parametrize(("a", "b"), [(2.0, 1.0), (0.3, 3.0), (20.0, 20.0)])
def test_looking_after_every_score_is_legal_with_empirical_bernstein(a, b):
    repeats, truth = 300, a / (a + b)
    drawn = np.random.default_rng(2).beta(a, b, (repeats, LOOKS)).tolist()
    misses = sum(any(not low <= truth <= high for low, high in bernstein_looks(values)) for values in drawn)
    assert misses <= most_misses(repeats)


def test_what_is_kept_of_all_looks_misses_no_more_than_they_do():
    values = np.random.default_rng(3).beta(2, 2, LOOKS).tolist()
    found = empirical_bernstein(values)
    narrowest = max(low for low, _ in bernstein_looks(values)), min(high for _, high in bernstein_looks(values))
    assert (found.low, found.high) == narrowest
