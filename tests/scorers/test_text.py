"""Rules on texts: what is equal, contained, matched, and what cannot be said."""

import json
import string
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.scorers import Absent, Failed, Measurement, Sample, Scored, build

YES, NO = Scored(1.0), Scored(0.0)


def measure(scorer: str, output: Any, expected: Any = None, **config: Any) -> Measurement:
    return build(scorer, config).score(Sample(output=output, expected_output=expected))


@pytest.mark.parametrize(
    ("output", "expected", "config", "result"),
    [
        ("Paris", "Paris", {}, YES),
        ("Paris", "paris", {}, NO),
        ("Paris", "paris", {"case_sensitive": False}, YES),
        ("  Paris  ", "paris", {"case_sensitive": False, "strip_whitespace": True}, YES),
        ("  Paris  ", "Paris", {}, YES),
        ("  Paris  ", "Paris", {"strip_whitespace": False}, NO),
        ("\x1c\u00a0Paris\u3000\x85", "Paris", {}, YES),
        ("\u200bParis", "Paris", {}, NO),  # a zero-width space is no whitespace
        ("STRASSE", "straße", {"case_sensitive": False}, YES),
        ("é", "e\u0301", {}, NO),  # no Unicode normalisation
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {}, YES),
        ({"a": 1}, '{"a":1}', {}, YES),
        ({"a": 1}, '{"a": 1}', {}, NO),  # a string stays as it is
        (42, "42", {}, YES),
        (42.0, 42, {}, YES),
        (True, "true", {}, YES),
        ("", "", {}, YES),
        ("x", None, {"expected_output": "x"}, YES),
        ("x", "y", {"expected_output": "x"}, YES),
        ("x", "x", {"expected_output": None}, YES),
        ("x", False, {"expected_output": False}, NO),
        ("x", None, {}, Absent("no expected_output")),
        (None, "x", {}, Absent("no output")),
        (None, None, {}, Absent("no output")),
    ],
)
def test_exact_match(output: Any, expected: Any, config: dict[str, Any], result: Measurement) -> None:
    assert measure("exact_match", output, expected, **config) == result


@pytest.mark.parametrize(
    ("output", "expected", "config", "result"),
    [
        ("The capital of France is Paris, a beautiful city", "Paris", {}, YES),
        ("The capital of France is paris", "Paris", {}, NO),
        ("The capital of France is paris", "Paris", {"case_sensitive": False}, YES),
        ("Hauptstraße", "STRASSE", {"case_sensitive": False}, YES),
        ("anything", "", {}, YES),
        ("", "", {}, YES),
        ({"answer": [1, 2.0]}, "[1,2]", {}, YES),
        (12345, 34, {}, YES),
        ("x", None, {"expected_output": "x"}, YES),
        ("x", None, {}, Absent("no expected_output")),
        (None, "", {}, Absent("no output")),
    ],
)
def test_contains(output: Any, expected: Any, config: dict[str, Any], result: Measurement) -> None:
    assert measure("contains", output, expected, **config) == result


@pytest.mark.parametrize(
    ("pattern", "flags", "output", "result"),
    [
        (r"[A-Z]+-\d+", "", "Order ID: ABC-12345", YES),
        (r"[A-Z]+-\d+", "", "Order confirmed", NO),
        (r"paris", "i", "PARIS", YES),
        (r"^b$", "", "a\nb", NO),
        (r"^b$", "m", "a\nb", YES),
        (r"a.b", "", "a\nb", NO),
        (r"a.b", "s", "a\nb", YES),
        (r"^A.B$", "smiims", "x\na\nb", YES),
        (r"^.$", "", "漢", YES),  # one character, not three bytes
        (r"\d", "", "٣", NO),  # RE2's classes are ASCII
        (r"\w", "", "é", NO),
        (r"\pL", "", "é", YES),
        (r"^42$", "", 42.0, YES),
        (r"\"a\":1", "", {"b": 2, "a": 1}, YES),
        (r"", "", "", YES),
        (r"a", "", None, Absent("no output")),
    ],
)
def test_regex(pattern: str, flags: str, output: Any, result: Measurement) -> None:
    assert measure("regex", output, pattern=pattern, flags=flags) == result


