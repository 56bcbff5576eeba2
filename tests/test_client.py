"""The client, against a real server and against one that misbehaves on demand."""

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2
import pytest
from google.rpc.status_pb2 import Status
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from awaited import awaited
from conftest import Server
from contract.caller import fresh_project
from gnomon import errors
from gnomon.client import UNREACHABLE, AsyncClient, Client, RetryPolicy
from gnomon.client.requests import get, post, read_answer
from gnomon.model.access import KeyDraft
from gnomon.model.backend import find_experiment
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft
from gnomon.model.otlp import OtlpReceived
from gnomon.model.score import InlineScoreDraft
from gnomon.model.trace import Deleted, Project, ProjectDraft

QUICK = RetryPolicy(attempts=4, first_pause=0.01, longest_pause=0.05)
A_PROJECT = {"id": "p", "name": "p", "created_at": "2026-02-21T22:00:00.000Z"}

Handle = Callable[[BaseHTTPRequestHandler, bytes], None]


def answers(status: int, body: Any, **headers: str) -> Handle:
    def handle(request: BaseHTTPRequestHandler, _: bytes) -> None:
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        request.send_response(status)
        for name, value in {"Content-Length": str(len(sent)), **headers}.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(sent)

    return handle


def hangs_up(request: BaseHTTPRequestHandler, _: bytes) -> None:
    request.close_connection = True


def busy(status: int = 503) -> Handle:
    return answers(status, {"error": {"code": "BUSY", "message": "later", "details": None}})


class Scripted:
    """A server that does one thing after another, and keeps what it was asked."""

    def __init__(self, *script: Handle) -> None:
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.bodies: list[bytes] = []
        self.connections = 0
        steps = iter(script)
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                outer.connections += 1
                super().setup()

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                outer.requests.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()}))
                outer.bodies.append(body)
                next(steps)(self, body)

            do_GET = do_POST = do_DELETE = handle_any  # noqa: N815 (http.server looks for these names)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def keys(self) -> list[str | None]:
        return [headers.get("idempotency-key") for _, _, headers in self.requests]

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(params=[Client, awaited], ids=["sync", "async"])
def scripted(request: pytest.FixtureRequest) -> Iterator[Callable[..., tuple[Scripted, Any]]]:
    """A server with a script and a client of it; what holds for one client holds for the other."""
    with ExitStack() as opened:

        def start(*script: Handle) -> tuple[Scripted, Any]:
            server = Scripted(*script)
            opened.callback(server.stop)
            return server, opened.enter_context(request.param(server.url, "k", retry=QUICK))

        yield start


# --- asking again -----


def test_a_busy_server_is_asked_again_with_the_same_idempotency_key(scripted):
    server, client = scripted(busy(503), busy(502), busy(429), answers(201, A_PROJECT))
    assert client.send(post("/projects", Project)).id == "p"
    assert len(set(server.keys)) == 1
    assert server.keys[0]


def test_two_posts_have_two_keys(scripted):
    server, client = scripted(answers(201, A_PROJECT), answers(201, A_PROJECT))
    for _ in range(2):
        client.send(post("/projects", Project))
    assert len(set(server.keys)) == 2


def test_a_lost_answer_is_retry_after_again(scripted):
    server, client = scripted(hangs_up, answers(200, A_PROJECT))
    assert client.send(get("/projects/p", Project)).id == "p"
    assert len(server.requests) == 2


def test_a_delete_whose_answer_was_lost_is_not_repeated(scripted):
    server, client = scripted(hangs_up, answers(200, {"deleted": True, "id": "x"}))
    with pytest.raises(errors.GnomonError, match="cannot reach"):
        client.revoke_key("x")
    assert len(server.requests) == 1


def test_a_delete_that_was_turned_away_is_repeated(scripted):
    _, client = scripted(busy(429), answers(200, {"deleted": True, "id": "x"}))
    assert client.revoke_key("x") == Deleted(id="x")


def test_a_server_that_stays_busy_is_given_up_in_its_own_words(scripted):
    server, client = scripted(*[busy()] * QUICK.attempts)
    with pytest.raises(errors.GnomonError) as told:
        client.send(get("/projects/p", Project))
    assert (told.value.code, told.value.message) == ("BUSY", "later")
    assert len(server.requests) == QUICK.attempts


