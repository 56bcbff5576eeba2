"""Bodies may come as gzip, on every call, and are held to the same limits once they are inflated."""

import gzip
import json
import zlib
from typing import Any

import pytest

from contract.caller import Api, Refusal, expect, span
from contract.routes import NDJSON

GZIP = {"Content-Encoding": "gzip"}


def send(api: Api, path: str, content: bytes, **headers: str) -> Any:
    named = {name.replace("_", "-").title(): text for name, text in headers.items()}
    return api.call("POST", path, content=content, headers={"Content-Type": "application/json", **GZIP, **named})


def packed(body: Any) -> bytes:
    return gzip.compress(json.dumps(body).encode())


def test_a_body_may_come_as_gzip(api):
    made = expect(201, send(api, "/datasets", packed({"name": "d"})))
    assert made["name"] == "d"
    spans = [span(f"s{n}", "t", parent_span_id=None if n == 0 else "s0") for n in range(200)]
    assert expect(201, send(api, "/traces/ingest", packed({"spans": spans})))["accepted"] == 200


@pytest.mark.parametrize("encoding", ["gzip", "GZIP", "x-gzip", "identity, gzip", "gzip ,"])
def test_the_encoding_is_read_in_any_case(api, encoding):
    expect(201, send(api, "/datasets", packed({"name": "d"}), content_encoding=encoding))


@pytest.mark.parametrize("encoding", ["identity", "", "Identity"])
def test_a_plain_body_may_say_so(api, encoding):
    expect(201, send(api, "/datasets", b'{"name": "d"}', content_encoding=encoding))


@pytest.mark.parametrize("encoding", ["br", "deflate", "zstd", "gzip, gzip", "gzip, br", "x" * 1000])
@pytest.mark.parametrize("path", ["/datasets", "/datasets/{}/items/import"])
def test_another_encoding_is_refused(api, encoding, path):
    headers = {**NDJSON, "Content-Encoding": encoding}
    refused = api.refusal("POST", path.format(api.dataset().id), content=b"{}", headers=headers)
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == ["Content-Encoding"]
    assert "plain or as gzip" in refused.message


WHOLE = packed({"name": "d"})
BAD = {
    "no gzip": b'{"name": "d"}',
    "cut": WHOLE[:-5],
    "cut in its head": WHOLE[:5],
    "garbage behind": WHOLE + b"garbage",
    "zeros behind": WHOLE + bytes(100),
    "a wrong checksum": WHOLE[:-8] + b"12345678",
    "zlib": zlib.compress(b'{"name": "d"}'),
}


@pytest.mark.parametrize("bad", BAD)
def test_bad_gzip_is_refused_and_stores_nothing(api, bad):
    refused = api.refusal("POST", "/datasets", content=BAD[bad], headers=GZIP)
    assert refused.said == (400, "INVALID_REQUEST")
    assert "gzip data" in refused.message
    path = f"/datasets/{api.dataset().id}/items/import"
    refused = api.refusal("POST", path, content=BAD[bad], headers={**GZIP, **NDJSON})
    assert refused.said == (400, "INVALID_REQUEST")
    assert "gzip data" in refused.message


def test_several_members_are_one_body(api):
    text = json.dumps({"name": "d", "description": "x" * 1000}).encode()
    parts = [gzip.compress(text[at : at + 100]) for at in range(0, len(text), 100)]
    assert expect(201, send(api, "/datasets", b"".join([*parts, gzip.compress(b"")])))["description"] == "x" * 1000


def test_a_call_without_a_body_may_name_any_encoding(api):
    trace = api.trace()
    for encoding in ("gzip", "br"):
        answer = api.call("POST", f"/traces/{trace}/queue", headers={"Content-Encoding": encoding})
        expect(200, answer)
    expect(200, api.call("GET", "/datasets", headers=GZIP))


def test_an_import_may_come_as_gzip(api):
    dataset = api.dataset().id
    lines = b"".join(json.dumps({"input": n, "metadata": {"text": "x" * 50}}).encode() + b"\n" for n in range(3000))
    pieces = (lines[at : at + 40_000] for at in range(0, len(lines), 40_000))
    content = b"".join(gzip.compress(piece) for piece in pieces)
    answer = api.call("POST", f"/datasets/{dataset}/items/import", content=content, headers={**GZIP, **NDJSON})
    assert (expect(200, answer)["imported_count"], answer.json()["skipped_count"]) == (3000, 0)


def test_an_import_as_gzip_in_small_pieces_is_the_same(api):
    dataset = api.dataset().id
    content = gzip.compress(b'{"input": 1}\n{"input": 2, "colour": 3}\nnonsense\n')
    sent = {"content": (bytes([byte]) for byte in content), "headers": {**GZIP, **NDJSON}}
    answer = api.call("POST", f"/datasets/{dataset}/items/import", **sent)
    assert (expect(200, answer)["imported_count"], answer.json()["skipped_count"]) == (2, 1)
    assert answer.headers["gnomon-ignored"] == "lines.2.colour"


def test_a_body_that_inflates_beyond_the_limit_is_too_large(api):
    small = gzip.compress(b'{"name": "' + b"x" * 33_000_000 + b'"}')
    assert len(small) < 100_000
    assert api.refusal("POST", "/datasets", content=small, headers=GZIP).said == (413, "PAYLOAD_TOO_LARGE")


def test_refusals_of_an_encoding_come_after_those_that_go_before_a_400(api, reader, server):
    bad = {"content": b"no gzip", "headers": GZIP}
    assert server.http.post("/v1/datasets", **bad).status_code == 401
    assert Refusal.of(api.call("POST", "/nowhere", **bad)).said == (404, "NOT_FOUND")
    assert Refusal.of(api.call("PUT", "/datasets", **bad)).said == (405, "METHOD_NOT_ALLOWED")
    assert Refusal.of(reader.call("POST", "/datasets", **bad)).said == (403, "FORBIDDEN")
    assert Refusal.of(reader.call("POST", "/datasets/x/items/import", **bad)).said == (403, "FORBIDDEN")
    large = b"no gzip" * 5_000_000
    assert Refusal.of(api.call("POST", "/nowhere", content=large, headers=GZIP)).said == (413, "PAYLOAD_TOO_LARGE")


def test_a_retry_is_known_by_what_the_body_inflates_to(api):
    """An Idempotency-Key goes with the inflated body: how it was packed says nothing."""
    body = json.dumps({"name": "d"}).encode()
    first = send(api, "/datasets", gzip.compress(body, 1), idempotency_key="k")
    for content, encoding in ((gzip.compress(body, 9), "gzip"), (body, "identity")):
        again = send(api, "/datasets", content, idempotency_key="k", content_encoding=encoding)
        assert (again.status_code, again.json()) == (201, first.json())
        assert again.headers["idempotency-replayed"] == "true"
    other = send(api, "/datasets", packed({"name": "e"}), idempotency_key="k")
    assert Refusal.of(other).said == (422, "IDEMPOTENCY_MISMATCH")


def test_a_retried_import_too(api):
    path, lines = f"/datasets/{api.dataset().id}/items/import", b'{"input": 1}\n'
    for content, headers in ((gzip.compress(lines), GZIP), (lines, {})):
        answer = api.call("POST", path, content=content, headers={**NDJSON, **headers, "Idempotency-Key": "k"})
        assert expect(200, answer)["imported_count"] == 1
    assert len(api.items(path.removesuffix("/import"))) == 1
