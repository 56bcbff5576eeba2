"""Columns say what samples say: the same answers from the same values, however they are stored."""

import sys
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gnomon.errors import InvalidInput, NotAvailable
from gnomon.scorers import Absent, Failed, Sample, Scored, arrowcolumns, build, score_columns, score_table
from gnomon.scorers.arrowcolumns import ColumnScores, _whitespace, for_polars
from gnomon.scorers.text import compiled

FEW = 15
"""Examples per scorer or pattern. Many of them meet the same columns, which is some hundred examples together."""
# Characters on which engines and languages disagree: digits, letters, spaces and cases beyond ASCII.
TRICKY = "aA1 _-.\n\r\t\f\v\x00\x1c\x1f\x85\xa0\u2003\u3000\u200b\ufeffßẞſKkİiıéE\u0301ΣςσǅⅣ٣५𝟘漢🙂"
texts = st.text(st.sampled_from(TRICKY), max_size=8) | st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
text_rows = st.lists(st.tuples(texts | st.none(), texts | st.none()), max_size=8)
json_rows = st.lists(st.tuples(json_values, json_values), max_size=6)

SCORERS = [
    ("exact_match", {}),
    ("exact_match", {"case_sensitive": False}),
    ("exact_match", {"strip_whitespace": False}),
    ("exact_match", {"expected_output": " A1 ", "case_sensitive": False}),
    ("exact_match", {"expected_output": 1.0}),
    ("contains", {}),
    ("contains", {"case_sensitive": False}),
    ("contains", {"expected_output": ""}),
    ("contains", {"expected_output": "SS", "case_sensitive": False}),
    ("one_of", {"values": ["a", " A1", 1, ""]}),
    ("one_of", {"values": ["ß", "K"], "case_sensitive": False}),
    ("contains_all", {"values": ["a", "1"]}),
    ("contains_all", {"values": ["", "ss"], "case_sensitive": False}),
    ("contains_any", {"values": ["a", "é", "\n"]}),
    ("contains_any", {"values": ["İ"], "case_sensitive": False}),
    ("similarity", {}),
    ("similarity", {"case_sensitive": False}),
    ("f1", {}),
    ("f1", {"lowercase": False, "strip_punctuation": False}),
    ("choice", {"choices": ["A", "1", "K"]}),
    ("json_match", {"partial": True, "tolerance": 0.5, "ignore": ["*.a", "[0]"]}),
    ("json_schema", {"schema": {"type": ["integer", "object"], "additionalProperties": {"type": "string"}}}),
    ("numeric", {"abs_tol": 0.5, "rel_tol": 0.01, "extract": True}),
    ("tool_calls", {"mode": "any_order", "args": "subset", "partial": True}),
]
PATTERNS = [
    r"[A-Z]+-\d+", r"\d", r"\w+", r"\s", r"^\d+$", r"^a|1$", r"a.A", r"^.$", r"^.{1,3}$", r"[^a]", r"[^\w]", r"[\s\d]+",
    r"\b", r"\bA\b", r"\B", r"\D\W\S", r"é", r"\pN", r"(?i)k", r"(?:a|1)+", r"(a)(A)?", r"\.", r"$", r"", r"a$\n",
    r"\x{85}", r"[[:alpha:]]", r"[\x00-\x1f]", r"(?s).", r"\Q.\E", r"^$", r"1{2,}", r"[a-z_ ]*$", r"-|_", r"\[",
    r"a{0,2}?1", r"[\\d]", r"[\\s]", r"[\-.]",
]  # fmt: skip
fragments = st.lists(
    st.sampled_from(
        [
            "a", "A", "1", "-", "_", " ", ".", "|", "^", "$", r"\d", r"\w", r"\s", r"\b", r"\B", r"\D", r"\W", r"\S",
            "é", "K", "[a-z]", "[^a]", r"[\d_]", r"[^\s1]", r"[^\W]", "(a|1)", "(?:A)", "(?i:k)", "(", ")", "*", "+",
            "?", "{2}", "{1,}", r"\.", r"\n", r"\pL", "[[:space:]]", "[.]", r"[\-a]", ":", "#", "~", "&&", "]", "}",
        ]
    ),
    max_size=6,
)  # fmt: skip


def measured(scores: ColumnScores) -> list[tuple[Any, str, str | None]]:
    said = (scores.values, scores.states, scores.reasons)
    return list(zip(*(column.to_pylist() for column in said), strict=True))