def test_a_refusal_is_not_asked_again(scripted):
    server, client = scripted(answers(404, {"error": {"code": "NOT_FOUND", "message": "no", "details": None}}))
    with pytest.raises(errors.NotFound):
        client.summary("x")
    assert len(server.requests) == 1


@pytest.mark.parametrize("make", [Client, awaited])
def test_nobody_there_is_one_line_with_the_address(make):
    with make("http://127.0.0.1:9", "k", retry=QUICK) as client, pytest.raises(errors.GnomonError) as told:
        client.summary("x")
    assert told.value.code == UNREACHABLE
    assert "http://127.0.0.1:9" in told.value.message
    assert "\n" not in told.value.message


@given(st.integers(1, 20), st.integers(1, 20), st.none() | st.floats(0, 1e6))
def test_a_pause_is_never_longer_than_the_longest_and_the_last_attempt_has_none(attempts, attempt, retry_after):
    policy = RetryPolicy(attempts=attempts)
    pause = policy.pause(attempt, retry_after)
    if attempt >= attempts:
        assert pause is None
    else:
        assert pause is not None
        assert 0 < pause <= policy.longest_pause


def test_a_server_that_says_how_long_it_needs_is_believed():
    assert RetryPolicy().pause(1, retry_after=3) == 3


# --- what an answer means -----


@pytest.mark.parametrize(
    "family",
    [
        errors.InvalidInput, errors.Unauthorized, errors.Forbidden, errors.NotFound, errors.Conflict, errors.TooLarge,
        errors.Refused, errors.NotAvailable, errors.StoreTrouble,
    ],
)  # fmt: skip
def test_a_refusal_comes_back_as_the_family_that_made_it(family):
    refusal = family("why", code="SOME_CODE", problems=[errors.Problem("name", "SOME_CODE", "why", 3)])
    body = json.dumps({"error": {"code": refusal.code, "message": refusal.message, "details": refusal.details}})
    with pytest.raises(family) as told:
        read_answer(family.status, body.encode(), Project.model_validate)
    assert type(told.value) is family
    assert (told.value.code, told.value.message, told.value.problems) == ("SOME_CODE", "why", refusal.problems)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<html>welcome</html>"),
        (301, b"<html>moved</html>"),
        (404, b"nothing here"),
        (400, b"[]"),
        (400, b'{"error": "flat"}'),
        (200, b'{"items": 3}'),
        (200, b"null"),
        (200, b"\xff\xfe"),
        (204, b""),
    ],
)
def test_an_answer_that_is_not_ours_is_one_line(status, body):
    with pytest.raises(errors.GnomonError, match="not one of Gnomon's") as told:
        read_answer(status, body, Project.model_validate)
    assert told.value.code == UNREACHABLE
    assert "\n" not in told.value.message


@pytest.mark.parametrize("url", ["localhost:8321", "", "ftp://x", "http://", "just words"])
def test_an_address_that_is_none_is_refused_by_value(url):
    with pytest.raises(errors.InvalidInput, match="write it like"):
        Client(url, "k")


@pytest.mark.parametrize("key", ["", "  ", "two\nlines", "schlüssel"])
def test_a_key_that_no_header_can_carry_is_refused_without_showing_it(key):
    with pytest.raises(errors.InvalidInput) as told:
        Client("http://127.0.0.1:1", key)
    assert not key.strip() or key not in told.value.message


def test_an_id_is_one_part_of_the_path_whatever_is_in_it(scripted):
    server, client = scripted(answers(404, {"error": {"code": "NOT_FOUND", "message": "no", "details": None}}))
    with pytest.raises(errors.NotFound):
        client.experiment("a/b c?d#é")
    assert server.requests[0][1] == "/v1/experiments/a%2Fb%20c%3Fd%23%C3%A9"


@pytest.mark.parametrize("id", [".", ".."])
def test_an_id_of_dots_is_not_a_way_up(scripted, id):
    """Deleting the item `..` of a dataset must not be read as deleting something above it."""
    server, client = scripted(answers(200, {"deleted": True, "id": id}))
    client.delete_item("d", id)
    assert server.requests[0][1] == f"/v1/datasets/d/items/{id.replace('.', '%2E')}"


def test_every_request_asks_the_server_to_be_strict(scripted):
    """A field that the server does not know is refused, and not dropped without a word."""
    server, client = scripted(answers(200, A_PROJECT), answers(201, A_PROJECT))
    client.project("p")
    client.create_project(ProjectDraft(id="p"))
    assert [headers["prefer"] for _, _, headers in server.requests] == ["handling=strict"] * 2


