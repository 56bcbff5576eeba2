"""Experiments: runs and trials, summaries, comparisons, thresholds, and scoring as a job."""

import pytest

from contract.caller import Refusal, expect, fresh_project

EXPERIMENT_FIELDS = {
    "id", "project_id", "name", "dataset_id", "dataset_version", "trials", "auto_complete", "status",
    "metadata", "created_at", "completed_at",
}  # fmt: skip
RUN_FIELDS = {
    "id", "experiment_id", "dataset_item_id", "trial", "output", "error", "trace_id", "scores", "created_at",
    "input", "expected_output",
}  # fmt: skip
SUMMARY_FIELDS = {
    "experiment_id", "status", "run_count", "dataset_item_count", "threshold_result", "scores_by_scorer",
}  # fmt: skip
SCORER_FIELDS = {
    "scorer_name", "scored_run_count", "mean", "min", "max", "distribution", "score_count",
    "standard_deviation", "standard_error", "confidence_interval_95", "ci_method", "mixed",
    "n_total", "n_scored", "n_absent", "n_failed", "n_pending", "reasons", "flags", "clusters",
}  # fmt: skip
STATE_FIELDS = {
    "target_id", "target_type", "trace_id", "scorer_name", "config_hash", "state", "reason", "job_id",
    "updated_at",
}  # fmt: skip
JOB_FIELDS = {
    "id", "project_id", "kind", "status", "experiment_id", "score_id", "reason", "attempts", "total",
    "counts",
}  # fmt: skip


def of_item(item_id, output="x", **fields):
    return {"dataset_item_id": item_id, "output": output, **fields}


def status(api, experiment_id):
    return api.read(f"/experiments/{experiment_id}")["status"]


def summary(api, experiment_id, scorer_name="quality"):
    return api.read(f"/experiments/{experiment_id}/summary")["scores_by_scorer"][scorer_name]


# --- experiments ---


def test_an_experiment_starts_created_on_the_datasets_version(api):
    dataset = api.questions(2)
    body = {"name": "first", "dataset_id": dataset.id, "metadata": {"model": "gpt-4o", "deep": {"a": [1]}}}
    made = api.make("/experiments", body)
    assert set(made) >= EXPERIMENT_FIELDS
    told = {name: made[name] for name in EXPERIMENT_FIELDS - {"id", "created_at"}}
    assert told == {
        **body,
        "project_id": api.project,
        "dataset_version": 3,
        "trials": 1,
        "auto_complete": False,
        "status": "created",
        "completed_at": None,
    }
    api.make(f"/datasets/{dataset.id}/items", {"input": "later"})
    assert api.read(f"/experiments/{made['id']}") == made
    assert api.items("/experiments") == [made]


def test_names_of_experiments_may_repeat(api):
    dataset = api.dataset()
    assert len({api.experiment(dataset.id, name="same") for _ in range(2)}) == 2


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": None}, "name"),
        ({"name": ""}, "name"),
        ({"dataset_id": None}, "dataset_id"),
        ({"dataset_id": 5}, "dataset_id"),
        ({"trials": 0}, "trials"),
        ({"trials": -1}, "trials"),
        ({"trials": 1.5}, "trials"),
        ({"trials": "2"}, "trials"),
        ({"trials": True}, "trials"),
        ({"auto_complete": "yes"}, "auto_complete"),
        ({"metadata": "text"}, "metadata"),
    ],
    ids=str,
)
def test_a_malformed_experiment_is_refused_by_its_field(api, fields, field):
    body = {"name": "e", "dataset_id": api.dataset().id, **fields}
    refused = api.refusal("POST", "/experiments", body)
    assert refused.said == (400, "INVALID_REQUEST")
    assert {error["field"] for error in refused.errors} == {field}


def test_an_experiment_needs_a_dataset_that_exists(api):
    refused = api.refusal("POST", "/experiments", {"name": "e", "dataset_id": "nobody"})
    assert refused.said == (404, "NOT_FOUND")


def test_an_experiment_does_not_reach_into_another_projects_datasets(api, root):
    dataset = api.dataset()
    body = {"project_id": fresh_project(), "name": "e", "dataset_id": dataset.id}
    assert api.refusal("POST", "/experiments", body, by=root).said == (404, "NOT_FOUND")


@pytest.mark.parametrize("path", ["", "/runs", "/summary", "/compare/nobody"])
def test_an_unknown_experiment_is_not_found(api, path):
    assert Refusal.of(api.get(f"/experiments/nobody{path}")).said == (404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("runs", {"runs": [of_item("x")]}),
        ("complete", None),
        ("threshold", {"scorer_name": "q", "metric": "mean", "threshold": 1}),
        ("score", {"scorers": [{"scorer_name": "exact_match"}]}),
    ],
)
def test_nothing_is_done_to_an_unknown_experiment(api, path, body):
    assert api.refusal("POST", f"/experiments/nobody/{path}", body).said == (404, "NOT_FOUND")


# --- runs ---


