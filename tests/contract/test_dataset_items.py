"""Single items of a dataset: read, edited, exported, used in experiments, and what they are worth."""

import json
import secrets

import pytest

from contract.caller import Refusal, expect


def lines(api, dataset_id, **query):
    answer = api.get(f"/datasets/{dataset_id}/items/export", **query)
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def versions(api, dataset_id):
    return [
        (row["version"], row["item_count"], row["added"], row["removed"], row["changed"])
        for row in api.items(f"/datasets/{dataset_id}/versions")
    ]


# --- one item ---


def test_an_item_is_read_by_its_id_also_after_it_left(api):
    dataset = api.dataset([{"input": "q", "expected_output": {"a": 1}, "metadata": {"topic": "x"}, "key": "k"}])
    path = f"/datasets/{dataset.id}/items/{dataset.item_ids[0]}"
    item = api.read(path)
    assert (item["input"], item["expected_output"], item["metadata"], item["key"]) == (
        "q",
        {"a": 1},
        {"topic": "x"},
        "k",
    )
    assert api.items(f"/datasets/{dataset.id}/items") == [item]
    expect(200, api.delete(path))
    assert api.read(path) == item
    refused = Refusal.of(api.get(f"/datasets/{dataset.id}/items/nobody"))
    assert refused.said == (404, "NOT_FOUND")
    assert Refusal.of(api.get(f"/datasets/{api.questions(1).id}/items/{dataset.item_ids[0]}")).said == (
        404,
        "NOT_FOUND",
    )


def test_an_edited_item_is_a_new_one_in_a_new_version(api):
    dataset = api.dataset([{"input": "q0", "key": "first"}, {"input": "q1"}])
    path = f"/datasets/{dataset.id}/items/{dataset.item_ids[0]}"
    edited = expect(200, api.call("PUT", path, {"input": "q0, better", "expected_output": "a"}))
    assert (edited["input"], edited["expected_output"], edited["key"]) == ("q0, better", "a", "first")
    assert edited["id"] != dataset.item_ids[0]
    after = api.read(f"/datasets/{dataset.id}")
    assert (after["version"], after["item_count"]) == (4, 2)
    assert {item["input"] for item in api.items(f"/datasets/{dataset.id}/items")} == {"q0, better", "q1"}
    assert {item["input"] for item in api.items(f"/datasets/{dataset.id}/items", version=3)} == {"q0", "q1"}
    assert versions(api, dataset.id)[0] == (4, 2, 0, 0, 1)
    refused = api.refusal("PUT", path, {"input": "again"})
    assert refused.said == (404, "NOT_FOUND")
    again = f"/datasets/{dataset.id}/items/{edited['id']}"
    assert expect(200, api.call("PUT", again, {"input": "q0, better", "expected_output": "a"})) == edited
    assert api.read(f"/datasets/{dataset.id}")["version"] == 4


def test_an_edit_may_change_the_key_but_not_to_that_of_another(api):
    dataset = api.dataset([{"input": "q0", "key": "a"}, {"input": "q1", "key": "b"}])
    path = f"/datasets/{dataset.id}/items/{dataset.item_ids[0]}"
    assert api.refusal("PUT", path, {"input": "q0", "key": "b"}).said == (409, "CONFLICT")
    assert api.refusal("PUT", path, {"expected_output": "no input"}).said == (400, "INVALID_REQUEST")
    renamed = expect(200, api.call("PUT", path, {"input": "q0", "key": "c"}))
    assert renamed["key"] == "c"


# --- lists of items and of datasets, as tables show them ---


def test_items_are_looked_for_by_a_text_and_cut_to_rows(api):
    items = [
        {"input": "Where is Paris?", "expected_output": "x" * 400, "metadata": {"topic": "Towns"}},
        {"input": {"ask": ["PARIS"]}, "key": "two"},
        {"input": "Rome", "key": "Lutetia-paris"},
        {"input": 42},
    ]
    dataset = api.dataset(items)
    path = f"/datasets/{dataset.id}/items"
    first, second, third, fourth = dataset.item_ids
    assert [item["id"] for item in api.items(path, q="pARIS")] == [third, second, first]
    assert [item["id"] for item in api.items(path, q="paris", version=3)] == [second, first]
    assert [item["id"] for item in api.items(path, q="towns")] == [first]
    assert [item["id"] for item in api.items(path, q="42")] == [fourth]
    lean = {item["id"]: item for item in api.items(path, fields="lean")}
    assert [lean[id]["input"] for id in dataset.item_ids] == ["Where is Paris?", '{"ask":["PARIS"]}', "Rome", "42"]
    assert (lean[first]["expected_output"], lean[first]["expected_output_size"]) == ("x" * 300, 400)
    assert (lean[first]["metadata"], lean[second]["metadata"]) == ('{"topic":"Towns"}', None)
    assert (lean[second]["key"], lean[second]["expected_output_size"]) == ("two", 0)


