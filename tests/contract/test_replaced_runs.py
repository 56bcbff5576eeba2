"""Failed runs are attempted again: `replace_failed` puts a new result into a run that ended in an error."""

from dataclasses import replace

import pytest

from contract.caller import expect, fresh_project, span

BROKEN = {"message": "broke", "type": "Timeout"}


@pytest.fixture
def failed(api):
    """An experiment over two items whose runs both ended in an error: its id, the items and the runs."""
    dataset = api.questions(2)
    experiment_id = api.experiment(dataset.id)
    drafts = [{"dataset_item_id": item, "error": BROKEN} for item in dataset.item_ids]
    ids = api.make(f"/experiments/{experiment_id}/runs", {"runs": drafts})["run_ids"]
    return experiment_id, dataset.item_ids, ids


def again(api, experiment_id, *drafts):
    return api.post(f"/experiments/{experiment_id}/runs", {"runs": list(drafts), "replace_failed": True})


def runs(api, experiment_id):
    return {run["id"]: run for run in api.items(f"/experiments/{experiment_id}/runs")}


def counts(api, experiment_id):
    told = api.read(f"/experiments/{experiment_id}/summary")
    return told["run_count"], told["failed_run_count"], told["status"]


def test_a_failed_run_gets_a_new_result_and_keeps_its_id_and_age(api, failed):
    experiment_id, items, ids = failed
    before = runs(api, experiment_id)
    told = expect(201, again(api, experiment_id, {"dataset_item_id": items[0], "output": "a0", "trace_id": "t1"}))
    assert told == {"accepted": 1, "run_ids": [ids[0]], "job_ids": []}
    after = runs(api, experiment_id)
    changed = {"output": "a0", "error": None, "trace_id": "t1", "attempts": 2}
    assert after == {ids[0]: {**before[ids[0]], **changed}, ids[1]: before[ids[1]]}
    assert before[ids[1]]["attempts"] == 1
    assert counts(api, experiment_id) == (2, 1, "running")


def test_a_run_that_fails_again_counts_its_attempts(api, failed):
    experiment_id, items, ids = failed
    for attempts in (2, 3, 4):
        expect(201, again(api, experiment_id, {"dataset_item_id": items[0], "error": {"message": f"no {attempts}"}}))
        run = runs(api, experiment_id)[ids[0]]
        assert (run["error"]["message"], run["attempts"]) == (f"no {attempts}", attempts)
        assert counts(api, experiment_id) == (2, 2, "running")


def test_without_replace_failed_a_second_run_stays_refused(api, failed):
    experiment_id, items, _ = failed
    run = {"dataset_item_id": items[0], "output": "a0"}
    for body in ({"runs": [run]}, {"runs": [run], "replace_failed": False}, {"runs": [run], "replace_failed": None}):
        refused = api.refusal("POST", f"/experiments/{experiment_id}/runs", body)
        assert refused.said == (409, "DUPLICATE_RUN")


def test_a_run_with_an_output_is_not_replaced_and_refuses_the_whole_batch(api, failed):
    experiment_id, items, _ = failed
    expect(201, again(api, experiment_id, {"dataset_item_id": items[0], "output": "good"}))
    body = {"runs": [{"dataset_item_id": item, "output": "other"} for item in items[::-1]], "replace_failed": True}
    refused = api.refusal("POST", f"/experiments/{experiment_id}/runs", body)
    assert refused.said == (409, "DUPLICATE_RUN")
    assert [error["index"] for error in refused.errors] == [1]


def test_one_batch_cannot_replace_a_run_twice(api, failed):
    experiment_id, items, _ = failed
    run = {"dataset_item_id": items[0], "output": "a0"}
    refused = api.refusal("POST", f"/experiments/{experiment_id}/runs", {"runs": [run, run], "replace_failed": True})
    assert refused.said == (409, "DUPLICATE_RUN")


def test_new_and_replacing_runs_go_in_one_batch_and_are_counted_apart(api):
    dataset = api.questions(2)
    experiment_id = api.experiment(dataset.id, trials=2, auto_complete=True)
    first, second = dataset.item_ids
    failed_run = api.run(experiment_id, first, error=BROKEN)
    told = expect(201, again(api, experiment_id,
                             {"dataset_item_id": second, "output": "a1"},
                             {"dataset_item_id": first, "output": "a0"},
                             {"dataset_item_id": first, "trial": 1, "error": BROKEN}))  # fmt: skip
    assert told["run_ids"][1] == failed_run
    assert counts(api, experiment_id) == (3, 1, "running")
    found = runs(api, experiment_id)
    assert [found[id]["attempts"] for id in told["run_ids"]] == [1, 2, 1]
    expect(201, again(api, experiment_id, {"dataset_item_id": second, "trial": 1, "output": "a1"}))
    assert counts(api, experiment_id) == (4, 1, "completed")


def test_replacing_does_not_complete_an_experiment_that_lacks_runs(api):
    dataset = api.questions(2)
    experiment_id = api.experiment(dataset.id, auto_complete=True)
    api.run(experiment_id, dataset.item_ids[0], error=BROKEN)
    expect(201, again(api, experiment_id, {"dataset_item_id": dataset.item_ids[0], "output": "a0"}))
    assert counts(api, experiment_id) == (1, 0, "running")


