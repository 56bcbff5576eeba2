"""Two experiments over the same items: tabled numbers, laws, and what each verdict takes."""

import math
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.stats.ends import Interval
from gnomon.stats.paired import (
    PairedDifference,
    bracketed,
    evidence_of_regression,
    holm,
    mcnemar_exact,
    more_items,
    paired_binary,
    paired_difference,
    sign_flip,
    tango,
    verdict,
)

A = [1, 1, 1, 0, 1, 1, 0, 1, 1, 0]
B = [1, 0, 1, 0, 0, 1, 0, 1, 0, 0]

differences = st.lists(st.floats(-1, 1), min_size=1, max_size=40)


@st.composite
def changed(draw):
    items = draw(st.integers(2, 300))
    improved = draw(st.integers(0, items))
    return improved, draw(st.integers(0, items - improved)), items


def ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


# --- real scores, or several trials ---------------------------------------------


def test_the_paired_t_test_of_ten_items_by_name():
    found = paired_difference([a - b for a, b in zip(A, B, strict=True)], "t_clipped")
    assert (found.items, found.reason) == (10, None)
    assert found.delta == pytest.approx(0.3, abs=1e-9)
    assert ends(found.interval) == pytest.approx((-0.04555021441364382, 0.6455502144136438), abs=1e-9)
    assert found.p_value == pytest.approx(0.08112618884584057, abs=1e-9)


def test_a_t_interval_is_clipped_to_what_is_possible():
    assert ends(paired_difference([1.0, -0.9], "t_clipped").interval) == (-1.0, 1.0)


def test_twenty_items_that_move_a_little_are_less_sure_than_t_says():
    values = [0.05 + 0.1 * math.sin(place) for place in range(20)]
    ours, student = paired_difference(values), paired_difference(values, "t_clipped")
    assert ours.interval.low < student.interval.low < student.interval.high < ours.interval.high
    assert ours.p_value > student.p_value


def test_no_item_in_both_is_no_number_with_a_reason():
    assert paired_difference([]) == PairedDifference(0, None, None, None, "no item is scored in both")


def test_one_item_has_a_wide_interval_and_a_flag():
    found = paired_difference([0.4])
    assert (found.delta, found.interval.flags) == (0.4, ("one_item",))
    assert found.interval.low < -0.5
    assert found.p_value > 0.05


@given(st.integers(1, 50))
def test_an_experiment_against_itself_is_no_proof_of_equality(items):
    """No interval has zero width, and `equivalent` needs a margin that holds it."""
    found = paired_difference([0.0] * items)
    assert (found.delta, found.p_value) == (0.0, 1.0)
    assert found.interval.low < 0 < found.interval.high
    assert verdict(found, found.p_value) == "inconclusive"
    assert verdict(found, found.p_value, found.interval.high + 1e-9) == "equivalent"


def test_what_only_rounding_left_is_no_difference():
    found = paired_difference([0.1 + 0.2 - 0.3, 0.7 + 0.1 - 0.8, 0.0])
    assert (found.delta, found.p_value) == (0.0, 1.0)


def test_items_that_all_move_alike_are_not_certain():
    found = paired_difference([0.8 - 0.7, 0.3 - 0.2, 0.6 - 0.5, 0.1])
    assert found.p_value > 0.05
    assert found.interval.low < 0 < 0.1 < found.interval.high


def test_one_item_that_moves_a_little_makes_nobody_surer_that_nothing_moved():
    same, moved = paired_difference([0.0] * 40), paired_difference([0.0] * 39 + [0.001])
    assert moved.interval.high == pytest.approx(same.interval.high, abs=1e-4)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("items", range(2, 30))
def test_where_all_move_alike_interval_and_p_value_agree(items, sign):
    found = paired_difference([sign * 0.25] * items)
    outside = found.interval.low > 0 or found.interval.high < 0
    assert outside == (found.p_value < 0.05)


@given(differences)
def test_the_interval_of_a_difference_is_inside_and_contains_it(values):
    found = paired_difference(values)
    if found.interval is not None:
        assert -1 <= found.interval.low <= found.delta <= found.interval.high <= 1
        assert 0 <= found.p_value <= 1


@given(differences, st.randoms(use_true_random=False))
def test_the_order_of_items_never_matters(values, rng: random.Random):
    there, back = paired_difference(values), paired_difference(rng.sample(values, len(values)))
    assert there.delta == back.delta
    if there.interval is not None:
        assert there.p_value == pytest.approx(back.p_value, rel=1e-9)
        assert ends(there.interval) == pytest.approx(ends(back.interval), abs=1e-12)