def test_runs_are_listed_with_their_item_and_their_scores(api):
    dataset = api.dataset([{"input": "2+2", "expected_output": 4}])
    experiment_id = api.experiment(dataset.id)
    sent = of_item(dataset.item_ids[0], {"sum": 4}, trace_id="not here yet", scores=[{"scorer_name": "q", "value": 1}])
    made = api.make(f"/experiments/{experiment_id}/runs", {"runs": [sent]})
    assert (made["accepted"], len(made["run_ids"]), made["job_ids"]) == (1, 1, [])
    (run,) = api.items(f"/experiments/{experiment_id}/runs")
    assert set(run) >= RUN_FIELDS
    assert (run["id"], run["experiment_id"], run["trial"]) == (made["run_ids"][0], experiment_id, 0)
    assert (run["input"], run["expected_output"], run["output"]) == ("2+2", 4, {"sum": 4})
    assert (run["trace_id"], run["error"], run["dataset_item_id"]) == (
        "not here yet",
        None,
        dataset.item_ids[0],
    )
    assert run["scores"] == api.scores(run["id"])


def test_run_ids_come_in_the_order_of_the_batch(api):
    dataset = api.questions(3)
    experiment_id = api.experiment(dataset.id)
    runs = [of_item(item_id, f"out {n}") for n, item_id in enumerate(dataset.item_ids)]
    run_ids = api.make(f"/experiments/{experiment_id}/runs", {"runs": runs})["run_ids"]
    outputs = {run["id"]: run["output"] for run in api.items(f"/experiments/{experiment_id}/runs")}
    assert [outputs[run_id] for run_id in run_ids] == ["out 0", "out 1", "out 2"]


def test_the_first_run_sets_the_experiment_running(api):
    dataset = api.questions(2)
    experiment_id = api.experiment(dataset.id)
    assert status(api, experiment_id) == "created"
    api.run(experiment_id, dataset.item_ids[0])
    assert status(api, experiment_id) == "running"


def test_a_run_may_end_in_an_error(api):
    dataset = api.questions(1)
    experiment_id = api.experiment(dataset.id)
    api.run(experiment_id, dataset.item_ids[0], error={"message": "time out", "type": "TimeoutError"})
    (run,) = api.items(f"/experiments/{experiment_id}/runs")
    assert (run["output"], run["error"]) == (None, {"message": "time out", "type": "TimeoutError"})


@pytest.mark.parametrize("output", ["", 0, False, [], {}])
def test_an_output_may_be_empty_but_not_null(api, output):
    run = api.answer(output)
    assert api.items(f"/experiments/{run.experiment_id}/runs")[0]["output"] == output


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"output": None},
        {"output": "x", "error": {"message": "broke"}},
        {"error": {}},
        {"error": "broke"},
        {"output": "x", "trial": -1},
        {"output": "x", "trial": 0.5},
        {"output": "x", "trial": "0"},
        {"output": "x", "trial": True},
        {"output": "x", "dataset_item_id": None},
        {"output": "x", "dataset_item_id": 5},
        {"output": "x", "trace_id": ""},
        {"output": "x", "trace_id": "x" * 129},
        {"output": "x", "scores": {}},
        {"output": "x", "scores": [{"value": 1}]},
    ],
    ids=str,
)
def test_a_malformed_run_refuses_the_batch(api, fields):
    dataset = api.questions(2)
    experiment_id = api.experiment(dataset.id, trials=3)
    runs = [of_item(dataset.item_ids[0]), {"dataset_item_id": dataset.item_ids[1], **fields}]
    refused = api.refusal("POST", f"/experiments/{experiment_id}/runs", {"runs": runs})
    assert refused.said == (400, "INVALID_REQUEST")
    assert {error["index"] for error in refused.errors} == {1}


@pytest.mark.parametrize("body", [{}, {"runs": []}, {"runs": None}, {"runs": {}}], ids=str)
def test_a_batch_has_runs(api, body):
    experiment_id = api.experiment(api.dataset().id)
    assert api.refusal("POST", f"/experiments/{experiment_id}/runs", body).said == (400, "INVALID_REQUEST")


def test_a_batch_has_at_most_1000_runs(api):
    dataset = api.questions(1)
    experiment_id = api.experiment(dataset.id, trials=2000)
    runs = [of_item(dataset.item_ids[0], trial=trial) for trial in range(1001)]
    path = f"/experiments/{experiment_id}/runs"
    assert api.refusal("POST", path, {"runs": runs}).said == (400, "INVALID_REQUEST")
    assert api.make(path, {"runs": runs[:1000]})["accepted"] == 1000
    assert api.read(f"/experiments/{experiment_id}/summary")["run_count"] == 1000


def test_a_second_run_of_an_item_is_a_duplicate(api):
    run = api.answer("first")
    path = f"/experiments/{run.experiment_id}/runs"
    refused = api.refusal("POST", path, {"runs": [of_item(run.item_ids[0], "second")]})
    assert refused.said == (409, "DUPLICATE_RUN")


def test_an_item_twice_in_one_batch_is_a_duplicate(api):
    dataset = api.questions(2)
    experiment_id = api.experiment(dataset.id)
    one, two = dataset.item_ids
    runs = [of_item(one), of_item(two), of_item(one)]
    refused = api.refusal("POST", f"/experiments/{experiment_id}/runs", {"runs": runs})
    assert refused.said == (409, "DUPLICATE_RUN")
    assert {error["index"] for error in refused.errors} == {2}
    assert status(api, experiment_id) == "created"


