"""A rubric's job in a real store, with the real worker: all of its scores or none, and a reason under every name."""

import asyncio
import json
from typing import Any

import pytest
import sqlalchemy as sa

from gnomon.llm.ask import Answer
from gnomon.model.access import Principal
from gnomon.model.trace import SpanDraft
from gnomon.scorers import ModelScorer
from gnomon.scorers.asking import Prompt
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.jobs.worker import JudgeLoop, Pace
from gnomon.service.traces import ingest
from gnomon.store import jobs
from gnomon.store.engine import Store
from gnomon.store.schema import scores, scoring_states

RUBRIC = {
    "version": 1,
    "name": "answers",
    "instructions": "Judge the answer.",
    "dimensions": [{"name": "truth", "description": "Is it true?"}, {"name": "tone", "description": "Is it polite?"}],
}
SCORER = {"scorer_name": "quality", "scorer": "rubric", "config": {"model": "gpt-4o-mini", "rubric": RUBRIC}}
NAMES = ["quality", "quality.tone", "quality.truth"]
ANSWER = {
    "reasoning": "r",
    "dimension_scores": [{"dimension": name, "score": 8, "reasoning": "r"} for name in ("truth", "tone")],
    "overall_score": 7,
    "overall_assessment": "a",
}


def queue(store: Store, count: int) -> list[str]:
    """So many spans, each with a rubric; the jobs' ids, in the order of the spans."""
    drafts = {
        n: SpanDraft.model_validate({"id": f"s{n}", "trace_id": f"t{n}", "name": "step", "output": f"answer {n}",
                                     "start_time": "2026-02-21T22:00:00Z", "scores": [SCORER]})
        for n in range(count)
    }  # fmt: skip
    who = Principal("test", "admin")
    return store.write(lambda db: ingest.ingest(Call(db, who, Clock()), "p", drafts)).job_ids


def work(store: Store, ids: list[str]) -> list[Any]:
    """Let a worker end these jobs; their rows."""

    async def ask(judge: ModelScorer, prompt: Prompt, own: Any, /) -> Answer:
        return Answer(json.dumps(ANSWER), "m", 100, 10, 0.001, 1.0)

    def rows() -> list[Any]:
        return [store.read(lambda db, job=job: jobs.get(db, job)) for job in ids]

    async def until_ended() -> None:
        loop = JudgeLoop(store, Clock(), "worker", Pace(poll_seconds=0.01), ask)
        running = asyncio.create_task(loop.run())
        async with asyncio.timeout(600):
            while any(row.status in ("queued", "running") for row in rows()):
                await asyncio.sleep(0.01)
        loop.stop()
        await running

    asyncio.run(until_ended())
    return rows()


def named(store: Store, table: sa.Table, target_id: str) -> list[str]:
    found = sa.select(table.c.scorer_name).where(table.c.target_id == target_id).order_by(table.c.scorer_name)
    return list(store.read(lambda db: db.execute(found).scalars().all()))


def states(store: Store, target_id: str) -> dict[str, tuple[str, str | None]]:
    found = sa.select(scoring_states).where(scoring_states.c.target_id == target_id)
    rows = store.read(lambda db: db.execute(found).all())
    return {row.scorer_name: (row.state, row.reason) for row in rows}


REFUSES_THE_TONE_OF_S1 = {
    "sqlite": [
        "CREATE TRIGGER poison BEFORE INSERT ON scores WHEN NEW.target_id = 's1' AND NEW.scorer_name = 'quality.tone'"
        " BEGIN SELECT RAISE(ABORT, 'poison'); END"
    ],
    "postgresql": [
        "CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poison'; END $$",
        "CREATE TRIGGER poison BEFORE INSERT ON scores FOR EACH ROW"
        " WHEN (NEW.target_id = 's1' AND NEW.scorer_name = 'quality.tone') EXECUTE FUNCTION poison()",
    ],
}


def test_where_one_dimension_cannot_be_stored_none_of_the_jobs_scores_is(store: Store):
    """One job writes all of its scores in one transaction."""
    ids = queue(store, 3)
    for statement in REFUSES_THE_TONE_OF_S1[store.engine.dialect.name]:
        store.write(lambda db, statement=statement: db.exec_driver_sql(statement))
    ended = work(store, ids)
    assert [row.status for row in ended] == ["done", "failed", "done"]
    assert [named(store, scores, target) for target in ("s0", "s1", "s2")] == [NAMES, [], NAMES]
    assert states(store, "s1") == dict.fromkeys(NAMES, ("failed", ended[1].reason))
    assert states(store, "s0") == {}


def test_a_job_whose_model_can_no_longer_be_asked_says_so_under_every_name(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    """It was accepted, and then the provider's key went: the job fails, and no name stays queued."""
    ids = queue(store, 1)
    assert set(states(store, "s0").values()) == {("queued", None)}
    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (job,) = work(store, ids)
    assert job.status == "failed"
    assert "OPENAI_API_KEY" in job.reason
    assert states(store, "s0") == dict.fromkeys(NAMES, ("failed", job.reason))
