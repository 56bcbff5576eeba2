"""A comparison item by item: the same rule and the same counts as the comparison, with both outputs beside."""

from typing import Any

import pytest

from contract.caller import Api, Refusal

BASE = [[1, 1], [0.5, 1], [0, 0], [1, 1], [1, None], [None, None]]
OTHER = [[0, 1], [0.5, 1], [1, 1], [None, None], [1, 1], [1, 1]]
"""Two trials of six items: regressed, unchanged, improved, only in the base, unchanged, only in the other."""


def tried(api: Api, dataset: Any, values: list[list[Any]], said: str, scorer_name: str = "quality") -> str:
    experiment_id = api.experiment(dataset.id, trials=2, name=said)
    runs = []
    for item, both in zip(dataset.item_ids, values, strict=True):
        for trial, value in enumerate(both):
            scores = [] if value is None else [{"scorer_name": scorer_name, "value": value}]
            output = {"said": said, "trial": trial}
            runs.append({"dataset_item_id": item, "trial": trial, "output": output, "scores": scores})
    api.make(f"/experiments/{experiment_id}/runs", {"runs": runs})
    return experiment_id


@pytest.fixture
def compared(api) -> tuple[str, list[str]]:
    dataset = api.questions(6)
    base, other = tried(api, dataset, BASE, "before"), tried(api, dataset, OTHER, "after")
    return f"/experiments/{base}/compare/{other}", dataset.item_ids


def items(api: Api, path: str, **query: Any) -> list[dict[str, Any]]:
    return api.items(f"{path}/items", **{"scorer_name": "quality", **query})


def test_items_of_a_comparison_come_regressions_first_with_both_outputs(api, compared):
    path, ids = compared
    found = items(api, path)
    assert [(item["dataset_item_id"], item["change"], item["delta"]) for item in found] == [
        (ids[0], "regressed", -0.5), (ids[1], "unchanged", 0), (ids[4], "unchanged", 0), (ids[2], "improved", 1),
        (ids[3], "only_base", None), (ids[5], "only_other", None),
    ]  # fmt: skip
    first = found[0]
    assert (first["base_score"], first["other_score"], first["base_label"], first["other_label"]) == (
        1,
        0.5,
        None,
        None,
    )
    assert (first["input"], first["input_size"], first["input_truncated"]) == ("q0", 2, False)
    assert first["expected_output"] == "a0"
    assert [(one["trial"], one["score"], one["output"]["said"]) for one in first["base"]] == [
        (0, 1, "before"), (1, 1, "before"),
    ]  # fmt: skip
    assert [(one["trial"], one["score"], one["output"]["said"]) for one in first["other"]] == [
        (0, 0, "after"), (1, 1, "after"),
    ]  # fmt: skip
    assert (first["base_run_count"], first["other_run_count"]) == (2, 2)
    runs = api.ids(f"{path.partition('/compare')[0]}/runs", dataset_item_id=ids[0], sort="item")
    assert [one["run_id"] for one in first["base"]] == runs


def test_counts_and_scores_are_those_of_the_comparison(api, compared):
    path, _ = compared
    for missing in ("drop", "zero", "bracket"):
        (told,) = api.read(path, missing=missing)["scorer_comparisons"]
        page = api.read(f"{path}/items", scorer_name="quality", missing=missing)
        points = api.read(f"{path}/points", scorer_name="quality", missing=missing)
        counts = {
            "regressed": told["regressed_count"], "improved": told["improved_count"],
            "unchanged": told["unchanged_count"], "changed": told["changed_count"],
            "only_base": told["only_in_base"], "only_other": told["only_in_compare"],
        }  # fmt: skip
        assert page["counts"] == points["counts"] == counts
        rows = {row["dataset_item_id"]: row for row in api.read(path, missing=missing)["per_item_results"]}
        shown = {item["dataset_item_id"]: item for item in page["items"]}
        assert {id: (item["base_score"], item["other_score"], item["delta"]) for id, item in shown.items()} == {
            id: (row["base_score"], row["compare_score"], row["delta"]) for id, row in rows.items()
        }
        columns = zip(points["dataset_item_ids"], points["base_scores"], points["other_scores"], strict=True)
        assert {id: (was, became) for id, was, became in columns} == {
            id: (row["base_score"], row["compare_score"]) for id, row in rows.items()
        }
        assert points["changes"] == [shown[id]["change"] for id in points["dataset_item_ids"]]
        assert (points["total"], points["truncated"]) == (len(rows), False)


@pytest.mark.parametrize("sort", ["delta", "-delta", "item"])
def test_pages_of_items_show_every_item_once_in_order(api, compared, sort):
    path, ids = compared
    whole = items(api, path, sort=sort)
    assert items(api, path, sort=sort, limit=1) == whole
    assert len(whole) == 6
    if sort == "item":
        assert [item["dataset_item_id"] for item in whole] == ids
    else:
        deltas = [item["delta"] for item in whole if item["delta"] is not None]
        assert deltas == sorted(deltas, reverse=sort == "-delta")
        assert [item["delta"] for item in whole[4:]] == [None, None]


