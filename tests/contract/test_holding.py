"""Holding: two processes do not evaluate into one experiment.

That a hold runs out by itself is in tests/service/test_holding.py, where a test sets the clock.
"""

import pytest

from contract.caller import Refusal, expect


def hold(api, experiment_id, holder="one", seconds=300, **fields):
    return api.post(f"/experiments/{experiment_id}/hold", {"holder": holder, "seconds": seconds, **fields})


@pytest.fixture
def experiment(api):
    return api.experiment(api.questions(1).id)


def test_the_first_holds_and_may_hold_longer(api, experiment):
    first = expect(200, hold(api, experiment, seconds=10))
    assert first["holder"] == "one"
    assert expect(200, hold(api, experiment))["held_until"] > first["held_until"]


def test_another_is_told_who_holds_it_and_until_when(api, experiment):
    until = expect(200, hold(api, experiment))["held_until"]
    refused = api.refusal("POST", f"/experiments/{experiment}/hold", {"holder": "two", "seconds": 10})
    assert refused.said == (409, "HELD")
    assert "'one'" in refused.message
    assert until in refused.message
    assert Refusal.of(hold(api, experiment, "two", 0)).said == (409, "HELD"), "only the holder releases it"
    assert expect(200, hold(api, experiment, "one"))["holder"] == "one"


def test_a_released_experiment_is_free(api, experiment):
    expect(200, hold(api, experiment))
    assert expect(200, hold(api, experiment, seconds=0)) == {"holder": None, "held_until": None}
    assert expect(200, hold(api, experiment, "two"))["holder"] == "two"


def test_one_who_knows_that_the_holder_is_gone_takes_over(api, experiment):
    expect(200, hold(api, experiment))
    assert Refusal.of(hold(api, experiment, "two", instead_of="three")).said == (409, "HELD")
    assert expect(200, hold(api, experiment, "two", instead_of="one"))["holder"] == "two"
    assert Refusal.of(hold(api, experiment, "one")).said == (409, "HELD")


def test_holding_shows_nowhere_else_and_keeps_nobody_from_storing_runs(api, experiment):
    before = api.read(f"/experiments/{experiment}")
    expect(200, hold(api, experiment))
    assert api.read(f"/experiments/{experiment}") == before
    item = api.items(f"/datasets/{before['dataset_id']}/items")[0]["id"]
    api.run(experiment, item)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"holder": ""}, "holder"),
        ({"holder": " "}, "holder"),
        ({"holder": "x" * 201}, "holder"),
        ({"seconds": -1}, "seconds"),
        ({"seconds": 301}, "seconds"),
        ({"seconds": "10"}, "seconds"),
        ({"instead_of": ""}, "instead_of"),
    ],
    ids=str,
)
def test_a_malformed_hold_is_refused(api, experiment, fields, field):
    refused = Refusal.of(hold(api, experiment, **fields))
    assert refused.said == (400, "INVALID_REQUEST")
    assert {error["field"] for error in refused.errors} == {field}
    assert expect(200, hold(api, experiment, "anybody"))["holder"] == "anybody"