def test_a_trial_is_run_once(api):
    dataset = api.questions(1)
    experiment_id = api.experiment(dataset.id, trials=2)
    for trial in (0, 1):
        api.run(experiment_id, dataset.item_ids[0], trial=trial)
    refused = api.refusal(
        "POST", f"/experiments/{experiment_id}/runs", {"runs": [of_item(dataset.item_ids[0], trial=1)]}
    )
    assert refused.said == (409, "DUPLICATE_RUN")


@pytest.mark.parametrize(("trials", "trial"), [(1, 1), (3, 3), (3, 99)])
def test_a_trial_beyond_the_experiments_is_invalid(api, trials, trial):
    dataset = api.questions(2)
    experiment_id = api.experiment(dataset.id, trials=trials)
    runs = [of_item(dataset.item_ids[0]), of_item(dataset.item_ids[1], trial=trial)]
    refused = api.refusal("POST", f"/experiments/{experiment_id}/runs", {"runs": runs})
    assert refused.said == (422, "INVALID_TRIAL")
    assert {error["index"] for error in refused.errors} == {1}


def test_a_run_of_another_datasets_item_is_invalid(api):
    here, there = api.questions(1), api.questions(1)
    experiment_id = api.experiment(here.id)
    for foreign in (there.item_ids[0], "nobody"):
        runs = [of_item(here.item_ids[0]), of_item(foreign)]
        refused = api.refusal("POST", f"/experiments/{experiment_id}/runs", {"runs": runs})
        assert refused.said == (422, "INVALID_DATASET_ITEM")
        assert {error["index"] for error in refused.errors} == {1}


def test_a_run_may_name_an_item_of_any_version(api):
    dataset = api.questions(1)
    experiment_id = api.experiment(dataset.id)
    later = api.make(f"/datasets/{dataset.id}/items", {"input": "later"})["id"]
    expect(200, api.delete(f"/datasets/{dataset.id}/items/{dataset.item_ids[0]}"))
    api.run(experiment_id, dataset.item_ids[0])
    api.run(experiment_id, later)
    assert [run["input"] for run in api.items(f"/experiments/{experiment_id}/runs")] == ["later", "q0"]


# --- completing ---


def test_a_completed_experiment_takes_scores_but_no_runs(api):
    dataset = api.questions(2)
    experiment_id = api.experiment(dataset.id)
    run_id = api.run(experiment_id, dataset.item_ids[0])
    done = expect(200, api.post(f"/experiments/{experiment_id}/complete"))
    assert (done["id"], done["status"], done["completed_at"] is not None) == (
        experiment_id,
        "completed",
        True,
    )
    late = {"runs": [of_item(dataset.item_ids[1])]}
    refused = api.refusal("POST", f"/experiments/{experiment_id}/runs", late)
    assert refused.said == (422, "EXPERIMENT_COMPLETED")
    expect(201, api.score(run_id, "quality", value=1))
    assert summary(api, experiment_id)["mean"] == 1


def test_an_experiment_is_completed_once(api):
    experiment_id = api.experiment(api.dataset().id)
    expect(200, api.post(f"/experiments/{experiment_id}/complete"))
    refused = api.refusal("POST", f"/experiments/{experiment_id}/complete")
    assert refused.said == (422, "EXPERIMENT_COMPLETED")


def test_the_last_missing_run_completes_the_experiment_when_asked_to(api):
    dataset = api.questions(2)
    experiment_id = api.experiment(dataset.id, trials=2, auto_complete=True)
    wanted = [(item_id, trial) for item_id in dataset.item_ids for trial in (0, 1)]
    for item_id, trial in wanted[:-1]:
        api.run(experiment_id, item_id, trial=trial)
        assert status(api, experiment_id) == "running"
    api.run(experiment_id, wanted[-1][0], trial=wanted[-1][1])
    assert status(api, experiment_id) == "completed"
    assert api.read(f"/experiments/{experiment_id}")["completed_at"] is not None


def test_one_batch_may_start_and_complete_an_experiment(api):
    dataset = api.questions(3)
    experiment_id = api.measured(dataset, [1, 1, 0], auto_complete=True)
    assert status(api, experiment_id) == "completed"


def test_items_that_came_later_do_not_count_for_completion(api):
    dataset = api.questions(2)
    experiment_id = api.experiment(dataset.id, auto_complete=True)
    later = api.make(f"/datasets/{dataset.id}/items", {"input": "later"})["id"]
    api.run(experiment_id, dataset.item_ids[0])
    api.run(experiment_id, later)
    assert status(api, experiment_id) == "running"
    api.run(experiment_id, dataset.item_ids[1])
    assert status(api, experiment_id) == "completed"


def test_an_experiment_on_an_empty_dataset_does_not_complete_by_itself(api):
    dataset = api.dataset()
    experiment_id = api.experiment(dataset.id, auto_complete=True)
    later = api.make(f"/datasets/{dataset.id}/items", {"input": "later"})["id"]
    api.run(experiment_id, later)
    assert status(api, experiment_id) == "running"


# --- lists of runs ---