@pytest.mark.parametrize(("query", "field"), [({"q": ""}, "q"), ({"q": "x" * 201}, "q"), ({"fields": "few"}, "fields")])
def test_a_malformed_question_about_items_names_what_is_wrong(api, query, field):
    refused = Refusal.of(api.get(f"/datasets/{api.questions(1).id}/items", **query))
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == [field]


def test_datasets_are_found_by_name_and_say_how_many_experiments_they_have(api):
    name = secrets.token_hex(8)
    used, unused = api.dataset([{"input": "q"}], name=f"{name} Used"), api.dataset(name=f"{name} unused")
    api.experiment(used.id)
    api.experiment(used.id)
    rows = api.items("/datasets", project_id=api.project, q=name.upper(), include="experiments")
    assert [(row["id"], row["experiment_count"]) for row in rows] == [(unused.id, 0), (used.id, 2)]
    plain = api.items("/datasets", project_id=api.project, q=f"{name} u", limit=1)
    assert [row["id"] for row in plain] == [unused.id, used.id]
    assert "experiment_count" not in plain[0]
    assert api.items("/datasets", project_id=api.project, q="nobody has this name") == []
    refused = Refusal.of(api.get("/datasets", project_id=api.project, include="everything"))
    assert [error["field"] for error in refused.errors] == ["include"]


# --- versions ---


def test_versions_say_what_changed_in_each(api):
    dataset = api.dataset([{"input": "q0", "key": "a"}, {"input": "q1", "key": "b"}])
    expect(200, api.delete(f"/datasets/{dataset.id}/items/{dataset.item_ids[0]}"))
    synced = [{"input": "q1, better", "key": "b"}, {"input": "q2"}, {"input": "q3"}]
    expect(200, api.call("PUT", f"/datasets/{dataset.id}/items", {"items": synced}))
    assert versions(api, dataset.id) == [
        (5, 3, 2, 0, 1), (4, 1, 0, 1, 0), (3, 2, 1, 0, 0), (2, 1, 1, 0, 0), (1, 0, 0, 0, 0)
    ]  # fmt: skip
    rows = api.items(f"/datasets/{dataset.id}/versions", limit=2)
    times = [row["created_at"] for row in rows]
    assert times == sorted(times, reverse=True)
    assert times[0] == api.read(f"/datasets/{dataset.id}")["updated_at"]


# --- export ---


def test_an_export_is_what_an_import_reads(api):
    items = [{"input": {"q": n}, "expected_output": [n], "metadata": {"n": n}, "key": f"k{n}"} for n in range(3)]
    dataset = api.dataset([*items, {"input": "plain"}])
    exported = lines(api, dataset.id)
    assert exported[:3] == [{"id": id, **item} for id, item in zip(dataset.item_ids, items, strict=False)]
    assert exported[3] == {"id": dataset.item_ids[3], "input": "plain"}
    assert [line["input"] for line in lines(api, dataset.id, version=2)] == [{"q": 0}]
    assert lines(api, dataset.id, version=1) == []
    assert Refusal.of(api.get(f"/datasets/{dataset.id}/items/export", version=9)).said == (404, "NOT_FOUND")
    copy = api.dataset()
    body = "\n".join(json.dumps({key: value for key, value in line.items() if key != "id"}) for line in exported)
    headers = {"Content-Type": "application/x-ndjson"}
    told = expect(200, api.call("POST", f"/datasets/{copy.id}/items/import", content=body, headers=headers))
    assert (told["imported_count"], told["skipped_count"]) == (4, 0)
    assert [{**line, "id": ""} for line in lines(api, copy.id)] == [{**line, "id": ""} for line in exported]


def test_a_long_export_has_every_item_once(api):
    dataset = api.dataset()
    body = "\n".join(json.dumps({"input": n}) for n in range(2500))
    headers = {"Content-Type": "application/x-ndjson"}
    expect(200, api.call("POST", f"/datasets/{dataset.id}/items/import", content=body, headers=headers))
    assert [line["input"] for line in lines(api, dataset.id)] == list(range(2500))


# --- runs on an item ---


