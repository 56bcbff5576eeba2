"""Sample sizes and where variance comes from."""

import doctest
import math
import random
from statistics import fmean, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.stats import plan
from gnomon.stats.plan import (
    DifferenceSpread,
    ItemScores,
    UnitCosts,
    components,
    difference_variance,
    gains,
    items_needed,
    smallest_effect,
    whole_items,
)

# The example of Miller (2024): ω² = 1/9, σ² = 1/6 for each of two models.
EXAMPLE = DifferenceSpread(items=1 / 9, runs=1 / 6 + 1 / 6, votes=0.0)


@pytest.mark.parametrize(
    ("trials", "needed", "whole"),
    [(1, 3875.9899922711543, 3876), (10, 1259.6967474881253, 1260), (math.inf, 968.9974980677886, 969)],
)
def test_the_published_example_needs_so_many_items(trials, needed, whole):
    found = items_needed(0.03, EXAMPLE.at(trials))
    assert found == pytest.approx(needed, rel=1e-9)
    assert whole_items(found) == whole


@pytest.mark.parametrize(("trials", "effect"), [(1, 0.1327333278739942), (10, 0.0756696392667773)])
def test_198_items_show_an_effect_of_that_size(trials, effect):
    assert smallest_effect(198, EXAMPLE.at(trials)) == pytest.approx(effect, rel=1e-9)


@given(st.floats(0.01, 1), st.floats(1e-4, 2), st.floats(0.5, 0.99), st.floats(0.001, 0.5))
def test_the_items_needed_for_an_effect_show_that_effect_and_one_fewer_does_not(effect, spread, power, alpha):
    items = whole_items(items_needed(effect, spread, power, alpha))
    assert smallest_effect(items, spread, power, alpha) <= effect * (1 + 1e-9)
    if items > 2:
        assert smallest_effect(items - 1, spread, power, alpha) >= effect * (1 - 1e-9)


def test_a_whole_number_is_not_rounded_up_for_how_floats_multiply():
    assert whole_items(100 * (1 + 1e-15)) == 100
    assert whole_items(0.0) == 2


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: items_needed(0, 0.1),
        lambda: items_needed(1.5, 0.1),
        lambda: items_needed(math.nan, 0.1),
        lambda: items_needed(0.1, 0.1, power=1),
        lambda: items_needed(0.1, 0.1, power=0.3),
        lambda: items_needed(0.1, 0.1, alpha=0),
        lambda: smallest_effect(0, 0.1),
        lambda: UnitCosts(trial=0),
        lambda: UnitCosts(item=-1),
        lambda: components([ItemScores.of([[1.0]])]),
    ],
)
def test_what_cannot_be_planned_is_refused(wrong):
    with pytest.raises(InvalidInput):
        wrong()


# --- components -----

values = st.floats(0, 1)
one_each = st.lists(values, min_size=2, max_size=20).map(lambda scores: [[[value]] for value in scores])
equal = st.tuples(st.integers(2, 6), st.integers(2, 5), st.integers(2, 4)).flatmap(
    lambda size: st.lists(
        st.lists(st.lists(values, min_size=size[2], max_size=size[2]), min_size=size[1], max_size=size[1]),
        min_size=size[0],
        max_size=size[0],
    )
)
nested = st.lists(st.lists(st.lists(values, min_size=1, max_size=4), min_size=1, max_size=4), min_size=2, max_size=8)


@given(one_each)
def test_one_score_an_item_has_one_variance_for_all(items):
    found = components(map(ItemScores.of, items))
    assert (found.within, found.judge) == (None, None)
    assert found.between == pytest.approx(variance(votes[0] for (votes,) in items), abs=1e-9)


@given(equal)
def test_equal_numbers_give_the_textbook_mean_squares(items):
    runs, votes = len(items[0]), len(items[0][0])
    run_means = [[fmean(run) for run in item] for item in items]
    judge = fmean(variance(run) for item in items for run in item)
    within = fmean(map(variance, run_means)) - judge / votes
    between = variance(map(fmean, run_means)) - max(within, 0) / runs - judge / (runs * votes)
    found = components(map(ItemScores.of, items))
    assert found.judge == pytest.approx(judge, abs=1e-9)
    assert found.within == pytest.approx(max(within, 0), abs=1e-9)
    assert found.between == pytest.approx(max(between, 0), abs=1e-9)
    assert ("within_negative" in found.flags) == (within < -1e-12) or abs(within) < 1e-9


