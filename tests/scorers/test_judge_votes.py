"""Several votes: what they come to, how far apart they are, and the raw answers as one text."""

from statistics import stdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.scorers import Failed, LlmJudge, Scored, build
from gnomon.scorers.asking import LONGEST_RATIONALE, joined_rationale
from gnomon.scorers.judge import Opinion, combine

JUNK, BLANK, HIGH = Failed("unparsable", "junk"), Failed("empty", ""), Failed("out_of_range", "11")


def judge(samples: int = 1, **config: Any) -> LlmJudge:
    template = {"model": "gpt-4o", "prompt_template": "{{input}}{{output}}"}
    scorer = build("llm_judge", {**template, "samples": samples, **config})
    assert isinstance(scorer, LlmJudge)
    return scorer


def labels(*said: str) -> list[Scored | Failed]:
    return [Scored(label) for label in said]


def test_one_vote_is_the_opinion_and_has_no_spread() -> None:
    assert combine(judge(), [Scored(0.3)]) == Opinion(Scored(0.3), None, 1, 1)
    assert combine(judge(), [Scored("good")]) == Opinion(Scored("good"), None, 1, 1)
    assert combine(judge(), [JUNK]) == Opinion(JUNK, None, 0, 1)


def test_numbers_become_their_mean_with_their_spread() -> None:
    opinion = combine(judge(3), [Scored(0.0), Scored(0.5), Scored(1.0)])
    assert opinion == Opinion(Scored(0.5), {"sd": 0.5, "min": 0.0, "max": 1.0, "n": 3}, 3, 3)


def test_labels_become_the_most_frequent_one_with_their_counts() -> None:
    opinion = combine(judge(4), labels("good", "bad", "good", "fair"))
    assert opinion == Opinion(Scored("good"), {"good": 2, "bad": 1, "fair": 1}, 4, 4)


@pytest.mark.parametrize(
    ("votes", "evidence"),
    [(["good", "bad"], "'good' 1, 'bad' 1"), (["a", "b", "b", "a", "c"], "'a' 2, 'b' 2, 'c' 1")],
)
def test_two_leading_labels_are_a_tie(votes: list[str], evidence: str) -> None:
    opinion = combine(judge(len(votes)), labels(*votes))
    assert opinion.result == Failed("tie", evidence)
    assert opinion.spread == {label: votes.count(label) for label in votes}


@pytest.mark.parametrize(
    ("votes", "asked", "result"),
    [
        ([Scored(0.4), Scored(0.6), JUNK], 3, Scored(0.5)),
        ([Scored(0.4), JUNK], 2, Scored(0.4)),  # half is enough
        ([Scored(0.4), JUNK, JUNK], 3, JUNK),
        ([Scored(0.4), BLANK, HIGH, HIGH], 4, HIGH),
        ([BLANK, HIGH], 2, BLANK),  # as frequent: the first one
        ([JUNK, Failed("unparsable", "more junk"), BLANK], 3, JUNK),
        ([Scored(0.4), Scored(0.4)], 5, Failed("too_few_votes")),
        ([], 5, Failed("too_few_votes")),
        ([*labels("good", "good"), BLANK], 3, Scored("good")),
        ([*labels("good"), BLANK, BLANK], 3, BLANK),
    ],
)
def test_failed_votes_drop_out_and_half_must_be_left(
    votes: list[Scored | Failed], asked: int, result: Scored | Failed
) -> None:
    opinion = combine(judge(asked), votes)
    assert opinion.result == result
    assert (opinion.valid, opinion.asked) == (sum(isinstance(vote, Scored) for vote in votes), asked)
    assert (opinion.spread is None) == isinstance(result, Failed)


def test_one_number_that_is_left_has_no_deviation() -> None:
    assert combine(judge(2), [Scored(0.4), JUNK]).spread == {"min": 0.4, "max": 0.4, "n": 1}


@given(st.lists(st.floats(0, 1), min_size=2, max_size=25))
def test_the_mean_lies_between_the_votes_and_equal_votes_are_their_own_mean(values: list[float]) -> None:
    opinion = combine(judge(len(values)), [Scored(value) for value in values])
    assert isinstance(opinion.result, Scored)
    assert min(values) <= float(opinion.result.value) <= max(values)
    assert opinion.spread is not None
    assert opinion.spread["sd"] == stdev(values)
    assert combine(judge(3), [Scored(values[0])] * 3).result == Scored(values[0])


@given(st.permutations([*labels("a", "a", "b"), JUNK, BLANK, BLANK]))
def test_the_order_of_votes_does_not_matter(votes: list[Scored | Failed]) -> None:
    assert combine(judge(6), votes) == Opinion(Scored("a"), {"a": 2, "b": 1}, 3, 6)


def test_one_answer_is_the_rationale_as_it_is() -> None:
    assert joined_rationale(["  8\r\nbecause "]) == "  8\r\nbecause "
    assert joined_rationale([""]) == joined_rationale([]) == ""


def test_several_answers_are_joined_under_the_number_of_their_vote() -> None:
    assert joined_rationale(["8", "nine\n"]) == "--- vote 1 ---\n8\n--- vote 2 ---\nnine\n"


def test_a_long_rationale_is_cut_with_a_note_and_never_inside_a_character() -> None:
    assert joined_rationale(["x" * LONGEST_RATIONALE]) == "x" * LONGEST_RATIONALE
    for lead in range(4):
        cut = joined_rationale(["x" * lead + "😀" * LONGEST_RATIONALE])
        body, _, note = cut.rpartition("\n")
        assert len(cut.encode()) <= LONGEST_RATIONALE == 65_536
        assert body.strip("x").strip("😀") == ""
        assert note == f"[cut: the whole text has {lead + 4 * LONGEST_RATIONALE} bytes]"


@given(st.lists(st.one_of(st.text(), st.binary().map(lambda raw: raw.decode("utf-8", "surrogateescape"))), max_size=3))
def test_any_rationale_can_be_stored(answers: list[str]) -> None:
    joined = joined_rationale(answers)
    assert len(joined.encode()) <= LONGEST_RATIONALE
    assert "\0" not in joined
