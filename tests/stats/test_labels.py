"""What to label next: the arithmetic, and people who follow the rule with a judge whose errors are known."""

import math
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.stats.agreement import accuracy
from gnomon.stats.correct import corrected_share, prediction_powered_mean
from gnomon.stats.interval import wilson
from gnomon.stats.labels import (
    OTHER,
    PILOT,
    Cuts,
    Stratum,
    best_order,
    gain_of_one,
    more_by_lot,
    more_by_strata,
    more_for_share,
    reach_of,
    stratified_mean,
)

PREVALENCE, SENSITIVITY, SPECIFICITY = 0.6, 0.85, 0.75


def judged(chance: random.Random, n: int, prevalence: float = PREVALENCE) -> list[tuple[float, float]]:
    """(judge, human) for so many targets."""
    made = []
    for _ in range(n):
        good = chance.random() < prevalence
        right = chance.random() < (SENSITIVITY if good else SPECIFICITY)
        made.append((float(good == right), float(good)))
    return made


# --- strata -----


def test_few_ratings_are_strata_of_their_own():
    cuts = Cuts.of([0.0, 1.0, 1.0, 0.5])
    assert [cuts.name(rating) for rating in (0.0, 0.5, 1.0)] == ["0", "0.5", "1"]


def test_many_numbers_are_cut_into_ranges_with_as_many_targets_each():
    ratings = [n / 100 for n in range(100)]
    cuts = Cuts.of(ratings)
    assert Counter(map(cuts.name, ratings)) == {
        "0 and below 0.2": 20,
        "0.2 and below 0.4": 20,
        "0.4 and below 0.6": 20,
        "0.6 and below 0.8": 20,
        "0.8 and up to 0.99": 20,
    }


def test_a_range_of_one_number_is_named_by_it():
    ratings = [n / 10 for n in range(10)] + [1.0] * 10
    assert [Cuts.of(ratings).name(rating) for rating in (0.9, 1.0)] == ["0.8 and below 1", "1"]


def test_rare_labels_share_a_stratum():
    ratings = [f"label {n}" for n in range(30) for _ in range(30 - n)]
    cuts = Cuts.of(ratings)
    assert cuts.name("label 0") == "label 0"
    assert cuts.name("label 29") == OTHER


@given(st.lists(st.one_of(st.floats(0, 1), st.just(0.0)), min_size=1, max_size=60))
def test_every_number_has_a_stratum_and_order_is_kept(ratings):
    cuts = Cuts.of(ratings)
    names = [cuts.name(rating) for rating in sorted(ratings)]
    assert len(set(names)) <= 5
    assert len([name for name, before in zip(names[1:], names, strict=False) if name != before]) == len(set(names)) - 1


def test_the_mean_over_strata_weighs_by_targets_not_by_labels():
    strata = [Stratum("0", 300, (0.0, 0.0, 0.0, 1.0)), Stratum("1", 100, (1.0, 1.0))]
    found = stratified_mean(strata)
    assert found.value == pytest.approx(0.75 * 0.25 + 0.25 * 1.0)
    assert 0 <= found.interval[0] < found.value < found.interval[1] <= 1
    thin = stratified_mean([Stratum("0", 300, (0.0,)), Stratum("1", 100, (1.0, 1.0))])
    assert (thin.value, thin.reason) == (None, "every stratum needs 2 labels (0 has 1)")


labels = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=20).map(tuple)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(20, 500), labels), min_size=1, max_size=5))
def test_the_interval_over_strata_has_a_width_and_holds_the_mean(parts):
    found = stratified_mean([Stratum(str(n), targets, given) for n, (targets, given) in enumerate(parts)])
    assert 0 <= found.interval[0] <= found.value <= found.interval[1] <= 1
    assert found.interval[0] < found.interval[1]


def test_labels_go_to_strata_in_proportion_to_size_times_spread():
    """Neyman: equal strata with standard deviations near 0.5 and 0.3 get labels as 5 to 3."""
    wavering = Stratum("wavering", 50_000, (0.0, 1.0) * 200)
    surer = Stratum("surer", 50_000, ((1.0,) * 9 + (0.0,)) * 40)
    given_out = Counter(best_order([wavering, surer], 3_000))
    assert (400 + given_out[0]) / (400 + given_out[1]) == pytest.approx(5 / 3, rel=0.02)


def test_a_stratum_without_labels_comes_first_and_an_empty_one_never():
    strata = [Stratum("a", 100, (0.0, 1.0)), Stratum("b", 3), Stratum("c", 2, (1.0, 1.0))]
    order = best_order(strata, 500)
    assert order[0] == 1
    assert Counter(order) == {0: 98, 1: 3}


def test_a_longer_order_begins_with_the_shorter():
    strata = [Stratum("a", 100, (0.0, 1.0, 1.0)), Stratum("b", 60, (1.0, 1.0)), Stratum("c", 9, (0.0, 0.5))]
    assert best_order(strata, 80)[:30] == best_order(strata, 30)


def test_one_label_more_gains_most_where_the_order_begins():
    strata = [Stratum("a", 100, (0.0, 1.0, 1.0)), Stratum("b", 60, (1.0, 1.0)), Stratum("c", 90, (0.0, 0.5))]
    gains = gain_of_one(strata)
    assert gains.index(max(gains)) == best_order(strata, 1)[0]
    assert all(gain > 0 for gain in gains)
    assert gain_of_one([Stratum("a", 9), Stratum("b", 9, (1.0,))]) == [None, 0.0]


