"""An experiment that could stop early stores why, and everything that is said of it holds at every look.

Spec: an experiment that stopped early stores `stopping`; summary, compare, gate and leaderboard then use the sequence's
interval and flag `stopped_early`.
"""

import pytest

from contract.caller import Refusal, expect
from gnomon.stats.describe import round_shown
from gnomon.stats.paired import paired_difference
from gnomon.stats.passk import pass_at_k
from gnomon.stats.sequence import betting_mixture

PASSED = {
    "scorer_name": "quality", "kind": "gate", "text": "quality >= 0.5", "outcome": "passed", "items": 8,
    "max_items": 100, "mean": 0.875, "confidence_interval_95": [0.51, 0.99], "ci_method": "betting_mixture",
}  # fmt: skip
VALUES = [1, 1, 0.5, 1, 1, 0, 1, 1]
BAR = {"scorer_name": "quality", "metric": "mean", "threshold": 0.5, "bound": "ci"}


def complete(api, experiment_id, stopping=PASSED):
    return api.post(f"/experiments/{experiment_id}/complete", {"stopping": stopping})


def stopped(api, dataset, values, **fields):
    experiment_id = api.measured(dataset, values, **fields)
    expect(200, complete(api, experiment_id))
    return experiment_id


def summary(api, experiment_id, scorer="quality", **query):
    return api.read(f"/experiments/{experiment_id}/summary", **query)["scores_by_scorer"][scorer]


def ends(interval):
    return [round_shown(interval.low), round_shown(interval.high)]


# --- what is stored -----


def test_an_experiment_and_its_summary_show_why_it_stopped(api):
    experiment_id = api.measured(api.questions(8), VALUES)
    done = expect(200, complete(api, experiment_id))
    assert done["status"] == "completed"
    assert done["stopping"] == {**PASSED, "against": None}
    assert api.read(f"/experiments/{experiment_id}")["stopping"] == done["stopping"]
    assert api.read(f"/experiments/{experiment_id}/summary")["stopping"] == done["stopping"]


