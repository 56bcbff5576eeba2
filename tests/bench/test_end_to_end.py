"""A run that is killed in the middle goes on as if nothing had been: the real program, and the real signal."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bench.small import SCENARIO_ID
from gnomon.cli.main import main

pytestmark = pytest.mark.slow

AGENT = """
import asyncio, pathlib, re
from gnomon.bench.noticing import reference

class Waits:
    '''The late monitor, which stands still from the fourth update on until there is a file named go.'''

    def __init__(self, run_number):
        self.inner = reference.make("late-by-2", run_number)

    async def answer(self, messages, tools):
        while int(re.search(r"# Update (\\d+)", messages[1]["content"])[1]) >= 3 and not pathlib.Path("go").exists():
            await asyncio.sleep(0.01)
        said = await self.inner.answer(messages, tools)
        return {"text": said.text, "tool_calls": [{"name": one.name, "args": one.args} for one in said.tool_calls]}
"""
NOT_COMPARED = {"run_id", "started_at", "finished_at", "latency_ms", "duration_ms", "cost_usd", "id"}
PATIENCE = 600.0


def comparable(value: Any) -> Any:
    """Everything but times, latency, ids and cost."""
    if isinstance(value, dict):
        return {name: comparable(one) for name, one in value.items() if name not in NOT_COMPARED}
    return [comparable(one) for one in value] if isinstance(value, list) else value


def lines(file: Path) -> list[bytes]:
    """Whole lines that are on disk by now."""
    return file.read_bytes().splitlines(keepends=True) if file.exists() else []


def beats_of(file: Path) -> int:
    return sum(line.endswith(b"\n") and line.startswith(b'{"type":"step"') for line in lines(file))


def test_a_run_killed_in_the_middle_resumes_as_if_nothing_had_been(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "agents_that_wait.py").write_text(AGENT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    spec = "python:agents_that_wait:Waits"
    asked = ["bench", "run", "--scenario", str(small), "--agent", spec, "--runs", "1", "--out"]
    process = subprocess.Popen([sys.executable, "-m", "gnomon", *asked, "killed"], stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + PATIENCE
        while not (begun := list(Path("killed").glob("*/*/run-01/transcript.jsonl"))) or beats_of(begun[0]) < 3:
            assert process.poll() is None, "it ended by itself"
            assert time.monotonic() < deadline, "it never came to the third beat"
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    killed = begun[0]
    before = killed.read_bytes()
    assert (beats_of(killed), killed.parent.parent.name) == (3, SCENARIO_ID)

    Path("go").touch()
    for words in ([*asked, "killed", "--resume"], [*asked, "whole"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
    assert killed.read_bytes().startswith(before)
    [whole] = Path("whole").glob("*/*/run-01/transcript.jsonl")
    resumed, uninterrupted = ([comparable(json.loads(line)) for line in lines(file)] for file in (killed, whole))
    assert resumed == uninterrupted
    scores = [comparable(json.loads((file.parent / "score.json").read_bytes())) for file in (killed, whole)]
    assert scores[0] == scores[1]
    assert scores[0]["result"]["time_to_action"] == 2
    notes = [{path.name: path.read_text() for path in (file.parent / "memory").iterdir()} for file in (killed, whole)]
    assert notes[0] == notes[1]
