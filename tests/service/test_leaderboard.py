"""Leaderboards of tables in memory: what is said beside the numbers, and what is refused."""

import json
import math
import random
from typing import Any

import pytest

from gnomon.errors import InvalidInput, Refused
from gnomon.interop.resulttables import LongTable, Preferences
from gnomon.model.leaderboard import Leaderboard, LeaderboardOptions
from gnomon.service.analysis.leaderboard import from_preferences, from_table
from gnomon.stats.paired import mcnemar_exact

Row = tuple[str, str, str, float | None]


def table(rows: list[Row], source: str = "scores.csv") -> LongTable:
    agents, items, trials, values = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [], [])
    return LongTable(
        agents=agents, items=items, trials=trials, values=values, lines=list(range(2, len(rows) + 2)), source=source
    )


def preferences(rows: list[tuple[str, str, str | None, Any]]) -> Preferences:
    a, b, items, winners = (list(column) for column in zip(*rows, strict=True))
    return Preferences(
        a=a, b=b, items=items, winners=winners, lines=list(range(2, len(rows) + 2)), source="battles.csv"
    )


def grid(agents: dict[str, float], items: int, trials: int = 1, seed: int = 1) -> list[Row]:
    chance = random.Random(seed)
    return [
        (agent, f"item {item}", str(trial), float(chance.random() < share))
        for agent, share in agents.items()
        for item in range(items)
        for trial in range(trials)
    ]


def plain(found: Leaderboard) -> Any:
    """As JSON, in which nothing may be NaN."""
    return json.loads(found.model_dump_json(), parse_constant=lambda word: pytest.fail(f"{word} in the JSON"))


def test_every_agent_carries_score_interval_rank_range_and_curves():
    found = from_table([table(grid({"a": 0.9, "b": 0.2}, 30, trials=3))])
    first = plain(found)["agents"][0]
    assert (first["agent_id"], first["rank"], first["rank_interval"], first["group"]) == ("a", 1, [1, 1], "a")
    assert (first["item_count"], first["run_count"], first["n_missing"]) == (30, 90, 0)
    low, high = first["confidence_interval"]
    assert low < first["overall_score"] < high
    assert list(first["pass_at_k"]) == list(first["pass_pow_k"]) == ["1", "2", "3"]
    assert first["pass_at_k"]["1"] == first["pass_pow_k"]["1"] == first["overall_score"]
    for k in "123":
        assert first["pass_pow_k_ci"][k][0] <= first["pass_pow_k"][k] <= first["pass_pow_k_ci"][k][1]


def test_a_comparison_says_how_far_the_upper_one_is_ahead():
    found = from_table([table(grid({"a": 0.9, "b": 0.2}, 30))])
    (pair,) = found.comparisons
    assert (pair.a, pair.b, pair.verdict, pair.uncertain, pair.adjacent) == ("a", "b", "improved", False, True)
    assert pair.delta == pytest.approx(found.agents[0].overall_score - found.agents[1].overall_score)
    assert pair.delta_ci_95[0] < pair.delta < pair.delta_ci_95[1]
    assert pair.common_items == 30


def test_letters_are_shared_by_those_who_cannot_be_told_apart():
    rows = [*grid({"a": 1.0, "d": 0.0}, 60), *grid({"b": 0.5}, 60, seed=2), *grid({"c": 0.5}, 60, seed=3)]
    found = from_table([table(rows)])
    assert [one.group for one in found.agents] == ["a", "b", "b", "c"]
    assert [len(group) for group in found.groups] == [1, 2, 1]


@pytest.mark.parametrize(
    ("policy", "score", "words"),
    [("drop", 0.75, "they are left out"), ("zero", 0.5, "they count as 0"), ("bracket", 0.75, "anything from 0 to 1")],
)
def test_the_policy_for_missing_values_is_stated(policy, score, words):
    rows: list[Row] = [("a", "x", "1", 1.0), ("a", "x", "2", None), ("a", "y", "1", 0.5), ("a", "y", "2", None)]
    found = from_table([table(rows)], LeaderboardOptions(missing=policy))
    one = found.agents[0]
    assert found.missing_policy == policy
    assert one.overall_score == pytest.approx(score if policy != "zero" else 0.375)
    assert (one.n_missing, one.missing_bracket) == (2, (0.375, 0.875))
    assert any("2 of 4 trials have no value" in note and words in note for note in found.notes)


