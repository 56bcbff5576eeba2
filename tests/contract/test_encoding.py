"""Large answers leave as gzip when the caller takes that, and pages that did not change are not sent again."""

import pytest

from contract.caller import Api, expect

GZIP, PLAIN = {"Accept-Encoding": "gzip, deflate, br"}, {"Accept-Encoding": "identity"}


@pytest.fixture
def large(api: Api) -> str:
    """An address with a large answer."""
    return f"/datasets/{api.questions(30).id}/items"


def size(api: Api, path: str, headers: dict[str, str]) -> int:
    """Bytes of the body as they were sent."""
    with api.http.stream("GET", f"/v1{path}", headers={"Authorization": f"Bearer {api.key}", **headers}) as answer:
        sent = len(b"".join(answer.iter_raw()))
        assert int(answer.headers["content-length"]) == sent
        return sent


def test_a_large_answer_is_compressed_for_who_takes_it(api, large):
    zipped, plain = api.call("GET", large, headers=GZIP), api.call("GET", large, headers=PLAIN)
    assert zipped.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert expect(200, zipped) == expect(200, plain)
    assert size(api, large, GZIP) < size(api, large, PLAIN) / 3
    for answer in (zipped, plain):
        assert answer.headers.get_list("vary") == ["Accept-Encoding"]
        assert answer.headers.get_list("cache-control") == ["no-store"]
        assert len(answer.headers.get_list("content-length")) == 1


def test_one_beyond_what_is_compressed_at_once_is_the_same(api):
    item = {"input": {"text": "long " * 20_000}}
    path = f"/datasets/{api.dataset([item]).id}/items"
    answer = api.call("GET", path, headers=GZIP)
    assert answer.headers["content-encoding"] == "gzip"
    assert expect(200, answer)["items"][0]["input"] == item["input"]
    assert size(api, path, GZIP) < 5_000 < 100_000 < size(api, path, PLAIN)


@pytest.mark.parametrize("choice", ["br", "gzip;q=0", "gzip; q=0.0", "*", ""])
def test_who_does_not_name_gzip_gets_none(api, large, choice):
    assert "content-encoding" not in api.call("GET", large, headers={"Accept-Encoding": choice}).headers


@pytest.mark.parametrize("choice", ["gzip", "br, GZIP;q=0.5", "x-gzip", "deflate,gzip;q=1.0"])
def test_gzip_is_read_however_it_is_written(api, large, choice):
    answer = api.call("GET", large, headers={"Accept-Encoding": choice})
    assert answer.headers["content-encoding"] == "gzip"


def test_small_answers_and_answers_to_what_is_stored_are_left_alone(api):
    assert "content-encoding" not in api.call("GET", "/datasets", headers=GZIP).headers
    made = api.questions(40)
    runs = [{"dataset_item_id": item, "output": "x"} for item in made.item_ids]
    path = f"/experiments/{api.experiment(made.id)}/runs"
    stored = api.call("POST", path, {"runs": runs}, headers=GZIP)
    assert stored.status_code == 201
    assert len(stored.content) > 1024
    assert "content-encoding" not in stored.headers


def test_refusals_are_whole_too(api):
    answer = api.call("GET", "/datasets?" + "&".join(f"unknown{n}=1" for n in range(30)), headers=GZIP)
    assert answer.status_code == 400
    assert answer.headers["content-encoding"] == "gzip"
    assert "unknown0" in answer.json()["error"]["message"]


@pytest.mark.parametrize("path", ["/openapi.json", "/docs"])
def test_what_a_browser_has_already_is_not_sent_again(server, path):
    first = server.http.get(path, headers=GZIP)
    assert first.headers["content-encoding"] == "gzip"
    assert first.headers["cache-control"] == "no-cache"
    again = server.http.get(path, headers={**GZIP, "If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert server.http.get(path, headers={"If-None-Match": '"other"'}).status_code == 200
