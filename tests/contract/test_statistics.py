"""What an aggregate carries, over HTTP: what is missing, shares of labels, curves, comparisons, gates."""

import random
from typing import Any

import pytest

from contract.caller import Refusal, expect


def summary(api, experiment_id: str, **query: Any) -> dict[str, Any]:
    told = api.read(f"/experiments/{experiment_id}/summary", **query)
    return {**told["scores_by_scorer"]["quality"], "whole": told}


def with_runs(api, runs: list[dict[str, Any]], dataset_id: str, **fields: Any) -> str:
    experiment_id = api.experiment(dataset_id, **fields)
    api.make(f"/experiments/{experiment_id}/runs", {"runs": runs})
    return experiment_id


def scored(item_id: str, value: Any, trial: int = 0) -> dict[str, Any]:
    score = {"scorer_name": "quality", "value": value}
    return {"dataset_item_id": item_id, "trial": trial, "output": "x", "scores": [score]}


def failed(item_id: str, trial: int = 0) -> dict[str, Any]:
    return {"dataset_item_id": item_id, "trial": trial, "error": {"message": "broke"}}


def refused_fields(refusal: Refusal) -> list[str]:
    return [problem["field"] for problem in refusal.errors]


@pytest.fixture
def half_missing(api) -> str:
    """Ten items: six scored (four passed), two failed, two without a score."""
    dataset = api.questions(10)
    runs = [scored(item, value) for item, value in zip(dataset.item_ids, [1, 1, 1, 1, 0, 0], strict=False)]
    runs += [failed(item) for item in dataset.item_ids[6:8]]
    runs += [{"dataset_item_id": item, "output": "x"} for item in dataset.item_ids[8:]]
    return with_runs(api, runs, dataset.id)


# --- what is missing ---


def test_missing_scores_are_left_out_and_their_bracket_is_told(api, half_missing):
    told = summary(api, half_missing)
    assert told["missing_policy"] == told["whole"]["missing_policy"] == "drop"
    assert told["mean"] == pytest.approx(4 / 6)
    assert told["missing_bracket"] == [0.4, 0.8]
    assert (told["n_total"], told["n_scored"], told["n_absent"], told["n_failed"]) == (10, 6, 2, 2)


def test_missing_scores_can_count_as_0(api, half_missing):
    told = summary(api, half_missing, missing="zero")
    assert (told["missing_policy"], told["mean"], told["missing_bracket"]) == ("zero", 0.4, [0.4, 0.8])
    assert told["confidence_interval_95"] == pytest.approx([0.16818, 0.68733], abs=1e-4)  # Wilson of 4 of 10
    assert (told["n_scored"], told["min"], told["max"]) == (6, 0, 1)


def test_missing_scores_can_be_anything(api, half_missing):
    told = summary(api, half_missing, missing="bracket")
    assert told["mean"] == pytest.approx(4 / 6)
    low, high = told["confidence_interval_95"]
    assert low == pytest.approx(summary(api, half_missing, missing="zero")["confidence_interval_95"][0])
    assert high == pytest.approx(0.94332, abs=1e-4)  # Wilson of 8 of 10
    assert "bracketed" in told["flags"]


def test_dropping_what_is_missing_is_the_same_as_never_having_had_it(api, half_missing):
    dataset = api.questions(6)
    runs = [scored(item, value) for item, value in zip(dataset.item_ids, [1, 1, 1, 1, 0, 0], strict=True)]
    clean = summary(api, with_runs(api, runs, dataset.id))
    told = summary(api, half_missing)
    for field in ("mean", "standard_deviation", "standard_error", "confidence_interval_95", "ci_method", "flags"):
        assert told[field] == clean[field]


def test_trials_that_failed_count_as_not_passed_where_missing_is_0(api):
    dataset = api.questions(2)
    one, two = dataset.item_ids
    runs = [scored(one, 1, 0), scored(one, 1, 1), scored(two, 1, 0), failed(two, 1)]
    experiment_id = with_runs(api, runs, dataset.id, trials=2)
    assert summary(api, experiment_id)["pass_pow_k"] == {"1": 1}
    told = summary(api, experiment_id, missing="zero")
    assert told["pass_pow_k"] == {"1": 0.75, "2": 0.5}
    assert (told["mean"], told["clusters"]) == (0.75, 2)