def test_runs_are_found_by_the_mean_of_a_scorer(api):
    dataset = api.questions(4)
    experiment_id = api.measured(dataset, [0.2, 0.5, 0.8, 1])
    half = [run for run in api.items(f"/experiments/{experiment_id}/runs") if run["scores"][0]["value"] == 0.5]
    expect(201, api.score(half[0]["id"], "quality", value=0.7))
    expect(201, api.score(half[0]["id"], "other", value=0))

    def inputs(**query):
        found = api.items(f"/experiments/{experiment_id}/runs", scorer_name="quality", limit=2, **query)
        return [run["input"] for run in found]

    assert inputs(sort="score") == ["q0", "q1", "q2", "q3"]
    assert inputs(sort="-score") == ["q3", "q2", "q1", "q0"]
    assert inputs(sort="score", min=0.6, max=0.8) == ["q1", "q2"]
    assert inputs(sort="score", min=0.8) == ["q2", "q3"]
    assert inputs(sort="score", max=0.2) == ["q0"]
    assert inputs(min=0.81, max=0.99) == []


def test_runs_are_listed_by_age_either_way(api):
    dataset = api.questions(3)
    experiment_id = api.experiment(dataset.id)
    made = [api.run(experiment_id, item_id) for item_id in dataset.item_ids]
    path = f"/experiments/{experiment_id}/runs"
    assert api.ids(path, sort="created_at", limit=2) == made
    assert api.ids(path, sort="-created_at", limit=2) == api.ids(path) == made[::-1]


def test_runs_of_equal_score_are_each_listed_once(api):
    dataset = api.questions(7)
    experiment_id = api.measured(dataset, [0.5] * 7)
    for sort in ("score", "-score"):
        seen = api.ids(f"/experiments/{experiment_id}/runs", scorer_name="quality", sort=sort, limit=2)
        assert (len(seen), len(set(seen))) == (7, 7)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"min": 0.5}, "scorer_name"),
        ({"max": 0.5}, "scorer_name"),
        ({"scorer_name": "quality", "min": "low"}, "min"),
        ({"scorer_name": "quality", "max": ""}, "max"),
        ({"sort": "name"}, "sort"),
        ({"sort": ""}, "sort"),
    ],
    ids=str,
)
def test_a_list_of_runs_that_makes_no_sense_is_refused(api, query, field):
    run = api.answer("x")
    refused = Refusal.of(api.get(f"/experiments/{run.experiment_id}/runs", **query))
    assert refused.said == (400, "INVALID_REQUEST")
    assert field in {error["field"] for error in refused.errors}


# --- summary ---


def test_a_summary_of_an_empty_experiment_is_empty(api):
    experiment_id = api.experiment(api.questions(2).id)
    told = api.read(f"/experiments/{experiment_id}/summary")
    assert set(told) >= SUMMARY_FIELDS
    assert {name: told[name] for name in SUMMARY_FIELDS} == {
        "experiment_id": experiment_id,
        "status": "created",
        "run_count": 0,
        "dataset_item_count": 2,
        "threshold_result": None,
        "scores_by_scorer": {},
    }


def test_a_numeric_scorer_has_numbers_and_an_interval(api):
    experiment_id = api.measured(api.questions(4), [0, 1, 1, 0.5])
    told = summary(api, experiment_id)
    assert set(told) >= SCORER_FIELDS
    assert (told["scorer_name"], told["mean"], told["min"], told["max"]) == ("quality", 0.625, 0, 1)
    assert (told["scored_run_count"], told["score_count"], told["mixed"]) == (4, 4, False)
    assert told["standard_deviation"] == pytest.approx(0.478713553878)
    assert told["standard_error"] == pytest.approx(0.239356776939)
    low, high = told["confidence_interval_95"]
    assert 0 <= low < 0.625 < high <= 1
    assert told["ci_method"]
    assert told["distribution"] is None


def test_two_outcomes_have_the_wilson_interval(api):
    told = summary(api, api.measured(api.questions(4), [1, 1, 1, 0]))
    assert told["ci_method"] == "wilson"
    assert told["confidence_interval_95"] == pytest.approx([0.300642, 0.954413], abs=1e-6)


def test_one_run_has_an_interval_but_no_deviation(api):
    told = summary(api, api.measured(api.questions(1), [1]))
    assert (told["mean"], told["standard_deviation"], told["standard_error"]) == (1, None, None)
    assert told["confidence_interval_95"] is not None


def test_labels_are_counted(api):
    told = summary(api, api.measured(api.questions(3), ["pass", "fail", "pass"]))
    assert told["distribution"] == {"pass": 2, "fail": 1}
    assert [told[name] for name in ("mean", "min", "max", "standard_deviation")] == [None] * 4
    assert (told["scored_run_count"], told["score_count"], told["mixed"]) == (3, 3, False)


def test_numbers_and_labels_under_one_name_are_kept_apart(api):
    told = summary(api, api.measured(api.questions(4), [1, "pass", 0, "fail"]))
    assert (told["mixed"], told["mean"], told["min"], told["max"]) == (True, 0.5, 0, 1)
    assert told["distribution"] == {"pass": 1, "fail": 1}
    assert (told["scored_run_count"], told["score_count"]) == (4, 4)


def test_shown_numbers_have_twelve_digits(api):
    assert summary(api, api.measured(api.questions(2), [0.1, 0.2]))["mean"] == 0.15


def test_every_run_is_scored_absent_failed_or_pending(api):
    dataset = api.dataset(
        [{"input": "a", "expected_output": "x"}, {"input": "b"}, {"input": "c", "expected_output": "x"}]
    )
    experiment_id = api.experiment(dataset.id)
    inline = {"scores": [{"scorer_name": "exact_match"}]}
    for item_id, fields in zip(dataset.item_ids, [{}, {}, {"error": {"message": "broke"}}], strict=True):
        api.run(experiment_id, item_id, "x", **inline, **fields)
    told = summary(api, experiment_id, "exact_match")
    assert [told[name] for name in ("n_total", "n_scored", "n_absent", "n_failed", "n_pending")] == [
        3,
        1,
        1,
        1,
        0,
    ]
    assert sum(told["reasons"].values()) == 2
    assert (told["mean"], told["scored_run_count"]) == (1, 1)


