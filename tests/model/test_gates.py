"""Gates in words.

Spec: a gate is `SCORER[.METRIC] OP NUMBER` or `SCORER not worse than EXPERIMENT [by MARGIN]`; in a gate's text the
longest known scorer name wins.
"""

import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.model.gates import BarGate, NotWorseGate, parse_gate

KNOWN = ["exact_match", "helpful", "helpful.tone", "my scorer", "a >= b"]


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("exact_match >= 0.8", BarGate("exact_match", "gte", 0.8)),
        ("exact_match>=.8", BarGate("exact_match", "gte", 0.8)),
        ("  exact_match  <  1e-1 ", BarGate("exact_match", "lt", 0.1)),
        ("exact_match.mean > 0.8", BarGate("exact_match", "gt", 0.8)),
        ("exact_match.point <= 0.8", BarGate("exact_match", "lte", 0.8, "point")),
        ("helpful.ci_low >= 0.6", BarGate("helpful", "gte", 0.6, "ci_low")),
        ("helpful.tone.min >= 0.6", BarGate("helpful.tone", "gte", 0.6, "min")),
        ("my scorer.max >= 1", BarGate("my scorer", "gte", 1.0, "max")),
        ("exact_match.pass_at_k(3) >= 0.9", BarGate("exact_match", "gte", 0.9, "pass_at_k", 3)),
        ("exact_match.pass_pow_k( 5 ) >= 0.9", BarGate("exact_match", "gte", 0.9, "pass_pow_k", 5)),
        ("exact_match not worse than main", NotWorseGate("exact_match", "main")),
        ("exact_match not worse than main by 0.02", NotWorseGate("exact_match", "main", 0.02)),
        ("my scorer not worse than prompt v2 by 0", NotWorseGate("my scorer", "prompt v2", 0.0)),
        ('"my scorer" not worse than "by 0.5" by 0.02', NotWorseGate("my scorer", "by 0.5", 0.02)),
        ('"helpful".ci_low >= 0.6', BarGate("helpful", "gte", 0.6, "ci_low")),
        ("a >= b >= 0.5", BarGate("a >= b", "gte", 0.5)),
    ],
)
def test_a_gate_is_read_with_and_without_knowing_the_scorers(text, gate):
    assert parse_gate(text, KNOWN) == parse_gate(text) == gate


def test_the_longest_known_scorer_wins():
    assert parse_gate("helpful.ci_low >= 0.5", ["helpful", "helpful.ci_low"]) == BarGate("helpful.ci_low", "gte", 0.5)
    assert parse_gate('"helpful".ci_low >= 0.5', ["helpful", "helpful.ci_low"]).metric == "ci_low"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("exact_match", "compares with nothing"),
        ("exact_match == 0.8", "'==' is not a comparison; use >=, >, <= or <"),
        ("exact_match => 0.8", "'=>' is not a comparison"),
        ("exact_match >= 0,8", "'0,8' is not a number"),
        ("exact_match >= nan", "'nan' is not a number"),
        ("exact_match >=", "no number"),
        ("exact_match >= 80", "80 is outside [0, 1], where scores are; divide by your scale first"),
        ("exact_match >= -0.1", "-0.1 is outside [0, 1]"),
        ("exact_match.pass_at_k >= 0.8", "as in pass_at_k(3)"),
        ("exact_match.pass_at_k(0) >= 0.8", "as in pass_at_k(3)"),
        ("exact_match.min(3) >= 0.8", "min takes no number of trials"),
        ("exact_match not worse than", "name the experiment"),
        ("exact_match not worse than main by 1.5", "the margin 1.5"),
        (">= 0.8", "it names no scorer"),
        ("exact_mach >= 0.8", "there is no scorer 'exact_mach'; did you mean 'exact_match'?"),
        ("exact_mach.ci_low >= 0.8", "there is no scorer 'exact_mach'; did you mean 'exact_match'?"),
        ("exact_mach not worse than main", "there is no scorer 'exact_mach'; did you mean 'exact_match'?"),
        ('"exact_mach" >= 0.8', "did you mean 'exact_match'?"),
        ("zzz >= 0.8", "the scorers here are a >= b, exact_match, helpful, helpful.tone, my scorer"),
        ("exact_match.ci_lwo >= 0.8", "there is no metric 'ci_lwo'; did you mean 'ci_low'?"),
        ("exact_match.zzz >= 0.8", "the metrics are mean, point, min, max, ci_low, pass_at_k, pass_pow_k"),
    ],
)
def test_a_gate_that_cannot_be_read_is_refused_in_one_line_with_the_remedy(text, words):
    with pytest.raises(InvalidInput) as refused:
        parse_gate(text, KNOWN)
    assert words in refused.value.message
    assert "\n" not in refused.value.message
    assert refused.value.problems[0].field == "gate"
    assert not text or repr(text) in refused.value.message


PIECES = st.sampled_from([
    "a", "é", "1", ".", " ", "\n", '"', "\\", ">=", "<", "=", "(3)", "mean", ".ci_low", ".pass_at_k", ".pass_at_k(2)",
    " not worse than ", " by ", " by 0.02", " >= 0.5", "0.5",
])  # fmt: skip
names = st.lists(PIECES, min_size=1, max_size=6).map("".join).filter(str.strip)
shares = st.floats(0, 1, allow_nan=False)
bars = st.builds(
    lambda name, sign, bar, metric: BarGate(name, sign, bar, *metric),
    names,
    st.sampled_from(["gte", "gt", "lte", "lt"]),
    shares,
    st.sampled_from([("mean",), ("point",), ("min",), ("max",), ("ci_low",), ("pass_at_k", 3), ("pass_pow_k", 12)]),
)
comparisons = st.builds(NotWorseGate, names, names, st.none() | st.floats(0, 1, exclude_max=True, allow_nan=False))


@given(bars | comparisons)
@example(NotWorseGate("a", "b by 0.02"))
@example(BarGate("a.ci_low", "gte", 0.5))
def test_every_printed_gate_reads_back(gate):
    assert parse_gate(str(gate)) == gate
    assert parse_gate(str(gate), [gate.scorer_name]) == gate


@given(st.text(max_size=40) | st.lists(PIECES, max_size=8).map("".join), st.none() | st.lists(names, max_size=3))
def test_any_text_is_read_or_refused(text, known):
    with contextlib.suppress(InvalidInput):
        gate = parse_gate(text, known)
        assert known is None or gate.scorer_name in known
