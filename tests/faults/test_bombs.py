"""Input that is made to stop a server: it is scored or refused within a bound, and everybody else is served meanwhile.

Requirement: no single request stops a server. Scorers run before the transaction and never on the event loop; over the
bound of steps there is no score but the state `failed` with "too costly", the sizes and the remedy.
"""

import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from contract.caller import LOOPBACK, Api, Made, Refusal, expect, fresh_project, span
from faults.victim import KEY, PATIENCE, Victim, eventually

PATIENT = {**LOOPBACK, "timeout": PATIENCE}

BOMBS_SENT = 20
"""On a busy machine a bomb may be over before others have finished two rounds of calls, so several are tried."""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request, tmp_path_factory, new_postgresql) -> Iterator[Victim]:
    home = tmp_path_factory.mktemp("bombs")
    url = new_postgresql() if request.param == "postgresql" else f"sqlite:///{home}/gnomon.db"
    server = Victim(url, home).start()
    yield server
    server.clear_away()


@pytest.fixture
def api(server: Victim) -> Iterator[Api]:
    with server.api() as api:
        yield replace(api, project=fresh_project())


on_one_database = pytest.mark.parametrize("server", ["sqlite"], indirect=True)
"""For what is decided before the database is asked, and takes seconds to compute."""


def references(levels: int) -> dict[str, Any]:
    """Each part of the schema refers twice to the next one."""
    parts = {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(levels)}
    return {"$defs": {**parts, f"a{levels}": {}}, "$ref": "#/$defs/a0"}


def alternatives(levels: int) -> dict[str, Any]:
    return {"anyOf": [alternatives(levels - 1)] * 2} if levels else {"type": "string"}


OBJECTS = [{"a": n} for n in range(20_000)]
NUMBERS = list(range(3000))
KEYS = {f"key {n}": n for n in range(100_000)}
NOISE = "".join("ab"[(n * n >> 7) & 1] for n in range(1_000_000))
BOMBS: dict[str, tuple[str, Any, Any, dict[str, Any]]] = {
    "references that multiply": ("json_schema", {"x": 1}, None, {"schema": references(60)}),
    "one of many constants": (
        "json_schema", NUMBERS, None, {"schema": {"items": {"oneOf": [{"const": n} for n in NUMBERS]}}}
    ),
    "nested alternatives": ("json_schema", NUMBERS, None, {"schema": {"items": {"not": alternatives(8)}}}),
    "two long texts": ("similarity", "ab" * 49_999 + "c", "ba" * 49_999 + "d", {}),
    "keys times paths": ("json_match", KEYS, KEYS, {"ignore": [f"k{n}" for n in range(1000)]}),
    "values times characters": ("contains_any", "x" * 4_000_000, None, {"values": ["x" * 599 + "y"] * 1000}),
    "a pattern with wide repetition": ("regex", NOISE, None, {"pattern": "a[ab]{900}c"}),
}  # fmt: skip


def a_run(api: Api, output: Any, expected: Any) -> Made:
    """One run. Through POST …/items, because a line of an import has at most a megabyte."""
    dataset = api.make("/datasets", {"project_id": api.project, "name": fresh_project()})["id"]
    api.make(f"/datasets/{dataset}/items", {"input": "q", "expected_output": expected})
    (item,) = api.items(f"/datasets/{dataset}/items")
    experiment = api.experiment(dataset)
    return Made(api.run(experiment, item["id"], output), [item["id"]], dataset, experiment)


def why(api: Api, target: str) -> str:
    (state,) = api.items("/scoring-states", target_id=target, state="failed")
    return str(state["reason"])


@on_one_database
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_score_over_the_bound_is_none_and_says_the_sizes_the_bound_and_the_remedy(api, bomb):
    scorer, output, expected, config = BOMBS[bomb]
    run = a_run(api, output, expected)
    answer = api.score(run.id, scorer, config=config)
    assert (answer.status_code, answer.json()) == (200, None)
    reason = why(api, run.id)
    assert reason.startswith("too costly: ")
    assert "steps" in reason
    assert "score it by a job" in reason


def test_unique_items_are_compared_in_linear_time(api):
    run = a_run(api, OBJECTS, None)
    score = expect(201, api.score(run.id, "json_schema", config={"schema": {"uniqueItems": True}}))
    assert score["value"] == 1.0


@contextmanager
def under_way(server: Victim, send: Callable[[Api], Any]) -> Iterator[Future[Any]]:
    """The bomb is sent by somebody else."""
    with ThreadPoolExecutor(1) as thread, server.api() as other:
        yield thread.submit(send, other)


