"""Agreement of two raters: the tabled numbers, and what holds for every one of them."""

import math
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.stats import agreement
from gnomon.stats.agreement import (
    AgreementEstimate,
    Confusion,
    accuracy,
    cohen_kappa,
    confusion,
    gwet_ac1,
    krippendorff_alpha,
    spearman_rho,
)

TEN = list(zip([1, 1, 0, 1, 0, 0, 1, 1, 0, 1], [1, 0, 0, 1, 0, 1, 1, 1, 0, 0], strict=True))
GRADES = list(zip([1, 2, 3, 4, 5, 3, 2, 4], [1, 3, 3, 4, 4, 3, 1, 5], strict=True))
FOUR_RATERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
TWELVE_UNITS = list(zip(*FOUR_RATERS, strict=True))
ALL_ALIKE_20 = [(1.0, 1.0)] * 10 + [(0.0, 0.0)] * 10

binary_pairs = st.lists(st.tuples(st.sampled_from([0.0, 1.0]), st.sampled_from([0.0, 1.0])), max_size=40)
grade_pairs = st.lists(st.tuples(st.integers(1, 5).map(float), st.integers(1, 5).map(float)), max_size=40)
label_pairs = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), max_size=40)
number_pairs = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=40)

NOMINAL = [accuracy, cohen_kappa, gwet_ac1, lambda pairs: krippendorff_alpha(pairs, "nominal")]
ORDERED = [
    spearman_rho,
    lambda pairs: cohen_kappa(pairs, "linear"),
    lambda pairs: cohen_kappa(pairs, "quadratic"),
    lambda pairs: krippendorff_alpha(pairs, "ordinal"),
    lambda pairs: krippendorff_alpha(pairs, "interval"),
    lambda pairs: krippendorff_alpha(pairs, "ratio"),
]


def assert_sound(found: AgreementEstimate) -> None:
    """A number inside an interval that has a width, or a reason; never NaN."""
    if found.value is None:
        assert found.interval is None
        assert found.reason
        return
    assert math.isfinite(found.value)
    assert found.value <= 1
    if found.interval is None:
        assert found.reason
        return
    low, high = found.interval
    assert math.isfinite(low)
    assert low <= found.value <= high <= 1
    assert low < high


# --- tabled numbers -----------------------------------------------------------


def test_kappa_with_its_standard_error_and_interval():
    found = cohen_kappa(TEN)
    assert found.value == pytest.approx(0.4, abs=1e-9)
    assert found.standard_error == pytest.approx(0.28397182958878153, abs=1e-9)
    assert found.interval == pytest.approx((-0.15657455861795766, 0.9565745586179575), abs=1e-9)
    assert found.method == "fleiss_cohen_everitt"


def test_accuracy_is_a_share_with_wilsons_interval():
    assert accuracy(TEN).value == 0.7
    assert accuracy(TEN).interval == pytest.approx((0.3967781474611454, 0.8922087325936989), abs=1e-9)


def test_ac1_matches_the_tabled_value():
    assert gwet_ac1(TEN).value == pytest.approx(0.40594059405940586, abs=1e-9)


@pytest.mark.parametrize(("weights", "expected"), [("linear", 0.6521739130434783), ("quadratic", 0.8461538461538461)])
def test_weighted_kappa_matches_the_tabled_values(weights, expected):
    found = cohen_kappa(GRADES, weights)
    assert found.value == pytest.approx(expected, abs=1e-9)
    assert_sound(found)


def test_spearman_with_ties_matches_the_tabled_value():
    assert spearman_rho(GRADES).value == pytest.approx(0.8932407713807365, abs=1e-9)


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("nominal", 0.743421052631579),
        ("ordinal", 0.8153875037548814),
        ("interval", 0.8491071428571428),
        ("ratio", 0.7974027747116121),
    ],
)
def test_alpha_over_four_raters_with_gaps_matches_the_tabled_values(level, expected):
    found = krippendorff_alpha(TWELVE_UNITS, level)
    assert found.value == pytest.approx(expected, abs=1e-9)
    assert_sound(found)


