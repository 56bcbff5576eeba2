"""Answers, byte for byte as exporters read them."""

import msgspec
import pytest
from google.protobuf import json_format
from google.rpc.code_pb2 import Code
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from gnomon.interop.otlp import answers
from gnomon.interop.otlp.answers import encoding_of, grpc_code_of, log_answer, status_body, trace_answer
from gnomon.interop.otlp.decoding import Refusal

GOLDEN = [
    (trace_answer("protobuf", 0, ""), b""),
    (trace_answer("json", 0, ""), b"{}"),
    (trace_answer("protobuf", 2, "why"), b"\n\x07\x08\x02\x12\x03why"),
    (trace_answer("json", 2, "why"), b'{"partialSuccess":{"rejectedSpans":"2","errorMessage":"why"}}'),
    (trace_answer("protobuf", 0, "careful"), b"\n\t\x12\x07careful"),
    (trace_answer("json", 0, "careful"), b'{"partialSuccess":{"errorMessage":"careful"}}'),
    (log_answer("protobuf", 0, ""), b""),
    (log_answer("json", 0, ""), b"{}"),
    (log_answer("protobuf", 300, "why"), b"\n\x08\x08\xac\x02\x12\x03why"),
    (log_answer("json", 300, "why"), b'{"partialSuccess":{"rejectedLogRecords":"300","errorMessage":"why"}}'),
    (status_body("protobuf", 3, "no"), b"\x08\x03\x12\x02no"),
    (status_body("json", 16, "who?"), b'{"code":16,"message":"who?"}'),
]


@pytest.mark.parametrize(("written", "golden"), GOLDEN)
def test_an_answer_is_written_as_the_protocol_has_it(written: bytes, golden: bytes) -> None:
    assert written == golden


@pytest.mark.parametrize(
    ("answer", "message"),
    [(trace_answer, ExportTraceServiceResponse), (log_answer, ExportLogsServiceResponse)],
)
@pytest.mark.parametrize(("rejected", "reason"), [(0, ""), (7, "why"), (0, "a warning")])
def test_both_encodings_of_an_answer_say_the_same(answer, message, rejected, reason) -> None:
    plain = message.FromString(answer("protobuf", rejected, reason))
    assert json_format.Parse(answer("json", rejected, reason), message()) == plain
    assert plain.HasField("partial_success") == bool(rejected or reason)


def test_both_encodings_of_a_status_say_the_same() -> None:
    plain = Status.FromString(status_body("protobuf", 14, "später"))
    assert json_format.Parse(status_body("json", 14, "später"), Status()) == plain
    assert (plain.code, plain.message) == (14, "später")


@pytest.mark.parametrize(
    ("content_type", "encoding"),
    [
        ("application/x-protobuf", "protobuf"), ("application/json", "json"),
        ("application/json; charset=utf-8", "json"),
        ("Application/JSON ;charset=utf-8", "json"), ("text/plain", None), ("", None), (None, None),
        ("application/protobuf", None), ("application/jsonx", None),
    ],
)  # fmt: skip
def test_a_content_type_names_an_encoding(content_type, encoding) -> None:
    assert encoding_of(content_type) == encoding


def test_statuses_of_http_have_the_codes_of_grpc() -> None:
    named = {
        200: "OK", 400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
        409: "ALREADY_EXISTS", 413: "INVALID_ARGUMENT", 415: "INVALID_ARGUMENT", 422: "INVALID_ARGUMENT",
        429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 501: "UNIMPLEMENTED", 502: "UNAVAILABLE", 503: "UNAVAILABLE",
        504: "DEADLINE_EXCEEDED", 599: "INTERNAL",
    }  # fmt: skip
    assert {status: Code.Name(grpc_code_of(status)) for status in named} == named
    assert {code.name: code.value for code in answers.Code}.items() <= dict(Code.items()).items()


def test_what_grpc_exporters_retry_is_what_http_exporters_retry() -> None:
    """OTLP's lists of retryable codes and statuses; RESOURCE_EXHAUSTED only with a delay, as 429 has one."""
    retryable = {Code.Value(name) for name in (
        "CANCELLED", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "ABORTED", "OUT_OF_RANGE", "UNAVAILABLE", "DATA_LOSS"
    )}  # fmt: skip
    statuses = set(range(400, 600)) - {408, 499}  # which no server of ours answers
    assert {status for status in statuses if grpc_code_of(status) in retryable} == {429, 502, 503, 504}


def test_refusals_are_told_with_their_place_and_the_rest_is_counted() -> None:
    refused = [Refusal(index, f"span {index}: no") for index in range(1007)]
    words = answers.refusals_in_words(refused)
    assert words == "; ".join(f"[{index}] span {index}: no" for index in range(5)) + " and 1,002 more"
    assert answers.refusals_in_words(refused[:1]) == "[0] span 0: no"
    assert answers.refusals_in_words([]) == ""
    assert msgspec.json.decode(trace_answer("json", 1007, words))["partialSuccess"]["errorMessage"] == words