def test_items_that_leave_the_dataset_leave_the_count(api):
    dataset = api.questions(3)
    experiment_id = api.experiment(dataset.id)
    expect(200, api.delete(f"/datasets/{dataset.id}/items/{dataset.item_ids[0]}"))
    assert api.read(f"/experiments/{experiment_id}/summary")["dataset_item_count"] == 2


def test_what_is_expected_is_that_of_the_version_at_creation(api):
    """A summary has the pinned version's number of items, and that times trials as the number of runs."""
    dataset = api.questions(3)
    experiment_id = api.experiment(dataset.id, trials=4)
    api.make(f"/datasets/{dataset.id}/items", {"input": "new"})
    api.run(experiment_id, dataset.item_ids[0])
    told = api.read(f"/experiments/{experiment_id}/summary")
    assert (told["expected_item_count"], told["expected_run_count"]) == (3, 12)
    assert (told["dataset_item_count"], told["run_count"]) == (4, 1)
    assert api.read(f"/experiments/{experiment_id}")["run_count"] == 1
    (listed,) = api.items("/experiments", name="trial")
    assert listed["run_count"] == 1


def with_trials(api, *successes):
    """An experiment with as many trials per item as there are values in each tuple."""
    dataset = api.questions(len(successes))
    experiment_id = api.experiment(dataset.id, trials=max(map(len, successes)))
    runs = [
        of_item(item_id, trial=trial, scores=[{"scorer_name": "quality", "value": value}])
        for item_id, values in zip(dataset.item_ids, successes, strict=True)
        for trial, value in enumerate(values)
    ]
    api.make(f"/experiments/{experiment_id}/runs", {"runs": runs})
    return experiment_id


def test_trials_have_pass_at_k_and_pass_pow_k(api):
    told = summary(api, with_trials(api, (1, 1), (1, 0), (0, 0.99)))
    assert told["pass_at_k"] == pytest.approx({"1": 0.5, "2": 2 / 3})
    assert told["pass_pow_k"] == pytest.approx({"1": 0.5, "2": 1 / 3})


def test_unequal_trials_count_up_to_the_smallest(api):
    told = summary(api, with_trials(api, (1, 1, 0), (1, 0)))
    assert set(told["pass_at_k"]) == set(told["pass_pow_k"]) == {"1", "2"}
    assert told["pass_at_k"]["2"] == 1
    assert told["pass_pow_k"]["2"] == pytest.approx(1 / 6)


def test_one_trial_has_no_pass_at_k(api):
    told = summary(api, api.measured(api.questions(2), [1, 0]))
    assert (told.get("pass_at_k"), told.get("pass_pow_k")) == (None, None)


# --- comparison ---


def compared(api, base, compare, scorer_name="quality"):
    answer = api.read(f"/experiments/{base}/compare/{compare}")
    (told,) = [one for one in answer["scorer_comparisons"] if one["scorer_name"] == scorer_name]
    return answer, told


def test_two_experiments_are_compared_item_by_item(api):
    dataset = api.questions(6)
    base = api.measured(dataset, [0, 1, 0.5, 0.25, 1, None])
    other = api.measured(dataset, [1, 0, 0.5, 0.75, None, 0.5])
    answer, told = compared(api, base, other)
    assert (answer["base_experiment_id"], answer["compare_experiment_id"]) == (base, other)
    assert (told["base_mean"], told["compare_mean"], told["delta"]) == (0.55, 0.55, 0)
    counts = ("improved_count", "regressed_count", "unchanged_count", "only_in_base", "only_in_compare")
    assert [told[name] for name in counts] == [2, 1, 1, 1, 1]
    assert told["paired_delta"] == 0.125
    low, high = told["delta_ci_95"]
    assert -1 <= low < 0.125 < high <= 1
    assert told["verdict"] == "inconclusive"
    assert 0 < told["p_value"] <= told["p_value_adjusted"] <= 1
    results = {result["dataset_item_id"]: result for result in answer["per_item_results"]}
    pairs = [
        (results[item_id]["base_score"], results[item_id]["compare_score"], results[item_id]["delta"])
        for item_id in dataset.item_ids
    ]
    assert pairs == [
        (0, 1, 1),
        (1, 0, -1),
        (0.5, 0.5, 0),
        (0.25, 0.75, 0.5),
        (1, None, None),
        (None, 0.5, None),
    ]
    assert {result["scorer_name"] for result in answer["per_item_results"]} == {"quality"}


def test_an_experiment_compared_with_itself_gives_zeros(api):
    experiment_id = api.measured(api.questions(3), [0, 0.5, 1])
    answer, told = compared(api, experiment_id, experiment_id)
    assert (told["delta"], told["paired_delta"], told["p_value"]) == (0, 0, 1)
    low, high = told["delta_ci_95"]
    assert low < 0 < high
    assert (told["improved_count"], told["regressed_count"], told["unchanged_count"]) == (0, 0, 3)
    assert told["verdict"] == "inconclusive"
    assert [result["delta"] for result in answer["per_item_results"]] == [0, 0, 0]


