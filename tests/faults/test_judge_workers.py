"""Workers are killed all along, and every job ends all the same: once, and asked hardly more than once."""

import asyncio
import itertools
import os
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import preloaded
from conftest import Server, start_server
from contract.caller import Api, fresh_project
from gnomon.testing import Asked, LoopbackModel, Reply, Slow

JOBS, KILLS = 500, 6
JOBS_IN_ONE_FILE, KILLS_IN_ONE_FILE = 300, 3
CONCURRENCY, PATIENCE = 4, 1200.0
LEASE = {"GNOMON_LEASE_SECONDS": "20", "GNOMON_BACK_OFF_SECONDS": "0.05"}
JUDGE = {"scorer_name": "llm_judge", "config": {"model": "judge", "prompt_template": "{{input}} {{output}}"}}


class Workers:
    """`gnomon worker` processes, killed by number and started again."""

    def __init__(self, environment: dict[str, str], log: Path) -> None:
        self._environment, self._log = {**os.environ, **environment}, log
        self.running: list[preloaded.Process] = []
        self.kills = 0

    def start(self) -> None:
        arguments = ["-m", "gnomon", "worker", "--concurrency", str(CONCURRENCY)]
        self.running.append(preloaded.start(arguments, self._environment, self._log))

    def kill_one(self, number: int) -> None:
        victim = self.running.pop(number)
        victim.kill()
        victim.wait()
        self.kills += 1
        self.start()

    def stop(self) -> None:
        for one in self.running:
            one.kill()
            one.wait()


class PausesForKills:
    """A model that answers until the next kill is due, and then holds its answers back until it has happened.

    So the number of kills depends on no clock: however slowly the test looks, no worker gets ahead of it.
    """

    def __init__(self, answer: Reply, pauses_after: Sequence[int]) -> None:
        self.kills = 0
        self._answer, self._pauses_after = answer, pauses_after

    def is_due(self, calls: int) -> bool:
        return self.kills < len(self._pauses_after) and calls > self._pauses_after[self.kills]

    async def __call__(self, asked: Asked) -> Reply:
        while self.is_due(asked.number):
            await asyncio.sleep(0.02)
        return self._answer


def pauses(kills: int, apart: tuple[int, int], seed: int) -> list[int]:
    """After how many questions each kill is due, at random."""
    randomly = random.Random(seed)
    return list(itertools.accumulate(randomly.randint(*apart) for _ in range(kills)))


def queue(server: Server, jobs: int) -> tuple[Api, str]:
    """So many runs, each with a judge; the experiment's id."""
    api = Api(server.http, server.admin_key, fresh_project()).with_key("admin")
    dataset = api.questions(jobs)
    experiment_id = api.experiment(dataset.id)
    for start in range(0, jobs, 1000):
        runs = [{"dataset_item_id": item, "output": f"a{n}", "scores": [JUDGE]}
                for n, item in enumerate(dataset.item_ids[start : start + 1000], start)]  # fmt: skip
        api.make(f"/experiments/{experiment_id}/runs", {"runs": runs})
    return api, experiment_id


def scored(api: Api, experiment_id: str) -> dict:
    found: dict = api.read(f"/experiments/{experiment_id}/summary")["scores_by_scorer"]["llm_judge"]
    return found


def until(reached: Callable[[], bool], meanwhile: Callable[[], None] = lambda: None) -> None:
    deadline = time.monotonic() + PATIENCE
    while not reached() and time.monotonic() < deadline:
        time.sleep(0.1)
        meanwhile()


def assert_each_scored_once(told: dict, jobs: int) -> None:
    assert (told["n_pending"], told["n_failed"], told["n_absent"]) == (0, 0, 0)
    assert (told["n_scored"], told["score_count"]) == (jobs, jobs)


def test_three_workers_on_postgresql_are_killed_at_random(new_postgresql, tmp_path):
    url, randomly = new_postgresql(), random.Random(1)
    script = PausesForKills("1", pauses(KILLS, (60, 75), seed=1))
    with LoopbackModel(script, latency=0.01) as model:
        server = start_server(url, tmp_path, "--no-worker", **model.environment(), **LEASE)
        workers = Workers({**model.environment(), **LEASE, "GNOMON_DATABASE_URL": url}, tmp_path / "workers.log")

        def kill_who_is_due() -> None:
            if script.is_due(model.calls):
                workers.kill_one(randomly.randrange(3))
                script.kills = workers.kills

        try:
            api, experiment_id = queue(server, JOBS)
            for _ in range(3):
                workers.start()
            until(lambda: model.calls >= JOBS, kill_who_is_due)
            until(lambda: not scored(api, experiment_id)["n_pending"], kill_who_is_due)
            told = scored(api, experiment_id)
        finally:
            workers.stop()
            server.stop()
    assert workers.kills == KILLS
    assert_each_scored_once(told, JOBS)
    assert model.calls <= JOBS + KILLS * CONCURRENCY
    assert model.calls <= 1.1 * JOBS


def test_one_process_on_sqlite_is_killed_and_started_again(tmp_path):
    url = f"sqlite:///{tmp_path / 'gnomon.db'}"
    script = PausesForKills("1", pauses(KILLS_IN_ONE_FILE, (55, 80), seed=2))
    with LoopbackModel(script, latency=0.01) as model:
        own = {**model.environment(), **LEASE, "GNOMON_JUDGE_CONCURRENCY": str(CONCURRENCY)}
        server = start_server(url, tmp_path, "--no-worker", **own)
        api, experiment_id = queue(server, JOBS_IN_ONE_FILE)
        server.stop()
        for life in range(KILLS_IN_ONE_FILE):
            server = start_server(url, tmp_path / str(life), **own)
            until(lambda: script.is_due(model.calls))
            server.kill()
            script.kills += 1
        server = start_server(url, tmp_path / "last", **own)
        api = type(api)(server.http, server.admin_key, api.project).with_key("admin")
        until(lambda: not scored(api, experiment_id)["n_pending"])
        told = scored(api, experiment_id)
        server.stop()
    assert_each_scored_once(told, JOBS_IN_ONE_FILE)
    assert model.calls <= JOBS_IN_ONE_FILE + KILLS_IN_ONE_FILE * CONCURRENCY
    assert model.calls <= 1.1 * JOBS_IN_ONE_FILE


@pytest.mark.slow
def test_a_job_whose_worker_is_killed_each_time_is_asked_six_times_and_then_failed(new_url, tmp_path):
    """No job is attempted more often than its limit, whatever ends its lease."""
    own = {"GNOMON_LEASE_SECONDS": "1", "GNOMON_BACK_OFF_SECONDS": "0.05"}
    with LoopbackModel(Slow(600)) as model:
        server = start_server(new_url, tmp_path, "--no-worker", **model.environment(), **own)
        environment = {**model.environment(), **own, "GNOMON_DATABASE_URL": new_url}
        workers = Workers(environment, tmp_path / "workers.log")
        try:
            api, experiment_id = queue(server, 1)
            workers.start()

            def kill_who_asks() -> None:
                if model.calls > workers.kills:
                    workers.kill_one(0)

            until(lambda: not scored(api, experiment_id)["n_pending"], kill_who_asks)
            (job,) = api.items("/jobs")
        finally:
            workers.stop()
            server.stop()
    assert (job["status"], job["attempts"], model.calls) == ("failed", 6, 6)
    assert job["reason"].startswith("gave up after 6 attempts")
