"""What gates decided, as Markdown and as JUnit XML. The files are renewed with GNOMON_RENEW_GOLDEN=1."""

import html
import os
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.report.gate import Gate, junit, markdown

GOLDEN = Path(__file__).parents[1] / "golden" / "gate"

PASSED = Gate(
    experiment="capitals v2", scorer_name="exact_match", metric="mean", k=None, comparison="gte", threshold=0.8,
    actual_value=0.9125, interval=(0.83, 0.957), bound="ci", decision="pass", reason=None, n=80, min_n=5,
)  # fmt: skip
GATES = [
    PASSED,
    replace(PASSED, scorer_name="tone", actual_value=0.61, interval=(0.5, 0.71), decision="fail", n=100),
    replace(PASSED, scorer_name="helpful", actual_value=0.82, interval=(0.7, 0.9), decision="undecided", n=60),
    replace(PASSED, metric="pass_pow_k", k=4, threshold=0.2, bound="point", actual_value=0.2, interval=(0.1, 0.32)),
    replace(
        PASSED,
        comparison="lt",
        threshold=0.05,
        bound="point",
        actual_value=0.07,
        interval=(0.03, 0.14),
        decision="fail",
    ),
    replace(PASSED, actual_value=1.0, interval=(0.44, 1.0), decision="undecided", n=3),
    replace(
        PASSED, actual_value=None, interval=None, decision="fail", n=0, reason="no run of this experiment is scored"
    ),
    replace(
        PASSED,
        experiment="a|b <i>&\x1b[31m\n",
        scorer_name="*_x_*`",
        actual_value=0.79999,
        interval=(0.7, 0.79999),
        decision="fail",
    ),
    replace(
        PASSED,
        metric="difference",
        against="a|b",
        margin=0.02,
        comparison="gt",
        threshold=-0.02,
        actual_value=0.01,
        interval=(-0.015, 0.035),
        reason="worse by less than 0.02, if at all",
    ),
    replace(PASSED, metric="point", actual_value=None, interval=None, decision="cannot", n=0, reason="all runs failed"),
]
texts = st.text(st.characters(), max_size=30)
gates = st.builds(
    replace,
    st.sampled_from(GATES),
    experiment=texts,
    scorer_name=texts,
    reason=st.none() | texts,
    decision=st.sampled_from(["pass", "fail", "undecided", "cannot"]),
    against=st.none() | texts,
)


def cells(row: str) -> list[str]:
    """As a reader of GitHub's Markdown splits and shows them, nothing but character references being markup."""
    return [html.unescape(cell).strip(" ") for cell in row.split("|")][1:-1]


def seen(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text).strip(" ")


@pytest.mark.parametrize(("name", "write"), [("gate.md", markdown), ("gate.xml", junit)])
def test_both_formats_are_the_golden_files(name, write):
    if os.environ.get("GNOMON_RENEW_GOLDEN"):
        (GOLDEN / name).write_text(write(GATES), encoding="utf-8")
    assert write(GATES) == (GOLDEN / name).read_text("utf-8")


def test_the_xml_read_back_counts_what_was_decided():
    suite = ElementTree.fromstring(junit(GATES))
    assert (suite.tag, suite.attrib) == (
        "testsuite",
        {"name": "gnomon gate", "tests": "10", "failures": "4", "errors": "1", "skipped": "2"},
    )
    assert len(suite.findall("testcase")) == 10
    assert len(suite.findall("testcase/error")) == 1
    assert len(suite.findall("testcase/failure")) == 4
    assert len(suite.findall("testcase/skipped")) == 2


def test_a_case_is_named_by_experiment_scorer_metric_and_bar():
    cases = ElementTree.fromstring(junit(GATES)).findall("testcase")
    assert [case.get("name") for case in cases[:5]] == [
        "exact_match mean >= 0.8",
        "tone mean >= 0.8",
        "helpful mean >= 0.8",
        "exact_match pass^4 >= 0.2",
        "exact_match mean < 0.05",
    ]
    assert {case.get("classname") for case in cases[:7]} == {"capitals v2"}


@pytest.mark.parametrize(
    ("gate", "words"),
    [
        (GATES[0], "✓ pass: the whole interval is at least 0.8"),
        (GATES[1], "✗ fail: the whole interval is below 0.8"),
        (GATES[2], "? undecided: the interval reaches across 0.8"),
        (GATES[3], "✓ pass: 0.200 is at least 0.2"),
        (GATES[4], "✗ fail: 0.070 is at least 0.05"),
        (GATES[5], "? undecided: n is 3, under 5"),
        (GATES[6], "✗ fail: no run of this experiment is scored"),
        (replace(GATES[6], reason=None), "✗ fail: there is no value"),
        (GATES[8], "✓ pass: worse by less than 0.02, if at all"),
        (GATES[9], "! cannot: all runs failed"),
    ],
)
def test_the_decision_is_said_in_words(gate, words):
    assert cells(markdown([gate]).splitlines()[-1])[-1] == words


def test_a_value_close_to_the_bar_is_never_rounded_onto_it():
    assert cells(markdown([GATES[7]]).splitlines()[-1])[3] == "0.79999"
    assert cells(markdown([replace(PASSED, actual_value=0.8)]).splitlines()[-1])[3] == "0.800"


def test_a_difference_is_shown_with_its_sign_and_whom_it_is_from():
    row = cells(markdown([GATES[8]]).splitlines()[-1])
    assert row[2:6] == ["difference", "+0.010", "-0.015 to +0.035", "not worse than a|b by 0.02"]


def test_without_a_gate_both_formats_say_so():
    assert markdown([]) == "**Gates**: none were asked for.\n"
    assert ElementTree.fromstring(junit([])).get("tests") == "0"


@given(st.lists(gates, max_size=5))
def test_no_name_breaks_the_xml(results):
    suite = ElementTree.fromstring(junit(results).encode("utf-8"))
    cases = suite.findall("testcase")
    assert (suite.get("tests"), len(cases)) == (str(len(results)), len(results))
    assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
    assert suite.get("skipped") == str(len(suite.findall("testcase/skipped")))
    for gate, case in zip(results, cases, strict=True):
        if gate.experiment.isprintable():
            assert case.get("classname") == gate.experiment


@given(gates)
def test_no_name_breaks_the_table(gate):
    lines = markdown([gate]).encode("utf-8").decode("utf-8").splitlines()
    assert len(lines) == 5
    found = cells(lines[-1])
    assert len(found) == 7
    if gate.experiment.isprintable() and gate.scorer_name.isprintable():
        assert found[:2] == [seen(gate.experiment), seen(gate.scorer_name)]


@pytest.mark.parametrize(
    "hostile", ["<script>x</script>", "![a](b)", "`a`", "a | b", "https://x.y", "_x_", "@all", "\\"]
)
def test_markup_in_a_name_is_shown_and_not_obeyed(hostile):
    row = markdown([replace(PASSED, experiment=hostile, scorer_name="s")]).splitlines()[-1]
    cell = row.split("|")[1]
    assert not set(cell) & set("<[]`\\*@")
    assert "://" not in cell
    assert "_" not in cell
    assert cells(row)[0] == hostile
