"""Many runs: each once, resumed where they were cut, none in the way of another, and no further than the money goes."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gnomon.bench.agents import AgentSpec, parse_spec
from gnomon.bench.batch import LOCK, AgentBusy, Outcome, Progress, RunPlan, held, notes, plans, run_many
from gnomon.bench.noticing.family import DayScenario
from gnomon.bench.noticing.package import DayPackage
from gnomon.bench.noticing.scenario import ScenarioPackage
from gnomon.bench.transcripts import NAME, read_transcript
from gnomon.errors import InvalidInput
from gnomon.model.transcript import RunConfig

CONFIG = RunConfig(agent_model="-", user_sim_model="scripted", judge_model="none")
MONITOR, NEVER = parse_spec("reference:threshold-monitor"), parse_spec("reference:never-acts")
OWN = """
import asyncio
turns, peak, busy = [], 0, 0

def priced(messages, tools):
    turns.append(messages[1]["content"].splitlines()[0])
    return {"text": "Noted.", "cost_usd": 0.25}

def unpriced(messages, tools):
    turns.append("x")
    return {"text": "Noted."}

def broken(messages, tools):
    if "# Update 3" in messages[1]["content"]:
        raise ValueError("no luck")
    return {"text": "Noted."}

async def slow(messages, tools):
    global peak, busy
    busy += 1
    peak = max(peak, busy)
    turns.append(messages[1]["content"].splitlines()[0])
    await asyncio.sleep(0.002)
    busy -= 1
    return {"text": "Noted."}

three = asyncio.Event()

async def until_three(messages, tools):
    global peak, busy
    busy += 1
    peak = max(peak, busy)
    if busy == 3:
        three.set()
    await three.wait()
    await asyncio.sleep(0)
    busy -= 1
    return {"text": "Noted."}
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    (tmp_path / "batch_agents.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    sys.modules.pop("batch_agents", None)
    import batch_agents

    yield batch_agents
    sys.modules.pop("batch_agents", None)


def planned(package: ScenarioPackage, out: Path, runs: int, *specs: AgentSpec | str) -> list[RunPlan]:
    found = [spec if isinstance(spec, AgentSpec) else parse_spec(spec) for spec in specs]
    return plans(out, found, [DayScenario(DayPackage(None, package))], runs, CONFIG)


def run(todo: list[RunPlan], **how: Any) -> list[Outcome]:
    return asyncio.run(run_many(todo, **how))


def cut(plan: RunPlan, beats: int) -> None:
    path = plan.folder / NAME
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[: 1 + beats]))


def test_every_agent_meets_every_scenario_so_many_times_in_folders_of_their_own(
    package: ScenarioPackage, tmp_path: Path
) -> None:
    other = package.model_copy(update={"scenario_id": "another_T1_s0"})
    todo = plans(
        tmp_path,
        [MONITOR, NEVER],
        [DayScenario(DayPackage(None, package)), DayScenario(DayPackage(None, other))],
        3,
        CONFIG,
    )
    outcomes = run(todo, concurrency=5)
    assert [outcome.plan for outcome in outcomes] == todo
    assert {outcome.state for outcome in outcomes} == {"finished"}
    folders = sorted(str(path.parent.relative_to(tmp_path)) for path in tmp_path.rglob(NAME))
    assert folders == sorted(
        f"{agent}/{scenario}/run-0{number}"
        for agent in ("reference-threshold-monitor", "reference-never-acts")
        for scenario in ("cardiac_arrest_T1_s0", "another_T1_s0")
        for number in (1, 2, 3)
    )
    header = read_transcript(todo[0].folder / NAME).header
    assert header is not None
    assert (header.agent_id, header.run_number) == ("reference-threshold-monitor", 1)
    assert header.run_config.agent_model == "reference:threshold-monitor"
    assert not list(tmp_path.rglob(LOCK))


def test_what_has_ended_is_left_as_it_is_and_what_was_cut_goes_on(
    package: ScenarioPackage, tmp_path: Path, own: Any
) -> None:
    todo = planned(package, tmp_path / "out", 3, "python:batch_agents:priced")
    run(todo)
    kept = (todo[0].folder / NAME).read_bytes()
    cut(todo[1], 4)
    own.turns.clear()
    first, second, third = run(todo)
    assert [outcome.steps for outcome in (first, second, third)] == [0, 6, 0]
    assert own.turns == [f"# Update {number}" for number in range(4, 10)]
    assert second.cost_usd == 6 * 0.25
    assert (todo[0].folder / NAME).read_bytes() == kept
    whole = read_transcript(todo[1].folder / NAME)
    assert [beat.step_id for beat in whole.steps] == list(range(10))
    assert whole.end is not None
    assert whole.end.cost_usd == 2.5


