"""A judge's mean corrected by labels: the tabled numbers, what holds always, and whether the intervals cover."""

import math
import random

import pytest
from bench.validity import correction
from bench.validity.table import marks
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.stats.agreement import AgreementEstimate
from gnomon.stats.correct import (
    Check,
    corrected_share,
    corrected_share_from,
    judge_bias,
    labels_not_random,
    labels_until_enough,
    prediction_powered_mean,
    rogan_gladen_mean,
)
from gnomon.stats.interval import interval_over, wilson

HUMAN = [1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0]
JUDGE = [1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]
TWELVE = list(zip(JUDGE, HUMAN, strict=True))
FORTY = [1.0] * 28 + [0.0] * 12

bits = st.sampled_from([0.0, 1.0])
scores = st.floats(0, 1)
bit_pairs = st.lists(st.tuples(bits, bits), max_size=60)
score_pairs = st.lists(st.tuples(scores, scores), max_size=30)


def assert_sound(found: AgreementEstimate, least: float = 0.0) -> None:
    if found.value is None:
        assert found.interval is None
        assert found.reason
    elif found.interval is None:
        assert found.reason
    else:
        low, high = found.interval
        assert least <= low <= found.value <= high <= 1
        assert low < high
        assert math.isfinite(low)


# --- tabled numbers -----------------------------------------------------------


@pytest.mark.parametrize(
    ("power", "value", "interval"),
    [
        (0, 0.6666666666666666, (0.3999493513135939, 0.9333839820197394)),
        (1, 0.6166666666666666, (0.3036571069735519, 0.9296762263597813)),
        (None, 0.6513513513513512, (0.4017129388274925, 0.90098976387521)),
    ],
)
def test_the_prediction_powered_mean_matches_the_tabled_numbers(power, value, interval):
    """The table has the published interval, which is kept by name; the default has the same estimate."""
    published = prediction_powered_mean(TWELVE, FORTY, power, "normal")
    assert published.value == pytest.approx(value, abs=1e-9)
    assert published.interval == pytest.approx(interval, abs=1e-9)
    assert published.method == "ppi_normal"
    assert prediction_powered_mean(TWELVE, FORTY, power).value == pytest.approx(value, abs=1e-9)


def test_rogan_gladen_matches_the_tabled_numbers():
    found = rogan_gladen_mean(140, 200, Check(18, 20, 24, 30))
    assert found.value == pytest.approx(0.7142857142857141, abs=1e-9)
    assert found.standard_error == pytest.approx(0.08784602156099905, abs=1e-9)
    assert_sound(found)


# --- what cannot be said ------------------------------------------------------


@pytest.mark.parametrize(("caught", "cleared"), [(0.5, 0.5), (0.3, 0.6), (0.0, 1.0)])
def test_rogan_gladen_of_a_judge_no_better_than_chance_is_a_reason_and_double_sampling_still_answers(caught, cleared):
    check = Check(round(100 * caught), 100, round(100 * cleared), 100)
    assert "no better than chance" in rogan_gladen_mean(50, 100, check).reason
    found = corrected_share_from(check, check.judged_ones, 200)
    assert found.value == pytest.approx(0.5)
    assert_sound(found)


def test_a_judge_that_says_nothing_leaves_about_the_interval_of_the_labels():
    found = corrected_share_from(Check(50, 100, 50, 100), 500, 1_000)
    alone = wilson(100, 200)
    assert found.interval == pytest.approx((alone.low, alone.high), abs=0.005)


def test_where_rogan_gladen_has_no_answer_it_says_what_to_label():
    """A missing answer names the labels that would give one."""
    assert "label until 10 of them are seen" in rogan_gladen_mean(50, 100, Check(9, 10, 0, 0)).reason
    few = rogan_gladen_mean(50, 100, Check(1, 4, 6, 12)).reason
    assert "label 6 more targets that people give a 1 and 0 that they give a 0" in few
    assert "another judge" in rogan_gladen_mean(50, 100, Check(10, 40, 20, 40)).reason


@pytest.mark.parametrize(("labels", "rarer", "more"), [(60, 20, 40), (100, 10, 0), (100, 5, 92), (500, 9, 53)])
def test_how_many_labels_more_are_enough(labels, rarer, more):
    assert labels_until_enough(labels, rarer) == more


def test_the_prediction_powered_mean_of_such_a_judge_is_that_of_the_labels():
    labelled = [(1.0, 0.0), (0.0, 1.0)] * 100
    found = prediction_powered_mean(labelled, [1.0] * 300)
    assert found.value == 0.5
    alone = interval_over([[human] for _, human in labelled], "beta_moments")
    assert found.interval == pytest.approx((alone.low, alone.high))