def test_a_clear_change_has_a_clear_verdict(api):
    dataset = api.questions(12)
    worse, better = api.measured(dataset, [0] * 12), api.measured(dataset, [1] * 12)
    assert compared(api, worse, better)[1]["verdict"] == "improved"
    assert compared(api, better, worse)[1]["verdict"] == "regressed"
    assert compared(api, better, worse)[1]["delta"] == -1


def test_an_items_score_is_the_mean_over_its_trials(api):
    dataset = api.questions(1)
    experiments = []
    for values in ((0, 1), (1, 1)):
        experiments.append(api.experiment(dataset.id, trials=2))
        for trial, value in enumerate(values):
            scores = [{"scorer_name": "quality", "value": value}]
            api.run(experiments[-1], dataset.item_ids[0], trial=trial, scores=scores)
    answer, told = compared(api, *experiments)
    (result,) = answer["per_item_results"]
    assert (result["base_score"], result["compare_score"], result["delta"]) == (0.5, 1, 0.5)
    assert (told["improved_count"], told["delta"]) == (1, 0.5)


def test_labels_are_compared_by_what_changed(api):
    dataset = api.questions(3)
    base = api.measured(dataset, ["pass", "fail", "pass"])
    other = api.measured(dataset, ["pass", "pass", "fail"])
    answer, told = compared(api, base, other)
    assert (told["changed_count"], told["unchanged_count"]) == (2, 1)
    assert (told["base_mean"], told["compare_mean"], told["delta"], told["paired_delta"]) == (None,) * 4
    assert {result["delta"] for result in answer["per_item_results"]} == {None}
    assert {(result["base_score"], result["compare_score"]) for result in answer["per_item_results"]} == {
        ("pass", "pass"),
        ("fail", "pass"),
        ("pass", "fail"),
    }


def test_a_scorer_of_one_side_only_is_told_too(api):
    dataset = api.questions(2)
    base, other = api.measured(dataset, [1, 1], "tone"), api.measured(dataset, [1, 1], "grammar")
    told = compared(api, base, other, "tone")[1]
    assert (told["base_mean"], told["compare_mean"], told["delta"]) == (1, None, None)
    assert (told["only_in_base"], told["only_in_compare"]) == (2, 0)
    assert compared(api, base, other, "grammar")[1]["only_in_compare"] == 2


def test_a_difference_of_nothing_is_no_difference(api):
    dataset = api.questions(1)
    base, other = api.measured(dataset, [0.3]), api.measured(dataset, [0.1 + 0.2])
    assert compared(api, base, other)[1]["unchanged_count"] == 1


def test_experiments_on_different_datasets_are_not_compared(api):
    base, other = api.measured(api.questions(1), [1]), api.measured(api.questions(1), [1])
    refused = api.refusal("GET", f"/experiments/{base}/compare/{other}")
    assert refused.said == (422, "INCOMPATIBLE_EXPERIMENTS")


def test_an_experiment_is_not_compared_with_an_unknown_one(api):
    experiment_id = api.measured(api.questions(1), [1])
    assert Refusal.of(api.get(f"/experiments/{experiment_id}/compare/nobody")).said == (404, "NOT_FOUND")


# --- threshold ---


def decided(api, experiment_id, **bar):
    body = {"scorer_name": "quality", "metric": "mean", **bar}
    return expect(200, api.post(f"/experiments/{experiment_id}/threshold", body))


def test_three_quarters_miss_a_bar_of_four_fifths_by_five_hundredths(api):
    experiment_id = api.measured(api.questions(4), [1, 1, 1, 0])
    told = decided(api, experiment_id, threshold=0.8)
    named = ("passed", "actual_value", "threshold", "scorer_name", "metric", "comparison", "gap")
    assert [told[name] for name in named] == [False, 0.75, 0.8, "quality", "mean", "gte", -0.05]
    low, high = told["confidence_interval_95"]
    assert low < 0.75 < high


@pytest.mark.parametrize(
    ("comparison", "threshold", "passed"),
    [
        ("gte", 0.75, True),
        ("gt", 0.75, False),
        ("lte", 0.75, True),
        ("lt", 0.75, False),
        ("gt", 0.74, True),
        ("lt", 0.76, True),
        ("gte", 0.76, False),
        ("lte", 0.74, False),
    ],
)
def test_a_bar_is_met_from_either_side(api, comparison, threshold, passed):
    experiment_id = api.measured(api.questions(4), [1, 1, 1, 0])
    assert decided(api, experiment_id, threshold=threshold, comparison=comparison)["passed"] is passed


def test_the_decision_is_about_the_number_that_is_shown(api):
    experiment_id = api.measured(api.questions(2), [0.1, 0.2])
    told = decided(api, experiment_id, threshold=0.15, comparison="lte")
    assert (told["actual_value"], told["gap"], told["passed"]) == (0.15, 0, True)


@pytest.mark.parametrize(("metric", "value"), [("mean", 0.5), ("min", 0.2), ("max", 0.8)])
def test_the_bar_may_be_for_the_mean_the_least_or_the_most(api, metric, value):
    experiment_id = api.measured(api.questions(3), [0.2, 0.5, 0.8])
    assert decided(api, experiment_id, metric=metric, threshold=0.5)["actual_value"] == value


