"""How answers are read: the grammar of numbers, the scale, labels, and what no answer can do to the reader."""

import math
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from gnomon.scorers import Failed, LlmJudge, Scored, build
from gnomon.scorers import judgeanswers as reading
from gnomon.scorers.judge import StructuredLabel, StructuredScore, read, read_structured
from gnomon.scorers.judgeanswers import first_number, last_number, named_labels

PAGE = (Path(__file__).parents[2] / "docs" / "scorers" / "llm-judge.md").read_text("utf-8")
REASONS = {"empty", "unparsable", "out_of_range"}
SET = ["correct", "incorrect", "partially correct"]


def judge(**config: Any) -> LlmJudge:
    scorer = build("llm_judge", {"model": "gpt-4o", "prompt_template": "{{input}}{{output}}", **config})
    assert isinstance(scorer, LlmJudge)
    return scorer


def labeller(labels: list[str] | None = None, **config: Any) -> LlmJudge:
    return judge(score_extraction="label", **({} if labels is None else {"labels": labels}), **config)


def table(first_heading: str) -> list[list[str]]:
    """The rows of the page's table that starts with these headings; a code span stands for its text."""
    _, _, after = PAGE.partition(f"| {first_heading} |\n")
    lines = after.split("\n\n")[0].splitlines()[1:]
    assert lines
    return [[cell.strip(" ").strip("`") for cell in re.split(r" \| ", line.strip("|"))] for line in lines]


def outcome(cell: str, answer: str) -> Scored | Failed:
    if cell.startswith("failed: "):
        return Failed(cell.removeprefix("failed: "), answer)
    return Scored(float(cell) if re.fullmatch(r"[0-9.]+", cell) else cell)


@pytest.mark.parametrize("row", table("answer | first number | last number"), ids=lambda row: row[0])
def test_numbers_are_read_as_the_page_says(row: list[str]) -> None:
    answer, *numbers = row
    first, last = (None if said == "none" else float(said) for said in numbers)
    assert (first_number(answer), last_number(answer)) == (first, last)


@pytest.mark.parametrize("row", table("answer | from | to | score"), ids=lambda row: f"{row[0]} {row[2]}")
def test_numbers_are_scaled_as_the_page_says(row: list[str]) -> None:
    answer, low, high, score = row
    assert read(judge(score_range={"min": float(low), "max": float(high)}), answer) == outcome(score, answer)


@pytest.mark.parametrize("row", table("answer | label"), ids=lambda row: row[0])
def test_labels_are_read_as_the_page_says(row: list[str]) -> None:
    answer, label = row
    assert read(labeller(SET), answer) == outcome(label, answer)


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        ("+7", 7), ("-7", -7), ("Score:-7", -7), ("(-7)", -7), ("x -7", -7), ("x-7", None), ("x+7", None),
        ("1e3", 1000), ("1E+3", 1000), ("1e-3", 0.001), ("1.5e3", 1500), (".5e1", 5), ("-.5", -0.5),
        ("1e", None), ("1e5x", None), ("1e5.5", None), ("e5", None), ("1.5e3.2", None),
        ("8x", None), ("x8", None), ("x8x", None), ("0x10", None), ("8_000", None), ("a_8", None), ("_8_", 8),
        ("8.", 8), ("8,", 8), ("8.5.", 8.5), ("8;", 8), ("8:30", 8), ("$8", 8), ("#8", 8), ("8%", 8), ("<b>8</b>", 8),
        (r"\boxed{8}", 8), ('{"score":8,"x":1}', 8), ("good,8", 8), ("8,good", 8), ("[8, 9]", 8), ("[8,9]", None),
        ("1,000,000", None), ("1,000.5", None), ("1.000,5", None), ("192.168.0.1", None), ("v1.8", None),
        ("3-4,5", 3), ("2024-05-06", 2024), ("Score...8", 8), ("Score--8", 8), ("a.8", None), ("a.8 9", 9),
        ("модель-4", None), ("8万", None), ("10²", None), ("\N{MINUS SIGN}8", None), ("٣", None), ("8\u00a0%", 8),
        ("007", 7), ("-0", 0), ("1" * 400, math.inf), ("1e-999", 0), ("NaN", None), ("Infinity", None), ("", None),
    ],
)  # fmt: skip
def test_the_grammar_of_numbers(answer: str, number: float | None) -> None:
    assert first_number(answer) == number


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        ("It has 3 faults. Score: 7", 7),
        ("3 faults, so 7/10", 7),
        ("7 / 10", 7),
        ("**7**/**10**", 7),
        ("7 Out Of 10", 7),
        ("7\u00a0/\u00a010", 7),
        ("out of 10, this is a 7", 7),
        ("1,000 out of 10", 10),  # the thousand is not a number, so the ten is not its scale
        ("7, and 10", 10),
        ("7 for gpt-4", 7),
    ],
)
def test_the_last_number_is_the_last_one_said_and_not_its_scale(answer: str, number: float) -> None:
    assert last_number(answer) == number


