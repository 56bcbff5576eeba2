"""Import of CSV: what the columns mean, and that a bad row is skipped and told, with its line."""

import pytest

from contract.caller import Refusal, expect


def imported(api, dataset_id, content, content_type="text/csv"):
    headers = {"Content-Type": content_type}
    return expect(200, api.call("POST", f"/datasets/{dataset_id}/items/import", content=content, headers=headers))


def items(api, dataset_id):
    fields = ("input", "expected_output", "metadata", "key")
    return [tuple(item[field] for field in fields) for item in api.items(f"/datasets/{dataset_id}/items")][::-1]


def test_columns_are_items_and_other_columns_are_metadata(api):
    dataset = api.dataset()
    content = (
        "\ufeffid,input,expected_output,metadata,topic\r\n"
        'k1,"Where, exactly?",Paris,"{""level"": 2}",geography\r\n'
        '\r\n,"two\nlines",,,\r\nk3,,"say ""x""",,\r\n'
    )
    told = imported(api, dataset.id, content.encode(), "text/csv; charset=utf-8")
    assert told == {"imported_count": 3, "skipped_count": 0, "skipped": []}
    assert items(api, dataset.id) == [
        ("Where, exactly?", "Paris", {"level": 2, "topic": "geography"}, "k1"),
        ("two\nlines", None, None, None),
        ("", 'say "x"', None, "k3"),
    ]
    assert api.read(f"/datasets/{dataset.id}")["version"] == 2


def test_bad_rows_are_skipped_and_told_with_their_lines(api):
    dataset = api.dataset()
    rows = [
        b"input,metadata,topic", b"good,,", b"too,many,cells,here", b"bad,{,", b"list,[1],",
        b'twice,"{""topic"":1}",x', b"not utf-8 \xff,,", b'"over\nlines",,', b"last,,",
    ]  # fmt: skip
    told = imported(api, dataset.id, b"\n".join(rows))
    assert (told["imported_count"], told["skipped_count"]) == (3, 5)
    assert [skip["line"] for skip in told["skipped"]] == [3, 4, 5, 6, 7]
    reasons = [skip["reason"] for skip in told["skipped"]]
    assert reasons[0] == "it has 4 cells where the first line has 3; quote cells that hold a comma or a line end"
    assert reasons[1].startswith("metadata is not JSON")
    assert reasons[2] == 'metadata is JSON but not an object; write {"key": "value"}'
    assert reasons[3] == "'topic' is a column and also a key of metadata; rename one of them"
    assert reasons[4] == "it is not UTF-8; save the file as UTF-8"
    assert [row[0] for row in items(api, dataset.id)] == ["good", "over\nlines", "last"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "its first line names the columns"),
        ("question,answer\nq,a", "names no column 'input', only question, answer; name one of them 'input'"),
        ("inputs\nq", "rename 'inputs' to 'input'"),
        ("input,input\nq,a", "names the column 'input' twice"),
        ("input,id,key\nq,a,b", "mean the same; leave one out"),
    ],
)
def test_a_first_line_that_cannot_be_used_is_refused(api, content, words):
    dataset = api.dataset()
    path = f"/datasets/{dataset.id}/items/import"
    refused = api.refusal("POST", path, content=content.encode(), headers={"Content-Type": "text/csv"})
    assert refused.said == (400, "INVALID_REQUEST")
    assert words in refused.message


def test_other_kinds_of_bodies_are_named(api):
    path = f"/datasets/{api.dataset().id}/items/import"
    refused = Refusal.of(api.call("POST", path, content=b"x", headers={"Content-Type": "text/plain"}))
    assert refused.said == (400, "INVALID_REQUEST")
    assert "application/x-ndjson or text/csv" in refused.message


def test_an_overlong_cell_is_skipped(api):
    dataset = api.dataset()
    told = imported(api, dataset.id, b"input\nshort\n" + b"x" * 1_000_001 + b"\nafter\n")
    assert told["imported_count"] == 2
    assert [skip["line"] for skip in told["skipped"]] == [3]
