"""A worker is killed in the middle of a probe: another goes on, and asks again hardly more than what was on its way."""

from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import start_server
from contract.caller import Api, expect, fresh_project
from faults.test_judge_workers import CONCURRENCY, Workers, until
from gnomon.testing import LoopbackModel

LEASE = {"GNOMON_LEASE_SECONDS": "3", "GNOMON_BACK_OFF_SECONDS": "0.05"}
JUDGE = {"scorer_name": "tone", "scorer": "llm_judge",
         "config": {"model": "judge", "prompt_template": "{{input}} {{output}}"}}  # fmt: skip
TARGETS, CALLS = 40, 120


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_probe_goes_on_after_its_worker_was_killed(
    database: str, new_postgresql: Callable[[], str], tmp_path: Path
) -> None:
    url = new_postgresql() if database == "postgresql" else f"sqlite:///{tmp_path / 'gnomon.db'}"
    with LoopbackModel("1", latency=0.05) as model:
        server = start_server(url, tmp_path, "--no-worker", **model.environment(), **LEASE)
        workers = Workers({**model.environment(), **LEASE, "GNOMON_DATABASE_URL": url}, tmp_path / "workers.log")
        try:
            api = Api(server.http, server.admin_key, fresh_project()).with_key("admin")
            dataset = api.questions(TARGETS)
            experiment = api.experiment(dataset.id)
            runs = [{"dataset_item_id": item, "output": item, "scores": [JUDGE]} for item in dataset.item_ids]
            api.make(f"/experiments/{experiment}/runs", {"runs": runs})
            workers.start()
            until(lambda: api.read(f"/experiments/{experiment}/summary")["scores_by_scorer"]["tone"]["n_pending"] == 0)
            before = model.calls
            body = {"project_id": api.project, "samples": TARGETS}
            id = expect(202, api.post("/judges/tone/probe", body))["job_id"]
            until(lambda: sum(api.read(f"/jobs/{id}")["counts"].values()) >= 20)
            workers.kill_one(0)
            assert api.read(f"/jobs/{id}")["status"] == "running"
            job = api.finished(id)
            asked = model.calls - before
            budget = api.read(f"/projects/{api.project}/budget")
            probe = api.read("/judges/tone/card")["probe"]
        finally:
            workers.stop()
            server.stop()
    assert (job["status"], job["counts"]) == ("done", {"answered": CALLS})
    assert CALLS <= asked <= CALLS + 3 * CONCURRENCY, "what was answered and stored is not asked again"
    assert probe["samples"] == TARGETS
    assert CALLS <= probe["calls"] <= asked, "calls that were on their way when the worker died are counted too"
    assert sum(row["calls"] for row in budget["by_model"]) == TARGETS + probe["calls"]