def one_by_one(scorer: Any, rows: list[tuple[Any, Any]]) -> list[tuple[Any, str, str | None]]:
    states = {Absent: "absent", Failed: "failed"}
    found = [scorer.score(Sample(output=output, expected_output=expected)) for output, expected in rows]
    return [(m.value, "scored", None) if isinstance(m, Scored) else (None, states[type(m)], m.reason) for m in found]


def columns_of(rows: list[tuple[Any, Any]]) -> tuple[list[Any], list[Any]]:
    return [output for output, _ in rows], [expected for _, expected in rows]


@pytest.mark.parametrize(("name", "config"), SCORERS)
@given(rows=text_rows)
@example([("\x1cA1\u3000", "A1"), ("Stra\u00dfe", "STRASSE"), ("ss", "\u00df")])
@settings(max_examples=FEW)
def test_a_column_of_texts_scores_as_its_samples_do(name: str, config: dict[str, Any], rows: list[Any]) -> None:
    scorer = build(name, config)
    outputs, expected = columns_of(rows)
    wanted = one_by_one(scorer, rows)
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        assert measured(score_columns(scorer, pa.array(outputs, kind), pa.array(expected, kind))) == wanted
    assert measured(score_columns(scorer, outputs, expected)) == wanted


@pytest.mark.parametrize(("name", "config"), SCORERS)
@given(rows=json_rows)
@settings(max_examples=FEW)
def test_a_column_of_json_values_scores_as_its_samples_do(name: str, config: dict[str, Any], rows: list[Any]) -> None:
    scorer = build(name, config)
    assert measured(score_columns(scorer, *columns_of(rows))) == one_by_one(scorer, rows)


@pytest.mark.parametrize("pattern", PATTERNS)
@given(
    outputs=st.lists(texts | st.none(), min_size=1, max_size=8), flags=st.sampled_from(["", "", "i", "m", "s", "ims"])
)
@settings(max_examples=FEW)
def test_a_pattern_matches_in_a_column_what_it_matches_in_a_sample(
    pattern: str, flags: str, outputs: list[Any]
) -> None:
    scorer = build("regex", {"pattern": pattern, "flags": flags})
    wanted = one_by_one(scorer, [(output, None) for output in outputs])
    assert measured(score_columns(scorer, pa.array(outputs, pa.string()))) == wanted


@given(parts=fragments, outputs=st.lists(texts, min_size=1, max_size=8))
@example(["(", "?", "i", ")", "k"], ["K"])
@example(["$", "*"], ["a"])
@settings(max_examples=1000)
@pytest.mark.slow
def test_a_made_up_pattern_matches_alike_too(parts: list[str], outputs: list[str]) -> None:
    try:
        scorer = build("regex", {"pattern": "".join(parts)})
    except InvalidInput:
        return
    wanted = one_by_one(scorer, [(output, None) for output in outputs])
    assert measured(score_columns(scorer, pa.array(outputs))) == wanted


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        (r"[A-Z]+-\d+", r"[A-Z]+-[0-9]+"),
        (r"^[\w.]+$", r"\A[0-9A-Za-z_.]+\z"),
        (r"(?:a|b){2,3}\s", r"(?:a|b){2,3}[\t\n\f\r ]"),
    ],
)
def test_patterns_that_polars_can_take_are_written_out(pattern: str, written: str) -> None:
    assert for_polars(pattern) == written


@pytest.mark.parametrize(
    "pattern", [r"\b", r"(?i)a", r"(?P<n>a)", r"\pL", "é", r"[\\d]", r"[[:alpha:]]", "[a&&b]", "a{,3}", "x]", r"\x41"]
)
def test_patterns_that_might_mean_something_else_to_polars_stay_with_re2(pattern: str) -> None:
    compiled(pattern)
    assert for_polars(pattern) is None


@pytest.mark.slow
def test_a_pattern_too_large_for_polars_is_matched_by_re2() -> None:
    scorer = build("regex", {"pattern": "[^a]{999}" * 11})
    outputs = pa.array(["b" * 999 * 11, "b" * (999 * 11 - 1)])
    assert score_columns(scorer, outputs).values.to_pylist() == [1.0, 0.0]


def test_what_is_stripped_is_what_python_strips() -> None:
    assert set(_whitespace()) == {character for character in map(chr, range(sys.maxunicode + 1)) if character.isspace()}


def test_chunks_need_not_line_up() -> None:
    outputs = pa.chunked_array([["a", "b "], ["c"], [], [None, "e"]])
    expected = pa.chunked_array([["a"], ["b", "x", "d"], ["e"]])
    scores = score_columns(build("exact_match"), outputs, expected)
    assert scores.values.to_pylist() == [1.0, 1.0, 0.0, None, 1.0]
    assert scores.reasons.to_pylist() == [None, None, None, "no output", None]


