"""Stored traces and scores are sent to a receiver of OTLP: a real HTTP server on loopback that reads them with
OpenTelemetry's own messages, and refuses, delays or dies as it is told."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTracePartialSuccess,
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from conftest import Server
from contract.caller import fresh_project
from gnomon.calling.otlp import OtlpReceiver, SendRetries
from gnomon.client import Client
from gnomon.errors import GnomonError, InvalidInput
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft
from gnomon.model.moment import parse
from gnomon.model.score import InlineScoreDraft
from gnomon.model.trace import SpanDraft
from gnomon.service.embedded import Embedded
from gnomon.service.exchange.exporting import Selection
from gnomon.service.exchange.otlpexport import BATCH, SentSpans, send_scores, send_traces
from gnomon.store.engine import open_store

AT = datetime(2026, 2, 21, 22, tzinfo=UTC)

Answer = tuple[int, dict[str, str], bytes]
TAKEN: Answer = (200, {"Content-Type": "application/x-protobuf"}, b"")


@dataclass
class Receiver:
    """What came in, and what is answered: `answers` one after the other, then everything is taken."""

    url: str = ""
    answers: list[Answer | None] = field(default_factory=list)
    """None closes the connection without a word."""
    most_bytes: int = 10**9
    """Larger requests are refused with 413."""
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    taken: list[tuple[str, bytes]] = field(default_factory=list)

    def spans(self) -> list[Any]:
        return [
            span
            for path, body in self.taken
            if path == "/v1/traces"
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def logs(self) -> list[Any]:
        return [
            log
            for path, body in self.taken
            if path == "/v1/logs"
            for resource in ExportLogsServiceRequest.FromString(body).resource_logs
            for scope in resource.scope_logs
            for log in scope.log_records
        ]


@contextmanager
def listening(receiver: Receiver) -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"]))
            body = gzip.decompress(sent)
            receiver.requests.append((self.path, dict(self.headers), body))
            answer = receiver.answers.pop(0) if receiver.answers else TAKEN
            if answer is None:
                self.close_connection = True
                return
            status, headers, content = (413, {}, b"") if len(body) > receiver.most_bytes else answer
            if status == 200:
                receiver.taken.append((self.path, body))
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *words: object) -> None:
            """Nothing on stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with listening(Receiver()) as started:
        yield started


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    url = f"sqlite:///{tmp_path_factory.mktemp('otlp')}/gnomon.db"
    open_store(url).close()
    with Embedded(url) as opened:
        yield opened


def stored(backend: Embedded, traces: int, spans: int) -> str:
    """A project with so many traces of so many spans; the first span of each is scored."""
    project = fresh_project()
    for trace in range(traces):
        backend.ingest(
            [
                SpanDraft(
                    id=f"{at + 1:016x}", trace_id=f"{trace + 1:032x}", name=f"step {at}", start_time=AT,
                    parent_span_id=f"{1:016x}" if at else None,
                    **({"scores": [InlineScoreDraft(scorer_name="helpful", value=0.5)]} if at == 0 else {}),
                )
                for at in range(spans)
            ],
            project,
        )  # fmt: skip
    return project


def sent(
    backend: Embedded, receiver: Receiver, project: str, waits: list[float] | None = None, **about: Any
) -> SentSpans:
    retry_policy = SendRetries(attempts=4, first_pause=0.5, longest_pause=30.0)
    kept: list[float] = [] if waits is None else waits
    with OtlpReceiver(receiver.url, {"X-Key": "k"}, retry_policy, kept.append) as there:
        return send_traces(backend, Selection("traces", project_id=project, **about), there)