doubles = st.floats(allow_nan=False, allow_infinity=False)
around = st.sampled_from(["", " ", "\n", "(", "**", ": ", "“", "得分", "= ", "…"])


@given(doubles, around, around)
def test_any_number_that_json_can_write_is_read_exactly(number: float, before: str, after: str) -> None:
    assert first_number(f"{before}{number!r}{after}") == number
    assert last_number(f"{before}{number!r}{after}") == number


@given(st.floats(0, 1e6), st.sampled_from("abcxyzEßжΩ"), st.booleans())
def test_a_number_glued_to_a_letter_is_never_read(number: float, letter: str, before: bool) -> None:
    assert first_number(f"{letter}{number!r}" if before else f"{number!r}{letter}") is None


ends = st.tuples(doubles, doubles).filter(lambda pair: pair[0] != pair[1]).map(sorted)
prose = st.one_of(
    st.text(),
    st.text("0123456789.,+-eE_/ x½\0\ud800"),
    st.binary().map(lambda raw: raw.decode("utf-8", "surrogateescape")),
    st.binary().map(lambda raw: raw.decode("latin-1")),
)


@given(prose, ends, st.sampled_from(["first_number", "last_number", "structured"]))
@example("-0", [0.0, 1.0], "first_number")
def test_whatever_is_answered_the_score_is_in_0_to_1_or_there_is_none(
    answer: str, scale: list[float], how: str
) -> None:
    found = read(judge(score_range={"min": scale[0], "max": scale[1]}, reading=how), answer)
    if isinstance(found, Scored):
        assert isinstance(found.value, float)
        assert 0 <= found.value <= 1
        assert math.copysign(1, found.value) == 1
    else:
        assert found.reason in REASONS
        assert found.evidence is not None


@given(ends, doubles, doubles)
@example([-1.7e308, 1.7e308], 0.0, 1e308)
@example([0.0, 5e-324], 0.0, 5e-324)
@example([-1e308, 5e-324], -1.0, 0.0)
def test_the_scale_is_exact_at_its_ends_and_keeps_order(scale: list[float], one: float, other: float) -> None:
    low, high = scale
    scorer = judge(score_range={"min": low, "max": high})
    assert read(scorer, repr(low)) == Scored(0.0)
    assert read(scorer, repr(high)) == Scored(1.0)
    small, large = (read(scorer, repr(min(max(number, low), high))) for number in sorted((one, other)))
    assert isinstance(small, Scored)
    assert isinstance(large, Scored)
    assert float(small.value) <= float(large.value)


@given(ends, doubles)
def test_a_number_outside_the_range_is_no_score_and_keeps_the_answer(scale: list[float], number: float) -> None:
    assume(not scale[0] <= number <= scale[1])
    answer = f"Score: {number!r}"
    assert read(judge(score_range={"min": scale[0], "max": scale[1]}), answer) == Failed("out_of_range", answer)


