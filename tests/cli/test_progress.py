"""How far a long command is, in a log; and the words of counts and of small numbers."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.conftest import Run
from gnomon.cli.show.progress import TenthLines, in_words
from gnomon.report.text.drawing import interval, number
from gnomon.shorten import all_of, counted, there_are

SRC = Path(__file__).parents[2] / "src" / "gnomon"


def lines_of(seconds_per_step: float, steps: int, total: int | None) -> list[str]:
    now, written = [0.0], list[str]()
    report = TenthLines("importing", total, written.append, clock=lambda: now[0])
    for done in range(1, steps + 1):
        now[0] += seconds_per_step
        report(done, details="4 failed")
    return written


def test_a_log_gets_a_line_per_tenth_with_the_time_left() -> None:
    assert lines_of(1, 1000, 1000) == [
        f"importing: {tenth * 10} % ({tenth * 100:,} of 1,000), {in_words(1000 - tenth * 100)} left, 4 failed"
        for tenth in range(1, 10)
    ]


def test_a_log_gets_no_line_about_what_is_quick_or_of_unknown_size() -> None:
    assert lines_of(0.001, 1000, 1000) == []
    assert lines_of(1, 1000, None) == []


def test_a_quick_command_says_nothing_of_its_progress(gnomon: Run, tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text('{"output": "a", "expected_output": "a"}\n' * 100)
    assert gnomon("score", tmp_path / "answers.jsonl", "--scorer", "exact_match").err == ""


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "about 1 s"), (89, "about 89 s"), (100, "about 2 min"), (7200, "about 2.0 h")]
)
def test_a_time_is_said_in_words(seconds: float, words: str) -> None:
    assert in_words(seconds) == words


@given(st.integers(0, 10**6))
def test_one_is_never_plural(count: int) -> None:
    for words in (counted(count, "row"), there_are(count, "row"), all_of(count, "row")):
        assert words.endswith("rows") == (count != 1)


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_no_number_is_negative_zero(low: float, high: float) -> None:
    for text in (number(low), number(high, "+"), interval((low, high))):
        assert not re.search(r"-0\.000(?!\d)", text)


def test_no_signed_number_is_written_without_care_for_negative_zero() -> None:
    """`z` makes -0.0004 a zero; a format with a sign that lacks it would write -0.000."""
    careless = re.compile(r":(?:\+|\{sign\})(?!z),?\.")
    found = [f"{path.name}: {line}" for path in SRC.rglob("*.py") for line in path.read_text().splitlines()
             if careless.search(line)]  # fmt: skip
    assert found == []
