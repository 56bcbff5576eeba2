"""Runs on disk: found wherever they lie, scored where their score is missing or stale, excluded with the reason."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from bench.small import CONTENT_HASH, SCENARIO_ID, small_beats, write_small
from gnomon.bench.transcripts import Writer
from gnomon.errors import InvalidInput, Refused
from gnomon.model.bench import RunScore
from gnomon.model.transcript import RecordedConfig, RunEnd, RunHeader, Step, ToolCall, Turn, Usage
from gnomon.service.bench.gathering import read_runs
from gnomon.service.bench.leaderboard import leaderboard
from service.benchboard import opinion, ran

CONFIG = RecordedConfig(agent_model="a", user_sim_model="scripted", judge_model="none")


def write_run(out: Path, agent: str = "a", number: int = 1, *, calls_at: int | None = 5, beats: int = 10) -> Path:
    """A run of the small scenario that calls at a beat, or never."""
    folder = out / agent / SCENARIO_ID / f"run-{number:02}"
    folder.mkdir(parents=True)
    with Writer(folder / "transcript.jsonl") as writer:
        about = {"scenario_id": SCENARIO_ID, "run_id": f"{agent}-{number}", "agent_id": agent, "run_number": number}
        writer.header(RunHeader(**about, run_config=CONFIG, content_hash=CONTENT_HASH, planned_steps=10))
        for beat in small_beats()[:beats]:
            call = ToolCall(tool="make_call", args={"number": "911"}, result={"status": "completed"}, routed_to="world")
            calls = [call] if beat.heartbeat_id == calls_at else []
            turns = [Turn(agent_text=None, tool_calls=calls)]
            writer.step(Step(step_id=beat.heartbeat_id, timestamp=beat.timestamp, turns=turns))
        if beats == 10:
            end: dict[str, Any] = {"latency_ms": 250.0}
            writer.end(RunEnd(status="ok", steps=beats, cost_usd=0.5, usage=Usage(input=10, output=2), **end))
    return folder


def write_score(folder: Path, outcome: str, **changes: Any) -> None:
    score = ran("a", SCENARIO_ID, 1, outcome).run_score.model_copy(update=changes)
    (folder / "score.json").write_text(score.model_dump_json(), encoding="utf-8")


@pytest.fixture
def scenarios(tmp_path: Path) -> list[Path]:
    write_small(tmp_path / "scenarios")
    return [tmp_path / "scenarios"]


def test_a_run_without_a_score_is_scored_from_its_transcript(tmp_path: Path, scenarios: list[Path]):
    write_run(tmp_path / "out")
    ((run,), notes) = read_runs(tmp_path / "out", scenarios)
    assert (run.agent_id, run.scenario_id, run.run_number) == ("a", SCENARIO_ID, 1)
    assert (run.run_score.success, run.run_score.value("time_to_action")) == (True, 1)
    assert (run.cost_usd, run.tokens, run.latency_ms) == (0.5, Usage(input=10, output=2), 250.0)
    assert (run.content_hash, run.tags) == (CONTENT_HASH, {"noise_tier": "T1", "crisis_type": "cardiac_arrest"})
    assert notes == []
    assert not (tmp_path / "out" / run.path / "score.json").exists()


def test_a_package_may_be_named_itself_or_be_recorded_beside_the_run(tmp_path: Path, scenarios: list[Path]):
    folder = write_run(tmp_path / "out")
    package = scenarios[0] / SCENARIO_ID
    assert read_runs(tmp_path / "out", [package]).runs[0].success == 1
    (folder / "run_config.json").write_text(json.dumps({"scenario_path": str(package)}), encoding="utf-8")
    assert read_runs(tmp_path / "out").runs[0].success == 1


def test_a_score_that_is_there_is_taken_and_a_stale_one_is_not(tmp_path: Path, scenarios: list[Path]):
    folder = write_run(tmp_path / "out")
    write_score(folder, "nothing")
    assert read_runs(tmp_path / "out", scenarios).runs[0].success == 0
    os.utime(folder / "score.json", (1, 1))
    assert read_runs(tmp_path / "out", scenarios).runs[0].success == 1


@pytest.mark.parametrize(
    "changes", [{"scorer_version": 0}, {"settings": {"window": 3}}], ids=["other rules", "other window"]
)
def test_a_score_by_other_rules_or_for_another_window_is_made_again(
    tmp_path: Path, scenarios: list[Path], changes: dict[str, Any]
):
    write_score(write_run(tmp_path / "out"), "nothing", **changes)
    assert read_runs(tmp_path / "out", scenarios, {"window": 5}).runs[0].success == 1


def test_a_failed_attempt_to_score_does_not_outlive_its_cause(tmp_path: Path, scenarios: list[Path]):
    folder = write_run(tmp_path / "out")
    missing = read_runs(tmp_path / "out").runs[0].run_score
    assert "--scenarios" in missing.reason
    (folder / "score.json").write_text(missing.model_dump_json(), encoding="utf-8")
    assert read_runs(tmp_path / "out", scenarios).runs[0].success == 1


@pytest.mark.parametrize(
    ("break_it", "words"),
    [
        (lambda folder: (folder / "transcript.jsonl").write_bytes(b"not json\n"), "not JSON"),
        (lambda folder: (folder / "transcript.jsonl").write_bytes(b""), "is empty"),
        (lambda folder: (folder / "transcript.jsonl").write_bytes(b'{"type":"step"}\n'), "step_id"),
    ],
    ids=["not json", "empty", "broken line"],
)
def test_a_run_that_cannot_be_read_is_excluded_with_the_reason(tmp_path: Path, scenarios, break_it, words: str):
    write_run(tmp_path / "out")
    break_it(write_run(tmp_path / "out", number=2))
    found = leaderboard(read_runs(tmp_path / "out", scenarios).runs)
    (one,) = found.excluded_runs
    assert (one.agent_id, one.scenario_id, one.path) == ("a", SCENARIO_ID, f"a/{SCENARIO_ID}/run-02")
    assert words in one.reason
    assert found.agents[0].overall_score == 1.0


def test_a_run_that_was_cut_is_excluded(tmp_path: Path, scenarios: list[Path]):
    write_run(tmp_path / "out", beats=3, calls_at=None)
    ((run,), _) = read_runs(tmp_path / "out", scenarios)
    assert not run.run_score.scorable
    assert (run.cost_usd, run.agent_id) == (None, "a")


def test_what_is_no_run_is_a_note(tmp_path: Path, scenarios: list[Path]):
    write_run(tmp_path / "out")
    (tmp_path / "out" / "plots").mkdir()
    notes = read_runs(tmp_path / "out", scenarios).notes
    assert notes == [f"{tmp_path / 'out' / 'plots'} is not a run: it has no transcript.jsonl"]


@pytest.mark.parametrize("bad", ["NaN", "Infinity", "1e999"])
def test_a_score_with_a_number_that_is_not_finite_is_made_again(tmp_path: Path, scenarios: list[Path], bad: str):
    """NaN and infinities are refused when a score is read: it counts as missing."""
    folder = write_run(tmp_path / "out")
    write_score(folder, "nothing")
    text = (folder / "score.json").read_text("utf-8")
    assert '"composite":{"value":0.0' in text
    bad_text = text.replace('"composite":{"value":0.0', f'"composite":{{"value":{bad}')
    (folder / "score.json").write_text(bad_text, encoding="utf-8")
    assert read_runs(tmp_path / "out", scenarios).runs[0].run_score.value("composite") == 0.5


@pytest.mark.parametrize("bad", ["NaN", "Infinity", "1e999"])
def test_an_opinion_with_a_number_that_is_not_finite_cannot_be_read(tmp_path: Path, scenarios: list[Path], bad: str):
    """NaN and infinities are refused when a judge's opinion is read: the run has none, and that is told."""
    folder = write_run(tmp_path / "out")
    text = opinion(7).model_dump_json().replace('"overall_score":7.0', f'"overall_score":{bad}')
    assert bad in text
    (folder / "judge.json").write_text(text, encoding="utf-8")
    ((run,), notes) = read_runs(tmp_path / "out", scenarios)
    assert run.judge is None
    assert notes == [f"{folder} has no opinion of a judge: judge.json cannot be read"]


