"""The same commands for every family: from a package to runs, scores, a leaderboard of both families, and a server."""

import json
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bench.tasks.shop import EXAMPLE_NAMES, EXAMPLES, files, write_files
from gnomon.bench.families import FAMILIES, copy_examples
from gnomon.cli.main import main
from gnomon.errors import Refused
from gnomon.service.bench.benchmark import rank_runs, run_benchmark, score_runs
from gnomon.service.bench.gathering import read_runs
from gnomon.service.bench.push import push
from gnomon.service.embedded import Embedded
from gnomon.store.engine import open_store

BOTH = ("reference:flaky:0.9", "reference:flaky:0.1")
"""The only reference agents that every family has."""
WAITS = '''
import pathlib, time

def answer(messages, tools):
    """Sells two apples; from the second message of the user on it waits until there is a file named go."""
    said = [message["content"] for message in messages if message["role"] == "user"]
    while len(said) > 1 and not pathlib.Path("go").exists():
        time.sleep(0.01)
    calls = sum(len(message.get("tool_calls") or ()) for message in messages)
    if calls == 0:
        return {"tool_calls": [{"name": "sell", "args": {"fruit": "apple", "pieces": 2}}]}
    if len(said) == 1:
        return {"text": "Here you are."}
    if calls == 1:
        return {"tool_calls": [{"name": "count_stock", "args": {"fruit": "apple"}}]}
    return {"text": "There are 3 left."}
'''
NOT_COMPARED = {"run_id", "started_at", "finished_at", "latency_ms", "duration_ms", "cost_usd", "id"}
PATIENCE = 600.0


