"""OpenTelemetry's protocol: what is done with a request, over HTTP and over gRPC, and answers in its encoding."""

from collections.abc import Callable

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response

from gnomon.errors import Forbidden, OutcomeUnknown, StoreTrouble, WrongMedia
from gnomon.interop.otlp.answers import (
    CONTENT_TYPES,
    encoding_of,
    grpc_code_of,
    log_answer,
    status_body,
    trace_answer,
)
from gnomon.interop.otlp.decoding import decode_logs, decode_traces
from gnomon.interop.otlp.records import Encoding
from gnomon.model.access import Principal
from gnomon.model.otlp import OtlpReceived
from gnomon.server.appstate import AppState
from gnomon.server.authentication import BearerKeys
from gnomon.server.grpc import GrpcEndpoint, Receive
from gnomon.service.call import Call
from gnomon.service.traces import otlp, otlplogs

StoreRequest = Callable[[AppState, Principal, bytes, Encoding], bytes]
_KEPT = ("retry-after", "www-authenticate", "allow")


def encoding_for(headers: Headers) -> Encoding:
    """How the request's body is encoded; refused unless it is one of the protocol's two ways."""
    content_type = headers.get("content-type")
    encoding = encoding_of(content_type)
    if encoding is None:
        known = " or ".join(CONTENT_TYPES)
        raise WrongMedia(f"Content-Type {(content_type or '')[:100]!r} is not read here; send {known}")
    return encoding


def answered(body: bytes, encoding: Encoding) -> Response:
    return Response(body, 200, media_type=_media_type(encoding))


def in_otlp(refusal: Response, headers: Headers) -> Response:
    """A refusal as the protocol has it: google.rpc.Status. A request of unknown encoding gets JSON."""
    encoding = encoding_of(headers.get("content-type")) or "json"
    message = msgspec.json.decode(bytes(refusal.body))["error"]["message"]
    body = status_body(encoding, grpc_code_of(refusal.status_code), message)
    kept = {name: value for name, value in refusal.headers.items() if name in _KEPT}
    return Response(body, refusal.status_code, kept, media_type=_media_type(encoding))


# What is done with a request


def store_traces(
    app_state: AppState, principal: Principal, body: bytes, encoding: Encoding, project_id: str | None = None
) -> bytes:
    """Store the spans of an ExportTraceServiceRequest; the response's body."""
    prepared = otlp.prepare_traces(decode_traces(body, encoding))
    received = _stored(app_state, principal, lambda call: otlp.receive_traces(call, prepared, project_id))
    return trace_answer(encoding, received.rejected, received.message or "")


def store_logs(
    app_state: AppState, principal: Principal, body: bytes, encoding: Encoding, project_id: str | None = None
) -> bytes:
    """Store the log records of an ExportLogsServiceRequest; the response's body."""
    prepared = otlplogs.prepare_logs(decode_logs(body, encoding))
    received = _stored(app_state, principal, lambda call: otlplogs.receive_logs(call, prepared, project_id))
    return log_answer(encoding, received.rejected, received.message or "")


def _stored(app_state: AppState, principal: Principal, work: Callable[[Call], OtlpReceived]) -> OtlpReceived:
    """Store what came. It may be sent again without harm, so an outcome that is not known is one to send again."""
    try:
        received = app_state.written(principal, work)
    except OutcomeUnknown as lost:
        message = "the database was lost while it stored this; send it again, what is stored already stays as it is"
        raise StoreTrouble(message) from lost
    if received.job_ids:
        app_state.work_arrived.set()
    return received


def grpc_endpoint(app_state: AppState, host: str, port: int) -> GrpcEndpoint:
    """The same over gRPC: the same keys, limits, projects and store. It listens, and answers once it is started."""
    keys = BearerKeys(app_state.recall, app_state.identify)

    def over_grpc(store: StoreRequest) -> Receive:
        def receive(token: str | None, body: bytes, encoding: Encoding) -> tuple[int, bytes]:
            principal = keys.holder(token)
            if not principal.may("write"):
                raise Forbidden(f"this key's role is `{principal.role}`; Export needs `write`")
            return 200, store(app_state, principal, body, encoding)

        return receive

    return GrpcEndpoint(
        over_grpc(store_traces), over_grpc(store_logs), app_state.settings.max_body_bytes, host=host, port=port
    )


def _media_type(encoding: Encoding) -> str:
    return next(name for name, other in CONTENT_TYPES.items() if other == encoding)
