"""Trajectories of tau-bench: a list of {task_id, trial, reward, info, traj}, a run each.

The actions that the task's author expects become `metadata["expected_tool_calls"]`, the reward that the benchmark
gave `metadata["reported"]`. `rows` is the table from which a leaderboard computes pass^k.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gnomon.errors import InvalidInput
from gnomon.interop import messages
from gnomon.interop.conversation import ConversationBuilder, name_of, named_apart, refused
from gnomon.interop.resulttables import LongTable
from gnomon.model.toolcalls import read_call
from gnomon.model.transcript import RunEnd, Transcript

SOURCE = "tau-bench"
REWARD = "reward"


def read(path: Path) -> list[Transcript]:
    return from_value(messages.parsed(path, messages.content_of(path)), path)


def is_trajectories(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(entry, dict) and "traj" in entry for entry in value)


def from_value(value: Any, path: Path) -> list[Transcript]:
    if not is_trajectories(value):
        raise refused(path, "holds no tau-bench trajectories; each is an object with task_id, trial, reward and traj")
    transcripts = []
    for number, record in enumerate(value):
        if not isinstance(record, dict) or not isinstance(record.get("traj"), list):
            raise refused(path, f"trajectory {number} has no list traj; write its messages there")
        transcripts.append(_run(record, number))
    return named_apart(transcripts)


def _run(record: dict[str, Any], number: int) -> Transcript:
    info = _object(record.get("info"))
    task, rewarded = _object(info.get("task")), _object(info.get("reward_info"))
    actions = task.get("actions")
    expected_actions = actions if isinstance(actions, list) else rewarded.get("actions")
    scenario, trial = name_of(record.get("task_id")) or str(number), name_of(record.get("trial")) or "0"
    conversation = ConversationBuilder()
    messages.add_all(conversation, record["traj"])
    metadata: dict[str, Any] = {
        "trial": trial,
        "reported": {} if record.get("reward") is None else {REWARD: record["reward"]},
        "instruction": task.get("instruction"),
        "expected_outputs": task.get("outputs"),
    }
    if isinstance(expected_actions, list):
        calls = map(read_call, expected_actions)
        metadata["expected_tool_calls"] = [{"name": call.name, "args": call.args} for call in calls if call.name]
    end = None
    if info.get("error"):
        end = RunEnd(status="error", reason=str(info["error"]))
    kept = {key: value for key, value in metadata.items() if value is not None}
    return conversation.transcript(scenario, f"{scenario}.{trial}", SOURCE, end=end, metadata=kept)


def rows(transcripts: Sequence[Transcript], agent: str | None = None, *, score: str = REWARD) -> LongTable:
    """A reported score of each run as a table of agent, item, trial and value; a run without one has no value."""
    values = [_value(transcript, score) for transcript in transcripts]
    return LongTable(
        agents=[
            agent or (transcript.run_config.agent_model if transcript.run_config else SOURCE)
            for transcript in transcripts
        ],
        items=[transcript.scenario_id for transcript in transcripts],
        trials=[name_of(transcript.metadata.get("trial")) or transcript.run_id for transcript in transcripts],
        values=values,
        lines=list(range(1, len(transcripts) + 1)),
        source=transcripts[0].source if transcripts else SOURCE,
        unit="run",
        notes=(f"runs that report no {score}: {values.count(None)}",) if None in values else (),
    )


def _value(run: Transcript, score: str) -> float | None:
    value = _object(run.metadata.get("reported")).get(score)
    if value is None:
        return None
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(f"run {run.run_id}: {score} is {value!r}, not a number in [0, 1]; divide by its scale first")
    return float(value)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
