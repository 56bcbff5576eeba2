"""Experiments as rows of a list, with their scorers' means: the numbers are those of the summary."""

import random
from typing import Any

import pytest

from contract.caller import Api, expect, fresh_project

SHARED = (
    "n_total", "n_scored", "n_absent", "n_failed", "n_pending", "reasons", "mean", "confidence_interval_95",
    "ci_method", "flags",
)  # fmt: skip


def rows(api: Api, **query: Any) -> list[dict[str, Any]]:
    return api.items("/experiments", project_id=api.project, include="summary", **query)


def assert_as_in_summary(api: Api, row: dict[str, Any]) -> dict[str, Any]:
    """Hold a row against the experiment's summary, number by number."""
    told, brief = api.read(f"/experiments/{row['id']}/summary"), row["summary"]
    for name in ("run_count", "expected_run_count", "failed_run_count", "threshold_result", "cost"):
        assert brief[name] == told[name], name
    assert [scorer["scorer_name"] for scorer in brief["scorers"]] == sorted(told["scores_by_scorer"])
    for scorer in brief["scorers"]:
        whole = told["scores_by_scorer"][scorer["scorer_name"]]
        assert {name: scorer[name] for name in SHARED} == {name: whole[name] for name in SHARED}
        if scorer["top_label"] is None:
            assert whole["distribution"] is None
        else:
            top = dict(scorer["top_label"])
            assert whole["label_shares"][top.pop("label")] == top
            assert top["count"] == max(whole["distribution"].values())
    return {scorer["scorer_name"]: scorer for scorer in brief["scorers"]}