def test_another_policy_is_refused_by_name(api, half_missing):
    for path in (f"/experiments/{half_missing}/summary", f"/experiments/{half_missing}/compare/{half_missing}"):
        assert refused_fields(api.refusal("GET", f"{path}?missing=ignore")) == ["missing"]


def test_scores_that_nobody_has_are_nothing_with_a_reason(api):
    dataset = api.questions(2)
    runs = [failed(dataset.item_ids[0]), {"dataset_item_id": dataset.item_ids[1], "output": "x"}]
    experiment_id = with_runs(api, runs, dataset.id)
    assert api.read(f"/experiments/{experiment_id}/summary")["scores_by_scorer"] == {}


# --- what an aggregate carries ---


def test_real_scores_of_few_items_are_flagged(api):
    values = [round(random.Random(5).random(), 2) for _ in range(15)] + [0.25]
    told = summary(api, api.measured(api.questions(16), values))
    assert (told["ci_method"], told["flags"]) == ("beta_moments", [])
    few = summary(api, api.measured(api.questions(5), [0.2, 0.4, 0.4, 0.6, 0.9]))
    assert (few["ci_method"], few["flags"]) == ("beta_moments", ["small_n"])
    assert few["confidence_interval_95"] == pytest.approx([0.2158305687166022, 0.7841694312833978], abs=1e-9)


REAL = [0.2, 0.4, 0.4, 0.6, 0.9]


def test_an_interval_is_made_by_the_method_that_is_named(api):
    """Whatever the default, every method stays available by name."""
    dataset = api.questions(5)
    real, yes_or_no = api.measured(dataset, REAL), api.measured(dataset, [1, 1, 1, 0, 1])
    by_t = summary(api, real, interval="t_clipped")
    assert by_t["ci_method"] == "t_clipped"
    assert by_t["confidence_interval_95"] == pytest.approx([0.17148658488506896, 0.828513415114931], abs=1e-9)
    exact = summary(api, yes_or_no, interval="clopper_pearson")
    assert exact["ci_method"] == "clopper_pearson"
    assert exact["confidence_interval_95"] == pytest.approx([0.2836, 0.9949], abs=1e-4)
    assert summary(api, yes_or_no)["ci_method"] == "wilson"


def test_a_named_method_that_does_not_fit_gives_way_and_says_so(api):
    told = summary(api, api.measured(api.questions(5), REAL), interval="wilson")
    assert (told["ci_method"], told["flags"]) == ("beta_moments", ["small_n", "other_method"])


def test_comparisons_gates_and_leaderboards_take_a_method_by_name_too(api):
    dataset = api.questions(5)
    base, other = (
        api.measured(dataset, REAL, name="base"),
        api.measured(dataset, [0.3, 0.5, 0.7, 0.6, 1.0], name="other"),
    )
    path = f"/experiments/{base}/compare/{other}"
    (by_t,) = api.read(path, interval="t_clipped")["scorer_comparisons"]
    (plain,) = api.read(path)["scorer_comparisons"]
    assert (by_t["ci_method"], plain["ci_method"]) == ("t_clipped", "beta_moments")
    bar = {"scorer_name": "quality", "metric": "mean", "threshold": 0.4, "bound": "ci", "interval": "t_clipped"}
    assert api.post(f"/experiments/{base}/threshold", bar).json()["ci_method"] == "t_clipped"
    board = api.read("/leaderboard", dataset_id=dataset.id, scorer_name="quality", interval="bca")
    assert {one["ci_method"] for one in board["agents"]} == {"bca"}


@pytest.mark.parametrize("path", ["/experiments/{id}/summary", "/experiments/{id}/compare/{id}"])
def test_a_method_that_nobody_knows_is_refused_by_name(api, path):
    id = api.measured(api.questions(2), [0, 1])
    refused = api.get(path.format(id=id), interval="magic")
    assert refused.status_code == 400
    assert "interval" in refused.text