def test_requests_share_a_connection(scripted):
    server, client = scripted(*[answers(200, A_PROJECT)] * 3)
    for _ in range(3):
        client.project("p")
    assert server.connections == 1


def test_a_page_of_html_comes_as_text_and_its_refusal_as_a_refusal(scripted):
    refused = answers(404, {"error": {"code": "NOT_FOUND", "message": "no", "details": None}})
    _, client = scripted(answers(200, b"<!doctype html>", Content_Type="text/html"), refused)
    assert client.outcomes_page("p") == "<!doctype html>"
    with pytest.raises(errors.NotFound):
        client.outcomes_page("p")


# --- OpenTelemetry's protocol -----


def in_words(code: int, message: str) -> bytes:
    told: bytes = Status(code=code, message=message).SerializeToString()
    return told


def test_otlp_goes_out_as_protobuf_and_as_gzip_when_it_is_large(scripted):
    partial = {"rejected_spans": 2, "error_message": "no ids"}
    told = ExportTraceServiceResponse(partial_success=partial).SerializeToString()
    server, client = scripted(answers(200, b""), answers(200, told), answers(200, told))
    assert client.send_traces(b"small") == OtlpReceived(accepted=None, rejected=0, message=None)
    assert client.send_traces(b"large" * 500) == OtlpReceived(accepted=None, rejected=2, message="no ids")
    assert client.send_logs(b"small").rejected == 2
    sent = [(path, headers["content-type"], headers.get("content-encoding")) for _, path, headers in server.requests]
    assert sent == [
        ("/v1/traces", "application/x-protobuf", None),
        ("/v1/traces", "application/x-protobuf", "gzip"),
        ("/v1/logs", "application/x-protobuf", None),
    ]
    assert len(server.bodies[1]) < 100
    assert gzip.decompress(server.bodies[1]) == b"large" * 500


def test_otlp_is_sent_again_while_the_server_is_busy_or_its_answer_is_lost(scripted):
    server, client = scripted(answers(503, in_words(14, "later")), hangs_up, answers(200, b""))
    assert client.send_traces(b"spans").rejected == 0
    assert server.bodies == [b"spans"] * 3


@pytest.mark.parametrize(
    ("status", "family"),
    [(400, errors.InvalidInput), (401, errors.Unauthorized), (403, errors.Forbidden), (413, errors.TooLarge),
     (415, errors.WrongMedia)],
)  # fmt: skip
def test_a_refusal_in_protobuf_comes_back_as_the_family_that_made_it(scripted, status, family):
    _, client = scripted(answers(status, in_words(3, "the field is wrong")))
    with pytest.raises(family, match="the field is wrong") as refused:
        client.send_traces(b"spans")
    assert refused.value.code == family.default_code


def test_a_refusal_in_json_on_the_way_to_protobuf_is_read_too(scripted):
    _, client = scripted(busy(408))
    with pytest.raises(errors.GnomonError, match="later") as refused:
        client.send_traces(b"spans")
    assert refused.value.code == "BUSY"


@pytest.mark.parametrize("status", [200, 404, 500])
@pytest.mark.parametrize("body", [b"<html>not here</html>", b"\xff\xff"])
def test_an_answer_that_is_no_protobuf_is_one_line(scripted, status, body):
    _, client = scripted(answers(status, body))
    with pytest.raises(errors.GnomonError, match="not one of Gnomon's") as refused:
        client.send_logs(b"records")
    assert refused.value.code == UNREACHABLE


def test_a_key_whose_secret_was_lost_on_the_way_is_said_to_be_lost(scripted):
    made = {"id": "k1", "role": "read", "project_id": None, "name": None, "created_at": A_PROJECT["created_at"]}
    _, client = scripted(answers(201, {**made, "key": None}))
    with pytest.raises(errors.Conflict, match="revoke it and create another"):
        client.create_key(KeyDraft(role="read"))


# --- which server -----


@pytest.mark.parametrize("make", [Client, awaited])
def test_without_arguments_the_environment_names_server_and_key(make, monkeypatch):
    monkeypatch.setenv("GNOMON_URL", "http://127.0.0.1:9/")
    monkeypatch.setenv("GNOMON_API_KEY", "secret")
    with make(retry=QUICK) as client, pytest.raises(errors.GnomonError, match=r"cannot reach http://127\.0\.0\.1:9:"):
        client.project("p")


