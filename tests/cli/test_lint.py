"""`gnomon lint` as a person, or a build, runs it."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text("agent,n,mean,sd\nx,19,0.87,0.33\ny,20,0.85,0.90\n", encoding="utf-8")
    return path


def test_errors_make_it_exit_with_one(gnomon, table):
    done = gnomon("lint", table)
    assert done.code == 1
    assert done.out.startswith("error: y, line 3: sd 0.90 is impossible")
    assert done.out.splitlines()[-1] == "table.csv: 2 rows, 1 error, 2 warnings, 0 notes"
    assert done.err == ""


def test_warnings_alone_are_no_failure(gnomon, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("agent,n,mean\nx,19,0.87\n", encoding="utf-8")
    assert gnomon("lint", path).code == 0
    assert gnomon("lint", path, "--binary").code == 1


def test_json_has_every_finding(gnomon, table):
    found = json.loads(gnomon("lint", table, "--json").out)
    assert (found["source"], found["rows"]) == ("table.csv", 2)
    assert [(one["severity"], one["code"], one["agent"], one["line"]) for one in found["findings"]] == [
        ("error", "sd_impossible", "y", 3),
        ("warning", "mean_impossible_if_binary", "x", 2),
        ("warning", "n_differs", None, None),
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gone.csv"], "No such file"),
        (["table.csv", "--scale", "0"], "scale is 0"),
        (["table.csv", "--scale", "10", "--percent"], "leave out"),
        ([], "Missing argument"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(gnomon, table, monkeypatch, arguments, said):
    monkeypatch.chdir(table.parent)
    done = gnomon("lint", *arguments)
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1


def test_names_cannot_move_the_cursor(gnomon, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("agent,n,mean\nx\x1b[2J,20,0.85\nx\x1b[2J,20,0.85\n", encoding="utf-8")
    assert "\x1b" not in gnomon("lint", path).out
