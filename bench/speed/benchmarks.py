"""How fast an agent's day is played, how fast transcripts are scored, and how long packages and leaderboards take.

Beside each stands the least that could be done: a loop that only makes the messages and asks the agent, and a loop
that only decodes the transcripts' JSON. They take turns on one core. Transcripts are of real runs, copied under other
run ids: agents that do nothing, watch, call in every beat, and talk all day, because words cost a scorer most.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.speed.stand import Figure, at_most, main, one_core, workplace

from gnomon.bench.noticing import reference
from gnomon.bench.noticing.family import DayScenario
from gnomon.bench.noticing.generate import generate, kinds
from gnomon.bench.noticing.package import DayPackage, load, write
from gnomon.bench.noticing.prompt import system_prompt, update_message
from gnomon.bench.noticing.world import DayWorld
from gnomon.bench.protocol import Agent, AskedCall, Message, Reply, Tool
from gnomon.bench.runner import run
from gnomon.bench.transcripts import read_transcript
from gnomon.model.bench import RunScore
from gnomon.model.transcript import RunConfig

BEATS = 160
DAY_SECONDS, SCORE_SECONDS, GROWTH = 1.0, 20.0, 1.1
TIMES = {"small": 3, "medium": 5, "full": 10}
TRANSCRIPTS = {"small": 200, "medium": 1000, "full": 1000}
FEW = 100
AGENTS, SCENARIOS, RUNS = 20, 10, 5
CONFIG = RunConfig(agent_model="-", user_sim_model="scripted", judge_model="none")
_NOW = "2027-06-15T00:00:00Z"
_IN_CHILD = """
import json, os, sys, time
from pathlib import Path
import msgspec
from gnomon.service.bench import leaderboard as benches
from gnomon.service.bench import gathering as benchruns
from gnomon.service.bench.scoring import score_folders
def peak():
    # Not getrusage: its peak is inherited from the process that started this one.
    return next(int(line.split()[1]) / 1000 for line in open("/proc/self/status") if line.startswith("VmHWM"))
what, out, scenarios = sys.argv[1], Path(sys.argv[2]), [Path(sys.argv[3])]
marks = {int(mark) for mark in sys.argv[4:]}
found = {"peaks": {}}
began, computed = time.perf_counter(), time.process_time()
if what == "decode":
    for path in sorted(out.glob("*/*/*/transcript.jsonl")):
        for line in path.read_bytes().splitlines():
            msgspec.json.decode(line)
elif what == "score":
    folders = list(benchruns.run_folders(out, []))
    for number, one in enumerate(score_folders(folders, scenarios, write=False), 1):
        assert one.score.scorable, one.score.reason
        if number in marks:
            found["peaks"][number] = peak()
else:
    gathered = benchruns.read_runs(out, scenarios)
    found["read"] = time.perf_counter() - began
    board = benches.leaderboard(gathered.runs)
    found["agents"] = len(board.agents)