@pytest.mark.parametrize(("items", "margin"), [(1, None), (3, None), (40, None), (40, 0.05)])
def test_two_experiments_that_agree_everywhere_have_an_interval_with_a_width(api, items, margin):
    """Identical on 1, 3 or 40 items: no interval has zero width, and equivalent needs one inside a margin."""
    dataset = api.questions(items)
    base, other = api.measured(dataset, [0.5] * items), api.measured(dataset, [0.5] * items)
    asked = {} if margin is None else {"min_effect": margin}
    (told,) = api.read(f"/experiments/{base}/compare/{other}", **asked)["scorer_comparisons"]
    low, high = told["delta_ci_95"]
    assert low < 0 < high
    assert told["verdict"] == ("inconclusive" if margin is None else "equivalent")


def test_worse_scores_never_pass_where_better_ones_are_undecided(api):
    """Forty times 0.9 against 0.85, and thirty-nine times 0.9 with one 0.8."""
    dataset = api.questions(40)
    bar = {"scorer_name": "quality", "metric": "mean", "threshold": 0.85, "bound": "ci"}
    decisions = [
        api.post(f"/experiments/{api.measured(dataset, values)}/threshold", bar).json()["decision"]
        for values in ([0.9] * 40, [0.9] * 39 + [0.8])
    ]
    assert decisions == ["undecided", "undecided"]


def test_the_mean_and_pass_1_carry_one_interval(api):
    dataset = api.questions(3)
    runs = [scored(item, value, trial)
            for item, values in zip(dataset.item_ids, ([1, 1], [0, 0], [1, 0]), strict=True)
            for trial, value in enumerate(values)]  # fmt: skip
    told = summary(api, with_runs(api, runs, dataset.id, trials=2))
    assert told["pass_at_k_ci_95"]["1"] == told["pass_pow_k_ci_95"]["1"] == told["confidence_interval_95"]


def test_the_interval_is_the_same_however_the_scores_came(api):
    values = [round(random.Random(6).random(), 2) for _ in range(20)]
    dataset = api.questions(20)
    one = summary(api, api.measured(dataset, values))
    shuffled = list(zip(dataset.item_ids, values, strict=True))
    random.Random(1).shuffle(shuffled)
    other = summary(api, with_runs(api, [scored(item, value) for item, value in shuffled], dataset.id))
    assert one["confidence_interval_95"] == other["confidence_interval_95"]


def test_a_lone_run_has_an_interval_and_no_spread(api):
    told = summary(api, api.measured(api.questions(1), [1]))
    assert (told["standard_deviation"], told["standard_error"], told["flags"]) == (None, None, ["single_run"])
    low, high = told["confidence_interval_95"]
    assert 0 < low < high == 1


def test_the_same_items_again_is_another_question(api):
    dataset = api.questions(3)
    runs = [
        scored(item, value, trial)
        for item, values in zip(dataset.item_ids, ([1, 1], [0, 0], [1, 0]), strict=True)
        for trial, value in enumerate(values)
    ]
    told = summary(api, with_runs(api, runs, dataset.id, trials=2))
    assert told["items_fixed_standard_error"] == pytest.approx((2 * 0.5) ** 0.5 / 6)
    assert told["items_fixed_standard_error"] < told["standard_error"]
    low, high = told["items_fixed_ci_95"]
    assert low < told["mean"] < high


