"""How busy a hundred parallel runs keep a model that takes a second for each turn, and what a turn takes beside it.

The model answers from a process of its own. A run is the first updates of a day with all modules and tools, written
down beat by beat as always; reference agents, which take no time to answer, show what the runs themselves take.
"""

import argparse
import asyncio
import time
from pathlib import Path

from bench.speed.model import Model, model
from bench.speed.stand import Figure, at_least, main, workplace

from gnomon.bench.agents import parse_spec
from gnomon.bench.batch import plans, run_many
from gnomon.bench.generate import generate
from gnomon.bench.package import Scenario
from gnomon.llm.ask import load
from gnomon.model.transcript import RunConfig

RUNS = 100
SECONDS = 1.0
BUSY = 0.8
BEATS = {"small": 10, "medium": 20, "full": 60}
CONFIG = RunConfig(agent_model="-", user_sim_model="none", judge_model="none", model_params={"temperature": 0})


def measure(options: argparse.Namespace) -> list[Figure]:
    beats = BEATS[options.size]
    load()
    with workplace() as folder, model("Nothing to do.", SECONDS) as asked:
        return [_driven(folder / "model", asked, beats), _alone(folder / "reference", beats)]


def _scenario(beats: int) -> Scenario:
    package, _ = generate("normal_day", "T4", 0)
    return Scenario(None, package.model_copy(update={"heartbeats": package.heartbeats[:beats]}))


def _driven(folder: Path, asked: Model, beats: int) -> Figure:
    todo = plans(folder, [parse_spec("agent-1")], [_scenario(beats)], RUNS, CONFIG)
    computed = time.process_time()
    outcomes = asyncio.run(run_many(todo, concurrency=RUNS))
    computed = time.process_time() - computed
    failed = [outcome.reason for outcome in outcomes if outcome.state != "finished"]
    assert not failed, f"{len(failed)} runs failed, the first: {failed[0]}"
    came = asked.calls()
    assert len(came) == RUNS * beats, f"{len(came)} calls for {RUNS * beats} turns"
    steady = came[RUNS:-RUNS]
    rate, possible = (len(steady) - 1) / (steady[-1] - steady[0]), RUNS / SECONDS
    told = f"{rate:.1f} of {possible:.0f} calls/s, {computed / len(came) * 1000:.1f} ms of CPU a turn"
    return at_least(f"driving a model of {SECONDS:g} s with {RUNS} runs", rate / possible, "×", BUSY, told)


def _alone(folder: Path, beats: int) -> Figure:
    todo = plans(folder, [parse_spec("reference:threshold-monitor")], [_scenario(beats)], RUNS, CONFIG)
    began, computed = time.perf_counter(), time.process_time()
    outcomes = asyncio.run(run_many(todo, concurrency=RUNS))
    seconds, computed = time.perf_counter() - began, time.process_time() - computed
    assert {outcome.state for outcome in outcomes} == {"finished"}
    note = f"{computed / (RUNS * beats) * 1000:.2g} ms of CPU a beat, each on disk before the next"
    return Figure("beats of reference agents", RUNS * beats / seconds, "beats/s", note=note)


if __name__ == "__main__":
    main(__doc__, measure)
