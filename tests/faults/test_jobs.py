"""A worker that dies in the middle of a job: another one goes on, and every run is scored exactly once."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from contract.caller import Api, expect
from faults.victim import Victim, eventually
from gnomon.model.access import Principal
from gnomon.model.experiment import ScoreExperimentDraft
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.jobs import jobs
from gnomon.service.scoring import spanjobs
from gnomon.store import jobs as job_table
from gnomon.store.engine import Store, open_store
from gnomon.store.schema import scores

RUNS = 5000
SCORERS = ("exact_match", "contains", "similarity")
A_PIECE = 500


class LaterClock(Clock):
    """The time after every lease of now has run out, so that no test waits for it."""

    def now_ms(self) -> int:
        return super().now_ms() + int(job_table.LEASE.total_seconds() * 1000) + 1000


@contextmanager
def opened(url: str) -> Iterator[Store]:
    store = open_store(url)
    try:
        yield store
    finally:
        store.close()


def experiment_with_runs(api: Api, count: int) -> str:
    dataset = api.dataset()
    lines = "".join(f'{{"input": "q{n}", "expected_output": "a{n % 7}"}}\n' for n in range(count))
    path = f"/datasets/{dataset.id}/items/import"
    expect(200, api.call("POST", path, content=lines, headers={"Content-Type": "application/x-ndjson"}))
    runs = [{"dataset_item_id": id, "output": "a3"} for id in api.ids(f"/datasets/{dataset.id}/items")]
    experiment = api.experiment(dataset.id)
    for start in range(0, count, 1000):
        api.make(f"/experiments/{experiment}/runs", {"runs": runs[start : start + 1000]})
    return experiment


def scores_per_run(store: Store) -> Counter[int]:
    """How many runs have how many scores of one scorer."""
    counted = sa.select(sa.func.count(scores.c.id).label("n")).group_by(scores.c.target_id, scores.c.scorer_name)
    of_each = counted.subquery()
    found = sa.select(of_each.c.n, sa.func.count()).group_by(of_each.c.n)
    return Counter(dict(map(tuple, store.read(lambda db: db.execute(found).all()))))


def begun_job(api: Api, store: Store) -> tuple[str, str]:
    """An experiment, and a job over it of which a worker has finished a piece."""
    experiment = experiment_with_runs(api, RUNS)
    wanted = {"scorers": [{"scorer_name": name} for name in SCORERS]}
    job = expect(202, api.post(f"/experiments/{experiment}/score", wanted))["job_id"]
    eventually(lambda: store.read(lambda db: job_table.get(db, job)).position, "the worker to begin")
    return experiment, job


@pytest.mark.slow
def test_a_job_goes_on_where_a_killed_worker_left_it(new_url, victim):
    server: Victim = victim(new_url).start()
    with server.api() as api, opened(new_url) as store:
        experiment, job = begun_job(api, store)
        server.kill()

        left = store.read(lambda db: job_table.get(db, job))
        assert left.status == "running", "it was finished before it could be killed: let it have more runs"
        done = sum(left.counts.values())
        assert 0 < done < RUNS * len(SCORERS)
        assert scores_per_run(store) == {1: done}, "a piece is stored with the position it reached, or not at all"

        assert jobs.Worker(store, Clock()).run_one() is False, "a lease that still runs is respected"
        assert jobs.Worker(store, LaterClock()).run_one() is True
        ended = store.read(lambda db: job_table.get(db, job))
        assert (ended.status, ended.attempts) == ("done", 2)
        assert sum(ended.counts.values()) == RUNS * len(SCORERS)
        assert scores_per_run(store) == {1: RUNS * len(SCORERS)}
    with server.start().api() as api:
        shown = api.read(f"/experiments/{experiment}/summary")["scores_by_scorer"]
        assert {name: told["scored_run_count"] for name, told in shown.items()} == dict.fromkeys(SCORERS, RUNS)
        assert api.read(f"/jobs/{job}")["status"] == "done"


@pytest.mark.slow
def test_a_job_that_is_under_way_at_sigterm_is_given_back_and_finished_by_the_next(new_url, victim):
    server: Victim = victim(new_url).start()
    with server.api() as api, opened(new_url) as store:
        _, job = begun_job(api, store)
        assert server.stop() == 0
        left = store.read(lambda db: job_table.get(db, job))
        assert (left.status, left.lease_owner) == ("queued", None)
    with server.start().api() as api:
        assert api.finished(job)["status"] == "done"
    with opened(new_url) as store:
        assert scores_per_run(store) == {1: RUNS * len(SCORERS)}


@pytest.fixture
def waiting(new_url, victim) -> Iterator[tuple[Store, str]]:
    """A database with a job that nobody has begun."""
    server: Victim = victim(new_url, "--no-worker").start()
    with server.api() as api:
        experiment = experiment_with_runs(api, A_PIECE * 2 + 10)
    server.stop()
    with opened(new_url) as store:
        draft = ScoreExperimentDraft.model_validate({"scorers": [{"scorer_name": "exact_match"}]})
        told = store.write(
            lambda db: jobs.score_experiment(Call(db, Principal("test", "admin"), Clock()), experiment, draft)
        )
        yield store, told.job_id


def test_a_long_job_makes_way_for_one_that_came_meanwhile(waiting):
    store, long = waiting
    experiment = store.read(lambda db: job_table.get(db, long)).experiment_id
    draft = ScoreExperimentDraft.model_validate({"scorers": [{"scorer_name": "contains"}]})
    worker = jobs.Worker(store, Clock())
    told = store.write(lambda db: jobs.score_experiment(Call(db, Principal("t", "admin"), Clock()), experiment, draft))
    assert worker.run_one() is True
    begun = store.read(lambda db: job_table.get(db, long))
    assert (begun.status, sum(begun.counts.values()), begun.attempts) == ("queued", jobs.LEAST_TOGETHER, 0)
    while worker.run_one():
        pass
    ended = [store.read(lambda db, job=job: job_table.get(db, job)) for job in (long, told.job_id)]
    assert [job.status for job in ended] == ["done", "done"]
    assert scores_per_run(store) == {1: 2 * (A_PIECE * 2 + 10)}


def test_a_worker_that_lost_its_lease_stores_nothing_more(waiting):
    store, job = waiting
    slow, quick = jobs.Worker(store, Clock()), jobs.Worker(store, LaterClock())
    store.write(lambda db: job_table.claim(db, slow.owner, Clock().now(), jobs.KINDS))
    assert quick.run_one() is True
    row = store.read(lambda db: job_table.get(db, job))
    with pytest.raises(jobs._LeaseLost):
        slow._score_piece(row, spanjobs.plans_of(row))
    assert scores_per_run(store) == {1: A_PIECE * 2 + 10}


def test_a_job_that_kills_every_worker_is_given_up(waiting):
    store, job = waiting
    time = LaterClock()
    for worker in range(job_table.MAX_ATTEMPTS):
        claimed = store.write(
            lambda db, name=f"victim {worker}", time=time: job_table.claim(db, name, time.now(), jobs.KINDS)
        )
        assert claimed
        time = _later_than(time)
    assert jobs.Worker(store, time).run_one() is True
    ended = store.read(lambda db: job_table.get(db, job))
    assert ended.status == "failed"
    assert "gave up" in ended.reason
    assert jobs.Worker(store, _later_than(time)).run_one() is False


def _later_than(earlier: Clock) -> Clock:
    class Later(Clock):
        def now_ms(self) -> int:
            return earlier.now_ms() + int(job_table.LEASE.total_seconds() * 1000) + 1000

    return Later()


def test_two_workers_do_not_take_the_same_job(waiting):
    store, _ = waiting
    clock = Clock()
    claims = [
        store.write(lambda db, name=name: job_table.claim(db, name, clock.now(), jobs.KINDS)) for name in ("one", "two")
    ]
    assert [claim is None for claim in claims] == [False, True]