def test_a_plan_knows_whether_its_run_has_begun(package: ScenarioPackage, tmp_path: Path) -> None:
    [plan] = planned(package, tmp_path, 1, NEVER)
    assert not plan.begun
    run([plan])
    assert plan.begun


def test_a_run_that_fails_is_told_and_stops_no_other(package: ScenarioPackage, tmp_path: Path, own: Any) -> None:
    todo = planned(package, tmp_path / "out", 1, "python:batch_agents:broken", NEVER)
    spoiled = planned(package, tmp_path / "out", 1, MONITOR)[0]
    spoiled.folder.mkdir(parents=True)
    (spoiled.folder / NAME).write_text('{"type": "header"}\n', encoding="utf-8")
    blocked = replace(planned(package, tmp_path / "out", 2, NEVER)[1], folder=tmp_path / "batch_agents.py" / "run-01")
    failed, fine, unreadable, nowhere = outcomes = run([*todo, spoiled, blocked], concurrency=1)
    assert (failed.state, fine.state, unreadable.state, nowhere.state) == ("failed", "finished", "failed", "failed")
    assert failed.end is not None
    assert failed.end.status == "error"
    assert "no luck" in (failed.reason or "")
    assert failed.steps == 4
    assert "transcript.jsonl" in (unreadable.reason or "")
    assert "Not a directory" in (nowhere.reason or "")
    assert notes(outcomes) == [f"3 of 4 runs failed, the first: {failed.reason}"]
    assert run([todo[0]])[0].state == "failed", "that it failed is kept, not tried until it works"


def test_no_more_runs_are_made_at_a_time_than_was_said(package: ScenarioPackage, tmp_path: Path, own: Any) -> None:
    run(planned(package, tmp_path / "out", 6, "python:batch_agents:until_three"), concurrency=3)
    assert own.peak == 3


def test_turns_of_all_runs_share_their_calls_a_minute(package: ScenarioPackage, tmp_path: Path) -> None:
    async def timed() -> float:
        began = asyncio.get_running_loop().time()
        await run_many(planned(package, tmp_path, 2, NEVER, MONITOR)[:3], concurrency=3, per_minute=6000)
        return asyncio.get_running_loop().time() - began

    assert asyncio.run(timed()) > 30 * 0.01


# Money.


def test_when_the_budget_is_used_up_runs_stop_between_beats_and_can_be_resumed(
    package: ScenarioPackage, tmp_path: Path, own: Any
) -> None:
    todo = planned(package, tmp_path / "out", 4, "python:batch_agents:priced")
    outcomes = run(todo, concurrency=1, budget_usd=3.0)
    assert [outcome.state for outcome in outcomes] == ["finished", "stopped", "stopped", "stopped"]
    assert [outcome.steps for outcome in outcomes] == [10, 2, 0, 0]
    assert sum(outcome.cost_usd for outcome in outcomes) == 3.0
    assert read_transcript(todo[1].folder / NAME).is_cut
    said = "the budget of 3 USD is used up (3.0000 USD); resume with another"
    assert notes(outcomes, 3.0) == [f"3 of 4 runs wait: {said}"]
    again = run(todo, concurrency=1)
    assert [outcome.state for outcome in again] == ["finished"] * 4
    assert [outcome.steps for outcome in again] == [0, 8, 10, 10]
    assert len(own.turns) == 40, "no beat was paid twice"