def test_labels_of_one_class_leave_the_other_open_but_not_without_an_answer():
    """Twenty of twenty are good, as is usual where 95 % are: the interval is wide, not missing."""
    found = corrected_share([(1.0, 1.0)] * 19 + [(0.0, 1.0)], [1.0] * 90 + [0.0] * 10)
    assert found.value == 1
    assert 0.7 < found.interval[0] < 0.9
    assert found.interval[1] == 1


@pytest.mark.parametrize("correct", [prediction_powered_mean, corrected_share])
def test_without_labels_there_is_a_reason(correct):
    assert correct([], [1.0, 0.0]).reason == "no target is rated by both"


def test_scores_outside_the_range_are_refused():
    with pytest.raises(InvalidInput, match=r"score 4 is outside \[0, 1\]; divide by your scale first"):
        prediction_powered_mean([(4, 1)], [])
    with pytest.raises(InvalidInput, match=r"0.5 is neither 0 nor 1"):
        corrected_share([(1.0, 1.0)], [0.5])


def test_a_judge_that_does_elsewhere_what_it_never_did_here_is_suspected():
    """Labels that are no random part cannot be corrected; the share is given, and the test of chance objects."""
    labelled = [(1.0, 1.0)] * 60 + [(0.0, 1.0)] * 40 + [(0.0, 0.0)] * 100
    assert_sound(corrected_share(labelled, [1.0] * 1_000))
    assert labels_not_random(labelled, [1.0] * 1_000) < 0.001


# --- flags --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ones", "zeros", "few"), [(50, 49, True), (50, 50, False), (91, 9, True), (90, 10, False), (400, 9, True)]
)
def test_few_labels_are_flagged(ones, zeros, few):
    labelled = [(1.0, 1.0)] * ones + [(0.0, 0.0)] * zeros
    assert ("few_labels" in corrected_share(labelled, FORTY).flags) is few
    assert ("few_labels" in prediction_powered_mean(labelled, FORTY).flags) is few


def test_an_estimate_beyond_the_range_is_cut_and_flagged():
    """The judge is too low on the labelled targets, and much higher elsewhere."""
    found = prediction_powered_mean([(0.2, 0.9), (0.4, 1.0), (0.3, 0.95), (0.5, 1.0)] * 10, [0.95, 1.0] * 30, 1.0)
    assert found.value == found.interval[1] == 1
    assert "clipped" in found.flags
    assert_sound(found)


def test_labels_picked_by_the_judges_score_are_noticed():
    low_ones_first = [(0.1, 0.0)] * 30 + [(0.4, 1.0)] * 10
    assert labels_not_random(low_ones_first, [0.2, 0.6, 0.9] * 20) < 0.001
    assert labels_not_random([(0.0, 0.0)] * 20 + [(1.0, 1.0)] * 5, FORTY) < 0.001


def test_labels_picked_by_chance_are_seldom_suspected():
    draw, suspected = random.Random(0), 0
    for _ in range(400):
        judged = [float(draw.random() < 0.7) for _ in range(300)]
        suspected += labels_not_random([(score, 1.0) for score in judged[:60]], judged[60:]) is not None
    assert 0.02 < suspected / 400 < 0.08


def test_nothing_to_compare_with_is_no_suspicion():
    assert labels_not_random(TWELVE, []) is None
    assert labels_not_random([], FORTY) is None
    assert labels_not_random([(1.0, 1.0)] * 5, [1.0] * 5) is None


# --- bias ---------------------------------------------------------------------


def test_the_bias_is_judge_minus_human():
    found = judge_bias(TWELVE)
    assert found.value == pytest.approx(1 / 12)
    assert found.method == "tango"
    assert judge_bias([(0.9, 0.5), (0.7, 0.5), (0.8, 0.6)]).value == pytest.approx(0.8 / 3)


def test_a_judge_that_never_differs_may_still_be_biased_a_little():
    low, high = judge_bias([(0.25, 0.25), (0.5, 0.5)] * 10).interval
    assert low == pytest.approx(-high)
    assert 0.1 < high < 0.2


# --- laws ---------------------------------------------------------------------


@given(bit_pairs, st.lists(bits, max_size=60), st.randoms(use_true_random=False))
def test_binary_corrections_are_sound_and_blind_to_order(labelled, judge_only, shuffler):
    mixed, rest = shuffler.sample(labelled, len(labelled)), shuffler.sample(judge_only, len(judge_only))
    for correct in (corrected_share, prediction_powered_mean):
        assert_sound(correct(labelled, judge_only))
        assert correct(mixed, rest) == correct(labelled, judge_only)
    assert_sound(judge_bias(labelled), least=-1)
    assert judge_bias(mixed) == judge_bias(labelled)
    assert labels_not_random(mixed, rest) == labels_not_random(labelled, judge_only)


