"""`GET /v1/events`: pages are told what kinds of things have changed, and miss nothing."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from conftest import Server, start_server
from contract.caller import LOOPBACK, Api, Refusal, expect, span
from contract.eventstream import now, streaming
from contract.test_outcomes import iteration as iteration_draft
from contract.test_outcomes import push


def test_a_stream_tells_what_arrives_while_it_is_open(api):
    with streaming(api) as stream:
        assert stream.next().name == "ready"
        api.trace()
        assert stream.next().data == {"kind": "trace", "project_id": api.project, "changes": 1}
        dataset = api.questions(1)
        assert {event.data["kind"] for event in stream.until("dataset")} == {"dataset"}
        api.measured(dataset, [1])
        kinds = {event.data["kind"] for event in stream.until("run")}
    assert kinds <= {"dataset", "experiment", "run"}


def test_it_is_no_page_that_a_proxy_may_keep_or_collect(api):
    with streaming(api) as stream:
        headers = stream.answer.headers
    assert headers["content-type"] == "text/event-stream; charset=utf-8"
    assert (headers["cache-control"], headers["x-accel-buffering"]) == ("no-store", "no")
    assert "content-encoding" not in headers


def scored_trace(api: Api) -> None:
    trace = api.trace()
    start = now(api)
    expect(201, api.score("root", "quality", "span", value=1, trace_id=trace))
    with streaming(api, start) as stream:
        stream.until("trace")


def queued(api: Api) -> None:
    expect(200, api.post(f"/traces/{api.trace()}/queue"))


def with_job(api: Api) -> None:
    """A worker, which is another process, tells as well."""
    experiment = api.measured(api.questions(2), [1, 0])
    start = now(api)
    job = expect(202, api.post(f"/experiments/{experiment}/score", {"scorers": [{"scorer_name": "exact_match"}]}))
    assert api.finished(job["job_id"])["status"] == "done"
    with streaming(api, start) as stream:
        assert "job" in {event.data.get("kind") for event in stream.until("run")}


def completed(api: Api) -> None:
    experiment = api.experiment(api.questions(1).id)
    start = now(api)
    expect(200, api.post(f"/experiments/{experiment}/complete", {}))
    with streaming(api, start) as stream:
        stream.until("experiment")


def deleted(api: Api) -> None:
    trace, dataset = api.trace(), api.questions(1)
    start = now(api)
    expect(200, api.delete(f"/traces/{trace}?project_id={api.project}"))
    expect(200, api.delete(f"/datasets/{dataset.id}"))
    with streaming(api, start) as stream:
        stream.until("trace")


WRITES: dict[str, tuple[Callable[[Api], object], str]] = {
    "spans": (lambda api: api.trace(), "trace"),
    "a score of a span": (scored_trace, "trace"),
    "an annotation": (lambda api: api.annotation(api.trace()), "review"),
    "a card of the queue": (queued, "review"),
    "a dataset": (lambda api: api.dataset(), "dataset"),
    "an experiment": (lambda api: api.experiment(api.questions(1).id), "experiment"),
    "the end of an experiment": (completed, "experiment"),
    "runs": (lambda api: api.measured(api.questions(1), [1]), "run"),
    "a job": (with_job, "job"),
    "iterations": (lambda api: push(api, iteration_draft(1, 0.5)), "iteration"),
    "deletions": (deleted, "dataset"),
}


@pytest.mark.parametrize("what", WRITES)
def test_whatever_is_written_is_told_by_its_kind(api, what):
    write, kind = WRITES[what]
    start = now(api)
    write(api)
    with streaming(api, start) as stream:
        assert stream.until(kind)[-1].data["kind"] == kind


def test_many_changes_are_one_event(api):
    start = now(api)
    for number in range(20):
        api.trace(span(f"root-{number}", f"trace-{number}"))
    with streaming(api, start) as stream:
        assert stream.next().name == "ready"
        first = stream.next()
        assert (first.name, first.data["kind"], first.data["changes"]) == ("changed", "trace", 20)
        api.dataset()
        assert stream.next().data["kind"] == "dataset"


def test_a_stream_goes_on_where_an_earlier_one_stopped(api):
    with streaming(api) as stream:
        stream.next()
        api.trace()
        seen = stream.next().id
    api.dataset()
    with streaming(api, seen) as stream:
        assert (stream.next().name, stream.next().data["kind"]) == ("ready", "dataset")


def test_a_page_names_the_place_in_the_address(api):
    start = now(api)
    api.trace()
    asked = {"project_id": api.project, "after": start}
    with api.http.stream("GET", "/v1/events", params=asked, headers={"Authorization": f"Bearer {api.key}"}) as answer:
        lines = answer.iter_lines()
        assert next(line for line in lines if line.startswith("id: ")) == f"id: {start}"
        assert next(line for line in lines if "trace" in line)


@pytest.mark.parametrize("unknown", ["yesterday", "1,trace=many", "2,trace=1", "1," + "trace=1," * 200])
def test_a_place_that_is_not_known_is_answered_by_reset(api, unknown):
    api.trace()
    with streaming(api, unknown) as stream:
        first = stream.next()
    assert first.name == "reset"
    assert first.id == now(api)


def test_what_was_refused_is_not_told(api):
    api.trace()
    start = now(api)
    assert Refusal.of(api.post("/traces/ingest", {"project_id": api.project, "spans": [span()]})).said[0] == 409
    api.dataset()
    with streaming(api, start) as stream:
        assert [stream.next().name, stream.next().data["kind"]] == ["ready", "dataset"]


# --- who may listen ---


def test_a_key_hears_of_its_own_project_only(api, stranger):
    assert Refusal.of(stranger.call("GET", f"/events?project_id={api.project}")).said == (404, "NOT_FOUND")
    bound = api.with_key("read")
    with streaming(bound) as stream:
        stream.next()
        stranger.trace()
        api.dataset()
        assert stream.next().data == {"kind": "dataset", "project_id": api.project, "changes": 1}


def test_a_key_of_all_projects_names_one(root):
    assert Refusal.of(root.call("GET", "/events")).said == (400, "PROJECT_REQUIRED")


def test_reviewers_and_strangers_do_not_listen(api):
    assert Refusal.of(api.http.get("/v1/events")).said == (401, "UNAUTHORIZED")
    reviewer = api.make("/keys", {"role": "reviewer", "name": "r", "project_id": api.project})["key"]
    refused = Refusal.of(api.http.get("/v1/events", headers={"Authorization": f"Bearer {reviewer}"}))
    assert refused.said == (403, "FORBIDDEN")
    assert "sees the review queue" in refused.message


def test_a_revoked_key_ends_its_streams(api):
    key = api.make("/keys", {"role": "read", "project_id": api.project})
    reader = Api(api.http, key["key"], api.project)
    with streaming(api) as other, streaming(reader) as stream:
        assert other.next().name == stream.next().name == "ready"
        expect(200, api.delete(f"/keys/{key['id']}"))
        end = stream.next()
        assert (end.name, end.id) == ("end", None)
        assert "revoked" in end.data["reason"]
        assert stream.is_at_end()
        api.dataset()
        assert other.next().data["kind"] == "dataset"


def test_a_browser_hears_with_its_session_and_no_longer_when_it_logs_out(server, api):
    own_page = {"Sec-Fetch-Site": "same-origin", "X-Gnomon": "1"}
    with httpx2.Client(base_url=server.url, timeout=600, **LOOPBACK) as browser:
        key = api.make("/keys", {"role": "read", "project_id": api.project})["key"]
        assert browser.post("/v1/session", json={"key": key}, headers=own_page).status_code == 201
        with browser.stream("GET", "/v1/events", headers={"Sec-Fetch-Site": "same-origin"}) as answer:
            lines = answer.iter_lines()
            assert next(line for line in lines if line == "event: ready")
            assert browser.delete("/v1/session", headers=own_page).status_code == 200
            assert next(line for line in lines if line == "event: end")
        elsewhere = browser.get("/v1/events", headers={"Sec-Fetch-Site": "cross-site"})
        assert elsewhere.status_code == 401


# --- servers come and go ---


@pytest.fixture
def own_server(url_with_schema: str, tmp_path: Path) -> Callable[[], contextlib.AbstractContextManager[Server]]:
    @contextlib.contextmanager
    def start():
        server = start_server(url_with_schema, tmp_path / "home", "--no-worker")
        try:
            yield server
        finally:
            server.stop()

    return start


def test_a_stopping_server_ends_its_streams_and_the_next_one_goes_on(own_server):
    with own_server() as server:
        api = Api(server.http, server.admin_key, "p")
        with streaming(api) as stream:
            seen = stream.next().id
            api.trace()
            server.process.terminate()  # what is committed and not told yet is told by the next one
            end = stream.next()
            while end.name != "end":
                seen, end = end.id, stream.next()
            assert end.data == {"reason": "the server is stopping"}
            assert stream.is_at_end()
        assert server.process.wait(600) == 0
    with own_server() as server:
        api = Api(server.http, server.admin_key, "p")
        api.dataset()
        with streaming(api, seen) as stream:
            assert stream.next().name == "ready"
            assert stream.until("dataset")


def test_servers_of_one_database_tell_of_each_others_changes(own_server, tmp_path, url_with_schema):
    with own_server() as server:
        other = start_server(url_with_schema, tmp_path / "other", "--no-worker")
        try:
            there = Api(other.http, other.admin_key, "p")
            with streaming(Api(server.http, server.admin_key, "p")) as stream:
                seen = stream.next().id
                there.trace()
                assert stream.next().data["kind"] == "trace"
            with streaming(there, seen) as stream:
                assert [stream.next().name, stream.next().data["kind"]] == ["ready", "trace"]
        finally:
            other.stop()
