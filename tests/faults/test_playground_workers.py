"""A worker is killed in the middle of a playground run: another one goes on, and no answer is stored twice."""

import asyncio
import threading
from pathlib import Path
from typing import Any

from conftest import start_server
from contract.caller import Api, expect, fresh_project
from faults.test_judge_workers import CONCURRENCY, LEASE, Workers, until
from gnomon.testing import LoopbackModel

ITEMS = 40


def test_a_killed_worker_loses_nothing_and_stores_nothing_twice(database: str, new_url: str, tmp_path: Path):
    asked, gate = threading.Semaphore(0), threading.Event()

    async def answer(request: Any) -> str:
        """Half of the items at once; the rest once the first worker is dead."""
        number = int(request.prompt.split()[-1])
        asked.release()
        while number >= ITEMS // 2 and not gate.is_set():
            await asyncio.sleep(0.01)
        return f"answer {number}"

    with LoopbackModel(answer) as model:
        server = start_server(new_url, tmp_path, "--no-worker", **model.environment(), **LEASE)
        workers = Workers({**model.environment(), **LEASE, "GNOMON_DATABASE_URL": new_url}, tmp_path / "workers.log")
        try:
            api = Api(server.http, server.admin_key, fresh_project()).with_key("admin")
            dataset = api.dataset([{"input": f"question {n}", "expected_output": f"answer {n}"} for n in range(ITEMS)])
            body = {
                "dataset_id": dataset.id, "first_items": ITEMS, "scorers": [{"scorer_name": "exact_match"}],
                "candidates": [{"messages": [{"role": "user", "content": "{{input}}"}], "model": "played"}],
            }  # fmt: skip
            accepted = expect(202, api.post("/playground", body))
            experiment = f"/experiments/{accepted['experiments'][0]['experiment_id']}"
            workers.start()
            for _ in range(ITEMS // 2 + CONCURRENCY):
                assert asked.acquire(timeout=1200)
            until(lambda: api.read(experiment)["run_count"] == ITEMS // 2)
            workers.kill_one(0)
            gate.set()
            until(lambda: api.read(f"/jobs/{accepted['job_id']}")["status"] not in ("queued", "running"))
            job, runs = api.read(f"/jobs/{accepted['job_id']}"), api.items(f"{experiment}/runs", sort="item")
            assert (job["status"], job["attempts"], job["counts"]) == ("done", 2, {"answered": ITEMS})
            assert [run["output"] for run in runs] == [f"answer {n}" for n in range(ITEMS)]
            assert all(len(run["scores"]) == 1 for run in runs)
            assert api.read(experiment)["status"] == "completed"
            assert len(api.items("/traces")) == ITEMS
            assert model.calls <= ITEMS + CONCURRENCY
        finally:
            gate.set()
            workers.stop()
            server.stop()