@given(score_pairs, st.lists(scores, max_size=30), st.none() | st.floats(0, 1), st.randoms(use_true_random=False))
def test_corrections_of_numbers_are_sound_and_blind_to_order(labelled, judge_only, power, shuffler):
    mixed, rest = shuffler.sample(labelled, len(labelled)), shuffler.sample(judge_only, len(judge_only))
    assert_sound(prediction_powered_mean(labelled, judge_only, power))
    assert prediction_powered_mean(mixed, rest, power) == prediction_powered_mean(labelled, judge_only, power)
    assert_sound(judge_bias(labelled), least=-1)


@given(bit_pairs.filter(bool), st.lists(bits, max_size=60))
def test_from_the_first_label_on_there_is_an_interval_whatever_comes_next(labelled, judge_only):
    """More labels never take an answer away: every beginning of the labels has one."""
    for n in range(1, len(labelled) + 1):
        for correct in (corrected_share, prediction_powered_mean):
            found = correct(labelled[:n], judge_only)
            assert found.interval is not None
            assert_sound(found)


@given(score_pairs.filter(bool), st.lists(scores, max_size=30))
def test_the_same_holds_for_numbers(labelled, judge_only):
    for n in range(1, len(labelled) + 1):
        found = prediction_powered_mean(labelled[:n], judge_only)
        assert found.interval is not None
        assert_sound(found)


@given(st.integers(1, 20), st.integers(1, 20), st.data())
def test_the_same_rates_from_more_labels_make_no_wider_interval(positives, negatives, data):
    caught, cleared = data.draw(st.integers(0, positives)), data.draw(st.integers(0, negatives))
    widths = []
    for times in (1, 2, 4):
        check = Check(times * caught, times * positives, times * cleared, times * negatives)
        low, high = corrected_share_from(check, times * check.judged_ones, times * check.labels).interval
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)


@given(st.integers(2, 40), st.integers(2, 40), st.data())
def test_calling_good_bad_and_bad_good_mirrors_the_correction(positives, negatives, data):
    caught, cleared = data.draw(st.integers(0, positives)), data.draw(st.integers(0, negatives))
    ones, judged = data.draw(st.integers(0, 50)), 50
    found = corrected_share_from(Check(caught, positives, cleared, negatives), ones, judged)
    mirror = corrected_share_from(Check(cleared, negatives, caught, positives), judged - ones, judged)
    if found.value is None:
        assert mirror.value is None
    else:
        assert mirror.value == pytest.approx(1 - found.value, abs=1e-9)
        assert mirror.interval == pytest.approx((1 - found.interval[1], 1 - found.interval[0]), abs=1e-9)


def test_a_perfect_judge_needs_no_correction():
    labelled = [(1.0, 1.0)] * 140 + [(0.0, 0.0)] * 60
    assert corrected_share(labelled, [1.0] * 700 + [0.0] * 300).value == pytest.approx(0.7)


# --- coverage -----------------------------------------------------------------


@pytest.mark.slow
def test_corrected_intervals_cover_93_of_100_from_20_labels_on():
    """A judge of known quality, labels at random: 20 to 400, base rates .05 to .95, skewed numbers. The full study
    is `python -m bench.validity.correction`."""
    repeats = 250
    rows = [row for row in correction.run(repeats, seed=1) if row.method in correction.OURS]
    assert {row.labels for row in rows} == {20, 50, 100, 200, 400}
    spread = 3.3 * math.sqrt(0.95 * 0.05 / repeats)
    for row in rows:
        assert row.undefined == 0
        assert row.coverage > 0.93 - spread, row
        if row.people in ("0.5", "0.8") and row.labels >= 200:  # enough labels: not wider than need be either
            assert row.coverage < 0.98 + spread, row
    for method in correction.OURS:
        for labels in correction.LABELS:
            held = [row.coverage for row in rows if (row.method, row.labels) == (method, labels)]
            assert sum(held) / len(held) > 0.945


def test_the_page_shows_no_miss_of_ours_and_is_the_table_of_the_study():
    page = correction.PAGE.read_text("utf-8")
    for table in correction.tables(correction.run(2, seed=0)):
        shown = marks(table.name).search(page)[2].splitlines()
        assert shown[0] == "| " + " | ".join(table.columns) + " |"
        assert len(shown) == 2 + len(table.rows)
        for line in shown[2:]:
            cells = dict(zip(table.columns, line.strip("| ").split(" | "), strict=True))
            assert all("**" not in cells[method] for method in table.ours), line