def test_spans_arrive_compressed_in_batches_and_their_scores_after_them(backend: Embedded, receiver: Receiver) -> None:
    project = stored(backend, traces=3, spans=300)
    found = sent(backend, receiver, project)
    assert (dict(found.counts), found.batches, dict(found.rejected)) == (
        {"traces": 3, "spans": 900, "scores": 3},
        3,
        {},
    )
    assert [path for path, _, _ in receiver.requests] == ["/v1/traces", "/v1/traces", "/v1/logs"]
    headers = receiver.requests[0][1]
    assert (headers["Content-Type"], headers["Content-Encoding"]) == ("application/x-protobuf", "gzip")
    assert headers["X-Key"] == "k"
    first = ExportTraceServiceRequest.FromString(receiver.requests[0][2])
    assert sum(len(scope.spans) for resource in first.resource_spans for scope in resource.scope_spans) == BATCH
    assert {(span.trace_id.hex(), span.span_id.hex()) for span in receiver.spans()} == {
        (f"{trace + 1:032x}", f"{at + 1:016x}") for trace in range(3) for at in range(300)
    }
    assert {(log.event_name, log.trace_id.hex(), log.span_id.hex()) for log in receiver.logs()} == {
        ("gen_ai.evaluation.result", f"{trace + 1:032x}", f"{1:016x}") for trace in range(3)
    }


def test_without_scores_none_are_sent(backend: Embedded, receiver: Receiver) -> None:
    found = sent(backend, receiver, stored(backend, 1, 2), scores=False)
    assert (dict(found.counts), receiver.logs()) == ({"traces": 1, "spans": 2}, [])


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_busy_receiver_is_asked_again_when_it_says(backend: Embedded, receiver: Receiver, status: int) -> None:
    receiver.answers = [(status, {"Retry-After": "7"}, b""), (status, {}, b""), (status, {"Retry-After": "999"}, b"")]
    waits: list[float] = []
    found = sent(backend, receiver, stored(backend, 1, 2), waits)
    assert found.counts["spans"] == len(receiver.spans()) == 2
    assert waits[0] == 7
    assert 1.0 <= waits[1] <= 2.0  # nothing was said: half to the whole of 0.5 s, doubled twice
    assert waits[2] == 30  # within the bound


def test_a_moment_of_http_is_a_time_to_wait_too(backend: Embedded, receiver: Receiver) -> None:
    receiver.answers = [(503, {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, b"")]
    waits: list[float] = []
    sent(backend, receiver, stored(backend, 1, 1), waits)
    assert waits == [0]


def test_a_lost_connection_is_tried_again(backend: Embedded, receiver: Receiver) -> None:
    receiver.answers = [None]
    assert sent(backend, receiver, stored(backend, 1, 2)).counts["spans"] == len(receiver.spans()) == 2


def test_what_is_not_taken_is_counted_and_told(backend: Embedded, receiver: Receiver) -> None:
    partial = ExportTracePartialSuccess(rejected_spans=1, error_message="a span without a name")
    answer = ExportTraceServiceResponse(partial_success=partial).SerializeToString()
    receiver.answers = [(200, {"Content-Type": "application/x-protobuf"}, answer)]
    found = sent(backend, receiver, stored(backend, 1, 3))
    assert (dict(found.rejected), found.messages) == ({"spans": 1}, ["a span without a name"])


def test_a_batch_that_is_too_large_goes_in_halves(backend: Embedded, receiver: Receiver) -> None:
    receiver.most_bytes = 2000
    found = sent(backend, receiver, stored(backend, 1, 64))
    assert len(receiver.spans()) == found.counts["spans"] == 64
    assert found.batches > 2


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((401, {"Content-Type": "text/plain"}, b"no key"), "answered 401 (no key); give its key with --header"),
        ((404, {}, b""), "answered 404; is it a receiver of OTLP over HTTP?"),
        ((400, {"Content-Type": "text/html"}, b"<h1>\nbad"), "answered 400 (<h1> bad)"),
        ((302, {"Location": "http://elsewhere/"}, b""), "answered 302 to http://elsewhere/; name that address"),
    ],
)
def test_a_refusal_is_not_repeated_and_says_what_to_do(
    backend: Embedded, receiver: Receiver, answer: Answer, words: str
) -> None:
    receiver.answers = [answer]
    with pytest.raises(GnomonError) as refused:
        sent(backend, receiver, stored(backend, 1, 1))
    assert words in refused.value.message
    assert "\n" not in refused.value.message
    assert len(receiver.requests) == 1


