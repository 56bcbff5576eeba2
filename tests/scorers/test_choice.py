"""Multiple choice: answers as models write them, and the letter that a reader would take from them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.scorers import Absent, Failed, Sample, Scored, build
from gnomon.scorers.choice import Choice


@pytest.mark.parametrize(
    ("answer", "letter"),
    [
        ("B", "B"),
        ("b", "B"),
        (" B.\n", "B"),
        ("(B)", "B"),
        ("**B**", "B"),
        ("`b`", "B"),
        ("B) Paris", "B"),
        ("(B) Paris", "B"),
        ("B. Paris is the capital", "B"),
        ("B: Paris", "B"),
        ("**B**: Paris", "B"),
        ("B\n\nBecause A and C are wrong.", "B"),
        ("The answer is (B)", "B"),
        ("The answer is B.", "B"),
        ("the correct answer is: **B**", "B"),
        ("Answer: b", "B"),
        ("ANSWER = C", "C"),
        ("I would choose option D, since A is false", "D"),
        ("At first A looks right. The answer is A? No. Final answer: C", "C"),
        (r"So we get $\boxed{C}$", "C"),
        ("Let me think.\nA is wrong, B is wrong.\nD", "D"),
        ("I think B", "B"),
        ("A quick look says B", "B"),
        ("The answer is a tricky one, but B", "B"),
        ("A) no\nB) yes", None),
        ("A or B", None),
        ("a) Rome", "A"),
        ("A is right", "A"),
        ("The answer is unclear", None),
        ("Apples and Bananas", None),
        ("E", None),
        ("", None),
        ("🙂", None),
    ],
)
def test_the_letter_that_an_answer_settles_on(answer: str, letter: str | None) -> None:
    assert Choice().settled_on(answer) == letter


@pytest.mark.parametrize(
    ("choices", "answer", "settled"),
    [
        (["yes", "no"], "Yes, it does.", "yes"),
        (["yes", "no"], "The answer is no", "no"),
        (["true", "false", "not given"], "Answer: Not given", "not given"),
        (["1", "2", "3"], "Option 2", "2"),
        (["1", "2", "10"], "The answer is 10.", "10"),
        (["Ä", "Ö"], "ö", "Ö"),
    ],
)
def test_choices_may_be_any_labels(choices: list[str], answer: str, settled: str | None) -> None:
    assert Choice(choices=choices).settled_on(answer) == settled


@pytest.mark.parametrize("expected", ["B", "b", "(B)", "B."])
def test_the_expected_choice_may_be_written_as_loosely(expected: str) -> None:
    assert build("choice").score(Sample(output="The answer is B", expected_output=expected)) == Scored(1.0)
    assert build("choice").score(Sample(output="C", expected_output=expected)) == Scored(0.0)


def test_an_answer_that_settles_on_nothing_is_wrong_not_missing() -> None:
    assert build("choice").score(Sample(output="I do not know", expected_output="B")) == Scored(0.0)
    assert build("choice").score(Sample(output="B")) == Absent("no expected_output")


def test_an_expected_output_that_is_no_choice_fails_with_the_value_as_evidence() -> None:
    result = build("choice").score(Sample(output="B", expected_output=2))
    assert result == Failed("expected_output is none of the choices", "2")


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"choices": ["A"]}, "config.choices"),
        ({"choices": ["A", " a "]}, "config.choices"),
        ({"choices": ["A", "**"]}, "config.choices"),
        ({"choices": "ABCD"}, "config.choices"),
        ({"choices": [1, 2]}, "config.choices.0"),
        ({"expected_output": "E"}, "config.expected_output"),
    ],
)
def test_choices_that_cannot_be_told_apart_are_refused(config: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        build("choice", config)
    assert refused.value.problems[0].field == field


@given(st.text())
def test_every_text_can_be_read(answer: str) -> None:
    assert Choice().settled_on(answer) in ("A", "B", "C", "D", None)


@given(
    st.sampled_from("ABCD"),
    st.sampled_from(["{}", "({})", "**{}**", "{}.", "The answer is {}.", "Answer: ({})", "{}) because"]),
)
def test_a_wrapped_letter_is_read_whatever_the_wrapping(letter: str, wrapping: str) -> None:
    assert Choice().settled_on(wrapping.format(letter)) == letter
