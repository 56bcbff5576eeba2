"""Gates over HTTP: evaluated without being remembered, kept with their times, and how many items would decide."""

import pytest

from contract.caller import Refusal, expect

BAR = {"scorer_name": "quality", "metric": "mean", "threshold": 0.8, "bound": "ci"}


def test_a_gate_can_be_looked_at_by_a_reader_and_nothing_is_remembered(api, root):
    experiment = api.measured(api.questions(6), [1, 1, 1, 0, 1, 1])
    reader = root.with_key("read")
    looked = reader.read(f"/experiments/{experiment}/threshold", **BAR)
    assert api.read(f"/experiments/{experiment}/summary")["threshold_result"] is None
    assert api.items(f"/experiments/{experiment}/thresholds") == []
    assert expect(200, api.post(f"/experiments/{experiment}/threshold", BAR)) == looked
    assert Refusal.of(reader.post(f"/experiments/{experiment}/threshold", BAR)).said == (403, "FORBIDDEN")


def test_every_gate_that_was_evaluated_is_kept_newest_first(api):
    experiment = api.measured(api.questions(6), [1, 1, 1, 0, 1, 1])
    results = [
        expect(200, api.post(f"/experiments/{experiment}/threshold", {**BAR, "threshold": bar}))
        for bar in (0.2, 0.8, 0.9999)
    ]
    kept = api.items(f"/experiments/{experiment}/thresholds", limit=2)
    assert [record["result"] for record in kept] == results[::-1]
    assert {record["experiment_id"] for record in kept} == {experiment}
    assert [record["evaluated_at"] for record in kept] == sorted((r["evaluated_at"] for r in kept), reverse=True)
    assert [result["decision"] for result in results] == ["pass", "undecided", "fail"]
    assert api.read(f"/experiments/{experiment}/summary")["threshold_result"] == results[-1]


def test_an_undecided_gate_says_how_many_more_items_would_decide_it(api):
    experiment = api.measured(api.questions(10), [1] * 9 + [0])
    path = f"/experiments/{experiment}/threshold"
    undecided = api.read(path, **BAR)
    assert (undecided["decision"], undecided["more_items_reason"]) == ("undecided", None)
    assert 50 < undecided["more_items"] < 200
    passed = api.read(path, **{**BAR, "threshold": 0.3})
    assert (passed["decision"], passed["more_items"], passed["more_items_reason"]) == ("pass", None, None)
    on_it = api.read(path, **{**BAR, "threshold": 0.9})
    assert on_it["more_items"] is None
    assert "on the bar" in on_it["more_items_reason"]
    few = api.read(path, **{**BAR, "threshold": 0.3, "min_n": 25})
    assert (few["decision"], few["more_items"]) == ("undecided", 15)
    looks = api.read(path, **{**BAR, "sequential": "true"})
    assert looks["more_items"] is None
    assert "every look" in looks["more_items_reason"]
    nothing = api.read(path, **{**BAR, "scorer_name": "nobody"})
    assert (nothing["decision"], nothing["more_items"]) == ("undecided", None)
    assert nothing["more_items_reason"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"metric": "median"}, "metric"),
        ({"threshold": "high"}, "threshold"),
        ({"metric": "pass_at_k"}, "k"),
        ({"metric": "min"}, "bound"),
        ({"sequential": "true", "bound": "point"}, "sequential"),
        ({"scorer_name": " "}, "scorer_name"),
        ({"min_n": 0}, "min_n"),
    ],
)
def test_a_gate_that_is_malformed_is_refused_as_the_post_refuses_it(api, change, field):
    experiment = api.measured(api.questions(1), [1])
    refused = Refusal.of(api.get(f"/experiments/{experiment}/threshold", **{**BAR, **change}))
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == [field]


def test_labels_have_no_bar(api):
    experiment = api.measured(api.questions(2), ["a", "b"])
    refused = Refusal.of(api.get(f"/experiments/{experiment}/threshold", **BAR))
    assert refused.said == (422, "UNSUPPORTED_THRESHOLD_TYPE")
