"""What a researcher ranks besides the demo: agents whose runs cost something, and a benchmark with many agents."""

import random
from pathlib import Path

from contract.caller import Api
from gnomon.model.bench import MetricValue, RunScore
from gnomon.report.leaderboard import page
from gnomon.service.bench.leaderboard import Ran, leaderboard
from service.benchboard import ran

PROJECT = "research"
_AGENTS = {"frugal": (200, 0.5), "middle": (900, 0.5), "lavish": (4000, 0.9)}
"""Tokens per run, and how often it is right."""


def fill(api: Api) -> dict[str, str]:
    """Three agents of different cost on twenty questions."""
    dataset = api.dataset([{"input": f"question {n}"} for n in range(20)], name="priced questions")
    chances = random.Random(3)
    for agent, (tokens, share) in _AGENTS.items():
        experiment = api.experiment(dataset.id, name=agent)
        runs, spans = [], []
        for n, item in enumerate(dataset.item_ids):
            trace = f"{agent}-{n}"
            spans.append({
                "id": trace, "trace_id": trace, "name": "answer", "start_time": "2026-01-31T12:00:00Z",
                "end_time": "2026-01-31T12:00:01Z", "model": "openai/gpt-4o", "tokens_input": tokens + 10 * n,
                "tokens_output": tokens // 4,
            })  # fmt: skip
            score = {"scorer_name": "quality", "value": float(chances.random() < share)}
            runs.append({"dataset_item_id": item, "output": "an answer", "trace_id": trace, "scores": [score]})
        api.make("/traces/ingest", {"project_id": api.project, "spans": spans})
        api.make(f"/experiments/{experiment}/runs", {"runs": runs})
    return {"priced": dataset.id, "crowd": _crowd(api)}


def _crowd(api: Api) -> str:
    """Twenty agents whose long names differ at their end only, with costs that lie close together."""
    dataset = api.dataset([{"input": f"question {n}"} for n in range(6)], name="crowd")
    chances = random.Random(5)
    for agent in range(20):
        experiment = api.experiment(
            dataset.id, name=f"an-agent-with-its-whole-configuration-in-the-name-{'x' * 40}-seed-{agent}"
        )
        runs, spans = [], []
        for n, item in enumerate(dataset.item_ids):
            trace = f"crowd-{agent}-{n}"
            spans.append({
                "id": trace, "trace_id": trace, "name": "answer", "start_time": "2026-01-31T12:00:00Z",
                "model": "openai/gpt-4o", "tokens_input": 400 + 7 * agent + n, "tokens_output": 100,
            })  # fmt: skip
            # Some scores are missing, so that there is something to hatch.
            share = {"scorer_name": "quality", "value": float(chances.random() < agent / 20), "rationale": "by chance"}
            runs.append({"dataset_item_id": item, "output": "an answer", "trace_id": trace,
                         "scores": [share] if (agent, n) != (3, 0) else []})  # fmt: skip
        api.make("/traces/ingest", {"project_id": api.project, "spans": spans})
        api.make(f"/experiments/{experiment}/runs", {"runs": runs})
    return dataset.id


def write_broad_page(folder: Path) -> dict[str, str]:
    """Twelve agents on both families, as `gnomon bench leaderboard --html` writes them."""
    path = folder / "broad.html"
    path.write_text(page(leaderboard(_broad_runs())), encoding="utf-8")
    return {"broad_page": path.as_uri()}


def _broad_runs() -> list[Ran]:
    chances = random.Random(4)
    runs = []
    for agent in range(12):
        name = f"agent-{agent}-with-a-longer-name"
        for day in range(6):
            outcomes = ["nothing", "called", "both", "told"][: 1 + agent % 4]
            runs += [ran(name, f"cardiac_arrest_T1_s{day}", n, chances.choice(outcomes)) for n in (1, 2, 3)]
        for task in range(14):
            runs += [_task_run(name, task, n, chances, agent / 12) for n in (1, 2, 3)]
    return runs


def _task_run(agent: str, task: int, number: int, chances: random.Random, share: float) -> Ran:
    tools = ["find_order", "refund_order", "cancel_order", "find_customer", "list_items", "send_mail"]
    values = {"state_match": 1.0, "required_calls": 0.5, "forbidden_calls": 0, "tool_errors": chances.randrange(3),
              "tool_calls": 7, "steps": 3, "tools": chances.sample(tools, 3)}  # fmt: skip
    scenario = f"returns_desk.task_{task}"
    score = RunScore(
        family="tasks", scenario_id=scenario, run_id=f"{agent} {scenario} {number}", scorable=True,
        success=chances.random() < share, metrics={name: MetricValue(value=value) for name, value in values.items()},
        scorer_version=1,
    )  # fmt: skip
    about = {"package": "returns_desk", "task": f"task_{task}"}
    cost = 0.01 * (1 + share) * (0.8 + 0.4 * chances.random())
    return ran(agent, scenario, number, run_score=score, cost_usd=cost, tags=about, content_hash="")