def test_a_receiver_that_dies_leaves_word_of_what_it_took_and_how_to_go_on(
    backend: Embedded, receiver: Receiver
) -> None:
    project = stored(backend, traces=4, spans=300)
    receiver.answers = [TAKEN, None, None, None, None]
    with pytest.raises(GnomonError) as stopped:
        sent(backend, receiver, project)
    words, before = stopped.value.message.split("; go on with --before ")
    assert "accepts nothing after 4 attempts" in words
    assert words.endswith("it took 1 batch with 512 spans before")
    sent(backend, receiver, project, before=parse(before))
    there = {(span.trace_id, span.span_id) for span in receiver.spans()}
    assert len(there) == 1200


def test_scores_alone_are_sent_of_spans_and_of_runs(backend: Embedded, receiver: Receiver) -> None:
    project = stored(backend, 1, 2)
    dataset = backend.create_dataset(DatasetDraft(project_id=project, name="d"))
    item = backend.add_item(dataset.id, ItemDraft(input="q"))
    experiment = backend.create_experiment(ExperimentDraft(project_id=project, name="e", dataset_id=dataset.id))
    run = RunDraft(
        dataset_item_id=item.id, output="a", trace_id=f"{1:032x}",
        scores=[InlineScoreDraft(scorer_name="tone", value="calm"), InlineScoreDraft(scorer_name="x", absent="why")],
    )  # fmt: skip
    backend.add_runs(experiment.id, [run])
    with OtlpReceiver(receiver.url) as there:
        found = send_scores(backend, Selection("scores", project_id=project), there)
    assert dict(found.counts) == {"scores": 3}
    told = {
        next(pair.value.string_value for pair in log.attributes if pair.key == "gen_ai.evaluation.name"): log
        for log in receiver.logs()
    }
    assert told["tone"].trace_id.hex() == f"{1:032x}"
    assert not told["tone"].span_id
    assert {pair.key for pair in told["tone"].attributes} >= {"gnomon.experiment.name", "gnomon.run.id", "gnomon.trial"}
    assert {pair.key: pair.value.string_value for pair in told["x"].attributes}["gnomon.absent"] == "why"
    assert told["helpful"].span_id.hex() == f"{1:016x}"


@pytest.mark.parametrize("url", ["ftp://127.0.0.1", "127.0.0.1:4318", "http://user:secret@127.0.0.1", "http://"])
def test_what_is_no_address_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        OtlpReceiver(url)
    assert "write it like http://127.0.0.1:4318" in refused.value.message


def test_the_whole_address_of_traces_is_taken_as_well(receiver: Receiver) -> None:
    with OtlpReceiver(f"{receiver.url}/v1/traces/") as there:
        assert there.url == receiver.url


def test_another_gnomon_shows_what_it_was_sent(backend: Embedded, server: Server) -> None:
    """The spans and scores of one Gnomon, sent to another as any exporter would."""
    project = stored(backend, 2, 3)
    with OtlpReceiver(server.url, {"Authorization": f"Bearer {server.admin_key}"}) as there:
        found = send_traces(backend, Selection("traces", project_id=project), there)
    assert not found.rejected
    with Client(server.url, server.admin_key) as client:
        for id in (f"{1:032x}", f"{2:032x}"):
            here, other = backend.trace(id, project), client.trace(id, project)
            assert [(span.id, span.name) for span in other.spans] == [(span.id, span.name) for span in here.spans]
            [score] = client.scores(f"{1:016x}", "span", trace_id=id)
            assert (score.scorer_name, score.value) == ("helpful", 0.5)