found |= {"seconds": time.perf_counter() - began, "cpu": time.process_time() - computed, "peak": peak()}
print(json.dumps(found))
"""


def measure(options: argparse.Namespace) -> list[Figure]:
    times = TIMES[options.size]
    with workplace() as folder, one_core():
        return [
            *_days(folder / "days", times),
            *_packages(folder / "packages", times),
            *_scoring(folder / "scoring", TRANSCRIPTS[options.size]),
            *_leaderboard(folder / "board"),
        ]


# --- a day -----


class Still:
    """An agent that takes no time."""

    async def answer(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        return Reply("Nothing to do.")

    async def close(self) -> None:
        """It holds nothing."""


def _days(folder: Path, times: int) -> Iterator[Figure]:
    for tier in ("T1", "T4"):
        scenario = DayScenario(DayPackage(None, *generate("normal_day", tier, 0)))
        assert len(scenario.day.package.heartbeats) == BEATS
        floor, whole = [], []
        for number in range(times):
            floor.append(_seconds(_plain_day(scenario, folder)))
            whole.append(_seconds(_play(scenario, Still(), folder / tier / str(number), "still")))
        best, least = min(whole), min(floor)
        note = f"best of {times}; {least * 1000:.0f} ms to make the messages and ask"
        yield at_most(f"a day of {BEATS} beats, {tier}, agent in this process", best, "s", DAY_SECONDS, note)
        yield Figure(f"… against a loop that only makes the messages, {tier}", best / least, "×")


def _seconds(work: Any) -> float:
    began = time.perf_counter()
    asyncio.run(work)
    return time.perf_counter() - began


async def _plain_day(scenario: DayScenario, folder: Path) -> None:
    package = scenario.day.package
    tools = DayWorld(scenario.day, folder / "memory", None, 20).toolbox.offered
    agent, system = Still(), system_prompt(package)
    for beat in package.heartbeats:
        message = update_message(beat.heartbeat_id, beat.timestamp, [], 0, [], beat.shown())
        await agent.answer([{"role": "system", "content": system}, {"role": "user", "content": message}], tools)


async def _play(scenario: DayScenario, agent: Agent, folder: Path, name: str) -> None:
    end = await run(scenario, agent, CONFIG, folder, agent_id=name, run_number=1, now=lambda: _NOW)
    assert end.status == "ok", end.reason


# --- packages -----


def _packages(folder: Path, times: int) -> Iterator[Figure]:
    for tier in ("T1", "T4"):
        drawn, written, loaded = [], [], []
        for number, kind in enumerate(list(kinds())[: 2 * times]):
            began = time.perf_counter()
            package, key = generate(kind, tier, number)
            drawn.append(time.perf_counter() - began)
            path = write(package, key, folder / package.scenario_id)
            written.append(time.perf_counter() - began - drawn[-1])
            began = time.perf_counter()
            load(path)
            loaded.append(time.perf_counter() - began)
        draw, check, read = (statistics.median(each) * 1000 for each in (drawn, written, loaded))
        note = f"{draw:.0f} ms to draw, {check:.0f} to check and write; {read:.0f} ms to load and check"
        yield Figure(f"a package of tier {tier}", draw + check, "ms", note=note)


# --- transcripts -----


class Talker:
    """Reports to the user in every beat and to somebody else in every eighth, and keeps notes."""

    _SAID = (
        "Update {number}: heart rate and breathing look normal for this time of the day, and nothing unusual came in. "
        "The wearable's readings are within the normal range, there is no anomaly, and I will keep watching for any "
        "change. If anything abnormal comes up I will tell you right away. The next appointment is as planned, and "
        "traffic is light; leaving ten minutes early would be enough."
    )

    def __init__(self, other: str) -> None:
        self._number, self._other = 0, other

    async def answer(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        if messages[-1]["role"] != "user":
            return Reply("I have told the user and taken a note; all readings are as expected.")
        self._number += 1
        said = self._SAID.format(number=self._number)
        people = ["user", *([self._other] if self._number % 8 == 0 else [])]
        told = [AskedCall("send_message", {"contact_id": person, "text": said}) for person in people]
        return Reply(None, (*told, AskedCall("write_memory", {"key": "day", "content": said})))

    async def close(self) -> None:
        """It holds nothing."""


@dataclass(frozen=True)
class Original:
    """A run that was really made."""

    folder: Path
    scenario: DayScenario
    score: RunScore


def _originals(folder: Path, scenarios: Sequence[DayScenario]) -> list[Original]:
    results = []
    for scenario in scenarios:
        makers: dict[str, Agent] = {
            name: reference.make(name, 1) for name in ("never-acts", "threshold-monitor", "always-calls")
        }
        for name, agent in {**makers, "talker": Talker(scenario.day.package.contacts[0].id)}.items():
            place = folder / name / scenario.scenario_id / "run-01"
            asyncio.run(_play(scenario, agent, place, name))
            results.append(Original(place, scenario, scenario.score(read_transcript(place / "transcript.jsonl"))))
    return results


def _copied(original: Original, place: Path, agent: str, number: int) -> str:
    """The run under another agent's name and another id; the id."""
    run_id = f"{agent}.{original.scenario.scenario_id}.{number}"
    new = {"agent_id": agent, "run_id": run_id, "run_number": number}
    place.mkdir(parents=True)
    head, _, rest = (original.folder / "transcript.jsonl").read_bytes().partition(b"\n")
    (place / "transcript.jsonl").write_bytes(json.dumps(json.loads(head) | new).encode() + b"\n" + rest)
    config = json.loads((original.folder / "run_config.json").read_bytes())
    (place / "run_config.json").write_text(json.dumps(config | new, indent=2), encoding="utf-8")
    return run_id