def test_under_bracket_the_intervals_of_the_curves_hold_those_of_both_fillings():
    rows: list[Row] = [
        ("a", f"item {n}", str(t), None if n % 4 == t == 0 else float(n % 3 > t)) for n in range(20) for t in range(3)
    ]
    bracket = from_table([table(rows)], LeaderboardOptions(missing="bracket")).agents[0]
    zero = from_table([table(rows)], LeaderboardOptions(missing="zero")).agents[0]
    assert list(bracket.pass_at_k) == ["1", "2"]
    assert list(zero.pass_at_k) == ["1", "2", "3"]
    assert bracket.pass_pow_k_ci["2"][0] == zero.pass_pow_k_ci["2"][0]
    assert bracket.pass_pow_k_ci["2"][1] > zero.pass_pow_k_ci["2"][1]


def test_under_bracket_an_item_without_any_value_does_not_shorten_the_curves():
    rows: list[Row] = [("a", f"item {n}", str(t), float(n % 2)) for n in range(6) for t in range(3)]
    bracket = from_table([table([*rows, ("a", "nothing", "1", None)])], LeaderboardOptions(missing="bracket")).agents[0]
    assert list(bracket.pass_at_k) == list(bracket.pass_at_k_ci) == ["1", "2", "3"]
    for values, ends in ((bracket.pass_at_k, bracket.pass_at_k_ci), (bracket.pass_pow_k, bracket.pass_pow_k_ci)):
        assert all(ends[k][0] <= value <= ends[k][1] for k, value in values.items())


def test_a_trial_passes_from_the_threshold_on():
    rows: list[Row] = [("a", f"item {n}", str(t), 0.6) for n in range(5) for t in range(2)]
    strict, loose = (from_table([table(rows)], LeaderboardOptions(pass_threshold=bar)) for bar in (1.0, 0.6))
    assert (strict.agents[0].pass_at_k["2"], loose.agents[0].pass_at_k["2"]) == (0.0, 1.0)
    assert any("at least 0.6" in note for note in loose.notes)


def test_a_k_beyond_every_item_s_trials_is_refused_by_name():
    rows = [*grid({"a": 0.5}, 5, trials=4), *grid({"b": 0.5}, 5, trials=2)]
    assert list(from_table([table(rows)], LeaderboardOptions(k=2)).agents[0].pass_at_k) == ["1", "2"]
    with pytest.raises(Refused, match=r"k is 3, but no item of 'b' has more than 2 trials; ask for k up to 2"):
        from_table([table(rows)], LeaderboardOptions(k=3))


def test_a_few_missing_values_do_not_stand_in_the_way_of_k():
    """31 missing values of 6,000 once refused k = 3: now the items that have three trials are used, and counted."""
    rows = grid({"a": 0.5, "b": 0.4}, 50, trials=3)
    for gap in (4, 30, 61):
        rows[gap] = (*rows[gap][:3], None)
    found = from_table([table(rows)], LeaderboardOptions(k=3))
    assert [one.pass_k_items for one in found.agents] == [{"1": 50, "2": 50, "3": 47}, None]
    assert any(
        "pass@k and pass^k are over the items with k trials: 'a' 47 of 50 at k = 3" in one for one in found.notes
    )
    assert from_table([table(rows)]).agents[0].pass_k_items is None


def test_the_first_two_that_cannot_be_told_apart_are_told_what_it_would_take():
    found = from_table([table(grid({"a": 0.7, "b": 0.5}, 30))])
    assert any("cannot be told apart; about" in note and "more items" in note for note in found.notes)


def test_a_leaderboard_and_a_comparison_of_two_have_the_same_p_value():
    """Yes and no with one trial: the exact McNemar test in both."""
    rows = [("a", f"item {n}", "1", float(n < 30)) for n in range(40)]
    rows += [("b", f"item {n}", "1", float(n < 20)) for n in range(40)]
    (pair,) = from_table([table(rows)]).comparisons
    assert pair.p_value == pytest.approx(mcnemar_exact(10, 0), abs=1e-12)


