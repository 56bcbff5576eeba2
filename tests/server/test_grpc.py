"""OTLP over gRPC, with the exporters that programs use and a client that can send anything."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status
from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.sdk.trace.export import SpanExportResult

import gnomon.server.grpc as endpoint
from conftest import START_SECONDS
from gnomon.errors import GnomonError, InvalidInput, StoreTrouble
from gnomon.interop.otlp.answers import grpc_code_of, log_answer, refusals_in_words, status_body, trace_answer
from gnomon.interop.otlp.decoding import Encoding, decode_logs, decode_traces
from gnomon.server.grpc import GrpcEndpoint
from interop.otlp.samples import request, sdk_log_records, sdk_spans, span

KEY = "gn_key"
LIMIT = 1_000_000
TRACES = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"


class Receiver:
    """What a server does with a request, in memory: check the key, decode, keep, answer."""

    def __init__(self) -> None:
        self.spans: list[Any] = []
        self.logs: list[Any] = []
        self.refuse: list[GnomonError] = []

    def traces(self, token: str | None, body: bytes, encoding: Encoding) -> tuple[int, bytes]:
        if token != KEY:
            return 401, status_body(encoding, grpc_code_of(401), "this key is not valid")
        try:
            if self.refuse:
                raise self.refuse.pop()
            decoded = decode_traces(body, encoding)
        except GnomonError as bad:
            return bad.status, status_body(encoding, grpc_code_of(bad.status), bad.message)
        self.spans += decoded.spans
        return 200, trace_answer(encoding, len(decoded.refused), refusals_in_words(decoded.refused))

    def receive_logs(self, token: str | None, body: bytes, encoding: Encoding) -> tuple[int, bytes]:
        self.logs += decode_logs(body, encoding).logs
        return 200, log_answer(encoding, 0, "")


@contextmanager
def serving(traces: Any, logs: Any) -> Iterator[int]:
    server = GrpcEndpoint(traces, logs, LIMIT)
    server.start()
    try:
        yield server.port
    finally:
        server.stop(5)


@pytest.fixture
def receiver() -> Receiver:
    return Receiver()


@pytest.fixture
def port(receiver: Receiver) -> Iterator[int]:
    with serving(receiver.traces, receiver.receive_logs) as port:
        yield port


def call(port: int, body: bytes, method: str = TRACES, token: str | None = KEY, **options: Any) -> bytes:
    metadata = [] if token is None else [("authorization", f"Bearer {token}")]
    with grpc.insecure_channel(f"127.0.0.1:{port}", [("grpc.max_send_message_length", -1)]) as channel:
        return channel.unary_unary(method)(body, metadata=metadata, timeout=START_SECONDS, **options)


@pytest.mark.parametrize("compression", [grpc.Compression.NoCompression, grpc.Compression.Gzip])
def test_the_sdks_exporter_is_received(port: int, receiver: Receiver, compression: grpc.Compression) -> None:
    spans = sdk_spans()
    exporter = OTLPSpanExporter(
        f"http://127.0.0.1:{port}", insecure=True, headers={"authorization": f"Bearer {KEY}"}, compression=compression
    )
    assert exporter.export(spans) is SpanExportResult.SUCCESS
    exporter.shutdown()
    sent = {format(one.get_span_context().span_id, "016x"): one.name for one in spans}  # type: ignore[union-attr]
    assert {one.span_id: one.name for one in receiver.spans} == sent


def test_the_sdks_log_exporter_is_received(port: int, receiver: Receiver) -> None:
    exporter = OTLPLogExporter(f"http://127.0.0.1:{port}", insecure=True, headers={"authorization": f"Bearer {KEY}"})
    exporter.export(sdk_log_records())
    exporter.shutdown()
    assert [one.name for one in receiver.logs] == ["gen_ai.evaluation.result", "gen_ai.choice", ""]


def test_an_exporter_that_is_told_to_come_back_does(
    port: int, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "RETRY_SECONDS", 0)
    receiver.refuse = [StoreTrouble("the database is busy")]
    exporter = OTLPSpanExporter(f"http://127.0.0.1:{port}", insecure=True, headers={"authorization": f"Bearer {KEY}"})
    assert exporter.export(sdk_spans()) is SpanExportResult.SUCCESS
    exporter.shutdown()
    assert len(receiver.spans) == 3


def test_a_partial_success_is_told(port: int, receiver: Receiver) -> None:
    answer = ExportTraceServiceResponse.FromString(call(port, request(span(), span(trace_id=b""))))
    assert answer.partial_success.rejected_spans == 1
    assert "trace_id is empty" in answer.partial_success.error_message
    assert len(receiver.spans) == 1


@pytest.mark.parametrize("metadata", [[], [("authorization", "Basic abc")], [("authorization", "Bearer ")]])
def test_without_a_key_a_call_is_unauthenticated(port: int, metadata: list[tuple[str, str]]) -> None:
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel, pytest.raises(grpc.RpcError) as failed:
        channel.unary_unary(TRACES)(request(span()), metadata=metadata, timeout=START_SECONDS)
    assert failed.value.code() is grpc.StatusCode.UNAUTHENTICATED
    assert failed.value.details() == "this key is not valid"


def failure(port: int, body: bytes, **options: Any) -> grpc.RpcError:
    with pytest.raises(grpc.RpcError) as failed:
        call(port, body, **options)
    return failed.value


def test_what_is_no_request_is_an_invalid_argument(port: int) -> None:
    failed = failure(port, request(span())[:-1])
    assert failed.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "is not an OTLP request in protobuf" in failed.details()


@pytest.mark.parametrize(
    ("status", "code", "is_retried"),
    [
        (400, grpc.StatusCode.INVALID_ARGUMENT, False),
        (403, grpc.StatusCode.PERMISSION_DENIED, False),
        (413, grpc.StatusCode.INVALID_ARGUMENT, False),
        (429, grpc.StatusCode.RESOURCE_EXHAUSTED, True),
        (500, grpc.StatusCode.INTERNAL, False),
        (503, grpc.StatusCode.UNAVAILABLE, True),
    ],
)
def test_a_refusal_has_its_code_and_says_when_to_come_back(status: int, code: Any, is_retried: bool) -> None:
    def refuse(token: str | None, body: bytes, encoding: Encoding) -> tuple[int, bytes]:
        return status, status_body(encoding, grpc_code_of(status), "später vielleicht " + "x" * 100_000)

    with serving(refuse, refuse) as port:
        failed = failure(port, b"")
    assert failed.code() is code
    assert failed.details().startswith("später vielleicht ")
    trailers = dict(failed.trailing_metadata())
    whole = Status.FromString(trailers["grpc-status-details-bin"])
    assert (whole.code, whole.message) == (code.value[0], failed.details())
    assert ("google.rpc.retryinfo-bin" in trailers) == is_retried
    if is_retried:
        retry = RetryInfo()
        assert whole.details[0].Unpack(retry)
        assert retry.retry_delay.seconds == endpoint.RETRY_SECONDS
        assert RetryInfo.FromString(trailers["google.rpc.retryinfo-bin"]) == retry


def test_an_error_that_is_raised_is_told_as_one_that_is_answered() -> None:
    def refuse(token: str | None, body: bytes, encoding: Encoding) -> tuple[int, bytes]:
        raise InvalidInput("no")

    with serving(refuse, refuse) as port:
        failed = failure(port, b"")
    assert (failed.code(), failed.details()) == (grpc.StatusCode.INVALID_ARGUMENT, "no")


def test_a_bug_is_an_internal_error_that_tells_nothing_of_the_inside(caplog: pytest.LogCaptureFixture) -> None:
    def crash(token: str | None, body: bytes, encoding: Encoding) -> tuple[int, bytes]:
        raise RuntimeError("secret")

    with serving(crash, crash) as port:
        failed = failure(port, b"")
    assert failed.code() is grpc.StatusCode.INTERNAL
    assert "secret" not in failed.details()
    assert "receiving OTLP over gRPC failed" in caplog.text


def test_an_unknown_method_is_unimplemented(port: int) -> None:
    failed = failure(port, b"", method="/opentelemetry.proto.collector.metrics.v1.MetricsService/Export")
    assert failed.code() is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("compression", [grpc.Compression.NoCompression, grpc.Compression.Gzip])
def test_a_message_that_is_too_large_is_refused(port: int, receiver: Receiver, compression: grpc.Compression) -> None:
    failed = failure(port, bytes(LIMIT + 1), compression=compression)
    assert failed.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    call(port, request(span()))
    assert len(receiver.spans) == 1


SERVER = """
import resource, sys
from gnomon.server.grpc import GrpcEndpoint
receive = lambda token, body, encoding: (200, b"")
server = GrpcEndpoint(receive, receive, 1_000_000)
server.start()
print(server.port, flush=True)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
sys.stdin.readline()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, flush=True)
server.stop(1)
"""


def test_a_small_message_never_becomes_a_large_one_in_memory() -> None:
    """A server in a process of its own gets 200 MB of zeros as gzip, twice."""
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        port = int(server.stdout.readline())
        for _ in range(2):
            failed = failure(port, bytes(200_000_000), compression=grpc.Compression.Gzip)
            assert failed.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        told, _ = server.communicate("\n", timeout=START_SECONDS)
    finally:
        server.kill()
    unit = 1 if sys.platform == "darwin" else 1024
    assert int(told) * unit < 60_000_000


def test_a_port_in_use_is_told_in_one_line(port: int, receiver: Receiver) -> None:
    with pytest.raises(StoreTrouble, match=rf"cannot listen on 127.0.0.1:{port} for gRPC; choose another"):
        GrpcEndpoint(receiver.traces, receiver.receive_logs, LIMIT, port=port)


def test_what_was_taken_is_finished_when_the_server_stops() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(token: str | None, body: bytes, encoding: Encoding) -> tuple[int, bytes]:
        begun.set()
        assert go_on.wait(START_SECONDS)
        return 200, b""

    server = GrpcEndpoint(slow, slow, LIMIT)
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        answer = channel.unary_unary(TRACES).future(b"", timeout=START_SECONDS)
        assert begun.wait(START_SECONDS)
        stopping = threading.Thread(target=server.stop, args=(60,))
        stopping.start()
        go_on.set()
        assert answer.result() == b""
        stopping.join(START_SECONDS)
        assert not stopping.is_alive()