def test_alpha_by_sums_is_alpha_by_table(monkeypatch):
    """Many different numbers make a table too large; sums of powers must give the same α and the same resamples."""
    by_table = krippendorff_alpha(TWELVE_UNITS, "interval")
    monkeypatch.setattr(agreement, "MOST_CATEGORIES", 2)
    by_sums = krippendorff_alpha(TWELVE_UNITS, "interval")
    _assert_same(by_sums, by_table)


def test_the_confusion_table_has_people_in_rows():
    assert confusion([("yes", "no"), ("yes", "yes"), ("yes", "no")]) == Confusion(("no", "yes"), ((0, 2), (0, 1)))


# --- perfect agreement is not certainty ---------------------------------------


@pytest.mark.parametrize("measure", [*NOMINAL, *ORDERED])
def test_twenty_of_twenty_alike_is_1_and_leaves_room_below(measure):
    found = measure(ALL_ALIKE_20)
    assert found.value == pytest.approx(1)
    assert found.interval is not None
    assert found.interval[0] < 0.9
    assert found.interval[1] == 1


def test_more_targets_that_all_agree_leave_less_room():
    lows = [cohen_kappa(ALL_ALIKE_20 * times).interval[0] for times in (1, 2, 5, 20)]
    assert lows == sorted(lows)
    assert lows[0] == pytest.approx(0.678, abs=1e-3)
    assert lows[-1] > 0.97


def test_one_disagreement_is_never_surer_than_none():
    nearly = [*ALL_ALIKE_20[1:], (1.0, 0.0)]
    for measure in NOMINAL:
        assert measure(nearly).interval[0] < measure(ALL_ALIKE_20).interval[0]


def test_ranks_that_agree_fully_are_not_surer_than_one_exchange_allows():
    full = spearman_rho([(x, x) for x in range(10)])
    swapped = spearman_rho([(x, {4: 5, 5: 4}.get(x, x)) for x in range(10)])
    assert full.interval == pytest.approx((0.93, 1), abs=0.01)
    assert swapped.interval[0] <= full.interval[0] < 1


def test_full_disagreement_is_not_certainty_either():
    found = cohen_kappa([(1.0, 0.0)] * 10 + [(0.0, 1.0)] * 10)
    assert found.value == pytest.approx(-1)
    assert found.interval[1] > -0.7


# --- what cannot be said ------------------------------------------------------


@pytest.mark.parametrize("measure", [*NOMINAL[:3], *ORDERED])
def test_without_targets_there_is_a_reason(measure):
    assert_sound(measure([]))
    assert measure([]).value is None


@pytest.mark.parametrize("measure", [cohen_kappa, gwet_ac1, *ORDERED, NOMINAL[3]])
def test_ratings_that_are_all_alike_have_no_agreement_beyond_chance(measure):
    found = measure([(1.0, 1.0)] * 8)
    assert (found.value, found.interval) == (None, None)
    assert found.reason


def test_ac1_is_defined_for_one_class_when_the_other_is_known():
    assert gwet_ac1([(1.0, 1.0)] * 8, (0.0, 1.0)).value == 1
    assert_sound(gwet_ac1([(1.0, 1.0)] * 8, (0.0, 1.0)))


def test_a_judge_that_always_says_the_same_has_no_kappa_but_a_reason():
    assert "no better than chance" in cohen_kappa([(1.0, 1.0), (1.0, 0.0), (1.0, 1.0)]).reason


def test_too_many_different_ratings_are_no_table():
    assert "60 different ratings" in cohen_kappa([(float(x), float(x)) for x in range(60)]).reason


def test_units_with_a_single_rating_say_nothing():
    assert krippendorff_alpha([(1, None), (None, 0)], "nominal").reason == "no unit has two ratings"
    with_them = krippendorff_alpha([*TWELVE_UNITS, (5, None, None, None)], "ordinal")
    assert with_them == krippendorff_alpha(TWELVE_UNITS, "ordinal")


def test_labels_have_no_distances():
    with pytest.raises(InvalidInput, match="labels"):
        cohen_kappa([("a", "b"), ("b", "a")], "linear")
    with pytest.raises(InvalidInput, match="labels"):
        krippendorff_alpha([("a", "b"), ("b", "a")], "interval")