@pytest.mark.parametrize(
    ("pattern", "feature"),
    [
        (r"(?=a)b", "look-around"),
        (r"(?!a)b", "look-around"),
        (r"(?<=a)b", "look-around"),
        (r"(?<!a)b", "look-around"),
        (r"(a)\1", "back-reference"),
        (r"(?P<n>a)(?P=n)", "back-reference"),
        (r"(?P<n>a)\k<n>", "back-reference"),
        (r"(?>a)", "atomic group"),
    ],
)
def test_a_pattern_that_needs_backtracking_is_refused_and_told_so(pattern: str, feature: str) -> None:
    with pytest.raises(InvalidInput, match=f"needs backtracking for its {feature}") as refused:
        build("regex", {"pattern": pattern})
    assert pattern.encode("unicode_escape").decode() in refused.value.message
    assert refused.value.problems[0].field == "config.pattern"


@pytest.mark.parametrize(
    "pattern", ["[invalid", "(", "a)", "*", "a{2,1}", "\\", r"\Z", "a++", "(?x)a", r"\p{Nope}", "a{1001}"]
)
def test_a_bad_pattern_is_refused_by_its_text_and_quietly(pattern: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InvalidInput, match="not a regular expression in RE2's dialect") as refused:
        build("regex", {"pattern": pattern})
    assert repr(pattern) in refused.value.message
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("config", "field", "said"),
    [
        ({"pattern": "x" * 32_769}, "config.pattern", "at most 32768 characters"),
        ({"pattern": "(?:a{1000}){1}" * 500}, "config.pattern", "too large once its repetitions are unrolled"),
        ({"pattern": r"\pL{1000}", "flags": "i"}, "config.pattern", "too large"),
        ({"pattern": "\ud800"}, "config.pattern", "should be a valid string"),
        ({"pattern": "a", "flags": "I"}, "config.flags", "'I' is not a flag; use any of i, m and s, in lower case"),
        ({"pattern": "a", "flags": "ix"}, "config.flags", "'x' is not a flag"),
        ({"pattern": "a", "flags": 1}, "config.flags", "should be a valid string, not 1"),
        ({"pattern": b"a"}, "config.pattern", "should be a valid string"),
        ({}, "config.pattern", "is required"),
    ],
)
def test_a_hostile_regex_configuration_is_refused(config: dict[str, Any], field: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as refused:
        build("regex", config)
    assert (refused.value.code, refused.value.problems[0].field) == ("INVALID_SCORER_CONFIG", field)


@pytest.mark.parametrize(
    "pattern", [r"(a+)+$", r"(a|aa)+$", r"(.*a){20}$", r"^(([a-z])+.)+[A-Z]([a-z])+$", r"(a?){50}a{50}$"]
)
def test_a_pattern_that_makes_backtracking_engines_hang_comes_to_an_end(pattern: str) -> None:
    assert measure("regex", "a" * 100_000 + "!", pattern=pattern) == NO


def test_a_lone_surrogate_fails_where_bytes_are_needed_and_nowhere_else() -> None:
    assert isinstance(measure("regex", "\ud800", pattern="a"), Failed)
    assert measure("exact_match", "\ud800", "\ud800") == YES
    assert measure("contains", "a\ud800", "a") == YES
    assert isinstance(measure("contains", {"a": "\ud800"}, "a"), Failed)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1: 2}])
def test_an_output_that_is_no_json_value_fails_with_a_reason(value: Any) -> None:
    result = measure("exact_match", value, "null")
    assert isinstance(result, Failed)
    assert "not a JSON value" in result.reason


@pytest.mark.parametrize(
    ("scorer", "config", "output", "result"),
    [
        ("one_of", {"values": ["yes", "no"]}, " yes\n", YES),
        ("one_of", {"values": ["yes", "no"]}, "yes.", NO),
        ("one_of", {"values": ["yes", "no"]}, "Yes", NO),
        ("one_of", {"values": ["yes", "no"], "case_sensitive": False}, "YES", YES),
        ("one_of", {"values": [1, {"b": 2, "a": 1}]}, '{"a":1,"b":2}', YES),
        ("one_of", {"values": [1.0]}, 1, YES),
        ("one_of", {"values": [" padded "]}, "padded", YES),
        ("contains_all", {"values": ["red", "blue"]}, "blue and red", YES),
        ("contains_all", {"values": ["red", "blue"]}, "red", NO),
        ("contains_all", {"values": ["RED"], "case_sensitive": False}, "red", YES),
        ("contains_any", {"values": ["red", "blue"]}, "red", YES),
        ("contains_any", {"values": ["red", "blue"]}, "Red", NO),
        ("contains_any", {"values": ["RED"], "case_sensitive": False}, "red", YES),
        ("contains_any", {"values": [7]}, "at 7:30", YES),
        ("one_of", {"values": ["a"]}, None, Absent("no output")),
        ("contains_all", {"values": ["a"]}, None, Absent("no output")),
        ("contains_any", {"values": ["a"]}, None, Absent("no output")),
    ],
)
def test_lists_of_values(scorer: str, config: dict[str, Any], output: Any, result: Measurement) -> None:
    assert measure(scorer, output, **config) == result