@pytest.mark.parametrize(
    ("name", "config"), [*SCORERS[:15], ("regex", {"pattern": r"\d"}), ("regex", {"pattern": "k", "flags": "i"})]
)
def test_a_column_that_is_scored_in_parts_keeps_its_order(
    name: str, config: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer, rows = build(name, config), [(f" A{n} ", None if n % 7 == 0 else f"a{n % 5}") for n in range(50)]
    outputs, expected = columns_of(rows)
    whole = measured(score_columns(scorer, pa.array(outputs), pa.array(expected)))
    monkeypatch.setattr(arrowcolumns, "_PART_ROWS", 8)
    assert measured(score_columns(scorer, pa.array(outputs), pa.array(expected))) == whole
    chunked = pa.chunked_array([outputs[:3], outputs[3:11], outputs[11:]])
    assert measured(score_columns(scorer, chunked, pa.array(expected))) == whole
    assert measured(score_columns(scorer, pa.array(outputs), expected)) == whole


@pytest.mark.parametrize(
    ("column", "as_samples"),
    [
        (pa.array([42, None]), [42, None]),
        (pa.array([1.0, 0.5]), [1, 0.5]),
        (pa.array([True, False]), [True, False]),
        (pa.array([{"b": 1, "a": [1.0]}]), [{"a": [1], "b": 1}]),
        (pa.array(["x", None, "x"]).dictionary_encode(), ["x", None, "x"]),
        (pa.array([None, None]), [None, None]),
        (pa.array(["1.50"]).cast(pa.decimal128(5, 2)), [1.5]),
        (pa.array([0], pa.date32()), ["1970-01-01"]),
    ],
)
def test_columns_of_other_types_count_as_the_json_values_that_they_hold(column: Any, as_samples: list[Any]) -> None:
    scorer = build("contains")
    expected = ["1"] * len(column)
    assert measured(score_columns(scorer, column, expected)) == one_by_one(
        scorer, list(zip(as_samples, expected, strict=True))
    )


def test_a_column_of_bytes_is_refused_with_the_remedy() -> None:
    with pytest.raises(InvalidInput, match="decode it first"):
        score_columns(build("exact_match"), pa.array([b"x"]))


@pytest.mark.parametrize("value", ["\ud800", float("nan"), {1, 2}, object()])
def test_what_is_no_json_value_fails_by_itself(value: Any) -> None:
    scorer = build("regex", {"pattern": "a"})
    scores = score_columns(scorer, ["a", value])
    assert measured(scores) == one_by_one(scorer, [("a", None), (value, None)])


def test_a_configured_text_that_cannot_be_encoded_still_gets_an_answer() -> None:
    scorer = build("contains", {"expected_output": "\ud800"})
    assert score_columns(scorer, pa.array(["a"])).values.to_pylist() == [0.0]


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(InvalidInput, match="2 outputs and 1 expected"):
        score_columns(build("exact_match"), ["a", "b"], ["a"])


def test_one_call_scores_a_table() -> None:
    table = pa.table({"answer": ["a", "b", None, "d"], "truth": ["a", "x", "c", None]})
    scored = score_table(build("exact_match"), table, output="answer", expected="truth")
    assert scored.to_pylist() == [
        {"value": 1.0, "state": "scored", "reason": None},
        {"value": 0.0, "state": "scored", "reason": None},
        {"value": None, "state": "absent", "reason": "no output"},
        {"value": None, "state": "absent", "reason": "no expected_output"},
    ]


def test_an_empty_table_gives_an_empty_answer() -> None:
    table = pa.table({"output": pa.array([], pa.string()), "expected_output": pa.array([], pa.string())})
    for name, config in [("exact_match", {}), ("contains", {}), ("regex", {"pattern": "a"}), ("f1", {})]:
        assert score_table(build(name, config), table).num_rows == 0


def test_a_table_without_the_column_is_refused_by_name() -> None:
    table = pa.table({"output": ["a"]})
    with pytest.raises(InvalidInput, match="no column 'expected_output'; it has output"):
        score_table(build("exact_match"), table)
    assert score_table(build("exact_match", {"expected_output": "a"}), table)["value"].to_pylist() == [1.0]
    assert score_table(build("regex", {"pattern": "a"}), table)["value"].to_pylist() == [1.0]


def test_without_pyarrow_one_line_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(NotAvailable, match=r"pip install .*\[analytics\]"):
        score_columns(build("exact_match"), ["a"], ["a"])
