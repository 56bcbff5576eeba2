"""Datasets: items, versions that can be read back, and import of any length."""

import json
import socket

import pytest

from contract.caller import Refusal, expect
from contract.routes import NDJSON

MEGABYTE = 1024 * 1024
DATASET_FIELDS = {
    "id",
    "project_id",
    "name",
    "description",
    "version",
    "item_count",
    "created_at",
    "updated_at",
}
ITEM_FIELDS = {"id", "dataset_id", "key", "input", "expected_output", "metadata", "created_at"}


def inputs(api, dataset_id, **query):
    """The inputs of a dataset's items, oldest first."""
    return [item["input"] for item in api.items(f"/datasets/{dataset_id}/items", **query)][::-1]


def state(api, dataset_id):
    dataset = api.read(f"/datasets/{dataset_id}")
    return dataset["version"], dataset["item_count"]


def imported(api, dataset_id, content, content_type="application/x-ndjson"):
    headers = {"Content-Type": content_type}
    return expect(200, api.call("POST", f"/datasets/{dataset_id}/items/import", content=content, headers=headers))


# --- datasets ---


def test_a_dataset_starts_at_version_1_with_no_items(api):
    made = api.make("/datasets", {"name": "  capitals ", "description": "of Europe"})
    assert set(made) >= DATASET_FIELDS
    assert (made["name"], made["description"], made["project_id"]) == ("capitals", "of Europe", api.project)
    assert (made["version"], made["item_count"]) == (1, 0)
    assert api.read(f"/datasets/{made['id']}") == made
    assert api.items("/datasets") == [made]


def test_a_name_is_taken_once_in_a_project(api, stranger):
    api.dataset(name="capitals")
    refused = api.refusal("POST", "/datasets", {"name": " capitals\n"})
    assert refused.said == (409, "CONFLICT")
    api.dataset(name="Capitals")
    stranger.dataset(name="capitals")


def test_the_name_of_a_deleted_dataset_is_free_again(api):
    dataset = api.dataset(name="capitals")
    expect(200, api.delete(f"/datasets/{dataset.id}"))
    api.dataset(name="capitals")


@pytest.mark.parametrize(
    "body", [{}, {"name": ""}, {"name": "  "}, {"name": None}, {"name": 5}, {"name": ["d"]}], ids=str
)
def test_a_dataset_has_a_name(api, body):
    refused = api.refusal("POST", "/datasets", body)
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == ["name"]


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("DELETE", ""), ("GET", "/items"), ("DELETE", "/items/x")])
def test_an_unknown_dataset_is_not_found(api, method, path):
    assert Refusal.of(api.call(method, f"/datasets/nobody{path}")).said == (404, "NOT_FOUND")


@pytest.mark.parametrize(("path", "headers"), [("/items", {}), ("/items/import", NDJSON)])
def test_nothing_is_added_to_an_unknown_dataset(api, path, headers):
    refused = api.refusal("POST", f"/datasets/nobody{path}", {"input": "q"}, headers=headers)
    assert refused.said == (404, "NOT_FOUND")


# --- items ---


def test_an_item_comes_back_with_every_field(api):
    dataset = api.dataset()
    sent = {"input": {"q": 1}, "expected_output": ["a"], "metadata": {"level": {"deep": True}}}
    made = api.make(f"/datasets/{dataset.id}/items", sent)
    assert set(made) >= ITEM_FIELDS
    assert {name: made[name] for name in sent} == sent
    assert made["dataset_id"] == dataset.id
    assert api.items(f"/datasets/{dataset.id}/items") == [made]


@pytest.mark.parametrize("input", ["", 0, False, [], {}])
def test_an_input_may_be_empty(api, input):
    assert inputs(api, api.dataset([{"input": input}]).id) == [input]


@pytest.mark.parametrize(
    "body", [{}, {"input": None}, {"expected_output": "a"}, {"input": "q", "metadata": []}], ids=str
)
def test_an_item_has_an_input_and_metadata_is_a_map(api, body):
    assert api.refusal("POST", f"/datasets/{api.dataset().id}/items", body).said == (400, "INVALID_REQUEST")


