"""OpenTelemetry's requests: bytes of protobuf out, and an answer of protobuf back.

They may be sent again without an Idempotency-Key, since what is stored already is accepted and changes nothing. The
packages that read protobuf are loaded with the first answer that says something.
"""

import gzip
from dataclasses import dataclass

from gnomon.client.requests import Request, family_of, not_ours, read_answer
from gnomon.model.otlp import OtlpReceived

PROTOBUF = "application/x-protobuf"
_LEAST_TO_COMPRESS = 1_000
_QUICKLY = 1
"""How hard gzip tries: texts shrink to a tenth already, and trying harder takes three times as long."""


@dataclass(frozen=True, slots=True)
class OtlpRequest(Request[OtlpReceived]):
    """A request in OpenTelemetry's protocol."""

    is_gzip: bool = False

    def headers(self) -> dict[str, str]:
        headers = {"Accept": PROTOBUF, "Content-Type": PROTOBUF}
        return {**headers, "Content-Encoding": "gzip"} if self.is_gzip else headers

    def read(self, status: int, body: bytes) -> OtlpReceived:
        if 200 <= status < 300:
            return _received(status, body)
        message = _message(body)
        if message:
            raise family_of(status)(message)
        return read_answer(status, body, OtlpReceived.model_validate)  # what is refused before it is read is JSON


def export(path: str, request: bytes, project_id: str | None = None) -> OtlpRequest:
    """Send an Export…ServiceRequest, as gzip unless it is small."""
    is_gzip = len(request) >= _LEAST_TO_COMPRESS
    body = gzip.compress(request, _QUICKLY, mtime=0) if is_gzip else request
    query = {} if project_id is None else {"project_id": project_id}
    return OtlpRequest("POST", path, OtlpReceived.model_validate, query=query, body=body, is_gzip=is_gzip)


def _received(status: int, body: bytes) -> OtlpReceived:
    """The partial success of an answer; traces and logs have the same message, field for field."""
    if not body:  # how protobuf says that all is well
        return OtlpReceived(accepted=None, rejected=0, message=None)
    from google.protobuf.message import DecodeError
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

    try:
        partial = ExportTraceServiceResponse.FromString(body).partial_success
    except DecodeError:
        raise not_ours(status) from None
    return OtlpReceived(accepted=None, rejected=partial.rejected_spans, message=partial.error_message or None)


def _message(body: bytes) -> str | None:
    """The message of a google.rpc.Status, read without the package that only servers need.

    OpenTelemetry's own Status has the message in the same field, and nothing in those of code and details.
    """
    from google.protobuf.message import DecodeError
    from opentelemetry.proto.trace.v1.trace_pb2 import Status

    try:
        return Status.FromString(body).message
    except DecodeError:
        return None
