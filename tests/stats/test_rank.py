"""Many agents over the same items: ranks, their ranges, and the laws that no table may break."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.stats.interval import equal_weight_interval
from gnomon.stats.paired import holm, paired_binary
from gnomon.stats.rank import RESAMPLES, Ranking, rank

FEW = 200
"""Resamples where a law is tested, not a number."""

scores = st.sampled_from([0.0, 0.25, 0.5, 1.0])
cells = st.lists(st.one_of(scores, st.none()), min_size=1, max_size=3)
boards = st.dictionaries(
    st.sampled_from("ABCDE"),
    st.dictionaries(st.sampled_from([f"item {n}" for n in range(8)]), cells, min_size=1),
    min_size=1,
)
policies = st.sampled_from(["drop", "zero", "bracket"])


def board(rows: dict[str, list[float]]) -> dict[str, dict[str, list[float]]]:
    return {agent: {f"item {n:03}": [value] for n, value in enumerate(values)} for agent, values in rows.items()}


def coin(share: float, items: int, seed: int) -> list[float]:
    chance = random.Random(seed)
    return [float(chance.random() < share) for _ in range(items)]


def told(found: Ranking) -> dict[str, tuple]:
    return {one.agent: (one.rank, one.rank_interval, one.mean, one.interval, one.missing) for one in found.standings}


def test_agents_are_listed_by_their_mean_of_item_means():
    found = rank({"a": {"x": [1.0, 1.0, 1.0], "y": [0.0]}, "b": {"x": [1.0], "y": [1.0, 0.0]}})
    assert [(one.agent, one.mean) for one in found.standings] == [("b", 0.75), ("a", 0.5)]


def test_the_interval_is_that_of_items_with_equal_votes():
    trials = {"x": [1.0, 0.0, 1.0], "y": [0.0], "z": [1.0, 1.0]}
    assert rank({"a": trials}).standings[0].interval == equal_weight_interval(list(trials.values()))


def test_one_agent_alone_is_first_and_has_nobody_to_compare_with():
    found = rank(board({"only": [1, 0, 1]}))
    assert (found.standings[0].rank, found.standings[0].rank_interval) == (1, (1, 1))
    assert (found.pairs, found.groups) == ([], [["only"]])


def test_identical_agents_share_a_rank_and_a_range():
    values = coin(0.6, 40, 1)
    found = rank(board({"a": values, "b": values, "c": values}))
    assert [(one.rank, one.rank_interval) for one in found.standings] == [(1, (1, 3))] * 3
    assert [one.rank_interval_marginal for one in found.standings] == [(1, 1)] * 3
    assert found.groups == [["a", "b", "c"]]
    assert {pair.verdict for pair in found.pairs} == {"inconclusive"}


def test_agents_that_agree_on_every_item_are_equivalent_only_within_a_stated_margin():
    values = coin(0.6, 400, 1)
    alike = rank(board({"a": values, "b": values}), min_effect=0.05)
    assert [pair.verdict for pair in alike.pairs] == ["equivalent"]


def test_a_rank_counts_those_who_are_significantly_better():
    found = rank(board({"best": [1.0] * 60, "middle": coin(0.5, 60, 2), "same": coin(0.5, 60, 3), "worst": [0.0] * 60}))
    assert {one.agent: one.rank for one in found.standings} == {"best": 1, "middle": 2, "same": 2, "worst": 4}
    assert {frozenset(group) for group in found.groups} == {
        frozenset({"best"}), frozenset({"middle", "same"}), frozenset({"worst"}),
    }  # fmt: skip
    assert {one.agent: one.rank_interval for one in found.standings}["best"] == (1, 1)


def test_pairs_are_tested_as_two_alone_would_be_and_then_adjusted_together():
    rows = {"a": coin(0.7, 50, 4), "b": coin(0.6, 50, 5), "c": coin(0.4, 50, 6)}
    found = rank(board(rows))
    alone = [
        paired_binary(sum(x > y for x, y in both), sum(x < y for x, y in both), 50)
        for pair in found.pairs
        for both in [list(zip(rows[pair.a], rows[pair.b], strict=True))]
    ]
    assert [pair.difference for pair in found.pairs] == alone
    assert [pair.adjusted_p for pair in found.pairs] == holm([one.p_value for one in alone])


def test_marginal_rank_ranges_agree_with_a_plain_bootstrap():
    """The same question, asked by drawing items one by one."""
    rows = {"a": coin(0.60, 80, 7), "b": coin(0.55, 80, 8), "c": coin(0.50, 80, 9), "d": coin(0.30, 80, 10)}
    chance = random.Random(1)
    ranks: dict[str, list[int]] = {agent: [] for agent in rows}
    for _ in range(4000):
        drawn = chance.choices(range(80), k=80)
        totals = {agent: sum(values[item] for item in drawn) for agent, values in rows.items()}
        for agent, total in totals.items():
            ranks[agent].append(1 + sum(other > total for other in totals.values()))
    for one in rank(board(rows)).standings:
        ordered = sorted(ranks[one.agent])
        low, high = min(ordered[100], one.rank), max(ordered[3899], one.rank)
        assert one.rank_interval_marginal == (low, high)


def test_agents_that_share_no_item_are_not_ordered():
    found = rank({"a": {f"x{n}": [1.0] for n in range(20)}, "b": {f"y{n}": [0.0] for n in range(20)}})
    assert [(one.rank, one.rank_interval) for one in found.standings] == [(1, (1, 2))] * 2
    (pair,) = found.pairs
    assert (pair.difference.delta, pair.difference.items, pair.adjusted_p) == (None, 0, None)
    assert pair.uncertain


def test_a_single_item_orders_nobody():
    found = rank({"a": {"x": [1.0]}, "b": {"x": [0.0]}})
    assert [one.rank_interval for one in found.standings] == [(1, 2), (1, 2)]
    assert all(one.interval.low < one.interval.high for one in found.standings)


def test_agents_with_different_items_are_compared_on_those_they_share():
    easy = {f"easy {n}": [1.0] for n in range(30)}
    shared = coin(0.5, 30, 11)
    a = {**easy, **{f"hard {n}": [value] for n, value in enumerate(shared)}}
    b = {f"hard {n}": [value] for n, value in enumerate(shared)}
    found = rank({"a": a, "b": b})
    assert found.standings[0].mean > found.standings[1].mean
    assert (found.pairs[0].difference.delta, found.pairs[0].difference.items) == (0.0, 30)
    assert [one.rank_interval for one in found.standings] == [(1, 2), (1, 2)]


def ordered(found: Ranking) -> set[tuple[str, str]]:
    """Who is ahead of whom, by a significant difference or a chain of such."""
    ahead = {
        (pair.a, pair.b) if pair.verdict == "improved" else (pair.b, pair.a)
        for pair in found.pairs
        if not pair.uncertain
    }
    while more := {(a, d) for a, b in ahead for c, d in ahead if b == c} - ahead:
        ahead |= more
    return ahead


@given(st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=12, max_size=12), min_size=2, max_size=6))
@settings(max_examples=30, deadline=None)
def test_a_range_of_ranks_never_contradicts_a_pair(rows):
    """Two that cannot be told apart can hold each other's place; of two that can, the ranges say who is ahead."""
    found = rank(board({f"agent {at}": row for at, row in enumerate(rows)}), resamples=200)
    ranges = {one.agent: one.rank_interval for one in found.standings}
    ahead = ordered(found)
    for pair in found.pairs:
        (a_best, a_worst), (b_best, b_worst) = ranges[pair.a], ranges[pair.b]
        if pair.verdict == "improved":
            assert b_best > 1
            assert a_worst < len(rows)
        if not {(pair.a, pair.b), (pair.b, pair.a)} & ahead:
            assert max(a_best, b_best) <= min(a_worst, b_worst)