@given(nested, st.randoms())
def test_the_order_of_items_runs_and_votes_does_not_matter(items, chance):
    def shuffled(things):
        return chance.sample(things, len(things))

    mixed = [shuffled([shuffled(run) for run in item]) for item in items]
    one, other = components(map(ItemScores.of, items)), components(map(ItemScores.of, shuffled(mixed)))
    for name in ("between", "within", "judge"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-9)


@given(nested)
def test_no_component_is_negative_or_nan(items):
    found = components(map(ItemScores.of, items))
    for value in (found.between, found.within, found.judge):
        assert value is None or 0 <= value < 2


def test_unequal_numbers_of_runs_and_votes_give_back_the_variances_that_made_them():
    """The mean of many estimates, not clipped by the data's range: .04 between, .02 within, .01 of votes."""
    chance = random.Random(0)
    found = []
    for _ in range(400):
        items = []
        for number in range(30):
            level = chance.gauss(0.5, 0.2)
            items.append(
                [
                    [chance.gauss(run, 0.1) for _ in range(1 + (number + trial) % 3)]
                    for trial, run in enumerate(chance.gauss(level, 0.02**0.5) for _ in range(1 + number % 4))
                ]
            )
        found.append(components(map(ItemScores.of, items)))
    assert fmean(one.between for one in found) == pytest.approx(0.04, rel=0.05)
    assert fmean(one.within for one in found) == pytest.approx(0.02, rel=0.05)
    assert fmean(one.judge for one in found) == pytest.approx(0.01, rel=0.05)


def test_runs_that_differ_more_than_items_give_a_variance_of_zero_between_items_and_say_so():
    found = components(ItemScores.of([[0.0], [1.0]]) for _ in range(5))
    assert found.between == 0
    assert found.within == pytest.approx(0.5)
    assert found.flags == ("between_negative",)


def test_differences_lose_what_runs_add_to_them():
    chance = random.Random(0)
    omegas = []
    for _ in range(300):
        pairs = []
        for _ in range(25):
            gap = chance.gauss(0.1, 0.1)
            runs = [[[chance.gauss(mean, 0.3)] for _ in range(4)] for mean in (0.5, 0.5 + gap)]
            pairs.append((ItemScores.of(runs[0]), ItemScores.of(runs[1])))
        one, two = components(pair[0] for pair in pairs), components(pair[1] for pair in pairs)
        omegas.append(difference_variance(pairs, one, two))
    assert fmean(omegas) == pytest.approx(0.01, abs=0.002)


def test_fewer_than_two_pairs_have_no_variance():
    some = components([ItemScores.of([[0.0]]), ItemScores.of([[1.0]])])
    assert difference_variance([], some, some) is None


# --- money -----


@given(
    st.builds(DifferenceSpread, st.floats(0.01, 1), st.floats(0, 1), st.floats(0, 1)),
    st.integers(1, 20),
    st.integers(1, 5),
    st.builds(UnitCosts, st.floats(0, 10), st.floats(0.1, 10), st.floats(0.01, 10)),
)
def test_gains_are_what_the_variance_loses_per_unit_of_cost(spread, trials, votes, costs):
    items, step = 100.0, 1e-6

    def of_mean(n, k, v):
        return spread.at(k, v) / n

    def cost(n, k, v):
        return n * (costs.item + k * (costs.trial + v * costs.vote))

    found = gains(spread, trials, votes, costs)
    moves = {"items": (step, 0, 0), "trials": (0, step, 0), "votes": (0, 0, step)}
    for name, (more_items, more_trials, more_votes) in moves.items():
        there = (items + more_items, trials + more_trials, votes + more_votes)
        less = of_mean(items, trials, votes) - of_mean(*there)
        more = cost(*there) - cost(items, trials, votes)
        assert found[name] / items**2 == pytest.approx(less / more, rel=1e-2, abs=1e-9)


def test_with_free_items_more_items_always_help_most():
    found = gains(DifferenceSpread(0.01, 0.5, 0.5), 1, 1, UnitCosts(item=0))
    assert found["items"] > found["trials"]


def test_with_dear_items_more_trials_can_help_more():
    found = gains(DifferenceSpread(0.01, 0.5, 0.0), 1, 1, UnitCosts(item=10))
    assert found["trials"] > found["items"]


def test_the_examples_in_the_text_are_true():
    assert doctest.testmod(plan).failed == 0