@given(differences)
def test_swapping_the_experiments_mirrors_the_answer(values):
    there, back = paired_difference(values), paired_difference([-value for value in values])
    assert there.delta == -back.delta
    if there.interval is not None:
        assert there.p_value == pytest.approx(back.p_value, rel=1e-9)
        assert ends(there.interval) == pytest.approx((-back.interval.high, -back.interval.low), abs=1e-12)


@pytest.mark.parametrize("wrong", [[0.5, 1.5], [math.nan, 0.1], [0.1, math.nan], [math.inf, -math.inf]])
def test_differences_that_cannot_be_are_refused(wrong):
    with pytest.raises(InvalidInput, match="differences"):
        paired_difference(wrong)


# --- scores of 0 and 1, one trial ---------------------------------------------


@pytest.mark.parametrize(
    ("improved", "regressed", "expected"),
    [(3, 0, 0.25), (54, 28, 0.005435924877566281), (6, 16, 0.052478790283203125), (0, 0, 1.0), (7, 7, 1.0)],
)
def test_exact_mcnemar_matches_the_tabled_p_value(improved, regressed, expected):
    assert mcnemar_exact(improved, regressed) == pytest.approx(expected, abs=1e-9)
    assert mcnemar_exact(regressed, improved) == mcnemar_exact(improved, regressed)


@pytest.mark.parametrize(
    ("improved", "regressed", "items", "expected"),
    [(6, 16, 161, (-0.1240, -0.0054)), (1, 7, 21, (-0.517, -0.026))],
)
def test_tango_matches_published_intervals(improved, regressed, items, expected):
    """Cavo et al. 2012 and Bentur et al. 2009, as tabled by Fagerland, Lydersen and Laake (2014, 2017)."""
    assert ends(tango(improved, regressed, items)) == pytest.approx(expected, abs=5e-4)


def score_statistic(improved: int, regressed: int, items: int, difference: float) -> float:
    """The test that the interval inverts, with the nuisance share found by search, not by formula."""
    same = items - improved - regressed

    def log_likelihood(down: float) -> float:
        shares = [(improved, down + difference), (regressed, down), (same, 1 - 2 * down - difference)]
        return sum(count * math.log(max(share, 1e-300)) for count, share in shares if count)

    low, high = max(0.0, -difference), (1 - difference) / 2
    for _ in range(200):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (left, high) if log_likelihood(left) < log_likelihood(right) else (low, right)
    variance = items * (2 * low + difference * (1 - difference))
    return (improved - regressed - items * difference) / math.sqrt(variance)


@given(changed())
def test_the_ends_of_tango_are_where_the_score_test_turns(case):
    interval = tango(*case)
    for end, expected in ((interval.low, 1.959964), (interval.high, -1.959964)):
        if abs(end) < 0.999:
            assert score_statistic(*case, end) == pytest.approx(expected, abs=1e-3)


@given(changed())
def test_tango_is_inside_contains_the_difference_and_mirrors(case):
    improved, regressed, items = case
    interval = tango(improved, regressed, items)
    assert -1 <= interval.low <= (improved - regressed) / items <= interval.high <= 1
    assert interval.low < interval.high
    mirrored = tango(regressed, improved, items)
    assert ends(interval) == (-mirrored.high, -mirrored.low)


def test_binary_pairs_get_mcnemar_and_tango():
    found = paired_binary(54, 28, 500)
    assert (found.items, found.delta) == (500, 0.052)
    assert found.interval == tango(54, 28, 500)
    assert found.p_value == mcnemar_exact(54, 28)


@pytest.mark.parametrize(("items", "reach"), [(1, 0.7935), (3, 0.5615), (5, 0.4345), (40, 0.0876)])
def test_binary_pairs_without_a_change_get_tango_s_own_interval(items, reach):
    found = paired_binary(0, 0, items)
    assert (found.delta, found.p_value) == (0.0, 1.0)
    assert ends(found.interval) == pytest.approx((-reach, reach), abs=1e-4)


def test_one_binary_pair_that_changed_is_no_evidence():
    found = paired_binary(1, 0, 1)
    assert (found.delta, found.p_value, found.interval.flags) == (1.0, 1.0, ("one_item",))
    assert found.interval.low < 0


