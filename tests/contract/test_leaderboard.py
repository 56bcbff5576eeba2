"""GET /leaderboard: agents over one dataset, by one scorer."""

from typing import Any

import pytest

from contract.caller import Api, Made, Refusal

AGENT_FIELDS = {
    "agent_id", "rank", "rank_interval", "rank_interval_marginal", "group", "overall_score", "confidence_interval",
    "ci_method", "standard_deviation", "standard_error", "item_count", "run_count", "n_missing", "missing_bracket",
    "reasons", "flags", "pass_at_k", "pass_at_k_ci", "pass_pow_k", "pass_pow_k_ci", "pass_k_items", "elo",
    "elo_interval", "experiments", "metrics", "actions", "cost",
}  # fmt: skip
PAIR_FIELDS = {
    "a", "b", "adjacent", "delta", "delta_ci_95", "p_value", "p_value_adjusted", "verdict", "uncertain",
    "common_items", "reason",
}  # fmt: skip
FIELDS = {
    "schema_version", "source", "dataset_id", "dataset_name", "scorer_name", "missing_policy", "pass_threshold",
    "min_effect", "resamples", "item_count", "agents", "comparisons", "groups", "notes",
    "families", "cost_front", "words",
}  # fmt: skip


@pytest.fixture
def dataset(api: Api) -> Made:
    return api.questions(20)


def board(api: Api, dataset: Made, scorer_name: str = "quality", **query: Any) -> Any:
    return api.read("/leaderboard", dataset_id=dataset.id, scorer_name=scorer_name, **query)


def refused(api: Api, **query: Any) -> Refusal:
    return Refusal.of(api.get("/leaderboard", **query))


def by_agent(found: Any) -> dict[str, Any]:
    return {one["agent_id"]: one for one in found["agents"]}


def test_agents_are_ranked_with_intervals_and_ranges(api: Api, dataset: Made):
    api.measured(dataset, [1.0] * 19 + [0.0], name="good")
    api.measured(dataset, [0.0] * 19 + [1.0], name="bad")
    found = board(api, dataset)
    assert set(found) == FIELDS
    assert all(set(one) == AGENT_FIELDS for one in found["agents"])
    assert all(set(one) == PAIR_FIELDS for one in found["comparisons"])
    assert (found["dataset_id"], found["scorer_name"], found["missing_policy"]) == (dataset.id, "quality", "drop")
    assert [(one["agent_id"], one["overall_score"], one["rank"]) for one in found["agents"]] == [
        ("good", 0.95, 1), ("bad", 0.05, 2),
    ]  # fmt: skip
    for one in found["agents"]:
        low, high = one["confidence_interval"]
        assert 0 <= low < one["overall_score"] < high <= 1
        assert one["rank_interval"][0] <= one["rank"] <= one["rank_interval"][1]
    (pair,) = found["comparisons"]
    assert (pair["a"], pair["b"], pair["delta"], pair["verdict"]) == ("good", "bad", 0.9, "improved")
    assert (pair["uncertain"], pair["common_items"]) == (False, 20)


def test_the_agent_is_the_one_that_the_metadata_names(api: Api, dataset: Made):
    api.measured(dataset, [1.0] * 20, name="run 7", metadata={"agent": "solver"})
    api.measured(dataset, [0.0] * 20, name="plain", metadata={"agent": 3})
    assert set(by_agent(board(api, dataset))) == {"solver", "plain"}


def test_several_experiments_of_an_agent_are_pooled_and_told(api: Api, dataset: Made):
    for name, value in (("first", 1.0), ("second", 0.0)):
        api.measured(dataset, [value] * 20, name=name, metadata={"agent": "solver"})
    found = board(api, dataset)
    (one,) = found["agents"]
    assert (one["overall_score"], one["item_count"], one["run_count"]) == (0.5, 20, 40)
    assert one["pass_at_k"] == {"1": 0.5, "2": 1.0}
    assert one["pass_pow_k"] == {"1": 0.5, "2": 0.0}
    assert any("'solver' has its trials from 2 experiments (first, second)" in note for note in found["notes"])


def test_trials_give_curves_and_a_large_k_is_refused(api: Api, dataset: Made):
    experiment = api.experiment(dataset.id, name="solver", trials=2)
    runs = [
        {"dataset_item_id": item, "trial": trial, "output": "x",
         "scores": [{"scorer_name": "quality", "value": float(trial)}]}
        for item in dataset.item_ids for trial in (0, 1)
    ]  # fmt: skip
    api.make(f"/experiments/{experiment}/runs", {"runs": runs})
    (one,) = board(api, dataset)["agents"]
    assert (one["pass_at_k"], one["pass_pow_k"]) == ({"1": 0.5, "2": 1.0}, {"1": 0.5, "2": 0.0})
    assert list(board(api, dataset, k=1)["agents"][0]["pass_at_k"]) == ["1"]
    refusal = refused(api, dataset_id=dataset.id, scorer_name="quality", k=3)
    assert refusal.said == (422, "K_TOO_LARGE")
    assert "ask for k up to 2" in refusal.message


