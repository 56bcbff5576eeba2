"""OTLP over gRPC: the same requests as over HTTP, received by the same function, answered with gRPC's codes.

Messages are handed on as the bytes that they are. gRPC inflates what comes as gzip, and refuses what is too large.
"""

import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NoReturn, Protocol

from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]

from gnomon.errors import GnomonError, StoreTrouble
from gnomon.extras import install_command
from gnomon.interop.otlp.answers import Code, grpc_code_of
from gnomon.interop.otlp.decoding import Encoding
from gnomon.server.authentication import bearer_token
from gnomon.server.errors import RETRY_SECONDS

LOOPBACK = "127.0.0.1"
WORKERS = 4
"""Requests at a time. Others wait unread, so this also bounds the memory."""
MOST_WAITING = 1_000
_TRACES = "opentelemetry.proto.collector.trace.v1.TraceService"
_LOGS = "opentelemetry.proto.collector.logs.v1.LogsService"
_RETRYABLE = (429, 503)
_LONGEST_MESSAGE = 1_000
"""Of an error: it travels in headers, of which clients take some kilobytes."""

logger = logging.getLogger(__name__)


class Receive(Protocol):
    """Takes one OTLP request and gives HTTP's status and the answer's body: a response, or google.rpc.Status."""

    def __call__(self, token: str | None, body: bytes, encoding: Encoding) -> tuple[int, bytes]: ...


def check_installed() -> None:
    try:
        import grpc  # type: ignore[import-untyped]  # noqa: F401
    except ImportError:
        raise StoreTrouble(f"OTLP over gRPC needs the extra `grpc`; run: {install_command('grpc')}") from None


class GrpcEndpoint:
    """A gRPC server for traces and logs, in threads of its own."""

    def __init__(self, traces: Receive, logs: Receive, max_bytes: int, *, host: str = LOOPBACK, port: int = 0) -> None:
        """Listens, on a free port when it is 0, but answers nothing before `start`."""
        check_installed()
        import grpc

        self._server = grpc.server(
            ThreadPoolExecutor(WORKERS, "otlp-grpc"),
            handlers=[_service(_TRACES, traces), _service(_LOGS, logs)],
            maximum_concurrent_rpcs=MOST_WAITING,
            options=[
                ("grpc.max_receive_message_length", max_bytes),
                ("grpc.so_reuseport", 0),  # else a second server would share the port, and each get some requests
            ],
        )
        address = f"{f'[{host}]' if ':' in host else host}:{port}"
        try:
            self.port = int(self._server.add_insecure_port(address))
        except RuntimeError:
            self.port = 0
        if not self.port:
            self._server.stop(None)
            raise StoreTrouble(f"cannot listen on {address} for gRPC; choose another --otlp-grpc port or --host")

    def start(self) -> None:
        self._server.start()

    def stop(self, seconds: float) -> None:
        """Take no more requests, and wait this long for accepted ones to end."""
        self._server.stop(seconds).wait()


def _service(name: str, receive: Receive) -> Any:
    import grpc

    def export(request: bytes, context: Any) -> bytes:
        status, answer = _received(receive, request, context)
        if status >= 400:
            _abort(context, status, Status.FromString(answer).message)
        return answer

    # Without a deserializer a handler gets bytes, and gives them.
    return grpc.method_handlers_generic_handler(name, {"Export": grpc.unary_unary_rpc_method_handler(export)})


def _received(receive: Receive, request: bytes, context: Any) -> tuple[int, bytes]:
    try:
        return receive(_token(context), request, "protobuf")
    except GnomonError as refusal:
        _abort(context, refusal.status, refusal.message)
    except Exception:
        logger.exception("receiving OTLP over gRPC failed")
        _abort(context, 500, "something went wrong here; the server's log tells more")


def _token(context: Any) -> str | None:
    """The key of the metadata `authorization: Bearer <key>`."""
    header = dict(context.invocation_metadata()).get("authorization", "")
    return bearer_token(str(header))


def _abort(context: Any, status: int, message: str) -> NoReturn:
    """End the call with an error. Where it can work later, it says when."""
    import grpc

    code, message = grpc_code_of(status), message[:_LONGEST_MESSAGE]
    whole = Status(code=code, message=message)
    metadata: list[tuple[str, bytes]] = []
    if status in _RETRYABLE:
        retry = RetryInfo(retry_delay=Duration(seconds=RETRY_SECONDS))
        whole.details.add().Pack(retry)
        metadata.append(("google.rpc.retryinfo-bin", retry.SerializeToString()))  # where Python's exporter looks
    context.set_trailing_metadata([*metadata, ("grpc-status-details-bin", whole.SerializeToString())])
    context.abort(getattr(grpc.StatusCode, Code(code).name), message)
    raise AssertionError("abort raises")