def test_items_are_filtered_by_what_became_of_them(api, compared):
    path, ids = compared
    shown = {
        change: [item["dataset_item_id"] for item in items(api, path, show=change)]
        for change in ("regressed", "improved", "unchanged", "changed", "only_base", "only_other")
    }
    assert shown == {
        "regressed": [ids[0]], "improved": [ids[2]], "unchanged": [ids[1], ids[4]], "changed": [],
        "only_base": [ids[3]], "only_other": [ids[5]],
    }  # fmt: skip
    page = api.read(f"{path}/items", scorer_name="quality", show="improved")
    assert page["counts"]["regressed"] == 1  # of all items


def test_items_are_searched_in_input_expected_output_and_outputs(api, compared):
    path, ids = compared
    assert [item["dataset_item_id"] for item in items(api, path, q="Q3")] == [ids[3]]
    assert [item["dataset_item_id"] for item in items(api, path, q="a1")] == [ids[1]]
    assert len(items(api, path, q="AFTER", limit=2)) == 6
    assert items(api, path, q="nobody") == []


def test_labels_change_or_stay(api):
    dataset = api.questions(3)
    base = api.measured(dataset, ["kind", "kind", "rude"])
    other = api.measured(dataset, ["kind", "flat", None])
    path = f"/experiments/{base}/compare/{other}"
    found = items(api, path)
    assert [(item["change"], item["base_label"], item["other_label"]) for item in found] == [
        ("changed", "kind", "flat"), ("unchanged", "kind", "kind"), ("only_base", "rude", None),
    ]  # fmt: skip
    assert [one["label"] for one in found[0]["base"]] == ["kind"]
    points = api.read(f"{path}/points", scorer_name="quality")
    assert (points["base_scores"], points["other_scores"]) == (["kind", "kind", "rude"], ["kind", "flat", None])
    (told,) = api.read(path)["scorer_comparisons"]
    assert (told["changed_count"], told["unchanged_count"]) == (1, 1)


def test_long_texts_are_cut_between_two_characters(api):
    dataset = api.dataset([{"input": "ü" * 2000, "expected_output": {"text": "x" * 3000}}])
    base = api.experiment(dataset.id)
    api.run(base, dataset.item_ids[0], "€" * 1000, scores=[{"scorer_name": "quality", "value": 1}])
    (item,) = items(api, f"/experiments/{base}/compare/{base}")
    assert (item["input"], item["input_size"], item["input_truncated"]) == ("ü" * 1024, 4000, True)
    assert item["expected_output"] == '{"text":"' + "x" * 2039
    assert item["expected_output_truncated"]
    (run,) = item["base"]
    assert (run["output"], run["output_size"], run["output_truncated"]) == ("€" * 682, 3000, True)


def test_a_run_that_failed_stands_in_its_trial(api):
    dataset = api.questions(1)
    base = api.measured(dataset, [1])
    other = api.experiment(dataset.id, trials=2)
    api.run(other, dataset.item_ids[0], scores=[{"scorer_name": "quality", "value": 1}])
    api.run(other, dataset.item_ids[0], trial=1, error={"message": "broke"})
    (item,) = items(api, f"/experiments/{base}/compare/{other}")
    assert [(one["score"], (one["error"] or {}).get("message")) for one in item["other"]] == [
        (1, None),
        (None, "broke"),
    ]


def test_a_scorer_that_nobody_used_has_no_items(api, compared):
    path, _ = compared
    page = api.read(f"{path}/items", scorer_name="nobody")
    assert (page["items"], set(page["counts"].values())) == ([], {0})


def test_a_comparison_can_leave_its_items_out(api, compared):
    path, _ = compared
    whole, without = api.read(path), api.read(path, items="none")
    assert (len(whole["per_item_results"]), without["per_item_results"]) == (6, [])
    assert whole["scorer_comparisons"] == without["scorer_comparisons"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("/items", "scorer_name"),
        ("/items?scorer_name=q&show=better", "show"),
        ("/items?scorer_name=q&sort=size", "sort"),
        ("/items?scorer_name=q&missing=guess", "missing"),
        ("/items?scorer_name=q&q=", "q"),
        ("/items?scorer_name=q&limit=201", "limit"),
        ("/items?scorer_name=q&cursor=x", "cursor"),
        ("/points", "scorer_name"),
        ("/points?scorer_name=q&missing=guess", "missing"),
        ("?items=some", "items"),
    ],
)
def test_what_cannot_be_is_refused_by_name(api, compared, query, field):
    refused = Refusal.of(api.get(compared[0] + query))
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == [field]


@pytest.mark.parametrize("part", ["items", "points"])
def test_experiments_over_different_datasets_are_not_compared(api, part):
    base, other = api.measured(api.questions(1), [1]), api.measured(api.questions(1), [1])
    refused = Refusal.of(api.get(f"/experiments/{base}/compare/{other}/{part}?scorer_name=quality"))
    assert refused.said == (422, "INCOMPATIBLE_EXPERIMENTS")
    unknown = Refusal.of(api.get(f"/experiments/{base}/compare/nobody/{part}?scorer_name=quality"))
    assert unknown.said == (404, "NOT_FOUND")
