"""When an evaluation is decided: exact error rates of small ones, closed cases, and what holds for every one."""

import itertools
import math
from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.stats.sequence import REJECTED, beta_mixture, beta_mixture_e_value, betting_mixture
from gnomon.stats.stopping import decide_difference, decide_gate

scores = st.lists(st.floats(0, 1), max_size=40)
blocks = st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=12), min_size=1, max_size=5)
differences = st.lists(st.floats(-1, 1), max_size=40)
thresholds = st.floats(0, 1)
relations = st.sampled_from(["gte", "gt", "lte", "lt"])
coarse = st.sampled_from([0.0, 0.25, 0.5, 1.0])
LONGEST = 12


# --- exact: every path of a small evaluation ------------------------------------


@cache
def gate_ends_wrongly(passed: int, n: int, threshold: float) -> bool:
    """At the threshold itself neither answer is right by evidence, so any answer counts as wrong."""
    look = decide_gate([1.0] * passed + [0.0] * (n - passed), "gte", threshold, remaining=LONGEST - n)
    return look.outcome in ("passed", "failed")


@pytest.mark.parametrize("block", [1, 3, 12])
@pytest.mark.parametrize("p", [0.02, 0.1, 0.3, 0.5, 0.8, 0.9, 0.97])
def test_a_gate_at_its_threshold_is_decided_with_a_chance_of_at_most_five_percent(p, block):
    """Error rate over all looks ≤ 5 %: over all 4,096 paths of twelve scores of 0 and 1."""
    wrong = 0.0
    for path in itertools.product((0, 1), repeat=LONGEST):
        looks = range(block, LONGEST + 1, block)
        if any(gate_ends_wrongly(sum(path[:n]), n, p) for n in looks):
            wrong += p ** sum(path) * (1 - p) ** (LONGEST - sum(path))
    assert wrong <= 0.05
    if p == 0.5 and block == 1:
        assert wrong > 0.01, "nothing was ever decided, so nothing was tried"


@cache
def comparison_ends(better: int, worse: int, same: int, margin: float) -> bool:
    values = [1.0] * better + [-1.0] * worse + [0.0] * same
    return decide_difference(values, remaining=LONGEST - len(values), margin=margin).outcome in (
        "better", "worse", "not_worse",
    )  # fmt: skip


@pytest.mark.parametrize("margin", [0.0, 0.1])
@pytest.mark.parametrize("changing", [0.2, 0.6, 1.0])
@pytest.mark.slow
def test_a_comparison_at_its_margin_is_decided_with_a_chance_of_at_most_five_percent(changing, margin):
    """The same over all paths of twelve pairs of 0 and 1, added up by their counts."""
    step = {(1, 0, 0): (changing - margin) / 2, (0, 1, 0): (changing + margin) / 2, (0, 0, 1): 1 - changing}
    running, wrong = {(0, 0, 0): 1.0}, 0.0
    for _ in range(LONGEST):
        after: dict[tuple[int, int, int], float] = {}
        for state, chance in running.items():
            for change, share in step.items():
                there = tuple(a + b for a, b in zip(state, change, strict=True))
                after[there] = after.get(there, 0.0) + chance * share
        wrong += sum(chance for state, chance in after.items() if comparison_ends(*state, margin))
        running = {state: chance for state, chance in after.items() if not comparison_ends(*state, margin)}
    assert wrong + sum(running.values()) == pytest.approx(1)
    assert wrong <= 0.05
    if changing == 1 and not margin:
        assert wrong > 0.01, "nothing was ever decided, so nothing was tried"


# --- closed cases ---------------------------------------------------------------


@pytest.mark.parametrize("threshold", [0.5, 0.8, 0.9])
def test_a_row_of_passes_is_enough_when_the_formula_says_so(threshold):
    """The evidence of n passes against a share p is 1 / ((n + 1) pⁿ)."""
    enough = next(n for n in itertools.count(1) if 1 / ((n + 1) * threshold**n) >= REJECTED)
    assert decide_gate([1.0] * (enough - 1), "gte", threshold, remaining=100).outcome == "undecided"
    assert decide_gate([1.0] * enough, "gte", threshold, remaining=100).outcome == "passed"
    mirrored = round(1 - threshold, 9)
    assert decide_gate([0.0] * enough, "gte", mirrored, remaining=100).outcome == "failed"
    assert decide_gate([0.0] * enough, "lte", mirrored, remaining=100).outcome == "passed"


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_pairs_of_0_and_1_are_decided_by_those_that_changed(better, worse, same):
    evidence = beta_mixture_e_value(better, worse, 0.5)
    assume(abs(evidence / REJECTED - 1) > 1e-6)
    look = decide_difference([1] * better + [-1] * worse + [0] * same, remaining=10_000)
    if evidence < REJECTED:
        assert look.outcome == "undecided"
    else:
        assert look.outcome == ("better" if better > worse else "worse")