@pytest.mark.parametrize("scorer", ["one_of", "contains_all", "contains_any"])
@pytest.mark.parametrize("values", [[], [None], "abc", None, {"a": 1}])
def test_values_must_be_a_list_with_something_in_it(scorer: str, values: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        build(scorer, {"values": values})
    assert refused.value.problems[0].field.startswith("config.values")


@pytest.mark.parametrize(
    ("output", "expected", "config", "value"),
    [
        ("kitten", "sitting", {}, 1 - 3 / 7),
        ("Paris", "Paris", {}, 1.0),
        ("Paris", "paris", {}, 0.8),
        ("Paris", "paris", {"case_sensitive": False}, 1.0),
        ("", "", {}, 1.0),
        ("", "abc", {}, 0.0),
        ("漢字", "漢", {}, 0.5),
    ],
)
def test_similarity_is_one_minus_the_share_of_edits(
    output: str, expected: str, config: dict[str, Any], value: float
) -> None:
    assert measure("similarity", output, expected, **config) == Scored(pytest.approx(value))


def test_similarity_of_texts_too_long_to_compare_fails_with_their_sizes() -> None:
    assert isinstance(measure("similarity", "a" * 100_001, "a"), Scored)  # long, and yet cheap
    result = measure("similarity", "a" * 400_000, "b" * 400_000)
    assert isinstance(result, Failed)
    assert result.reason.startswith("too costly: ")
    assert "400,000" in result.reason


@given(st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text())))
def test_an_object_equals_the_one_string_that_spells_its_canonical_json(output: dict[str, Any]) -> None:
    """Where the output is a JSON object, both sides are serialised as JSON before they are compared; a string is its
    own text."""
    spelled = json.dumps(output, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert measure("exact_match", output, dict(reversed(output.items()))) == YES
    assert measure("exact_match", output, spelled) == measure("exact_match", spelled, output) == YES
    assert measure("exact_match", output, "[" + spelled + "]") == NO
    assert measure("exact_match", output, json.dumps(spelled)) == NO


@given(st.text(), st.text())
def test_similarity_is_symmetric_and_within_its_range(left: str, right: str) -> None:
    there, back = measure("similarity", left, right), measure("similarity", right, left)
    assert there == back
    assert isinstance(there, Scored)
    assert 0 <= float(there.value) <= 1
    assert (there.value == 1.0) == (left == right)


@pytest.mark.parametrize(
    ("output", "expected", "config", "value"),
    [
        ("The cat sat on the mat.", "a cat sat", {}, 2 / 3),
        ("cat", "dog", {}, 0.0),
        ("cat cat dog", "cat dog dog", {}, 2 / 3),
        ("It's", "its", {}, 1.0),
        ("It's", "its", {"strip_punctuation": False}, 0.0),
        ("CAT", "cat", {"lowercase": False}, 0.0),
        ("the", "a", {}, 1.0),  # nothing is left on either side
        ("the", "cat", {}, 0.0),
        (42, "42", {}, 1.0),
    ],
)
def test_f1_is_the_overlap_of_words(output: Any, expected: Any, config: dict[str, Any], value: float) -> None:
    assert measure("f1", output, expected, **config) == Scored(pytest.approx(value))


@given(st.text("abt he.,A", max_size=20), st.text("abt he.,A", max_size=20))
def test_f1_is_the_harmonic_mean_of_precision_and_recall(output: str, expected: str) -> None:
    def words(said: str) -> list[str]:
        kept = "".join(character for character in said.lower() if character not in string.punctuation)
        return [word for word in kept.split() if word not in ("a", "an", "the")]

    said, wanted = words(output), words(expected)
    shared = sum((Counter(said) & Counter(wanted)).values())
    if said and wanted:
        precision, recall = shared / len(said), shared / len(wanted)
        value = 2 * precision * recall / (precision + recall) if shared else 0.0
    else:
        value = float(said == wanted)
    assert measure("f1", output, expected) == Scored(pytest.approx(value))


@pytest.mark.parametrize("scorer", ["similarity", "f1", "contains", "exact_match"])
def test_a_comparison_without_an_expected_output_is_absent(scorer: str) -> None:
    assert measure(scorer, "x") == Absent("no expected_output")
