"""Runs as pages look at them: filtered by where they stand with a scorer, searched, lean, and one by itself."""

from typing import Any

import pytest

from contract.caller import Api, Made, Refusal, expect

LONG = "Wörter " * 200


@pytest.fixture
def uneven(api) -> Made:
    """Six items in an experiment of two trials: scored, absent, failed and never asked."""
    dataset = api.questions(6)
    experiment_id = api.experiment(dataset.id, trials=2)
    one, two, three, four, five, six = dataset.item_ids
    runs = [
        {"dataset_item_id": one, "output": "good", "scores": [{"scorer_name": "quality", "value": 1}]},
        {"dataset_item_id": one, "trial": 1, "output": "bad", "scores": [{"scorer_name": "quality", "value": 0}]},
        {"dataset_item_id": two, "output": "a", "scores": [{"scorer_name": "quality", "absent": "no text"}]},
        {"dataset_item_id": three, "output": "b", "scores": [{"scorer_name": "quality", "failed": "timed out"}]},
        {"dataset_item_id": four, "error": {"message": "broke", "type": "ValueError"}},
        {"dataset_item_id": five, "output": {"text": LONG, "n": 7}},
        {"dataset_item_id": six, "output": "c", "scores": [{"scorer_name": "quality", "value": "unsure"}]},
    ]
    made = api.make(f"/experiments/{experiment_id}/runs", {"runs": runs})
    return Made(experiment_id, made["run_ids"], dataset.id, experiment_id)


def places(api: Api, experiment: Made, **query: Any) -> list[int]:
    """Which of the runs are listed, as places in the batch that was sent."""
    found = api.ids(f"/experiments/{experiment.id}/runs", sort="created_at", **query)
    lean = api.ids(f"/experiments/{experiment.id}/runs", sort="created_at", fields="lean", **query)
    assert found == lean
    return [experiment.item_ids.index(id) for id in found]


def test_runs_are_filtered_by_where_they_stand_as_the_summary_counts_them(api, uneven):
    by_state = {
        state: places(api, uneven, scorer_name="quality", state=state)
        for state in ("scored", "absent", "failed", "pending")
    }
    assert by_state == {"scored": [0, 1, 6], "absent": [2, 5], "failed": [3, 4], "pending": []}
    told = api.read(f"/experiments/{uneven.id}/summary")["scores_by_scorer"]["quality"]
    assert {state: len(found) for state, found in by_state.items()} == {state: told[f"n_{state}"] for state in by_state}
    by_reason = {reason: len(places(api, uneven, scorer_name="quality", reason=reason)) for reason in told["reasons"]}
    assert by_reason == told["reasons"] == {
        "no text": 1, "timed out": 1, "the run failed": 1, "no score was submitted": 1,
    }  # fmt: skip


def test_of_several_states_of_one_run_the_newest_counts(api):
    made = api.answer("x", expected_output="y")
    expect(200, api.score(made.id, "quality", absent="first"))
    expect(200, api.score(made.id, "quality", failed="second"))
    (run,) = api.items(f"/experiments/{made.experiment_id}/runs", scorer_name="quality", state="failed")
    assert [(state["state"], state["reason"]) for state in run["score_states"]] == [("failed", "second")]
    assert api.items(f"/experiments/{made.experiment_id}/runs", scorer_name="quality", reason="first") == []


def test_runs_are_filtered_by_item_trial_error_and_label(api, uneven):
    items = [run["dataset_item_id"] for run in api.items(f"/experiments/{uneven.id}/runs", sort="created_at")]
    assert places(api, uneven, dataset_item_id=items[0]) == [0, 1]
    assert places(api, uneven, dataset_item_id="nobody") == []
    assert places(api, uneven, trial=1) == [1]
    assert places(api, uneven, has_error="true") == [4]
    assert places(api, uneven, has_error="false") == [0, 1, 2, 3, 5, 6]
    assert places(api, uneven, scorer_name="quality", label="unsure") == [6]
    assert places(api, uneven, scorer_name="quality", min=0.5) == [0]
    assert places(api, uneven, scorer_name="quality") == [0, 1, 6]


def test_runs_are_sorted_by_item_and_trial(api, uneven):
    found = api.items(f"/experiments/{uneven.id}/runs", sort="item", limit=2)
    keys = [(run["dataset_item_id"], run["trial"]) for run in found]
    assert keys == sorted(keys)
    assert len(keys) == 7