def test_the_interval_of_scores_of_0_and_1_is_the_beta_mixture():
    look = decide_gate([1, 0, 1, 1, 1, 0, 1, 1], "gte", 0.5, remaining=10)
    expected = beta_mixture(6, 8)
    assert (look.interval.low, look.interval.high) == pytest.approx((expected.low, expected.high), abs=1e-8)
    assert (look.interval.method, look.items, look.mean) == ("betting_mixture", 8, 0.75)


def test_a_margin_turns_no_difference_into_not_worse():
    values = [0.02, -0.02] * 100
    assert decide_difference(values, remaining=1000).outcome == "undecided"
    assert decide_difference(values, remaining=1000, margin=0.05).outcome == "not_worse"
    assert decide_difference([value + 0.3 for value in values], remaining=0, margin=0.05).outcome == "better"
    assert decide_difference([value - 0.3 for value in values], remaining=0, margin=0.05).outcome == "worse"


def test_before_the_first_score_everything_is_possible():
    look = decide_gate([], "gte", 0.8, remaining=50)
    assert (look.outcome, look.items, look.mean) == ("undecided", 0, None)
    assert (look.interval.low, look.interval.high) == (0, 1)
    difference = decide_difference([], remaining=50)
    assert (difference.interval.low, difference.interval.high, difference.mean) == (-1, 1, None)


def test_a_gate_that_every_mean_meets_has_passed_before_the_first_score():
    assert decide_gate([], "gte", 0, remaining=50).outcome == "passed"
    assert decide_gate([], "lt", 0, remaining=50).outcome == "failed"


def test_one_score_below_1_decides_that_the_mean_is_not_1():
    assert decide_gate([1, 1, 1], "gte", 1, remaining=5).outcome == "undecided"
    assert decide_gate([1, 1, 1, 0.9], "gte", 1, remaining=4).outcome == "failed"


# --- what cannot be decided any more ----------------------------------------------


@given(st.lists(coarse, max_size=8), st.integers(0, 4), st.sampled_from([0.3, 0.5, 0.75, 0.9]), relations)
def test_cannot_be_decided_is_said_exactly_when_no_rest_decides(values, remaining, threshold, relation):
    """Compared with every rest that scores of 0, ½ and 1 can make."""
    look = decide_gate(values, relation, threshold, remaining=remaining)
    assume(look.outcome in ("undecided", "cannot_be_decided"))
    possible = any(
        decide_gate([*values, *rest], relation, threshold, remaining=0).outcome in ("passed", "failed")
        for count in range(1, remaining + 1)
        for rest in itertools.combinations_with_replacement((0.0, 0.5, 1.0), count)
    )
    assert look.outcome == ("undecided" if possible else "cannot_be_decided")


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), max_size=8), st.integers(0, 5), st.sampled_from([0.0, 0.4]))
def test_a_comparison_cannot_be_decided_exactly_when_no_rest_decides(values, remaining, margin):
    look = decide_difference(values, remaining=remaining, margin=margin)
    assume(look.outcome in ("undecided", "cannot_be_decided"))
    possible = any(
        decide_difference([*values, *rest], remaining=0, margin=margin).outcome != "cannot_be_decided"
        for count in range(1, remaining + 1)
        for rest in itertools.combinations_with_replacement((-1.0, 0.0, 1.0), count)
    )
    assert look.outcome == ("undecided" if possible else "cannot_be_decided")


@given(differences, st.lists(st.floats(-1, 1), min_size=1, max_size=20), st.sampled_from([0.0, 0.05]))
def test_what_cannot_be_decided_is_decided_by_no_rest(values, rest, margin):
    look = decide_difference(values, remaining=len(rest), margin=margin)
    assume(look.outcome == "cannot_be_decided")
    for count in range(1, len(rest) + 1):
        later = decide_difference(
            [*values, *rest[:count]], remaining=len(rest) - count, margin=margin, before=look.interval
        )
        assert later.outcome == "cannot_be_decided"