def test_two_share_a_group_across_one_between_them_from_whom_only_the_lower_is_told_apart():
    """A steady agent is told apart from the last where one above it, who scatters, is not."""
    steady = [0.42 if n % 2 else 0.38 for n in range(20)]
    found = rank(board({"scatters": coin(0.45, 20, 2), "steady": steady, "last": [0.2] * 20}))
    assert [one.agent for one in found.standings] == ["scatters", "steady", "last"]
    assert [pair.verdict for pair in found.pairs] == ["inconclusive", "inconclusive", "improved"]
    assert found.groups == [["scatters", "steady"], ["scatters", "last"]]


GAPS = {"a": {"x": [1.0, None], "y": [0.0]}, "b": {"x": [1.0], "y": [1.0]}}


@pytest.mark.parametrize(("policy", "mean"), [("drop", 0.5), ("zero", 0.25), ("bracket", 0.5)])
def test_a_missing_value_is_left_out_or_zero_or_both_ends(policy, mean):
    found = {one.agent: one for one in rank(GAPS, policy).standings}
    assert (found["a"].mean, found["a"].missing, found["a"].missing_bracket) == (mean, 1, (0.25, 0.5))
    assert (found["b"].mean, found["b"].missing, found["b"].missing_bracket) == (1.0, 0, (1.0, 1.0))


