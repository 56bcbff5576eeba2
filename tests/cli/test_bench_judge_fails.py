"""`gnomon bench score --judge` with a judge that is of no use: said, and no success."""

import json
from collections.abc import Iterator
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


@pytest.fixture
def useless_judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with LoopbackModel(lambda asked: "I would rather talk about the weather.") as model:
        for name, value in model.environment().items():
            monkeypatch.setenv(name, value)
        yield


@pytest.mark.usefixtures("useless_judge")
def test_a_judge_that_fails_on_every_run_is_an_error_and_rules_stand(gnomon: Run, runs: Path):
    done = gnomon("bench", "score", "--transcripts", runs, *JUDGE)
    assert done.code == 3
    said = done.err.splitlines()[-1]
    assert said.startswith("gnomon: the judge failed on all 2 runs: ")
    assert said.endswith("; scores by rules stand, ask --judge again")
    for folder in runs.glob("*/*/run-*"):
        assert json.loads((folder / "score.json").read_bytes())["scorable"] is True
        assert json.loads((folder / "judge.json").read_bytes())["state"] == "failed"


@pytest.mark.usefixtures("useless_judge")
def test_a_judge_that_fails_on_the_only_run_is_an_error_for_a_file_and_for_a_stored_trace(
    gnomon: Run, runs: Path, tmp_path: Path
):
    [first, _] = sorted(runs.glob("*/*/run-*"))
    database = tmp_path / "gnomon.db"
    assert gnomon("db", "upgrade", "--db", database).code == 0
    assert gnomon("bench", "push", runs, "--project", "p", "--db", database).code == 0
    [trace, *_] = json.loads(gnomon("list", "traces", "--db", database, "--json").out)
    day = next((tmp_path / "days").iterdir())
    stored = ("--trace", trace["id"], "--scenario", day, "--db", database)
    for source in (("--transcript", first / "transcript.jsonl"), stored):
        done = gnomon("bench", "score", *source, *JUDGE)
        assert done.code == 3, source
        assert "success" in done.out
        assert done.err.splitlines()[-1].startswith("gnomon: the judge failed on the only run: ")


@pytest.mark.usefixtures("useless_judge")
def test_a_judge_that_fails_on_files_of_other_tools_is_an_error_and_their_scores_are_shown(gnomon: Run):
    file = Path(__file__).parents[1] / "golden" / "foreign" / "inspect" / "capitals.eval"
    done = gnomon("bench", "score", "--transcript", file, *JUDGE)
    assert done.code == 3
    assert "of 6 shown" in done.out
    assert done.err.splitlines()[-1].startswith("gnomon: the judge failed on all 6 runs: ")
