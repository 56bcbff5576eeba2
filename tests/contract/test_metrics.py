"""Metrics: numbers about a whole experiment that are no mean of scores."""

import pytest

from contract.caller import Refusal, expect

BLEU = {"value": 27.5, "confidence_interval_95": [25, 30.5], "ci_method": "bootstrap", "n": 100}
ABSENT = {"reason": "no reference has text"}
ALL = ("value", "confidence_interval_95", "ci_method", "reason", "n")


def put(api, experiment_id, metrics):
    return api.call("PUT", f"/experiments/{experiment_id}/metrics", {"metrics": metrics})


def shown(api, experiment_id):
    return api.read(f"/experiments/{experiment_id}/summary")["metrics"]


@pytest.fixture
def experiment(api):
    return api.experiment(api.questions(2).id)


def test_an_experiment_has_no_metrics_until_they_are_set(api, experiment):
    assert shown(api, experiment) == {}


def test_metrics_are_set_and_shown_by_name_with_the_reason_where_there_is_none(api, experiment):
    told = expect(200, put(api, experiment, {"worst": {"value": "tone"}, "bleu": BLEU, "ece": ABSENT}))
    nothing = dict.fromkeys(ALL)
    expected = {"bleu": {**nothing, **BLEU}, "ece": {**nothing, **ABSENT}, "worst": {**nothing, "value": "tone"}}
    assert told == {"experiment_id": experiment, "metrics": expected}
    assert list(told["metrics"]) == ["bleu", "ece", "worst"]
    assert shown(api, experiment) == expected


def test_metrics_replace_those_before_also_when_the_experiment_is_completed(api, experiment):
    expect(200, put(api, experiment, {"bleu": BLEU}))
    expect(200, api.post(f"/experiments/{experiment}/complete"))
    assert list(expect(200, put(api, experiment, {"ece": {"value": 0}}))["metrics"]) == ["ece"]
    assert expect(200, put(api, experiment, {}))["metrics"] == {}


@pytest.mark.parametrize(
    ("metrics", "field"),
    [
        (None, "metrics"),
        ([], "metrics"),
        ({"m": {}}, "metrics.m.reason"),
        ({"m": {"value": None}}, "metrics.m.reason"),
        ({"m": {"value": True}}, "metrics.m.value"),
        ({"m": {"value": [1]}}, "metrics.m.value"),
        ({"m": {"value": ""}}, "metrics.m.value"),
        ({"m": {"value": "x" * 257}}, "metrics.m.value"),
        ({"m": {"value": 1, "confidence_interval_95": [2, 1]}}, "metrics.m.confidence_interval_95"),
        ({"m": {"value": 1, "confidence_interval_95": [2]}}, "metrics.m.confidence_interval_95[1]"),
        ({"m": {"value": "a", "confidence_interval_95": [1, 2]}}, "metrics.m.confidence_interval_95"),
        ({"m": {"value": 1, "ci_method": "t"}}, "metrics.m.ci_method"),
        ({"m": {"value": 1, "n": -1}}, "metrics.m.n"),
        ({"m": {"value": 1, "reason": " "}}, "metrics.m.reason"),
        ({f"m{n}": {"value": n} for n in range(101)}, "metrics"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_malformed_metrics_are_refused_and_the_old_ones_stand(api, experiment, metrics, field):
    expect(200, put(api, experiment, {"bleu": BLEU}))
    before = shown(api, experiment)
    refused = Refusal.of(put(api, experiment, metrics))
    assert refused.said == (400, "INVALID_REQUEST")
    assert {error["field"] for error in refused.errors} == {field}
    assert shown(api, experiment) == before


def test_a_metric_has_a_name(api, experiment):
    assert Refusal.of(put(api, experiment, {" ": BLEU})).said == (400, "INVALID_REQUEST")
    assert Refusal.of(put(api, experiment, {"x" * 257: BLEU})).said == (400, "INVALID_REQUEST")
