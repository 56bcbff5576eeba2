"""How busy a hundred parallel runs keep a model that takes a second for each turn, and what a turn takes beside it.

The model answers from a process of its own. A run is the first updates of a day with all modules and tools, written
down beat by beat as always. Bare `litellm.acompletion` with as many of the same calls shows what can be had on
this machine, reference agents, which take no time to answer, what the runs themselves take.
"""

import argparse
import asyncio
import time
from pathlib import Path

from bench.speed.model import Model, model
from bench.speed.stand import Figure, at_least, main, workplace

from gnomon.bench.agents import parse_spec
from gnomon.bench.batch import plans, run_many
from gnomon.bench.noticing.family import DayScenario
from gnomon.bench.noticing.generate import generate
from gnomon.bench.noticing.package import DayPackage
from gnomon.bench.noticing.prompt import system_prompt, update_message
from gnomon.bench.toolbox import Toolbox
from gnomon.llm.ask import close
from gnomon.llm.litellm_transport import load
from gnomon.model.transcript import RunConfig

NAME = "agent-1"
RUNS = 100
SECONDS = 1.0
BUSY = 0.8
BEATS = {"small": 10, "medium": 20, "full": 60}
CONFIG = RunConfig(agent_model="-", user_sim_model="none", judge_model="none", model_params={"temperature": 0})


def measure(options: argparse.Namespace) -> list[Figure]:
    beats = BEATS[options.size]
    load()
    with workplace() as folder, model("Nothing to do.", SECONDS) as server:
        return [*_driven(folder / "model", server, beats), _alone(folder / "reference", beats)]


def _scenario(beats: int) -> DayScenario:
    package, _ = generate("normal_day", "T4", 0)
    return DayScenario(DayPackage(None, package.model_copy(update={"heartbeats": package.heartbeats[:beats]})))


def _driven(folder: Path, server: Model, beats: int) -> list[Figure]:
    todo = plans(folder, [parse_spec(NAME)], [_scenario(beats)], RUNS, CONFIG)
    asyncio.run(_bare(server, beats))
    bare = _rate(server, beats)
    computed = time.process_time()
    outcomes = asyncio.run(run_many(todo, concurrency=RUNS))
    computed = time.process_time() - computed
    failed = [outcome.reason for outcome in outcomes if outcome.state != "finished"]
    assert not failed, f"{len(failed)} runs failed, the first: {failed[0]}"
    own, possible = _rate(server, beats), RUNS / SECONDS
    note = f"{own:.1f} of {possible:.0f} calls/s, {computed / (RUNS * beats) * 1000:.1f} ms of CPU a turn"
    return [
        at_least(f"driving a model of {SECONDS:g} s with {RUNS} runs", own / possible, "×", BUSY, note),
        Figure("… against bare LiteLLM, as many calls in flight", own / bare, "×", note=f"{bare:.1f} calls/s"),
    ]


def _rate(server: Model, beats: int) -> float:
    """Calls a second, without the first and the last of what is in flight: they are the start and the end."""
    came = server.calls()
    assert len(came) == RUNS * beats, f"{len(came)} calls for {RUNS * beats} turns"
    steady = came[RUNS:-RUNS]
    return (len(steady) - 1) / (steady[-1] - steady[0])


async def _bare(server: Model, beats: int) -> None:
    package = _scenario(beats).day.package
    tools = Toolbox(package.tool_definitions).offered
    system = {"role": "system", "content": system_prompt(package)}
    told = [update_message(beat.heartbeat_id, beat.timestamp, [], 0, [], beat.shown()) for beat in package.heartbeats]
    where = {"api_base": server.base_url, "api_key": "k", "_skip_mcp_handler": True}

    async def one_run() -> None:
        for text in told:
            messages = [system, {"role": "user", "content": text}]
            await load().acompletion(f"openai/{NAME}", messages, tools=tools, max_retries=0, **where)

    await asyncio.gather(*(one_run() for _ in range(RUNS)))
    await close()


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