@pytest.mark.parametrize("body", [None, {}, {"stopping": None}], ids=["no body", "empty", "null"])
def test_an_experiment_that_ran_as_planned_says_nothing_of_stopping(api, body):
    experiment_id = api.measured(api.questions(2), [1, 0])
    assert expect(200, api.post(f"/experiments/{experiment_id}/complete", body))["stopping"] is None
    assert summary(api, experiment_id)["flags"] == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"outcome": "better"}, "stopping.outcome"),
        ({"outcome": "won"}, "stopping.outcome"),
        ({"kind": "difference", "outcome": "better"}, "stopping.against"),
        ({"against": "another"}, "stopping.against"),
        ({"items": 101}, "stopping.items"),
        ({"items": -1}, "stopping.items"),
        ({"max_items": 0}, "stopping.max_items"),
        ({"text": ""}, "stopping.text"),
        ({"scorer_name": " "}, "stopping.scorer_name"),
        ({"confidence_interval_95": [0.9, 0.1]}, "stopping.confidence_interval_95"),
        ({"confidence_interval_95": [0.9]}, "stopping.confidence_interval_95[1]"),
        ({"confidence_interval_95": [0, 2]}, "stopping.confidence_interval_95[1]"),
        ({"mean": "high"}, "stopping.mean"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_and_the_experiment_stays_open(api, change, field):
    experiment_id = api.measured(api.questions(2), [1, 0])
    refused = api.refusal("POST", f"/experiments/{experiment_id}/complete", {"stopping": {**PASSED, **change}})
    assert refused.said == (400, "INVALID_REQUEST")
    assert {error["field"] for error in refused.errors} == {field}
    assert api.read(f"/experiments/{experiment_id}")["status"] == "running"


def test_a_difference_is_from_an_experiment_over_the_same_dataset(api, stranger):
    dataset = api.questions(2)
    experiment_id, base = api.measured(dataset, [1, 1]), api.measured(dataset, [0, 0])
    foreign = api.measured(api.questions(2), [0, 0])
    hidden = stranger.measured(stranger.questions(2), [0, 0])
    better = {**PASSED, "kind": "difference", "text": "quality not worse than x", "outcome": "better"}
    for against, said in [
        (foreign, (422, "INCOMPATIBLE_EXPERIMENTS")),
        (hidden, (404, "NOT_FOUND")),
        ("nobody", (404, "NOT_FOUND")),
    ]:
        assert Refusal.of(complete(api, experiment_id, {**better, "against": against})).said == said
    assert expect(200, complete(api, experiment_id, {**better, "against": base}))["stopping"]["against"] == base


# --- what is computed of it -----


def test_the_mean_has_the_interval_of_the_sequence_and_a_flag(api):
    dataset = api.questions(8)
    as_planned, early = api.measured(dataset, VALUES), stopped(api, dataset, VALUES)
    before, told = summary(api, as_planned), summary(api, early)
    assert told["confidence_interval_95"] == ends(betting_mixture(VALUES))
    assert (told["ci_method"], told["flags"]) == ("betting_mixture", ["stopped_early"])
    assert told["mean"] == before["mean"]
    low, high = before["confidence_interval_95"]
    assert told["confidence_interval_95"][0] < low < high < told["confidence_interval_95"][1]


def test_scorers_that_were_not_looked_at_have_it_too(api):
    """Whatever ended the evaluation also chose when the other scorers stopped."""
    dataset = api.questions(8)
    experiment_id = stopped(api, dataset, VALUES)
    for run, value in zip(api.items(f"/experiments/{experiment_id}/runs"), VALUES, strict=True):
        expect(201, api.score(run["id"], "other", value=1 - value))
        expect(201, api.score(run["id"], "kind", value="good" if value else "bad"))
    other = summary(api, experiment_id, "other")
    assert other["confidence_interval_95"] == ends(betting_mixture([1 - value for value in VALUES]))
    assert "stopped_early" in other["flags"]
    shares = summary(api, experiment_id, "kind")["label_shares"]
    good = betting_mixture([float(value > 0) for value in VALUES])
    assert shares["good"]["confidence_interval_95"] == ends(good)


def test_an_evaluation_that_could_stop_and_did_not_has_the_same_interval(api):
    """The rule was in force: that it did not fire is part of its luck."""
    dataset = api.questions(8)
    experiment_id = api.measured(dataset, VALUES)
    expect(200, complete(api, experiment_id, {**PASSED, "items": 8, "max_items": 8}))
    told = summary(api, experiment_id)
    assert (told["ci_method"], told["flags"]) == ("betting_mixture", ["could_stop_early"])


def test_trials_count_as_the_mean_of_their_item_and_pass_curves_hold_at_every_look(api):
    dataset = api.questions(6)
    experiment_id = api.experiment(dataset.id, trials=3)
    passed = [3, 2, 3, 0, 1, 3]
    runs = [
        {"dataset_item_id": item, "trial": trial, "output": "x",
         "scores": [{"scorer_name": "quality", "value": float(trial < ones)}]}
        for item, ones in zip(dataset.item_ids, passed, strict=True) for trial in range(3)
    ]  # fmt: skip
    api.make(f"/experiments/{experiment_id}/runs", {"runs": runs})
    expect(200, complete(api, experiment_id))
    told = summary(api, experiment_id)
    assert told["confidence_interval_95"] == ends(betting_mixture([ones / 3 for ones in passed]))
    assert told["items_fixed_ci_95"] is None, "it holds for one look only"
    some = [pass_at_k(3, ones, 2) for ones in passed]
    assert told["pass_at_k_ci_95"]["2"] == ends(betting_mixture([chance for chance in some if chance is not None]))
    at_two = {**BAR, "metric": "pass_at_k", "k": 2}
    gate = expect(200, api.post(f"/experiments/{experiment_id}/threshold", at_two))
    assert gate["confidence_interval_95"] == told["pass_at_k_ci_95"]["2"]


def test_missing_scores_are_dropped_zero_or_bracketed_as_elsewhere(api):
    dataset = api.questions(8)
    experiment_id = api.measured(dataset, [*VALUES[:6], None, None])
    for item in dataset.item_ids[6:]:
        api.run(experiment_id, item, "x")
    expect(200, complete(api, experiment_id))
    dropped, zero = betting_mixture(VALUES[:6]), betting_mixture([*VALUES[:6], 0, 0])
    ones = betting_mixture([*VALUES[:6], 1, 1])
    assert summary(api, experiment_id)["confidence_interval_95"] == ends(dropped)
    assert summary(api, experiment_id, missing="zero")["confidence_interval_95"] == ends(zero)
    bracketed = summary(api, experiment_id, missing="bracket")
    assert bracketed["confidence_interval_95"] == [ends(zero)[0], ends(ones)[1]]
    assert set(bracketed["flags"]) == {"bracketed", "stopped_early"}


def test_another_method_gives_way_and_clusters_are_refused(api):
    dataset = api.dataset([{"input": n, "metadata": {"topic": n % 2}} for n in range(8)])
    experiment_id = stopped(api, dataset, VALUES)
    told = summary(api, experiment_id, interval="t_clipped")
    assert (told["ci_method"], told["flags"]) == ("betting_mixture", ["stopped_early", "other_method"])
    refused = Refusal.of(api.get(f"/experiments/{experiment_id}/summary", cluster_by="topic"))
    assert refused.said == (400, "INVALID_REQUEST")
    assert refused.errors[0]["field"] == "cluster_by"


def test_a_gate_is_decided_by_the_interval_that_holds_at_every_look(api):
    """Eight ones of eight clear 0.6 by Wilson's interval; looked at meanwhile they do not."""
    dataset = api.questions(8)
    bar = {**BAR, "threshold": 0.6}
    as_planned, early = api.measured(dataset, [1] * 8), stopped(api, dataset, [1] * 8)
    assert expect(200, api.post(f"/experiments/{as_planned}/threshold", bar))["decision"] == "pass"
    told = expect(200, api.post(f"/experiments/{early}/threshold", bar))
    assert (told["decision"], told["ci_method"], told["flags"]) == ("undecided", "betting_mixture", ["stopped_early"])
    low = {**bar, "metric": "ci_low", "bound": "point"}
    assert (
        expect(200, api.post(f"/experiments/{early}/threshold", low))["actual_value"]
        == ends(betting_mixture([1] * 8))[0]
    )


@pytest.mark.parametrize("which", ["base", "other", "both"])
def test_a_comparison_is_over_the_common_items_and_holds_at_every_look(api, which):
    dataset = api.questions(8)
    base_values, other_values = [0, 0.5, 0, 1, 0, 0, 0.5, 1], [*VALUES[:7], None]
    base, other = api.measured(dataset, base_values), api.measured(dataset, other_values)
    for experiment_id in {"base": [base], "other": [other], "both": [base, other]}[which]:
        expect(200, complete(api, experiment_id))
    compared = api.read(f"/experiments/{base}/compare/{other}")
    (told,) = compared["scorer_comparisons"]
    pairs = zip(base_values, other_values, strict=True)
    expected = paired_difference([after - before for before, after in pairs if after is not None], "betting_mixture")
    assert told["delta_ci_95"] == ends(expected.interval)
    assert (told["ci_method"], told["flags"]) == ("betting_mixture", ["stopped_early"])
    assert told["p_value"] == round_shown(expected.p_value)
    assert (told["permutation_p_value"], told["more_items"]) == (None, None)
    side = "base" if which == "base" else "compare"
    assert told[f"{side}_ci_95"] == summary(api, base if which == "base" else other)["confidence_interval_95"]


def test_a_leaderboard_has_the_intervals_and_no_resampled_ranks(api):
    dataset = api.questions(8)
    early = stopped(api, dataset, VALUES, name="early")
    api.measured(dataset, [0, 0.5, 0, 1, 0, 0, 0.5, 1], name="planned")
    board = api.read("/leaderboard", dataset_id=dataset.id, scorer_name="quality")
    agents = {row["agent_id"]: row for row in board["agents"]}
    assert agents["early"]["confidence_interval"] == summary(api, early)["confidence_interval_95"]
    assert (agents["early"]["flags"], agents["planned"]["flags"]) == (["stopped_early"], ["small_n"])
    assert agents["planned"]["ci_method"] == "beta_moments"
    assert [row["rank_interval_marginal"] for row in board["agents"]] == [None, None]
    assert [row["rank_interval"] is not None for row in board["agents"]] == [True, True]
    assert any("could stop early" in note for note in board["notes"])
    (pair,) = board["comparisons"]
    (compared,) = api.read(f"/experiments/{early}/compare/{early}")["scorer_comparisons"]
    assert compared["verdict"] == "inconclusive"
    assert pair["delta_ci_95"] is not None
