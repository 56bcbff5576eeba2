"""What the linter finds in tables of other people, and what it leaves alone."""

from pathlib import Path
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.service.analysis.lint import NOTHING_DECLARED, KnownScores, lint_file
from gnomon.stats.interval import wilson

BINARY = KnownScores(binary=True)


@pytest.fixture
def lint(tmp_path: Path):
    def run(content: str, declared: KnownScores = NOTHING_DECLARED):
        path = tmp_path / "table.csv"
        path.write_text(content, encoding="utf-8")
        return lint_file(path, declared)

    return run


def told(found):
    return [(one.severity, one.code, one.line) for one in found.findings]


REPORTED = "agent,n,mean,se,sd,ci_low,ci_high\n"


@pytest.mark.parametrize(
    ("row", "declared", "expected"),
    [
        ("x,19,0.87,,,,", BINARY, ("error", "mean_impossible")),
        ("x,19,0.87,,,,", KnownScores(), ("warning", "mean_impossible_if_binary")),
        ("x,28,5.19,,,,", KnownScores(scale=7), ("error", "mean_impossible")),
        ("x,18,3.44,,2.47,,", KnownScores(scale=7), ("error", "sd_impossible")),
        ("x,20,87,,,,", KnownScores(binary=True, percent=True), ("error", "mean_impossible")),
        ("x,20,87%,,,,", BINARY, ("error", "mean_impossible")),
        ("x,20,1.2,,,,", KnownScores(scale=1), ("error", "mean_outside")),
        ("x,20,-0.20,,,,", BINARY, ("error", "mean_outside")),
        ("x,20,0.85,,0.60,,", KnownScores(), ("error", "sd_impossible")),
        ("x,20,0.85,,0.30,,", BINARY, ("error", "sd_impossible")),
        ("x,20,0.85,,-0.30,,", KnownScores(), ("error", "sd_negative")),
        ("x,1,1.00,,0.10,,", KnownScores(), ("warning", "sd_of_one")),
        ("x,20,0.85,0,,,", BINARY, ("error", "se_zero")),
        ("x,20,0.85,0.000,,,", KnownScores(), ("warning", "se_zero")),
        ("x,20,0.85,0.36,,,", KnownScores(), ("error", "se_impossible")),
        ("x,20,0.85,-0.01,,,", KnownScores(), ("error", "se_negative")),
        ("x,1,1,0.1,,,", KnownScores(), ("warning", "se_of_one")),
        ("x,20,0.85,0.05,0.37,,", KnownScores(), ("warning", "se_and_sd")),
        ("x,20,0.85,,,0.70,1.01", KnownScores(), ("error", "interval_outside")),
        ("x,20,0.85,,,0.90,0.95", KnownScores(), ("error", "interval_without_mean")),
        ("x,20,0.85,,,0.95,0.70", KnownScores(), ("error", "interval_reversed")),
        ("x,20,0.85,,,0.85,0.85", KnownScores(), ("error", "interval_zero_width")),
        ("x,20,0.85,,,0.60,0.90", KnownScores(), ("note", "interval_lopsided")),
    ],
)
def test_a_number_that_cannot_be_is_found(lint, row, declared, expected):
    assert told(lint(REPORTED + row + "\n", declared)) == [(*expected, 2)]


@pytest.mark.parametrize(
    ("row", "declared"),
    [
        ("x,20,0.85,0.08,0.37,0.64,0.95", BINARY),  # Wilson
        ("x,20,85.0,8.2,36.6,64.0,94.8", KnownScores(binary=True, percent=True)),
        ("x,50,0.425,,,,", KnownScores(trials=4)),
        ("x,10,7.3,,,,", KnownScores(scale=10)),
        ("x,100000,0.85,0.00,,0.85,0.85", BINARY),  # too many for the digits to show
    ],
)
def test_numbers_that_can_be_are_left_alone(lint, row, declared):
    assert told(lint(REPORTED + row + "\n", declared)) == []


def test_percent_is_recognised_and_said(lint):
    found = lint("agent,n,mean\nx,20,85.0\ny,20,90.0\nz,20,0.0\n", BINARY)
    assert told(found) == [("note", "percent", None)]


def test_denominators_that_changed_are_named(lint):
    found = lint("agent,n,mean\nx,20,0.85\ny,20,0.90\nz,19,0.947\n")
    assert told(found) == [("warning", "n_differs", None)]
    assert "n = 19 for z; n = 20 for x, y" in found.findings[0].message


def test_an_agent_that_stands_twice_is_found(lint):
    assert told(lint("agent,n,mean\nx,20,0.85\nx,20,0.85\n")) == [("error", "row_repeated", 3)]
    assert told(lint("agent,n,mean\nx,20,0.85\nx,20,0.90\n")) == [("warning", "agent_repeated", 3)]