def test_a_budget_refuses_a_model_without_a_known_price_before_the_first_run(
    package: ScenarioPackage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    todo = planned(package, tmp_path / "out", 1, "openai/nobody-knows-its-price")
    with pytest.raises(InvalidInput, match="the price of openai/nobody-knows-its-price is not known"):
        run(todo, budget_usd=1.0)
    assert not (tmp_path / "out").exists()


def test_what_is_spent_beyond_a_budget_is_no_more_than_a_beat_a_run(
    package: ScenarioPackage, tmp_path: Path, own: Any
) -> None:
    outcomes = run(planned(package, tmp_path / "out", 4, "python:batch_agents:priced"), concurrency=4, budget_usd=1.0)
    assert 1.0 <= sum(outcome.cost_usd for outcome in outcomes) <= 1.0 + 3 * 0.25
    assert {outcome.state for outcome in outcomes} == {"stopped"}


def test_beats_whose_cost_nobody_knows_are_told(package: ScenarioPackage, tmp_path: Path, own: Any) -> None:
    outcomes = run(planned(package, tmp_path / "out", 1, "python:batch_agents:unpriced"), budget_usd=1.0)
    assert (outcomes[0].state, outcomes[0].unpriced) == ("finished", 10)
    assert notes(outcomes, 1.0) == ["the cost of 10 steps is not known; the budget of 1 USD leaves it out"]
    assert notes(outcomes) == []


def test_progress_is_told_beat_by_beat_and_run_by_run(package: ScenarioPackage, tmp_path: Path, own: Any) -> None:
    told: list[Progress] = []
    outcomes = run(planned(package, tmp_path / "out", 2, "python:batch_agents:priced"), on_progress=told.append)
    assert [progress.steps for progress in told if progress.outcome is None] == list(range(1, 21))
    ended = [progress.outcome for progress in told if progress.outcome is not None]
    assert sorted(ended, key=lambda outcome: outcome.plan.run_number) == outcomes
    assert (told[-1].done, told[-1].runs, told[-1].steps, told[-1].cost_usd) == (2, 2, 20, 5.0)


# Several at the same folder.


def test_a_run_is_made_once_although_two_are_at_it(package: ScenarioPackage, tmp_path: Path, own: Any) -> None:
    todo = planned(package, tmp_path / "out", 3, "python:batch_agents:slow")

    async def both() -> list[list[Outcome]]:
        return await asyncio.gather(run_many(todo), run_many(todo))

    outcomes = [outcome for side in asyncio.run(both()) for outcome in side]
    assert len(own.turns) == 30
    assert sorted(outcome.state for outcome in outcomes) == ["busy"] * 3 + ["finished"] * 3
    assert f"held by process {os.getpid()}" in next(one.reason or "" for one in outcomes if one.state == "busy")
    assert notes(outcomes)[0].startswith("3 of 6 runs are another process's: ")


HOLDS = """
import sys
from pathlib import Path
from gnomon.bench.batch import held
with held(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_what_a_dead_process_held_is_free(tmp_path: Path) -> None:
    folder = tmp_path / "run-01"
    command = [sys.executable, "-c", HOLDS, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(AgentBusy, match=f"held by process {holder.pid}"), held(folder):
            pass
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
    assert (folder / LOCK).exists(), "it was killed before it could clear up"
    with held(folder), pytest.raises(AgentBusy), held(folder):
        pass
    assert not (folder / LOCK).exists()
    with held(folder):
        pass


def test_a_run_that_is_cancelled_can_be_resumed_and_holds_nothing(
    package: ScenarioPackage, tmp_path: Path, own: Any
) -> None:
    todo = planned(package, tmp_path / "out", 1, "python:batch_agents:slow")

    async def cancelled() -> None:
        def stop(progress: Progress) -> None:
            if progress.steps == 3:
                task.cancel()

        task = asyncio.create_task(run_many(todo, on_progress=stop))
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert read_transcript(todo[0].folder / NAME).is_cut
    assert not list(tmp_path.rglob(LOCK))
    assert run(todo)[0].state == "finished"
    assert len(own.turns) in (10, 11), "the beat in flight is played again, the others are not"


# What would fail for every run is told first.


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"concurrency": 0}, "concurrency 0 has to be above 0"),
        ({"per_minute": 0}, "per_minute 0 has to be above 0"),
        ({"budget_usd": -1.0}, "budget_usd -1.0 has to be above 0"),
        ({"budget_usd": float("nan")}, "budget_usd nan has to be above 0"),
    ],
)
def test_limits_that_allow_nothing_are_refused(
    how: dict[str, Any], says: str, package: ScenarioPackage, tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput, match=says):
        run(planned(package, tmp_path, 1, NEVER), **how)


def test_an_agent_that_cannot_be_made_is_refused_before_any_run(
    package: ScenarioPackage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for spec in ("python:no_such_module_xyz:agent", "cmd:/no/such/program", "openai/gpt-4o"):
        with pytest.raises(InvalidInput):
            run(planned(package, tmp_path / "out", 1, NEVER, spec))
    assert not (tmp_path / "out").exists()


def test_runs_and_scenarios_have_to_make_sense(package: ScenarioPackage, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="runs 0 is too few"):
        planned(package, tmp_path, 0, NEVER)
    with pytest.raises(InvalidInput, match="'cardiac_arrest_T1_s0' was given twice"):
        plans(
            tmp_path,
            [NEVER],
            [DayScenario(DayPackage(None, package)), DayScenario(DayPackage(None, package))],
            1,
            CONFIG,
        )
    with pytest.raises(InvalidInput, match="two runs have the same folder"):
        run(planned(package, tmp_path, 1, NEVER) * 2)
