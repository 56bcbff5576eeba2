"""What a receiver of OTLP answers, in the encoding of the request."""

from collections.abc import Sequence
from enum import IntEnum

import msgspec
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsPartialSuccess, ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTracePartialSuccess,
    ExportTraceServiceResponse,
)

from gnomon.interop.otlp.records import Encoding, Refusal
from gnomon.shorten import list_some

CONTENT_TYPES: dict[str, Encoding] = {"application/x-protobuf": "protobuf", "application/json": "json"}
_MOST_LISTED = 5
"""Refusals that an answer lists; the rest is counted. Exporters write the message into their log."""


class Code(IntEnum):
    """The members of google.rpc.Code that an answer can have."""

    OK = 0
    CANCELLED = 1
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    UNAUTHENTICATED = 16


_GRPC_CODES = {
    400: Code.INVALID_ARGUMENT,
    401: Code.UNAUTHENTICATED,
    403: Code.PERMISSION_DENIED,
    404: Code.NOT_FOUND,
    408: Code.DEADLINE_EXCEEDED,
    409: Code.ALREADY_EXISTS,
    413: Code.INVALID_ARGUMENT,
    429: Code.RESOURCE_EXHAUSTED,
    499: Code.CANCELLED,
    500: Code.INTERNAL,
    501: Code.UNIMPLEMENTED,
    502: Code.UNAVAILABLE,
    503: Code.UNAVAILABLE,
    504: Code.DEADLINE_EXCEEDED,
}
"""As google/rpc/code.proto maps them. Of several codes with one status it is the one that OTLP exporters do not
retry, because over HTTP they do not either; a request that is too large (413) is too large the next time."""


def encoding_of(content_type: str | None) -> Encoding | None:
    """The encoding that a Content-Type names; None for one that is not OTLP's. Parameters do not matter."""
    return CONTENT_TYPES.get((content_type or "").partition(";")[0].strip().lower())


def trace_answer(encoding: Encoding, rejected: int, message: str) -> bytes:
    """ExportTraceServiceResponse. A message without rejected spans is a warning; without both, all is well."""
    if encoding == "json":
        return _json_answer("rejectedSpans", rejected, message)
    if not rejected and not message:
        return b""
    partial = ExportTracePartialSuccess(rejected_spans=rejected, error_message=message)
    return ExportTraceServiceResponse(partial_success=partial).SerializeToString()


def log_answer(encoding: Encoding, rejected: int, message: str) -> bytes:
    """ExportLogsServiceResponse, as `trace_answer`."""
    if encoding == "json":
        return _json_answer("rejectedLogRecords", rejected, message)
    if not rejected and not message:
        return b""
    partial = ExportLogsPartialSuccess(rejected_log_records=rejected, error_message=message)
    return ExportLogsServiceResponse(partial_success=partial).SerializeToString()


def _json_answer(count: str, rejected: int, message: str) -> bytes:
    if not rejected and not message:
        return b"{}"
    partial = {count: str(rejected)} if rejected else {}  # 64-bit numbers are texts in protobuf's JSON
    return msgspec.json.encode({"partialSuccess": {**partial, **({"errorMessage": message} if message else {})}})


def refusals_in_words(refused: Sequence[Refusal]) -> str:
    """The message of a partial success: the first reasons, and how many more there are."""
    lines = (f"[{refusal.index}] {refusal.reason}" for refusal in refused)
    return list_some(lines, _MOST_LISTED, separator="; ")


def status_body(encoding: Encoding, code: int, message: str) -> bytes:
    """google.rpc.Status, the body of every answer that is not a success."""
    if encoding == "json":
        return msgspec.json.encode({"code": code, "message": message})
    from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]  # which only a server needs

    return bytes(Status(code=code, message=message).SerializeToString())


def grpc_code_of(http_status: int) -> int:
    """The code of google.rpc for a status of HTTP."""
    if http_status < 400:
        return Code.OK
    other = Code.INVALID_ARGUMENT if http_status < 500 else Code.INTERNAL
    return _GRPC_CODES.get(http_status, other)