@pytest.mark.parametrize("answer", ["", " ", "\n\t\u00a0"])
@pytest.mark.parametrize("scorer", [judge(), labeller(), labeller(SET), judge(reading="structured")])
def test_a_blank_answer_is_empty_for_every_reading(answer: str, scorer: LlmJudge) -> None:
    assert read(scorer, answer) == Failed("empty", answer)


def test_without_a_closed_set_the_label_is_the_whole_trimmed_answer() -> None:
    assert read(labeller(), "  Very good.\n") == Scored("Very good.")
    assert read(labeller(), "two\nlines") == Scored("two\nlines")


def test_an_essay_is_no_label() -> None:
    assert read(labeller(), "x" * 256) == Scored("x" * 256)
    assert read(labeller(), "x" * 257) == Failed("label_too_long", "x" * 257)
    assert read(labeller(["x"]), "y" * 300 + " x") == Scored("x")


def test_what_no_database_takes_is_replaced_in_labels_and_evidence() -> None:
    assert read(labeller(), "a\0b\ud800") == Scored("a\ufffdb?")
    assert read(judge(), "\0\ud800") == Failed("unparsable", "\ufffd?")


@pytest.mark.parametrize(
    ("answer", "labels", "named"),
    [
        ("Incorrect", ["correct"], []),
        ("incorrect", ["Correct", "INCORRECT"], ["INCORRECT"]),
        ("STRASSE", ["straße"], ["straße"]),
        ("“good”!", ["good", "bad"], ["good"]),
        ("good\n", [" good ", "bad"], [" good "]),
        ("very   good", ["good", "very good"], ["very good"]),
        ("not very\ngood", ["good", "very good"], ["very good"]),
        ("very good, or just good", ["good", "very good"], ["very good", "good"]),
        ("This is toxic-free", ["toxic"], []),
        ("anti_toxic", ["toxic"], []),
        ("1.5", ["1", "5"], []),
        ("Grade 1, well done", ["1", "10"], ["1"]),
        ("10", ["1", "10"], ["10"]),
        ("1.correct", ["correct"], ["correct"]),
        ("A", ["A", "A+", "A-"], ["A"]),
        ("A.", ["A", "A+", "A-"], ["A"]),
        ("A+", ["A", "A+", "A-"], ["A+"]),
        ("Grade: a+.", ["A", "A+", "A-"], ["A+"]),
        ("A", ["A+", "A-"], []),
        ("correct", ["(correct)", "(wrong)"], ["(correct)"]),
        ("👍", ["👍", "👎"], ["👍"]),
        ("!!!", ["!", "?"], ["!"]),
        ("n/a", ["n/a", "a"], ["n/a"]),
        ("Result: N/A.", ["n/a", "a"], ["n/a"]),
        ("答案是不正确", ["正确"], []),
    ],
)
def test_closed_labels(answer: str, labels: list[str], named: list[str]) -> None:
    assert named_labels(answer, labels) == named


@given(
    prose,
    st.lists(
        st.sampled_from(["good", "very good", "bad", "not bad", "n/a", "A+", "A", "1", "."]), min_size=1, unique=True
    ),
)
def test_a_closed_reading_gives_a_label_of_the_set_or_none(answer: str, labels: list[str]) -> None:
    found = read(labeller(labels), answer)
    if isinstance(found, Scored):
        assert found.value in labels
    else:
        assert found.reason in {"empty", "no_label", "ambiguous_label"}


@given(st.sampled_from(SET), st.sampled_from(["{}", " {}\n", "**{}**", "“{}.”", "Verdict: {}", "<label>{}</label>"]))
def test_every_label_is_found_in_its_usual_dress(label: str, dress: str) -> None:
    for written in (label, label.upper(), label.title()):
        assert read(labeller(SET), dress.format(written)) == Scored(label)


STRUCTURED = {"reading": "structured", "score_range": {"min": 0, "max": 10}}


