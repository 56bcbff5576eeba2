"""OTLP over gRPC on a real server, with the exporters that programs use: what holds over HTTP holds here."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from conftest import Server, free_port, start_server
from contract.caller import Api, fresh_project
from interop.otlp.samples import request, span

TRACES = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
LOGS = "/opentelemetry.proto.collector.logs.v1.LogsService/Export"
LIMIT_MB = 1


@dataclass(frozen=True)
class Reached:
    server: Server
    port: int

    def exporter(self, key: str, compression: grpc.Compression | None = None) -> OTLPSpanExporter:
        headers = {"authorization": f"Bearer {key}"}
        address = f"http://127.0.0.1:{self.port}"
        return OTLPSpanExporter(address, insecure=True, headers=headers, compression=compression)

    def call(self, key: str | None, body: bytes, method: str = TRACES) -> ExportTraceServiceResponse:
        metadata = [] if key is None else [("authorization", f"Bearer {key}")]
        with grpc.insecure_channel(f"127.0.0.1:{self.port}", [("grpc.max_send_message_length", -1)]) as channel:
            answer: bytes = channel.unary_unary(method)(body, metadata=metadata, timeout=600)
        return ExportTraceServiceResponse.FromString(answer)

    def refusal(self, key: str | None, body: bytes) -> tuple[grpc.StatusCode, str]:
        with pytest.raises(grpc.RpcError) as refused:
            self.call(key, body)
        return refused.value.code(), refused.value.details()

    def api(self, project: str) -> Api:
        return Api(self.server.http, self.server.admin_key, project)


@pytest.fixture(scope="module")
def reached_on(tmp_path_factory: pytest.TempPathFactory, new_postgresql: Callable[[], str]) -> Iterator[Any]:
    running: dict[str, Reached] = {}

    def reached(database: str) -> Reached:
        if database not in running:
            home, port = tmp_path_factory.mktemp(f"grpc-{database}"), free_port()
            url = new_postgresql() if database == "postgresql" else f"sqlite:///{home / 'gnomon.db'}"
            server = start_server(url, home, "--otlp-grpc", str(port), GNOMON_MAX_BODY_MB=str(LIMIT_MB))
            running[database] = Reached(server, port)
        return running[database]

    yield reached
    for one in running.values():
        one.server.stop()


@pytest.fixture
def reached(reached_on: Callable[[str], Reached], database: str) -> Reached:
    return reached_on(database)


@pytest.fixture
def project() -> str:
    return fresh_project()


def spans_of(project: str, **resource: str) -> Sequence[ReadableSpan]:
    provider = TracerProvider(resource=Resource({"gnomon.project": project, **resource}), shutdown_on_exit=False)
    kept = InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    with provider.get_tracer("agent", "1.2").start_as_current_span("answer") as root:
        root.set_attributes({"input.value": "Where?", "output.value": "In Paris.", "long": "x" * 5_000})
    return kept.get_finished_spans()


def stored(reached: Reached, project: str) -> list[dict[str, Any]]:
    api = reached.api(project)
    traces = api.get("/traces", project_id=project).json()["items"]
    return [one for row in traces for one in api.get(f"/traces/{row['id']}", project_id=project).json()["spans"]]


@pytest.mark.parametrize("compression", [grpc.Compression.NoCompression, grpc.Compression.Gzip])
def test_spans_are_stored_in_the_project_that_their_resource_names(reached, project, compression):
    exporter = reached.exporter(reached.server.admin_key, compression)
    sent = spans_of(project)
    for _ in range(2):  # the second time they are there, and accepted again
        assert exporter.export(sent) is SpanExportResult.SUCCESS
    exporter.shutdown()
    (found,) = stored(reached, project)
    assert (found["name"], found["input"], found["output"]) == ("answer", "Where?", "In Paris.")
    assert (found["kind"], found["scope"]["version"]) == ("internal", "1.2")
    assert found["start_time_unix_nano"] == str(sent[0].start_time)


def test_a_key_that_is_bound_to_a_project_stores_there_whatever_the_resource_says(reached, project):
    reached.api(project).post("/projects", {"id": project})
    made = reached.api(project).post("/keys", {"role": "write", "project_id": project}).json()
    exporter = reached.exporter(made["key"])
    assert exporter.export(spans_of("elsewhere")) is SpanExportResult.SUCCESS
    exporter.shutdown()
    assert len(stored(reached, project)) == 1


def test_callers_without_a_key_that_may_write_are_refused_with_the_remedy(reached, project):
    made = reached.api(project).post("/keys", {"role": "read"}).json()
    body = request(span())
    assert reached.refusal(None, body) == (
        grpc.StatusCode.UNAUTHENTICATED,
        "no key was given; send the header Authorization: Bearer <key>",
    )
    assert reached.refusal("wrong", body) == (
        grpc.StatusCode.UNAUTHENTICATED,
        "this key is not valid; make one with `gnomon key create`",
    )
    assert reached.refusal(made["key"], body) == (
        grpc.StatusCode.PERMISSION_DENIED,
        "this key's role is `read`; Export needs `write`",
    )


def test_what_cannot_be_stored_is_counted_and_the_rest_is_stored(reached):
    answer = reached.call(reached.server.admin_key, request(span(), span(trace_id=b"")))
    assert answer.partial_success.rejected_spans == 1
    assert "trace_id is empty" in answer.partial_success.error_message


def test_what_is_no_request_or_too_large_is_refused(reached):
    code, said = reached.refusal(reached.server.admin_key, b"\xff\xff")
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert "not an OTLP request in protobuf" in said
    code, said = reached.refusal(reached.server.admin_key, b"x" * (LIMIT_MB * 1_100_000))
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED


def test_an_evaluation_result_among_log_records_is_a_score_of_its_span(reached, project):
    sent = spans_of(project)
    exporter = reached.exporter(reached.server.admin_key)
    exporter.export(sent)
    exporter.shutdown()
    context = sent[0].get_span_context()
    assert context is not None
    named = KeyValue(key="gen_ai.evaluation.name", value=AnyValue(string_value="helpful"))
    valued = KeyValue(key="gen_ai.evaluation.score.value", value=AnyValue(double_value=0.75))
    record = {
        "trace_id": context.trace_id.to_bytes(16, "big"), "span_id": context.span_id.to_bytes(8, "big"),
        "time_unix_nano": 1, "event_name": "gen_ai.evaluation.result", "attributes": [named, valued],
    }  # fmt: skip
    resource = {"attributes": [KeyValue(key="gnomon.project", value=AnyValue(string_value=project))]}
    logs = ExportLogsServiceRequest(resource_logs=[{"resource": resource, "scope_logs": [{"log_records": [record]}]}])
    reached.call(reached.server.admin_key, logs.SerializeToString(), LOGS)
    target = {"target_id": format(context.span_id, "016x"), "trace_id": format(context.trace_id, "032x")}
    (score,) = reached.api(project).get("/scores", **target).json()["items"]
    assert (score["scorer_name"], score["value"]) == ("helpful", 0.75)