@given(changed())
def test_a_significant_exact_test_leaves_0_out_of_tango_s_interval(case):
    """Verdict and interval do not contradict each other."""
    found = paired_binary(*case)
    if found.p_value < 0.05:
        assert found.interval.low > 0 or found.interval.high < 0


@pytest.mark.parametrize("method", ["beta_moments", "t_clipped"])
def test_binary_pairs_take_another_method_by_name(method):
    assert paired_binary(12, 3, 40, method).interval.method == method


def test_no_binary_pair_is_no_number_with_a_reason():
    assert paired_binary(0, 0, 0) == paired_difference([])


@pytest.mark.parametrize(
    ("improved", "regressed", "items", "field"),
    [(-1, 0, 5, "improved"), (0, -1, 5, "regressed"), (3, 3, 5, "items")],
)
def test_counts_that_cannot_be_are_refused_by_name(improved, regressed, items, field):
    for function in (paired_binary, tango):
        with pytest.raises(InvalidInput) as refusal:
            function(improved, regressed, items)
        assert refusal.value.problems[0].field == field


# --- Holm ---------------------------------------------------------------------


def test_holm_matches_the_tabled_adjustment():
    raw = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216]
    expected = [0.01, 0.072, 0.312, 0.312, 0.312, 0.312, 0.312, 0.615, 0.615, 0.615]
    assert holm(raw) == pytest.approx(expected, abs=1e-9)


def test_a_question_without_an_answer_does_not_count():
    assert holm([0.02, None, 0.5]) == [0.04, None, 0.5]


def test_holm_of_nothing_is_nothing():
    assert holm([]) == []


@pytest.mark.parametrize("wrong", [-0.1, 1.1, math.nan])
def test_holm_refuses_what_is_no_probability(wrong):
    with pytest.raises(InvalidInput, match="outside"):
        holm([0.5, wrong])


@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_never_lowers_a_p_value_and_keeps_their_order(raw):
    adjusted = holm(raw)
    assert all(before <= after <= 1 for before, after in zip(raw, adjusted, strict=True))
    assert [after for _, after in sorted(zip(raw, adjusted, strict=True))] == sorted(adjusted)


@given(st.lists(st.floats(0, 1), max_size=20), st.randoms(use_true_random=False))
def test_holm_does_not_depend_on_the_order_of_questions(raw, rng: random.Random):
    places = rng.sample(range(len(raw)), len(raw))
    assert holm([raw[place] for place in places]) == [holm(raw)[place] for place in places]


# --- verdict ------------------------------------------------------------------


def found(delta: float, low: float, high: float) -> PairedDifference:
    return PairedDifference(50, delta, Interval(low, high, "t_clipped"), 0.5)


@pytest.mark.parametrize(
    ("difference", "adjusted_p", "min_effect", "expected"),
    [
        (found(0.1, 0.02, 0.18), 0.01, None, "improved"),
        (found(-0.1, -0.18, -0.02), 0.01, None, "regressed"),
        (found(0.1, 0.02, 0.18), 0.06, None, "inconclusive"),
        (found(0.1, 0.02, 0.18), 0.05, None, "inconclusive"),
        (found(0.01, -0.02, 0.04), 0.6, None, "inconclusive"),
        (found(0.01, -0.02, 0.04), 0.6, 0.05, "equivalent"),
        (found(0.01, -0.02, 0.04), 0.6, 0.03, "inconclusive"),
        (found(0.02, 0.01, 0.03), 0.01, 0.05, "improved"),
        (found(0.0, -0.01, 0.01), 1.0, None, "inconclusive"),
        (found(0.1, -0.01, 0.18), 0.01, None, "inconclusive"),
        (paired_difference([0.4]), None, 0.5, "inconclusive"),
        (paired_difference([]), None, 0.5, "inconclusive"),
    ],
)
def test_a_verdict_follows_from_evidence_and_the_smallest_effect_that_matters(
    difference, adjusted_p, min_effect, expected
):
    assert verdict(difference, adjusted_p, min_effect) == expected


@given(differences)
def test_without_a_smallest_effect_only_no_difference_is_equivalent(values):
    assume(max(map(abs, values)) > 1e-6)
    difference = paired_difference(values)
    assert verdict(difference, difference.p_value) != "equivalent"


def test_a_smallest_effect_outside_the_scale_is_refused():
    with pytest.raises(InvalidInput, match="min_effect is 2"):
        verdict(found(0.1, 0.0, 0.2), 0.5, 2)


# --- a check without assumptions, and what an open question would cost -------------