@pytest.mark.parametrize(
    ("score", "result"),
    [(7, Scored(0.7)), (0, Scored(0.0)), (10.0, Scored(1.0)), (10.1, "out_of_range"), (-1, "out_of_range"),
     (math.inf, "out_of_range"), (math.nan, "out_of_range")],
)  # fmt: skip
def test_a_structured_score_follows_the_same_range(score: float, result: Scored | str) -> None:
    found = read_structured(judge(**STRUCTURED), StructuredScore(reasoning="so", score=score))
    assert found == result or (isinstance(found, Failed) and found.reason == result and "so" in (found.evidence or ""))


@pytest.mark.parametrize(
    ("label", "result"),
    [("Correct.", Scored("correct")), ("wrong", "no_label"), ("correct, incorrect", "ambiguous_label"), (" ", "empty")],
)
def test_a_structured_label_follows_the_same_rules(label: str, result: Scored | str) -> None:
    found = read_structured(labeller(SET, reading="structured"), StructuredLabel(reasoning="so", label=label))
    assert found == result or (isinstance(found, Failed) and found.reason == result)


def test_a_structured_label_without_a_closed_set_is_the_label() -> None:
    scorer = labeller(reading="structured")
    assert read_structured(scorer, StructuredLabel(reasoning="", label=" fine ")) == Scored("fine")
    assert read(scorer, '{"reasoning": "", "label": "fine"}') == Scored("fine")


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        ('{"reasoning": "3 faults", "score": 7}', Scored(0.7)),
        ('```json\n{"reasoning": "", "score": 7.0}\n```', Scored(0.7)),
        ('{"score": 7}', "unparsable"),
        ('{"reasoning": "", "score": "7"}', "unparsable"),
        ('{"reasoning": "", "score": true}', "unparsable"),
        ('{"reasoning": "", "score": null}', "unparsable"),
        ('{"reasoning": "", "score": 1e999}', "out_of_range"),
        ("7", "unparsable"),
        ("}{", "unparsable"),
        ("[" * 100_000, "unparsable"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "unparsable"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_structured_answers_are_read_from_their_json(answer: str, result: Scored | str) -> None:
    found = read(judge(**STRUCTURED), answer)
    assert found == result or (isinstance(found, Failed) and found.reason == result)


HOSTILE: dict[str, Callable[[int], str]] = {
    "digits": lambda size: "9" * size,
    "digits and a letter": lambda size: "9" * size + "x",
    "points": lambda size: "1." * (size // 2),
    "commas": lambda size: "1," * (size // 2),
    "signs": lambda size: "-+" * (size // 2),
    "signed ones": lambda size: "1-" * (size // 2),
    "letters and hyphens": lambda size: "a-" * (size // 2),
    "underscores": lambda size: "8" + "_" * size,
    "exponents": lambda size: "1e" * (size // 2),
    "scales": lambda size: "1/" * (size // 2),
    "far scales": lambda size: ("1" + " " * 50) * (size // 51),
    "glued words": lambda size: "8a " * (size // 3),
    "not ASCII": lambda size: "1½" * (size // 2),
    "labels": lambda size: "correct " * (size // 8),
    "half labels": lambda size: "partially " * (size // 10),
    "marks": lambda size: "!" * size + "x",
}


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of the reader run: work that can be counted, where a clock would only guess."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        if frame.f_code.co_filename != reading.__file__:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("scorer", [judge(), judge(reading="last_number"), labeller(SET)], ids=["first", "last", "set"])
def test_work_grows_no_faster_than_the_answer(scorer: LlmJudge, text: Callable[[int], str]) -> None:
    small, large = (lines_run(lambda size=size: read(scorer, text(size))) for size in (1_000, 8_000))
    assert large <= 8 * small + 100


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("scorer", [judge(), judge(reading="last_number"), labeller(SET)], ids=["first", "last", "set"])
@pytest.mark.slow
def test_a_quarter_of_a_megabyte_of_anything_is_read_to_its_end(scorer: LlmJudge, text: Callable[[int], str]) -> None:
    assert isinstance(read(scorer, text(250_000)), Scored | Failed)
