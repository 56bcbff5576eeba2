"""No job is attempted more often than its limit, whatever ends its lease, and one that cannot be stored harms no other.

Jobs run through the real worker on both databases; only the model at its end is a function.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from gnomon.llm.ask import Answer, Trouble
from gnomon.llm.retry import AskingPolicy
from gnomon.model.access import Principal
from gnomon.model.budget import BudgetDraft
from gnomon.model.prices import PricesDraft
from gnomon.model.trace import SpanDraft
from gnomon.scorers.asking import Prompt
from gnomon.scorers.judge import LlmJudge
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.jobs import jobs as rule_jobs
from gnomon.service.jobs.worker import JudgeLoop, Pace
from gnomon.service.judges import budgets, judging, prices
from gnomon.service.judges.modelcalls import Ask
from gnomon.service.traces import ingest
from gnomon.store import jobs as table
from gnomon.store.engine import Store
from gnomon.store.schema import scores, scoring_states, spending

PROJECT = "p"
QUICK = AskingPolicy(first_pause=0.0, longest_pause=0.0)


class Later(Clock):
    """A clock that can be set forward, so that no test waits for a lease or an hour."""

    def __init__(self) -> None:
        super().__init__()
        self.ahead_ms = 0

    def now_ms(self) -> int:
        return super().now_ms() + self.ahead_ms

    def skip(self, seconds: float) -> None:
        self.ahead_ms += int(seconds * 1000) + 1


@pytest.fixture
def clock() -> Later:
    return Later()


def as_call(db: Any, clock: Clock) -> Call:
    return Call(db, Principal("test", "admin"), clock)


def queue(store: Store, clock: Clock, count: int, model: str = "gpt-4o-mini", **config: Any) -> list[str]:
    """So many spans, each with a judge; the jobs' ids, in the order of the spans."""
    given = {"model": model, "prompt_template": "{{input}} {{output}}", "fence": False, **config}
    judge = {"scorer_name": "quality", "scorer": "llm_judge", "config": given}
    drafts = {
        n: SpanDraft.model_validate({"id": f"s{n}", "trace_id": f"t{n}", "name": "step", "output": f"answer {n}",
                                     "start_time": "2026-02-21T22:00:00Z", "scores": [judge]})
        for n in range(count)
    }  # fmt: skip
    return store.write(lambda db: ingest.ingest(as_call(db, clock), PROJECT, drafts)).job_ids


def job(store: Store, id: str) -> Any:
    return store.read(lambda db: table.get(db, id))


def said(text: str = "1", **fields: Any) -> Answer:
    return Answer(**{"text": text, "model": "m", "tokens_input": 100, "tokens_output": 10, "cost_usd": 0.001,
                     "latency_ms": 1.0, **fields})  # fmt: skip


def answering(answer: Callable[[str], Answer]) -> Ask:
    async def ask(judge: LlmJudge, prompt: Prompt, own: Any, /) -> Answer:
        return answer(prompt.text)

    return ask


def work(store: Store, clock: Clock, ask: Ask, ids: list[str], retry: AskingPolicy = QUICK) -> None:
    """A worker, until none of these jobs is open."""

    async def until_ended() -> None:
        loop = JudgeLoop(store, clock, f"worker {clock.new_id()}", Pace(poll_seconds=0.01, retry=retry), ask)
        running = asyncio.create_task(loop.run())
        async with asyncio.timeout(600):
            while any(job(store, id).status in ("queued", "running") for id in ids):
                await asyncio.sleep(0.01)
        loop.stop()
        await running

    asyncio.run(until_ended())


def states(store: Store) -> dict[str, tuple[str, str | None]]:
    rows = store.read(lambda db: db.execute(sa.select(scoring_states)).all())
    return {row.target_id: (row.state, row.reason) for row in rows}


def scored(store: Store) -> list[str]:
    return sorted(store.read(lambda db: db.execute(sa.select(scores.c.target_id)).scalars().all()))


# --- attempts -----


def test_a_judge_job_that_takes_its_worker_down_each_time_is_attempted_six_times(store: Store, clock: Later):
    """A claim whose lease ended without the job's end counts as an attempt; used up, the job ends as failed."""
    (id,) = queue(store, clock, 1)
    for attempt in range(1, table.MAX_ATTEMPTS + 1):
        owner = f"victim {attempt}"
        questions, _ = store.write(lambda db, owner=owner: judging.take(as_call(db, clock), owner, 10, table.LEASE))
        assert [one.job.attempts for one in questions] == [attempt]
        clock.skip(table.LEASE.total_seconds())
    asked: list[str] = []
    work(store, clock, answering(lambda text: asked.append(text) or said()), [id])
    ended = job(store, id)
    assert (ended.status, ended.attempts, ended.reason, asked) == ("failed", 6, judging.USED_UP, [])
    assert states(store) == {"s0": ("failed", judging.USED_UP)}
    clock.skip(1e6)
    assert not store.read(lambda db: table.something_due(db, clock.now(), (judging.KIND,)))