def test_the_runs_on_an_item_come_with_their_scores_over_all_experiments(api):
    dataset = api.questions(2)
    first = api.measured(dataset, [0.5, 1], name="first")
    second = api.measured(dataset, [1, 1], "tone", name="second")
    failed = api.experiment(dataset.id, name="third")
    run = api.run(failed, dataset.item_ids[0], error={"message": "broke"})
    path = f"/datasets/{dataset.id}/items/{dataset.item_ids[0]}/runs"
    found = api.items(path, limit=2)
    assert [(row["experiment_id"], row["experiment_name"]) for row in found] == [
        (failed, "third"), (second, "second"), (first, "first")
    ]  # fmt: skip
    assert found[0]["run_id"] == run
    assert found[0]["error"]["message"] == "broke"
    assert [[(score["scorer_name"], score["value"]) for score in row["scores"]] for row in found] == [
        [], [("tone", 1.0)], [("quality", 0.5)]
    ]  # fmt: skip
    assert Refusal.of(api.get(f"/datasets/{dataset.id}/items/nobody/runs")).said == (404, "NOT_FOUND")


# --- quality ---


def test_items_are_ranked_by_how_hard_and_how_telling_they_are(api):
    dataset = api.dataset([{"input": f"q{n}", "key": f"k{n}"} for n in range(8)])
    never, always, telling, misleading, *plain = dataset.item_ids
    for n in range(6):  # the later, the better
        api.measured(dataset, [0, 1, float(n >= 3), float(n < 2), *[n / 5] * 4])
    path = f"/datasets/{dataset.id}/quality"
    found = api.read(path, scorer_name="quality")
    assert (found["experiments"], found["item_count"], found["scored_item_count"]) == (6, 8, 8)
    assert (found["never_solved_count"], found["always_solved_count"], found["notes"]) == (1, 1, [])
    items = {item["item_id"]: item for item in found["items"]}
    assert found["items"][0]["item_id"] == never
    assert (items[never]["never_solved"], items[never]["mean"], items[never]["discrimination"]) == (True, 0.0, None)
    assert items[never]["discrimination_reason"] == "all experiments score the same on it"
    assert (items[always]["always_solved"], items[always]["mean"], items[always]["key"]) == (True, 1.0, "k1")
    assert (items[telling]["n"], items[telling]["mean"]) == (6, 0.5)
    low, high = items[telling]["confidence_interval_95"]
    assert low < 0.5 < high
    assert items[misleading]["discrimination"] < 0 < items[telling]["discrimination"]
    assert items[plain[0]]["discrimination"] > 0.9
    assert api.read(path, scorer_name="quality", sort="easiest")["items"][0]["item_id"] == always
    assert api.read(path, scorer_name="quality", sort="misleading", most=1)["items"] == [items[misleading]]
    assert api.read(path, scorer_name="quality", sort="telling")["items"][0]["item_id"] in plain
    assert (items[never]["input"], items[always]["input"]) == ("q0", "q1")
    unsolved = api.read(path, scorer_name="quality", solved="never")
    assert ([item["item_id"] for item in unsolved["items"]], unsolved["scored_item_count"]) == ([never], 8)
    assert [item["item_id"] for item in api.read(path, scorer_name="quality", solved="always")["items"]] == [always]
    lower = api.read(path, scorer_name="quality", pass_threshold=0.0)
    assert (lower["never_solved_count"], lower["always_solved_count"]) == (0, 8)


def test_quality_says_why_it_says_little(api):
    dataset = api.questions(2)
    api.measured(dataset, [1, 0])
    found = api.read(f"/datasets/{dataset.id}/quality", scorer_name="quality")
    assert found["notes"] == ["there are numbers of this scorer in 1 experiment; how telling an item is takes 5"]
    assert {item["discrimination_reason"] for item in found["items"]} == {
        "fewer than 5 experiments have scores on it and on other items"
    }
    refused = Refusal.of(api.get(f"/datasets/{dataset.id}/quality", scorer_name="nobody"))
    assert refused.said == (404, "NOT_FOUND")
    assert "GET /v1/scorers" in refused.message


@pytest.mark.parametrize(
    ("query", "field"),
    [({"sort": "name"}, "sort"), ({"most": 0}, "most"), ({"solved": "once"}, "solved"), ({}, "scorer_name")],
)
def test_a_malformed_question_about_quality_names_what_is_wrong(api, query, field):
    given = query if field == "scorer_name" else {"scorer_name": "quality", **query}
    refused = Refusal.of(api.get(f"/datasets/{api.questions(1).id}/quality", **given))
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == [field]