def test_every_new_item_makes_a_new_version(api):
    dataset = api.dataset()
    before = api.read(f"/datasets/{dataset.id}")
    for count in (1, 2, 3):
        api.make(f"/datasets/{dataset.id}/items", {"input": count})
        assert state(api, dataset.id) == (1 + count, count)
    after = api.read(f"/datasets/{dataset.id}")
    assert after["created_at"] == before["created_at"]
    assert after["updated_at"] >= before["updated_at"]


# --- versions ---


def test_every_version_reads_back_as_it_was(api):
    dataset = api.dataset([{"input": "a"}, {"input": "b"}])
    expect(200, api.delete(f"/datasets/{dataset.id}/items/{dataset.item_ids[0]}"))
    imported(api, dataset.id, b'{"input": "c"}\n{"input": "d"}\n')
    was = [inputs(api, dataset.id, version=version) for version in (1, 2, 3, 4, 5)]
    assert was == [[], ["a"], ["a", "b"], ["b"], ["b", "c", "d"]]
    assert inputs(api, dataset.id) == ["b", "c", "d"]
    assert state(api, dataset.id) == (5, 3)


def test_an_old_version_reads_page_by_page_while_the_dataset_grows(api):
    dataset = api.questions(5)
    first = api.read(f"/datasets/{dataset.id}/items", version=6, limit=2)
    api.make(f"/datasets/{dataset.id}/items", {"input": "new"})
    rest = api.read(f"/datasets/{dataset.id}/items", version=6, limit=200, cursor=first["next_cursor"])
    seen = [item["input"] for item in first["items"] + rest["items"]]
    assert seen == ["q4", "q3", "q2", "q1", "q0"]


def test_a_version_that_is_not_there_yet_is_not_found(api):
    dataset = api.questions(1)
    assert Refusal.of(api.get(f"/datasets/{dataset.id}/items", version=3)).said == (404, "NOT_FOUND")


@pytest.mark.parametrize("version", ["x", "-1", "1.5", ""])
def test_a_version_is_a_number(api, version):
    answer = api.get(f"/datasets/{api.dataset().id}/items", version=version)
    assert Refusal.of(answer).said == (400, "INVALID_REQUEST")


def test_a_removed_item_is_gone_from_the_newest_version_on(api):
    dataset = api.questions(2)
    gone = dataset.item_ids[0]
    assert expect(200, api.delete(f"/datasets/{dataset.id}/items/{gone}")) == {"deleted": True, "id": gone}
    assert (inputs(api, dataset.id), inputs(api, dataset.id, version=3)) == (["q1"], ["q0", "q1"])
    assert state(api, dataset.id) == (4, 1)
    assert api.refusal("DELETE", f"/datasets/{dataset.id}/items/{gone}").said == (404, "NOT_FOUND")


def test_an_item_of_another_dataset_is_not_found_here(api):
    here, there = api.questions(1), api.questions(1)
    path = f"/datasets/{here.id}/items/{there.item_ids[0]}"
    assert api.refusal("DELETE", path).said == (404, "NOT_FOUND")


def test_a_deleted_dataset_takes_its_items_and_leaves_experiments_runs_and_scores(api):
    dataset = api.questions(2)
    experiment_id = api.measured(dataset, [1, 0])
    before = api.read(f"/experiments/{experiment_id}/summary")
    assert before["dataset_item_count"] == 2
    assert expect(200, api.delete(f"/datasets/{dataset.id}")) == {"deleted": True, "id": dataset.id}
    assert Refusal.of(api.get(f"/datasets/{dataset.id}")).said == (404, "NOT_FOUND")
    assert Refusal.of(api.get(f"/datasets/{dataset.id}/items")).said == (404, "NOT_FOUND")
    after = api.read(f"/experiments/{experiment_id}/summary")
    assert (after["dataset_item_count"], after["run_count"]) == (0, 2)
    assert (after["expected_item_count"], after["expected_run_count"]) == (2, 2)
    assert after["scores_by_scorer"]["quality"]["mean"] == 0.5
    assert [run["scores"][0]["value"] for run in api.items(f"/experiments/{experiment_id}/runs")] == [0, 1]
    assert api.read(f"/experiments/{experiment_id}")["dataset_id"] == dataset.id