def gnomon(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    return int(ended.value.code or 0)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert gnomon(*words, "--json") == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write_files(tmp_path / "tiny", files())


def test_a_package_is_verified_sealed_linted_and_shown(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "bench", "verify", str(tiny))["sealed"] is False
    sealed = printed(capsys, "bench", "seal", str(tiny))
    assert sealed["sealed"] is True
    assert printed(capsys, "bench", "verify", str(tiny)) == sealed
    assert printed(capsys, "bench", "lint", str(tiny)) == {
        "scenario_id": "tiny.two_apples", "hints": [], "defects": [],
    }  # fmt: skip
    shown = printed(capsys, "bench", "show", str(tiny))
    assert 'solved by: sell(fruit="apple", pieces=2)' in shown["lines"]
    (tiny / "world.json").write_text("{}", encoding="utf-8")
    assert gnomon("bench", "verify", str(tiny)) == 3
    assert "tiny: " in capsys.readouterr().err


def test_a_defect_fails_the_lint(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = json.loads((tiny / "tasks/two_apples.json").read_text(encoding="utf-8"))
    task["expected"]["calls"] = []
    (tiny / "tasks/two_apples.json").write_text(json.dumps(task), encoding="utf-8")
    assert gnomon("bench", "lint", str(tiny)) == 1
    assert "the reference calls do not solve it: not called: count_stock()" in capsys.readouterr().out


def test_the_examples_can_be_copied_and_are_not_overwritten(tmp_path: Path) -> None:
    copied = copy_examples(tmp_path / "packages")
    assert [path.name for _, path in copied] == list(EXAMPLE_NAMES)
    with pytest.raises(Refused, match="exists already"):
        copy_examples(tmp_path / "packages")


def test_a_benchmark_of_tasks_is_three_calls(tmp_path: Path) -> None:
    agents = ["reference:oracle", "reference:does-nothing", "reference:wrong-order"]
    ran = run_benchmark([EXAMPLES / name for name in EXAMPLE_NAMES], agents, tmp_path, runs=1)
    assert ran.finished
    assert len(score_runs(tmp_path).runs) == 60
    board = rank_runs(tmp_path)
    rates = {agent.agent_id: agent.overall_score for agent in board.agents}
    assert rates == {"reference-oracle": 1.0, "reference-wrong-order": 0.55, "reference-does-nothing": 0.0}
    assert [family.family for family in board.families] == ["tasks"]


def test_one_leaderboard_has_the_metrics_of_both_families(small: Path, tiny: Path, tmp_path: Path) -> None:
    assert run_benchmark([small, tiny], BOTH, tmp_path / "runs", runs=2).finished
    board = rank_runs(tmp_path / "runs")
    assert [family.family for family in board.families] == ["noticing", "tasks"]
    for agent in board.agents:
        assert {"detection", "state_match"} <= set(agent.metrics)
        assert [scenario.family for scenario in agent.scenarios] == ["noticing", "tasks"]
        assert set(agent.scenarios[1].metrics) == {metric.name for metric in board.families[1].metrics}
    assert not [note for note in board.notes if "not alike" in note], "settings of one family are not the other's"


def test_a_reference_agent_of_another_family_is_refused_before_anything_runs(
    small: Path, tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packages = [word for folder in (small, tiny) for word in ("--scenario", str(folder))]
    assert gnomon("bench", "run", *packages, "--agent", "reference:oracle", "--out", str(tmp_path / "runs")) == 2
    assert "reference:oracle" in capsys.readouterr().err
    assert not list((tmp_path / "runs").rglob("transcript.jsonl"))


def test_runs_of_both_families_are_pushed_with_all_their_metrics(small: Path, tiny: Path, tmp_path: Path) -> None:
    run_benchmark([small, tiny], BOTH[:1], tmp_path / "runs", runs=1)
    runs = read_runs(tmp_path / "runs").runs
    url = f"sqlite:///{tmp_path / 'gnomon.db'}"
    open_store(url).close()
    with closing(Embedded(url)) as backend:
        sent = push(backend, tmp_path / "runs", runs, "p", "both")
        assert (sent.pushed, sent.items) == (2, 2)
        [experiment] = backend.experiments("p")
        stored = backend.summary(experiment.id)
        scorers = set(stored.scores_by_scorer)
    assert {"success", "state_match"} <= scorers


def comparable(value: Any) -> Any:
    """Everything but times, latency, ids and cost."""
    if isinstance(value, dict):
        return {name: comparable(one) for name, one in value.items() if name not in NOT_COMPARED}
    return [comparable(one) for one in value] if isinstance(value, list) else value


def records(file: Path) -> list[Any]:
    return [comparable(json.loads(line)) for line in file.read_bytes().splitlines()]


def test_a_run_killed_in_the_middle_resumes_at_the_next_step(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "waiting_seller.py").write_text(WAITS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    asked = ["bench", "run", "--scenario", str(tiny), "--agent", "python:waiting_seller:answer", "--runs", "1", "--out"]
    process = subprocess.Popen([sys.executable, "-m", "gnomon", *asked, "killed"], stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + PATIENCE
        while not (begun := list(Path("killed").glob("*/*/run-01/transcript.jsonl"))) or (
            begun[0].read_bytes().count(b'{"type":"step"') < 1
        ):
            assert process.poll() is None, "it ended by itself"
            assert time.monotonic() < deadline, "it never ended its first step"
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    before = begun[0].read_bytes()
    Path("go").touch()
    assert gnomon(*asked, "killed", "--resume") == 0
    assert gnomon(*asked, "whole") == 0
    assert begun[0].read_bytes().startswith(before)
    [whole] = Path("whole").glob("*/*/run-01/transcript.jsonl")
    assert records(begun[0]) == records(whole)
    scores = [json.loads((path.parent / "score.json").read_bytes()) for path in (begun[0], whole)]
    assert [score["success"] for score in scores] == [True, True]


def test_every_family_says_what_the_commands_need() -> None:
    assert [family.name for family in FAMILIES] == ["noticing", "tasks"]
    for family in FAMILIES:
        assert family.summary
        assert family.rubric().dimensions
        assert len(set(family.reference_agents)) == len(family.reference_agents)