def test_several_scores_on_one_run_count_as_their_mean(api: Api, dataset: Made):
    experiment = api.measured(dataset, [1.0] * 20, name="solver")
    run_id = api.items(f"/experiments/{experiment}/runs")[0]["id"]
    assert api.score(run_id, "quality", value=0.0).status_code == 201
    (one,) = board(api, dataset)["agents"]
    assert (one["overall_score"], one["run_count"]) == (0.975, 20)


@pytest.mark.parametrize(("policy", "score"), [("drop", 1.0), ("zero", 0.9), ("bracket", 1.0)])
def test_runs_without_a_number_are_counted_with_their_reason(api: Api, dataset: Made, policy: str, score: float):
    experiment = api.measured(dataset, [1.0] * 18 + [None, None], name="solver")
    api.run(experiment, dataset.item_ids[18], error={"message": "out of memory"})
    api.run(experiment, dataset.item_ids[19], "an answer that nobody scored")
    found = board(api, dataset, missing=policy)
    (one,) = found["agents"]
    assert (one["overall_score"], one["n_missing"], one["missing_bracket"]) == (score, 2, [0.9, 1.0])
    assert one["reasons"] == {"the run failed": 1, "no score was submitted": 1}
    assert found["missing_policy"] == policy
    assert any("2 of 20 trials have no value" in note for note in found["notes"])


def test_an_experiment_that_the_scorer_never_saw_is_left_out_and_named(api: Api, dataset: Made):
    api.measured(dataset, [1.0] * 20, name="scored")
    api.measured(dataset, [1.0] * 20, name="other", scorer_name="tone")
    found = board(api, dataset)
    assert [one["agent_id"] for one in found["agents"]] == ["scored"]
    assert any("never asked there: other" in note for note in found["notes"])


def test_an_agent_whose_runs_all_failed_is_listed_without_a_rank(api: Api, dataset: Made):
    api.measured(dataset, [1.0] * 20, name="scored")
    experiment = api.experiment(dataset.id, name="broken")
    api.run(experiment, dataset.item_ids[0], error={"message": "out of memory"})
    broken = by_agent(board(api, dataset))["broken"]
    assert (broken["rank"], broken["overall_score"], broken["n_missing"]) == (None, None, 1)
    assert by_agent(board(api, dataset, missing="zero"))["broken"]["overall_score"] == 0


def test_labels_cannot_be_ranked(api: Api, dataset: Made):
    experiment = api.experiment(dataset.id)
    run_id = api.run(experiment, dataset.item_ids[0])
    assert api.score(run_id, "tone", value="polite").status_code == 201
    refusal = refused(api, dataset_id=dataset.id, scorer_name="tone")
    assert refusal.said == (422, "UNSUPPORTED_SCORE_TYPE")
    assert "labels" in refusal.message


def test_no_number_at_all_is_refused_in_words(api: Api, dataset: Made):
    refusal = refused(api, dataset_id=dataset.id, scorer_name="quality")
    assert refusal.said == (422, "NO_SCORES")
    assert "'quality'" in refusal.message


@pytest.mark.parametrize(
    ("query", "field"),
    [({"k": 0}, "k"), ({"missing": "guess"}, "missing"), ({"pass_threshold": 2}, "pass_threshold"),
     ({"min_effect": "nan"}, "min_effect")],
)  # fmt: skip
def test_a_wrong_question_names_its_field(api: Api, dataset: Made, query: dict[str, Any], field: str):
    refusal = refused(api, dataset_id=dataset.id, scorer_name="quality", **query)
    assert refusal.said == (400, "INVALID_REQUEST")
    assert refusal.errors[0]["field"] == field


def test_a_question_without_dataset_or_scorer_is_refused(api: Api, dataset: Made):
    assert refused(api, scorer_name="quality").errors[0]["field"] == "dataset_id"
    assert refused(api, dataset_id=dataset.id).errors[0]["field"] == "scorer_name"


def test_another_projects_dataset_is_as_if_it_were_not_there(api: Api, stranger: Api, dataset: Made):
    api.measured(dataset, [1.0] * 20)
    for who, id in ((stranger, dataset.id), (api, "nobody")):
        assert refused(who, dataset_id=id, scorer_name="quality").said == (404, "NOT_FOUND")


def test_a_reader_may_ask(api: Api, reader: Api, dataset: Made):
    api.measured(dataset, [1.0] * 20)
    assert reader.get("/leaderboard", dataset_id=dataset.id, scorer_name="quality").status_code == 200