def test_runs_are_searched_in_input_output_and_expected_output(api, uneven):
    assert places(api, uneven, q="Q0") == [0, 1]  # the item's input
    assert places(api, uneven, q="a5") == [6]  # its expected output
    assert places(api, uneven, q="GOOD") == [0]
    assert places(api, uneven, q="WÖRTER wörter") == [5]
    assert places(api, uneven, q="7") == [5]
    assert places(api, uneven, q="q", limit=1) == [0, 1, 2, 3, 4, 5, 6]
    assert places(api, uneven, q="good", scorer_name="quality", state="scored") == [0]
    assert places(api, uneven, q="never said") == []


def test_a_search_that_looks_through_many_runs_goes_on_from_page_to_page(api):
    """2,000 runs are looked through per page."""
    dataset = api.questions(1)
    experiment_id = api.experiment(dataset.id, trials=2_300)
    for start in range(0, 2_300, 1000):
        runs = [
            {"dataset_item_id": dataset.item_ids[0], "trial": trial, "output": "last" if trial == 2_299 else "x"}
            for trial in range(start, min(start + 1000, 2_300))
        ]
        api.make(f"/experiments/{experiment_id}/runs", {"runs": runs})
    path, query = f"/experiments/{experiment_id}/runs", {"q": "last", "sort": "created_at", "fields": "lean"}
    first = api.read(path, **query)
    assert first["items"] == []
    second = api.read(path, cursor=first["next_cursor"], **query)
    assert ([run["trial"] for run in second["items"]], second["next_cursor"]) == ([2_299], None)


def test_a_run_says_why_it_has_no_score(api, uneven):
    found = {run["id"]: run for run in api.items(f"/experiments/{uneven.id}/runs")}
    states = [[(one["state"], one["reason"]) for one in found[id]["score_states"]] for id in uneven.item_ids]
    assert states == [
        [], [], [("absent", "no text")], [("failed", "timed out")], [("failed", "the run failed")],
        [("absent", "no score was submitted")], [],
    ]  # fmt: skip


def test_a_lean_run_is_cut_and_says_its_sizes(api, uneven):
    lean = {run["id"]: run for run in api.items(f"/experiments/{uneven.id}/runs", fields="lean")}
    good, broken, long, unsure = (lean[uneven.item_ids[place]] for place in (0, 4, 5, 6))
    assert (good["input"], good["input_size"], good["output"], good["expected_output"]) == ("q0", 2, "good", "a0")
    assert good["scores"] == [
        {"scorer_name": "quality", "value": 1, "state": "scored", "reason": None, "has_rationale": False}
    ]
    assert (broken["output"], broken["output_size"], broken["error"]["message"]) == (None, 0, "broke")
    assert long["output"] == ('{"text":"' + LONG)[:300]
    assert long["output_size"] == len(('{"text":"' + LONG + '","n":7}').encode())
    assert unsure["scores"][0]["value"] == "unsure"
    missing = [run["scores"][0] for run in (lean[uneven.item_ids[2]], long)]
    assert [(one["value"], one["state"], one["reason"]) for one in missing] == [
        (None, "absent", "no text"), (None, "absent", "no score was submitted"),
    ]  # fmt: skip


def test_one_run_is_shown_whole_or_cut(api, uneven):
    id = uneven.item_ids[5]
    whole = api.read(f"/runs/{id}")
    listed = {run["id"]: run for run in api.items(f"/experiments/{uneven.id}/runs")}[id]
    assert {name: whole[name] for name in listed} == listed
    size = len(('{"text":"' + LONG + '","n":7}').encode())
    assert (whole["output_size"], whole["input_size"], whole["truncated"]) == (size, 2, [])
    cut = api.read(f"/runs/{id}", max_bytes=11)
    assert (cut["output"], cut["output_size"], cut["truncated"]) == ('{"text":"W', size, ["output"])  # not half an ö
    assert (cut["input"], cut["expected_output"]) == ("q4", "a4")


def test_a_score_of_one_run_has_its_rationale_and_no_job(api):
    made = api.answer("x")
    expect(201, api.score(made.id, "quality", value=0.5, rationale="because"))
    (score,) = api.read(f"/runs/{made.id}")["scores"]
    assert (score["value"], score["rationale"], score["job_id"]) == (0.5, "because", None)
    assert api.scores(made.id) == [{name: value for name, value in score.items() if name != "job_id"}]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("state=absent", "scorer_name"),
        ("reason=x", "scorer_name"),
        ("label=x", "scorer_name"),
        ("scorer_name=quality&state=queued", "state"),
        ("scorer_name=quality&state=absent&sort=score", "sort"),
        ("has_error=maybe", "has_error"),
        ("trial=-1", "trial"),
        ("trial=one", "trial"),
        ("q=", "q"),
        ("fields=few", "fields"),
        ("sort=size", "sort"),
        ("item=x", "item"),
    ],
)
def test_a_filter_that_cannot_be_is_refused_by_name(api, query, field):
    made = api.answer("x")
    refused = api.refusal("GET", f"/experiments/{made.experiment_id}/runs?{query}")
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == [field]


