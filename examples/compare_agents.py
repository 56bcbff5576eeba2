"""Two agents on four simulated days, in Python: one does nothing, one calls for help when the heart rate is 0.

    python examples/compare_agents.py

An agent is an object with `answer(messages, tools)`; nothing here needs a server, a model or a network.
"""

import asyncio
import tempfile
from pathlib import Path

from gnomon.bench import batch
from gnomon.bench.agents import parse_spec
from gnomon.bench.generate import generate
from gnomon.bench.package import load, write
from gnomon.model.transcript import RunConfig
from gnomon.service import benches, benchruns


def watchful(messages: list[dict], tools: list[dict]) -> dict:
    """What `python:compare_agents:watchful` names: it looks at the update that it was sent, and at nothing else."""
    asked = messages[-1]["role"] == "user"
    if asked and '"heart_rate": 0' in messages[-1]["content"]:
        return {"tool_calls": [{"name": "make_call", "args": {"number": "911"}}]}
    return {"text": "nothing to do"}


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        days = []
        for kind, seed in (("cardiac_arrest", 1), ("cardiac_arrest", 2), ("one_beat_glitch", 3), ("normal_day", 4)):
            package, key = generate(kind, "T1", seed)
            days.append(load(write(package, key, folder / package.scenario_id)))
        specs = [parse_spec("python:compare_agents:watchful"), parse_spec("reference:never-acts")]
        config = RunConfig(agent_model="none", user_sim_model="scripted", judge_model="none")
        asyncio.run(batch.run_many(batch.plans(folder / "runs", specs, days, 2, config)))
        found = benches.leaderboard(benchruns.read_runs(folder / "runs").runs)
        for agent in found.agents:
            low, high = agent.confidence_interval
            print(f"{agent.agent_id}: succeeds on {agent.overall_score:.0%} of the days ({low:.0%} to {high:.0%})")


if __name__ == "__main__":
    main()