def test_items_that_belong_together_stand_together(api):
    items = [{"input": f"q{n}", "metadata": {"conversation": n // 5}} for n in range(20)]
    experiment_id = api.measured(api.dataset(items), [1] * 10 + [0] * 10)
    alone = summary(api, experiment_id)
    told = summary(api, experiment_id, cluster_by="conversation")
    assert (told["clusters"], told["ci_method"], told["mean"]) == (4, "wilson", 0.5)
    assert told["whole"]["cluster_by"] == "conversation"
    low, high = told["confidence_interval_95"]
    assert high - low > 1.5 * (alone["confidence_interval_95"][1] - alone["confidence_interval_95"][0])
    bar = {"threshold": 0.25, "bound": "ci"}
    assert decided(api, experiment_id, **bar)["decision"] == "pass"
    assert decided(api, experiment_id, **bar, cluster_by="conversation", min_n=4)["decision"] == "undecided"


def test_items_that_name_no_cluster_stand_alone(api):
    items = [{"input": f"q{n}", **({"metadata": {"repo": "x"}} if n < 2 else {})} for n in range(4)]
    experiment_id = api.measured(api.dataset(items), [1, 1, 0, 1])
    assert summary(api, experiment_id, cluster_by="repo", missing="zero")["clusters"] == 3
    refused = api.refusal("GET", f"/experiments/{experiment_id}/summary?cluster_by=repos")
    assert refused.said[0] == 400
    assert refused_fields(refused) == ["cluster_by"]


def test_labels_have_shares_with_intervals(api):
    told = summary(api, _labelled(api))
    assert told["mean"] is None
    assert told["missing_bracket"] is None
    shares = told["label_shares"]
    assert {name: (one["count"], one["share"]) for name, one in shares.items()} == {"good": (8, 0.8), "bad": (2, 0.2)}
    assert shares["good"]["confidence_interval_95"] == pytest.approx([0.49016247, 0.94331785], abs=1e-7)


def _labelled(api) -> str:
    dataset = api.questions(10)
    runs = [scored(item, "good" if n < 8 else "bad") for n, item in enumerate(dataset.item_ids)]
    return with_runs(api, runs, dataset.id)


def test_labels_of_one_item_stand_together(api):
    dataset = api.questions(2)
    runs = [scored(item, label, trial) for item, label in zip(dataset.item_ids, ("good", "bad"), strict=True)
            for trial in range(20)]  # fmt: skip
    share = summary(api, with_runs(api, runs, dataset.id, trials=20))["label_shares"]["good"]
    low, high = share["confidence_interval_95"]
    assert (share["count"], share["share"]) == (20, 0.5)
    assert high - low > 0.8  # two items that never waver are not forty coins


def test_every_k_has_an_interval_and_the_bar_for_passing_can_be_stated(api):
    dataset = api.questions(4)
    values = ([1, 0.8], [0.8, 0.2], [0.2, 0.2], [1, 1])
    runs = [
        scored(item, value, trial)
        for item, each in zip(dataset.item_ids, values, strict=True)
        for trial, value in enumerate(each)
    ]
    experiment_id = with_runs(api, runs, dataset.id, trials=2)
    told = summary(api, experiment_id)
    assert told["whole"]["pass_threshold"] == 1
    assert told["pass_pow_k"] == {"1": 0.375, "2": 0.25}
    lenient = summary(api, experiment_id, pass_threshold=0.8)
    assert lenient["pass_pow_k"] == {"1": 0.625, "2": 0.5}
    for curve in ("pass_at_k", "pass_pow_k"):
        for k, (low, high) in lenient[f"{curve}_ci_95"].items():
            assert 0 <= low <= lenient[curve][k] <= high <= 1
            assert low < high


# --- two against each other ---


def compared(api, base: str, other: str, **query: Any) -> dict[str, Any]:
    told = api.read(f"/experiments/{base}/compare/{other}", **query)
    return {**told["scorer_comparisons"][0], "whole": told}


def test_an_open_comparison_names_what_it_would_take(api):
    dataset = api.questions(10)
    base = api.measured(dataset, [1, 0, 1, 0, 0, 1, 0, 1, 0, 0])
    other = api.measured(dataset, [1, 1, 1, 0, 1, 1, 0, 1, 1, 0])
    told = compared(api, base, other)
    assert (told["verdict"], told["p_value"], told["permutation_p_value"]) == ("inconclusive", 0.25, 0.25)
    assert told["more_items"] > 0
    assert f"about {told['more_items']} more items" in told["words"]
    assert told["ci_method"] == "tango"
    for side in ("base", "compare"):
        low, high = told[f"{side}_ci_95"]
        assert low < told[f"{side}_mean"] < high


def test_a_decided_comparison_needs_no_more_items(api):
    dataset = api.questions(40)
    told = compared(api, api.measured(dataset, [0] * 40), api.measured(dataset, [1] * 30 + [0] * 10))
    assert (told["verdict"], told["more_items"], told["permutation_p_value"]) == ("improved", None, None)
    assert told["words"].startswith("better, by ")


def test_the_strongest_evidence_of_regression_comes_first(api):
    dataset = api.questions(40)

    def made(sure: float, slight: list[float]) -> str:
        runs = [
            {
                "dataset_item_id": item,
                "output": "x",
                "scores": [
                    {"scorer_name": "z sure", "value": sure + 0.001 * (n % 3)},
                    {"scorer_name": "a slight", "value": slight[n % 2]},
                    {"scorer_name": "better", "value": 1 - sure},
                ],
            }
            for n, item in enumerate(dataset.item_ids)
        ]
        return with_runs(api, runs, dataset.id)

    base, other = made(0.6, [0.9, 0.4]), made(0.5, [0.1, 0.9])
    told = api.read(f"/experiments/{base}/compare/{other}")["scorer_comparisons"]
    assert [one["scorer_name"] for one in told] == ["z sure", "a slight", "better"]
    assert abs(told[1]["delta"]) > abs(told[0]["delta"])


def test_missing_scores_in_a_comparison(api):
    dataset = api.questions(20)
    base = api.measured(dataset, [0] * 20)
    runs = [scored(item, 1) for item in dataset.item_ids[:10]] + [failed(item) for item in dataset.item_ids[10:]]
    other = with_runs(api, runs, dataset.id)
    dropped, zero, bracket = (compared(api, base, other, missing=policy) for policy in ("drop", "zero", "bracket"))
    assert (dropped["paired_count"], zero["paired_count"]) == (10, 20)
    assert (dropped["paired_delta"], zero["paired_delta"], bracket["paired_delta"]) == (1, 0.5, 1)
    assert bracket["delta_ci_95"][0] == pytest.approx(zero["delta_ci_95"][0])
    assert bracket["delta_ci_95"][1] == pytest.approx(dropped["delta_ci_95"][1], abs=0.1)
    assert (bracket["verdict"], bracket["whole"]["missing_policy"]) == ("improved", "bracket")


# --- gates ---


def decided(api, experiment_id: str, **bar: Any) -> dict[str, Any]:
    body = {"scorer_name": "quality", "metric": "mean", **bar}
    return expect(200, api.post(f"/experiments/{experiment_id}/threshold", body))


def test_a_gate_over_http_looks_at_the_point_unless_told_otherwise(api):
    experiment_id = api.measured(api.questions(10), [1] * 8 + [0] * 2)
    told = decided(api, experiment_id, threshold=0.75)
    assert (told["decision"], told["passed"], told["bound"], told["n"], told["min_n"]) == ("pass", True, "point", 10, 1)


@pytest.mark.parametrize(
    ("threshold", "comparison", "decision"),
    [
        (0.4, "gte", "pass"),
        (0.75, "gte", "undecided"),
        (0.95, "gte", "fail"),
        (0.95, "lte", "pass"),
        (0.4, "lt", "fail"),
        (0.75, "lt", "undecided"),
    ],
)
def test_a_gate_on_the_interval_may_be_undecided(api, threshold, comparison, decision):
    experiment_id = api.measured(api.questions(10), [1] * 8 + [0] * 2)
    told = decided(api, experiment_id, threshold=threshold, comparison=comparison, bound="ci")
    assert (told["decision"], told["passed"]) == (decision, decision == "pass")
    assert (told["reason"] is not None) == (decision == "undecided")
    assert told["confidence_interval_95"] == pytest.approx([0.49016247, 0.94331785], abs=1e-7)
    assert api.read(f"/experiments/{experiment_id}/summary")["threshold_result"] == told


def test_too_few_items_decide_nothing(api):
    four = api.measured(api.questions(4), [1, 1, 1, 1])
    told = decided(api, four, threshold=0.1, bound="ci")
    assert (told["decision"], told["n"], told["min_n"]) == ("undecided", 4, 5)
    assert "4 items" in told["reason"]
    assert decided(api, four, threshold=0.1, bound="ci", min_n=4)["decision"] == "pass"
    assert decided(api, four, threshold=0.1, min_n=5)["decision"] == "undecided"
    nobody = decided(api, four, scorer_name="nobody", threshold=0.1)
    assert (nobody["decision"], nobody["passed"], nobody["actual_value"]) == ("undecided", False, None)
    assert "nobody" in nobody["reason"]


def test_a_curve_is_gated_on_its_own_interval(api):
    dataset = api.questions(6)
    runs = [scored(item, int(n < 4 or trial == 0), trial) for n, item in enumerate(dataset.item_ids)
            for trial in range(2)]  # fmt: skip
    experiment_id = with_runs(api, runs, dataset.id, trials=2)
    told = decided(api, experiment_id, metric="pass_pow_k", k=2, threshold=0.5, bound="ci")
    assert told["confidence_interval_95"] == summary(api, experiment_id)["pass_pow_k_ci_95"]["2"]
    assert told["decision"] == "undecided"
    beyond = decided(api, experiment_id, metric="pass_pow_k", k=3, threshold=0.5, bound="ci")
    assert beyond["actual_value"] is None
    assert "up to k = 2" in beyond["reason"]


def test_looking_early_is_legal_with_a_wider_interval(api):
    experiment_id = api.measured(api.questions(20), [1] * 18 + [0] * 2)
    plain = decided(api, experiment_id, threshold=0.5, bound="ci")
    told = decided(api, experiment_id, threshold=0.5, bound="ci", sequential=True)
    assert (told["decision"], told["ci_method"], told["n"]) == ("pass", "beta_mixture", 20)
    assert told["confidence_interval_95"][0] < plain["confidence_interval_95"][0]
    real = api.measured(api.questions(20), [0.9] * 18 + [0.5] * 2)
    assert decided(api, real, threshold=0.5, bound="ci", sequential=True)["ci_method"] == "empirical_bernstein"


def test_items_count_in_a_sequence_when_all_their_trials_are_in(api):
    dataset = api.questions(3)
    one, two, three = dataset.item_ids
    runs = [scored(one, 1, 0), scored(one, 0, 1), scored(two, 1, 0), failed(two, 1), scored(three, 1, 0)]
    experiment_id = with_runs(api, runs, dataset.id, trials=2)
    told = decided(api, experiment_id, threshold=0.5, bound="ci", sequential=True, min_n=1)
    assert (told["n"], told["actual_value"]) == (2, 0.75)


@pytest.mark.parametrize(
    ("bar", "field"),
    [
        ({"bound": "interval"}, "bound"),
        ({"bound": "ci", "metric": "min"}, "bound"),
        ({"bound": "ci", "metric": "ci_low"}, "bound"),
        ({"sequential": True}, "sequential"),
        ({"sequential": True, "bound": "ci", "metric": "pass_at_k", "k": 1}, "sequential"),
        ({"sequential": True, "bound": "ci", "missing": "zero"}, "missing"),
        ({"min_n": 0}, "min_n"),
        ({"min_n": True}, "min_n"),
        ({"missing": "ignore"}, "missing"),
        ({"cluster_by": ""}, "cluster_by"),
        ({"sequential": True, "bound": "ci", "cluster_by": "repo"}, "cluster_by"),
    ],
)
def test_a_gate_that_makes_no_sense_is_refused_by_its_field(api, bar, field):
    experiment_id = api.measured(api.questions(1), [1])
    body = {"scorer_name": "quality", "metric": "mean", "threshold": 0.5, **bar}
    assert refused_fields(api.refusal("POST", f"/experiments/{experiment_id}/threshold", body)) == [field]
    assert api.read(f"/experiments/{experiment_id}/summary")["threshold_result"] is None