# --- synchronisation ---


def synced(api, dataset_id, *items):
    return expect(200, api.call("PUT", f"/datasets/{dataset_id}/items", {"items": list(items)}))


def test_a_dataset_is_synchronised_as_one_version_and_none_when_nothing_changed(api):
    """Items match by key, else by content; equal content keeps its id; what is left out is removed."""
    dataset = api.dataset([{"input": "a"}, {"input": "b"}])
    sent = [{"input": "c", "key": "k"}, {"input": "b"}, {"input": "b"}]
    answer = synced(api, dataset.id, *sent)
    ids = answer.pop("item_ids")
    counted = {"added": 2, "changed": 0, "removed": 1, "kept": 1}
    assert answer == {"dataset_id": dataset.id, "version": 4, **counted}
    assert ids[1] == dataset.item_ids[1]
    stored = {item["id"]: item for item in api.items(f"/datasets/{dataset.id}/items")}
    assert [(stored[id]["input"], stored[id]["key"]) for id in ids] == [("c", "k"), ("b", None), ("b", None)]
    again = synced(api, dataset.id, *sent)
    assert (again["version"], again["kept"], again["item_ids"]) == (4, 3, ids)
    assert state(api, dataset.id) == (4, 3)


def test_an_experiment_that_is_pinned_to_an_older_version_keeps_its_items(api):
    dataset = api.dataset()
    (old,) = synced(api, dataset.id, {"key": "k", "input": "q", "expected_output": "old"})["item_ids"]
    experiment = api.experiment(dataset.id, auto_complete=True)
    changed = synced(api, dataset.id, {"key": "k", "input": "q", "expected_output": "new"})
    assert (changed["changed"], changed["item_ids"] != [old]) == (1, True)
    api.run(experiment, old, "old")
    (run,) = api.items(f"/experiments/{experiment}/runs")
    assert run["expected_output"] == "old"
    assert api.read(f"/experiments/{experiment}")["status"] == "completed"


def test_a_list_with_a_key_twice_is_refused_with_both_positions(api):
    dataset = api.questions(1)
    body = {"items": [{"key": "k", "input": 1}, {"input": 2}, {"key": "k", "input": 1}]}
    refused = api.refusal("PUT", f"/datasets/{dataset.id}/items", body)
    assert refused.said == (400, "INVALID_REQUEST")
    assert "items[2]" in refused.message
    assert "items[0]" in refused.message
    assert [(error["field"], error["index"]) for error in refused.errors] == [("key", 2)]


@pytest.mark.parametrize(
    "body", [{}, {"items": None}, {"items": {}}, {"items": [1]}, {"items": [{"key": "k"}]},
             {"items": [{"input": 1}, {"input": 1, "key": ""}]}, {"items": [{"input": 1, "key": 5}]}], ids=str
)  # fmt: skip
def test_a_bad_list_changes_nothing(api, body):
    dataset = api.questions(1)
    assert api.refusal("PUT", f"/datasets/{dataset.id}/items", body).said == (400, "INVALID_REQUEST")


def test_a_key_is_taken_once_in_the_newest_version(api):
    dataset = api.dataset([{"input": "a", "key": "k"}])
    refused = api.refusal("POST", f"/datasets/{dataset.id}/items", {"input": "b", "key": "k"})
    assert refused.said == (409, "CONFLICT")
    body = b'{"input": "b"}\n{"input": "c", "key": "k"}\n'
    refused = api.refusal("POST", f"/datasets/{dataset.id}/items/import", content=body, headers=NDJSON)
    assert refused.said == (409, "CONFLICT")


# --- import ---


