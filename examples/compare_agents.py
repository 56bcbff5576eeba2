"""Two agents on four simulated days, in Python: one does nothing, one calls for help when the heart rate is 0.

    python examples/compare_agents.py

An agent is an object with `answer(messages, tools)`; nothing here needs a server, a model or a network.
"""

import tempfile
from pathlib import Path

import gnomon as gn
from gnomon.bench.families import by_name

DAYS = (("cardiac_arrest", 1), ("cardiac_arrest", 2), ("one_beat_glitch", 3), ("normal_day", 4))


def watchful(messages: list[dict], tools: list[dict]) -> dict:
    """What `python:compare_agents:watchful` names: it looks at the update that it was sent, and at nothing else."""
    asked = messages[-1]["role"] == "user"
    if asked and '"heart_rate": 0' in messages[-1]["content"]:
        return {"tool_calls": [{"name": "make_call", "args": {"number": "911"}}]}
    return {"text": "nothing to do"}


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        days = by_name("noticing").generator
        scenarios = [days.generate(kind, seed, folder / "days", {"tier": "T1"}).path for kind, seed in DAYS]
        agents = ["python:compare_agents:watchful", "reference:never-acts"]
        gn.run_benchmark(scenarios, agents, folder / "runs", runs=2)
        for agent in gn.rank_runs(folder / "runs").agents:
            low, high = agent.confidence_interval
            print(f"{agent.agent_id}: succeeds on {agent.overall_score:.0%} of the days ({low:.0%} to {high:.0%})")


if __name__ == "__main__":
    main()
