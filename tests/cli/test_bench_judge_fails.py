"""`gnomon bench score --judge` with a judge that is of no use: said, and no success."""

import json
from pathlib import Path

import pytest

from cli.conftest import Run
from gnomon.testing import LoopbackModel

JUDGE = ("--judge", "openai/loopback")


@pytest.fixture
def runs(gnomon: Run, tmp_path: Path) -> Path:
    kind = ("--scenario", "house_fire", "--tier", "T1", "--seed", 1)
    made = gnomon("bench", "generate", *kind, "--out", tmp_path / "days")
    assert made.code == 0, made.err
    [day] = (tmp_path / "days").iterdir()
    agent = ("--agent", "reference:never-acts", "--runs", 2, "--max-steps", 200)
    assert gnomon("bench", "run", "--scenario", day, *agent, "--out", tmp_path / "runs").code == 0
    return tmp_path / "runs"


def test_a_judge_that_fails_on_every_run_is_an_error_and_rules_stand(
    gnomon: Run, runs: Path, monkeypatch: pytest.MonkeyPatch
):
    with LoopbackModel(lambda asked: "I would rather talk about the weather.") as model:
        for name, value in model.environment().items():
            monkeypatch.setenv(name, value)
        done = gnomon("bench", "score", "--transcripts", runs, *JUDGE)
    assert done.code == 3
    said = done.err.splitlines()[-1]
    assert said.startswith("gnomon: the judge failed on all 2 runs: ")
    assert said.endswith("; scores by rules stand, ask --judge again")
    for folder in runs.glob("*/*/run-*"):
        assert json.loads((folder / "score.json").read_bytes())["scorable"] is True
        assert json.loads((folder / "judge.json").read_bytes())["state"] == "failed"