def test_one_agent_alone_has_a_note_and_no_comparison():
    found = from_table([table(grid({"only": 0.5}, 20))])
    assert (found.agents[0].rank, found.agents[0].rank_interval, found.comparisons) == (1, (1, 1), [])
    assert any("one agent only" in note for note in found.notes)


def test_one_item_has_a_wide_interval_and_a_note():
    found = from_table([table([("a", "x", "1", 1.0), ("b", "x", "1", 0.0)])])
    assert [one.rank_interval for one in found.agents] == [(1, 2), (1, 2)]
    assert all(one.confidence_interval[0] < one.confidence_interval[1] for one in found.agents)
    assert any("one item only" in note for note in found.notes)
    low, high = plain(found)["comparisons"][0]["delta_ci_95"]
    assert low < 0 < high


def test_agents_without_a_common_item_are_named():
    found = from_table([table([("a", "x", "1", 1.0), ("a", "y", "1", 0.0), ("b", "z", "1", 1.0)])])
    assert any("'b' and 'a' share no item" in note for note in found.notes)
    pair = plain(found)["comparisons"][0]
    assert (pair["delta"], pair["delta_ci_95"], pair["p_value"], pair["uncertain"]) == (None, None, None, True)


def test_agents_with_other_items_are_told_with_how_many_they_share():
    rows = [row for row in grid({"a": 0.5, "b": 0.5}, 20) if not (row[0] == "b" and row[1] in ("item 3", "item 4"))]
    notes = from_table([table(rows)]).notes
    assert any("'b' 18" in note and "(18 at least)" in note for note in notes)


def test_an_agent_without_a_value_is_kept_with_a_note():
    found = from_table([table([("a", "x", "1", 1.0), ("a", "y", "1", 1.0), ("silent", "x", "1", None)])])
    last = plain(found)["agents"][-1]
    assert (last["agent_id"], last["overall_score"], last["rank"], last["pass_at_k"]) == ("silent", None, None, None)
    assert any("'silent' has no value at all" in note for note in found.notes)


def test_an_empty_table_is_refused():
    with pytest.raises(InvalidInput, match="no row"):
        from_table([table([])])


def test_two_files_may_not_score_the_same_trial():
    rows = grid({"a": 0.5}, 3)
    with pytest.raises(InvalidInput, match=r"one\.csv and two\.csv both score agent 'a', item 'item 0', trial '0'"):
        from_table([table(rows, "one.csv"), table(rows, "two.csv")])


def test_the_order_of_rows_never_matters():
    rows = grid({"a": 0.6, "b": 0.5, "c": 0.4}, 20, trials=2)
    shuffled = random.Random(1).sample(rows, len(rows))
    assert from_table([table(rows)]) == from_table([table(shuffled)])


def test_preferences_give_the_same_schema_with_strengths():
    chance = random.Random(1)
    rows = [("a", "b", str(n), "a" if chance.random() < 0.8 else "b") for n in range(60)]
    found = plain(from_preferences([preferences(rows)]))
    assert found["source"] == "preferences"
    assert [one["agent_id"] for one in found["agents"]] == ["a", "b"]
    first = found["agents"][0]
    assert first["elo"] == -found["agents"][1]["elo"] > 0
    assert first["elo_interval"][0] < first["elo"] < first["elo_interval"][1]
    assert set(first) == set(plain(from_table([table(grid({"a": 0.5}, 3))]))["agents"][0])


def test_without_an_item_column_every_judgement_is_an_item():
    rows = [("a", "b", None, "a"), ("a", "b", None, "b"), ("a", "b", None, "a")]
    assert from_preferences([preferences(rows)]).item_count == 3


def test_somebody_who_never_lost_has_no_strength_and_the_notes_say_why():
    found = plain(from_preferences([preferences([("a", "b", str(n), "a") for n in range(5)])]))
    assert [one["elo"] for one in found["agents"]] == [None, None]
    assert [one["overall_score"] for one in found["agents"]] == [1.0, 0.0]
    assert any("won all its comparisons" in note for note in found["notes"])
    assert not any(math.isinf(end) for one in found["agents"] for end in one["confidence_interval"])
