"""Experiments, datasets and projects are deleted with everything that hangs on them, and with nothing else."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from contract.caller import Api, Refusal, expect, fresh_project, span


def test_a_deleted_experiment_takes_its_runs_scores_states_jobs_and_gates(api):
    dataset = api.questions(3)
    gone, stays = api.measured(dataset, [1, 0, 1]), api.measured(dataset, [0, 0, 1], name="other")
    expect(
        200, api.post(f"/experiments/{gone}/threshold", {"scorer_name": "quality", "metric": "mean", "threshold": 0})
    )
    run = api.ids(f"/experiments/{gone}/runs")[0]
    state = {"target_id": run, "target_type": "run", "scorer_name": "similarity", "absent": "no text"}
    expect(200, api.post("/scores", state))
    before = api.read(f"/experiments/{stays}/summary")

    assert expect(200, api.delete(f"/experiments/{gone}")) == {"deleted": True, "id": gone}
    for path in ("", "/runs", "/summary", "/thresholds"):
        assert Refusal.of(api.get(f"/experiments/{gone}{path}")).said[0] == 404, path
    assert Refusal.of(api.get(f"/runs/{run}")).said == (404, "NOT_FOUND")
    assert api.items("/scores", target_id=run) == []
    assert api.items("/scoring-states", target_id=run) == []
    assert api.ids("/experiments", project_id=api.project) == [stays]
    assert api.read(f"/experiments/{stays}/summary") == before
    assert [row["name"] for row in api.items("/scorers", project_id=api.project)] == ["quality"]
    assert Refusal.of(api.delete(f"/experiments/{gone}")).said == (404, "NOT_FOUND")


def test_traces_of_deleted_runs_stay(api):
    dataset, trace = api.questions(1), api.trace()
    experiment = api.experiment(dataset.id)
    api.run(experiment, dataset.item_ids[0], trace_id=trace)
    expect(200, api.delete(f"/experiments/{experiment}"))
    assert api.ids("/traces", project_id=api.project) == [trace]


def test_nobody_deletes_another_projects_experiment_and_readers_delete_nothing(api, stranger, reader):
    experiment = api.measured(api.questions(1), [1])
    path = f"/experiments/{experiment}"
    assert api.refusal("DELETE", path, by=stranger).said == (404, "NOT_FOUND")
    assert api.refusal("DELETE", path, by=reader).said == (403, "FORBIDDEN")


# --- datasets ---


def test_a_dataset_in_use_is_refused_where_the_caller_asks_for_that_and_the_answer_counts_experiments(api):
    dataset = api.questions(2)
    for name in ("one", "two"):
        api.measured(dataset, [1, 0], name=name)
    refused = api.refusal("DELETE", f"/datasets/{dataset.id}", params={"cascade": "false"})
    assert refused.said == (409, "DATASET_IN_USE")
    assert "2 experiments use" in refused.message
    assert "cascade=true" in refused.message


def test_a_dataset_that_is_not_in_use_is_deleted_either_way(api):
    for cascade in ("true", "false"):
        dataset = api.questions(2)
        expect(200, api.call("DELETE", f"/datasets/{dataset.id}", params={"cascade": cascade}))
        assert Refusal.of(api.delete(f"/datasets/{dataset.id}")).said == (404, "NOT_FOUND")


def test_cascade_deletes_a_dataset_with_its_experiments_and_no_others(api):
    dataset, other = api.questions(2), api.questions(1)
    gone, stays = api.measured(dataset, [1, 0]), api.measured(other, [1])
    runs = api.ids(f"/experiments/{gone}/runs")
    expect(200, api.call("DELETE", f"/datasets/{dataset.id}", params={"cascade": "true"}))
    assert api.ids("/experiments", project_id=api.project) == [stays]
    assert api.ids("/datasets", project_id=api.project) == [other.id]
    assert [api.items("/scores", target_id=run) for run in runs] == [[], []]


def test_cascade_is_true_or_false(api):
    refused = api.refusal("DELETE", f"/datasets/{api.questions(1).id}", params={"cascade": "perhaps"})
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == ["cascade"]


# --- projects ---


def fill(api):
    """One of everything."""
    dataset = api.questions(2)
    trace = api.trace(span(output="x"), span("child", parent_span_id="root", metadata={"session.id": "s1"}))
    experiment = api.experiment(dataset.id)
    api.run(experiment, dataset.item_ids[0], trace_id=trace, scores=[{"scorer_name": "quality", "value": 1}])
    api.annotation(trace)
    expect(200, api.post(f"/traces/{trace}/queue"))
    score = {"target_id": "root", "target_type": "span", "trace_id": trace, "scorer_name": "tidy", "value": 0.5}
    expect(201, api.post("/scores", {**score, "project_id": api.project}))
    scorer = {"scorer_name": "contains", "config": {"expected_output": "x"}}
    expect(201, api.post("/rules", {"project_id": api.project, "name": "tidy", "scorer": scorer}))
    expect(200, api.call("PUT", f"/projects/{api.project}/budget", {"usd_per_day": 1}))
    expect(200, api.call("PUT", f"/projects/{api.project}/retention", {"retention_days": 30}))


def test_the_contents_of_a_project_are_counted(api):
    fill(api)
    counts = api.read(f"/projects/{api.project}/contents")
    assert counts == {
        "project_id": api.project, "traces": 1, "spans": 2, "datasets": 1, "dataset_items": 2, "experiments": 1,
        "runs": 1, "iterations": 0, "rules": 1, "keys": 1,
    }  # fmt: skip


def test_a_deleted_project_takes_everything_and_its_keys_and_leaves_others_alone(root, api, stranger):
    fill(api)
    fill(stranger)
    theirs = stranger.everything()
    gone = expect(200, root.call("DELETE", f"/projects/{api.project}", params={"confirm": api.project}))
    assert gone == {"deleted": True, "id": api.project}
    assert Refusal.of(root.get(f"/projects/{api.project}")).said == (404, "NOT_FOUND")
    assert api.get("/traces").status_code == 401, "its keys are revoked"
    assert not any(root.everything().values())
    assert api.project not in root.ids("/projects")
    assert stranger.everything() == theirs
    again = root.call("DELETE", f"/projects/{api.project}", params={"confirm": api.project})
    assert Refusal.of(again).said == (404, "NOT_FOUND")


def test_a_project_that_is_made_again_begins_empty(root, api):
    fill(api)
    expect(200, root.call("DELETE", f"/projects/{api.project}", params={"confirm": api.project}))
    expect(201, root.post("/projects", {"id": api.project}))
    counts = root.read(f"/projects/{api.project}/contents")
    assert not any(counts.pop(name) for name in list(counts) if name != "project_id")
    assert root.read(f"/projects/{api.project}/retention")["retention_days"] is None
    assert root.items(f"/projects/{api.project}/trends") == []
    drift = root.read(f"/projects/{api.project}/trends/scores")
    assert not any(drift[name] for name in drift if isinstance(drift[name], list))


def test_what_a_request_deleted_is_gone_when_it_is_answered_also_while_others_delete(root, server):
    """Each request removes its own parts first, whatever else waits to be removed, and waits for whoever is at them."""

    def deleted_and_made_again(_: int) -> dict[str, object]:
        api = Api(server.http, server.admin_key, fresh_project()).with_key("admin")
        fill(api)
        expect(200, root.call("DELETE", f"/projects/{api.project}", params={"confirm": api.project}))
        expect(201, root.post("/projects", {"id": api.project}))
        return {name: count for name, count in root.read(f"/projects/{api.project}/contents").items() if count}

    with ThreadPoolExecutor(6) as pool:
        for left in pool.map(deleted_and_made_again, range(12)):
            assert left.keys() == {"project_id"}


@pytest.mark.parametrize("query", [{}, {"confirm": ""}, {"confirm": "another"}], ids=str)
def test_a_project_is_not_deleted_without_its_id_as_confirmation(api, query):
    fill(api)
    refused = api.refusal("DELETE", f"/projects/{api.project}", params=query)
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == ["confirm"]
    assert f"confirm={api.project}" in refused.message


def test_only_admins_delete_projects_and_only_those_they_see(api, writer, stranger):
    query = {"params": {"confirm": api.project}}
    assert api.refusal("DELETE", f"/projects/{api.project}", by=writer, **query).said == (403, "FORBIDDEN")
    assert api.refusal("DELETE", f"/projects/{api.project}", by=stranger, **query).said == (404, "NOT_FOUND")
    nowhere = fresh_project()
    unknown = api.call("DELETE", f"/projects/{nowhere}", params={"confirm": nowhere})
    assert Refusal.of(unknown).said == (404, "NOT_FOUND")


# --- retention ---


def put(api, body):
    return api.call("PUT", f"/projects/{api.project}/retention", body)


def test_a_project_keeps_its_traces_for_ever_until_it_is_told_otherwise(api):
    for_ever = {"project_id": api.project, "retention_days": None, "keep_scored": False}
    assert api.read(f"/projects/{api.project}/retention") == for_ever
    limited = {"project_id": api.project, "retention_days": 90, "keep_scored": True}
    assert expect(200, put(api, {"retention_days": 90, "keep_scored": True})) == limited
    assert api.read(f"/projects/{api.project}/retention") == limited
    assert expect(200, put(api, {})) == for_ever


@pytest.mark.parametrize("days", [0, -1, 1.5, "90", True, 36_501])
def test_retention_is_a_whole_number_of_days(api, days):
    expect(200, put(api, {"retention_days": 7}))
    refused = Refusal.of(put(api, {"retention_days": days}))
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == ["retention_days"]
    assert api.read(f"/projects/{api.project}/retention")["retention_days"] == 7


def test_readers_do_not_change_it_and_strangers_do_not_see_it(api, reader, stranger):
    path = f"/projects/{api.project}/retention"
    assert api.refusal("PUT", path, {"retention_days": 1}, by=reader).said == (403, "FORBIDDEN")
    assert Refusal.of(stranger.get(path)).said == (404, "NOT_FOUND")