@pytest.mark.parametrize(
    ("bomb", "served_meanwhile"),
    [
        ("references that multiply", 2),
        ("one of many constants", 2),
        ("two long texts", 0),
    ],
    ids=["references that multiply", "one of many constants", "two long texts"],
)
def test_others_are_served_while_a_bomb_is_computed(server, api, bomb, served_meanwhile):
    """Health and another project's writes; on SQLite every write of every project once waited for the scorer.

    Behind a bomb they would finish one round at most: the one that came first. Two long texts are refused for their
    sizes at once, and nobody waits for them.
    """
    scorer, output, expected, config = BOMBS[bomb]
    run = a_run(api, output, expected)
    score = {"target_id": run.id, "target_type": "run", "scorer_name": scorer, "config": config}
    for attempt in range(BOMBS_SENT):
        served = 0
        with under_way(server, lambda other: other.post("/scores/batch", {"scores": [score] * 20})) as bombing:
            while not bombing.done():
                assert httpx2.get(f"http://127.0.0.1:{server.port}/healthz", **PATIENT).status_code == 200
                api.make("/datasets", {"project_id": "another", "name": f"d{attempt}-{served}-{api.project}"})
                served += not bombing.done()
            assert expect(201, bombing.result())["accepted"] == 0
        if served >= served_meanwhile:
            return
    pytest.fail(f"{BOMBS_SENT} times, others were not served until the bomb was computed")


@on_one_database
def test_inline_scores_of_runs_and_spans_are_bounded_as_well(api):
    config = BOMBS["references that multiply"][3]
    bomb = {"scorer_name": "s", "scorer": "json_schema", "config": config}
    dataset = api.dataset([{"input": "q"}])
    experiment = api.experiment(dataset.id)
    run = api.run(experiment, dataset.item_ids[0], {"x": 1}, scores=[bomb])
    assert why(api, run).startswith("too costly: ")
    api.trace(span("costly", "t", output={"x": 1}, scores=[bomb]))
    assert why(api, "costly").startswith("too costly: ")


def test_all_scores_of_a_request_share_one_bound(api):
    text = "ab" * 5500
    run = a_run(api, text + "c", text + "d")
    score = {"target_id": run.id, "target_type": "run", "scorer_name": "similarity"}
    answer = expect(201, api.post("/scores/batch", {"scores": [score] * 150}))
    scored = [id is not None for id in answer["score_ids"]]
    assert scored == sorted(scored, reverse=True)
    assert 80 < sum(scored) < 150
    assert "send fewer scores per request" in why(api, run.id)


@on_one_database
def test_a_schema_that_takes_too_long_to_look_through_is_refused(api):
    run = api.answer(1)
    schema = {"oneOf": [{"const": n} for n in range(50_000)]}
    answer = api.score(run.id, "json_schema", config={"schema": schema})
    assert Refusal.of(answer).said == (400, "INVALID_SCORER_CONFIG")
    assert "too costly" in answer.text


@on_one_database
def test_a_job_has_a_larger_bound_and_ends_with_the_reason_where_that_is_not_enough(api):
    text = "ab" * 25_000
    fine, costly = a_run(api, text + "c", text + "d"), a_run(api, {"x": 1}, None)
    assert api.score(fine.id, "similarity").json() is None
    scorers = [{"scorer_name": "similarity"}]
    done = api.finished(
        expect(202, api.post(f"/experiments/{fine.experiment_id}/score", {"scorers": scorers}))["job_id"]
    )
    assert done["counts"].get("scored") == 1
    scorers = [{"scorer_name": "s", "scorer": "json_schema", "config": {"schema": references(60)}}]
    job = expect(202, api.post(f"/experiments/{costly.experiment_id}/score", {"scorers": scorers}))["job_id"]
    ended = api.finished(job)
    assert (ended["status"], ended["counts"].get("failed")) == ("done", 1)
    assert why(api, costly.id).startswith("too costly: ")


def test_sigterm_ends_a_server_that_computes(tmp_path, victim):
    server: Victim = victim(f"sqlite:///{tmp_path}/gnomon.db").start()
    with server.api() as api:
        run = a_run(api, NUMBERS, None)
        config = {"schema": {"items": {"oneOf": [{"const": n} for n in NUMBERS]}}}
        score = {"target_id": run.id, "target_type": "run", "scorer_name": "json_schema", "config": config}
        job = {"scorers": [{"scorer_name": "json_schema", "config": config}]}
        expect(202, api.post(f"/experiments/{run.experiment_id}/score", job))
    with ThreadPoolExecutor(3) as threads:
        sent = [threads.submit(_send, server, {"scores": [score] * 200}) for _ in range(3)]
        eventually(lambda: _cpu_seconds(server.pid) > 1 or all(one.done() for one in sent), "it to compute")
        server.process.terminate()
        server.ended()
        assert [one.result() for one in sent] != [201] * 3, "it waited until all was computed"


def _send(server: Victim, body: Any) -> Any:
    with server.api() as api:
        try:
            return api.post("/scores/batch", body).status_code
        except httpx2.TransportError:
            return None


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


MOST_MB = 600


