"""The same request at the same moment, at one server or at several: done once, and answered alike."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import datetime, timedelta
from typing import Any

import pytest

from contract.caller import Api, Refusal, span
from faults.victim import PATIENCE, Victim
from gnomon.llm.limits import Limit
from gnomon.model.access import Principal
from gnomon.model.trace import SpanDraft
from gnomon.service.access import idempotency as answers
from gnomon.service.access.idempotency import StoredResponse
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.judges import judging
from gnomon.service.traces import ingest
from gnomon.store import jobs, models
from gnomon.store.engine import Store, open_store

SERVERS, CALLERS, ROUNDS = 3, 6, 10
PERMITS = 10


def at_once(works: list[Callable[[], Any]]) -> list[Any]:
    """Run all of them, each in a thread of its own, beginning together."""
    barrier = threading.Barrier(len(works))

    def begin(work: Callable[[], Any]) -> Any:
        barrier.wait(PATIENCE)
        return work()

    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(begin, works))


@pytest.fixture
def servers(new_url: str, victim) -> list[Victim]:
    started: list[Victim] = [victim(new_url, "--no-worker").launch() for _ in range(SERVERS)]
    for server in started:
        server.await_ready()
    return started


def test_one_idempotency_key_at_three_servers_is_done_once_and_replayed(servers: list[Victim]):
    """A client that asks again before its first request has ended must get that one's answer, not a conflict."""
    with ExitStack() as open_lines:
        apis: list[Api] = [open_lines.enter_context(server.api()) for server in servers for _ in range(CALLERS // 3)]
        found: Counter[tuple[int, bool]] = Counter()
        for number in range(ROUNDS):
            body = {"project_id": "p", "spans": [span(f"s{n}", f"t{number}") for n in range(5)]}
            for n in range(1, 5):
                body["spans"][n]["parent_span_id"] = "s0"
            key = f"round-{number}"
            asked = [lambda api=api: api.post("/traces/ingest", body, idempotency_key=key) for api in apis]  # noqa: B023
            told = at_once(asked)
            assert len({answer.text for answer in told}) == 1
            found.update((answer.status_code, "idempotency-replayed" in answer.headers) for answer in told)
        assert found == {(201, False): ROUNDS, (201, True): ROUNDS * (len(apis) - 1)}
        assert len(apis[0].ids("/traces", project_id="p")) == ROUNDS


def test_the_same_key_with_another_body_or_query_is_refused(servers: list[Victim]):
    """The key space is token, method and path; what else differs is another request."""
    with servers[0].api() as one, servers[1].api() as two:
        item = {"input": "q"}
        dataset = one.dataset([item])
        experiment = one.experiment(dataset.id)
        path, body = f"/experiments/{experiment}/score", {"scorers": [{"scorer_name": "exact_match"}]}
        first = one.call("POST", path, body, headers={"Idempotency-Key": "k"})
        assert first.status_code == 202
        again = two.call("POST", path, body, headers={"Idempotency-Key": "k"})
        assert (again.status_code, again.text) == (202, first.text)
        for refused in (
            two.call("POST", path, {**body, "only_missing": False}, headers={"Idempotency-Key": "k"}),
            two.call("POST", path, body, params={"dry_run": "0"}, headers={"Idempotency-Key": "k"}),
        ):
            assert Refusal.of(refused).said == (422, "IDEMPOTENCY_MISMATCH")


@pytest.fixture
def stores(new_url: str) -> Iterator[list[Store]]:
    with ExitStack() as open_stores:
        yield [open_stores.enter_context(closing(open_store(new_url))) for _ in range(3)]


def test_one_idempotency_key_in_several_stores_gives_one_effect(stores: list[Store]):
    who, clock = Principal("w", "write"), Clock()

    def once(store: Store, number: int) -> StoredResponse:
        draft = SpanDraft.model_validate(span("a", f"t{number}"))

        def make(call: Call) -> StoredResponse:
            ingest.ingest(call, "p", {0: draft})
            return StoredResponse(201, f"made {number}")

        def work(db: Any) -> StoredResponse:
            call = Call(db, who, clock)
            return answers.once(call, "/v1/traces/ingest", f"k{number}", "hash", lambda: make(call))

        return store.write(work)

    for number in range(ROUNDS):
        told = at_once([lambda store=store: once(store, number) for store in stores * 2])  # noqa: B023
        assert sorted(answer.replayed for answer in told) == [False, *[True] * (len(told) - 1)]
        assert {answer.body for answer in told} == {f"made {number}"}


def test_three_workers_share_a_models_ten_permits(stores: list[Store]):
    """Limits hold over all workers: what one has taken the others have not."""
    clock, who = Clock(), Principal("worker", "admin")

    def fill(db: Any) -> None:
        now = clock.now()
        jobs.add(db, [_job(clock.new_id(), now) for _ in range(3 * PERMITS)])
        # Counted up to a later moment, so that nothing is gained while the test runs.
        models.set_limit(db, "judge", Limit(float(PERMITS), float(PERMITS), 0, now, now + timedelta(hours=1)))

    stores[0].write(fill)

    def take(number: int) -> int:
        lease = timedelta(seconds=30)
        questions, ended = stores[number].write(
            lambda db: judging.take(Call(db, who, clock), f"worker-{number}", PERMITS, lease)
        )
        return len(questions) + len(ended)

    taken = at_once([lambda number=number: take(number) for number in range(3)])
    assert sum(taken) == PERMITS


def _job(id: str, now: datetime) -> jobs.NewJob:
    return jobs.NewJob(
        id=id, project_id="p", kind=judging.KIND, total=1, created_at=now, model="judge", target_type="run",
        payload={"scorer": None, "config": {}, "metadata": None, "no_cache": False}, target_id="gone",
        scorer_name="llm_judge", config_hash="h",
    )  # fmt: skip


def test_faults_that_several_workers_meet_at_once_are_all_counted(stores: list[Store]):
    """Also the first of them, when the model has no row yet."""
    clock = Clock()

    def note(db: Any) -> None:
        now = clock.now()
        row = models.limit_to_change(db, "judge", Limit.none(now))
        limit = Limit(row.per_second, row.permits, row.failures, row.open_until, row.updated_at)
        models.set_limit(db, "judge", limit.after_fault(now))

    at_once([lambda store=store: store.write(note) for store in stores * 2])
    assert stores[0].write(lambda db: models.limits_to_change(db)["judge"].failures) == 6
