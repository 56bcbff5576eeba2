"""Preferences: tabled strengths, laws, and a clear answer where there are no strengths."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.stats.pairwise import ELO, bradley_terry, contest

FEW = 200

names, items, winners = st.sampled_from("ABCD"), st.sampled_from("xyz"), st.sampled_from(["a", "b", "tie"])
one_game = st.tuples(names, names, items, winners).filter(lambda game: game[0] != game[1])
games = st.lists(one_game, min_size=1, max_size=30)


def played(strengths: dict[str, float], count: int, seed: int = 1) -> list[tuple]:
    chance = random.Random(seed)
    found = []
    for item in range(count):
        a, b = chance.sample(sorted(strengths), 2)
        a_wins = chance.random() < 1 / (1 + math.exp(strengths[b] - strengths[a]))
        found.append((a, b, f"item {item}", "a" if a_wins else "b"))
    return found


def test_strengths_match_the_tabled_ones():
    found = bradley_terry([[0, 7, 8], [3, 0, 6], [2, 4, 0]])
    assert found == pytest.approx([0.7405699351339429, -0.14910225523439638, -0.5914676798995463], abs=1e-9)
    assert 1 / (1 + math.exp(found[1] - found[0])) == pytest.approx(0.7088225195336207, abs=1e-9)
    elo = [ELO * one for one in found]
    assert elo == pytest.approx([128.6501745168482, -25.901714675051437, -102.74845984179674], abs=1e-9)


@given(st.lists(st.lists(st.integers(1, 30), min_size=4, max_size=4), min_size=4, max_size=4))
def test_the_most_likely_strengths_expect_as_many_wins_as_there_were(wins):
    for place in range(4):
        wins[place][place] = 0
    found = bradley_terry(wins)
    assert sum(found) == pytest.approx(0, abs=1e-9)
    for i in range(4):
        expected = sum(
            (wins[i][j] + wins[j][i]) / (1 + math.exp(found[j] - found[i])) for j in range(4) if j != i
        )  # fmt: skip
        assert expected == pytest.approx(sum(wins[i]), abs=1e-7)


def test_a_tie_counts_half_to_each():
    ties = contest([("a", "b", str(n), "tie") for n in range(4)], resamples=FEW)
    halves = contest([("a", "b", str(n), "a" if n % 2 else "b") for n in range(4)], resamples=FEW)
    assert ties.strengths == halves.strengths == {"a": 0.0, "b": 0.0}


@pytest.mark.parametrize("wins", [[[0, 3], [0, 0]], [[0, math.nan], [1, 0]], [[0, -1], [1, 0]], [[0, 1, 2], [1, 0, 3]]])
def test_tables_without_finite_strengths_are_refused(wins):
    with pytest.raises(InvalidInput):
        bradley_terry(wins)


def test_candidates_are_ranked_by_whom_they_beat_not_by_whom_they_met():
    """c loses to the strong and beats the weak as often as d, but d met only the weak."""
    strengths = {"strong": 3.0, "c": 1.0, "d": 0.6, "weak": -1.0}
    chance = random.Random(2)
    rows = []
    for item in range(600):
        for a, b in (("strong", "c"), ("c", "weak"), ("d", "weak")):
            a_wins = chance.random() < 1 / (1 + math.exp(strengths[b] - strengths[a]))
            rows.append((a, b, f"item {item}", "a" if a_wins else "b"))
    found = contest(rows, resamples=FEW)
    assert [one.agent for one in found.standings] == ["strong", "c", "d", "weak"]
    assert found.strengths["c"] - found.strengths["weak"] == pytest.approx(2.0, abs=0.4)


def test_scores_have_intervals_and_ranks_have_ranges():
    found = contest(played({"a": 1.0, "b": 0.9, "c": -1.0}, 300))
    assert [one.rank for one in found.standings] == [1, 1, 3]
    assert found.standings[2].rank_interval == (3, 3)
    for one in found.standings:
        assert 0 < one.interval.low < one.mean < one.interval.high < 1
        low, high = found.strength_intervals[one.agent]
        assert low < found.strengths[one.agent] < high


def test_somebody_who_won_everything_gets_a_share_a_width_and_a_reason():
    rows = [("champion", other, str(n), "a") for n in range(5) for other in ("b", "c")]
    rows += [("b", "c", str(n), "a" if n % 2 else "b") for n in range(5)]
    found = contest(rows, resamples=FEW)
    first = found.standings[0]
    assert (first.agent, first.mean, found.strengths) == ("champion", 1.0, {})
    assert first.interval.low < first.interval.high == 1.0
    assert found.why_no_strengths == [
        "'champion' won all its comparisons, so its strength has no upper limit; a loss or a tie would set one"
    ]


def test_candidates_that_were_never_linked_are_not_ordered():
    rows = [("a", "b", str(n), "a" if n % 3 else "b") for n in range(20)]
    rows += [("c", "d", str(n), "a" if n % 3 else "b") for n in range(20)]
    found = contest(rows, resamples=FEW)
    assert found.why_no_strengths == ["none of 'a', 'b' was compared with any of 'c', 'd'; compare some of them"]
    across = next(pair for pair in found.pairs if {pair.a, pair.b} == {"a", "c"})
    assert (across.difference.delta, across.difference.reason) == (None, "the two never met")
    ranges = {one.agent: one.rank_interval for one in found.standings}
    assert ranges["a"][1] >= 3


def test_two_groups_of_which_one_never_lost_say_what_is_missing():
    rows = [
        ("a", "b", "x", "a"),
        ("b", "a", "y", "a"),
        ("c", "d", "x", "a"),
        ("d", "c", "y", "a"),
        ("a", "c", "z", "a"),
    ]
    (reason,) = contest(rows, resamples=FEW).why_no_strengths
    assert reason == "none of 'c', 'd' ever beat or tied with any of 'a', 'b'; one such result is missing"


def test_a_candidate_against_itself_is_refused():
    with pytest.raises(InvalidInput, match="compared with itself"):
        contest([("a", "a", "x", "a")])


def test_no_comparison_is_refused():
    with pytest.raises(InvalidInput, match="no comparison"):
        contest([])


@settings(max_examples=60)
@given(games, st.randoms(use_true_random=False))
def test_the_order_of_games_and_of_sides_never_matters(rows, rng: random.Random):
    other = {"a": "b", "b": "a", "tie": "tie"}
    turned = [row if rng.random() < 0.5 else (row[1], row[0], row[2], other[row[3]]) for row in rows]
    assert contest(rng.sample(turned, len(turned)), resamples=50) == contest(rows, resamples=50)


@settings(max_examples=60)
@given(games)
def test_no_games_give_a_number_that_is_not_one(rows):
    found = contest(rows, resamples=50)
    for one in found.standings:
        assert 0 <= one.interval.low <= one.mean + 1e-9
        assert one.mean - 1e-9 <= one.interval.high <= 1
        assert one.interval.low < one.interval.high
        assert one.rank_interval[0] <= one.rank <= one.rank_interval[1]
    for pair in found.pairs:
        assert pair.difference.delta is None or -1 <= pair.difference.delta <= 1
        assert (pair.difference.interval is None) == (pair.difference.p_value is None)
    assert bool(found.strengths) != bool(found.why_no_strengths)
    assert all(math.isfinite(strength) for strength in found.strengths.values())