def test_errors_come_first_and_are_counted(lint):
    found = lint(REPORTED + "x,19,0.87,,,,\ny,19,0.84,,0.9,,\n")
    assert [one.severity for one in found.findings] == ["error", "warning"]
    assert found.errors == 1


def test_every_finding_says_what_to_ask_or_do(lint):
    found = lint(REPORTED + "x,19,0.87,0.5,0.9,0.9,1.2\ny,20,0.5,0,,0.5,0.5\n")
    assert len(found.findings) >= 6
    for one in found.findings:
        assert "; ask" in one.message


@pytest.mark.parametrize(
    "wrong",
    [{"scale": 0}, {"trials": 0}, {"scale": 10, "binary": True}, {"scale": 10, "percent": True}],
)
def test_declarations_that_contradict_each_other_are_refused(wrong):
    with pytest.raises(InvalidInput):
        KnownScores(**wrong)


SCORES = "agent,item,trial,value\n"


def test_a_table_whose_agents_were_measured_alike_has_no_findings(lint):
    assert told(lint(SCORES + "x,a,1,1\nx,b,1,0\ny,a,1,0\ny,b,1,1\n")) == []


def test_a_score_given_twice_is_reported_where_it_stands_again(lint):
    found = lint(SCORES + "x,a,1,1\nx,b,1,0\nx,a,1,0\nx,b,2,1\n")
    assert told(found) == [("error", "score_repeated", 4)]
    assert "as on line 2" in found.findings[0].message


def test_items_that_an_agent_lacks_are_named_with_what_they_do_to_its_mean(lint):
    found = lint(SCORES + "x,a,1,1\nx,b,1,0\nx,c,1,0\ny,a,1,0\ny,b,1,1\n")
    assert told(found) == [("warning", "items_differ", None), ("warning", "items_left_out", None)]
    assert "2 for y; 3 for x" in found.findings[0].message
    assert "y has no row for 1 of 3 items: c" in found.findings[1].message
    other = lint(SCORES + "x,a,1,1\nx,b,1,0\nx,c,1,1\ny,a,1,0\ny,b,1,1\ny,d,1,1\n")
    said = [one.message for one in other.findings if one.agent == "x"]
    assert "its mean is 0.667, over the 2 items that all agents have 0.500" in said[0]


def test_trials_that_differ_between_agents_or_items_are_named(lint):
    between = lint(SCORES + "x,a,1,1\nx,b,1,0\ny,a,1,1\ny,a,2,0\ny,b,1,1\ny,b,2,0\n")
    assert told(between) == [("warning", "trials_differ", None)]
    within = lint(SCORES + "x,a,1,1\nx,a,2,0\nx,b,1,1\n")
    assert told(within) == [("warning", "trials_uneven", None)]
    assert "fewer of 1: b" in within.findings[0].message


def test_missing_values_come_with_how_far_they_could_move_the_mean(lint):
    found = lint(SCORES + "x,a,1,1\nx,b,1,0\nx,c,1,\nx,d,1,NA\n")
    assert told(found) == [("warning", "values_missing", None)]
    assert "0.500 without them, 0.250 if all were 0, 0.750 if all were 1" in found.findings[0].message


def test_an_agent_without_any_value_has_no_mean_to_move(lint):
    found = lint(SCORES + "x,a,1,\nx,b,1,\n")
    assert told(found) == [("warning", "values_missing", None)]
    assert "has no value in 2 of 2 rows; ask" in found.findings[0].message


def test_values_that_never_vary_are_found(lint):
    assert told(lint(SCORES + "x,a,1,1\nx,b,1,1\n")) == [("warning", "values_identical", None)]


def test_a_thousand_repeats_are_counted_not_listed(lint):
    found = lint(SCORES + "".join(f"x,{item},1,{item % 2}\n" * 2 for item in range(200)))
    assert len(found.findings) == 51
    assert found.findings[-1].message.startswith("150 more")


def test_columns_that_are_not_used_are_noted(lint):
    assert told(lint("agent,n,mean,date\nx,20,0.85,May\n")) == [("note", "table", None)]


def test_preferences_are_refused(lint):
    with pytest.raises(InvalidInput, match="holds preferences"):
        lint("a,b,winner\nx,y,x\n")


@given(st.lists(st.integers(0, 1), min_size=2, max_size=300), st.integers(1, 4), st.booleans())
def test_a_table_made_from_real_passes_and_failures_is_clean(tmp_path_factory, scores, places, percent):
    n, mean, top = len(scores), fmean(scores), 100 if percent else 1
    interval = wilson(sum(scores), n)
    numbers = (mean, stdev(scores) / n**0.5, stdev(scores), interval.low, interval.high)
    path = tmp_path_factory.mktemp("made") / "table.csv"
    shown = ",".join(f"{top * number:.{places}f}" for number in numbers)
    path.write_text(f"{REPORTED}x,{n},{shown}\n", encoding="utf-8")
    assert lint_file(path, KnownScores(binary=True, percent=percent)).findings == ()