def test_ten_bodies_of_nothing_but_brackets_at_once_stay_under_600_megabytes(tmp_path, victim):
    """30 MB of `{},{},…` once took 2.3 GB."""
    server: Victim = victim(f"sqlite:///{tmp_path}/gnomon.db", "--no-worker").start()
    refused = b'{"name": "d", "metadata": [' + b"{}," * 10_000_000 + b"{}]}"
    taken = b'{"project_id": "p", "name": "d", "metadata": {"a": [' + b"{}," * 900_000 + b"{}]}}"
    for body, codes in ((refused, {413}), (taken, {201, 400, 409})):
        with ThreadPoolExecutor(10) as threads:
            answers = list(threads.map(lambda _, body=body: _post(server, body), range(10)))
        assert {answer.status_code for answer in answers} <= codes, answers[0].text[:300]
        if codes == {413}:
            assert "JSON values" in answers[0].text
            assert Refusal.of(answers[0]).said == (413, "PAYLOAD_TOO_LARGE")
        assert _peak_mb(server.pid) < MOST_MB


def test_a_batch_of_a_thousand_spans_of_thirty_megabytes_is_taken(api):
    text = 'He said: {"a": [1, 2, 3]}, and "so on"; ' * 600
    spans = [span(f"s{n}", f"t{n}", input={"messages": [{"role": "user", "content": text}]}) for n in range(1000)]
    expect(201, api.post("/traces/ingest", {"project_id": api.project, "spans": spans}))


def _post(server: Victim, body: bytes) -> httpx2.Response:
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    return httpx2.post(f"http://127.0.0.1:{server.port}/v1/datasets", content=body, headers=headers, **PATIENT)


def _peak_mb(pid: int) -> float:
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) / 1000


@on_one_database
def test_more_costly_requests_than_the_queue_holds_are_told_to_come_again(server, api):
    run = a_run(api, NUMBERS, None)
    score = {"target_id": run.id, "target_type": "run", "scorer_name": "json_schema"}
    config = BOMBS["one of many constants"][3]
    with ThreadPoolExecutor(20) as threads:
        sent = [threads.submit(_send, server, {"scores": [{**score, "config": config}]}) for _ in range(20)]
        eventually(lambda: any(one.done() for one in sent), "one of them to be refused")
        api.make("/datasets", {"project_id": "another", "name": fresh_project()})
        statuses = {one.result() for one in sent}
    assert statuses == {201, 503}


@pytest.fixture(scope="module")
def gzip_bomb(tmp_path_factory) -> Path:
    """About 10 MB of gzip that inflate to 10 GB of zeros."""
    bomb, packer = tmp_path_factory.mktemp("gzip") / "bomb.gz", zlib.compressobj(9, wbits=31)
    hundred = zlib.compressobj(9, wbits=31)
    member = hundred.compress(bytes(100_000_000)) + hundred.flush()
    with bomb.open("wb") as file:
        file.write(packer.compress(b'{"name": "') + packer.flush())
        file.writelines([member] * 100)
    assert bomb.stat().st_size < 11_000_000
    return bomb


@pytest.mark.parametrize("path", ["/datasets", "/traces/ingest", "/datasets/{}/items/import"])
def test_a_small_gzip_body_of_ten_gigabytes_is_refused_before_it_is_inflated(tmp_path, victim, gzip_bomb, path):
    """Ten at once: inflating stops at the limit, memory stays bounded, and others are served meanwhile."""
    server: Victim = victim(f"sqlite:///{tmp_path}/gnomon.db", "--no-worker").start()
    with server.api() as api:
        dataset = api.make("/datasets", {"project_id": "p", "name": "d"})["id"]
        headers = {"Authorization": f"Bearer {KEY}", "Content-Encoding": "gzip", "Content-Type": "application/x-ndjson"}
        url = f"http://127.0.0.1:{server.port}/v1{path.format(dataset)}"
        content = gzip_bomb.read_bytes()

        def send(_: int) -> httpx2.Response:
            return httpx2.post(url, content=content, headers=headers, **PATIENT)

        used = _cpu_seconds(server.pid)
        with ThreadPoolExecutor(10) as threads:
            answers = list(threads.map(send, range(10)))
        assert {Refusal.of(answer).said for answer in answers} == {(413, "PAYLOAD_TOO_LARGE")}
        assert _cpu_seconds(server.pid) - used < 60, "ten times ten gigabytes would take minutes to inflate"
        assert _peak_mb(server.pid) < MOST_MB
        assert api.read(f"/datasets/{dataset}")["item_count"] == 0


def test_a_million_unknown_fields_are_named_in_bounded_memory(tmp_path, victim):
    server: Victim = victim(f"sqlite:///{tmp_path}/gnomon.db", "--no-worker").start()
    body = b'{"project_id": "p", "name": "d"' + b"".join(b',"%d":0' % n for n in range(990_000)) + b"}"
    answer = _post(server, body)
    assert expect(201, answer)["name"] == "d"
    assert answer.headers["gnomon-ignored"].endswith(", +989980")
    assert _peak_mb(server.pid) < MOST_MB