# --- how many -----


def test_before_the_pilot_nobody_can_say_how_many():
    labelled = [(1.0, 1.0)] * 10
    now = prediction_powered_mean(labelled, [1.0] * 500)
    assert more_by_lot(labelled, [1.0] * 500, now, 0.01) == PILOT - 10
    assert more_by_strata([Stratum("1", 510, (1.0,) * 10)], 0.01) == PILOT - 10
    nothing = prediction_powered_mean([], [1.0] * 8)
    assert more_by_lot([], [1.0] * 8, nothing, 0.01) == 8


def test_enough_is_enough_and_too_much_is_said():
    targets = judged(random.Random(1), 400)
    labelled, rest = targets[:200], [judge for judge, _ in targets[200:]]
    now = prediction_powered_mean(labelled, rest)
    assert more_by_lot(labelled, rest, now, 0.2) == 0
    assert more_by_lot(labelled, rest, now, 0.01) is None


def test_a_plain_share_takes_as_many_as_wilson_says():
    found = accuracy([("a", "a")] * 40 + [("a", "b")] * 10)
    enough = 50 + more_for_share(found, 50, 1_000, 0.05)
    reaches = [(wilson(0.8 * n, n).high - wilson(0.8 * n, n).low) / 2 for n in (enough - 1, enough)]
    assert reaches[1] <= 0.05 < reaches[0]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1_000))
def test_a_narrower_interval_never_takes_fewer_labels(seed):
    targets = judged(random.Random(seed), 1_500)
    labelled, rest = targets[:60], [judge for judge, _ in targets[60:]]
    for now in (prediction_powered_mean(labelled, rest), corrected_share(labelled, rest)):
        takes = [more_by_lot(labelled, rest, now, reach) for reach in (0.12, 0.08, 0.05)]
        known = [more if more is not None else math.inf for more in takes]
        assert known == sorted(known)


# --- following the rule -----


def followed_by_lot(targets, reach, correct):
    """Label as many as the rule says, look again, and so on; how it ends, and how many were labelled."""
    n = PILOT
    while True:
        labelled, rest = targets[:n], [judge for judge, _ in targets[n:]]
        now = correct(labelled, rest)
        more = more_by_lot(labelled, rest, now, reach)
        if not more:
            return now, n, more
        n += more


def followed_by_strata(targets, reach):
    cuts = Cuts.of(judge for judge, _ in targets)
    waiting: dict[str, list[float]] = {}
    for judge, human in targets:
        waiting.setdefault(cuts.name(judge), []).append(human)
    names = sorted(waiting)
    sizes, taken = {name: len(waiting[name]) for name in names}, {name: [] for name in names}
    while True:
        strata = [Stratum(name, sizes[name], tuple(taken[name])) for name in names]
        more = more_by_strata(strata, reach)
        if not more:
            return stratified_mean(strata), sum(map(len, taken.values())), more
        for at in best_order(strata, more):
            taken[names[at]].append(waiting[names[at]].pop())


@pytest.mark.parametrize("way", ["ppi", "double_sampling", "strata"])
@pytest.mark.slow
def test_people_who_follow_the_rule_reach_the_width_and_the_interval_holds_the_truth(way):
    """A judge that finds 85 % of the good and 75 % of the bad; ± 5 points; 200 repeats of up to 3,000 targets."""
    chance, reach, repeats = random.Random(7), 0.05, 200
    covered, spent = 0, []
    for _ in range(repeats):
        targets = judged(chance, 3_000)
        if way == "strata":
            found, labels_given, more = followed_by_strata(targets, reach)
        else:
            found, labels_given, more = followed_by_lot(
                targets, reach, prediction_powered_mean if way == "ppi" else corrected_share
            )
        assert more == 0
        assert reach_of(found) <= reach
        covered += found.interval[0] <= PREVALENCE <= found.interval[1]
        spent.append(labels_given)
    assert covered / repeats >= 0.91
    assert sum(spent) / repeats < 369  # what labels alone would take


def test_strata_stay_honest_where_the_labels_are_no_random_part():
    """Only every tenth target that the judge liked is labelled, and every one that it did not."""
    chance, over_strata, powered = random.Random(5), [], []
    for _ in range(60):
        targets = judged(chance, 600)
        by_rating = {rating: [human for judge, human in targets if judge == rating] for rating in (0.0, 1.0)}
        given = {0.0: by_rating[0.0], 1.0: by_rating[1.0][::10]}
        strata = [Stratum(f"{rating:g}", len(by_rating[rating]), tuple(given[rating])) for rating in (0.0, 1.0)]
        over_strata.append(stratified_mean(strata).value)
        labelled = [(rating, human) for rating in (0.0, 1.0) for human in given[rating]]
        rest = [1.0] * (len(by_rating[1.0]) - len(given[1.0]))
        powered.append(prediction_powered_mean(labelled, rest).value)
    assert sum(over_strata) / 60 == pytest.approx(PREVALENCE, abs=0.025)
    assert abs(sum(powered) / 60 - PREVALENCE) > 0.08
