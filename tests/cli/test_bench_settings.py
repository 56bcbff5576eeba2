"""Settings of a family, given for a folder that has runs of several."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run


@pytest.fixture
def mixed(gnomon: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Runs of one day and of ten tasks."""
    monkeypatch.chdir(tmp_path)
    gnomon("bench", "generate", "--scenario", "carbon_monoxide", "--tier", "T1", "--seed", 7)
    gnomon("bench", "examples", "--out", "packages")
    played = gnomon(
        "bench", "run", "--scenario", "scenarios/carbon_monoxide_T1_s7", "--scenario", "packages/calendar", "--agent",
        "reference:flaky:1", "--runs", 1, "--out", "runs",
    )  # fmt: skip
    assert played.code == 0, played.err
    return tmp_path / "runs"


def scores(folder: Path) -> dict[str, Any]:
    return {path.parent.parent.name: json.loads(path.read_bytes()) for path in folder.rglob("score.json")}


def test_a_setting_counts_where_it_is_known_and_leaves_other_runs_scored(gnomon: Run, mixed: Path):
    before = scores(mixed)
    assert gnomon("bench", "score", "--transcripts", mixed, "--window", 2).code == 0
    after = scores(mixed)
    assert after["carbon_monoxide_T1_s7"]["settings"]["window"] == 2
    assert {name: score for name, score in after.items() if "calendar" in name} == {
        name: score for name, score in before.items() if "calendar" in name
    }
    board = json.loads(gnomon("bench", "leaderboard", mixed, "--window", 1, "--json").out)
    assert [agent["n_missing"] for agent in board["agents"]] == [0]


@pytest.mark.parametrize("command", [("leaderboard", "runs"), ("score", "--transcripts", "runs")])
@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("widow=3", "setting widow is taken by no family of benchmarks; did you mean 'window'?"),
        ("window=-1", "setting window -1: "),
    ],
)
def test_a_setting_that_nobody_takes_is_refused_and_no_score_is_changed(
    command: tuple[str, ...], setting: str, told: str, gnomon: Run, mixed: Path
):
    before = scores(mixed)
    refused = gnomon("bench", *command, "--setting", setting)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert told in refused.err
    assert scores(mixed) == before