def test_the_bar_may_be_for_the_low_end_of_the_interval(api):
    experiment_id = api.measured(api.questions(4), [1, 1, 1, 0])
    told = decided(api, experiment_id, metric="ci_low", threshold=0.5)
    assert told["actual_value"] == pytest.approx(0.300642, abs=1e-6)
    assert told["actual_value"] == told["confidence_interval_95"][0]
    assert told["passed"] is False


def test_the_bar_may_be_for_repeated_success(api):
    experiment_id = with_trials(api, (1, 1), (1, 0))
    assert decided(api, experiment_id, metric="pass_at_k", k=2, threshold=1)["actual_value"] == 1
    assert decided(api, experiment_id, metric="pass_pow_k", k=2, threshold=1)["actual_value"] == 0.5
    beyond = decided(api, experiment_id, metric="pass_at_k", k=3, threshold=0)
    assert (beyond["actual_value"], beyond["gap"], beyond["passed"]) == (None, None, False)


def test_nothing_scored_is_nothing_passed(api):
    experiment_id = api.experiment(api.questions(1).id)
    told = decided(api, experiment_id, threshold=0, comparison="gte")
    assert (told["actual_value"], told["gap"], told["passed"]) == (None, None, False)


def test_a_mixed_scorer_is_decided_by_its_numbers(api):
    experiment_id = api.measured(api.questions(3), [1, "pass", 0])
    assert decided(api, experiment_id, threshold=0.5)["actual_value"] == 0.5


def test_the_last_decision_is_remembered_and_changes_no_status(api):
    experiment_id = api.measured(api.questions(2), [1, 0])
    decided(api, experiment_id, threshold=0.9)
    last = decided(api, experiment_id, threshold=0.1)
    told = api.read(f"/experiments/{experiment_id}/summary")
    assert told["threshold_result"] == last
    assert told["status"] == "running"


@pytest.mark.parametrize(
    ("bar", "field"),
    [
        ({"scorer_name": None}, "scorer_name"),
        ({"metric": None}, "metric"),
        ({"metric": "median"}, "metric"),
        ({"threshold": None}, "threshold"),
        ({"threshold": "0.5"}, "threshold"),
        ({"threshold": True}, "threshold"),
        ({"comparison": "eq"}, "comparison"),
        ({"metric": "pass_at_k"}, "k"),
        ({"metric": "pass_pow_k"}, "k"),
        ({"metric": "pass_at_k", "k": 0}, "k"),
        ({"metric": "pass_at_k", "k": 1.5}, "k"),
    ],
    ids=str,
)
def test_a_malformed_bar_is_refused_by_its_field(api, bar, field):
    experiment_id = api.measured(api.questions(1), [1])
    body = {"scorer_name": "quality", "metric": "mean", "threshold": 0.5, **bar}
    refused = api.refusal("POST", f"/experiments/{experiment_id}/threshold", body)
    assert refused.said == (400, "INVALID_REQUEST")
    assert api.read(f"/experiments/{experiment_id}/summary")["threshold_result"] is None
    assert field in " ".join(error["field"] + error["message"] for error in refused.errors)


def test_setting_a_bar_is_a_write(api, reader):
    experiment_id = api.measured(api.questions(1), [1])
    body = {"scorer_name": "quality", "metric": "mean", "threshold": 0.5}
    refused = api.refusal("POST", f"/experiments/{experiment_id}/threshold", body, by=reader)
    assert refused.said == (403, "FORBIDDEN")


# --- scoring as a job ---


def scored(api, experiment_id, *scorers, **more):
    """Score all runs as a job, and wait for it."""
    answer = api.post(f"/experiments/{experiment_id}/score", {"scorers": scorers, **more})
    return api.finished(expect(202, answer)["job_id"])


def answered(api):
    """Four runs: right, wrong, without an expected output, ended in an error."""
    dataset = api.dataset([{"input": n, "expected_output": "yes" if n != 2 else None} for n in range(4)])
    experiment_id = api.experiment(dataset.id)
    for item_id, output in zip(dataset.item_ids[:3], ["yes", "no", "yes"], strict=True):
        api.run(experiment_id, item_id, output)
    api.run(experiment_id, dataset.item_ids[3], error={"message": "broke"})
    return experiment_id


def test_a_job_scores_every_run_of_an_experiment(api):
    experiment_id = answered(api)
    job = scored(api, experiment_id, {"scorer_name": "exact_match"})
    assert set(job) >= JOB_FIELDS
    assert (job["status"], job["experiment_id"], job["project_id"]) == ("done", experiment_id, api.project)
    runs = api.items(f"/experiments/{experiment_id}/runs", sort="created_at")
    assert [[score["value"] for score in run["scores"]] for run in runs] == [[1], [0], [], []]
    assert {score["source"] for run in runs for score in run["scores"]} == {"builtin"}
    told = summary(api, experiment_id, "exact_match")
    assert [told[name] for name in ("n_total", "n_scored", "n_absent", "n_failed", "n_pending")] == [
        4,
        2,
        1,
        1,
        0,
    ]
    counts = job["counts"]
    assert (counts["scored"], counts["absent"], counts["failed"]) == (2, 1, 1)