def _packaged(folder: Path, wanted: Sequence[tuple[str, str, int]]) -> list[DayScenario]:
    results = []
    for kind, tier, seed in wanted:
        package, key = generate(kind, tier, seed)
        results.append(DayScenario(load(write(package, key, folder / package.scenario_id))))
    return results


def _scoring(folder: Path, count: int) -> list[Figure]:
    days = _packaged(folder / "scenarios", [("normal_day", "T1", 0), ("normal_day", "T4", 0)])
    originals = _originals(folder / "made", days)
    runs, size = folder / "runs", 0
    for number in range(count):
        original = originals[number % len(originals)]
        place = runs / "copies" / f"part-{number // FEW:02}" / f"run-{number:04}"
        _copied(original, place, "copies", number)
        size += (place / "transcript.jsonl").stat().st_size
    floor = [_child("decode", runs, folder / "scenarios")]
    scored = _child("score", runs, folder / "scenarios", FEW, count)
    floor.append(_child("decode", runs, folder / "scenarios"))
    least = statistics.mean(one["seconds"] for one in floor)
    limit = SCORE_SECONDS * count / 1000
    note = f"{scored['cpu']:.3g} s of CPU, {size / 1e6:,.0f} MB, {scored['seconds'] / count * 1000:.3g} ms each"
    few, many = scored["peaks"][str(FEW)], scored["peaks"][str(count)]
    return [
        at_most(f"{count:,} transcripts of {BEATS} beats scored, one core", scored["seconds"], "s", limit, note),
        Figure("… against a loop that only decodes their JSON", scored["seconds"] / least, "×", note=f"{least:.3g} s"),
        at_most(
            f"… peak memory after {count:,} against {FEW}", many / few, "×", GROWTH, f"{few:.0f} and {many:.0f} MB"
        ),
    ]


def _child(what: str, out: Path, scenarios: Path, *marks: int) -> dict[str, Any]:
    """In a process of its own, so that its memory is its own."""
    command = [sys.executable, "-c", _IN_CHILD, what, str(out), str(scenarios), *map(str, marks)]
    result: dict[str, Any] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return result


# --- leaderboard -----


def _leaderboard(folder: Path) -> list[Figure]:
    """Every agent is a mixture: its runs are taken from one that acts and from one that never does."""
    wanted = [(kind, "T1", seed) for seed, kind in enumerate(list(kinds())[:SCENARIOS])]
    days = _packaged(folder / "scenarios", wanted)
    originals = _originals(folder / "made", days)
    runs = folder / "runs"
    for agent in range(AGENTS):
        for index, day in enumerate(days):
            choice = [original for original in originals if original.scenario is day]
            for number in range(1, RUNS + 1):
                original = choice[(agent * number + index) % 3 > agent // 8]
                name = f"agent-{agent:02}"
                where = runs / name / day.scenario_id / f"run-{number:02}"
                score = original.score.model_copy(update={"run_id": _copied(original, where, name, number)})
                (where / "score.json").write_text(score.model_dump_json(indent=2), encoding="utf-8")
    found = _child("leaderboard", runs, folder / "scenarios")
    assert found["agents"] == AGENTS
    size = f"{AGENTS} agents × {SCENARIOS} scenarios × {RUNS} runs"
    note = f"{found['read']:.2g} s of it to read the files; {found['peak']:.0f} MB at its peak"
    return [Figure(f"leaderboard of a benchmark, {size}", found["seconds"], "s", note=note)]


if __name__ == "__main__":
    main(__doc__, measure)
