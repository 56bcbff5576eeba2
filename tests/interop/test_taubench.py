"""tau-bench's trajectories: what they hold, what was expected, and the table that pass^k is computed from."""

import json
from pathlib import Path
from typing import Any

import pytest

from gnomon.errors import InvalidInput, Refused
from gnomon.interop.resulttables import LongTable, read_table
from gnomon.interop.taubench import read, rows
from gnomon.model.transcript import Transcript
from gnomon.stats.passk import pass_pow_k

EXPECTED = [{"name": "cancel_reservation", "args": {"reservation_id": "Z7GOZK"}}]


@pytest.fixture
def published(test_data: Path) -> list[Transcript]:
    return read(test_data / "bench" / "tau_bench_two_trajectories.json")


def test_published_trajectories_hold_their_messages_calls_and_rewards(published: list[Transcript]) -> None:
    failed, passed = published
    assert [(one.scenario_id, one.run_id, one.source) for one in published] == [
        ("1", "1.0", "tau-bench"),
        ("1", "1.1", "tau-bench"),
    ]
    assert [len(one.steps) for one in published] == [6, 6]
    assert [sum(len(beat.turns) for beat in one.steps) for one in published] == [5, 10]
    assert [call.tool for call in failed.calls()] == []
    assert [call.tool for call in passed.calls()] == [
        "get_user_details", *["get_reservation_details"] * 3, "cancel_reservation",
    ]  # fmt: skip
    assert passed.calls()[-1].args == {"reservation_id": "Z7GOZK"}
    assert all(call.result["user_id"] == "olivia_gonzalez_2305" for call in passed.calls()[1:])
    assert [one.metadata["reported"] for one in published] == [{"reward": 0.0}, {"reward": 1.0}]
    assert all(one.metadata["expected_tool_calls"] == EXPECTED for one in published)
    assert all(one.metadata["system_prompt"].startswith("# Airline Agent Policy") for one in published)
    assert not any("notes" in one.metadata for one in published)


def test_the_rewards_are_rows_of_the_published_table(published: list[Transcript], test_data: Path) -> None:
    ours = rows(published, "gpt-4o")
    theirs = read_table(test_data / "tau_bench_gpt4o_airline_50x4.csv", "gpt-4o")
    assert isinstance(theirs, LongTable)
    known = dict(zip(zip(theirs.items, theirs.trials, strict=True), theirs.values, strict=True))
    assert (ours.agents, ours.items, ours.trials, ours.values) == (["gpt-4o"] * 2, ["1", "1"], ["0", "1"], [0.0, 1.0])
    assert [known["1", trial] for trial in ours.trials] == ours.values


def run(**fields: Any) -> dict[str, Any]:
    return {"task_id": 0, "trial": 0, "reward": 1.0, "info": {}, "traj": [{"role": "user", "content": "hi"}], **fields}


def written(tmp_path: Path, value: Any) -> Path:
    path = tmp_path / "runs.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_table_of_many_trials_gives_pass_pow_k(tmp_path: Path) -> None:
    wins = {0: [1, 1, 1, 1], 1: [1, 0, 1, 0], 2: [0, 0, 0, 0]}
    runs = [run(task_id=task, trial=n, reward=float(won)) for task, all_ in wins.items() for n, won in enumerate(all_)]
    table = rows(read(written(tmp_path, runs)))
    passed = [
        sum(value or 0 for item, value in zip(table.items, table.values, strict=True) if item == one) for one in "012"
    ]
    found = [sum(pass_pow_k(4, int(won), k) or 0 for won in passed) / 3 for k in (1, 2)]
    assert found == pytest.approx([0.5, (1 + 1 / 6) / 3])
    assert table.agents == ["tau-bench"] * 12


def test_a_run_that_broke_says_so_and_keeps_the_reward_that_was_reported(tmp_path: Path) -> None:
    (found,) = read(written(tmp_path, [run(reward=0.0, info={"error": "timeout", "traceback": "…"}, traj=[])]))
    assert found.end is not None
    assert (found.end.status, found.end.reason) == ("error", "timeout")
    assert rows([found]).values == [0.0]


def test_a_run_without_a_reward_has_no_value_and_one_outside_the_scale_is_refused(tmp_path: Path) -> None:
    missing, wrong = read(written(tmp_path, [run(reward=None), run(trial=1, reward=7)]))
    table = rows([missing])
    assert (table.values, table.notes) == ([None], ("runs that report no reward: 1",))
    with pytest.raises(InvalidInput, match=r"run 0\.1: reward is 7, not a number in \[0, 1\]"):
        rows([wrong])


@pytest.mark.parametrize("value", [[], {}, [{"task_id": 1}], [run(), 5], [run(), {"traj": None}]])
def test_what_is_no_trajectory_is_refused(tmp_path: Path, value: Any) -> None:
    with pytest.raises(Refused, match=r"runs\.json: "):
        read(written(tmp_path, value))