def run_of(item_id: str, trial: int = 0, scores: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {"dataset_item_id": item_id, "trial": trial, "output": "x", "scores": scores or []}


def failed(item_id: str, trial: int = 0) -> dict[str, Any]:
    return {"dataset_item_id": item_id, "trial": trial, "error": {"message": "broke"}}


def filled(api: Api, dataset: Any, trials: int, seed: int) -> str:
    """Numbers, labels, reasons and failures, uneven as they come."""
    chance = random.Random(seed)
    experiment_id = api.experiment(dataset.id, trials=trials, name=f"e{seed}")
    runs = []
    for item in dataset.item_ids:
        for trial in range(trials):
            if chance.random() < 0.1:
                runs.append(failed(item, trial))
                continue
            scores: list[dict[str, Any]] = [
                {"scorer_name": "fine", "value": round(chance.random(), 3)},
                {"scorer_name": "tone", "value": chance.choice(["kind", "flat", "rude"])},
            ]
            passes = {"value": float(chance.random() < 0.6)} if chance.random() < 0.8 else {"absent": "no answer"}
            scores.append({"scorer_name": "passes", **passes})
            if chance.random() < 0.5:
                scores.append({"scorer_name": "mixed", "value": chance.choice([0.5, "unsure"])})
            runs.append(run_of(item, trial, scores))
    api.make(f"/experiments/{experiment_id}/runs", {"runs": runs})
    return experiment_id


def test_rows_say_what_summaries_say(api):
    dataset = api.questions(12)
    for seed, trials in enumerate([1, 1, 3, 4]):
        filled(api, dataset, trials, seed)
    found = rows(api)
    assert len(found) == 4
    for row in found:
        scorers = assert_as_in_summary(api, row)
        kinds = {name: scorer["kind"] for name, scorer in scorers.items()}
        assert kinds == {"fine": "numeric", "passes": "numeric", "mixed": "numeric", "tone": "categorical"}


def test_rows_of_experiments_with_repeated_scores_and_early_stops_say_what_summaries_say(api):
    dataset = api.questions(8)
    again = api.measured(dataset, [1, 1, 0.5, 1, 1, 0, 1, 1])
    for run in api.items(f"/experiments/{again}/runs")[:3]:
        expect(201, api.score(run["id"], "quality", value=0.25))
    stopped = filled(api, dataset, 1, seed=9)
    why = {"scorer_name": "fine", "kind": "gate", "text": "fine >= 0.5", "outcome": "passed", "items": 8}
    expect(200, api.post(f"/experiments/{stopped}/complete", {"stopping": {**why, "max_items": 100}}))
    api.experiment(dataset.id)  # without runs
    empty, early, repeated = rows(api)
    assert empty["summary"]["scorers"] == []
    assert "stopped_early" in assert_as_in_summary(api, early)["fine"]["flags"]
    assert assert_as_in_summary(api, repeated)["quality"]["n_scored"] == 8


def test_a_scorer_without_scores_is_listed_with_its_reasons(api):
    dataset = api.questions(2)
    experiment_id = api.experiment(dataset.id)
    why = [{"scorer_name": "quality", "absent": "no expected_output"}]
    runs = [run_of(item, scores=why) for item in dataset.item_ids]
    api.make(f"/experiments/{experiment_id}/runs", {"runs": runs})
    (row,) = rows(api)
    told = assert_as_in_summary(api, row)["quality"]
    assert (told["kind"], told["mean"], told["reasons"]) == (None, None, {"no expected_output": 2})


def test_the_last_gate_and_the_expected_runs_stand_in_the_row(api):
    dataset = api.questions(3)
    experiment_id = api.measured(dataset, [1, 1, None])
    bar = {"scorer_name": "quality", "metric": "mean", "threshold": 0.5}
    expect(200, api.post(f"/experiments/{experiment_id}/threshold", bar))
    (row,) = rows(api)
    assert row["summary"]["threshold_result"]["decision"] == "pass"
    assert (row["summary"]["run_count"], row["summary"]["expected_run_count"]) == (2, 3)


def test_without_include_a_row_is_the_experiment(api):
    experiment_id = api.measured(api.questions(1), [1])
    assert api.items("/experiments") == [api.read(f"/experiments/{experiment_id}")]


def test_experiments_are_found_by_status_name_and_metadata(api):
    dataset = api.questions(1)
    git = {"gnomon": {"git": {"commit": "abc"}}}
    first = api.experiment(dataset.id, name="Ärger v1", metadata={"model": "a", "n": 1, **git})
    second = api.experiment(dataset.id, name="calm v2", metadata={"model": "b", "gnomon.git.commit": "x"})
    api.experiment(dataset.id, name="plain")
    expect(200, api.post(f"/experiments/{second}/complete"))

    def found(**query: Any) -> list[str]:
        assert api.ids("/experiments", **query) == [row["id"] for row in rows(api, **query)]
        return api.ids("/experiments", **query)

    assert found(status="completed") == [second]
    assert found(q="ÄRGER") == found(q="V1") == [first]
    assert found(q="v") == [second, first]
    assert found(q="nothing") == []
    assert found(**{"metadata.model": "a"}) == found(**{"metadata.n": "1"}) == [first]
    assert found(**{"metadata.gnomon.git.commit": "abc"}) == [first]
    assert found(**{"metadata.gnomon.git.commit": "x"}) == [second]
    assert found(**{"metadata.model": "b", "metadata.n": "1"}) == []
    assert found(q="v", dataset_id=dataset.id, status="created") == [first]


def test_pages_of_found_experiments_show_every_one_once(api):
    dataset = api.questions(1)
    wanted = [api.experiment(dataset.id, name="yes" if place % 3 == 0 else "no") for place in range(10)][::3]
    assert api.ids("/experiments", q="yes", limit=1) == wanted[::-1]
    assert [row["id"] for row in rows(api, q="yes", limit=3)] == wanted[::-1]


@pytest.mark.parametrize(
    "query", ["include=everything", "status=done", "q=", "q=" + "x" * 201, "text=x", "limit=0"], ids=lambda q: q[:20]
)
def test_a_list_that_cannot_be_is_refused_by_name(api, query):
    refused = api.refusal("GET", f"/experiments?{query}")
    assert refused.said == (400, "INVALID_REQUEST")
    assert refused.errors[0]["field"] == query.partition("=")[0]


def test_another_projects_experiments_are_not_listed(api):
    api.measured(api.questions(1), [1])
    bound = api.with_key("read")
    refused = bound.get("/experiments", project_id=fresh_project(), include="summary")
    assert refused.status_code == 404
    assert len(bound.items("/experiments", include="summary")) == 1