@given(scores, relations, thresholds)
def test_an_evaluation_without_further_items_ends(values, relation, threshold):
    assert decide_gate(values, relation, threshold, remaining=0).should_stop


# --- laws -----------------------------------------------------------------------


@given(blocks, st.randoms(), thresholds, relations)
def test_the_order_inside_a_block_does_not_matter(parts, random, threshold, relation):
    def looks(parts):
        values, interval, found = [], None, []
        for part in parts:
            values = values + part
            look = decide_gate(values, relation, threshold, remaining=50, before=interval)
            interval = look.interval
            found.append(look)
        return found

    assert looks(parts) == looks([random.sample(part, len(part)) for part in parts])


@given(blocks, thresholds)
def test_the_ends_only_move_inwards_unless_the_mean_moved_away(parts, threshold):
    values, before = [], None
    for part in parts:
        values = values + part
        look = decide_gate(values, "gte", threshold, remaining=50, before=before)
        alone = betting_mixture(values)
        assert alone.low <= look.interval.low <= look.mean <= look.interval.high <= alone.high
        if before is not None and not look.interval.flags:
            assert before.low <= look.interval.low
            assert look.interval.high <= before.high
        before = look.interval


@given(scores, relations, thresholds, st.integers(0, 100))
def test_a_gates_decision_follows_from_its_interval(values, relation, threshold, remaining):
    look = decide_gate(values, relation, threshold, remaining=remaining)
    low, high = look.interval.low, look.interval.high
    if relation in ("lte", "lt"):
        low, high, threshold = -high, -low, -threshold
    strict = relation in ("gt", "lt")
    passed = low > threshold if strict else low >= threshold
    failed = high <= threshold if strict else high < threshold
    expected = "passed" if passed else "failed" if failed else None
    assert look.outcome == expected or (expected is None and look.outcome in ("undecided", "cannot_be_decided"))


@given(differences, st.sampled_from([0.0, 0.05, 0.3]))
def test_a_difference_turned_round_is_decided_the_other_way(values, margin):
    there, back = (decide_difference(side, remaining=20) for side in (values, [-value for value in values]))
    turned = {"better": "worse", "worse": "better"}
    assume(min(abs(there.interval.low), abs(there.interval.high)) > 1e-6)
    assert back.outcome == turned.get(there.outcome, there.outcome)
    assert (back.interval.low, back.interval.high) == pytest.approx(
        (-there.interval.high, -there.interval.low), abs=1e-6
    )
    allowed = decide_difference(values, remaining=20, margin=margin)
    if there.outcome == "better":
        assert allowed.outcome == "better"
    if allowed.outcome == "worse":
        assert there.outcome == "worse"


def test_a_mean_that_moved_on_the_way_is_flagged_and_leaves_an_interval():
    first = decide_gate([0.1] * 200, "gte", 0.95, remaining=400)
    later = decide_gate([0.1] * 200 + [0.9] * 200, "gte", 0.95, remaining=200, before=first.interval)
    assert later.interval.flags == ("drifting",)
    assert later.interval.low < later.mean < later.interval.high
    last = decide_gate([0.1] * 200 + [0.9] * 201, "gte", 0.95, remaining=199, before=later.interval)
    assert last.interval.flags == ("drifting",), "once seen, it stays said"


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: decide_gate([0.5], "gte", 1.5, remaining=1), "threshold is 1.5"),
        (lambda: decide_gate([0.5], "gte", math.nan, remaining=1), "threshold is nan"),
        (lambda: decide_gate([1.5], "gte", 0.5, remaining=1), "score 1.5 is outside"),
        (lambda: decide_gate([0.5], "gte", 0.5, remaining=-1), "remaining is -1"),
        (lambda: decide_difference([-1.5], remaining=1), "difference -1.5 is outside"),
        (lambda: decide_difference([math.nan], remaining=1), "difference nan is outside"),
        (lambda: decide_difference([0.5], remaining=1, margin=-0.1), "margin is -0.1"),
        (lambda: decide_difference([0.5], remaining=1, margin=1), "margin is 1"),
    ],
)
def test_impossible_questions_are_refused(ask, message):
    with pytest.raises(InvalidInput, match=message):
        ask()
