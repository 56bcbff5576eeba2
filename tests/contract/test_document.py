"""The OpenAPI document knows every status of every operation.

Every answer that any test gets from a server is held against the document as it arrives (document.py, conftest.py).
Here are the statuses that no other test meets on every operation.
"""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from conftest import Server, start_server
from contract.caller import Api, fresh_project
from contract.document import Document

LARGEST_BODY = 1000


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[Server]:
    """A server that takes bodies of a thousand bytes."""
    own = {"GNOMON_MAX_BODY_MB": str(LARGEST_BODY / 1e6)}
    server = start_server(f"sqlite:///{tmp_path / 'gnomon.db'}", tmp_path / "home", **own)
    yield server
    server.stop()


def test_an_answer_that_the_document_does_not_know_fails_the_test_that_got_it():
    served = {"paths": {"/v1/scores/{id}": {"get": {"responses": {"200": {"content": {"application/json": {}}}}}}}}
    document = Document.of(served)
    document.check(answered("GET", "/v1/scores/7", 200))
    document.check(answered("GET", "/healthz", 503))
    document.check(answered("PUT", "/v1/scores/7", 405))
    for method, path, status, media in [
        ("GET", "/v1/scores/7", 202, "application/json"),
        ("GET", "/v1/scores/7", 200, "text/html"),
        ("GET", "/v1/scores/7/more", 200, "application/json"),
        ("PUT", "/v1/scores/7", 200, "application/json"),
    ]:
        with pytest.raises(AssertionError, match="document"):
            document.check(answered(method, path, status, media))


def answered(method: str, path: str, status: int, media: str = "application/json") -> httpx2.Response:
    request = httpx2.Request(method, f"http://127.0.0.1{path}")
    return httpx2.Response(status, headers={"Content-Type": media}, request=request)


LOGIN = ("POST", "/v1/session")
EVENTS = ("GET", "/v1/events")
FOR_ANY_KEY = {"/session", "/session/codes"}


def test_every_call_documents_what_is_refused_before_it_is_reached(narrow):
    """Every failure has a status that the document lists: no key 401, a body too large 413, a role too small 403, an
    address with NUL in it or with a query parameter that is not known 400."""
    root = Api(narrow.http, narrow.admin_key, fresh_project())
    reader, document = root.with_key("read"), Document.of(narrow.http.get("/openapi.json").json())
    streams = ("POST", "/v1/datasets/{id}/items/import")
    for operation in document.operations:
        call = (operation.method, operation.path)
        assert narrow.http.request(*call).status_code == (400 if call == LOGIN else 401)
        path = operation.path.removeprefix("/v1")
        if call != EVENTS:  # it reads no body, and its answer does not end
            too_large = reader.call(operation.method, path, content=b"x" * (LARGEST_BODY + 1)).status_code
            assert too_large == (403 if call == streams else 413), call
        is_forbidden = operation.path.startswith("/v1/keys") or (operation.method != "GET" and path not in FOR_ANY_KEY)
        for query in ({"x": "\0"}, {"not_known_here": "x"}):
            refused = reader.call(operation.method, path, params=query).status_code
            assert refused == (403 if is_forbidden else 400), call
