"""What the endpoints of OpenTelemetry's protocol refuse: always as google.rpc.Status, in the request's encoding."""

import gzip
import json
from dataclasses import replace
from typing import Any

import pytest

from contract import otlp
from contract.otlp import JSON, PROTOBUF, span

INVALID, DENIED, UNAUTHENTICATED = 3, 7, 16
PATHS = pytest.mark.parametrize("path", ["/traces", "/logs"])
KINDS = pytest.mark.parametrize("kind", [PROTOBUF, JSON])


def empty(kind: str) -> bytes:
    return b"{}" if kind == JSON else b""


@PATHS
@KINDS
def test_a_key_that_may_only_read_is_refused(reader, path, kind):
    refused = otlp.refused(otlp.post(reader, path, empty(kind), kind))
    assert (refused.status, refused.code) == (403, DENIED)
    assert "needs `write`" in refused.message


@PATHS
@KINDS
def test_without_a_key_nothing_is_taken(api, path, kind):
    answer = otlp.post(replace(api, key="nobody's"), path, empty(kind), kind)
    refused = otlp.refused(answer)
    assert (refused.status, refused.code) == (401, UNAUTHENTICATED)
    assert answer.headers["www-authenticate"].startswith("Bearer")


@PATHS
@pytest.mark.parametrize("kind", [None, "", "text/plain", "application/x-ndjson", "application/grpc", "x" * 500])
def test_another_content_type_is_refused_with_the_two_that_are_read(api, path, kind):
    refused = otlp.refused(otlp.post(api, path, b"", kind))
    assert (refused.status, refused.code) == (415, INVALID)
    assert refused.message.endswith("is not read here; send application/x-protobuf or application/json")


CUT = otlp.traces(span(1), span(2)).SerializeToString()[:-3]
NOT_READ: dict[str, tuple[str, bytes, str]] = {
    "protobuf cut off": (PROTOBUF, CUT, "not an OTLP request in protobuf"),
    "JSON as protobuf": (PROTOBUF, b'{"resourceSpans": []}', "not an OTLP request in protobuf"),
    "protobuf as JSON": (JSON, CUT, "not an OTLP request in JSON"),
    "noise": (PROTOBUF, b"\xff" * 100, "not an OTLP request in protobuf"),
    "nothing as JSON": (JSON, b"", "not an OTLP request in JSON"),
    "a list": (JSON, b"[]", "not an OTLP request in JSON"),
    "not UTF-8": (JSON, b'{"resourceSpans": [{"schemaUrl": "\xff"}]}', "not an OTLP request in JSON"),
    "JSON cut off": (JSON, b'{"resourceSpans": [{', "not an OTLP request in JSON"),
    "keys of another kind": (JSON, b'{"resource_spans": []}', "write resourceSpans"),
}


@pytest.mark.parametrize("case", NOT_READ)
def test_what_is_no_request_is_refused_and_stores_nothing(api, case):
    kind, content, words = NOT_READ[case]
    before = api.stored()
    refused = otlp.refused(otlp.post(api, "/traces", content, kind))
    assert (refused.status, refused.code) == (400, INVALID)
    assert words in refused.message
    assert api.stored() == before


@PATHS
@KINDS
@pytest.mark.parametrize("packed", [b"no gzip", gzip.compress(b"{}")[:-4]], ids=["no gzip", "cut"])
def test_bad_gzip_is_refused(api, path, kind, packed):
    refused = otlp.refused(otlp.post(api, path, packed, kind, content_encoding="gzip"))
    assert (refused.status, refused.code) == (400, INVALID)
    assert "gzip data" in refused.message


@PATHS
@KINDS
def test_another_encoding_is_refused(api, path, kind):
    refused = otlp.refused(otlp.post(api, path, empty(kind) or b"x", kind, content_encoding="br"))
    assert (refused.status, refused.code) == (400, INVALID)


@PATHS
@KINDS
def test_a_request_that_is_too_large_is_refused(api, path, kind):
    content = gzip.compress(bytes(33_000_001), 1)
    refused = otlp.refused(otlp.post(api, path, content, kind, content_encoding="gzip"))
    assert (refused.status, refused.code) == (413, INVALID)
    assert "send smaller batches" in refused.message


def test_lists_of_traces_stay_as_they_are(api):
    """GET of the same address answers as all the rest of the API does."""
    otlp.send(api, span())
    assert api.ids("/traces") == [otlp.TRACE]
    refused: dict[str, Any] = json.loads(api.get("/traces", limit=0).text)
    assert refused["error"]["code"] == "INVALID_REQUEST"


def test_a_key_whose_blank_is_written_as_in_an_environment_variable_is_taken(api):
    headers = {"Authorization": f"Bearer%20{api.key}", "Content-Type": "application/json"}
    assert api.http.post("/v1/traces", content=b"{}", headers=headers).status_code == 200
    headers["Authorization"] = "Bearer%20wrong"
    assert api.http.post("/v1/traces", content=b"{}", headers=headers).status_code == 401