def test_a_cursor_holds_for_its_filters_only(api, uneven):
    path = f"/experiments/{uneven.id}/runs"
    cursor = api.read(path, limit=1, has_error="false")["next_cursor"]
    assert api.get(path, limit=1, cursor=cursor).status_code == 400


@pytest.mark.parametrize("query", ["max_bytes=0", "max_bytes=many", "bytes=1"])
def test_a_cut_that_cannot_be_is_refused(api, query):
    made = api.answer("x")
    assert Refusal.of(api.get(f"/runs/{made.id}?{query}")).errors[0]["field"] == query.partition("=")[0]


def test_an_unknown_run_is_not_found(api):
    assert Refusal.of(api.get("/runs/nobody")).said == (404, "NOT_FOUND")


# --- histogram -----


def test_a_histogram_counts_runs_and_lists_few_of_them(api, uneven):
    told = api.read(f"/experiments/{uneven.id}/histogram", scorer_name="quality", bins=4)
    assert (told["edges"], told["counts"], told["n_values"]) == ([0, 0.25, 0.5, 0.75, 1], [1, 0, 0, 1], 2)
    assert (told["values"], told["run_ids"]) == ([1, 0], uneven.item_ids[:2])
    assert (told["quartiles"], told["labels"]) == ([0.25, 0.5, 0.75], {"unsure": 1})
    assert told["n_missing"] == 4
    assert {(one["state"], one["reason"], one["count"]) for one in told["missing"]} == {
        ("absent", "no text", 1), ("absent", "no score was submitted", 1), ("failed", "timed out", 1),
        ("failed", "the run failed", 1),
    }  # fmt: skip


def test_a_score_on_an_edge_belongs_to_the_bin_above(api):
    values = [place / 20 for place in range(21)]
    experiment_id = api.measured(api.questions(21), values)
    told = api.read(f"/experiments/{experiment_id}/histogram", scorer_name="quality")
    assert told["counts"] == [1] * 19 + [2]
    assert told["edges"] == values


def test_more_than_400_runs_are_only_counted(api):
    dataset = api.questions(1)
    experiment_id = api.experiment(dataset.id, trials=401)
    runs = [
        {"dataset_item_id": dataset.item_ids[0], "trial": trial, "output": "x",
         "scores": [{"scorer_name": "quality", "value": trial % 4 / 4}]}
        for trial in range(401)
    ]  # fmt: skip
    api.make(f"/experiments/{experiment_id}/runs", {"runs": runs})
    told = api.read(f"/experiments/{experiment_id}/histogram", scorer_name="quality", bins=4)
    assert (told["counts"], told["values"], told["run_ids"]) == ([101, 100, 100, 100], None, None)
    assert told["quartiles"] == [0.0, 0.25, 0.5]


def test_a_run_with_several_scores_counts_once_with_their_mean(api):
    made = api.answer("x")
    for value in (0, 1):
        expect(201, api.score(made.id, "quality", value=value))
    told = api.read(f"/experiments/{made.experiment_id}/histogram", scorer_name="quality", bins=2)
    assert (told["counts"], told["values"]) == ([0, 1], [0.5])


def test_a_scorer_that_nobody_used_has_only_reasons(api):
    made = api.answer("x")
    told = api.read(f"/experiments/{made.experiment_id}/histogram", scorer_name="nobody")
    assert (told["n_values"], told["quartiles"], told["values"]) == (0, None, [])
    assert told["missing"] == [{"state": "absent", "reason": "no score was submitted", "count": 1}]


@pytest.mark.parametrize("query", ["", "scorer_name=q&bins=0", "scorer_name=q&bins=201", "scorer_name=q&bins=x"])
def test_a_histogram_that_cannot_be_is_refused_by_name(api, query):
    made = api.answer("x")
    refused = api.refusal("GET", f"/experiments/{made.experiment_id}/histogram?{query}")
    assert refused.said == (400, "INVALID_REQUEST")
    assert refused.errors[0]["field"] == ("bins" if query else "scorer_name")