# --- laws ---------------------------------------------------------------------


@settings(max_examples=25)
@given(binary_pairs | label_pairs | grade_pairs, st.randoms(use_true_random=False))
def test_nominal_numbers_are_sound_symmetric_and_blind_to_order(pairs, shuffler):
    shuffled = shuffler.sample(pairs, len(pairs))
    for measure in NOMINAL:
        found = measure(pairs)
        assert_sound(found)
        assert measure(shuffled) == found
        _assert_same(measure([(b, a) for a, b in pairs]), found)


@settings(max_examples=25)
@given(grade_pairs | binary_pairs | number_pairs, st.randoms(use_true_random=False))
def test_ordered_numbers_are_sound_symmetric_and_blind_to_order(pairs, shuffler):
    shuffled = shuffler.sample(pairs, len(pairs))
    for measure in ORDERED:
        found = measure(pairs)
        assert_sound(found)
        _assert_same(measure(shuffled), found)
        _assert_same(measure([(b, a) for a, b in pairs]), found)


@given(label_pairs)
def test_new_names_for_the_labels_change_nothing(pairs):
    renamed = [({"a": "x", "b": "q", "c": "m"}[a], {"a": "x", "b": "q", "c": "m"}[b]) for a, b in pairs]
    _assert_same(cohen_kappa(renamed), cohen_kappa(pairs))
    _assert_same(gwet_ac1(renamed), gwet_ac1(pairs))


@given(binary_pairs)
def test_with_two_classes_weights_change_nothing(pairs):
    plain, weighted = cohen_kappa(pairs), cohen_kappa(pairs, "quadratic")
    _assert_same(plain, weighted)


@given(binary_pairs)
def test_spearman_of_two_classes_is_the_correlation_of_the_table(pairs):
    counts = {(a, b): pairs.count((a, b)) for a in (0.0, 1.0) for b in (0.0, 1.0)}
    tp, tn, fp, fn = counts[1, 1], counts[0, 0], counts[1, 0], counts[0, 1]
    below = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    assume(below > 0)
    assert spearman_rho(pairs).value == pytest.approx((tp * tn - fp * fn) / math.sqrt(below), abs=1e-9)


def _assert_same(one: AgreementEstimate, other: AgreementEstimate) -> None:
    assert (one.method, one.reason) == (other.method, other.reason)
    assert one.value == pytest.approx(other.value, abs=1e-9)
    if one.interval is not None:
        assert one.interval == pytest.approx(other.interval, abs=1e-9)


# --- coverage -----------------------------------------------------------------


@pytest.mark.parametrize("measure", [cohen_kappa, gwet_ac1, spearman_rho], ids=["kappa", "ac1", "rho"])
@pytest.mark.parametrize(("same", "base"), [(0.95, 0.5), (0.8, 0.5), (0.9, 0.8)])
def test_intervals_cover(measure, same, base):
    """Pairs from a known table, 60 each; its own value should be inside about 95 times of 100."""
    draw = random.Random(0)
    other = (1 - same) / 2
    both = base - other
    table = {(1.0, 1.0): both, (1.0, 0.0): other, (0.0, 1.0): other, (0.0, 0.0): 1 - both - 2 * other}
    truth = measure([pair for pair, share in table.items() for _ in range(round(1000 * share))]).value
    drawn = (measure(draw.choices(list(table), list(table.values()), k=60)).interval for _ in range(600))
    assert sum(ends is not None and ends[0] <= truth <= ends[1] for ends in drawn) / 600 > 0.92


def test_ranks_without_ties_cover():
    draw, held = random.Random(0), 0
    truth = 6 / math.pi * math.asin(0.8 / 2)
    for _ in range(600):
        first = [draw.gauss(0, 1) for _ in range(30)]
        low, high = spearman_rho([(x, 0.8 * x + 0.6 * draw.gauss(0, 1)) for x in first]).interval
        held += low <= truth <= high
    assert held / 600 > 0.93