def test_a_completed_experiment_takes_replacements_and_no_new_runs(api):
    dataset = api.questions(2)
    experiment_id = api.experiment(dataset.id)
    failed_run = api.run(experiment_id, dataset.item_ids[0], error=BROKEN)
    completed = expect(200, api.post(f"/experiments/{experiment_id}/complete"))
    replacing, new = ({"dataset_item_id": item, "output": "x"} for item in dataset.item_ids)
    for drafts in ([new], [replacing, new]):
        body = {"runs": drafts, "replace_failed": True}
        refused = api.refusal("POST", f"/experiments/{experiment_id}/runs", body)
        assert refused.said == (422, "EXPERIMENT_COMPLETED")
    assert expect(201, again(api, experiment_id, replacing))["run_ids"] == [failed_run]
    assert api.read(f"/experiments/{experiment_id}") == completed
    assert counts(api, experiment_id) == (1, 0, "completed")


def test_scores_and_states_of_the_failed_attempt_go_and_inline_ones_come(api, failed):
    experiment_id, items, ids = failed
    for id in ids:
        expect(200, api.score(id, "exact_match"))
        expect(201, api.score(id, "people", value=0.25, source="human"))
        expect(200, api.score(id, "kindness", absent="nothing to read"))
    inline = [{"scorer_name": "exact_match"}, {"scorer_name": "kindness", "value": 0.5}]
    expect(201, again(api, experiment_id, {"dataset_item_id": items[0], "output": "a0", "scores": inline}))
    assert {score["scorer_name"]: score["value"] for score in api.scores(ids[0])} == {
        "exact_match": 1.0,
        "kindness": 0.5,
    }
    assert {row["state"] for row in api.items("/scoring-states", target_id=ids[0])} == {"scored"}
    assert [score["value"] for score in api.scores(ids[1])] == [0.25]
    told = api.read(f"/experiments/{experiment_id}/summary")["scores_by_scorer"]
    seen = {name: (row["n_total"], row["n_scored"], row["n_failed"], row["n_absent"]) for name, row in told.items()}
    assert seen == {"exact_match": (2, 1, 1, 0), "kindness": (2, 1, 1, 0), "people": (2, 1, 0, 1)}


def test_the_trace_of_the_failed_attempt_stays_with_its_annotations_and_its_place_in_the_queue(api):
    dataset = api.questions(1)
    experiment_id = api.experiment(dataset.id)
    trace_id = api.trace(span())
    api.run(experiment_id, dataset.item_ids[0], error=BROKEN, trace_id=trace_id)
    annotation = api.annotation(trace_id)
    expect(200, api.post(f"/traces/{trace_id}/queue"))
    expect(201, again(api, experiment_id, {"dataset_item_id": dataset.item_ids[0], "output": "a0"}))
    assert [run["trace_id"] for run in runs(api, experiment_id).values()] == [None]
    assert api.items("/annotations", trace_id=trace_id) == [annotation]
    assert [row["trace_id"] for row in api.items("/queue")] == [trace_id]


def test_a_run_that_was_replaced_stays_on_the_page_where_it_was(api):
    dataset = api.questions(5)
    experiment_id = api.experiment(dataset.id)
    ids = [api.run(experiment_id, item, error=BROKEN) for item in dataset.item_ids]
    path = f"/experiments/{experiment_id}/runs"
    page = api.read(path, limit=2)
    expect(201, again(api, experiment_id, *({"dataset_item_id": item, "output": "x"} for item in dataset.item_ids)))
    rest = api.items(path, limit=2, cursor=page["next_cursor"])
    assert [run["id"] for run in page["items"] + rest] == ids[::-1]


def test_a_bad_score_in_a_replacement_leaves_the_failed_run(api, failed):
    experiment_id, items, _ = failed
    bad = {"dataset_item_id": items[0], "output": "x", "scores": [{"scorer_name": "quality", "value": 2}]}
    refused = api.refusal("POST", f"/experiments/{experiment_id}/runs", {"runs": [bad], "replace_failed": True})
    assert refused.said == (400, "INVALID_SCORE_VALUE")


@pytest.mark.parametrize("flag", ["yes", 1, []])
def test_replace_failed_is_true_or_false(api, failed, flag):
    experiment_id, items, _ = failed
    body = {"runs": [{"dataset_item_id": items[0], "output": "x"}], "replace_failed": flag}
    refused = api.refusal("POST", f"/experiments/{experiment_id}/runs", body)
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == ["replace_failed"]


def test_a_key_of_another_project_sees_no_experiment_to_replace_runs_of(api, root, failed):
    experiment_id, items, _ = failed
    stranger = replace(root, project=fresh_project()).with_key("write")
    body = {"runs": [{"dataset_item_id": items[0], "output": "x"}], "replace_failed": True}
    assert api.refusal("POST", f"/experiments/{experiment_id}/runs", body, by=stranger).said == (404, "NOT_FOUND")


def test_a_scoring_job_after_the_replacement_scores_the_new_output(api, failed):
    experiment_id, items, ids = failed
    wanted = {"scorers": [{"scorer_name": "exact_match"}]}
    first = expect(202, api.post(f"/experiments/{experiment_id}/score", wanted))
    assert api.finished(first["job_id"])["counts"]["failed"] == 2
    expect(201, again(api, experiment_id, {"dataset_item_id": items[0], "output": "a0"}))
    assert api.items("/scoring-states", target_id=ids[0]) == []
    second = expect(202, api.post(f"/experiments/{experiment_id}/score", wanted))
    assert api.finished(second["job_id"])["status"] == "done"
    assert [score["value"] for score in api.scores(ids[0])] == [1.0]