def test_faults_and_dead_workers_are_counted_together(store: Store, clock: Later):
    (id,) = queue(store, clock, 1)
    for _ in range(4):
        store.write(lambda db: judging.take(as_call(db, clock), "victim", 10, table.LEASE))
        clock.skip(table.LEASE.total_seconds())
    calls: list[str] = []

    def fault(text: str) -> Answer:
        calls.append(text)
        raise Trouble("overloaded", "on fire")

    work(store, clock, answering(fault), [id])
    ended = job(store, id)
    assert (ended.status, ended.attempts, len(calls)) == ("failed", 6, 2)
    assert ended.reason == "overloaded: on fire (6 attempts)"


def test_a_worker_that_stops_gives_back_what_it_has_not_begun_without_an_attempt(store: Store, clock: Later):
    ids = queue(store, clock, 8)

    async def stopped_while_asking() -> None:
        begun = asyncio.Event()

        async def ask(judge: LlmJudge, prompt: Prompt, own: Any, /) -> Answer:
            begun.set()
            await asyncio.sleep(3600)
            return said()

        loop = JudgeLoop(store, clock, "worker", Pace(concurrency=4, poll_seconds=0.01, grace_seconds=0.0), ask)
        running = asyncio.create_task(loop.run())
        await begun.wait()
        while len(loop._buffer) < 4:
            await asyncio.sleep(0.01)
        loop.stop()
        await running

    asyncio.run(stopped_while_asking())
    left = [job(store, id) for id in ids]
    assert {one.status for one in left} == {"queued"}
    assert sorted(one.attempts for one in left) == [0] * 4 + [1] * 4, "what was asked counts, what waited does not"


def test_a_wait_that_the_model_asks_for_is_no_attempt_for_an_hour(store: Store, clock: Later):
    (id,) = queue(store, clock, 1)
    calls = 0

    def refuse(text: str) -> Answer:
        nonlocal calls
        calls += 1
        clock.skip(299)
        raise Trouble("rate_limited", "slow down", retry_after=300)

    async def skipping() -> None:
        loop = JudgeLoop(store, clock, "worker", Pace(poll_seconds=0.01, lease_seconds=1e6, retry=QUICK),
                         answering(refuse))  # fmt: skip
        running = asyncio.create_task(loop.run())
        async with asyncio.timeout(600):
            while (now := job(store, id)).status in ("queued", "running"):
                if now.status == "queued":
                    clock.skip(301)
                await asyncio.sleep(0.02)
        loop.stop()
        await running

    asyncio.run(skipping())
    ended = job(store, id)
    assert (ended.status, ended.attempts) == ("failed", 6)
    assert 6 < calls <= 6 + 3600 / 299


def test_a_retry_by_hand_may_wait_again(store: Store, clock: Later):
    (id,) = queue(store, clock, 1)
    store.write(lambda db: table.change(db, id, status="failed", attempts=6, patient_until=clock.now()))
    store.write(lambda db: rule_jobs.retry(as_call(db, clock), id))
    again = job(store, id)
    assert (again.status, again.attempts, again.patient_until) == ("queued", 0, None)


def test_a_rule_job_that_makes_way_keeps_the_count_of_the_workers_it_took_down(store: Store, clock: Later):
    spans = {"project_id": PROJECT, "scorers": [{"scorer_name": "contains", "config": {"expected_output": "answer"}}]}
    queue(store, clock, 40)
    ids = [store.write(lambda db: accept(db, clock, spans)) for _ in range(2)]
    for _ in range(3):
        store.write(lambda db: table.claim(db, "victim", clock.now(), rule_jobs.KINDS))
        clock.skip(table.LEASE.total_seconds())
    worker = rule_jobs.Worker(store, clock)
    counts = []
    while worker.run_one():
        counts.append([job(store, id).attempts for id in ids])
    assert sum(map(sum, counts[:1])) == 3, "the first made way, and was taken three times before"
    assert [job(store, id).status for id in ids] == ["done", "done"]


def accept(db: Any, clock: Clock, body: dict[str, Any]) -> str:
    from gnomon.model.rule import ScoreSpansDraft
    from gnomon.service.scoring import spanjobs

    return spanjobs.accept(as_call(db, clock), ScoreSpansDraft.model_validate(body)).job_id


# --- what cannot be stored or read -----


@pytest.mark.parametrize(
    "poison",
    [
        {"tokens_input": 10**20},
        {"tokens_input": -(10**20), "tokens_output": True},
        {"cost_usd": float("inf")},
        {"cost_usd": float("nan")},
        {"cost_usd": 1e300, "tokens_output": 2**63},
    ],
    ids=str,
)
def test_a_count_that_cannot_be_true_is_unknown_and_its_job_ends(store: Store, clock: Later, poison: dict[str, Any]):
    ids = queue(store, clock, 3)
    work(store, clock, answering(lambda text: said(**poison) if "1" in text else said()), ids)
    ended = [job(store, id) for id in ids]
    assert [(one.status, one.attempts) for one in ended] == [("done", 1)] * 3
    assert scored(store) == ["s0", "s1", "s2"]
    told = store.read(lambda db: budgets.of(as_call(db, clock), PROJECT))
    assert 0 < told.spent_tokens <= 330
    assert 0 < told.spent_usd <= 0.0031