@pytest.mark.parametrize("content_type", ["application/x-ndjson", "application/jsonl"])
def test_an_import_keeps_good_lines_and_tells_of_the_others(api, content_type):
    dataset = api.dataset()
    lines = [
        '{"input": "a", "expected_output": {"x": 1}, "metadata": {"n": 1}, "surprise": 1}',
        "",
        "not json",
        "[1, 2]",
        '"text"',
        '{"expected_output": "no input"}',
        '{"input": null}',
        '{"input": ""}',
        "   ",
        r'{"input": "\u0000"}',
        '{"input": NaN}',
        '{"input": "b", "metadata": 5}',
        '{"input": "c"}',
    ]
    told = imported(api, dataset.id, "\n".join(lines).encode(), content_type)
    assert (told["imported_count"], told["skipped_count"]) == (3, 8)
    assert [skipped["line"] for skipped in told["skipped"]] == [3, 4, 5, 6, 7, 10, 11, 12]
    assert all(skipped["reason"] for skipped in told["skipped"])
    items = api.items(f"/datasets/{dataset.id}/items")[::-1]
    assert [item["input"] for item in items] == ["a", "", "c"]
    assert (items[0]["expected_output"], items[0]["metadata"]) == ({"x": 1}, {"n": 1})
    assert state(api, dataset.id) == (2, 3)


@pytest.mark.parametrize("content", [b"", b"\n\n  \n", b"nothing good\n", b'{"output": 1}'])
def test_an_import_of_nothing_leaves_the_version(api, content):
    dataset = api.questions(1)
    assert imported(api, dataset.id, content)["imported_count"] == 0
    assert state(api, dataset.id) == (2, 1)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_end_as_the_sender_ends_them(api, end):
    dataset = api.dataset()
    told = imported(api, dataset.id, end.join(['{"input": 1}', "", '{"input": 2}', ""]).encode())
    assert (told["imported_count"], told["skipped"], inputs(api, dataset.id)) == (2, [], [1, 2])


def test_a_line_may_be_split_anywhere_on_its_way(api):
    dataset = api.dataset()
    whole = '{"input": "ä🦉"}\n{"input": "b"}\n'.encode()
    told = imported(api, dataset.id, (bytes([byte]) for byte in whole))
    assert (told["imported_count"], inputs(api, dataset.id)) == (2, ["ä🦉", "b"])


def test_only_the_first_thousand_skipped_lines_are_listed(api):
    told = imported(api, api.dataset().id, b"bad\n" * 1001)
    assert (told["skipped_count"], len(told["skipped"]), told["skipped"][-1]["line"]) == (1001, 1000, 1000)


def test_an_import_may_be_longer_than_a_body_but_a_line_may_not_be_longer_than_a_megabyte(api):
    dataset = api.dataset()
    line = json.dumps({"input": "x" * (900 * 1024)}).encode() + b"\n"
    too_long = json.dumps({"input": "x" * MEGABYTE}).encode() + b"\n"
    told = imported(api, dataset.id, (piece for piece in [line] * 20 + [too_long] + [line] * 20))
    assert (told["imported_count"], [skipped["line"] for skipped in told["skipped"]]) == (40, [21])
    assert state(api, dataset.id) == (2, 40)


@pytest.mark.parametrize("framing", ["length", "chunked"])
def test_a_cut_connection_imports_nothing(api, server, framing):
    dataset = api.dataset()
    lines = b'{"input": "cut"}\n' * 20_000
    framed = {
        "length": (f"Content-Length: {len(lines) * 2}", lines),
        "chunked": ("Transfer-Encoding: chunked", b"%x\r\n%s\r\n" % (len(lines), lines)),
    }[framing]
    send_and_cut(server, api.key, f"/v1/datasets/{dataset.id}/items/import", *framed)
    api.make(f"/datasets/{dataset.id}/items", {"input": "after"})
    assert inputs(api, dataset.id) == ["after"]
    assert state(api, dataset.id) == (2, 1)


def send_and_cut(server, key, path, framing, body):
    """Send half a request, hang up, and come back when the server has noticed."""
    host, port = server.url.removeprefix("http://").split(":")
    head = [
        f"POST {path} HTTP/1.1",
        f"Host: {host}",
        f"Authorization: Bearer {key}",
        "Content-Type: application/x-ndjson",
    ]
    with socket.create_connection((host, int(port)), timeout=600) as line:
        line.sendall("\r\n".join([*head, framing, "", ""]).encode() + body)
        line.shutdown(socket.SHUT_WR)
        while line.recv(65536):
            pass
