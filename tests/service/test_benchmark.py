"""A benchmark from Python: run, score, rank; and each run is scored when it ends, not when all have."""

import json
from pathlib import Path

import pytest

import gnomon as gn
from bench.days import ARREST, QUIET, write_days
from gnomon.bench.batch import Progress
from gnomon.errors import InvalidInput, Refused
from gnomon.model.transcript import RunConfig
from gnomon.service.bench.benchmark import default_config

AGENTS = ["reference:late-by-2", "reference:never-acts"]


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_days(tmp_path_factory.mktemp("days"))[:2]


def test_three_calls_run_score_and_rank(days: list[Path], tmp_path: Path):
    ran = gn.run_benchmark([str(day) for day in days], AGENTS, str(tmp_path), runs=2)
    assert ran.finished
    assert (len(ran.outcomes), len(ran.scored), ran.notes) == (8, 8, [])
    success = {(one.folder.parent.parent.name, one.score.scenario_id): one.score.success for one in ran.scored}
    assert success == {
        ("reference-late-by-2", ARREST): True, ("reference-late-by-2", QUIET): True,
        ("reference-never-acts", ARREST): False, ("reference-never-acts", QUIET): True,
    }  # fmt: skip
    written = [path.read_bytes() for path in sorted(tmp_path.rglob("score.json"))]
    scored = gn.score_runs(tmp_path)
    assert {one.folder: one.score for one in scored.runs} == {one.folder: one.score for one in ran.scored}
    assert scored.notes == []
    assert [path.read_bytes() for path in sorted(tmp_path.rglob("score.json"))] == written
    board = gn.rank_runs(tmp_path)
    assert [(one.agent_id, one.overall_score) for one in board.agents] == [
        ("reference-late-by-2", 1.0), ("reference-never-acts", 0.5),
    ]  # fmt: skip
    strict = gn.rank_runs(tmp_path, settings={"window": 1})
    assert {one.overall_score for one in strict.agents} == {0.5}


def test_a_run_is_scored_as_it_ends(days: list[Path], tmp_path: Path):
    seen: list[bool] = []

    def look(progress: Progress) -> None:
        if progress.outcome is not None:
            score = json.loads((progress.outcome.plan.folder / "score.json").read_bytes())
            seen.append(score["success"])

    begun: list[int] = []
    gn.run_benchmark(
        days[:1], ["reference:late-by-2"], tmp_path, runs=3, concurrency=1, on_progress=look, on_begin=begun.append
    )
    assert (seen, begun) == ([True, True, True], [3])


def test_what_cannot_be_run_is_refused_before_anything_is_written(days: list[Path], tmp_path: Path):
    out = tmp_path / "runs"
    for scenarios, agents, config, words in (
        ([tmp_path / "nowhere"], AGENTS, None, "there is no such folder"),
        (days, ["reference:octopus"], None, "does not exist; there are never-acts"),
        (days, AGENTS, default_config().model_copy(update={"settings": {"widow": 1}}), "setting widow 1"),
        ([days[0], days[0]], AGENTS, None, "was given twice"),
        ([], AGENTS, None, "no scenario was named"),
        (days, [], None, "no agent was named"),
    ):
        with pytest.raises((InvalidInput, Refused), match=words):
            gn.run_benchmark(scenarios, agents, out, config=config)
        assert not out.exists()


def test_what_was_run_with_is_recorded_whole(days: list[Path], tmp_path: Path):
    config = RunConfig(agent_model="none", user_sim_model="none", judge_model="none", settings={"window": 2})
    gn.run_benchmark(days[:1], ["reference:never-acts"], tmp_path, runs=1, config=config)
    [path] = tmp_path.rglob("run_config.json")
    about = json.loads(path.read_bytes())
    assert about["run_config"]["settings"] == {"window": 2, "action_log_window": 20}
    assert (about["family"], about["schema_version"]) == ("noticing", 2)


def test_a_score_that_cannot_be_written_stops_no_run(days: list[Path], tmp_path: Path):
    folder = tmp_path / "reference-never-acts" / ARREST / "run-01"
    (folder / "score.json").mkdir(parents=True)
    ran = gn.run_benchmark(days[:1], ["reference:never-acts"], tmp_path, runs=2)
    assert ran.finished
    assert [one.score.success for one in ran.scored] == [False, False]
    [note] = ran.notes
    assert note.startswith(f"cannot write {folder / 'score.json'}")
