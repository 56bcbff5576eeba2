"""A benchmark that is killed (SIGKILL, a process of its own): the runs that had ended keep their scores."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bench.tasks.shop import files, write_files
from cli.conftest import Run

WAITS_IN_THE_THIRD_RUN = '''
import pathlib, time

def answer(messages, tools):
    """Sells two apples and counts the rest; from the third conversation on it waits until there is a file named go."""
    calls = sum(len(message.get("tool_calls") or ()) for message in messages)
    texts = [message["content"] for message in messages if message["role"] == "user"]
    if calls == 0 and len(texts) == 1:
        with open("conversations.txt", "a") as begun:
            print(len(messages), file=begun)
    while len(pathlib.Path("conversations.txt").read_text().splitlines()) > 2 and not pathlib.Path("go").exists():
        time.sleep(0.01)
    if calls == 0:
        return {"tool_calls": [{"name": "sell", "args": {"fruit": "apple", "pieces": 2}}]}
    if len(texts) == 1:
        return {"text": "Here you are."}
    if calls == 1:
        return {"tool_calls": [{"name": "count_stock", "args": {"fruit": "apple"}}]}
    return {"text": "There are 3 left."}
'''
NOT_COMPARED = {"run_id"}
RUNS, ENDED = 4, 2
LIMIT = 600.0


def scores(out: Path) -> dict[str, bytes]:
    return {path.parent.name: path.read_bytes() for path in sorted(out.glob("*/*/run-*/score.json"))}


def comparable(content: bytes) -> Any:
    return {name: value for name, value in json.loads(content).items() if name not in NOT_COMPARED}


def test_runs_that_ended_before_a_kill_are_scored_and_a_resumed_benchmark_is_as_one_never_killed(
    gnomon: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "patient_seller.py").write_text(WAITS_IN_THE_THIRD_RUN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    package = write_files(tmp_path / "tiny", files())
    words = ["bench", "run", "--scenario", str(package), "--agent", "python:patient_seller:answer",
             "--runs", str(RUNS), "--concurrency", "1", "--out"]  # fmt: skip
    process = subprocess.Popen([sys.executable, "-m", "gnomon", *words, "killed"], stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + LIMIT
        while len(scores(Path("killed"))) < ENDED:
            assert process.poll() is None, "it ended by itself"
            assert time.monotonic() < deadline, "the runs that ended were not scored"
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    before = scores(Path("killed"))
    assert list(before) == ["run-01", "run-02"]
    assert all(json.loads(score)["success"] is True for score in before.values())
    board = json.loads(gnomon("bench", "leaderboard", "killed", "--json").out)
    [agent] = board["agents"]
    assert (agent["overall_score"], agent["run_count"]) == (1.0, ENDED)

    Path("go").touch()
    assert gnomon(*words, "killed", "--resume").code == 0
    assert gnomon(*words, "whole").code == 0
    after, whole = scores(Path("killed")), scores(Path("whole"))
    assert {name: after[name] for name in before} == before
    assert list(after) == list(whole) == [f"run-{number:02}" for number in range(1, RUNS + 1)]
    assert list(map(comparable, after.values())) == list(map(comparable, whole.values()))