@pytest.mark.parametrize("whole", [True, False], ids=["JudgeOutput", "with its record"])
def test_a_judges_opinion_is_read_in_both_forms(tmp_path: Path, scenarios: list[Path], whole: bool):
    folder = write_run(tmp_path / "out")
    said = opinion(7).model_dump(mode="json")
    text = json.dumps(said if whole else {"state": "scored", "output": said, "rubric_hash": "r1"})
    (folder / "judge.json").write_text(text, encoding="utf-8")
    ((run,), notes) = read_runs(tmp_path / "out", scenarios)
    assert (run.judge.overall_score, run.rubric_hash, notes) == (7, None if whole else "r1", [])


def test_an_opinion_that_failed_or_cannot_be_read_is_a_note(tmp_path: Path, scenarios: list[Path]):
    first, second = write_run(tmp_path / "out"), write_run(tmp_path / "out", number=2)
    (first / "judge.json").write_text(json.dumps({"state": "failed", "reason": "no answer"}), encoding="utf-8")
    (second / "judge.json").write_text("{", encoding="utf-8")
    notes = read_runs(tmp_path / "out", scenarios).notes
    reasons = {first: "no answer", second: "judge.json cannot be read"}
    assert notes == [f"{folder} has no opinion of a judge: {reason}" for folder, reason in reasons.items()]


def test_a_folder_without_runs_and_no_folder_at_all_are_refused(tmp_path: Path):
    with pytest.raises(Refused, match="there is no run below"):
        read_runs(tmp_path)
    with pytest.raises(InvalidInput, match="is not a folder"):
        read_runs(tmp_path / "nowhere")


def test_runs_of_a_leaderboard_keep_their_scores_but_not_their_evidence(tmp_path: Path, scenarios: list[Path]):
    write_run(tmp_path / "out")
    ((run,), _) = read_runs(tmp_path / "out", scenarios)
    assert run.run_score.evidence
    kept = leaderboard([run]).agents[0].scenarios[0].runs[0]
    assert (kept.evidence, kept.cost_usd) == ([], 0.5)
    assert RunScore(**kept.model_dump(include=set(RunScore.model_fields))).result == run.run_score.result