REFUSES_THE_SCORE_OF_S3 = {
    "sqlite": [
        "CREATE TRIGGER poison BEFORE INSERT ON scores WHEN NEW.target_id = 's3'"
        " BEGIN SELECT RAISE(ABORT, 'poison'); END"
    ],
    "postgresql": [
        "CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poison'; END $$",
        "CREATE TRIGGER poison BEFORE INSERT ON scores FOR EACH ROW WHEN (NEW.target_id = 's3')"
        " EXECUTE FUNCTION poison()",
    ],
}


def test_a_result_that_cannot_be_stored_ends_its_job_as_failed_and_no_other(store: Store, clock: Later):
    """A settlement that fails for one job's data is done again one by one; the poisoned job is not asked again."""
    ids = queue(store, clock, 6)
    for statement in REFUSES_THE_SCORE_OF_S3[store.engine.dialect.name]:
        store.write(lambda db, statement=statement: db.exec_driver_sql(statement))
    calls: list[str] = []
    work(store, clock, answering(lambda text: calls.append(text) or said()), ids)
    ended = [job(store, id) for id in ids]
    assert [one.status for one in ended] == ["done"] * 3 + ["failed"] + ["done"] * 2
    assert ended[3].reason.startswith("its result could not be stored: ")
    assert (ended[3].attempts, len(calls)) == (1, 6)
    assert states(store)["s3"][0] == "failed"
    assert scored(store) == ["s0", "s1", "s2", "s4", "s5"]


@pytest.mark.parametrize("payload", ["null", "[]", "{}", '{"scorer": 1}', "no JSON at all"])
def test_a_job_that_cannot_be_read_ends_and_holds_up_no_other(store: Store, clock: Later, payload: str):
    ids = queue(store, clock, 3)
    broken = sa.text("UPDATE jobs SET payload = :payload WHERE id = :id")
    store.write(lambda db: db.execute(broken, {"payload": payload, "id": ids[1]}))
    status = sa.select(sa.literal_column("status"), sa.literal_column("reason")).select_from(sa.text("jobs"))
    work(store, clock, answering(lambda text: said()), [ids[0], ids[2]])
    clock.skip(table.LEASE.total_seconds())
    work(store, clock, answering(lambda text: said()), [])
    found = store.read(lambda db: db.execute(status.where(sa.text("id = :id")), {"id": ids[1]}).one())
    assert found.status == "failed"
    assert "cannot be read" in found.reason
    assert [job(store, id).status for id in (ids[0], ids[2])] == ["done", "done"]


# --- unknown cost -----


def test_a_part_without_a_known_cost_makes_the_jobs_cost_unknown_and_what_is_known_is_booked(
    store: Store, clock: Later
):
    ids = queue(store, clock, 1, samples=2)
    answers = iter([said("0"), said("1", cost_usd=None, tokens_output=None)])
    work(store, clock, answering(lambda text: next(answers)), ids)
    assert (job(store, ids[0]).status, job(store, ids[0]).cost_usd) == ("done", None)
    (metadata,) = store.read(lambda db: db.execute(sa.select(scores.c.metadata)).scalars().all())
    assert (metadata["cost_usd"], metadata["tokens_input"], metadata["tokens_output"]) == (None, 200, None)
    (booked,) = store.read(lambda db: db.execute(sa.select(spending)).all())
    assert (booked.calls, booked.tokens, booked.usd) == (2, 210, pytest.approx(0.001))


def test_a_budget_in_usd_refuses_a_model_without_a_known_price_until_one_is_set(store: Store, clock: Later):
    """A budget that can never stop a model is none: the job fails with the reason and the two remedies."""
    first = queue(store, clock, 1, model="judge-nobody-knows")
    store.write(lambda db: budgets.put(as_call(db, clock), PROJECT, BudgetDraft(usd_per_day=5)))
    calls: list[Any] = []

    async def ask(judge: LlmJudge, prompt: Prompt, own: Any, /) -> Answer:
        calls.append(own)
        return said()

    work(store, clock, ask, first)
    ended = job(store, first[0])
    assert (ended.status, calls) == ("failed", [])
    assert ended.reason.startswith("budget: the price of judge-nobody-knows is not known")
    assert "PUT /v1/projects/p/prices" in ended.reason
    assert "tokens_per_day" in ended.reason
    own = {"model": "judge-nobody-knows", "input_usd_per_million": 1, "output_usd_per_million": 2}
    draft = PricesDraft.model_validate({"prices": [own]})
    store.write(lambda db: prices.put(as_call(db, clock), PROJECT, draft))
    store.write(lambda db: rule_jobs.retry(as_call(db, clock), first[0]))
    work(store, clock, ask, first)
    assert job(store, first[0]).status == "done"
    assert list(calls[0]) == ["judge-nobody-knows"]
