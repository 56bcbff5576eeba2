"""`gnomon score`: a file in, means with intervals out."""

import json
from pathlib import Path

import pytest

from cli.conftest import Run
from gnomon.cli.score import read_spec
from gnomon.stats.interval import wilson

ROWS = [
    {"id": "a", "output": "Paris", "expected_output": "paris"},
    {"id": "b", "output": "42", "expected_output": "42"},
    {"id": "c", "output": None, "expected_output": "x"},
    {"id": "d", "output": "Rome", "expected_output": None},
    {"id": "e", "output": "Oslo", "expected_output": "Bergen"},
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return file


def test_each_scorer_has_a_mean_an_interval_and_its_gaps_with_reasons(gnomon: Run, file: Path):
    done = gnomon("score", file, "--scorer", "exact_match:case_sensitive=false")
    assert (done.code, done.err) == (0, "")
    interval = wilson(2, 3)
    assert f"0.667  {interval.low:.3f} to {interval.high:.3f}" in done.out
    assert "3 of 5" in done.out
    assert "2 without a score (1 no output, 1 no expected_output)" in done.out


def test_json_is_the_shape_of_an_experiments_summary(gnomon: Run, file: Path):
    done = gnomon("score", file, "--scorer", "contains", "--scorer", r"regex:pattern=^\d{1,3}$", "--json")
    told = json.loads(done.out)
    assert (told["rows"], told["skipped"], list(told["scores_by_scorer"])) == (5, 0, ["contains", "regex"])
    found = told["scores_by_scorer"]["regex"]
    assert (found["mean"], found["n_scored"], found["n_absent"], found["n_failed"]) == (0.25, 4, 1, 0)
    assert found["ci_method"] == "wilson"
    assert found["reasons"] == {"no output": 1}


def test_every_score_is_written_where_it_is_asked_for(gnomon: Run, file: Path, tmp_path: Path):
    out = tmp_path / "scores.jsonl"
    done = gnomon("score", file, "--scorer", "exact_match", "--out", out)
    assert f"scores are in {out}" in done.out
    written = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(row["id"], row["value"], row["reason"]) for row in written] == [
        ("a", 0.0, None),
        ("b", 1.0, None),
        ("c", None, "no output"),
        ("d", None, "no expected_output"),
        ("e", 0.0, None),
    ]


def test_columns_may_have_other_names(gnomon: Run, tmp_path: Path):
    file = tmp_path / "answers.csv"
    file.write_text("said,wanted\nyes,yes\nno,yes\n")
    done = gnomon(
        "score", file, "--scorer", "exact_match", "--output-column", "said", "--expected-column", "wanted", "--json"
    )
    assert json.loads(done.out)["scores_by_scorer"]["exact_match"]["mean"] == 0.5


def test_one_scorer_twice_under_two_names(gnomon: Run, file: Path):
    loose = {"scorer_name": "loose", "scorer": "exact_match", "config": {"case_sensitive": False}}
    done = gnomon("score", file, "--scorer", "exact_match", "--scorer-json", json.dumps(loose), "--json")
    means = {name: one["mean"] for name, one in json.loads(done.out)["scores_by_scorer"].items()}
    assert means == {"exact_match": pytest.approx(1 / 3), "loose": pytest.approx(2 / 3)}


def test_bad_lines_are_skipped_only_when_told_to_and_are_named(gnomon: Run, file: Path):
    file.write_text(file.read_text() + "not json\n")
    refused = gnomon("score", file, "--scorer", "contains")
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert "line 6" in refused.err
    done = gnomon("score", file, "--scorer", "contains", "--skip-bad-lines")
    assert done.code == 0
    assert "5 rows, 1 line skipped" in done.out
    assert "line 6" in done.out


@pytest.mark.parametrize(
    ("text", "config"),
    [
        ("contains", {}),
        ("contains:case_sensitive=false", {"case_sensitive": False}),
        ("regex:pattern=a{1,2},b", {"pattern": "a{1,2},b"}),
        ("regex:pattern=a=b:c", {"pattern": "a=b:c"}),
        ('one_of:values=["x","y,z"]', {"values": ["x", "y,z"]}),
        ("exact_match:case_sensitive=true,strip_whitespace=false", {"case_sensitive": True, "strip_whitespace": False}),
        ('exact_match:expected_output="42"', {"expected_output": "42"}),
        ("exact_match:expected_output=42", {"expected_output": 42}),
        ("exact_match:expected_output=yes, please", {"expected_output": "yes, please"}),
    ],
)
def test_a_scorer_as_it_is_typed(text, config):
    spec = read_spec(text)
    assert spec.scorer_name == text.partition(":")[0]
    assert (spec.config or {}) == config


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "at least one scorer"),
        (["--scorer", "exactly"], "'exactly' is not a built-in scorer"),
        (["--scorer", "contains:loose"], "'loose' is not KEY=VALUE"),
        (["--scorer", "contains:loose=1"], "config.loose"),
        (["--scorer", "regex:pattern=("], "pattern"),
        (["--scorer", "contains", "--scorer", "contains:case_sensitive=false"], "--scorer-json"),
        (["--scorer-json", "{"], "--scorer-json"),
        (["--scorer-json", "[]"], "--scorer-json"),
        (["--scorer-json", '{"scorer": "contains"}'], "scorer_name"),
        (["--scorer-json", '{"scorer_name": "regex", "pattern": "x"}'], "move pattern there"),
        (["--scorer", "contains", "--output-column", "said"], "said"),
        (["--scorer", "contains", "--out", "scores.txt"], "scores.txt"),
    ],
)
def test_what_is_wrong_is_one_line(gnomon: Run, file: Path, arguments, words):
    done = gnomon("score", file, *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert words in done.err


@pytest.mark.parametrize("name", ["missing.jsonl", "answers.txt", ""])
def test_a_file_that_cannot_be_scored_is_one_line(gnomon: Run, tmp_path: Path, name):
    (tmp_path / "answers.txt").write_text("x")
    done = gnomon("score", tmp_path / name, "--scorer", "contains")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


def test_an_empty_file_is_an_error_in_one_line(gnomon: Run, tmp_path: Path):
    (tmp_path / "none.jsonl").write_text("")
    done = gnomon("score", tmp_path / "none.jsonl", "--scorer", "exact_match")
    assert (done.code, done.out) == (2, "")
    assert done.err == "gnomon: none.jsonl is empty; name a file with rows in it\n"