def test_one_job_runs_several_scorers_under_their_own_names(api):
    experiment_id = answered(api)
    loose = {"scorer_name": "loose", "scorer": "contains", "config": {"expected_output": "y"}}
    scored(api, experiment_id, {"scorer_name": "regex", "config": {"pattern": "^y"}}, loose)
    assert summary(api, experiment_id, "regex")["mean"] == pytest.approx(2 / 3)
    assert summary(api, experiment_id, "loose")["score_count"] == 3


def test_a_second_job_scores_only_what_is_missing(api):
    dataset = api.questions(2)
    experiment_id = api.experiment(dataset.id)
    api.run(experiment_id, dataset.item_ids[0], "a0")
    scored(api, experiment_id, {"scorer_name": "exact_match"})
    api.run(experiment_id, dataset.item_ids[1], "a1")
    scored(api, experiment_id, {"scorer_name": "exact_match"})
    assert summary(api, experiment_id, "exact_match")["score_count"] == 2
    scored(api, experiment_id, {"scorer_name": "exact_match"}, only_missing=False)
    assert summary(api, experiment_id, "exact_match")["score_count"] == 4


def test_a_completed_experiment_may_still_be_scored(api):
    run = api.answer("yes", expected_output="yes")
    expect(200, api.post(f"/experiments/{run.experiment_id}/complete"))
    assert scored(api, run.experiment_id, {"scorer_name": "exact_match"})["status"] == "done"
    assert summary(api, run.experiment_id, "exact_match")["mean"] == 1


def test_an_experiment_without_runs_is_scored_at_once(api):
    job = scored(api, api.experiment(api.dataset().id), {"scorer_name": "exact_match"})
    assert (job["status"], job["total"]) == ("done", 0)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, (400, "INVALID_REQUEST")),
        ({"scorers": []}, (400, "INVALID_REQUEST")),
        ({"scorers": "exact_match"}, (400, "INVALID_REQUEST")),
        ({"scorers": [{}]}, (400, "INVALID_REQUEST")),
        ({"scorers": [{"scorer_name": "my_own"}]}, (400, "INVALID_REQUEST")),
        ({"scorers": [{"scorer_name": "exact_match"}], "only_missing": "yes"}, (400, "INVALID_REQUEST")),
        ({"scorers": [{"scorer_name": "regex", "config": {"pattern": "["}}]}, (400, "INVALID_SCORER_CONFIG")),
        (
            {"scorers": [{"scorer_name": "exact_match"}, {"scorer_name": "regex"}]},
            (400, "INVALID_SCORER_CONFIG"),
        ),
        (
            {
                "scorers": [
                    {
                        "scorer_name": "llm_judge",
                        "config": {"model": "m", "prompt_template": "{{input}}{{output}}"},
                    }
                ]
            },
            (400, "INVALID_SCORER_CONFIG"),
        ),
    ],
    ids=lambda value: str(value)[:60] if isinstance(value, dict) else "",
)
def test_a_malformed_job_is_refused(api, body, said):
    run = api.answer("x")
    assert api.refusal("POST", f"/experiments/{run.experiment_id}/score", body).said == said


def test_jobs_are_listed_by_status(api):
    run = api.answer("yes", expected_output="yes")
    job = scored(api, run.experiment_id, {"scorer_name": "exact_match"})
    assert api.ids("/jobs") == api.ids("/jobs", status="done") == [job["id"]]
    assert api.ids("/jobs", status="failed") == []
    assert Refusal.of(api.get("/jobs", status="lost")).said == (400, "INVALID_REQUEST")


def test_an_unknown_job_is_not_found(api):
    assert Refusal.of(api.get("/jobs/nobody")).said == (404, "NOT_FOUND")


# --- scoring states ---


def test_states_say_why_there_is_no_score(api):
    experiment_id = answered(api)
    job = scored(api, experiment_id, {"scorer_name": "exact_match"})
    states = {state["state"]: state for state in api.items("/scoring-states", experiment_id=experiment_id)}
    assert set(states) >= {"absent", "failed"}
    for state in (states["absent"], states["failed"]):
        assert set(state) >= STATE_FIELDS
        assert (state["scorer_name"], state["target_type"], state["job_id"]) == (
            "exact_match",
            "run",
            job["id"],
        )
        assert state["reason"]
        assert state in api.items("/scoring-states", target_id=state["target_id"])
    for name in ("absent", "failed"):
        found = api.items("/scoring-states", experiment_id=experiment_id, state=name)
        assert found == [states[name]]


def test_a_state_is_one_row_however_often_it_is_asked(api):
    run = api.answer("x")
    for _ in range(2):
        assert api.score(run.id, "exact_match").json() is None
    assert len(api.items("/scoring-states", target_id=run.id)) == 1


def test_scorers_with_other_configurations_have_states_of_their_own(api):
    run = api.answer("x")
    for config in ({}, {"case_sensitive": False}):
        assert api.score(run.id, "exact_match", config=config).json() is None
    hashes = {state["config_hash"] for state in api.items("/scoring-states", target_id=run.id)}
    assert len(hashes) == 2


@pytest.mark.parametrize("query", [{}, {"state": "absent"}, {"experiment_id": "{id}", "state": "lost"}], ids=str)
def test_states_are_asked_for_by_target_or_experiment(api, query):
    run = api.answer("x")
    query = {name: value.format(id=run.experiment_id) for name, value in query.items()}
    assert Refusal.of(api.get("/scoring-states", **query)).said == (400, "INVALID_REQUEST")
