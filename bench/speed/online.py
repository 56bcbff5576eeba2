"""Spans over HTTP with and without a rule: what a judge behind every tenth span costs the sender.

One client sends batches of 1,000 spans of 1 KB to two projects, one without rules and one whose rule matches the root
of every trace of ten. First the worker is left out and the projects take turns: this is what the request itself costs.
Then the worker takes part, with a model on loopback that answers in a second, and the projects come one by one:
this is what a sender feels while a worker with more work than it can do shares the database and the processors.
"""

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench.speed.ingest import body
from bench.speed.stand import Caller, Figure, at_most, clock, databases, main, serving, workplace

from gnomon.testing import LoopbackModel

ROUNDS = {"small": 10, "medium": 30, "full": 100}
MOST_PERCENT = 10.0
JUDGE = {"model": "judge-1", "prompt_template": "Question: {{input}}\nAnswer: {{output}}\nRate it from 0 to 1."}


def measure(options: argparse.Namespace) -> list[Figure]:
    figures = []
    with (
        workplace() as folder,
        databases(options.databases, folder) as makers,
        LoopbackModel("1", latency=1.0) as model,
    ):
        os.environ.update(model.environment())
        for name, new in makers.items():
            for worker in (False, True):
                home = folder / f"home-{name}-{worker}"
                figures += _database(name, new, home, ROUNDS[options.size], worker=worker)
    return figures


def _database(name: str, new: Callable[[], str], home: Path, rounds: int, *, worker: bool) -> list[Figure]:
    with ExitStack() as stack:
        server = stack.enter_context(serving(new(), home, *([] if worker else ["--no-worker"])))
        caller = stack.enter_context(server.caller())
        scorer = {"scorer_name": "quality", "scorer": "llm_judge", "config": JUDGE}
        rule = {"project_id": "ruled", "name": "roots", "filter": {"root_only": True}, "scorer": scorer}
        caller.post("/rules", rule)
        if worker:
            _first_answer(caller)
        plain: list[float] = []
        ruled: list[float] = []
        turns = [(("plain", plain), ("ruled", ruled))] * rounds if not worker else (
            [(("plain", plain),)] * rounds + [(("ruled", ruled),)] * rounds
        )  # fmt: skip
        for number, turn in enumerate([turns[0], turns[0], *turns]):
            for project, times in turn:
                request = Caller.request("POST", "/traces/ingest", _thousand(f"{project}-{number}", project))
                seconds = clock(lambda: caller.send(request), 1)[0]  # noqa: B023
                if number > 1:  # the first ones warm up
                    times.append(seconds * 1000)
    more = statistics.median(ruled) / statistics.median(plain) * 100 - 100
    who = "with its worker at work" if worker else "the request alone"
    note = f"{statistics.median(plain):.1f} ms without, {statistics.median(ruled):.1f} ms with the rule, {rounds} pairs"
    what = f"1,000 spans, {name}, {who}: more for a rule on 100 of them"
    return [at_most(what, more, "%", MOST_PERCENT, note) if not worker else Figure(what, more, "%", note=note)]


def _first_answer(caller: Caller) -> None:
    """Let the worker load what it asks models with: seconds that no later batch meets."""
    (job,) = caller.post("/traces/ingest", json.loads(_thousand("first", "ruled")))["job_ids"]
    while caller.get(f"/jobs/{job}")["status"] in ("queued", "running"):
        time.sleep(0.1)


def _thousand(batch: str, project: str) -> bytes:
    spans: list[Any] = [span for half in "ab" for span in json.loads(body(f"{batch}-{half}"))["spans"]]
    return json.dumps({"project_id": project, "spans": spans}, separators=(",", ":")).encode()


if __name__ == "__main__":
    main(__doc__, measure)
