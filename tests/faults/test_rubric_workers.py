"""Workers are killed while they ask by a rubric: every run has all of its scores or none, and in the end all, once."""

from collections import Counter

from conftest import Server, start_server
from contract.caller import Api, fresh_project
from faults.test_judge_workers import CONCURRENCY, LEASE, PausesForKills, Workers, pauses, until
from gnomon.testing import LoopbackModel

JOBS, KILLS = 120, 4
DIMENSIONS = ("truth", "tone", "care")
NAMES = {"quality", *(f"quality.{dimension}" for dimension in DIMENSIONS)}
SCORER = {
    "scorer_name": "quality",
    "scorer": "rubric",
    "config": {
        "model": "judge",
        "rubric": {
            "version": 1,
            "name": "answers",
            "instructions": "Judge the answer.",
            "dimensions": [{"name": name, "description": name} for name in DIMENSIONS],
        },
    },
}
ANSWER = {
    "reasoning": "r",
    "dimension_scores": [{"dimension": name, "score": 8, "reasoning": "r"} for name in DIMENSIONS],
    "overall_score": 7,
    "overall_assessment": "a",
}


def queue(server: Server) -> tuple[Api, str]:
    api = Api(server.http, server.admin_key, fresh_project()).with_key("admin")
    dataset = api.questions(JOBS)
    experiment_id = api.experiment(dataset.id)
    runs = [{"dataset_item_id": item, "output": f"a{n}", "scores": [SCORER]}
            for n, item in enumerate(dataset.item_ids)]  # fmt: skip
    api.make(f"/experiments/{experiment_id}/runs", {"runs": runs})
    return api, experiment_id


def whole_runs(api: Api, experiment_id: str) -> int:
    """How many runs are scored; a run that has only some of its scores is a fault."""
    scored = 0
    for run in api.items(f"/experiments/{experiment_id}/runs"):
        names = Counter(score["scorer_name"] for score in run["scores"])
        assert names in (Counter(), Counter(NAMES)), names
        scored += bool(names)
    return scored


def test_a_killed_worker_leaves_all_scores_of_a_rubric_or_none(database, new_postgresql, tmp_path):
    """One job writes all of its scores in one transaction: killed at any moment, it has written all or none."""
    url = new_postgresql() if database == "postgresql" else f"sqlite:///{tmp_path / 'gnomon.db'}"
    script = PausesForKills(ANSWER, pauses(KILLS, (10, 20), seed=3))
    with LoopbackModel(script, latency=0.01) as model:
        server = start_server(url, tmp_path, "--no-worker", **model.environment(), **LEASE)
        workers = Workers({**model.environment(), **LEASE, "GNOMON_DATABASE_URL": url}, tmp_path / "workers.log")

        def kill_when_due() -> None:
            if script.is_due(model.calls):
                workers.kill_one(0)
                script.kills = workers.kills

        try:
            api, experiment_id = queue(server)
            workers.start()
            until(lambda: whole_runs(api, experiment_id) == JOBS, kill_when_due)
            told = api.read(f"/experiments/{experiment_id}/summary")["scores_by_scorer"]
            jobs = Counter(job["status"] for job in api.items("/jobs"))
        finally:
            workers.stop()
            server.stop()
    assert workers.kills == KILLS
    counts = ("n_scored", "score_count", "n_failed", "n_pending")
    assert {name: tuple(one[count] for count in counts) for name, one in told.items()} == dict.fromkeys(
        NAMES, (JOBS, JOBS, 0, 0)
    )
    assert jobs == {"done": JOBS}
    assert model.calls <= JOBS + KILLS * CONCURRENCY