@pytest.mark.parametrize("make", [Client, AsyncClient])
def test_a_server_or_a_key_that_nobody_named_is_one_line_with_the_remedy(make, monkeypatch):
    monkeypatch.delenv("GNOMON_URL", raising=False)
    monkeypatch.delenv("GNOMON_API_KEY", raising=False)
    with pytest.raises(errors.InvalidInput, match="no server is named; set GNOMON_URL and GNOMON_API_KEY"):
        make()
    with pytest.raises(errors.InvalidInput, match=r"no key for .*; set GNOMON_API_KEY"):
        make("http://127.0.0.1:9")


# --- with a real server -----


@pytest.fixture
def server(server_on) -> Server:
    return server_on("sqlite")


@pytest.fixture
def project() -> str:
    return fresh_project()


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.url, server.admin_key) as client:
        yield client


def an_experiment(client: Client, project: str, values: list[float], name: str = "trial", dataset_id: str = "") -> str:
    if not dataset_id:
        dataset_id = client.create_dataset(DatasetDraft(project_id=project, name="questions")).id
        client.import_items(dataset_id, [ItemDraft(input=f"q{n}") for n in range(len(values))])
    experiment = client.create_experiment(ExperimentDraft(project_id=project, name=name, dataset_id=dataset_id))
    items = sorted(client.items(dataset_id), key=lambda item: str(item.input))
    runs = [
        RunDraft(dataset_item_id=item.id, output="x", scores=[InlineScoreDraft(scorer_name="quality", value=value)])
        for item, value in zip(items, values, strict=True)
    ]
    client.add_runs(experiment.id, runs)
    return experiment.id


def test_an_experiment_is_found_by_id_or_by_its_name(client, project):
    first = an_experiment(client, project, [1.0], "one/of its kind")
    assert find_experiment(client, first).id == first
    assert find_experiment(client, "one/of its kind", project).id == first
    with pytest.raises(errors.NotFound, match="'nobody'"):
        find_experiment(client, "nobody", project)
    second = an_experiment(client, project, [1.0], "one/of its kind", client.experiment(first).dataset_id)
    assert find_experiment(client, "one/of its kind", project).id == second
    assert find_experiment(client, "one/of its kind", project, at="~1").id == first


def test_a_key_that_is_bound_to_a_project_needs_none_beside_a_name(client, server, project):
    made = an_experiment(client, project, [1.0], "mine")
    bound = client.create_key(KeyDraft(role="read", project_id=project))
    with Client(server.url, bound.key) as reader:
        assert find_experiment(reader, "mine").id == made


def test_a_key_may_do_what_its_role_says(client, server, project):
    made = client.create_key(KeyDraft(role="read", project_id=project))
    with Client(server.url, made.key) as reader:
        assert [found.id for found in reader.projects()] == [project]
        with pytest.raises(errors.Forbidden):
            reader.create_dataset(DatasetDraft(name="mine"))


def test_a_wrong_key_is_said_to_be_one(server):
    with Client(server.url, "not-a-key") as stranger, pytest.raises(errors.Unauthorized, match="not valid"):
        list(stranger.projects())


def test_a_post_whose_answer_was_lost_is_carried_out_once(scripted, client, server, project):
    """A relay passes the first request on, and hangs up before the answer."""

    def pass_on(request: BaseHTTPRequestHandler, body: bytes) -> httpx2.Response:
        headers = {name: value for name, value in request.headers.items() if name.lower() != "host"}
        return server.http.request(request.command, request.path, content=body, headers=headers)

    def then_hang_up(request: BaseHTTPRequestHandler, body: bytes) -> None:
        assert pass_on(request, body).status_code == 201
        hangs_up(request, body)

    def and_answer(request: BaseHTTPRequestHandler, body: bytes) -> None:
        answer = pass_on(request, body)
        assert answer.headers["idempotency-replayed"] == "true"
        answers(answer.status_code, answer.content)(request, body)

    relay, _ = scripted(then_hang_up, and_answer)
    with Client(relay.url, server.admin_key, retry=QUICK) as through_the_relay:
        made = through_the_relay.create_dataset(DatasetDraft(project_id=project, name="once"))
    assert [dataset.id for dataset in client.datasets(project)] == [made.id]