def test_a_bracket_reaches_from_all_missing_wrong_to_all_missing_right():
    values = [1.0, 0.0] * 10
    gaps = {"a": {f"item {n}": [None if n % 5 == 0 else value] for n, value in enumerate(values)}}
    low, high = (
        rank({"a": {item: [fill if v is None else v for v in vs] for item, vs in gaps["a"].items()}})
        for fill in (0.0, 1.0)
    )
    found = rank(gaps, "bracket").standings[0].interval
    assert (found.low, found.high) == (low.standings[0].interval.low, high.standings[0].interval.high)
    assert "bracketed" in found.flags


def test_under_bracket_missing_values_can_unsettle_an_order():
    good, bad = [1.0] * 30, [0.0] * 20 + [None] * 10
    assert rank(board({"good": good, "bad": bad})).pairs[0].verdict == "improved"
    halves = board({"good": [1.0] * 16 + [None] * 14, "bad": [0.0] * 8 + [None] * 22})
    found = rank(halves, "bracket")
    assert found.pairs[0].verdict == "inconclusive"
    assert [one.rank_interval for one in found.standings] == [(1, 2), (1, 2)]


def test_an_agent_without_any_value_is_listed_last_without_a_rank():
    found = rank({"silent": {"x": [None]}, "a": {"x": [0.0], "y": [1.0]}})
    last = found.standings[-1]
    assert (last.agent, last.mean, last.interval, last.rank, last.rank_interval) == ("silent", None, None, None, None)
    assert rank({"silent": {"x": [None]}}, "zero").standings[0].mean == 0.0


def test_an_agent_without_items_is_refused():
    with pytest.raises(InvalidInput, match="'a' has no item"):
        rank({"a": {}})


def test_the_stated_number_of_resamples_is_ten_thousand():
    assert RESAMPLES == 10_000


@settings(max_examples=60)
@given(boards, policies, st.randoms(use_true_random=False))
def test_the_order_of_rows_never_matters(agents, policy, rng: random.Random):
    shuffled = {}
    for agent in rng.sample(sorted(agents), len(agents)):
        items = agents[agent]
        shuffled[agent] = {
            item: rng.sample(items[item], len(items[item])) for item in rng.sample(sorted(items), len(items))
        }
    assert rank(agents, policy, resamples=FEW) == rank(shuffled, policy, resamples=FEW)


@settings(max_examples=60)
@given(boards, policies, st.permutations("ABCDE"))
def test_renaming_agents_renames_the_answer(agents, policy, names):
    new = dict(zip("ABCDE", names, strict=True))
    before = told(rank(agents, policy, resamples=FEW))
    after = told(rank({new[agent]: items for agent, items in agents.items()}, policy, resamples=FEW))
    assert after == {new[agent]: one for agent, one in before.items()}


@settings(max_examples=100)
@given(boards, policies)
def test_no_table_breaks_what_every_leaderboard_promises(agents, policy):
    found = rank(agents, policy, resamples=FEW)
    ranked = [one for one in found.standings if one.rank is not None]
    for one in ranked:
        low, high = one.rank_interval
        assert 1 <= low <= one.rank <= high <= len(ranked)
        assert 0 <= one.interval.low <= one.mean + 1e-12
        assert one.mean - 1e-12 <= one.interval.high <= 1
        assert one.interval.low < one.interval.high
        assert math.isfinite(one.mean)
    assert len(found.pairs) == len(ranked) * (len(ranked) - 1) // 2
    assert {name for group in found.groups for name in group} == {one.agent for one in ranked}
    ahead = ordered(found)
    for pair in found.pairs:
        shares = any(pair.a in group and pair.b in group for group in found.groups)
        assert shares != bool({(pair.a, pair.b), (pair.b, pair.a)} & ahead)