TEN = [0, 1, 0, 0, 1, 0, 0, 0, 1, 0]


def test_flipping_all_signs_of_ten_pairs():
    assert sign_flip(TEN) == pytest.approx(0.25, abs=1e-9)


def test_flipping_says_nothing_without_items_and_one_without_a_difference():
    assert sign_flip([]) is None
    assert sign_flip([0.0, 0.0]) == 1.0


@given(st.lists(st.integers(-10, 10), min_size=1, max_size=14))
def test_for_wins_and_losses_flipping_is_the_exact_test(wholes):
    signs = [(whole > 0) - (whole < 0) for whole in wholes]
    assert sign_flip(signs) == pytest.approx(mcnemar_exact(signs.count(1), signs.count(-1)), abs=1e-9)


@given(st.lists(st.floats(-1, 1), min_size=17, max_size=29), st.randoms(use_true_random=False))
def test_more_items_are_flipped_by_seeded_tosses_whatever_their_order(differences, rng):
    p = sign_flip(differences)
    assert 0 < p <= 1
    assert sign_flip(rng.sample(differences, len(differences))) == p
    assert sign_flip([-value for value in differences]) == pytest.approx(p, abs=0.03)


def test_a_difference_twice_as_far_from_zero_needs_a_quarter_of_the_items():
    near = PairedDifference(20, 0.05, None, 0.3, None, 0.05)
    far = PairedDifference(20, 0.10, None, 0.3, None, 0.05)
    assert more_items(far, 0.3) + 20 == pytest.approx((more_items(near, 0.3) + 20) / 4, abs=1)


def test_what_is_settled_by_chance_alone_cannot_be_foreseen():
    assert more_items(PairedDifference(20, 0.0, None, 1.0, None, 0.05), 1.0) is None
    assert more_items(PairedDifference(1, 0.2, None, None), None) is None


def test_a_difference_too_small_to_matter_can_be_shown_to_be_so():
    without = PairedDifference(20, 0.001, None, 0.9, None, 0.02)
    assert more_items(without, 0.9, min_effect=0.05) < more_items(without, 0.9)


def test_no_number_of_items_is_named_where_none_would_be_enough():
    unchanged = paired_binary(0, 0, 20)
    assert more_items(unchanged, 1.0, min_effect=1e-9) is None


def test_several_questions_at_once_need_more_items():
    found = PairedDifference(20, 0.05, None, 0.1, None, 0.03)
    assert more_items(found, 0.5) > more_items(found, 0.1)


@pytest.mark.parametrize(("spread", "effect"), [(0.3, 0.1), (0.1, 0.05), (0.05, 0.05)])
def test_the_items_that_were_asked_for_do_decide_it_four_times_in_five(spread, effect):
    """Also where all differences are small, and the units that the Beta interval adds weigh as much as the items."""
    random_numbers = random.Random(3)
    around = Interval(effect - 0.2, effect + 0.2, "beta_moments")
    pilot = PairedDifference(5, effect, around, 0.15, None, spread / 5**0.5)
    needed = 5 + more_items(pilot, 0.15)
    decided = 0
    for _ in range(400):
        differences = [min(max(random_numbers.gauss(effect, spread), -1), 1) for _ in range(needed)]
        decided += paired_difference(differences).p_value < 0.05
    assert 0.72 < decided / 400 < 0.88


def test_the_strongest_evidence_of_regression_comes_first():
    slight = PairedDifference(100, -0.30, None, 0.2)
    sure = PairedDifference(100, -0.02, None, 0.001)
    better = PairedDifference(100, 0.4, None, 0.0001)
    unknown = PairedDifference(0, None, None, None)
    ranked = sorted([unknown, better, slight, sure], key=evidence_of_regression)
    assert ranked[:2] == [sure, slight]


def test_whatever_is_missing_a_bracket_is_as_sure_as_its_weaker_side():
    worst, best = paired_difference([0.1, 0.2, 0.3, 0.2]), paired_difference([0.4, 0.5, 0.6, 0.5])
    found = bracketed(worst, worst, best)
    assert (found.interval.low, found.interval.high) == (worst.interval.low, best.interval.high)
    assert found.p_value == max(worst.p_value, best.p_value)
    torn = bracketed(worst, paired_difference([-0.1, -0.2, -0.3, -0.2]), best)
    assert torn.p_value == 1.0


def test_the_exact_p_of_three_changes_one_way():
    assert mcnemar_exact(3, 0) == pytest.approx(0.25, abs=1e-9)
