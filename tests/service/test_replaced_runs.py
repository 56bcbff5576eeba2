"""Scoring jobs and runs that are replaced: a job scores what a run holds when the job comes to it."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from gnomon.model.access import Principal
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft, RunError, ScoreExperimentDraft
from gnomon.model.score import InlineScoreDraft, ScorerSpec
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.experiments import datasets, experiments
from gnomon.service.jobs import jobs
from gnomon.store.engine import Store
from gnomon.store.schema import scores, scoring_states

PATIENCE = 600.0


@pytest.fixture
def clock() -> Clock:
    return Clock()


def call(store: Store, clock: Clock, work: Callable[[Call], Any]) -> Any:
    return store.write(lambda db: work(Call(db, Principal("test", "admin"), clock)))


def failed_run(store: Store, clock: Clock) -> tuple[str, str]:
    """An experiment with one failed run, and a scoring job that nobody has begun: the experiment's id, the item's."""

    def make(at: Call) -> tuple[str, str]:
        dataset = datasets.create(at, DatasetDraft(project_id="p", name="d"))
        item = datasets.add_item(at, dataset.id, ItemDraft(input="q", expected_output="a")).id
        id = experiments.create(at, ExperimentDraft(project_id="p", name="e", dataset_id=dataset.id)).id
        experiments.add_runs(at, id, [RunDraft(dataset_item_id=item, error=RunError(message="broke"))])
        jobs.score_experiment(at, id, ScoreExperimentDraft(scorers=[ScorerSpec(scorer_name="exact_match")]))
        return id, item

    made: tuple[str, str] = call(store, clock, make)
    return made


def replace(at: Call, id: str, item: str) -> None:
    experiments.add_runs(at, id, [RunDraft(dataset_item_id=item, output="a")], replace_failed=True)


def known(store: Store) -> tuple[list[float], list[str]]:
    """The values of all scores, and the states of what has none."""
    values = store.read(lambda db: db.execute(sa.select(scores.c.value)).scalars().all())
    states = store.read(lambda db: db.execute(sa.select(scoring_states.c.state)).scalars().all())
    return list(values), list(states)


def test_a_job_that_waited_for_the_failed_run_scores_its_new_output(store: Store, clock: Clock):
    id, item = failed_run(store, clock)
    call(store, clock, lambda at: replace(at, id, item))
    assert jobs.Worker(store, clock).run_one()
    assert known(store) == ([1.0], [])


def test_a_job_that_came_before_the_replacement_leaves_nothing_of_the_failed_attempt(store: Store, clock: Clock):
    id, item = failed_run(store, clock)
    assert jobs.Worker(store, clock).run_one()
    assert known(store) == ([], ["failed"])
    call(store, clock, lambda at: replace(at, id, item))
    assert known(store) == ([], [])


def test_a_judge_is_asked_about_the_new_output_only(store: Store, clock: Clock):
    """A failed run has no judge's job that could outlive it."""
    config = {"model": "openai/gpt-4o", "prompt_template": "Is this kind? {{input}} {{output}}"}
    judge = InlineScoreDraft(scorer_name="kind", scorer="llm_judge", config=config)
    id, item = failed_run(store, clock)
    broken = RunDraft(dataset_item_id=item, error=RunError(message="broke"), scores=[judge])
    good = RunDraft(dataset_item_id=item, output="a", scores=[judge])
    attempts = [
        call(store, clock, lambda at, draft=draft: experiments.add_runs(at, id, [draft], replace_failed=True))
        for draft in (broken, good)
    ]
    assert [len(accepted.job_ids) for accepted in attempts] == [0, 1]
    assert attempts[0].run_ids == attempts[1].run_ids
    assert known(store) == ([], ["queued"])


@pytest.mark.parametrize("database", ["postgresql"])
def test_a_job_waits_for_a_replacement_that_is_under_way(store: Store, clock: Clock):
    """SQLite has one writer, so only PostgreSQL can have the two at the same time."""
    id, item = failed_run(store, clock)
    worker = threading.Thread(target=jobs.Worker(store, clock).run_one)

    def replace_meanwhile(at: Call) -> None:
        replace(at, id, item)
        worker.start()
        wait_until_blocked(store)

    call(store, clock, replace_meanwhile)
    worker.join(PATIENCE)
    assert not worker.is_alive()
    assert known(store) == ([1.0], [])


def wait_until_blocked(store: Store) -> None:
    """Until some transaction of this database waits for a lock of another one."""
    waits = sa.text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    pause = threading.Event()
    for _ in range(int(PATIENCE / 0.02)):
        if store.read(lambda db: db.execute(waits).scalar_one()):
            return
        pause.wait(0.02)
    raise AssertionError("nobody waits for the replacement")
